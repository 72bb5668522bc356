//! Capabilities of a format beyond reading: counting, samples, byte-exact copies.

use std::io::{Seek, Write};

use crate::{
    Error, ErrorKind, Result, Timestamp,
    format::{Decoder, Format, Timed as _},
    slices::InRange as _,
};

/// A format with everything that the command line and the converters use.
pub trait Recording: Format {
    /// Its state machine: samples, counts, splits and seeks.
    type Decoder: Decoder<Format = Self>;
    /// Copies records into a new recording.
    type Copier<W: Write + Seek>: Copier<W, Format = Self>;
    /// File name extensions in use, without the dot, the usual one first.
    const EXTENSIONS: &'static [&'static str];
    /// Whether a copy drops records without a time together with the record before them. Otherwise [`Copier`] decides,
    /// which is the default.
    const UNTIMED_FOLLOW: bool = false;
    /// Whether the last record is an end mark that every copy has, and so must be read whatever time is wanted.
    const HAS_END_MARK: bool = false;

    /// Applies the options that affect how the file is read, such as the dialect of a recording that does not name its
    /// own. The default does nothing.
    fn apply_options(header: &mut Self::Header, options: &OptionsOf<Self>) {
        let _ = (header, options);
    }
}

/// Options for the samples of a format, and for how its files are read.
pub type OptionsOf<F> = <<F as Recording>::Decoder as Decoder>::Options;
/// Format-specific information about a recording: see [`Summary::details`](crate::Summary::details).
pub type DetailsOf<F> = <<F as Recording>::Decoder as Decoder>::Details;

/// Copies records of one recording into another, byte for byte; only references to byte offsets are rewritten.
pub trait Copier<W: Write + Seek>: Sized {
    /// The format it copies.
    type Format: Format;

    /// Starts a recording on `out` with the header as it is in the file.
    ///
    /// Returns an error if `header` was changed in a way that differs from `header_bytes`, which are written unchanged.
    /// Settings that only affect reading, such as a clock or a dialect, may be changed.
    fn new(out: W, header: &<Self::Format as Format>::Header, header_bytes: &[u8]) -> Result<Self>;

    /// Copies the parts of `record` for whose channel and time `keep` returns true. Returns the number of parts copied;
    /// the format defines what a part is.
    ///
    /// If `keep` always returns true the output equals the input, byte for byte.
    fn copy(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64>;

    /// An error about something begun but not ended so far. [`finish`](Self::finish) closes it or leaves it out,
    /// depending on the format.
    fn unfinished(&self) -> Option<Error> {
        None
    }

    /// Bytes of the wanted parts missing from the output so far, because they cannot be read. For one record use
    /// [`copy_counted`](Self::copy_counted): totals of two copiers cannot be compared.
    fn left_out(&self) -> u64 {
        0
    }

    /// Copies like [`copy`](Self::copy). Returns its result, and the number of bytes of the record missing from the
    /// output.
    fn copy_counted(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> (Result<u64>, u64) {
        let before = self.left_out();
        let outcome = self.copy(record, keep);
        (outcome, self.left_out().minus(before))
    }

    /// Completes the recording and returns the target.
    fn finish(self) -> Result<W>;

    /// How recordings with this header are merged. The default is [`MergeMode::Time`].
    fn merge_mode(header: &<Self::Format as Format>::Header) -> MergeMode {
        let _ = header;
        MergeMode::Time
    }

    /// The time of a record about to be copied, if it depends on records before it. The default is its own.
    fn time_of(&mut self, record: &<Self::Format as Format>::Record<'_>) -> Option<Timestamp> {
        record.time()
    }

    /// Whether a new part of the recording can begin with `record`, which is about to be copied. The default is true.
    fn can_part(&self, record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        true
    }

    /// Completes the recording, returns its target and starts the next part on `out`: with the header, and everything
    /// else a part needs before its records to be readable on its own.
    ///
    /// Returns an error for formats that are not divided in this way, which is the default.
    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        drop((self, out, header_bytes));
        let why = "no part of it can be read by itself";
        Err(Error::new(ErrorKind::Unsupported { what: "a part", why }, 0).within(Self::Format::NAME))
    }

    /// Continues with the records of another recording; for parts made by [`part`](Self::part), in order, what precedes
    /// their records is dropped again. `first` is the header of the first recording.
    ///
    /// Returns an error if the two are incompatible. By default they must have the same header.
    fn follow(
        &mut self,
        first: &[u8],
        header: &<Self::Format as Format>::Header,
        header_bytes: &[u8],
    ) -> Result<()> {
        let _ = header;
        if first == header_bytes {
            return Ok(());
        }
        let what = "the header differs from that of the first recording";
        Err(Error::unexpected(what, 0).within(Self::Format::NAME))
    }

    /// Whether `record` is the end mark, after which nothing may follow. The default is false.
    fn is_end(record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        false
    }

    /// Whether every part of a [document](MergeMode::Document) has `record`. The default is false.
    fn is_shared(record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        false
    }

    /// Whether no part of a [document](MergeMode::Document) begins with `record` unless its container does: it continues a
    /// line. The default is false.
    fn continues(record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        false
    }
}

/// How recordings of a format are merged and divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeMode {
    /// The records of several, in time order.
    Time,
    /// One after the other.
    Sequence,
    /// Nested elements: each part has the containers, and some of the elements inside them.
    Document,
}
