//! Code measured by benches.

use std::hint::black_box;

use robolog_core::{
    Error, Reader, Sample,
    format::{Decoder as _, OptionsOf, Recording},
};

/// Runs the measured part of a bench.
///
/// `cargo xtask instructions` counts the instructions between the call of this function and its return, so it is never
/// inlined.
#[inline(never)]
pub fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// Makes all samples of a recording in memory like a sink, drops them, and returns their number.
pub fn count_samples<F: Recording>(input: &[u8], options: OptionsOf<F>) -> u64 {
    let mut reader = Reader::<F>::new(input).unwrap();
    F::apply_options(reader.header_mut(), &options);
    let mut decoder = F::Decoder::new(reader.header(), options);
    let mut count = 0_u64;
    let sink = &mut |sample: &mut Sample| {
        count += 1;
        black_box(sample);
        Ok::<_, Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), sink).unwrap();
    }
    decoder.last_samples(sink).unwrap();
    count
}
