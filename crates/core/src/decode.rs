//! One state machine per format: it produces samples and counts, and finds what must be replayed to start in the
//! middle.

use std::{fmt, io, ops::Range};

use crate::{
    Error, Result, Sample, Severity, Timestamp,
    format::{Format, Lend, ReorderBound, SurveyBuilder, Timed as _},
};

type HeaderOf<D> = <<D as Decoder>::Format as Format>::Header;
type RecordOf<'a, D> = <<D as Decoder>::Format as Format>::Record<'a>;

/// The state machine of a format: it unwraps clocks, knows actors, completes scans. It receives all records in file
/// order; the [`Wanted`] of each `push` says what the caller wants: samples, counts, or only the updated state.
///
/// A format implements the methods up to [`details`](Self::details). Those after it are for callers, each a `push` or
/// `finish` with one kind of [`Wanted`].
pub trait Decoder: Sized + Send + 'static {
    /// The format it decodes.
    type Format: Format;
    /// Options of the caller; the default changes nothing that the file says.
    type Options: Default + Clone;
    /// Format-specific information about a recording.
    type Details: fmt::Debug;

    /// A decoder for a file with this header.
    fn new(header: &HeaderOf<Self>, options: Self::Options) -> Self;

    /// Called once with the header before records are counted, for findings about the header. The default does nothing.
    fn begin(&mut self, header: &HeaderOf<Self>, notes: &mut SurveyBuilder) {
        let _ = (header, notes);
    }

    /// Processes the next record.
    ///
    /// Returns an error if it cannot be decoded, or if `out` fails; everything decoded before has been delivered.
    fn push(&mut self, record: &RecordOf<'_, Self>, out: &mut Wanted<'_>) -> Result<()>;

    /// Whether the record can be skipped if only the channels for which `wants` returns true are wanted: it has no
    /// sample in one of them, no damage that `push` would report, and no effect on later records. `wants` must be
    /// consistent for a name. The default is false.
    fn is_unwanted(&mut self, record: &RecordOf<'_, Self>, wants: &dyn Fn(&str) -> bool) -> bool {
        let _ = (record, wants);
        false
    }

    /// Notes damage between counted records; may add to what the error says.
    fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut SurveyBuilder) {
        notes.damage(error, lost);
    }

    /// Delivers pending samples at the end. The default has none.
    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let _ = out;
        Ok(())
    }

    /// The locations, in file order, of the records that a new decoder must be shown to continue with `next`, the next
    /// record, as this one would. This decoder got the location of each record: see [`Wanted::range`]. The default is
    /// `None`: all records.
    fn prerequisites(&self, next: &RecordOf<'_, Self>) -> Option<Vec<Range<u64>>> {
        let _ = next;
        None
    }

    /// How well times are ordered, judged by the first records. The default is `None`: any order.
    fn reorder_bound(&self) -> Option<ReorderBound> {
        None
    }

    /// The earliest and latest time in a record. The default is [its own](crate::format::Timed::span).
    fn span(&self, record: &RecordOf<'_, Self>) -> Option<(Timestamp, Timestamp)> {
        record.span()
    }

    /// Whether the earliest time in the first records is the start of the recording. False if samples of later records
    /// may be earlier. The default is true.
    fn knows_start(&self) -> bool {
        true
    }

    /// Calls `each` with every time that is written in a part of a recording, without reading its records. The times of
    /// all samples are among them. `is_last` says that nothing follows the part.
    ///
    /// Returns the number of bytes seen; the next part begins with the others. Returns `None` if the records must be read
    /// to tell their times, as the default does.
    fn written_times(part: &[u8], is_last: bool, each: &mut dyn FnMut(Timestamp)) -> Option<usize> {
        let _ = (part, is_last, each);
        None
    }

    /// The version and dialect, and the format-specific information, after all records were counted.
    fn details(self, notes: &mut SurveyBuilder) -> (String, Self::Details);

    /// Delivers the samples of the next record. It lends each to `sink`, which may keep the value with
    /// [`Value::take`](crate::Value::take) or leave it for its memory to be reused: see [`Sample::lend`].
    ///
    /// Returns an error if the record cannot be decoded or if `sink` fails; everything decoded before has been
    /// delivered.
    fn samples<E: From<Error>>(
        &mut self,
        record: &RecordOf<'_, Self>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, true, |out| self.push(record, out))
    }

    /// Processes a record of an unwanted time like [`samples`](Self::samples), but may skip the samples of this time:
    /// the record's own time, or that of the last record before it that has one.
    ///
    /// Returns the errors of `samples`.
    fn samples_unwanted<E: From<Error>>(
        &mut self,
        record: &RecordOf<'_, Self>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, false, |out| self.push(record, out))
    }

    /// Calls `each` with the times of the next record's samples, which need not be made. Returns the errors of
    /// [`samples`](Self::samples).
    fn times(&mut self, record: &RecordOf<'_, Self>, each: &mut dyn FnMut(Timestamp)) -> Result<()> {
        self.push(record, &mut Wanted(Want::Times(each)))
    }

    /// Processes the next record without its samples. Returns the errors of [`samples`](Self::samples).
    fn pass(&mut self, record: &RecordOf<'_, Self>) -> Result<()> {
        self.samples_unwanted(record, &mut |_| Ok(()))
    }

    /// Delivers pending samples at the end.
    ///
    /// Returns an error if the recording may not end here; pending samples have been delivered.
    fn last_samples<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, true, |out| self.finish(out))
    }

    /// Counts the next record; faults become findings.
    fn count(&mut self, record: &RecordOf<'_, Self>, notes: &mut SurveyBuilder) {
        if let Err(error) = self.push(record, &mut Wanted(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
    }

    /// Counts what is pending at the end. Returns the version and dialect, and the format-specific information.
    fn counted(mut self, notes: &mut SurveyBuilder) -> (String, Self::Details) {
        if let Err(error) = self.finish(&mut Wanted(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
        self.details(notes)
    }

    /// Processes the record at `range` for its effect on later ones alone: see [`prerequisites`](Self::prerequisites).
    /// Faults are reported where the samples are made.
    fn follow(&mut self, record: &RecordOf<'_, Self>, range: Range<u64>) {
        drop(self.push(record, &mut Wanted(Want::State(range))));
    }
}

/// What the caller wants of a record, and where it goes.
pub struct Wanted<'o>(Want<'o>);

enum Want<'o> {
    Values {
        sink: &'o mut dyn FnMut(&mut Sample) -> Result<()>,
        /// Whether the record's time is wanted.
        is_wanted: bool,
    },
    Counts(&'o mut SurveyBuilder),
    Times(&'o mut dyn FnMut(Timestamp)),
    /// Location of the record.
    State(Range<u64>),
}

impl Wanted<'_> {
    /// Whether sample values are wanted, or their times, which a decoder finds by making them if it knows no shorter way: see
    /// [`time`](Self::time). If not, decoding them is wasted work.
    #[inline]
    pub fn wants_values(&self) -> bool {
        matches!(self.0, Want::Values { .. } | Want::Times(_))
    }

    /// Whether samples of the record's time may be skipped: see [`Decoder::samples_unwanted`].
    #[inline]
    pub fn skips_values(&self) -> bool {
        !matches!(self.0, Want::Values { is_wanted: true, .. } | Want::Times(_))
    }

    /// Delivers a sample, which the consumer may take; when counting, counts it.
    ///
    /// Returns the error of the consumer.
    #[inline]
    pub fn sample(&mut self, sample: &mut Sample) -> Result<()> {
        match &mut self.0 {
            Want::Values { sink, .. } => return sink(sample),
            Want::Counts(notes) => notes.sample(sample),
            Want::Times(each) => sample.time.into_iter().for_each(each),
            Want::State(_) => {}
        }
        Ok(())
    }

    /// When only times are wanted, delivers the time of the record's samples, which need not be made then. Returns whether
    /// only times are wanted.
    #[inline]
    #[must_use = "a sample whose time was delivered is not made"]
    pub fn time(&mut self, time: Option<Timestamp>) -> bool {
        let Want::Times(each) = &mut self.0 else { return false };
        time.into_iter().for_each(each);
        true
    }

    /// Delivers `buffer` as the value of a sample: see [`Sample::lend`].
    pub fn lend<T: Lend>(&mut self, sample: &mut Sample, buffer: &mut T) -> Result<()> {
        sample.lend(buffer, &mut |sample| self.sample(sample))
    }

    /// Returns an error about the record. When counting, records a finding instead, and counting goes on.
    pub fn fault(&mut self, code: &'static str, error: Error) -> Result<()> {
        let Some(notes) = self.notes() else { return Err(error) };
        notes.find(Severity::Error, code, error.offset(), error);
        Ok(())
    }

    /// When counting, counts a sample of `values` values, which need not be made then. Returns whether it did.
    #[inline]
    #[must_use = "a sample that is counted is not made"]
    pub fn count(
        &mut self,
        channel: &str,
        kind: &'static str,
        values: usize,
        time: Option<Timestamp>,
    ) -> bool {
        let Some(notes) = self.notes() else { return false };
        notes.count(channel, kind, values as u64, time);
        true
    }

    /// The collector of counts and findings, when counting.
    #[inline]
    pub fn notes(&mut self) -> Option<&mut SurveyBuilder> {
        if let Want::Counts(notes) = &mut self.0 { Some(notes) } else { None }
    }

    /// The location of the record, when only the state is wanted: for a decoder that remembers which records another
    /// one must be shown. See [`Decoder::prerequisites`].
    #[inline]
    pub fn range(&self) -> Option<Range<u64>> {
        if let Want::State(range) = &self.0 { Some(range.clone()) } else { None }
    }
}

impl fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Want::Values { .. } => "Values",
            Want::Counts(_) => "Counts",
            Want::Times(_) => "Times",
            Want::State(_) => "State",
        })
    }
}

/// Runs a decoder for a sink with its own error type; sink errors come back unchanged.
pub(crate) fn deliver<E: From<Error>>(
    sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    is_wanted: bool,
    run: impl FnOnce(&mut Wanted<'_>) -> Result<()>,
) -> Result<(), E> {
    let mut failure = None;
    let mut each = |sample: &mut Sample| {
        sink(sample).map_err(|error| {
            failure = Some(error);
            Error::io(io::ErrorKind::Interrupted.into(), sample.offset)
        })
    };
    let outcome = run(&mut Wanted(Want::Values { sink: &mut each, is_wanted }));
    failure.map_or_else(|| outcome.map_err(E::from), Err)
}
