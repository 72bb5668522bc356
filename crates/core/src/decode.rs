//! One state machine per format: it produces samples and counts, and finds what must be replayed to start in the
//! middle.

use std::{
    fmt,
    io::{self, Seek, Write},
    ops::Range,
};

use crate::{
    Copier, Error, Format, Lend, Recording, ReorderBound, Result, Sample, Sampling, Seeking, Severity,
    Splitting, SurveyBuilder, Surveying, Timed as _, Timestamp,
};

type HeaderOf<D> = <<D as Decoder>::Format as Format>::Header;
type RecordOf<'a, D> = <<D as Decoder>::Format as Format>::Record<'a>;

/// A format with one decoder, which provides everything a [`Recording`] has: sampling, surveying, splitting and
/// seeking.
pub trait Decoded: Format {
    /// Its state machine.
    type Decoder: Decoder<Format = Self>;
    /// Copies records into a new recording.
    type Copier<W: Write + Seek>: Copier<W, Format = Self>;
    /// File name extensions in use, without the dot, the usual one first.
    const EXTENSIONS: &'static [&'static str];
    /// See [`Recording::UNTIMED_FOLLOW`].
    const UNTIMED_FOLLOW: bool = false;
    /// See [`Recording::HAS_END_MARK`].
    const HAS_END_MARK: bool = false;

    /// See [`Recording::apply_options`].
    fn apply_options(header: &mut Self::Header, options: &<Self::Decoder as Decoder>::Options) {
        let _ = (header, options);
    }
}

/// The state machine of a format. It receives all records in file order; the [`Wanted`] of each `push` says what the
/// caller wants: samples, counts, or only the updated state.
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

    /// Whether the record can be skipped if only some channels are wanted: see [`Sampling::is_unwanted`]. The default
    /// is false.
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
    fn order(&self) -> Option<ReorderBound> {
        None
    }

    /// The earliest and latest time in a record. The default is [its own](crate::Timed::span).
    fn span(&self, record: &RecordOf<'_, Self>) -> Option<(Timestamp, Timestamp)> {
        record.span()
    }

    /// Whether the earliest time in the first records is the start of the recording. False if samples of later records
    /// may be earlier. The default is true.
    fn knows_start(&self) -> bool {
        true
    }

    /// The version and dialect, and the format-specific information, after all records were counted.
    fn details(self, notes: &mut SurveyBuilder) -> (String, Self::Details);
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
    /// Location of the record.
    State(Range<u64>),
}

impl Wanted<'_> {
    /// Whether sample values are wanted. If not, decoding them is wasted work.
    #[inline]
    pub fn wants_values(&self) -> bool {
        matches!(self.0, Want::Values { .. })
    }

    /// Whether samples of the record's time may be skipped: see [`Sampling::push_unwanted`].
    #[inline]
    pub fn skips_values(&self) -> bool {
        !matches!(self.0, Want::Values { is_wanted: true, .. })
    }

    /// Delivers a sample, which the consumer may take; when counting, counts it.
    ///
    /// Returns the error of the consumer.
    #[inline]
    pub fn sample(&mut self, sample: &mut Sample) -> Result<()> {
        match &mut self.0 {
            Want::Values { sink, .. } => return sink(sample),
            Want::Counts(notes) => notes.sample(sample),
            Want::State(_) => {}
        }
        Ok(())
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
            Want::State(_) => "State",
        })
    }
}

