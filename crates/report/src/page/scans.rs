//! Laser scans: one from above, and all scans over time.

use std::fmt::Write as _;

use robolog_core::LaserScan;

use super::{Recording, Section, legend, put, time_axis, viridis};
use crate::{
    axis::{Axis, COLUMNS},
    collect::scan::Scans,
    draw::{GRID, LINES, chart},
    raster,
    text::{Esc, count, digits, num, short, span, ticks},
};

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let axis = &recording.kept.axis;
    let mut body = String::new();
    for scans in recording.kept.scans.iter().filter(|scans| scans.greatest > 0.0) {
        put!(body, "<div class=\"two\">{}{}</div>\n", above(scans), waterfall(scans, axis));
    }
    if body.is_empty() {
        return None;
    }
    let lead = "Left: the scan in the middle of the recording. Right: all scans, the nearest echo of each column; blank: \
                no echo.";
    Some(Section { id: "laser", title: "Laser scans", lead: lead.into(), body })
}

fn above(scans: &Scans) -> String {
    let Some((t, scan)) = &scans.middle else { return String::new() };
    let echo = |range: &&f32| range.is_finite() && **range > 0.0;
    let most = scan.ranges.iter().filter(echo).copied().fold(0.0, f32::max);
    let most = f64::from(most).max(1e-3) * 1.05;
    let rings: Vec<f64> = ticks(0.0, most, 4.0).into_iter().filter(|ring| *ring > 0.0).collect();
    let when = t.map_or_else(|| "without a time".into(), |t| format!("at {}", span(t)));
    let label = format!("{}: scan {when} from above", short(&scans.name));
    // Forward is up: x of the picture points right, y of the scanner left.
    let svg = chart((4000, 4000), -most..most, -most..most, &label, |canvas| {
        for ring in &rings {
            let circle: Vec<_> = (0..=72).map(|k| (f64::from(k) * 5.0).to_radians().sin_cos()).collect();
            canvas.line(&circle.iter().map(|(s, c)| (s * ring, c * ring)).collect::<Vec<_>>(), GRID, 1);
        }
        for surface in surfaces(scan) {
            canvas.line(&surface, LINES[0], 3);
        }
    });
    let mut html = format!(
        "<figure><figcaption><b>{}</b> <small>scan {when}; forward is up</small></figcaption><div class=\"plan sq\">{svg}",
        Esc(&short(&scans.name))
    );
    for ring in &rings {
        put!(
            html,
            "<span class=\"gl\" style=\"left:50%;top:{:.1}%\">{} m</span>",
            50.0 - 50.0 * ring / most,
            num(*ring)
        );
    }
    html.push_str("<span class=\"mk o\" style=\"left:50%;top:50%\"></span></div></figure>");
    html
}

/// Echoes in pieces: neighbours with similar ranges belong to one surface.
pub(crate) fn surfaces(scan: &LaserScan) -> Vec<Vec<(f64, f64)>> {
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut last: Option<(usize, f64)> = None;
    for (i, range) in
        scan.ranges.iter().enumerate().filter(|(_, range)| scan.is_valid(**range) && **range > 0.0)
    {
        let range = f64::from(*range);
        let (sin, cos) =
            f64::from(scan.angle_increment).mul_add(i as f64, f64::from(scan.angle_min)).sin_cos();
        let place = (-sin * range, cos * range);
        let is_next = last
            .is_some_and(|(at, before)| i == at + 1 && (range - before).abs() < 0.05f64.mul_add(range, 0.05));
        match pieces.last_mut().filter(|_| is_next) {
            Some(piece) => piece.push(place),
            None => pieces.push(vec![place]),
        }
        last = Some((i, range));
    }
    pieces
}

fn waterfall(scans: &Scans, axis: &Axis) -> String {
    let (first, last) = (scans.angles.0.to_degrees(), scans.angles.1.to_degrees());
    // The leftmost angle is on top.
    let mut rows: Vec<&[f32]> = scans.grid.chunks(COLUMNS).collect();
    if last > first {
        rows.reverse();
    }
    let (top, bottom) = (first.max(last), first.min(last));
    let title = format!("{}: range by angle and time", short(&scans.name));
    let alt = format!("{title}, {} scans, up to {} m", count(scans.samples), num(scans.greatest));
    let mut html = format!(
        "<figure><figcaption><b>{}</b> <small>{} scans</small></figcaption><div class=\"heat\" style=\"height:260px\">\
         <div class=\"hl\">",
        Esc(&title),
        count(scans.samples)
    );
    for angle in ticks(bottom, top, 5.0) {
        let at = 100.0 * (top - angle) / (top - bottom).max(1e-9);
        put!(html, "<span style=\"top:{at:.2}%\">{}°</span>", digits(angle, 3));
    }
    let mut values = rows.concat();
    raster::hold(&mut values, COLUMNS);
    let image = raster::values(&values, COLUMNS, (0.0, scans.greatest));
    put!(
        html,
        "</div><div class=\"tx\"><div class=\"in\"><img alt=\"{}\" src=\"{image}\"></div></div></div>",
        Esc(&alt)
    );
    let key = legend("0", &format!("{} m", digits(scans.greatest, 3)), &viridis());
    put!(html, "<div class=\"hx\">{}</div>{key}</figure>", time_axis(axis, 5.0));
    html
}
