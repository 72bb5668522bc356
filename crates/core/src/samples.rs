//! Iteration over the samples of a recording.

use std::{collections::VecDeque, fmt, io};

use crate::{
    Error, Event, Result, Sample, StreamReader, Summary,
    format::{Decoder as _, DetailsOf, OptionsOf, Recording},
    split::misplaced,
    survey,
};

/// Iterator over the samples of a recording, in file order: see [`StreamReader::samples`].
///
/// Damage is returned as an error in its place, with its byte offset; the samples after it follow. After an error of a
/// stream that [stalls](Error::is_stall), the stream is asked again; any other stream error ends the iteration. Holds
/// the samples of one record at a time.
pub struct Samples<R, F: Recording> {
    reader: StreamReader<R, F>,
    /// `None` after the last record.
    decoder: Option<F::Decoder>,
    ready: VecDeque<Result<Sample>>,
    /// End of the part to read, if not the end of the recording.
    until: Option<u64>,
}

impl<R: io::Read, F: Recording> StreamReader<R, F> {
    /// The samples of the recording, each with its time, channel and frame.
    pub fn samples(self) -> Samples<R, F> {
        self.samples_with(OptionsOf::<F>::default())
    }

    /// Like [`samples`](Self::samples), with options.
    pub fn samples_with(mut self, options: OptionsOf<F>) -> Samples<R, F> {
        F::apply_options(self.header_mut(), &options);
        let decoder = Some(F::Decoder::new(self.header(), options));
        Samples { reader: self, decoder, ready: VecDeque::new(), until: None }
    }

    /// Reads to the end, past any damage, and reports the recording's contents and faults.
    ///
    /// Memory does not grow with the recording. Returns only stream errors.
    pub fn survey(&mut self) -> Result<Summary<DetailsOf<F>>> {
        survey(self)
    }
}

impl<R, F: Recording> Samples<R, F> {
    /// The samples up to the end of the record that ends at `until`, by a decoder that has processed everything before.
    pub(crate) fn within(reader: StreamReader<R, F>, decoder: F::Decoder, until: Option<u64>) -> Self {
        Self { reader, decoder: Some(decoder), ready: VecDeque::new(), until }
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
            let decoder = self.decoder.as_mut()?;
            if let Some(until) = self.until.filter(|until| self.reader.is_at(*until)) {
                self.decoder = None;
                let position = self.reader.position();
                return (position > until).then(|| Err(misplaced(position, until).within(F::NAME)));
            }
            let ready = &mut self.ready;
            let mut take = |sample: &mut Sample| {
                ready.push_back(Ok(sample.take()));
                Ok::<(), Error>(())
            };
            let outcome = match self.reader.next_event() {
                Ok(Event::Record(record)) => decoder.samples(&record, &mut take),
                Ok(Event::Damage { error, .. }) => Err(error),
                Ok(Event::End) => {
                    let outcome = decoder.last_samples(&mut take);
                    self.decoder = None;
                    outcome
                }
                Err(error) => {
                    if !error.is_stall() {
                        self.decoder = None;
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
