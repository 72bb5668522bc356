//! One state machine a format: its samples, its counts, and what a reader in the middle must be shown come out of it.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Seek, Write},
    ops::Range,
};

use crate::{
    Error, Format, Lend, Notes, Recording, ReorderBound, Result, Rewriting, Sample, Sampling, Seeking,
    Splitting, Surveying, extend_ranges,
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

    /// What stands before the records: findings about the header. The default has none.
    fn begin(&mut self, out: &mut Out<'_>) {
        let _ = out;
    }

    /// Takes in the next record.
    ///
    /// Fails when it cannot be decoded, or when `out` fails; what was decoded before has been delivered.
    fn push(&mut self, record: &RecordOf<'_, Self>, out: &mut Out<'_>) -> Result<()>;

    /// Delivers what was waiting for a record that does not come. The default has nothing that waits.
    fn finish(&mut self, out: &mut Out<'_>) -> Result<()> {
        let _ = out;
        Ok(())
    }

    /// Where reading can begin, by the records so far. The default is the start alone.
    fn resume(&self) -> Resume {
        Resume::FromStart
    }

    /// The version and dialect, and what only this format knows, when all records were counted.
    fn details(self, notes: &mut Notes) -> (String, Self::Details);
}

/// Where the reading of a recording can begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resume {
    /// At the start: what a record means depends on all before it.
    FromStart,
    /// At any record, by a decoder that was shown the records that were [marked](Out::mark).
    Anywhere {
        /// How times are in order. `None` where the records so far do not show it, or lack one that will be marked.
        order: Option<ReorderBound>,
    },
}

/// What is wanted of a record, and where it goes.
pub struct Out<'o>(Want<'o>);

enum Want<'o> {
    Values(&'o mut dyn FnMut(&mut Sample) -> Result<()>),
    Counts(&'o mut Notes),
    State(&'o mut Marks),
}

impl Out<'_> {
    /// Whether the values of samples are wanted. Where they are not, decoding them is for nothing.
    #[inline]
    pub fn wants_values(&self) -> bool {
        matches!(self.0, Want::Values(_))
    }

    /// Delivers a sample, which may be taken; where counts are wanted, it is counted.
    ///
    /// Fails when who takes it does.
    pub fn sample(&mut self, sample: &mut Sample) -> Result<()> {
        match &mut self.0 {
            Want::Values(sink) => sink(sample),
            Want::Counts(notes) => {
                notes.sample(sample);
                Ok(())
            }
            Want::State(_) => Ok(()),
        }
    }

    /// Lends `buffer` as the value of a sample: see [`Sample::lend`].
    pub fn lend<T: Lend>(&mut self, sample: &mut Sample, buffer: &mut T) -> Result<()> {
        sample.lend(buffer, &mut |sample| self.sample(sample))
    }

    /// Where counts and findings go, when they are wanted.
    #[inline]
    pub fn notes(&mut self) -> Option<&mut Notes> {
        if let Want::Counts(notes) = &mut self.0 { Some(notes) } else { None }
    }

    /// Says that a decoder which begins after this record must be shown it. Of the records with one `key` the last counts.
    pub fn mark(&mut self, key: usize) {
        if let Want::State(marks) = &mut self.0 {
            let Marks { range, kept } = &mut **marks;
            kept.insert(key, range.clone());
        }
    }
}

impl fmt::Debug for Out<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Want::Values(_) => "Values",
            Want::Counts(_) => "Counts",
            Want::State(_) => "State",
        })
    }
}

/// The records that a decoder marked, by key.
#[derive(Debug, Default)]
struct Marks {
    /// Where the record at hand lies.
    range: Range<u64>,
    kept: BTreeMap<usize, Range<u64>>,
}

/// Runs a decoder for a sink with errors of its own, which come back unchanged.
fn deliver<E: From<Error>>(
    sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    run: impl FnOnce(&mut Out<'_>) -> Result<()>,
) -> Result<(), E> {
    let mut failure = None;
    let mut each = |sample: &mut Sample| {
        sink(sample).map_err(|error| {
            failure = Some(error);
            Error::io(io::ErrorKind::Interrupted.into(), sample.offset)
        })
    };
    let outcome = run(&mut Out(Want::Values(&mut each)));
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
        deliver(sink, |out| Decoder::push(self, record, out))
    }

    fn pass(&mut self, record: &RecordOf<'_, D>) -> Result<()> {
        Decoder::push(self, record, &mut Out(Want::State(&mut Marks::default())))
    }

    fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        deliver(sink, |out| Decoder::finish(self, out))
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
        decoder.begin(&mut Out(Want::Counts(notes)));
        Self(decoder)
    }

    fn push(&mut self, record: &RecordOf<'_, D>, notes: &mut Notes) {
        if let Err(error) = Decoder::push(&mut self.0, record, &mut Out(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
    }

    fn finish(mut self, notes: &mut Notes) -> (String, D::Details) {
        if let Err(error) = Decoder::finish(&mut self.0, &mut Out(Want::Counts(notes))) {
            notes.damage(&error, 0..0);
        }
        self.0.details(notes)
    }
}

/// A decoder that finds out where reading can begin.
struct Resuming<D> {
    decoder: D,
    marks: Marks,
}

impl<D: Decoder> Resuming<D> {
    fn new(header: &HeaderOf<D>, options: &D::Options) -> Self {
        Self { decoder: <D as Decoder>::new(header, options.clone()), marks: Marks::default() }
    }

    fn take(&mut self, record: &RecordOf<'_, D>, range: Range<u64>) {
        self.marks.range = range;
        // What is wrong with it is reported where its samples are made.
        drop(Decoder::push(&mut self.decoder, record, &mut Out(Want::State(&mut self.marks))));
    }
}

impl<F: Decoded> Splitting<F> for Resuming<F::Decoder> {
    fn carry(&mut self, _: &F::Record<'_>) -> Option<Vec<Range<u64>>> {
        let mut carry = Vec::new();
        extend_ranges(&mut carry, self.marks.kept.values());
        (self.decoder.resume() != Resume::FromStart).then_some(carry)
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
        match self.decoder.resume() {
            Resume::FromStart => None,
            Resume::Anywhere { order } => order,
        }
    }
}

impl<F: Decoded> Recording for F {
    type Survey = Counting<F::Decoder>;
    type Sampler = F::Decoder;
    type Rewriter<W: Write + Seek> = F::Copier<W>;
    const EXTENSIONS: &'static [&'static str] = <F as Decoded>::EXTENSIONS;

    fn splitting(
        header: &F::Header,
        options: &<F::Decoder as Decoder>::Options,
    ) -> Box<dyn Splitting<F> + Send> {
        Box::new(Resuming::<F::Decoder>::new(header, options))
    }

    fn seeking(
        header: &F::Header,
        options: &<F::Decoder as Decoder>::Options,
    ) -> Option<Box<dyn Seeking<F> + Send>> {
        Some(Box::new(Resuming::<F::Decoder>::new(header, options)))
    }
}
