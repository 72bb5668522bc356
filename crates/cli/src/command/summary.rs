//! A survey of a recording, whatever its format.

use std::path::Path;

use robolog_convert::{Input, Result, Surveyed};
use robolog_core::{Channel, Finding, Summary, Timestamp};
use serde_json::{Value as Json, json};

use crate::progress::Context;

/// A summary, with what only the format knows as JSON.
pub(crate) struct Info {
    pub(crate) format: &'static str,
    /// Size of the input; what was read of a stream.
    pub(crate) bytes: u64,
    pub(crate) summary: Summary<Json>,
    /// The moment of time stamp 0 in Unix time, where the recording gives it.
    pub(crate) epoch: Option<Timestamp>,
}

/// Surveys an input.
pub(crate) fn survey(input: Input, format: Option<&str>, context: Context) -> Result<Info> {
    let mut progress = context.progress(input.len());
    let Surveyed { format, bytes, summary, epoch, .. } =
        robolog_convert::survey(input, format, &mut |at| progress.set(at))?;
    Ok(Info { format, bytes, summary, epoch })
}

impl Info {
    /// The object that `info --json` prints.
    pub(crate) fn to_json(&self, path: &Path) -> Json {
        let s = &self.summary;
        let ns = |which: fn(&(Timestamp, Timestamp)) -> i64| s.span.as_ref().map(which);
        let duration = s.span.and_then(|(start, end)| end.since(start));
        json!({
            "format": self.format,
            "variant": s.variant,
            "path": path.to_string_lossy(),
            "bytes": self.bytes,
            "records": s.records,
            "complete": s.complete,
            "lost_bytes": s.lost_bytes,
            "clock": s.clock.map_or("unknown", robolog_core::Clock::name),
            "start_ns": ns(|s| s.0.nanos()),
            "end_ns": ns(|s| s.1.nanos()),
            "duration_s": duration.map(|ns| Timestamp::new(ns, robolog_core::Clock::Relative).as_secs()),
            "channels": s.channels.iter().map(|c| channel(c, s.rate_hz(c))).collect::<Vec<_>>(),
            "warnings": s.findings.iter().map(warning).collect::<Vec<_>>(),
            "details": s.details,
        })
    }
}

fn channel(channel: &Channel, rate_hz: Option<f64>) -> Json {
    json!({
        "name": channel.name,
        "kind": channel.kind,
        "records": channel.records,
        "values": channel.values,
        "rate_hz": rate_hz,
        "start_ns": channel.span.map(|s| s.0.nanos()),
        "end_ns": channel.span.map(|s| s.1.nanos()),
    })
}

fn warning(finding: &Finding) -> Json {
    json!({ "offset": finding.offset, "message": finding.message })
}
