//! One state machine a format: its samples, its counts, and what a reader in the middle must be shown come out of it.

use std::{
    fmt,
    io::{self, Seek, Write},
    ops::Range,
};

use crate::{
    Error, Format, Lend, Notes, Recording, ReorderBound, Result, Rewriting, Sample, Sampling, Seeking,
    Severity, Splitting, Surveying, Timed as _, Timestamp,
};

type HeaderOf<D> = <<D as Decoder>::Format as Format>::Header;
type RecordOf<'a, D> = <<D as Decoder>::Format as Format>::Record<'a>;

/// A format with one decoder. From it comes what a [`Recording`] has: sampling, surveying, splitting and seeking.
pub trait Decoded: Format {
    /// Its state machine.
    type Decoder: Decoder<Format = Self>;
    /// Copies records into a new recording.
    type Copier<W: Write + Seek>: Rewriting<W, Format = Self>;
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

/// The state machine of a format. It is shown all records in file order, and each `push` says by its [`Out`] what is wanted of
/// them: samples, counts, or nothing but the state that they leave.
pub trait Decoder: Sized + Send + 'static {
    /// The format whose records it takes.
    type Format: Format;
    /// What a caller can choose; the default changes nothing that the file says.
    type Options: Default + Clone;
    /// What only this format knows of a recording.
    type Details: fmt::Debug;

    /// For the records of a file with this header.
    fn new(header: &HeaderOf<Self>, options: Self::Options) -> Self;

    /// Is called once before the records are counted, with the header: for findings about it. The default has none.
    fn begin(&mut self, header: &HeaderOf<Self>, notes: &mut Notes) {
        let _ = (header, notes);
    }

    /// Takes in the next record.
    ///
    /// Fails when it cannot be decoded, or when `out` fails; what was decoded before has been delivered.
    fn push(&mut self, record: &RecordOf<'_, Self>, out: &mut Out<'_>) -> Result<()>;

    /// Whether the record can be left out where only some channels are wanted: see [`Sampling::is_unwanted`]. The default
    /// leaves out none.
    fn is_unwanted(&mut self, record: &RecordOf<'_, Self>, wants: &dyn Fn(&str) -> bool) -> bool {
        let _ = (record, wants);
        false
    }

    /// Notes damage between the records that are counted, and may say more about it than the error does.
    fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut Notes) {
        notes.damage(error, lost);
    }

    /// Delivers what was waiting for a record that does not come. The default has nothing that waits.
    fn finish(&mut self, out: &mut Out<'_>) -> Result<()> {
        let _ = out;
        Ok(())
    }

    /// Where the records lie that another decoder must be shown to go on with `next`, the next record, as this one does, in file
    /// order. It was shown where each lies: see [`Out::range`]. The default is `None`: it must be shown all.
    fn carry(&self, next: &RecordOf<'_, Self>) -> Option<Vec<Range<u64>>> {
        let _ = next;
        None
    }

    /// How times are in order, as far as the first records show it. The default is `None`: there may be anything anywhere.
    fn order(&self) -> Option<ReorderBound> {
        None
    }

    /// The earliest and the latest time in a record. The default is [its own](crate::Timed::span).
    fn span(&self, record: &RecordOf<'_, Self>) -> Option<(Timestamp, Timestamp)> {
        record.span()
    }

    /// Whether the earliest time in the first records is that of the recording. Not where samples of later records may be
    /// earlier. The default is true.
    fn knows_start(&self) -> bool {
        true
    }

    /// The version and dialect, and what only this format knows, when all records were counted.
    fn details(self, notes: &mut Notes) -> (String, Self::Details);
}

/// What is wanted of a record, and where it goes.
pub struct Out<'o>(Want<'o>);

enum Want<'o> {
    Values {
        sink: &'o mut dyn FnMut(&mut Sample) -> Result<()>,
        /// Whether the time of the record is one that is wanted.
        is_wanted: bool,
    },
    Counts(&'o mut Notes),
    /// Where the record lies.
    State(Range<u64>),
}

