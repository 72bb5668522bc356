//! `cargo fuzz run carla_rec`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::carla_rec(data));

#[cfg(not(fuzzing))]
fn main() {}
