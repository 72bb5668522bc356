//! `cargo fuzz run carla_rec_rewrite`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::carla_rec_rewrite(data));

#[cfg(not(fuzzing))]
fn main() {}