impl Out<'_> {
    /// Whether the values of samples are wanted. Where they are not, decoding them is for nothing.
    #[inline]
    pub fn wants_values(&self) -> bool {
        matches!(self.0, Want::Values { .. })
    }

    /// Whether the samples of the record's time may be left out: see [`Sampling::push_unwanted`].
    #[inline]
    pub fn skips_values(&self) -> bool {
        !matches!(self.0, Want::Values { is_wanted: true, .. })
    }

    /// Delivers a sample, which may be taken; where counts are wanted, it is counted.
    ///
    /// Fails when who takes it does.
    #[inline]
    pub fn sample(&mut self, sample: &mut Sample) -> Result<()> {
        match &mut self.0 {
            Want::Values { sink, .. } => return sink(sample),
            Want::Counts(notes) => notes.sample(sample),
            Want::State(_) => {}
        }
        Ok(())
    }

    /// Lends `buffer` as the value of a sample: see [`Sample::lend`].
    pub fn lend<T: Lend>(&mut self, sample: &mut Sample, buffer: &mut T) -> Result<()> {
        sample.lend(buffer, &mut |sample| self.sample(sample))
    }

    /// Fails with what is wrong with the record. Where counts are wanted, that is a finding instead, and counting goes on.
    pub fn fault(&mut self, code: &'static str, error: Error) -> Result<()> {
        let Some(notes) = self.notes() else { return Err(error) };
        notes.find(Severity::Error, code, error.offset(), error);
        Ok(())
    }

    /// Where counts and findings go, when they are wanted.
    #[inline]
    pub fn notes(&mut self) -> Option<&mut Notes> {
        if let Want::Counts(notes) = &mut self.0 { Some(notes) } else { None }
    }

    /// Where the record lies, when nothing but the state is wanted: for a decoder that notes which records another one must be
    /// shown. See [`Decoder::carry`].
    #[inline]
    pub fn range(&self) -> Option<Range<u64>> {
        if let Want::State(range) = &self.0 { Some(range.clone()) } else { None }
    }
}

impl fmt::Debug for Out<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Want::Values { .. } => "Values",
            Want::Counts(_) => "Counts",
            Want::State(_) => "State",
        })
    }
}

/// Runs a decoder for a sink with errors of its own, which come back unchanged.
fn deliver<E: From<Error>>(
    sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    is_wanted: bool,
    run: impl FnOnce(&mut Out<'_>) -> Result<()>,
) -> Result<(), E> {
    let mut failure = None;
    let mut each = |sample: &mut Sample| {
        sink(sample).map_err(|error| {
            failure = Some(error);
            Error::io(io::ErrorKind::Interrupted.into(), sample.offset)
        })
    };
    let outcome = run(&mut Out(Want::Values { sink: &mut each, is_wanted }));
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

    fn new(header: &HeaderOf<D>, notes: &mut Notes) -> Self {
        let mut decoder = <D as Decoder>::new(header, D::Options::default());
        decoder.begin(header, notes);
        Self(decoder)
    }

    fn push(&mut self, record: &RecordOf<'_, D>, notes: &mut Notes) {
        if let Err(error) = Decoder::push(&mut self.0, record, &mut Out(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
    }

    fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut Notes) {
        self.0.damage(error, lost, notes);
    }

    fn finish(mut self, notes: &mut Notes) -> (String, D::Details) {
        if let Err(error) = Decoder::finish(&mut self.0, &mut Out(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
        self.0.details(notes)
    }
}

/// A decoder that finds out where reading can begin.
struct Resuming<D>(D);

impl<D: Decoder> Resuming<D> {
    fn take(&mut self, record: &RecordOf<'_, D>, range: Range<u64>) {
        // What is wrong with it is reported where its samples are made.
        drop(Decoder::push(&mut self.0, record, &mut Out(Want::State(range))));
    }
}

impl<F: Decoded> Splitting<F> for Resuming<F::Decoder> {
    fn carry(&mut self, next: &F::Record<'_>) -> Option<Vec<Range<u64>>> {
        self.0.carry(next)
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
    type Rewriter<W: Write + Seek> = F::Copier<W>;
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
