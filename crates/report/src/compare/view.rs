//! The page of two recordings.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_convert::Report;

use robolog_core::slices::Part as _;

use super::{Apart, Side, Statistics, TrajectoryError};
use crate::{
    axis::{Axis, COLUMNS},
    collect::{
        numbers::{OTHERS, Panel, rank},
        series::Series,
        track::{Ground, Track, degree},
    },
    draw::{GRID, LINES, chart},
    page::{
        Data, FOLD, Recording, Section, Turning, UNFOLD, assemble,
        map::size as size_of,
        numbers::{Drawn, movers, sorted},
        open_table, panel, put, when,
    },
    text::{Esc, count, digits, nice, num, short, size, span, ticks},
};

/// Maximum number of panels, and of rows in the table of channels.
const PANELS: usize = 24;
const LISTED: usize = 3000;

pub(super) fn page(
    a: &Side,
    b: &Side,
    (errors, apart): (&[TrajectoryError], Option<&Apart>),
    is_one_time: bool,
) -> String {
    let title = format!("{} and {}", a.name, b.name);
    let axis = a.kept.axis;
    let sections = [trajectories(errors), map(a, b), distances(apart, &axis), numbers(a, b), channels(a, b)];
    let sections: Vec<Section> = sections.into_iter().flatten().collect();
    assemble(&title, &head(a, b, is_one_time), &sections, &axis, &Data::default(), &Turning::default())
}

/// A fact about one side.
type Fact = fn(&Side) -> String;

fn head(a: &Side, b: &Side, is_one_time: bool) -> String {
    let mut html = String::from("<header><h1>");
    put!(html, "<span class=\"c0\">A</span> {} &nbsp; ", Esc(&short(&a.name)));
    put!(html, "<span class=\"c1\">B</span> {}</h1>", Esc(&short(&b.name)));
    let clock = if is_one_time {
        "Both share one time axis."
    } else {
        "They were recorded at different times: each counts from its own start."
    };
    put!(html, "<p class=\"lead\">{clock} A is the reference; differences are B minus A.</p>");
    let mut rows = String::new();
    let facts: [(&str, Fact); 7] = [
        ("Format", |side| side.surveyed.format_for_people()),
        ("Starts", |side| side.surveyed.summary.span.map_or_else(|| "–".into(), |span| when(span.0))),
        ("Duration", |side| {
            let span_of = side.surveyed.summary.span.and_then(|(start, end)| end.since(start));
            span_of.map_or_else(|| "–".into(), |nanos| span(nanos as f64 / 1e9))
        }),
        ("Size", |side| size(side.surveyed.bytes)),
        ("Records", |side| count(side.surveyed.summary.records)),
        ("Channels", |side| count(side.surveyed.summary.channels.len() as u64)),
        ("Verdict", |side| if side.surveyed.summary.is_ok() { "sound" } else { "damaged" }.into()),
    ];
    for (what, of) in facts {
        put!(rows, "<tr><td>{what}</td><td>{}</td><td>{}</td></tr>\n", Esc(&of(a)), Esc(&of(b)));
    }
    open_table(&mut html, "|A|B", &rows);
    html.push_str("</header>\n");
    html
}

