//! The stage of the replay, which follows the cursor. The script fills it.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value as Json, json};

use super::{Data, Recording, Section, clouds::turn::Turning, put};
use crate::{
    collect::scan::Scans,
    quantiles::Quantiles,
    text::{Esc, short},
};

/// `None` if nothing moves and there is no 3D view.
pub(super) fn section(
    recording: &Recording<'_>,
    data: &mut Data,
    turning: &Turning,
    has_words: bool,
) -> Option<Section> {
    let kept = recording.kept;
    let has_time = kept.axis.seconds() > 0.0;
    let mut body = String::from("<div class=\"stage\">");
    let before = body.len();
    if !turning.sets.is_empty() {
        body.push_str(&viewer(turning));
    }
    if has_time && data.tracks.iter().any(|track| track.get("map") == Some(&0.into())) {
        body.push_str(
            "<figure><figcaption><b>From above</b> <label><input type=\"checkbox\" id=\"chase\"> follow</label> \
             <small>drag; wheel after a click</small></figcaption><canvas id=\"above\" tabindex=\"0\" role=\"img\" \
             aria-label=\"moving objects from above at the time of the cursor\"></canvas></figure>",
        );
    }
    if let Some(scans) = kept.scans.iter().find(|scans| has_time && scans.replay.len() > 1) {
        data.scans = Some(beams(scans));
        put!(
            body,
            "<figure><figcaption><b>{}</b> <small id=\"beams-at\"></small></figcaption><canvas id=\"beams\" role=\"img\" \
             aria-label=\"the laser scan at the time of the cursor, forward is up\"></canvas></figure>",
            Esc(&short(&scans.name))
        );
    }
    let camera = kept.thumbs.iter().find(|thumbs| thumbs.small.iter().any(|thumb| thumb.t.is_some()));
    if let Some(camera) = camera.filter(|_| has_time) {
        put!(
            body,
            "<figure><figcaption><b>{}</b> <small>the nearest image below</small></figcaption>\
             <img id=\"shot\" alt=\"\"></figure>",
            Esc(&short(&camera.name))
        );
    }
    if body.len() == before {
        return None;
    }
    if has_time && has_words {
        body.push_str("<div class=\"nows\"><table id=\"nows\"></table></div>");
    }
    body.push_str("</div>\n");
    let (title, lead) = if has_time {
        ("Replay", "Space plays and pauses; arrow keys step, with Shift ten steps.")
    } else {
        ("3D view", "Drag to rotate; click a point for its coordinates.")
    };
    Some(Section { id: "replay", title, lead: lead.into(), body })
}

fn viewer(turning: &Turning) -> String {
    let mut html = String::from(
        "<figure class=\"wide\"><figcaption><b>Points</b> <small id=\"gl-note\"></small></figcaption><div class=\"gl3\">\
         <canvas id=\"cloud\" tabindex=\"0\" role=\"img\" aria-label=\"point cloud; drag or use the arrow keys to rotate, \
         with Shift to move, + and - to zoom\"></canvas><div class=\"gb\"><label>Show <select id=\"gl-set\">",
    );
    for (n, set) in turning.sets.iter().enumerate() {
        put!(html, "<option value=\"{n}\">{}</option>", Esc(name(&set.about)));
    }
    if let Some(sweeps) = &turning.sweeps {
        put!(html, "<option value=\"sweeps\">{}</option>", Esc(name(&sweeps.about)));
    }
    html.push_str("</select></label><label>Colour <select id=\"gl-colour\">");
    for colour in ["height", "range", "intensity", "ring", "time"] {
        put!(html, "<option>{colour}</option>");
    }
    html.push_str("</select></label>");
    for (view, words) in [("start", "Reset"), ("front", "Front"), ("top", "Top"), ("side", "Side")] {
        put!(html, "<button data-view=\"{view}\">{words}</button>");
    }
    html.push_str(
        "</div><p class=\"gk\"><span id=\"gl-low\"></span><b></b><span id=\"gl-high\"></span></p>\
         <span id=\"gl-pick\" hidden></span></div>\
         <p class=\"lg\">Drag to rotate, with Shift or the right button to move; Ctrl and the wheel, or the wheel after a click, \
         to zoom; two fingers to move and zoom; click a point for its coordinates.</p></figure>\
         <p id=\"gl-none\" class=\"lg\" hidden>This browser has no WebGL 2: a picture stands in place of the points in 3D.</p>",
    );
    html
}

fn name(about: &Json) -> &str {
    about.get("name").and_then(Json::as_str).unwrap_or("")
}

/// Scans as 16-bit columns.
fn beams(scans: &Scans) -> Json {
    let most = scans.greatest.max(1e-3);
    let unit = most / 65_535.0;
    let ranges = scans.replay.iter().flat_map(|(_, ranges)| ranges);
    let bytes: Vec<u8> = ranges.flat_map(|range| column(f64::from(*range) / most).to_le_bytes()).collect();
    // Scale to the usual range, not the maximum.
    let ranges = scans.replay.iter().flat_map(|(_, ranges)| ranges).filter(|range| **range > 0.0);
    let usual = ranges.map(|range| f64::from(*range)).collect::<Quantiles>().at(0.98);
    let shown = if usual > 0.0 { usual * 1.1 } else { most };
    json!({
        "moments": scans.replay.iter().map(|(t, _)| (t * 1e3).round() / 1e3).collect::<Vec<_>>(),
        "beams": scans.beams.0,
        "first": scans.angles.0,
        "step": scans.beams.1,
        "unit": unit,
        "most": shown,
        "ranges": STANDARD.encode(bytes),
    })
}

/// A fraction in 16 bits.
pub(super) fn column(part: f64) -> u16 {
    u16::try_from(crate::axis::cell(part, 65_536)).unwrap_or(u16::MAX)
}
