//! The interface of the page and the npm package: one request about one recording, answered as text, bytes or columns.
//!
//! Nothing here needs a file system, a clock or threads. The caller reads the recording in ranges and receives output
//! in pieces.

#[cfg(target_arch = "wasm32")]
mod border;
mod columns;
mod convert;
mod copy;

use std::{collections::BTreeMap, fmt, io, path::Path, sync::Arc};

use robolog_convert::{
    Count, Damage, Input, ReadSeek, Reopen, Report, Result, journey::survey_with_journey,
    robolog_core::Limits, sink::WriteSeek,
};
use robolog_events::events;
use robolog_report::{Options, Spooled, report};
use serde::{Deserialize, Serialize};

pub use self::{
    columns::{Column, Samples, columns, head},
    convert::Writing,
    copy::{Change, Part},
};

/// The operation of a request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verb {
    /// The object that `robolog info --json` prints.
    Info,
    /// The object that `robolog check --json` prints.
    Check,
    /// What `robolog events --json` prints, as a list.
    Events,
    /// The page that `robolog report` writes.
    Report,
    /// The file that `robolog convert` writes.
    Convert(Writing),
    /// The file that `robolog cut` writes.
    Cut(Part),
    /// The file that `robolog recover` writes.
    Recover,
    /// The file that `robolog edit` writes.
    Edit(Change),
}

/// A request about a recording.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The operation.
    pub verb: Verb,
    /// Name of the file, without folders. Tables of bare numbers are only recognised by it.
    pub name: String,
    /// Name of the format; `None` detects it from the bytes.
    #[serde(default)]
    pub format: Option<String>,
}

/// Output of a file, with random access.
pub type Out = Box<dyn WriteSeek + Send>;

/// A recording that can be opened repeatedly.
#[derive(Clone)]
pub struct Recording {
    name: Arc<str>,
    format: Option<Arc<str>>,
    len: u64,
    open: Reopen,
}

impl Recording {
    /// A recording of `len` bytes with the name of `request`; `open` returns a new reader on each call.
    pub fn new<S: ReadSeek + 'static>(
        request: &Request,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
    ) -> Self {
        let format = request.format.as_deref().map(Arc::from);
        Self { name: (*request.name).into(), format, len, open: Arc::new(move || Ok(Box::new(open()?))) }
    }

    fn input(&self) -> Result<Input> {
        let open = Arc::clone(&self.open);
        Input::reopening_with(&*self.name, self.len, move || open(), Limits::default())
    }

    fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}

/// Answers a request with a JSON object or a page. Output files go to the writer from `out`, and the answer describes
/// them. `progress` gets the position in the recording; a page, and a part counted from the end, take two passes.
///
/// Damage is part of the answer. Returns an error if the recording cannot be read, its format is unknown, or nothing
/// was written.
///
/// ```
/// use robolog_web::{Recording, Request, Verb, answer};
/// let file = std::fs::read("../../testdata/lvx/room.lvx")?;
/// let request = Request { verb: Verb::Info, name: "room.lvx".into(), format: None };
/// let len = file.len() as u64;
/// let room = Recording::new(&request, len, move || Ok(std::io::Cursor::new(file.clone())));
/// let info = answer(&request.verb, &room, || Box::new(std::io::Cursor::new(Vec::new())), &mut |_| {})?;
/// assert!(info.starts_with(r#"{"format":"lvx""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(
    verb: &Verb,
    recording: &Recording,
    out: impl FnOnce() -> Out,
    progress: &mut dyn FnMut(u64),
) -> Result<String> {
    match verb {
        Verb::Info | Verb::Check => {
            let open = || recording.input();
            let surveyed = survey_with_journey(&open, recording.format(), false, progress)?;
            let name = Path::new(&*recording.name);
            let json =
                if *verb == Verb::Check { surveyed.findings_to_json(name) } else { surveyed.to_json(name) };
            Ok(json.to_string())
        }
        Verb::Events => {
            let mut options = robolog_events::Options::default();
            options.format = recording.format().map(str::to_owned);
            let found = events(&[|| recording.input()], &options, progress)?;
            let list: Vec<_> = found.events.iter().map(|event| event.to_json(found.start)).collect();
            Ok(serde_json::Value::Array(list).to_string())
        }
        Verb::Report => {
            let mut options = Options::default();
            options.format = recording.format().map(str::to_owned);
            let open = Arc::clone(&recording.open);
            let spooled = Spooled::reopening(&*recording.name, recording.len, move || open());
            Ok(report(&spooled, &options, progress)?.html)
        }
        Verb::Convert(writing) => convert::convert(writing, recording, out(), progress),
        Verb::Cut(part) => copy::cut(part, recording, out(), progress),
        Verb::Recover => copy::recover(recording, out(), progress),
        Verb::Edit(change) => copy::edit(change, recording, out(), progress),
    }
}

/// The result of writing a file.
#[derive(Debug, Default, Serialize)]
struct Written {
    /// Usual extension of the file.
    extension: String,
    /// Whether the file contains everything that was asked for.
    complete: bool,
    /// Samples and values in the file, by kind; for a copy, records under `record`.
    #[serde(rename = "written")]
    held: serde_json::Map<String, serde_json::Value>,
    /// The same for samples the target cannot hold.
    left_out: serde_json::Map<String, serde_json::Value>,
    /// The first faults of the recording.
    damage: Vec<Fault>,
    /// Number of faults.
    damages: u64,
    lost_bytes: u64,
    /// Notes for the user.
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Fault {
    offset: u64,
    message: String,
}

impl Written {
    fn of(report: &Report, extension: &str) -> Self {
        let counts = |counts: &BTreeMap<&'static str, Count>| {
            let json = |n: &Count| serde_json::json!({"samples": n.samples, "values": n.values});
            counts.iter().map(|(kind, n)| ((*kind).to_owned(), json(n))).collect()
        };
        let fault =
            |damage: &Damage| Fault { offset: damage.error.offset(), message: damage.error.to_string() };
        Self {
            extension: extension.to_owned(),
            complete: report.is_complete(),
            held: counts(&report.written),
            left_out: counts(&report.left_out),
            damage: report.damage.iter().map(fault).collect(),
            damages: report.damages,
            lost_bytes: report.lost_bytes,
            notes: report.notes.iter().map(ToString::to_string).collect(),
        }
    }

    fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| robolog_convert::Error::Write(error.into()))
    }
}

#[cfg(test)]
mod tests;
