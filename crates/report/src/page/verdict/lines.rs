//! The lines of the verdict: damage, findings, alarms, gaps, times, and collisions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use robolog_core::{Severity, Summary, text::without_numbers};
use robolog_events::Kind;
use serde_json::Value as Json;

use super::{Verdict, long};
use crate::{
    collect::timeline::Timeline,
    page::{Recording, happened, own, plural, put},
    text::{Esc, count, short, size, span},
};

/// A line of the verdict: its severity, and its text as HTML.
pub(super) type Line = (Verdict, String);

/// Problems of the recording.
pub(super) fn doubts(recording: &Recording<'_>) -> Vec<Line> {
    let mut lines = damage(recording);
    lines.extend(findings(recording));
    lines.extend(alarms(recording));
    lines.extend(gaps(recording));
    lines.extend(times(recording));
    lines
}

fn damage(recording: &Recording<'_>) -> Vec<Line> {
    let summary = &recording.surveyed.summary;
    let mut lines = Vec::new();
    if summary.is_limited() {
        let line = "Parts of the recording are left out: they exceed the limits that the reader was given.";
        lines.push((Verdict::Limited, line.to_owned()));
    } else if !summary.complete {
        let line = "The recording is not complete: it ends early or has unreadable parts.";
        lines.push((Verdict::Damaged, line.to_owned()));
    }
    if summary.lost_bytes > 0 {
        lines.push((fault(summary), format!("{} could not be read.", size(summary.lost_bytes))));
    }
    if summary.is_ok() && recording.read.damages > 0 {
        let what = plural(usize::try_from(recording.read.damages).unwrap_or(usize::MAX), "record");
        lines.push((Verdict::Damaged, format!("{what} could not be decoded.")));
    }
    if recording.surveyed.reads_nothing() {
        lines.push((Verdict::Damaged, "Nothing in the recording could be read.".into()));
    } else if recording.kept.lanes.iter().all(|lane| lane.samples == 0) {
        lines.push((Verdict::Remarks, "The recording contains no samples.".into()));
    }
    lines
}

/// What an error says of the recording: what exceeds a limit need not be damaged.
fn fault<D>(summary: &Summary<D>) -> Verdict {
    if summary.is_limited() { Verdict::Limited } else { Verdict::Damaged }
}

/// Findings, one line per code: nine lines of one code would hide the tenth.
fn findings(recording: &Recording<'_>) -> Vec<Line> {
    let mut by_code: Vec<(Severity, &str, &str, u64)> = Vec::new();
    let summary = &recording.surveyed.summary;
    for finding in &summary.findings {
        let same = by_code
            .iter_mut()
            .find(|(severity, code, ..)| (*severity, *code) == (finding.severity, finding.code));
        match same {
            Some((.., n)) => *n += 1,
            None => by_code.push((finding.severity, finding.code, &finding.message, 1)),
        }
    }
    by_code.sort_by_key(|(severity, ..)| std::cmp::Reverse(*severity));
    let lines = by_code.into_iter().map(|(severity, code, message, n)| {
        let verdict = match severity {
            Severity::Error => fault(summary),
            Severity::Warning => Verdict::Warnings,
            Severity::Note => Verdict::Sound,
        };
        let times = if n > 1 { format!(" {} times, first:", count(n)) } else { String::new() };
        let message = long(&without_numbers(message));
        (verdict, format!("<b>{}</b>:{times} {}", Esc(code), Esc(&message)))
    });
    lines.collect()
}

