//! Point clouds: as the sensor sees them, from above, from the side, and to be turned.

mod view;

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{Data, Recording, Section, plural, put, table};
use crate::{
    axis::cell,
    collect::{
        cloud::Cloud,
        voxels::{Slot, Voxels},
    },
    text::{Esc, count, digits, short, span},
};
use view::{Cells, Grid, View};

pub(super) fn section(recording: &Recording<'_>, data: &mut Data) -> Option<Section> {
    let clouds: Vec<&Cloud> = recording.kept.clouds.iter().filter(|cloud| cloud.space.len() > 0).collect();
    if clouds.is_empty() {
        return None;
    }
    let mut body = String::new();
    for cloud in &clouds {
        put!(
            body,
            "<h3><code>{}</code></h3><p class=\"lead\">{}</p>",
            Esc(&short(&cloud.name)),
            about(cloud)
        );
        body.push_str(&views(cloud));
        body.push_str(&returns(cloud));
        let mut sets = vec![(true, &cloud.space)];
        // Of a sensor that turns, and so most likely moves, one scan says more than all of them on top of each other.
        let at = usize::from(!is_wide(cloud) || cloud.samples <= 3);
        if cloud.samples > 1 && cloud.scan.len() > 100 {
            sets.insert(at, (false, &cloud.scan));
        }
        for (is_all, voxels) in sets {
            data.clouds.extend(turnable(cloud, voxels, is_all));
        }
    }
    body.push_str(&viewer(data));
    let other =
        recording.kept.lanes.iter().filter(|lane| lane.kind == "point_cloud").map(|lane| lane.channels);
    let mut lead = String::from("Empty cells stay empty.");
    if let more @ 1.. = other.sum::<usize>().saturating_sub(recording.kept.clouds.len()) {
        put!(lead, " {} of clouds are not drawn.", plural(more, "more channel"));
    }
    Some(Section { id: "clouds", title: "Point clouds", lead, body })
}

fn about(cloud: &Cloud) -> String {
    let seen = cloud.points - cloud.no_return - cloud.not_finite;
    let clouds = if cloud.samples == 1 {
        "One cloud".into()
    } else {
        format!("{} clouds together", count(cloud.samples))
    };
    let mut text = format!("{clouds}, {} points.", count(seen));
    if cloud.no_return > 0 {
        put!(text, " {} more without a return (range 0) are left out.", count(cloud.no_return));
    }
    if cloud.not_finite > 0 {
        put!(
            text,
            " {} more have a coordinate that is no number or farther than any.",
            count(cloud.not_finite)
        );
    }
    if cloud.stride > 1 {
        put!(text, " One of {} clouds is drawn.", count(cloud.stride));
    }
    text
}

/// How many points are of which return and have which tag, where the sensor says that.
fn returns(cloud: &Cloud) -> String {
    let mut rows = String::new();
    for (what, counts) in [("Return", &cloud.returns), ("Tag", &cloud.tags)] {
        let used = counts.iter().enumerate().filter(|(_, points)| **points > 0);
        for (value, points) in used {
            let meaning = if what == "Return" && value == 0 { " (not told)" } else { "" };
            put!(rows, "<tr><td>{what}</td><td>{value}{meaning}</td><td>{}</td></tr>\n", count(*points));
        }
    }
    if rows.is_empty() { rows } else { table("Returns and tags as a table", "What|Value|Points", &rows) }
}

fn is_wide(cloud: &Cloud) -> bool {
    let azimuths = sorted(cloud.sphere.iter().map(|slot| f64::from(slot.at[0])));
    quantile(&azimuths, 0.995) - quantile(&azimuths, 0.005) > 120.0
}

const ABOVE: View = View {
    title: "From above",
    across: "x, forward",
    up: "y, left",
    unit: "m",
    is_nearest: false,
    is_equal: true,
    most: 420,
};

/// A cloud from above: the logarithm of the points in each cell, the columns, and the range.
pub(super) fn picture(cloud: &Cloud) -> (Vec<f32>, usize, (f64, f64)) {
    let cells =
        cloud.space.iter().map(|slot| (f64::from(slot.at[0]), f64::from(slot.at[1]), 0.0, slot.count));
    let view = View { most: 1200, ..ABOVE };
    let Grid { mut values, size, .. } = view.grid(&cells.collect());
    for value in &mut values {
        *value = value.log10();
    }
    let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.1, f32::max);
    (values, size.0, (0.0, f64::from(most)))
}

fn views(cloud: &Cloud) -> String {
    let wide = is_wide(cloud);
    let of = |voxels: &Voxels, pick: fn(&Slot) -> (f32, f32, f32)| -> Cells {
        let cells = voxels.iter().map(|slot| (pick(slot), slot.count));
        cells.map(|((a, b, value), n)| (f64::from(a), f64::from(b), f64::from(value), n)).collect()
    };
    let sphere = View {
        title: "As the sensor sees it",
        across: "azimuth, right",
        up: "elevation",
        unit: "°",
        is_nearest: true,
        is_equal: !wide,
        most: if wide { 900 } else { 360 },
    };
    let above = ABOVE;
    let side = View { title: "From the side", up: "z, up", ..ABOVE };
    let front = sphere.draw(&of(&cloud.sphere, |slot| (-slot.at[0], slot.at[1], slot.at[2])));
    let above = above.draw(&of(&cloud.space, |slot| (slot.at[0], slot.at[1], 0.0)));
    let side = side.draw(&of(&cloud.space, |slot| (slot.at[0], slot.at[2], 0.0)));
    if wide {
        format!("<div class=\"one\">{front}</div><div class=\"views\">{above}{side}</div>\n")
    } else {
        format!("<div class=\"views\">{front}<div>{above}{side}</div></div>\n")
    }
}

