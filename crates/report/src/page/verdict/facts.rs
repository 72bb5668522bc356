//! The facts of the head: format, times, size, counts, sensors.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{Clock, Timestamp};
use serde_json::Value as Json;

use crate::{
    collect::Collected,
    page::{Recording, exact, put},
    text::{Esc, count, digits, short, size, span},
};

pub(super) fn facts(html: &mut String, recording: &Recording<'_>) {
    let surveyed = recording.surveyed;
    let summary = &surveyed.summary;
    let mut all: Vec<(&str, &str, String)> =
        vec![("variant", "Format", Esc(&surveyed.format_for_people()).to_string())];
    let moment =
        |time: Timestamp| if recording.kept.axis.seconds() < 100.0 { precisely(time) } else { when(time) };
    if let Some((start, end)) = summary.span {
        all.push(("start_ns", "Starts", exact(start.nanos(), &moment(start))));
        all.push(("end_ns", "Ends", exact(end.nanos(), &moment(end))));
        let nanos = end.since(start).unwrap_or(0);
        let seconds = Timestamp::new(nanos, Clock::Relative).as_secs();
        all.push(("duration_s", "Duration", exact(seconds, &span(seconds))));
        let warp = recording.kept.axis.warp();
        if warp != 1.0 {
            let simulated = seconds * warp;
            all.push(("simulated_s", "Simulated time", exact(simulated, &span(simulated))));
        }
    } else {
        all.push(("start_ns", "Starts", "no times recorded".into()));
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
    all.extend(journey(recording.kept));
    html.push_str("<dl>");
    for (key, label, value) in all {
        put!(html, "<div data-key=\"{key}\"><dt>{label}</dt><dd>{value}</dd></div>");
    }
    html.push_str("</dl>");
}

/// Distance, climb, time in motion and speeds of the track, as `info` has them.
fn journey(kept: &Collected) -> Vec<(&'static str, &'static str, String)> {
    let Some(journey) = kept.journey() else { return Vec::new() };
    let metres = |value: f64| {
        if value < 1e4 { format!("{} m", digits(value, 4)) } else { format!("{} km", digits(value / 1e3, 4)) }
    };
    let speed = |value: f64| format!("{} m/s", digits(value, 3));
    let distance = journey.distance_m;
    let mut all = vec![("distance_m", "Distance in plan", exact(distance, &metres(distance)))];
    let mut add = |key, label, value: Option<f64>, shown: &dyn Fn(f64) -> String| {
        all.extend(value.map(|value| (key, label, exact(value, &shown(value)))));
    };
    add("ascent_m", "Ascent, steps of 3 m", journey.ascent_m, &metres);
    add("descent_m", "Descent", journey.descent_m, &metres);
    add("moving_s", "Moving, above 1 km/h", journey.moving_s, &span);
    add("mean_speed", "Mean speed in motion", journey.mean_speed_mps, &speed);
    add("greatest_speed", "Greatest speed", journey.greatest_speed_mps, &speed);
    all
}

/// Sensors by model and return mode, rotation rate of the first, and points per scan.
fn sensors(recording: &Recording<'_>) -> Vec<(&'static str, &'static str, String)> {
    let summary = &recording.surveyed.summary;
    let details = &summary.details;
    let listed = ["devices", "sensors"].into_iter().filter_map(|key| details.get(key)?.as_array()).flatten();
    let listed: Vec<&Json> = listed.chain(details.get("velodyne")).collect();
    let mut models: BTreeMap<String, usize> = BTreeMap::new();
    for sensor in &listed {
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
    let packets: Vec<&Json> =
        listed.iter().filter_map(|sensor| sensor.get("lost")).filter(|lost| !lost.is_null()).collect();
    if !packets.is_empty() {
        let lost: u64 = packets.iter().filter_map(|lost| lost.as_u64()).sum();
        let shown = if lost == 0 { "none".to_owned() } else { count(lost) };
        all.push(("lost_packets", "Lost packets", exact(lost, &shown)));
    }
    let Some(cloud) = recording.kept.clouds.first() else { return all };
    let clouds = summary.channels.iter().filter(|channel| channel.kind == "point_cloud");
    let points: u64 = clouds.map(|channel| channel.values).sum();
    let seconds = recording.kept.axis.seconds();
    if seconds > 0.0 {
        let rate = points as f64 / seconds;
        all.push(("point_rate", "Point rate", exact(rate, &format!("{} /s", digits(rate, 3)))));
    }
    let Some(each) = cloud.points_per_scan() else { return all };
    all.push(("scan_points", "Points per scan", exact(each, &count(each))));
    let channel = summary.channels.iter().find(|channel| channel.name == cloud.name);
    let rate = channel.and_then(|channel| summary.rate_hz(channel));
    // One cloud per turn; much more frequent clouds are parts of a turn.
    let is_velodyne = |sensor: &&Json| sensor.get("maker").and_then(Json::as_str) == Some("Velodyne");
    let is_turning = details.get("velodyne").is_some() || listed.iter().any(is_velodyne);
    if let Some(rate) = rate.filter(|rate| is_turning && (2.0..=25.0).contains(rate)) {
        all.push(("rpm", "Rotation", exact(rate * 60.0, &format!("{} rpm", digits(rate * 60.0, 3)))));
    }
    all
}

/// A time for people, with the date if known.
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

/// A time with milliseconds.
fn precisely(time: Timestamp) -> String {
    let (whole, part) = (when(time), time.secs_and_nanos().1 / 1_000_000);
    whole.strip_suffix(" UTC").map_or_else(|| whole.clone(), |whole| format!("{whole}.{part:03} UTC"))
}