/// Alarms reported by devices; devices with the same alarms share a line.
fn alarms(recording: &Recording<'_>) -> Vec<Line> {
    const NAMES: usize = 4;
    let mut by_device: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for event in recording.kept.happened.iter().filter(|event| event.kind == Kind::LidarStatus) {
        by_device.entry(&event.subject).or_default().insert(&event.text);
    }
    let mut by_states: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (device, states) in by_device {
        let states: Vec<&str> = states.into_iter().collect();
        by_states.entry(states.join(", ")).or_default().push(device);
    }
    let lines = by_states.into_iter().map(|(states, devices)| {
        let names = devices.iter().take(NAMES).map(|name| format!("<code>{}</code>", Esc(&short(name))));
        let mut names = names.collect::<Vec<_>>().join(", ");
        if let more @ 1.. = devices.iter().skip(NAMES).len() {
            put!(names, " and {more} more");
        }
        let report = if devices.len() == 1 { "reports" } else { "report" };
        (Verdict::Remarks, format!("{names} {report}: <b>{}</b>.", Esc(&states)))
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
        1 => "1 regular channel has gaps of more than 5 usual intervals".to_owned(),
        n => format!("{n} regular channels have gaps of more than 5 usual intervals"),
    };
    let line = format!(
        "{channels}; the longest is {} in <code>{}</code> at {}.",
        span(to - from),
        Esc(&short(name)),
        span(from)
    );
    Some((Verdict::Remarks, line))
}

/// A count of a lane.
type Of = fn(&Timeline) -> u64;

/// Samples off the time axis.
fn times(recording: &Recording<'_>) -> Vec<Line> {
    let lanes = &recording.kept.lanes;
    let mut lines = Vec::new();
    let summary = &recording.surveyed.summary;
    let busy = summary.span.and_then(|all| Some((all, crate::axis::busy(&summary.channels, all)?)));
    if let Some(after) = busy.and_then(|(all, (start, _))| start.since(all.0)) {
        let long = span(recording.kept.axis.seconds());
        let after = span(after as f64 / 1e9);
        let line = format!(
            "The time axis covers {long}, {after} after the first record: 99 % of all records are there."
        );
        lines.push((Verdict::Sound, line));
    }
    let kinds: [(Of, &str); 2] = [
        (|lane| lane.untimed, "without a time, not on the time axis"),
        (|lane| lane.strays, "with times far outside the recording, not on the time axis"),
    ];
    for (of, words) in kinds {
        // Mounts are valid all the time.
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
        // Channels without any times, such as way points, are as they should be.
        let is_normal = found.iter().all(|lane| lane.untimed == lane.samples);
        let level = if is_normal { Verdict::Sound } else { Verdict::Remarks };
        lines.push((level, format!("{samples} {words}: {}.", names.join(", "))));
    }
    lines
}

/// Harm in the world, which says nothing about the file, but is to be read first.
pub(super) fn content(recording: &Recording<'_>) -> Vec<Line> {
    const SHOWN: usize = 5;
    let collisions: Vec<String> = own::collisions(recording.kept)
        .into_iter()
        .map(|hit| {
            let when = hit.t.map_or_else(String::new, |t| format!(" at {}", span(t)));
            format!("Content: {}{when}.", Esc(&hit.words))
        })
        .collect();
    let contacts = happened::contacts(recording);
    let mut lines = Vec::new();
    for (harm, what) in [(collisions, "collision"), (contacts, "contact")] {
        let more = harm.iter().skip(SHOWN).len();
        lines.extend(harm.into_iter().take(SHOWN).map(|line| (Verdict::Remarks, line)));
        if more > 0 {
            lines.push((Verdict::Remarks, format!("Content: {}.", plural(more, &format!("more {what}")))));
        }
    }
    let is_contact = !lines.is_empty();
    if recording.surveyed.summary.details.get("collisions") == Some(&Json::from(0)) {
        let why = match own::has_collision_sensor(recording.kept) {
            Some(true) => "an actor had a <code>sensor.other.collision</code>",
            Some(false) if is_contact => "no actor had a <code>sensor.other.collision</code>",
            Some(false) => {
                "no actor had a <code>sensor.other.collision</code>, and CARLA records none without it: there may have been some"
            }
            None => "CARLA records only those of actors with a <code>sensor.other.collision</code>",
        };
        lines.push((Verdict::Sound, format!("Content: no collisions were recorded; {why}.")));
    }
    lines
}
