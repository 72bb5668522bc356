//! `cargo fuzz run kml`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::kml(data));

#[cfg(not(fuzzing))]
fn main() {}
