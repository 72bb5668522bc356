//! Survey of a recording of any format.

mod json;

use robolog_core::{
    StreamReader, Summary,
    format::{Observer, survey_observed, survey_with},
};
use serde_json::Value as Json;

use crate::{Error, Input, Result, Source, Visit, journey::Journey, source::Stream};

/// A summary, with the details of the format as JSON.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Surveyed {
    /// The name of the format.
    pub format: &'static str,
    /// Size of the input in bytes; for a stream, the bytes read.
    pub bytes: u64,
    /// Counts, times and findings.
    pub summary: Summary<Json>,
    /// Distance, climb and speeds of its track, if asked for: see [`survey_with_journey`](crate::journey::survey_with_journey).
    pub journey: Option<Journey>,
}

/// Surveys a recording, a data set or a capture: counts its contents and finds faults. `format` names the format;
/// `None` detects it. `progress` gets the position in the input.
///
/// Damage is a finding. Returns an error if the input cannot be read or its format is unknown.
///
/// ```
/// use robolog_convert::{Input, survey};
/// let surveyed = survey(Input::open("examples/v0_9_15.log")?, None, &mut |_| {})?;
/// assert_eq!((surveyed.format, surveyed.summary.records), ("carla-rec", 77));
/// println!("{}", surveyed.summary.details); // JSON
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn survey(input: Input, format: Option<&str>, progress: &mut dyn FnMut(u64)) -> Result<Surveyed> {
    look(input, format, None, progress)
}

/// Like [`survey`], and shows each counted sample to `observer`, except samples of data sets.
pub fn survey_with_observer(
    input: Input,
    format: Option<&str>,
    observer: Box<dyn Observer>,
    progress: &mut dyn FnMut(u64),
) -> Result<Surveyed> {
    look(input, format, Some(observer), progress)
}

fn look(
    input: Input,
    format: Option<&str>,
    observer: Option<Box<dyn Observer>>,
    progress: &mut dyn FnMut(u64),
) -> Result<Surveyed> {
    let len = input.len();
    #[cfg(feature = "from-effibox")]
    if let Some(dataset) = input.dataset() {
        let summary = dataset.survey();
        let details = to_json(&summary.details)?;
        let bytes = summary.bytes;
        return Ok(Surveyed {
            format: "effibox",
            bytes,
            summary: summary.with_details(details),
            journey: None,
        });
    }
    let mut surveyed = input.visit(format, Look { progress, observer })??;
    surveyed.bytes = len.unwrap_or(surveyed.bytes);
    Ok(surveyed)
}

impl Surveyed {
    /// Whether the recording is sound, and something in it was read: a capture may hold nothing but packets that cannot
    /// be read.
    pub fn is_sound(&self) -> bool {
        self.summary.is_ok() && !self.reads_nothing()
    }

    /// Version and dialect; for CARLA, without the details that decide the dialect.
    pub fn format_for_people(&self) -> String {
        let details = &self.summary.details;
        let release = details.get("release").and_then(Json::as_str);
        match (self.format, details.get("version").and_then(Json::as_u64)) {
            ("carla-rec", Some(version)) => {
                let release = release.map_or_else(String::new, |name| format!(", as of {name}"));
                format!("CARLA recorder {version}{release}")
            }
            _ => self.summary.variant.clone(),
        }
    }

    /// Whether nothing in the recording could be read, although it is not damaged.
    pub fn reads_nothing(&self) -> bool {
        self.summary.is_ok() && self.summary.findings.iter().any(|finding| finding.code == NOTHING_READ)
    }
}

/// The code of the findings that say why nothing was read.
const NOTHING_READ: &str = "nothing-read";

struct Look<'a> {
    progress: &'a mut dyn FnMut(u64),
    observer: Option<Box<dyn Observer>>,
}

impl Visit for Look<'_> {
    type Output = Result<Surveyed>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<Surveyed> {
        let summary = match self.observer {
            Some(observer) => survey_observed(&mut reader, observer, self.progress)?,
            None => survey_with(&mut reader, self.progress)?,
        };
        let (details, bytes) = (to_json(&summary.details)?, summary.bytes);
        Ok(Surveyed { format: F::NAME, bytes, summary: summary.with_details(details), journey: None })
    }
}

fn to_json(details: &impl serde::Serialize) -> Result<Json> {
    serde_json::to_value(details).map_err(|e| Error::Write(e.into()))
}
