//! `cargo fuzz run alog_rewrite`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::alog_rewrite(data));

#[cfg(not(fuzzing))]
fn main() {}
