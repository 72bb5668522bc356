//! All targets under libFuzzer: `ROBOLOG_TARGET` selects one. `cargo xtask fuzz TARGET` runs it.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
static TARGET: std::sync::LazyLock<fn(&[u8])> =
    std::sync::LazyLock::new(robolog_fuzz::targets::from_environment);

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));

#[cfg(not(fuzzing))]
fn main() {}
