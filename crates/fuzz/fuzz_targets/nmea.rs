//! `cargo fuzz run nmea`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::nmea(data));

#[cfg(not(fuzzing))]
fn main() {}
