//! Survey as the object that `info --json` prints.

use std::path::Path;

use robolog_core::{Channel, Clock, Finding, Timestamp, columns::Column};
use serde_json::{Value as Json, json};

use super::Surveyed;

impl Surveyed {
    /// The survey as one JSON object; `path` is the caller's name of the input.
    pub fn to_json(&self, path: &Path) -> Json {
        let s = &self.summary;
        let ns = |which: fn(&(Timestamp, Timestamp)) -> i64| s.span.as_ref().map(which);
        let duration = s.span.and_then(|(start, end)| end.since(start));
        let mut all = json!({
            "format": self.format,
            "variant": s.variant,
            "path": path.to_string_lossy(),
            "bytes": self.bytes,
            "records": s.records,
            "complete": s.complete,
            "lost_bytes": s.lost_bytes,
            "clock": s.clock.map_or("unknown", Clock::name),
            "start_ns": ns(|s| s.0.nanos()),
            "end_ns": ns(|s| s.1.nanos()),
            "duration_s": duration.map(|ns| Timestamp::new(ns, Clock::Relative).as_secs()),
            "channels": s.channels.iter().map(|c| channel(c, s.rate_hz(c))).collect::<Vec<_>>(),
            "tables": s.tables().iter().map(|channels| table(channels)).collect::<Vec<_>>(),
            "warnings": s.findings.iter().map(warning).collect::<Vec<_>>(),
            "details": s.details,
        });
        if let (Some(journey), Some(object)) = (&self.journey, all.as_object_mut()) {
            object.insert("track".to_owned(), json!(journey));
        }
        all
    }

    /// The findings as the object that `check --json` prints; `path` is the caller's name of the input.
    pub fn findings_to_json(&self, path: &Path) -> Json {
        json!({
            "format": self.format,
            "path": path.to_string_lossy(),
            "ok": self.is_sound(),
            "findings": self.summary.findings,
            "lost_packets": lost_packets(&self.summary.details),
        })
    }
}

/// The packets of each sensor that never arrived.
fn lost_packets(details: &Json) -> Vec<Json> {
    let sensors = details.get("sensors").and_then(Json::as_array).into_iter().flatten();
    let lost = sensors.filter_map(|sensor| {
        let lost = sensor.get("lost")?.as_object()?;
        let of = |key: &str| lost.get(key);
        Some(json!({
            "sensor": sensor.get("name"),
            "packets": of("packets"),
            "sent": of("sent"),
            "first_ns": of("first_ns"),
            "gaps": of("gaps"),
        }))
    });
    lost.collect()
}

fn channel(channel: &Channel, rate_hz: Option<f64>) -> Json {
    let mut json = json!({
        "name": channel.name,
        "kind": channel.kind,
        "records": channel.records,
        "values": channel.values,
        "rate_hz": rate_hz,
        "start_ns": channel.span.map(|s| s.0.nanos()),
        "end_ns": channel.span.map(|s| s.1.nanos()),
    });
    if let (false, Some(object)) = (channel.attributes.is_empty(), json.as_object_mut()) {
        object.insert("attributes".to_owned(), json!(channel.attributes));
    }
    json
}

/// Columns of rows, and the channels that have them.
fn table(channels: &[&Channel]) -> Json {
    let column =
        |column: &Column| json!({ "name": column.name, "type": column.kind.name(), "unit": column.unit });
    let columns = channels.first().into_iter().flat_map(|channel| channel.columns.iter().map(column));
    json!({
        "channels": channels.iter().map(|channel| &channel.name).collect::<Vec<_>>(),
        "columns": columns.collect::<Vec<_>>(),
    })
}

fn warning(finding: &Finding) -> Json {
    json!({ "offset": finding.offset, "message": finding.message })
}
