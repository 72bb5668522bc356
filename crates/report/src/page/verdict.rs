//! The head: can the file be trusted, what is it, and what to do.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{Clock, Severity, Timestamp};
use serde_json::Value as Json;

use super::{FOLD, Recording, UNFOLD, exact, plural, put, table};
use crate::{
    collect::timeline::Timeline,
    text::{Esc, count, digits, short, size, span},
};

/// Whether a recording can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Complete, and nothing odd was found.
    Healthy,
    /// Readable, but there is something to know.
    Notes,
    /// Bytes are lost, or the file is not as its format demands.
    Damaged,
}

impl Verdict {
    /// As a person reads it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Healthy => "✓ Healthy",
            Self::Notes => "! Readable, with notes",
            Self::Damaged => "✕ Damaged",
        }
    }

    /// The class that gives it its colour.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Healthy => "ok",
            Self::Notes => "note",
            Self::Damaged => "bad",
        }
    }
}

/// Lines of the verdict that are open.
const SHOWN: usize = 5;

pub(super) struct Head {
    pub(super) verdict: Verdict,
    pub(super) html: String,
}

/// A line of the verdict: how bad, and what, as HTML.
type Line = (Verdict, String);

pub(super) fn head(recording: &Recording<'_>) -> Head {
    let mut lines = damage(recording);
    lines.extend(findings(recording));
    lines.extend(alarms(&recording.surveyed.summary.details));
    lines.extend(gaps(recording));
    lines.extend(times(recording));
    let verdict = lines.iter().map(|line| line.0).max().unwrap_or(Verdict::Healthy);
    if verdict == Verdict::Healthy {
        lines.push((Verdict::Healthy, "Complete; nothing odd was found in the file.".into()));
    }
    if verdict == Verdict::Damaged {
        let advice =
            "What can be read is shown below. <code>robolog recover</code> copies it into a sound file.";
        lines.push((Verdict::Healthy, advice.into()));
    }
    lines.extend(content(recording));
    let mut html = String::from("<header>");
    put!(html, "<h1>{}</h1>", Esc(&short(recording.name)));
    let (class, words) = (verdict.class(), verdict.words());
    put!(html, "<div class=\"verdict {class}\"><strong>{words}</strong><ul>");
    for (level, line) in lines.iter().take(SHOWN) {
        put!(html, "<li class=\"{}\">{line}</li>", level.class());
    }
    html.push_str("</ul>");
    if let more @ 1.. = lines.len().saturating_sub(SHOWN) {
        put!(html, "<details><summary>{}</summary>{FOLD}<ul>", plural(more, "more line"));
        for (level, line) in lines.iter().skip(SHOWN) {
            put!(html, "<li class=\"{}\">{line}</li>", level.class());
        }
        put!(html, "</ul>{UNFOLD}");
    }
    html.push_str("</div>");
    facts(&mut html, recording);
    listed(&mut html, recording);
    html.push_str("</header>\n");
    Head { verdict, html }
}

fn damage(recording: &Recording<'_>) -> Vec<Line> {
    let summary = &recording.surveyed.summary;
    let mut lines = Vec::new();
    if !summary.complete {
        let line = "The recording is not complete: it ends early or has unreadable parts.";
        lines.push((Verdict::Damaged, line.to_owned()));
    }
    if summary.lost_bytes > 0 {
        lines.push((Verdict::Damaged, format!("{} could not be read.", size(summary.lost_bytes))));
    }
    if summary.is_ok() && recording.read.damages > 0 {
        let what = plural(usize::try_from(recording.read.damages).unwrap_or(usize::MAX), "record");
        lines.push((Verdict::Damaged, format!("{what} could not be decoded.")));
    }
    if recording.kept.lanes.iter().all(|lane| lane.samples == 0) {
        lines.push((Verdict::Notes, "It holds no samples.".into()));
    }
    lines
}