/// What the script needs to draw points, and the points: three coordinates and the intensity of 16 bits each.
fn turnable(cloud: &Cloud, voxels: &Voxels, is_all: bool) -> Option<(serde_json::Value, String)> {
    let mut slots: Vec<&Slot> = voxels.iter().collect();
    // In order of place: the same points are the same bytes, and compress when the page is mailed.
    slots.sort_by(|a, b| {
        a.at[0].total_cmp(&b.at[0]).then(a.at[1].total_cmp(&b.at[1])).then(a.at[2].total_cmp(&b.at[2]))
    });
    let axis = |pick: fn(&Slot) -> f32| sorted(slots.iter().map(|slot| f64::from(pick(slot))));
    let axes = [axis(|s| s.at[0]), axis(|s| s.at[1]), axis(|s| s.at[2])];
    let lows: Vec<f64> = axes.iter().map(|axis| quantile(axis, 0.0)).collect();
    let widths = axes.iter().map(|axis| quantile(axis, 1.0) - quantile(axis, 0.0));
    let unit = (widths.fold(0.0, f64::max) / 65_535.0).max(1e-6);
    let centre: Vec<f64> = axes.iter().map(|axis| quantile(axis, 0.5)).collect();
    let distance = |slot: &Slot, from: &[f64]| {
        let d = slot.at.iter().zip(from).map(|(v, from)| (f64::from(*v) - from).powi(2));
        d.sum::<f64>().sqrt()
    };
    let size = quantile(&sorted(slots.iter().map(|slot| distance(slot, &centre))), 0.9);
    let ends = |sorted: &[f64]| [round(quantile(sorted, 0.02)), round(quantile(sorted, 0.98))];
    let mut bytes = Vec::with_capacity(slots.len() * 8);
    for slot in &slots {
        for (v, low) in slot.at.iter().zip(&lows) {
            let steps = ((f64::from(*v) - low) / unit).round();
            bytes.extend(whole(steps).to_le_bytes());
        }
        bytes.extend(whole(f64::from(slot.intensity)).to_le_bytes());
    }
    let what = match (is_all, cloud.scan_at) {
        (false, Some(at)) => format!("one scan, at {}", span(at)),
        _ if cloud.samples == 1 => "one cloud".to_owned(),
        _ => format!("all {} clouds", count(cloud.samples)),
    };
    let thinned = if voxels.points > voxels.len() as u64 {
        format!("one point a cube of {} cm", digits(f64::from(voxels.cell()) * 100.0, 2))
    } else {
        "every point".to_owned()
    };
    let about = json!({
        "name": format!("{}: {what}", short(&cloud.name)),
        "note": format!("{} points ({thinned})", count(slots.len() as u64)),
        "n": slots.len(),
        "unit": unit,
        "low": lows,
        "centre": centre,
        "size": round(size.max(1e-3)),
        "height": ends(axes.last()?),
        "range": ends(&sorted(slots.iter().map(|slot| distance(slot, &[0.0; 3])))),
        "intensity": cloud.has_intensity.then(|| ends(&axis(|s| s.intensity))),
    });
    Some((about, STANDARD.encode(bytes)))
}

fn viewer(data: &Data) -> String {
    let mut html = String::from(
        "<figure class=\"scripted\"><figcaption><b>Turn it</b> <small id=\"gl-note\"></small></figcaption><div class=\"gl3\">\
         <canvas id=\"cloud\" tabindex=\"0\" role=\"img\" aria-label=\"point cloud; drag or use the arrow keys to turn, \
         wheel or + and - to zoom\"></canvas><div class=\"gb\"><label>Show <select id=\"gl-set\">",
    );
    for (n, (about, _)) in data.clouds.iter().enumerate() {
        let name = about.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
        put!(html, "<option value=\"{n}\">{}</option>", Esc(name));
    }
    html.push_str(
        "</select></label><label>Colour <select id=\"gl-colour\"><option value=\"range\">range</option>\
         <option value=\"height\">height</option><option value=\"intensity\">intensity</option></select></label>\
         <button data-view=\"front\">Front</button><button data-view=\"top\">Top</button>\
         <button data-view=\"side\">Side</button></div></div><p class=\"lg\" id=\"gl-legend\"></p></figure>\
         <p id=\"gl-none\" class=\"lg\" hidden>This browser has no WebGL 2; the pictures above hold the same points.</p>\n",
    );
    html
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted.get(cell(q, sorted.len())).copied().unwrap_or_default()
}

/// Six digits are enough for a picture.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped; NaN becomes 0")]
fn whole(value: f64) -> u16 {
    value.clamp(0.0, 65_535.0) as u16
}
