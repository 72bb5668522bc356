//! `cargo fuzz run effibox_table`

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| robolog_fuzz::targets::effibox_table(data));

#[cfg(not(fuzzing))]
fn main() {}