fn trajectories(errors: &[TrajectoryError]) -> Option<Section> {
    let mut rows = String::new();
    for error in errors {
        let kinds: [(&str, Statistics); 3] = [
            ("ATE, as recorded", error.ate),
            ("ATE, aligned (Umeyama, no scale)", error.ate_aligned),
            ("RPE, from pose to pose", error.rpe),
        ];
        for (kind, of) in kinds {
            put!(rows, "<tr><td>{}</td><td>{kind}</td><td>{}</td>", Esc(&short(&error.channel)), error.pairs);
            for value in [of.rmse, of.mean, of.median, of.std, of.min, of.max] {
                put!(rows, "<td><data value=\"{value}\">{}</data></td>", digits(value, 6));
            }
            rows.push_str("</tr>\n");
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut body = String::new();
    open_table(&mut body, "Channel|Error|Pairs|RMSE, m|Mean|Median|Std|Least|Greatest", &rows);
    let lead = "Translation errors as evo defines them, between poses whose times differ by at most 0.01 s.";
    Some(Section { id: "errors", title: "Trajectory errors", lead: lead.into(), body })
}

/// The distance between two vehicles.
fn distances(apart: Option<&Apart>, axis: &Axis) -> Option<Section> {
    let apart = apart?;
    let mut series = Series::default();
    for (t, distance) in &apart.distances {
        series.add(*t, *distance, axis);
    }
    let [a, b] = apart.names.each_ref().map(|name| Esc(&short(name)).to_string());
    let (t, least) = apart.closest;
    let mut body = String::from("<div class=\"panels\">");
    panel(&mut body, "Distance between A and B", "m", vec![("", &series)], PANELS * 2, axis);
    body.push_str("</div>");
    let lead = format!(
        "Between <code>{a}</code> of A and <code>{b}</code> of B, in plan. The closest approach is <b data-key=\"closest\">\
         <data value=\"{least}\">{} m</data></b> at <a href=\"#t={t:.3}\">{}</a>; between positions, both move evenly.",
        digits(least, 4),
        span(t)
    );
    Some(Section { id: "distance", title: "How far apart they were", lead, body })
}

/// A track of A and the one of the same name in B, in metres.
type Pair = (String, [Vec<(f64, f64)>; 2]);

fn tracks(side: &Side) -> Vec<&Track> {
    side.kept.tracks.iter().filter(|track| track.count() > 1).collect()
}

fn pairs(a: &Side, b: &Side) -> Vec<Pair> {
    let (ours, theirs) = (tracks(a), tracks(b));
    let mut pairs = Vec::new();
    // Fixes have few digits, the odometry derived from them has more.
    let owner = |name: &str| name.rsplit_once('/').map(|(owner, _)| owner.to_owned());
    let has_odometry = |fixes: &Track| {
        let is_of =
            |track: &&Track| track.ground() == Ground::Local && owner(&track.name) == owner(&fixes.name);
        fixes.ground() == Ground::Earth
            && fixes.name.contains('/')
            && ours.iter().copied().any(|track| is_of(&track))
    };
    for track in ours.iter().filter(|track| !has_odometry(track)) {
        let same = |other: &&&Track| other.ground() == track.ground() && other.name == track.name;
        // If both have a single track, they are a pair whatever their names.
        let only = theirs
            .first()
            .filter(|other| ours.len() == 1 && theirs.len() == 1 && other.ground() == track.ground());
        if let Some(other) = theirs.iter().find(same).or(only) {
            let origin = track.spots.first().map_or((0.0, 0.0), |spot| (spot.x, spot.y));
            pairs.push((track.name.clone(), [metres(track, origin), metres(other, origin)]));
        }
    }
    // Navigation first; what rests only if nothing moves.
    let moves = |pair: &Pair| pair.1.iter().any(|way| !is_at_rest(way));
    if pairs.iter().any(moves) {
        pairs.retain(moves);
    }
    pairs.sort_by_key(|pair| !pair.0.starts_with("NAV/"));
    pairs
}

fn is_at_rest(way: &[(f64, f64)]) -> bool {
    let (width, height) = size_of(way);
    width.hypot(height) <= 1.0
}

fn metres(track: &Track, origin: (f64, f64)) -> Vec<(f64, f64)> {
    let (north, east) = degree(origin.1);
    let place = |x: f64, y: f64| match track.ground() {
        Ground::Local => (x, y),
        Ground::Earth => {
            let turn = x - origin.0;
            ((turn - (turn / 360.0).round() * 360.0) * east, (y - origin.1) * north)
        }
    };
    track.spots.iter().map(|spot| place(spot.x, spot.y)).collect()
}

fn map(a: &Side, b: &Side) -> Option<Section> {
    let mut body = String::from("<div class=\"maps\">");
    let mut drawn = 0;
    for (name, places) in pairs(a, b).iter().take(2) {
        let all = || places.iter().flatten();
        let ends = |pick: fn(&(f64, f64)) -> f64| {
            all().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let ((x0, x1), (y0, y1)) = (ends(|p| p.0), ends(|p| p.1));
        let (wide, high) = ((x1 - x0).max(0.1) * 1.1, (y1 - y0).max(0.1) * 1.1);
        let (wide, high) = (wide.max(high * 0.6), high.max(wide * 0.4));
        let (cx, cy) = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
        let (x, y) = ((cx - wide / 2.0, cx + wide / 2.0), (cy - high / 2.0, cy + high / 2.0));
        let step = nice(wide, 6.0);
        let lines = |(low, high): (f64, f64)| ticks(low, high, (high - low) / step);
        let tall = u32::try_from(crate::axis::cell(high / wide / 4.0, 40_000).max(100)).unwrap_or(10_000);
        let svg = chart((10_000, tall), x.0..x.1, y.0..y.1, &format!("{name} of A and B"), |canvas| {
            for at in lines(x) {
                canvas.line(&[(at, y.0), (at, y.1)], GRID, 1);
            }
            for at in lines(y) {
                canvas.line(&[(x.0, at), (x.1, at)], GRID, 1);
            }
            for (way, colour) in places.iter().zip(LINES) {
                // A vehicle at rest is one mark.
                let rests = is_at_rest(way);
                canvas.line(
                    if rests { way.part_or_empty(..1) } else { way },
                    colour,
                    if rests { 9 } else { 2 },
                );
            }
        });
        put!(
            body,
            "<figure><figcaption><b>{}</b> <span class=\"keys\"><i class=\"c0\">A</i><i class=\"c1\">B</i></span> \
             <small>a square is {} m</small></figcaption><div class=\"plan\" style=\"aspect-ratio:{:.4};max-width:{:.0}px\">{svg}",
            Esc(&short(name)),
            num(step),
            wide / high,
            640.0 * wide / high
        );
        for at in lines(x) {
            let left = 100.0 * (at - x.0) / wide;
            if (4.0..96.0).contains(&left) {
                put!(body, "<span class=\"gl\" style=\"left:{left:.2}%;bottom:0\">{}</span>", num(at));
            }
        }
        for at in lines(y) {
            let top = 100.0 * (y.1 - at) / high;
            if (4.0..94.0).contains(&top) {
                put!(body, "<span class=\"gl v\" style=\"top:{top:.2}%\">{}</span>", num(at));
            }
        }
        body.push_str("</div></figure>\n");
        drawn += 1;
    }
    body.push_str("</div>");
    let lead = "Tracks of the same name, overlaid.".into();
    (drawn > 0).then_some(Section { id: "map", title: "Where they went", lead, body })
}

/// B minus A, column by column, where both have values.
fn difference(a: &Series, b: &Series, axis: &Axis) -> Series {
    let (a, b) = (a.filled(), b.filled());
    let mut difference = Series::default();
    for (n, (a, b)) in a.iter().zip(&b).enumerate() {
        if let (Some(a), Some(b)) = (a, b) {
            let t = (n as f64 + 0.5) / COLUMNS as f64 * axis.seconds();
            difference.add(t, b - a, axis);
        }
    }
    difference
}

/// The panels in the order of a page, each with whether it is about timings or counters.
fn order<'a>(panels: &'a [Panel], recording: &Recording<'_>) -> Vec<(&'a Panel, bool)> {
    let (drawn, _) = sorted(panels, &movers(recording));
    let place = |panel: &Panel| drawn.iter().position(|drawn| drawn.title.starts_with(&*panel.title));
    let mut ordered: Vec<(usize, &Panel, bool)> = panels
        .iter()
        .map(|panel| {
            let at = place(panel);
            let is_last = at.and_then(|at| drawn.get(at)).is_some_and(Drawn::is_last);
            (at.unwrap_or(usize::MAX), panel, is_last || rank(&panel.title) > OTHERS)
        })
        .collect();
    ordered.sort_by_key(|(at, _, is_last)| (*is_last, *at));
    ordered.into_iter().map(|(_, panel, is_last)| (panel, is_last)).collect()
}

fn numbers(a: &Side, b: &Side) -> Option<Section> {
    let axis = a.kept.axis;
    let theirs: BTreeMap<&str, &Panel> =
        b.kept.numbers.panels.iter().map(|panel| (&*panel.title, panel)).collect();
    let mut body = String::from("<div class=\"panels\">");
    let (mut drawn, mut left) = (0, 0_u64);
    let recording =
        Recording { name: &a.name, surveyed: &a.surveyed, kept: &a.kept, read: &Report::default() };
    let order = order(&a.kept.numbers.panels, &recording);
    let mut has_fold = false;
    for (ours, is_last) in order {
        let Some(other) = theirs.get(&*ours.title) else { continue };
        for ((name, ours_of), (_, theirs_of)) in ours.lines.iter().zip(&other.lines) {
            let range = ours_of.range().max(theirs_of.range());
            if ours_of.count == 0 || theirs_of.count == 0 || range <= 0.0 {
                continue;
            }
            if is_last && !has_fold {
                let _ = write!(
                    body,
                    "</div><details><summary>Timings and counters</summary>{FOLD}<div class=\"panels\">"
                );
                has_fold = true;
            }
            if drawn >= PANELS {
                left += 1;
                continue;
            }
            let title = format!("{} {name}", ours.title);
            let lines = vec![("A", ours_of), ("B", theirs_of)];
            panel(&mut body, &title, &ours.unit, lines, drawn * 2, &axis);
            let difference = difference(ours_of, theirs_of, &axis);
            if difference.count > 0 && difference.range() > 0.0 {
                let title = format!("{}: B minus A", title.trim());
                panel(&mut body, &title, &ours.unit, vec![("", &difference)], drawn * 2 + 1, &axis);
            }
            drawn += 1;
        }
    }
    body.push_str("</div>");
    body.push_str(if has_fold { UNFOLD } else { "" });
    let mut lead = String::from("Numbers in both recordings, and their difference per column of the axis.");
    if left > 0 {
        put!(lead, " {} more are not drawn.", count(left));
    }
    (drawn > 0).then_some(Section { id: "numbers", title: "Numbers over time", lead, body })
}

/// Number of records of a channel, and its rate.
type Counted = (u64, Option<f64>);

fn channels(a: &Side, b: &Side) -> Option<Section> {
    let mut all: BTreeMap<(&str, &str), [Option<Counted>; 2]> = BTreeMap::new();
    for (n, side) in [a, b].into_iter().enumerate() {
        let summary = &side.surveyed.summary;
        for channel in summary.channels.iter().take(LISTED) {
            let known = all.entry((&channel.name, channel.kind)).or_default();
            if let Some(of_side) = known.get_mut(n) {
                *of_side = Some((channel.records, summary.rate_hz(channel)));
            }
        }
    }
    let mut rows = String::new();
    for ((name, kind), sides) in &all {
        put!(rows, "<tr><td>{}</td><td>{kind}</td>", Esc(&short(name)));
        for side in sides {
            match side {
                Some((records, rate)) => {
                    let rate = rate.map_or_else(|| "–".into(), |rate| digits(rate, 3));
                    put!(rows, "<td>{}</td><td>{rate}</td>", count(*records));
                }
                None => rows.push_str("<td class=\"bad\"><strong>missing</strong></td><td>–</td>"),
            }
        }
        rows.push_str("</tr>\n");
    }
    let mut body = String::new();
    open_table(&mut body, "Channel|Kind|Records A|Rate A, Hz|Records B|Rate B, Hz", &rows);
    let lead = "Channels of both recordings.".into();
    (!all.is_empty()).then_some(Section { id: "channels", title: "Channels", lead, body })
}
