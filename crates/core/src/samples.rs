//! A recording's samples one after another: the loop that drives a sampler, typed once.

use std::{collections::VecDeque, fmt, io};

use crate::{
    Error, Event, Recording, Result, Sample, Sampling, StreamReader, Summary, Surveying, split::misplaced,
    survey,
};

/// What can be chosen for the samples of a format, and for how its files are read.
pub type OptionsOf<F> = <<F as Recording>::Sampler as Sampling>::Options;
/// What only the format can say of a recording: see [`Summary::details`].
pub type DetailsOf<F> = <<F as Recording>::Survey as Surveying>::Details;

/// Iterator over the samples of a recording, in file order: see [`StreamReader::samples`].
///
/// Damage is an error in its place, with its byte offset; the samples behind it follow. So they do behind an error of a
/// stream that [stalls](Error::is_stall), which is asked again; after another error of the stream itself there is nothing
/// more. The samples of one record are in memory at a time.
pub struct Samples<R, F: Recording> {
    reader: StreamReader<R, F>,
    /// `None` behind the last record.
    sampler: Option<F::Sampler>,
    ready: VecDeque<Result<Sample>>,
    /// Where the part that is read ends, where that is not the end of the recording.
    until: Option<u64>,
}

impl<R: io::Read, F: Recording> StreamReader<R, F> {
    /// The samples of the recording, each with its time, channel and frame.
    pub fn samples(self) -> Samples<R, F> {
        self.samples_with(OptionsOf::<F>::default())
    }

    /// The same with options.
    pub fn samples_with(mut self, options: OptionsOf<F>) -> Samples<R, F> {
        F::apply_options(self.header_mut(), &options);
        let sampler = Some(F::Sampler::new(self.header(), options));
        Samples { reader: self, sampler, ready: VecDeque::new(), until: None }
    }

    /// Reads to the end, past any damage: what the recording holds and what is wrong with it.
    ///
    /// Memory does not grow with the recording. Fails only when the stream does.
    pub fn survey(&mut self) -> Result<Summary<DetailsOf<F>>> {
        survey::<F::Survey>(self)
    }
}

impl<R, F: Recording> Samples<R, F> {
    /// Those up to the end of the record that ends at `until`, by a sampler that has seen what is before.
    pub(crate) fn within(reader: StreamReader<R, F>, sampler: F::Sampler, until: Option<u64>) -> Self {
        Self { reader, sampler: Some(sampler), ready: VecDeque::new(), until }
    }

    /// The reader, positioned after the record of the last sample.
    pub fn reader(&self) -> &StreamReader<R, F> {
        &self.reader
    }
}

impl<R: io::Read, F: Recording> Iterator for Samples<R, F> {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            let sampler = self.sampler.as_mut()?;
            if let Some(until) = self.until.filter(|until| self.reader.is_at(*until)) {
                self.sampler = None;
                let position = self.reader.position();
                return (position > until).then(|| Err(misplaced(position, until).within(F::NAME)));
            }
            let ready = &mut self.ready;
            let mut take = |sample: &mut Sample| {
                ready.push_back(Ok(sample.take()));
                Ok::<(), Error>(())
            };
            let outcome = match self.reader.next_event() {
                Ok(Event::Record(record)) => sampler.push(&record, &mut take),
                Ok(Event::Damage { error, .. }) => Err(error),
                Ok(Event::End) => {
                    let outcome = sampler.finish(&mut take);
                    self.sampler = None;
                    outcome
                }
                Err(error) => {
                    if !error.is_stall() {
                        self.sampler = None;
                    }
                    Err(error)
                }
            };
            self.ready.extend(outcome.err().map(Err));
        }
    }
}

impl<R, F: Recording> std::iter::FusedIterator for Samples<R, F> where R: io::Read {}

impl<R, F: Recording> fmt::Debug for Samples<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples")
            .field("format", &F::NAME)
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}
