//! Records of each channel over time, with gaps.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{Clock, Timestamp, slices::fitting};
use serde_json::Value as Json;

use super::{FOLD, Recording, Section, UNFOLD, exact, plural, put, table, time_axis};
use crate::{
    axis::{Axis, AxisPosition, COLUMNS},
    collect::timeline::{FEW, Intervals, Timeline},
    draw::{LINES, chart},
    text::{Esc, count, digits, short, span},
};

/// Number of open lanes, and maximum number drawn.
const OPEN: usize = 24;
const DRAWN: usize = 120;
/// Maximum channels in the table.
const LISTED: usize = 3000;

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let axis = &recording.kept.axis;
    let mut lanes: Vec<(&Timeline, Option<Intervals>)> = recording
        .kept
        .lanes
        .iter()
        .filter(|lane| lane.samples > 0)
        .map(|lane| (lane, lane.intervals(axis)))
        .collect();
    if lanes.is_empty() && recording.surveyed.summary.channels.is_empty() {
        return None;
    }
    let has_gaps = |known: &Option<Intervals>| known.as_ref().is_some_and(|known| !known.gaps.is_empty());
    lanes.sort_by_key(|(lane, intervals)| {
        (!has_gaps(intervals), lane.rate_hz.is_none(), std::cmp::Reverse(lane.samples))
    });
    let (shown, alike) = groups(&lanes, axis);
    let lost = lost(recording);
    let mut body = String::from("<div class=\"lanes\">");
    let end =
        format!("<div class=\"lane axis\"><span></span>{}<span></span></div></div>", time_axis(axis, 5.0));
    let (open, rest) = shown.split_at(shown.len().min(OPEN));
    for lane in open {
        row(&mut body, lane, axis, &lost);
    }
    body.push_str(&end);
    let mut folded: Vec<Lane<'_>> = rest.to_vec();
    folded.extend(alike);
    if !folded.is_empty() {
        put!(
            body,
            "<details><summary>{} more</summary>{FOLD}<div class=\"lanes\">",
            plural(folded.len(), "lane")
        );
        for lane in folded.iter().take(DRAWN) {
            row(&mut body, lane, axis, &lost);
        }
        body.push_str(&end);
        if let beyond @ 1.. = folded.iter().skip(DRAWN).len() {
            put!(body, "<p class=\"lg\">{} more are only in the tables.</p>", plural(beyond, "lane"));
        }
        body.push_str(UNFOLD);
    }
    body.push_str(&measured(&lanes));
    body.push_str(&channels(recording));
    let mut lead = String::from(
        "Bar height is the density, relative to the channel's own maximum. Thin ticks: single records of channels \
         without a steady rate. <span class=\"gapkey\"></span> hatched: a gap, or packets that never arrived.",
    );
    if recording.kept.beyond.0 > 0 {
        put!(
            lead,
            " {} have no lane.",
            plural(usize::try_from(recording.kept.beyond.0).unwrap_or(usize::MAX), "channel")
        );
    }
    Some(Section { id: "channels", title: "Channels over time", lead, body })
}

/// A lane, and the number of similar ones.
#[derive(Clone, Copy)]
struct Lane<'a> {
    of: &'a Timeline,
    intervals: Option<&'a Intervals>,
    alike: usize,
}

/// Minimum number of lanes of equal rate without gaps to be grouped.
const ALIKE: usize = 4;

