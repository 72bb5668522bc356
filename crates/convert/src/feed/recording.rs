//! Reads a recording record by record.

use robolog_core::{
    Event, Sample, StreamReader,
    format::{Decoder as _, Timed as _},
};

use super::{Reach, Reading, Steps, unwanted::Unwanted};
use crate::{
    Error, Report, Result, Source,
    batch::{Batch, Take},
    source::{Stream, is_closed, is_end_mark},
};

/// Reads a recording record by record.
pub(super) struct Recording<F: Source> {
    pub(super) reader: StreamReader<Stream, F>,
    pub(super) decoder: F::Decoder,
    reading: Reading,
    is_begun: bool,
    pub(super) reach: Reach,
    /// Whether the last time was outside the limits.
    is_outside: bool,
    unwanted: Unwanted,
}

impl<F: Source> Recording<F> {
    pub(super) fn new(reader: StreamReader<Stream, F>, reading: Reading) -> Self {
        let decoder = F::Decoder::new(reader.header(), F::options(&reading.settings));
        let unwanted = Unwanted::new(&reading.limit, &reading.settings);
        Self {
            reader,
            decoder,
            reading,
            is_begun: false,
            reach: Reach::default(),
            is_outside: false,
            unwanted,
        }
    }
}

impl<F: Source> Steps for Recording<F> {
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool> {
        let Self { reader, decoder, reading, is_begun, reach, is_outside, unwanted } = self;
        if !*is_begun {
            *is_begun = true;
            reading.begin(F::NAME, F::variant(reader.header()), reader.header_bytes(), batch);
        }
        if reading.limit.is_full() {
            return Ok(false);
        }
        let has_more = reach.advance(reader)?;
        reading.is_partial = reach.is_partial();
        if !has_more {
            reading.check_end::<F>(reader.position())?;
            return Ok(false);
        }
        let mut is_end = false;
        match reader.next_event()? {
            Event::Record(record) => {
                reading.report.records += u64::from(!is_end_mark::<F>(&record));
                if reading.leaves_out
                    && let Some(time) = record.time()
                {
                    *is_outside = reading.is_outside(time);
                }
                let is_unwanted = unwanted.has(&record, decoder, reading.limit.start().is_some());
                let mut put = |sample: &mut Sample| reading.put(sample, batch, take);
                let taken = if is_unwanted {
                    Ok(())
                } else if *is_outside {
                    decoder.samples_unwanted::<Error>(&record, &mut put)
                } else {
                    decoder.samples::<Error>(&record, &mut put)
                };
                note_fault::<F>(taken, &mut reading.report)?;
            }
            Event::Damage { error, lost } => reading.report.damage(error, lost),
            Event::End => {
                let taken = decoder.last_samples::<Error>(&mut |sample| reading.put(sample, batch, take));
                note_fault::<F>(taken, &mut reading.report)?;
                is_end = true;
            }
        }
        let position = reader.position();
        if is_end {
            reading.check_end::<F>(position)?;
            return Ok(false);
        }
        batch.position = position;
        Ok(true)
    }

    fn end(mut self: Box<Self>) -> Report {
        for note in F::notes(&self.decoder) {
            self.reading.report.note(note);
        }
        self.reading.end()
    }
}

/// Adds a fault of the recording to its report; returns any other error.
pub(super) fn note_fault<F: Source>(outcome: Result<()>, report: &mut Report) -> Result<()> {
    match outcome {
        // The record is undamaged, but nobody can decode it; `check` warns of it too.
        Err(Error::Recording(error)) if is_closed::<F>(&error) => report.undecodable(&error),
        Err(Error::Recording(error)) => report.damage(error, 0..0),
        outcome => outcome?,
    }
    Ok(())
}
