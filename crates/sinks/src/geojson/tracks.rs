//! A line for each track, with arrays.

use std::io::Write;

use robolog_core::{Attributes, GnssFix, Sample, Timestamp, Value};

use super::GeoJson;
use crate::{
    Result,
    feature::{Link, unix},
    json::json,
    tracks::{Channel, Tracks, each_series, track_of},
};

/// Writes all tracks.
pub(super) fn write<W: Write>(file: &mut GeoJson<W>) -> Result<()> {
    let mut tracks = std::mem::take(&mut file.tracks);
    tracks.sort(|channel| track_of(channel).unwrap_or(channel));
    let mut next = 0;
    while let Some(first) = tracks.channels().get(next) {
        let track = track_of(&first.name).map(str::to_owned);
        let is_same = |channel: &&Channel| track.is_some() && track_of(&channel.name) == track.as_deref();
        let count = tracks.channels().iter().skip(next).take_while(is_same).count().max(1);
        // A line needs two positions.
        let is_line = |at: &usize| tracks.channels().get(*at).is_some_and(|channel| channel.len > 1);
        let (lines, points): (Vec<_>, Vec<_>) = (next..next + count).partition(is_line);
        let parts = if lines.is_empty() { None } else { Some(lines) };
        for parts in parts.into_iter().chain(points.into_iter().map(|at| vec![at])) {
            file.next()?;
            one(&mut tracks, &parts, track.as_deref(), &mut file.out)?;
        }
        next += count;
    }
    Ok(())
}

/// How deep the arrays of a feature are.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Point,
    Line,
    Lines,
}

/// Writes a track of these channels.
fn one(tracks: &mut Tracks, parts: &[usize], track: Option<&str>, out: &mut impl Write) -> Result<()> {
    let Some(channel) = parts.first().and_then(|at| tracks.channels().get(*at)) else { return Ok(()) };
    let (name, attributes, len) = (channel.name.clone(), channel.attributes.clone(), channel.len);
    let (shape, kind) = match parts.len() {
        1 if len == 1 => (Shape::Point, "Point"),
        1 => (Shape::Line, "LineString"),
        _ => (Shape::Lines, "MultiLineString"),
    };
    write!(out, "{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"{kind}\",\"coordinates\":")?;
    arrays(tracks, parts, shape, out, &mut |sample, fix, out| {
        let _ = sample;
        coordinate(fix, out)
    })?;
    out.write_all(b"},\"properties\":{")?;
    described(&attributes, if parts.len() > 1 { track.unwrap_or(&name) } else { &name }, out)?;
    let known = known(tracks, parts)?;
    if known.has_dates {
        out.write_all(if shape == Shape::Point { b",\"time\":" } else { b",\"coordTimes\":" })?;
        arrays(tracks, parts, shape, out, &mut |sample, _, out| {
            json(out, &unix(sample.time).map(|time| time.to_string()))
        })?;
    }
    if let Some(clock) = known.clock {
        write!(out, ",\"clock\":\"{clock}\"")?;
    }
    out.write_all(b",\"coordinateProperties\":{")?;
    let mut is_first = true;
    let mut key = |name: &str, out: &mut dyn Write| -> Result<()> {
        out.write_all(if std::mem::take(&mut is_first) { b"" } else { b"," })?;
        json(&mut &mut *out, name)?;
        Ok(out.write_all(b":")?)
    };
    if known.clock.is_some() {
        key("time_ns", out)?;
        arrays(tracks, parts, shape, out, &mut |sample, _, out| {
            json(out, &sample.time.filter(|_| unix(sample.time).is_none()).map(Timestamp::nanos))
        })?;
    }
    for series in known.series {
        key(&series, out)?;
        arrays(tracks, parts, shape, out, &mut |_, fix, out| {
            let mut found = None;
            each_series(fix, &mut |name, _, value| {
                if name == series {
                    found.get_or_insert(value);
                }
            });
            json(out, &found)
        })?;
    }
    Ok(out.write_all(b"}}}")?)
}

/// What the samples of a track have.
#[derive(Default)]
struct Known {
    has_dates: bool,
    /// Name of the clock of times that are no dates.
    clock: Option<&'static str>,
    series: Vec<String>,
}

fn known(tracks: &mut Tracks, parts: &[usize]) -> Result<Known> {
    let mut known = Known::default();
    for at in parts {
        tracks.each(*at, &mut |sample| {
            match (unix(sample.time), sample.time) {
                (Some(_), _) => known.has_dates = true,
                (None, Some(time)) => known.clock = known.clock.or(Some(time.clock().name())),
                _ => {}
            }
            if let Value::GnssFix(fix) = &sample.value {
                each_series(fix, &mut |name, _, _| {
                    if !known.series.iter().any(|series| series == name) {
                        known.series.push(name.to_owned());
                    }
                });
            }
            Ok(())
        })?;
    }
    Ok(known)
}

/// Writes an element for each fix, in arrays as deep as the coordinates.
fn arrays<W: Write>(
    tracks: &mut Tracks,
    parts: &[usize],
    shape: Shape,
    out: &mut W,
    each: &mut dyn FnMut(&Sample, &GnssFix, &mut W) -> Result<()>,
) -> Result<()> {
    let (begin, end): (&[u8], &[u8]) = if shape == Shape::Point { (b"", b"") } else { (b"[", b"]") };
    if shape == Shape::Lines {
        out.write_all(b"[")?;
    }
    for (number, at) in parts.iter().enumerate() {
        out.write_all(if number > 0 { b"," } else { b"" })?;
        out.write_all(begin)?;
        let mut is_first = true;
        tracks.each(*at, &mut |sample| {
            let Value::GnssFix(fix) = &sample.value else { return Ok(()) };
            out.write_all(if std::mem::take(&mut is_first) { b"" } else { b"," })?;
            each(sample, fix, out)
        })?;
        out.write_all(end)?;
    }
    if shape == Shape::Lines {
        out.write_all(b"]")?;
    }
    Ok(())
}

fn coordinate(fix: &GnssFix, out: &mut impl Write) -> Result<()> {
    let height = fix.altitude_msl.or(fix.altitude).filter(|height| height.is_finite());
    match height {
        Some(height) => json(out, &[fix.longitude, fix.latitude, height]),
        None => json(out, &[fix.longitude, fix.latitude]),
    }
}

/// Writes the attributes of a track.
fn described(attributes: &Attributes, channel: &str, out: &mut impl Write) -> Result<()> {
    for (key, value) in attributes.iter() {
        let key = match key {
            "description" => "desc",
            "comment" => "cmt",
            "source" => "src",
            "link" => {
                out.write_all(b"\"links\":")?;
                json(out, &[Link { href: value }])?;
                out.write_all(b",")?;
                continue;
            }
            "channel" | "coordTimes" | "coordinateProperties" | "clock" => continue,
            key => key,
        };
        json(out, key)?;
        out.write_all(b":")?;
        json(out, value)?;
        out.write_all(b",")?;
    }
    out.write_all(b"\"channel\":")?;
    json(out, channel)
}