/// The lanes to show, one per group of similar lanes, and the other members of these groups.
fn groups<'a>(lanes: &'a [(&'a Timeline, Option<Intervals>)], axis: &Axis) -> (Vec<Lane<'a>>, Vec<Lane<'a>>) {
    let key = |lane: &Timeline, intervals: &Option<Intervals>| {
        let is_whole = intervals.as_ref().is_some_and(|known| known.gaps.is_empty());
        let (from, to) = lane.span.map(|(from, to)| (axis.fraction(from), axis.fraction(to)))?;
        let rate = lane.rate_hz.filter(|_| is_whole && lane.channels == 1)?;
        (from < 0.02 && to > 0.98).then(|| digits(rate, 2))
    };
    let keys: Vec<Option<String>> = lanes.iter().map(|(lane, intervals)| key(lane, intervals)).collect();
    let mut members: BTreeMap<&str, usize> = BTreeMap::new();
    for key in keys.iter().flatten() {
        *members.entry(key).or_default() += 1;
    }
    let (mut shown, mut alike) = (Vec::new(), Vec::new());
    for ((lane, intervals), key) in lanes.iter().zip(&keys) {
        let row = Lane { of: lane, intervals: intervals.as_ref(), alike: 0 };
        match key.as_deref().and_then(|key| members.get_mut(key)) {
            // Another member of a group already shown.
            Some(0) => alike.push(row),
            Some(all) if *all >= ALIKE => shown.push(Lane { alike: std::mem::take(all) - 1, ..row }),
            _ => shown.push(row),
        }
    }
    (shown, alike)
}

fn row(html: &mut String, &Lane { of: lane, intervals, alike }: &Lane<'_>, axis: &Axis, lost: &Lost) {
    let name = short(&lane.name);
    let many = match (lane.channels, alike) {
        (_, 1..) => format!(" and {alike} more"),
        (2.., _) => format!(" × {}", lane.channels),
        _ => String::new(),
    };
    let gaps = intervals.map_or(&[][..], |intervals| &intervals.gaps);
    put!(
        html,
        "<div class=\"lane\">{}<div class=\"tx\"><div class=\"in\">{}",
        name_of(&name, &many),
        drawing(lane, gaps, axis)
    );
    let mut all = gaps.to_vec();
    all.extend(lost.get(&lane.name).into_iter().flatten());
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (left, right) in hatched(&all, axis) {
        put!(html, "<i class=\"gap\" style=\"left:{left:.2}%;width:{:.2}%\"></i>", right - left);
    }
    let missing = match gaps {
        [] => String::new(),
        gaps => {
            let longest = gaps.iter().map(|(from, to)| to - from).fold(0.0, f64::max);
            format!(" <em>{}, {}</em>", plural(gaps.len(), "gap"), span(longest))
        }
    };
    let samples = if alike > 0 { "each".to_owned() } else { count(lane.samples) };
    let whole = if alike > 0 { ", no gaps" } else { "" };
    put!(html, "</div></div><span class=\"st\">{samples} · {}{missing}{whole}</span></div>\n", rate(lane));
}

/// The times between which packets of a channel never arrived, in seconds on the axis.
type Lost = BTreeMap<String, Vec<(f64, f64)>>;

fn lost(recording: &Recording<'_>) -> Lost {
    let axis = &recording.kept.axis;
    let of = |sensor: &Json, name: &str, gaps: &Json| {
        let gaps = gaps.as_array()?.iter().filter_map(|gap| {
            let at = |place: usize| {
                let nanos = gap.get(place)?.as_i64()?;
                let clock = axis.start().map_or(Clock::Unix, Timestamp::clock);
                match axis.place(Some(Timestamp::new(nanos, clock))) {
                    AxisPosition::At(seconds) => Some(seconds),
                    _ => None,
                }
            };
            at(0).zip(at(1))
        });
        Some((format!("{}/points", sensor.get(name)?.as_str()?), gaps.collect()))
    };
    let details = &recording.surveyed.summary.details;
    let all = |key: &str| details.get(key).and_then(Json::as_array).into_iter().flatten();
    let captured = all("sensors").filter_map(|sensor| of(sensor, "name", sensor.get("lost")?.get("gaps")?));
    let recorded = all("devices").filter_map(|device| of(device, "sn", device.get("lost_gaps")?));
    captured.chain(recorded).collect()
}

/// Drawn gaps, start and end in per cent: wide enough to be visible, touching ones merged.
fn hatched(gaps: &[(f64, f64)], axis: &Axis) -> Vec<(f64, f64)> {
    const LEAST: f64 = 0.3;
    let mut drawn: Vec<(f64, f64)> = Vec::new();
    for (from, to) in gaps {
        let (left, right) = (100.0 * axis.fraction(*from), 100.0 * axis.fraction(*to));
        let right = right.max(left + LEAST);
        match drawn.last_mut().filter(|last| left <= last.1) {
            Some(last) => last.1 = last.1.max(right),
            None => drawn.push((left, right)),
        }
    }
    drawn
}

/// The name of a lane. If it is too long, its end stays visible, where it differs from its neighbours.
pub(super) fn name_of(name: &str, more: &str) -> String {
    let (start, end) = name.rfind('/').map_or(("", name), |at| name.split_at(at));
    format!(
        "<span class=\"nm\" title=\"{}\"><b>{}</b><b>{}{more}</b></span>",
        Esc(name),
        Esc(start),
        Esc(end)
    )
}

/// The rate of records, if known.
fn rate(lane: &Timeline) -> String {
    match lane.rate_hz {
        Some(rate) => format!("{} Hz", digits(rate, 3)),
        None if lane.timed() == 0 => "no time".into(),
        None if lane.samples == 1 => "once".into(),
        // Evenly spaced, but too short for a rate.
        None if lane.channels == 1 && lane.usual().is_some() => "brief".into(),
        None => "irregular".into(),
    }
}

fn drawing(lane: &Timeline, gaps: &[(f64, f64)], axis: &Axis) -> String {
    /// Width of a column in units of the view box, and steps of height.
    const WIDE: u32 = 4;
    const STEPS: u32 = 20;
    let columns = COLUMNS as f64;
    let size = (fitting::<u32>(COLUMNS) * WIDE, STEPS);
    let is_regular = lane.rate_hz.is_some() && lane.samples >= FEW as u64;
    chart(size, 0.0..columns, 0.0..f64::from(STEPS), "", |canvas| {
        if !is_regular {
            // Irregular: a tick for each of a few records, or for each column with records.
            let few = lane.timed() <= lane.first.len() as u64;
            let few = few.then(|| lane.first.iter().map(|t| axis.fraction(*t) * columns));
            let ticks: Vec<f64> = match few {
                Some(few) => few.collect(),
                None => lane.occupied().map(|column| column as f64 + 0.5).collect(),
            };
            for x in ticks {
                let x = x.clamp(0.3, columns - 0.3);
                canvas.line(&[(x, 1.0), (x, f64::from(STEPS) - 1.0)], LINES[0], 2);
            }
            return;
        }
        let mut points = vec![(0.0, 0.0)];
        let mut height = 0.0;
        for (column, next) in lane.heights(gaps, axis).into_iter().enumerate() {
            let next = (next * f64::from(STEPS - 2)).round();
            if next != height {
                points.extend([(column as f64, height), (column as f64, next)]);
                height = next;
            }
        }
        points.extend([(columns, height), (columns, 0.0)]);
        canvas.area(&points, LINES[0]);
    })
}

/// Table of the lanes.
fn measured(lanes: &[(&Timeline, Option<Intervals>)]) -> String {
    let mut rows = String::new();
    for (lane, intervals) in lanes.iter().take(LISTED) {
        let rate = lane.rate_hz.map_or_else(|| "–".into(), |rate| digits(rate, 3));
        let (longest, gaps) =
            intervals.as_ref().map_or(("–".into(), 0), |known| (span(known.longest), known.gaps.len()));
        let (first, last) =
            lane.span.map_or(("–".into(), "–".into()), |(from, to)| (span(from), span(to)));
        put!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{rate}</td><td>{longest}</td><td>{gaps}</td>\
             <td>{first}</td><td>{last}</td></tr>\n",
            Esc(&short(&lane.name)),
            lane.kind,
            lane.channels,
            count(lane.samples)
        );
    }
    table(
        "All lanes as a table",
        "Lane|Kind|Channels|Samples|Rate, Hz|Longest interval|Gaps|First|Last",
        &rows,
    )
}

