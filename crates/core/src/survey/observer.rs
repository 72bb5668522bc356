//! Surveys that show what they count.

use std::{fmt, io, ops::ControlFlow};

use super::{Summary, survey_by};
use crate::{
    Result, Sample, StreamReader, Timestamp,
    format::{Decoder as _, DetailsOf, OptionsOf, Recording},
};

/// Sees what a survey counts, in order: events are found and channels surveyed in one pass.
pub trait Observer: fmt::Debug {
    /// Sees a sample that was made to be counted.
    fn sample(&mut self, sample: &Sample);
    /// Sees the time of a sample that was counted without being made: its channel and kind.
    fn stamp(&mut self, channel: &str, kind: &'static str, time: Timestamp);
}

/// Like [`survey_with`](super::survey_with); `observer` sees each sample that is counted.
pub fn survey_observed<F: Recording>(
    reader: &mut StreamReader<impl io::Read, F>,
    observer: Box<dyn Observer>,
    progress: &mut dyn FnMut(u64),
) -> Result<Summary<DetailsOf<F>>> {
    let decoder = F::Decoder::new(reader.header(), OptionsOf::<F>::default());
    let (summary, _) = survey_by(decoder, reader, Some(observer), &mut |step| {
        progress(step.end);
        ControlFlow::Continue(())
    })?;
    Ok(summary)
}
