//! The page and its sections, most wanted first.

pub(crate) mod clouds;
mod events;
pub(crate) mod happened;
mod html;
mod images;
mod lanes;
pub(crate) mod map;
pub(crate) mod numbers;
mod own;
mod replay;
pub(crate) mod scans;
mod sky;
mod states;
mod verdict;

use std::fmt::Write as _;

use robolog_convert::{Report, Surveyed};
use serde_json::json;

pub(crate) use clouds::turn::Turning;
pub(crate) use html::{FOLD, UNFOLD, clock, open_table};
use html::{exact, legend, plural, table, time_axis, viridis};
pub(crate) use numbers::panel;
pub(crate) use own::actors;
pub use verdict::Verdict;
pub(crate) use verdict::when;

use crate::{
    axis::Axis,
    collect::Collected,
    text::{Esc, short},
};

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        let _ = write!($out, $($arg)*);
    };
}
pub(crate) use put;

/// The input of a page.
pub(crate) struct Recording<'a> {
    /// Name of the file.
    pub(crate) name: &'a str,
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) kept: &'a Collected,
    pub(crate) read: &'a Report,
}

/// A section of the page.
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// A sentence below the title, as HTML.
    pub(crate) lead: String,
    pub(crate) body: String,
}

/// Data for the script, in addition to the pictures.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// Extent of each map, metres.
    plans: Vec<serde_json::Value>,
    /// Positions by time, for the maps and the replay.
    tracks: Vec<serde_json::Value>,
    /// Seconds to the first pose.
    begin: Option<f64>,
    /// Laser scans of the replay.
    scans: Option<serde_json::Value>,
}

/// Maximum bytes of a page without style and script: pages are mailed, and stay below 5 MB.
const ROOM: usize = 4_800_000;

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = concat!(
    include_str!("assets/script/start.js"),
    include_str!("assets/script/cursor.js"),
    include_str!("assets/script/readouts.js"),
    include_str!("assets/script/cloud.js"),
    include_str!("assets/script/stage.js"),
    include_str!("assets/script/map.js"),
    include_str!("assets/script/player.js"),
    include_str!("assets/script/end.js"),
);
/// SHA-256 of the only style and script allowed; a test compares them with the files.
const STYLE_HASH: &str = include_str!("assets/page.css.sha256");
const SCRIPT_HASH: &str = include_str!("assets/page.js.sha256");