/// Findings of one code are one line: nine lines of one would hide the tenth.
fn findings(recording: &Recording<'_>) -> Vec<Line> {
    let mut by_code: Vec<(Severity, &str, u64, &str, u64)> = Vec::new();
    for finding in &recording.surveyed.summary.findings {
        let same = by_code
            .iter_mut()
            .find(|(severity, code, ..)| (*severity, *code) == (finding.severity, finding.code));
        match same {
            Some((.., n)) => *n += 1,
            None => by_code.push((finding.severity, finding.code, finding.offset, &finding.message, 1)),
        }
    }
    by_code.sort_by_key(|(severity, ..)| std::cmp::Reverse(*severity));
    let lines = by_code.into_iter().map(|(severity, code, offset, message, n)| {
        let verdict = if severity == Severity::Error { Verdict::Damaged } else { Verdict::Notes };
        let times = if n > 1 { format!(" {} times, first", count(n)) } else { String::new() };
        (verdict, format!("<b>{}</b>:{times} at byte {}: {}", Esc(code), count(offset), Esc(&long(message))))
    });
    lines.collect()
}

/// What devices say of their own state that is not as it should be; those that say the same are one line.
fn alarms(details: &Json) -> Vec<Line> {
    const NAMES: usize = 4;
    let mut by_states: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for device in details.get("devices").and_then(Json::as_array).into_iter().flatten() {
        let states = device.get("states").and_then(Json::as_array).into_iter().flatten();
        // What its clock follows is no alarm.
        let states = states.filter_map(Json::as_str).filter(|state| !state.starts_with("synchronised by"));
        let states: Vec<&str> = states.collect();
        if !states.is_empty() {
            let name = device.get("sn").and_then(Json::as_str).unwrap_or_default();
            by_states.entry(states.join(", ")).or_default().push(name);
        }
    }
    let lines = by_states.into_iter().map(|(states, devices)| {
        let names = devices.iter().take(NAMES).map(|name| format!("<code>{}</code>", Esc(&short(name))));
        let mut names = names.collect::<Vec<_>>().join(", ");
        if let more @ 1.. = devices.len().saturating_sub(NAMES) {
            put!(names, " and {more} more");
        }
        let report = if devices.len() == 1 { "reports" } else { "report" };
        (Verdict::Notes, format!("{names} {report}: <b>{}</b>.", Esc(&states)))
    });
    lines.collect()
}

fn gaps(recording: &Recording<'_>) -> Option<Line> {
    let axis = &recording.kept.axis;
    let holed = recording.kept.lanes.iter().filter_map(|lane| {
        let gaps = lane.intervals(axis)?.gaps;
        let longest = gaps.into_iter().max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
        Some((longest, &lane.name))
    });
    let holed: Vec<_> = holed.collect();
    let ((from, to), name) = *holed.iter().max_by(|a, b| (a.0.1 - a.0.0).total_cmp(&(b.0.1 - b.0.0)))?;
    let channels = match holed.len() {
        1 => "1 regular channel has gaps of more than 5 of its usual intervals".to_owned(),
        n => format!("{n} regular channels have gaps of more than 5 of their usual intervals"),
    };
    let line = format!(
        "{channels}; the longest is {} in <code>{}</code> at {}.",
        span(to - from),
        Esc(&short(name)),
        span(from)
    );
    Some((Verdict::Notes, line))
}

/// Counts something of a lane.
type Of = fn(&Timeline) -> u64;

