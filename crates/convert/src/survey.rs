//! A survey of a recording, whatever its format.

use robolog_core::{StreamReader, Summary, survey_with};
use serde_json::Value as Json;

#[cfg(feature = "from-pcap")]
use crate::pcap;
use crate::{Error, Input, Result, Source, Visit, source::Stream};

/// A summary, with what only the format knows as JSON.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Surveyed {
    /// The name of the format.
    pub format: &'static str,
    /// Size of the input in bytes; of a stream, what was read of it.
    pub bytes: u64,
    /// Counts, times and findings.
    pub summary: Summary<Json>,
}

/// Surveys a recording, a data set or a capture: counts what it holds and finds what is wrong with it. `format` names the
/// format where it is not to be found from the bytes. `progress` gets the position in the input.
///
/// Damage is a finding. Fails when the input cannot be read or its format is not known.
pub fn survey(input: Input, format: Option<&str>, progress: &mut dyn FnMut(u64)) -> Result<Surveyed> {
    let len = input.len();
    #[cfg(feature = "from-pcap")]
    if pcap::detect(input.start()) && format.is_none_or(|name| name == "pcap") {
        let summary = pcap::survey(input.into_stream())?;
        let details = to_json(&summary.details)?;
        let bytes = len.unwrap_or_default();
        return Ok(Surveyed { format: "pcap", bytes, summary: summary.with_details(details) });
    }
    #[cfg(feature = "from-effibox")]
    if let Some(dataset) = input.dataset() {
        let summary = dataset.survey();
        let details = to_json(&summary.details)?;
        return Ok(Surveyed {
            format: "effibox",
            bytes: summary.bytes,
            summary: summary.with_details(details),
        });
    }
    let mut surveyed = input.visit(format, Look { progress })??;
    surveyed.bytes = len.unwrap_or(surveyed.bytes);
    Ok(surveyed)
}

struct Look<'a> {
    progress: &'a mut dyn FnMut(u64),
}

impl Visit for Look<'_> {
    type Output = Result<Surveyed>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<Surveyed> {
        let summary = survey_with::<F::Survey>(&mut reader, self.progress)?;
        let details = to_json(&summary.details)?;
        Ok(Surveyed { format: F::NAME, bytes: summary.bytes, summary: summary.with_details(details) })
    }
}

fn to_json(details: &impl serde::Serialize) -> Result<Json> {
    serde_json::to_value(details).map_err(|e| Error::Write(e.into()))
}
