//! Shows the samples of a recording to a caller who keeps none.

use std::cell::Cell;

use robolog_core::{Event, Sample, StreamReader, format::Decoder as _};

use super::{recording::note_fault, unwanted::Unwanted};
use crate::{
    ChannelFilter, Error, Input, Limit, Report, Result, Settings, Source, Visit,
    source::{Stream, is_end_mark},
};

/// Shows `each` the samples of a recording, as it has them, on this thread: for callers that do less for a sample than
/// passing it on costs. Records all of whose channels `wanted` rejects may be skipped; samples of other channels are shown
/// nevertheless. `progress` gets the position in the input. A data set has no samples of its own.
///
/// Skips and reports damage.
///
/// ```
/// use robolog_convert::{ChannelFilter, Input, Settings, look};
/// let (input, all) = (Input::open("examples/drive.log")?, ChannelFilter::new(|_| true));
/// let mut samples = 0;
/// let report = look(input, None, &Settings::default(), &all, &mut |_| samples += 1, &mut |_| {})?;
/// assert_eq!((report.records, samples), (61, 62));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn look(
    input: Input,
    format: Option<&str>,
    settings: &Settings,
    wanted: &ChannelFilter,
    each: &mut dyn FnMut(&Sample),
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let limit = Limit::default().with_channels(wanted.clone()).unchecked();
    let unwanted = Unwanted::new(&limit, settings);
    input.with_settings(settings).visit(format, Look { settings, unwanted, each, progress })?
}

struct Look<'a> {
    settings: &'a Settings,
    unwanted: Unwanted,
    each: &'a mut dyn FnMut(&Sample),
    progress: &'a mut dyn FnMut(u64),
}

impl Visit for Look<'_> {
    type Output = Result<Report>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let Self { settings, mut unwanted, each, progress } = self;
        let mut decoder = F::Decoder::new(reader.header(), F::options(settings));
        let mut report = Report::default();
        report.notes.extend(F::note(reader.header(), settings)?);
        let is_begun = Cell::new(false);
        let mut show = |sample: &mut Sample| {
            is_begun.set(is_begun.get() || sample.time.is_some());
            each(sample);
            Ok::<_, Error>(())
        };
        loop {
            let (event, end) = reader.next_event_and_end()?;
            match event {
                Event::Record(record) => {
                    report.records += u64::from(!is_end_mark::<F>(&record));
                    if !unwanted.has(&record, &mut decoder, is_begun.get()) {
                        note_fault::<F>(decoder.samples(&record, &mut show), &mut report)?;
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            progress(end);
        }
        note_fault::<F>(decoder.last_samples(&mut show), &mut report)?;
        for note in F::notes(&decoder).into_iter().filter(|note| !note.is_of_points()) {
            report.note(note);
        }
        Ok(report)
    }
}