/// Samples that are on no time line.
fn times(recording: &Recording<'_>) -> Vec<Line> {
    let lanes = &recording.kept.lanes;
    let mut lines = Vec::new();
    let summary = &recording.surveyed.summary;
    let busy = summary.span.and_then(|all| Some((all, crate::axis::busy(&summary.channels, all)?)));
    if let Some(after) = busy.and_then(|(all, (start, _))| start.since(all.0)) {
        let long = span(recording.kept.axis.seconds());
        let after = span(after as f64 / 1e9);
        let line = format!("The axis covers {long}, {after} after the first record: 99 % of all lie there.");
        lines.push((Verdict::Notes, line));
    }
    let kinds: [(Of, &str); 2] = [
        (|lane| lane.untimed, "without a time, on no time line"),
        (|lane| lane.strays, "stamped far outside the recording, on no time line"),
    ];
    for (of, words) in kinds {
        // Where things are mounted holds all the time.
        let is_meant = |lane: &&Timeline| lane.kind != "transform" && of(lane) > 0;
        let mut found: Vec<&Timeline> = lanes.iter().filter(is_meant).collect();
        let total: u64 = found.iter().map(|lane| of(lane)).sum();
        if total == 0 {
            continue;
        }
        found.sort_by_key(|lane| std::cmp::Reverse(of(lane)));
        let names = found.iter().take(4).map(|lane| {
            format!(
                "<code>{}</code> ({} of {})",
                Esc(&short(&lane.name)),
                count(of(lane)),
                count(lane.samples)
            )
        });
        let names: Vec<_> = names.collect();
        let samples = plural(usize::try_from(total).unwrap_or(usize::MAX), "sample");
        lines.push((Verdict::Notes, format!("{samples} {words}: {}.", names.join(", "))));
    }
    lines
}

/// What happened in the world, which makes no file unhealthy.
fn content(recording: &Recording<'_>) -> Vec<Line> {
    let collisions = super::own::collisions(recording.kept);
    let mut lines: Vec<Line> = collisions
        .iter()
        .take(5)
        .map(|hit| {
            let when = hit.t.map(|t| format!(" at {}", span(t))).unwrap_or_default();
            (Verdict::Healthy, format!("Content: {}{when}.", Esc(&hit.words)))
        })
        .collect();
    if let more @ 1.. = collisions.len().saturating_sub(5) {
        lines.push((Verdict::Healthy, format!("Content: {more} more collisions.")));
    }
    if recording.surveyed.summary.details.get("collisions") == Some(&Json::from(0)) {
        let why = match super::own::has_collision_sensor(recording.kept) {
            Some(true) => "a <code>sensor.other.collision</code> was there",
            Some(false) => {
                "no actor had a <code>sensor.other.collision</code>, without which CARLA records none: there may have been some"
            }
            None => "CARLA records those of actors with a <code>sensor.other.collision</code> alone",
        };
        lines.push((Verdict::Healthy, format!("Content: no collisions were recorded; {why}.")));
    }
    lines
}

fn facts(html: &mut String, recording: &Recording<'_>) {
    let surveyed = recording.surveyed;
    let summary = &surveyed.summary;
    let mut all: Vec<(&str, &str, String)> = vec![("variant", "Format", Esc(&summary.variant).to_string())];
    let moment =
        |time: Timestamp| if recording.kept.axis.seconds() < 100.0 { precisely(time) } else { when(time) };
    if let Some((start, end)) = summary.span {
        all.push(("start_ns", "Starts", exact(start.nanos(), &moment(start))));
        all.push(("end_ns", "Ends", exact(end.nanos(), &moment(end))));
        let nanos = end.since(start).unwrap_or_default();
        let seconds = Timestamp::new(nanos, Clock::Relative).as_secs();
        all.push(("duration_s", "Lasts", exact(seconds, &span(seconds))));
        let warp = recording.kept.axis.warp();
        if warp != 1.0 {
            let simulated = seconds * warp;
            all.push(("simulated_s", "By its own clock", exact(simulated, &span(simulated))));
        }
    } else {
        all.push(("start_ns", "Starts", "no times in the recording".into()));
    }
    all.push(("clock", "Clock", summary.clock.map_or("unknown", Clock::name).into()));
    all.push(("bytes", "Size", exact(surveyed.bytes, &size(surveyed.bytes))));
    all.push(("records", "Records", exact(summary.records, &count(summary.records))));
    let channels = summary.channels.len() as u64;
    all.push(("channels", "Channels", exact(channels, &count(channels))));
    let wanted = [
        ("map", "Map"),
        ("actors", "Actors"),
        ("collisions", "Collisions"),
        ("points", "Points"),
        ("frames", "Frames"),
        ("entries", "Entries"),
        ("creator", "Written by"),
    ];
    for (key, label) in wanted {
        match summary.details.get(key) {
            Some(Json::Number(n)) if key == "collisions" && n.as_u64() == Some(0) => {
                all.push((key, label, exact(n, "none recorded")));
            }
            Some(Json::Number(n)) => {
                let shown = n.as_u64().map_or_else(|| n.to_string(), count);
                all.push((key, label, exact(n, &shown)));
            }
            Some(Json::String(text)) if !text.is_empty() => {
                all.push((key, label, Esc(&short(text)).to_string()));
            }
            _ => {}
        }
    }
    all.extend(sensors(recording));
    html.push_str("<dl>");
    for (key, label, value) in all {
        put!(html, "<div data-key=\"{key}\"><dt>{label}</dt><dd>{value}</dd></div>");
    }
    html.push_str("</dl>");
}

