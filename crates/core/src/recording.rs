//! What a format offers beyond reading: counting, samples, byte-exact copies. The same for all of them.

use std::io::{Seek, Write};

use crate::{Error, Format, Result, Sample, Surveying, Timestamp};

/// A format with everything that the command line and the converters ask of one.
pub trait Recording: Format {
    /// Counts what a recording holds and finds what is wrong with it.
    type Survey: Surveying<Format = Self>;
    /// Turns records into samples.
    type Sampler: Sampling<Format = Self>;
    /// Copies records into a new recording.
    type Rewriter<W: Write + Seek>: Rewriting<W, Format = Self>;
    /// File name extensions in use, without the dot, the usual one first.
    const EXTENSIONS: &'static [&'static str];

    /// Takes from the options what they say of how the file is read, such as the dialect of a recording that does not
    /// name its own. The default takes nothing.
    fn apply_options(header: &mut Self::Header, options: &<Self::Sampler as Sampling>::Options) {
        let _ = (header, options);
    }
}

/// Turns the records of a format into samples, in file order.
///
/// A sampler carries what one record leaves for the next: unwrapped clocks, actors, scans in the making. It lends
/// each sample to `sink`, which may keep the value with [`Value::take`](crate::Value::take) or leave it, so that its
/// memory is used again: see [`Sample::lend`].
pub trait Sampling: Sized {
    /// The format whose records it takes.
    type Format: Format;
    /// What a caller can choose; the default changes nothing that the file says.
    type Options: Default;

    /// For the records of a file with this header.
    fn new(header: &<Self::Format as Format>::Header, options: Self::Options) -> Self;

    /// Makes the samples of the next record.
    ///
    /// Fails when the record cannot be decoded or when `sink` fails; what was decoded before has been delivered.
    fn push<E: From<Error>>(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E>;

    /// Delivers what was waiting for a record that does not come.
    ///
    /// Fails when the recording may not end here; what was waiting has been delivered.
    fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let _ = sink;
        Ok(())
    }
}

/// Writes records of one recording into another, byte for byte; only what points at bytes is rewritten.
pub trait Rewriting<W: Write + Seek>: Sized {
    /// The format that it copies.
    type Format: Format;

    /// Begins a recording on `out` with the header as it stands in the file.
    fn new(out: W, header: &<Self::Format as Format>::Header, header_bytes: &[u8]) -> Result<Self>;

    /// Copies the parts of `record` for which `keep` answers true, given their channel and time. Returns how many
    /// parts were kept; what a part is, the format says.
    ///
    /// With a `keep` that is always true the output is the input, byte for byte.
    fn copy(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64>;

    /// What was begun and has no end so far. [`finish`](Self::finish) closes it or leaves it out, as the format says.
    fn unfinished(&self) -> Option<Error> {
        None
    }

    /// How many bytes of the wanted parts are missing from the result so far, because they cannot be read.
    fn left_out(&self) -> u64 {
        0
    }

    /// Completes the recording and hands the target back.
    fn finish(self) -> Result<W>;
}
