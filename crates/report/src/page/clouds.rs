//! Point clouds: sensor view, from above, from the side, and in 3D.

pub(super) mod turn;
mod view;

use std::fmt::Write as _;

use super::{Recording, Section, plural, put, table};
use crate::{
    collect::{
        cloud::Cloud,
        voxels::{Slot, Voxels},
    },
    quantiles::Quantiles,
    text::{Esc, count, short},
};
use view::{Cells, Grid, View};

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
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
    }
    let other =
        recording.kept.lanes.iter().filter(|lane| lane.kind == "point_cloud").map(|lane| lane.channels);
    let mut lead = String::from("Empty cells have no points.");
    if let more @ 1.. = other.sum::<usize>().saturating_sub(recording.kept.clouds.len()) {
        put!(lead, " {} with clouds not drawn.", plural(more, "more channel"));
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
        put!(text, " {} more without a return (range 0) are not drawn.", count(cloud.no_return));
    }
    if cloud.not_finite > 0 {
        put!(text, " {} more have a coordinate that is not finite or out of range.", count(cloud.not_finite));
    }
    if cloud.stride > 1 {
        put!(text, " One of {} clouds is drawn.", count(cloud.stride));
    }
    if let more @ 2.. = cloud.drawn.one_of() {
        put!(text, " Of each cloud, one point of {} is drawn.", count(more));
    }
    text
}

/// Number of points by return number and by tag, if the sensor provides them.
fn returns(cloud: &Cloud) -> String {
    let mut rows = String::new();
    for (what, counts) in [("Return", &cloud.returns), ("Tag", &cloud.tags)] {
        let used = counts.iter().enumerate().filter(|(_, points)| **points > 0);
        for (value, points) in used {
            let meaning = if what == "Return" && value == 0 { " (unknown)" } else { "" };
            put!(rows, "<tr><td>{what}</td><td>{value}{meaning}</td><td>{}</td></tr>\n", count(*points));
        }
    }
    if rows.is_empty() { rows } else { table("Returns and tags as a table", "What|Value|Points", &rows) }
}

fn is_wide(cloud: &Cloud) -> bool {
    let mut azimuths: Quantiles = cloud.sphere.iter().map(|slot| f64::from(slot.at[0])).collect();
    azimuths.at(0.995) - azimuths.at(0.005) > 120.0
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

/// A cloud from above or from the side: the logarithm of the points in each cell, the columns, the range of values, and
/// the ends of both axes.
pub(crate) fn picture(cloud: &Cloud, is_side: bool) -> Picture {
    let cells = cloud.space.iter().map(|slot| {
        let up = if is_side { slot.at[2] } else { slot.at[1] };
        (f64::from(slot.at[0]), f64::from(up), 0.0, slot.count)
    });
    let Grid { mut values, size, range, .. } = View { most: 600, ..ABOVE }.grid(&cells.collect());
    for value in &mut values {
        *value = value.log10();
    }
    let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.1, f32::max);
    (values, size.0, (0.0, f64::from(most)), range)
}

type Picture = (Vec<f32>, usize, (f64, f64), (f64, f64, f64, f64));

fn views(cloud: &Cloud) -> String {
    let wide = is_wide(cloud);
    let of = |voxels: &Voxels, pick: fn(&Slot) -> (f32, f32, f32)| -> Cells {
        let cells = voxels.iter().map(|slot| (pick(slot), slot.count));
        cells.map(|((a, b, value), n)| (f64::from(a), f64::from(b), f64::from(value), n)).collect()
    };
    let sphere = View {
        title: "Sensor view",
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
