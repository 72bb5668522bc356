//! What a format offers beyond reading: counting, samples, byte-exact copies. The same for all of them.

use std::io::{Seek, Write};

use crate::{
    Error, ErrorKind, Format, Result, Sample, Seeking, Splitting, Surveying, Timed as _, Timestamp, Unsplit,
};

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
    /// Whether a copy leaves out records without a time together with the one before them. Else [`Rewriting`] decides about
    /// them, which is the default.
    const UNTIMED_FOLLOW: bool = false;
    /// Whether the last record, which a copy has too, is to be read whatever time is wanted: a mark of the end.
    const HAS_END_MARK: bool = false;

    /// Takes from the options what they say of how the file is read, such as the dialect of a recording that does not
    /// name its own. The default takes nothing.
    fn apply_options(header: &mut Self::Header, options: &<Self::Sampler as Sampling>::Options) {
        let _ = (header, options);
    }

    /// Finds out where a recording with this header can be split, to be read with these options. The default is
    /// [`Unsplit`]: one split.
    fn splitting(
        header: &Self::Header,
        options: &<Self::Sampler as Sampling>::Options,
    ) -> Box<dyn Splitting<Self> + Send> {
        let _ = (header, options);
        Box::new(Unsplit)
    }

    /// Finds out whether reading can go on at a later record, where only the samples of some time are wanted. The default is
    /// `None`: everything before must be read.
    fn seeking(
        header: &Self::Header,
        options: &<Self::Sampler as Sampling>::Options,
    ) -> Option<Box<dyn Seeking<Self> + Send>> {
        let _ = (header, options);
        None
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

    /// Takes in a record of a time that is not wanted as [`push`](Self::push) does; the samples that have this time may be
    /// left out. That is the record's own time, or that of the last record before it that has one. The default delivers all.
    ///
    /// Fails as `push` does.
    fn push_unwanted<E: From<Error>>(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.push(record, sink)
    }

    /// Takes in the next record as [`push`](Self::push) does, without its samples. The default makes and drops them.
    ///
    /// Fails as `push` does.
    fn pass(&mut self, record: &<Self::Format as Format>::Record<'_>) -> Result<()> {
        self.push(record, &mut |_| Ok(()))
    }

    /// Whether the record can be left out where only the channels for which `wants` answers true are wanted: it makes no
    /// sample in one of them, holds no damage that `push` would tell, and changes nothing for records after it.
    /// `wants` gives one answer for a name. The default leaves out none.
    fn is_unwanted(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        wants: &dyn Fn(&str) -> bool,
    ) -> bool {
        let _ = (record, wants);
        false
    }

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
    ///
    /// Fails where what the file says is changed in `header`: the copy would begin with the bytes all the same. What only
    /// says how the file is read, such as a clock or a dialect, may be set.
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

    /// How many bytes of the wanted parts are missing from the result so far, because they cannot be read. Of one
    /// record [`copy_counted`](Self::copy_counted) says it: totals of two rewriters do not compare.
    fn left_out(&self) -> u64 {
        0
    }

    /// Copies as [`copy`](Self::copy) does. Returns its outcome, and how many bytes of the record are missing from the
    /// result.
    fn copy_counted(
        &mut self,
        record: &<Self::Format as Format>::Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> (Result<u64>, u64) {
        let before = self.left_out();
        let outcome = self.copy(record, keep);
        (outcome, self.left_out().saturating_sub(before))
    }

    /// Completes the recording and hands the target back.
    fn finish(self) -> Result<W>;

    /// How recordings with this header are taken apart and put together. The default is [`MergeMode::Time`].
    fn joint(header: &<Self::Format as Format>::Header) -> MergeMode {
        let _ = header;
        MergeMode::Time
    }

    /// The time of a record that is the next to be copied, where it takes those before it to know. The default is its own.
    fn time_of(&mut self, record: &<Self::Format as Format>::Record<'_>) -> Option<Timestamp> {
        record.time()
    }

    /// Whether a part of the recording can begin with `record`, which is the next to be copied. The default is every record.
    fn can_part(&self, record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        true
    }

    /// Completes the recording, hands its target back and goes on with the next part on `out`: with the header, and what
    /// else a part must have before its records to be read by itself.
    ///
    /// Fails in formats that are not parted in this way, which is the default.
    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        drop((self, out, header_bytes));
        let why = "no part of it can be read by itself";
        Err(Error::new(ErrorKind::Unsupported { what: "a part", why }, 0).within(Self::Format::NAME))
    }

    /// Takes the records of another recording from here on; of parts made by [`part`](Self::part), in their order, what
    /// stands before their records is left out again. `first` is the header of the recording that was begun.
    ///
    /// Fails when the two do not go together. The default asks for the same header.
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
        Err(Error::invalid("header", "another one", "that of the first recording", 0)
            .within(Self::Format::NAME))
    }

    /// Whether `record` is the mark of the end, behind which nothing may stand. The default has none.
    fn is_end(record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        false
    }

    /// Whether every part of a [document](MergeMode::Document) has `record`. The default is none.
    fn is_shared(record: &<Self::Format as Format>::Record<'_>) -> bool {
        let _ = record;
        false
    }
}

/// How recordings of a format are taken apart and put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeMode {
    /// The records of several, in order of time.
    Time,
    /// One behind the other.
    Sequence,
    /// Elements in elements: each part has those that hold others, and some of those that are held.
    Document,
}