/// Table of the channels in the survey.
fn channels(recording: &Recording<'_>) -> String {
    let summary = &recording.surveyed.summary;
    let mut rows = String::new();
    for channel in summary.channels.iter().take(LISTED) {
        let rate = summary.rate_hz(channel);
        let rate = rate.map_or_else(|| "–".into(), |hz| exact(hz, &digits(hz, 3)));
        let since = |time: Timestamp| {
            let start = recording.kept.axis.start();
            start.and_then(|start| time.since(start)).map_or(f64::NAN, |nanos| nanos as f64 / 1e9)
        };
        let (first, last) = channel.span.map_or(("–".into(), "–".into()), |(from, to)| {
            (exact(from.nanos(), &span(since(from))), exact(to.nanos(), &span(since(to))))
        });
        put!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{rate}</td><td>{first}</td><td>{last}</td></tr>\n",
            Esc(&short(&channel.name)),
            channel.kind,
            exact(channel.records, &count(channel.records)),
            exact(channel.values, &count(channel.values))
        );
    }
    let mut title = "All channels as a table".to_owned();
    if let more @ 1.. = summary.channels.iter().skip(LISTED).len() {
        put!(title, ", {} more not shown", count(more as u64));
    }
    table(&title, "Channel|Kind|Records|Values|Rate, Hz|First|Last", &rows)
}
