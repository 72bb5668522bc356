//! `cargo fuzz run koblenz_log`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::koblenz_log(data));

#[cfg(not(fuzzing))]
fn main() {}
