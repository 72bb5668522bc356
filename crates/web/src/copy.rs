//! `cut`, `recover` and `edit`: copies of records, byte for byte.

use std::{collections::HashMap, io::BufWriter, sync::Arc};

use robolog_convert::{
    Bound, Copied, Error, Limit, Result, Rewrite, rewrite,
    robolog_core::{Edit, format::Verdict},
    survey,
    target::OutputFile,
};
use serde::Deserialize;

use crate::{Out, Recording, Written};

/// Time range to copy, with the syntax of `--start` and `--end`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Start time.
    #[serde(default)]
    pub start: Option<String>,
    /// End time, exclusive.
    #[serde(default)]
    pub end: Option<String>,
}

/// Changes to make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Nanoseconds added to each time.
    #[serde(default)]
    pub shift_ns: i64,
    /// New names of channels, by their old ones.
    #[serde(default)]
    pub rename: HashMap<String, String>,
    /// Channels to drop.
    #[serde(default)]
    pub drop: Vec<String>,
}

/// The limit for a time range.
pub(crate) fn limit(start: Option<&str>, end: Option<&str>) -> Result<Limit> {
    let bound = |text: Option<&str>| {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let parse =
            |text: &str| text.parse::<Bound>().map_err(|why| Error::Target(format!("{text}: {why}").into()));
        text.map(parse).transpose()
    };
    Ok(Limit::new(bound(start)?, bound(end)?, None))
}

pub(crate) fn cut(
    part: &Part,
    recording: &Recording,
    out: Out,
    progress: &mut dyn FnMut(u64),
) -> Result<String> {
    let mut limit = limit(part.start.as_deref(), part.end.as_deref())?;
    if limit.is_relative() {
        let surveyed = survey(recording.input()?, recording.format(), progress)?;
        if let Some((start, end)) = surveyed.summary.span {
            limit.begin_at(start);
            limit.end_at(end);
        }
    }
    let is_limited = !limit.is_unlimited();
    let copied = copied(recording, out, &mut limit, None, progress)?;
    if copied.parts == 0 && copied.report.records > 0 && is_limited {
        return match copied.report.span {
            Some((start, end)) if copied.report.unjudged == 0 => Err(Error::OutsideRange { start, end }),
            _ => Err(Error::Empty("nothing in the recording is within the limits".into())),
        };
    }
    said(recording, &copied)
}

pub(crate) fn recover(recording: &Recording, out: Out, progress: &mut dyn FnMut(u64)) -> Result<String> {
    let copied = copied(recording, out, &mut Limit::default(), None, progress)?;
    if copied.parts == 0 && copied.report.damages > 0 {
        return Err(Error::Empty("no record of the recording can be read".into()));
    }
    said(recording, &copied)
}

pub(crate) fn edit(
    change: &Change,
    recording: &Recording,
    out: Out,
    progress: &mut dyn FnMut(u64),
) -> Result<String> {
    let mut edit = Edit { shift: change.shift_ns, renames: !change.rename.is_empty(), ..Edit::default() };
    if edit.renames || !change.drop.is_empty() {
        let Change { rename, drop, .. } = change.clone();
        edit.names = Some(Box::new(move |channel| {
            if drop.iter().any(|name| name == channel) {
                return Verdict::Dropped;
            }
            rename.get(channel).map_or(Verdict::Same, |name| Verdict::Renamed(Arc::from(&**name)))
        }));
    }
    let copied = copied(recording, out, &mut Limit::default(), Some(&edit), progress)?;
    if copied.parts == 0 && copied.report.records > 0 {
        return Err(Error::Empty("nothing is left of the recording".into()));
    }
    said(recording, &copied)
}

fn copied(
    recording: &Recording,
    out: Out,
    limit: &mut Limit,
    edit: Option<&Edit>,
    progress: &mut dyn FnMut(u64),
) -> Result<Copied> {
    let out = BufWriter::with_capacity(1 << 20, OutputFile::of(out, &*recording.name));
    let progress = &mut |at| {
        progress(at);
        Ok(())
    };
    rewrite(recording.input()?, recording.format(), Rewrite { out, limit, frames: None, edit, progress })
}

/// The result of a copy, which has the extension of the recording.
fn said(recording: &Recording, copied: &Copied) -> Result<String> {
    let extension = recording.name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut written = Written::of(&copied.report, extension);
    let records = serde_json::json!({"samples": copied.parts, "values": copied.changed});
    written.held.insert("record".to_owned(), records);
    written.to_json()
}
