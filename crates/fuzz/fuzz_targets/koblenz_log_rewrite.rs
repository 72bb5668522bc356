//! `cargo fuzz run koblenz_log_rewrite`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::koblenz_log_rewrite(data));

#[cfg(not(fuzzing))]
fn main() {}