/// The page, the verdict, and the path as SVG for the page of a folder.
pub(crate) fn build(recording: &Recording<'_>) -> (String, Verdict, String) {
    let mut data = Data::default();
    let verdict = verdict::head(recording);
    let (maps, thumbnail) = map::section(recording, &mut data);
    let mut sections: Vec<Section> = [
        clouds::section(recording),
        maps,
        sky::section(recording),
        scans::section(recording),
        images::section(recording),
        states::section(recording),
        numbers::section(recording),
        lanes::section(recording),
        own::section(recording),
        events::section(recording),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Clouds get the remaining space.
    let spent: usize = sections.iter().map(|section| section.body.len()).sum();
    let tracks: usize = data.tracks.iter().map(|track| track.to_string().len()).sum();
    let turning = clouds::turn::all(recording, ROOM.saturating_sub(spent + tracks + verdict.html.len()));
    let has_words = sections.iter().any(|section| matches!(section.id, "states" | "numbers"));
    if let Some(stage) = replay::section(recording, &mut data, &turning, has_words) {
        sections.insert(0, stage);
    }
    if let Some(happened) = happened::section(recording) {
        sections.insert(0, happened);
    }
    let axis = &recording.kept.axis;
    let html = assemble(recording.name, &verdict.html, &sections, axis, &data, &turning);
    (html, verdict.verdict, thumbnail)
}

/// Whether a recording can be trusted.
pub(crate) fn verdict_of(recording: &Recording<'_>) -> Verdict {
    verdict::head(recording).verdict
}

/// Assembles a page from sections.
pub(crate) fn assemble(
    title: &str,
    head: &str,
    sections: &[Section],
    axis: &Axis,
    data: &Data,
    turning: &Turning,
) -> String {
    let mut html = document_start(title, SCRIPT_HASH);
    html.push_str(head);
    navigation(&mut html, sections, axis.seconds() > 0.0);
    html.push_str("<main>\n");
    for Section { id, title, lead, body } in sections {
        let scripted = if *id == "replay" { " class=\"scripted\"" } else { "" };
        put!(
            html,
            "<section id=\"{id}\"{scripted}><h2>{title}</h2><p class=\"lead\">{lead}</p>\n{body}</section>\n"
        );
    }
    html.push_str("</main>\n");
    let block = json!({
        "seconds": axis.seconds(),
        "begin": data.begin,
        "plans": data.plans,
        "tracks": data.tracks,
        "scans": data.scans,
        "clouds": turning.sets.iter().map(|set| &set.about).collect::<Vec<_>>(),
        "sweeps": turning.sweeps.as_ref().map(|sweeps| &sweeps.about),
    });
    put!(html, "<script type=\"application/json\" id=\"data\">{}</script>\n", in_script(&block));
    for (n, set) in turning.sets.iter().enumerate() {
        put!(html, "<script type=\"text/plain\" id=\"points{n}\">{}</script>\n", set.points);
    }
    if let Some(sweeps) = &turning.sweeps {
        put!(html, "<script type=\"text/plain\" id=\"sweeps\">{}</script>\n", sweeps.points);
    }
    put!(html, "<script>{SCRIPT}</script>\n</body></html>\n");
    html
}

/// The document up to the start of the body.
pub(crate) fn document_start(title: &str, script_hash: &str) -> String {
    let mut html = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    // Browsers without `style-src-elem` and `style-src-attr` fall back to `style-src`.
    put!(
        html,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; script-src \
         'sha256-{}'; style-src 'unsafe-inline'; style-src-elem 'sha256-{}'; style-src-attr 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n",
        script_hash.trim(),
        STYLE_HASH.trim()
    );
    put!(
        html,
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"robolog {}\">\n\
         <title>{} – robolog report</title>\n<style>{STYLE}</style></head><body>\n",
        env!("CARGO_PKG_VERSION"),
        Esc(&short(title))
    );
    html
}

fn navigation(html: &mut String, sections: &[Section], has_times: bool) {
    html.push_str("<div id=\"bar\"><nav aria-label=\"Sections\">");
    for Section { id, title, .. } in sections {
        put!(html, "<a href=\"#{id}\">{title}</a>");
    }
    let hidden = if has_times { "" } else { " hidden" };
    put!(
        html,
        "</nav><div class=\"scripted player\"{hidden}><button id=\"play\" title=\"space\">▶ Play</button>\
         <select id=\"speed\" aria-label=\"speed\"></select><input id=\"scrub\" type=\"range\" min=\"0\" max=\"1000\" \
         step=\"any\" value=\"0\" aria-label=\"time in the recording\"><output id=\"now\">–</output>\
         <input id=\"filter\" type=\"search\" placeholder=\"Filter channels\" aria-label=\"filter channels\" autocomplete=\"off\">\
         <button id=\"link\" title=\"a link that opens at this moment\">Copy link</button>\
         <button id=\"all\" title=\"or double-click a chart\">Whole time</button></div></div>\n"
    );
}

/// JSON that cannot close the surrounding script element.
fn in_script(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_lets_the_script_and_the_style_run() {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        for (text, hash, file) in
            [(STYLE, STYLE_HASH, "page.css.sha256"), (SCRIPT, SCRIPT_HASH, "page.js.sha256")]
        {
            let expected = STANDARD.encode(Sha256::digest(text.as_bytes()));
            assert_eq!(hash.trim(), expected, "assets/{file}: {expected}");
        }
    }

    #[test]
    fn the_script_is_short_and_its_own() {
        assert!(SCRIPT.lines().count() <= 1200);
        for word in ["http:", "https:", "import", "eval(", "fetch(", "innerHTML", "XMLHttpRequest"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }

    #[test]
    fn json_does_not_end_its_element() {
        assert!(!in_script(&json!({ "a": "</script><script>" })).contains('<'));
    }
}