/// Runs a decoder for a sink with its own error type; sink errors come back unchanged.
fn deliver<E: From<Error>>(
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

impl<D: Decoder> Sampling for D {
    type Format = D::Format;
    type Options = D::Options;

    fn new(header: &HeaderOf<D>, options: D::Options) -> Self {
        <D as Decoder>::new(header, options)
    }

    fn push<E: From<Error>>(
        &mut self,
        record: &RecordOf<'_, D>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, true, |out| Decoder::push(self, record, out))
    }

    fn push_unwanted<E: From<Error>>(
        &mut self,
        record: &RecordOf<'_, D>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, false, |out| Decoder::push(self, record, out))
    }

    fn pass(&mut self, record: &RecordOf<'_, D>) -> Result<()> {
        self.push_unwanted(record, &mut |_| Ok(()))
    }

    fn is_unwanted(&mut self, record: &RecordOf<'_, D>, wants: &dyn Fn(&str) -> bool) -> bool {
        Decoder::is_unwanted(self, record, wants)
    }

    fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, true, |out| Decoder::finish(self, out))
    }
}

/// A decoder that counts.
#[derive(Debug)]
pub struct Counting<D>(D);

impl<D: Decoder> Surveying for Counting<D> {
    type Format = D::Format;
    type Details = D::Details;

    fn new(header: &HeaderOf<D>, notes: &mut SurveyBuilder) -> Self {
        let mut decoder = <D as Decoder>::new(header, D::Options::default());
        decoder.begin(header, notes);
        Self(decoder)
    }

    fn push(&mut self, record: &RecordOf<'_, D>, notes: &mut SurveyBuilder) {
        if let Err(error) = Decoder::push(&mut self.0, record, &mut Wanted(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
    }

    fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut SurveyBuilder) {
        self.0.damage(error, lost, notes);
    }

    fn finish(mut self, notes: &mut SurveyBuilder) -> (String, D::Details) {
        if let Err(error) = Decoder::finish(&mut self.0, &mut Wanted(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
        self.0.details(notes)
    }
}

/// A decoder that finds where reading can begin.
struct Resuming<D>(D);

impl<D: Decoder> Resuming<D> {
    fn take(&mut self, record: &RecordOf<'_, D>, range: Range<u64>) {
        // Faults are reported where the samples are made.
        drop(Decoder::push(&mut self.0, record, &mut Wanted(Want::State(range))));
    }
}

impl<F: Decoded> Splitting<F> for Resuming<F::Decoder> {
    fn prerequisites(&mut self, next: &F::Record<'_>) -> Option<Vec<Range<u64>>> {
        self.0.prerequisites(next)
    }

    fn push(&mut self, record: &F::Record<'_>, range: Range<u64>) {
        self.take(record, range);
    }
}

impl<F: Decoded> Seeking<F> for Resuming<F::Decoder> {
    fn push(&mut self, record: &F::Record<'_>) {
        self.take(record, 0..0);
    }

    fn slack(&self) -> Option<ReorderBound> {
        self.0.order()
    }

    fn span(&self, record: &F::Record<'_>) -> Option<(Timestamp, Timestamp)> {
        self.0.span(record)
    }

    fn knows_start(&self) -> bool {
        self.0.knows_start()
    }
}

impl<F: Decoded> Recording for F {
    type Survey = Counting<F::Decoder>;
    type Sampler = F::Decoder;
    type Copier<W: Write + Seek> = F::Copier<W>;
    const EXTENSIONS: &'static [&'static str] = <F as Decoded>::EXTENSIONS;
    const UNTIMED_FOLLOW: bool = <F as Decoded>::UNTIMED_FOLLOW;
    const HAS_END_MARK: bool = <F as Decoded>::HAS_END_MARK;

    fn apply_options(header: &mut F::Header, options: &<F::Decoder as Decoder>::Options) {
        <F as Decoded>::apply_options(header, options);
    }

    fn splitting(
        header: &F::Header,
        options: &<F::Decoder as Decoder>::Options,
    ) -> Box<dyn Splitting<F> + Send> {
        Box::new(Resuming(<F::Decoder as Decoder>::new(header, options.clone())))
    }

    fn seeking(
        header: &F::Header,
        options: &<F::Decoder as Decoder>::Options,
    ) -> Option<Box<dyn Seeking<F> + Send>> {
        Some(Box::new(Resuming(<F::Decoder as Decoder>::new(header, options.clone()))))
    }
}