/// The sensors of a recording by model and return mode, how fast the first turns, and how many points a scan has.
fn sensors(recording: &Recording<'_>) -> Vec<(&'static str, &'static str, String)> {
    let summary = &recording.surveyed.summary;
    let details = &summary.details;
    let listed = ["devices", "sensors"].into_iter().filter_map(|key| details.get(key)?.as_array()).flatten();
    let mut models: BTreeMap<String, usize> = BTreeMap::new();
    for sensor in listed.chain(details.get("velodyne")) {
        let text = |key: &str| sensor.get(key).and_then(Json::as_str);
        let Some(model) = text("model") else { continue };
        let mode = text("return_mode").map_or_else(String::new, |mode| format!(", {mode} return"));
        *models.entry(format!("{model}{mode}")).or_default() += 1;
    }
    let names: Vec<String> = models
        .iter()
        .take(4)
        .map(|(name, n)| if *n > 1 { format!("{n} × {}", short(name)) } else { short(name) })
        .collect();
    let mut all = Vec::new();
    if !names.is_empty() {
        all.push(("sensor", "Sensor", Esc(&names.join("; ")).to_string()));
    }
    let Some(cloud) = recording.kept.clouds.first().filter(|cloud| cloud.samples > 1) else { return all };
    let each = cloud.points / cloud.samples;
    all.push(("scan_points", "Points a scan", exact(each, &count(each))));
    let channel = summary.channels.iter().find(|channel| channel.name == cloud.name);
    let rate = channel.and_then(|channel| summary.rate_hz(channel));
    // A turn is a cloud; what comes much more often is a part of one.
    let is_turning = details.get("velodyne").is_some() || recording.surveyed.format == "pcap";
    if let Some(rate) = rate.filter(|rate| is_turning && (2.0..=25.0).contains(rate)) {
        all.push(("rpm", "Turns", exact(rate * 60.0, &format!("{} rpm", digits(rate * 60.0, 3)))));
    }
    all
}

/// A moment for people: a date where there is one.
pub(crate) fn when(time: Timestamp) -> String {
    let text = time.to_string();
    match time.clock() {
        Clock::Unix => {
            let text = text.get(..19).unwrap_or(&text).replace('T', " ");
            format!("{text} UTC")
        }
        clock => format!("{} s ({clock} clock)", text.get(..text.len().saturating_sub(6)).unwrap_or(&text)),
    }
}

/// A moment with its milliseconds.
fn precisely(time: Timestamp) -> String {
    let (whole, part) = (when(time), time.secs_and_nanos().1 / 1_000_000);
    whole.strip_suffix(" UTC").map_or_else(|| whole.clone(), |whole| format!("{whole}.{part:03} UTC"))
}

/// All findings with their offsets.
fn listed(html: &mut String, recording: &Recording<'_>) {
    let findings = &recording.surveyed.summary.findings;
    if findings.is_empty() {
        return;
    }
    let mut rows = String::new();
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in findings {
        let shown = left.entry(finding.code).or_default();
        *shown += 1;
        if *shown > 100 {
            continue;
        }
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        put!(
            rows,
            "<tr><td>{severity}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Esc(finding.code),
            exact(finding.offset, &count(finding.offset)),
            Esc(&long(&finding.message))
        );
    }
    html.push_str(&table(&plural(findings.len(), "finding"), "Severity|Code|Byte|What", &rows));
}

/// The first letters of a message.
fn long(message: &str) -> String {
    message.chars().take(400).collect()
}
