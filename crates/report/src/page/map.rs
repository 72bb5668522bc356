//! Where it went: fixes and poses as tracks on a grid of metres.

mod earth;
mod motion;
mod plan;
mod profile;
mod table;
mod way;

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::json;

pub(crate) use self::{
    earth::Earth,
    plan::ends,
    way::{Way, is_places, size, ways},
};
use self::{
    plan::Plan,
    table::{extent, listed},
    way::Scatter,
};
use super::{Data, Recording, Section, put};
use crate::{collect::track::Ground, draw::chart};

/// The maps, and a thumbnail of the first.
pub(super) fn section(recording: &Recording<'_>, data: &mut Data) -> (Option<Section>, String) {
    let mut body = String::new();
    let mut thumbnail = String::new();
    let mut lead = String::new();
    // Navigation comes first.
    let navigates = recording.kept.tracks.iter().any(|track| track.name.starts_with("NAV/"));
    let order = if navigates { [Ground::Local, Ground::Earth] } else { [Ground::Earth, Ground::Local] };
    let mut known: Vec<Way<'_>> = Vec::new();
    for ground in order {
        let (earth, ways) = on_grid(recording, ground);
        let Some(plan) = Plan::new(&ways, recording, earth) else { continue };
        if !ways.is_empty() && ways.iter().all(|way| known.iter().any(|known| known.is_of_vehicle(way))) {
            // Fixes have few digits, the odometry derived from them has more.
            let tracks = &recording.kept.tracks;
            put!(
                body,
                "<p class=\"lg\">The fixes show the same path.</p>\n{}{}",
                extent(tracks),
                listed(&ways, false, false)
            );
            continue;
        }
        if thumbnail.is_empty() {
            thumbnail = small(&plan);
        }
        let number = data.plans.len() as u64;
        data.plans.push(json!({ "x": [plan.x.0, plan.x.1], "y": [plan.y.0, plan.y.1] }));
        lead.push_str(&plan.lead());
        let slim = if plan.is_narrow() {
            format!(" slim\" style=\"--w:{:.0}px", plan.widest().max(280.0))
        } else {
            String::new()
        };
        put!(
            body,
            "<div class=\"mapgrid{slim}\">{}<div>{}{}</div></div>\n",
            plan.figure(number, data),
            plan.keys()
                + &if earth.is_some() { extent(&recording.kept.tracks) } else { String::new() }
                + &plan.inset()
                + &profile::charts(&ways),
            if ways.is_empty() { String::new() } else { listed(&ways, plan.is_narrow(), true) }
        );
        known = ways;
    }
    if body.is_empty() {
        for ground in order {
            let (_, still) = on_grid(recording, ground);
            if !still.is_empty() {
                body.push_str(&listed(&still, true, true));
                lead = "Nothing moves by more than a metre.".into();
            }
        }
    }
    // Two maps are side by side if there is space.
    let body = if body.matches("class=\"mapgrid").count() > 1 {
        format!("<div class=\"maps\">{body}</div>")
    } else {
        body
    };
    let section = (!body.is_empty()).then_some(Section { id: "map", title: "Where it went", lead, body });
    (section, thumbnail)
}

/// A thumbnail of the tracks for the page of a folder.
fn small(plan: &Plan<'_>) -> String {
    let (width, height) = (plan.x.1 - plan.x.0, plan.y.1 - plan.y.0);
    let half = (width / 8.0).max(height / 5.0) / 2.0;
    let (x, y) = (f64::midpoint(plan.x.0, plan.x.1), f64::midpoint(plan.y.0, plan.y.1));
    let (x, y) = (x - half * 8.0..x + half * 8.0, y - half * 5.0..y + half * 5.0);
    chart((800, 500), x, y, "the path travelled", |canvas| plan.lines(canvas, 400))
}

/// The tracks of one ground in metres; on Earth, relative to the first position that the map shows.
fn on_grid<'a>(recording: &Recording<'a>, ground: Ground) -> (Option<Earth>, Vec<Way<'a>>) {
    let earth = (ground == Ground::Earth).then(|| Earth::new(recording.kept)).flatten();
    let tracks = ways(recording, ground, earth);
    let shown = earth.and_then(|earth| {
        let plan = Plan::new(&tracks, recording, Some(earth)).filter(|plan| !plan.covers((0.0, 0.0)))?;
        earth.counting_from_shown(recording.kept, |place| plan.covers(place))
    });
    match shown {
        Some(earth) => (Some(earth), ways(recording, ground, Some(earth))),
        None => (earth, tracks),
    }
}

/// The actors that the map gives colours, in their order.
pub(crate) fn tints(recording: &Recording<'_>) -> BTreeMap<i64, usize> {
    let ways = ways(recording, Ground::Local, None);
    let mains = plan::mains(&ways).filter_map(|way| way.actor);
    mains.enumerate().map(|(n, actor)| (actor, n)).collect()
}
