//! The page: sections in the order in which a person asks.

mod clouds;
mod events;
mod images;
mod lanes;
mod map;
mod numbers;
mod own;
mod replay;
mod scans;
mod single;
mod sky;
mod states;
mod verdict;

use std::fmt::Write as _;

use robolog_convert::{Report, Surveyed};
use serde_json::json;

pub(crate) use clouds::turn::Turning;
pub(crate) use numbers::panel;
pub(crate) use single::{pixels, vectors};
pub use verdict::Verdict;
pub(crate) use verdict::when;

use crate::{
    axis::Axis,
    collect::Collected,
    folder::Entry,
    text::{Esc, digits, short, ticks},
};

/// Writes to a string, which does not fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        let _ = write!($out, $($arg)*);
    };
}
pub(crate) use put;

/// What a page is made of.
pub(crate) struct Recording<'a> {
    /// The name of the file.
    pub(crate) name: &'a str,
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) kept: &'a Collected,
    pub(crate) read: &'a Report,
}

/// A part of the page.
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// A sentence below the title, as HTML.
    pub(crate) lead: String,
    pub(crate) body: String,
}

/// What the script needs beyond what the pictures hold.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// What each map covers, metres.
    plans: Vec<serde_json::Value>,
    /// Positions by time, for the maps and the replay.
    tracks: Vec<serde_json::Value>,
    /// Laser scans of the replay.
    scans: Option<serde_json::Value>,
}

/// Bytes of a page without its style and script: it is mailed, and stays below 5 MB.
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
/// SHA-256 of the style and the script, which alone may be applied and run; a test holds them to the files.
const STYLE_HASH: &str = include_str!("assets/page.css.sha256");
const SCRIPT_HASH: &str = include_str!("assets/page.js.sha256");

/// The page, whether the recording can be trusted, and its line in the page of a folder.
pub(crate) fn build(recording: &Recording<'_>) -> (String, Verdict, Entry) {
    let mut data = Data::default();
    let verdict = verdict::head(recording);
    let (maps, thumbnail) = map::section(recording, &mut data);
    let mut sections: Vec<Section> = [
        clouds::section(recording),
        maps,
        sky::section(recording),
        scans::section(recording),
        images::section(recording),
        lanes::section(recording),
        states::section(recording),
        numbers::section(recording),
        own::section(recording),
        events::section(recording),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Clouds get what is left.
    let spent: usize = sections.iter().map(|section| section.body.len()).sum();
    let tracks: usize = data.tracks.iter().map(|track| track.to_string().len()).sum();
    let turning = clouds::turn::all(recording, ROOM.saturating_sub(spent + tracks + verdict.html.len()));
    let has_words = sections.iter().any(|section| matches!(section.id, "states" | "numbers"));
    if let Some(stage) = replay::section(recording, &mut data, &turning, has_words) {
        sections.insert(0, stage);
    }
    let axis = &recording.kept.axis;
    let html = assemble(recording.name, &verdict.html, &sections, axis, &data, &turning);
    let entry = Entry::new(recording, verdict.verdict, thumbnail);
    (html, verdict.verdict, entry)
}

/// A page of these sections.
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

/// From the first byte to the beginning of the body.
pub(crate) fn document_start(title: &str, script_hash: &str) -> String {
    let mut html = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    // Browsers that do not know elements and attributes apart fall back to `style-src`.
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
         <button id=\"link\" title=\"an address that opens at this moment\">Copy link</button>\
         <button id=\"all\" title=\"or double click a chart\">All of it</button></div></div>\n"
    );
}

/// JSON that cannot end the element that it stands in.
fn in_script(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A closed table with the numbers of a picture. `heads` are divided by bars.
fn table(title: &str, heads: &str, rows: &str) -> String {
    let mut html = format!("<details class=\"data\"><summary>{}</summary>{FOLD}", Esc(title));
    open_table(&mut html, heads, rows);
    html.push_str(UNFOLD);
    html
}

/// Around what is folded: with a script it is text until it is opened, so that the page has few nodes; without one it is
/// there. It holds no `</noscript`, for every text is escaped.
const FOLD: &str = "<noscript>";
const UNFOLD: &str = "</noscript></details>\n";

/// A table.
pub(crate) fn open_table(html: &mut String, heads: &str, rows: &str) {
    html.push_str("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    for head in heads.split('|') {
        put!(html, "<th scope=\"col\">{head}</th>");
    }
    put!(html, "</tr></thead><tbody>{rows}</tbody></table></div>");
}

/// A number that a program can read too.
fn exact(value: impl std::fmt::Display, shown: &str) -> String {
    format!("<data value=\"{value}\">{shown}</data>")
}

/// The unit in which so many seconds are counted, in seconds, and its name.
fn clock(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 180.0 => (1.0, "s"),
        s if s < 10_800.0 => (60.0, "min"),
        s if s < 200_000.0 => (3600.0, "h"),
        _ => (86_400.0, "d"),
    }
}

/// The labels below a picture over time.
fn time_axis(axis: &Axis, n: f64) -> String {
    let seconds = axis.seconds();
    let (scale, unit) = clock(seconds);
    let mut html = String::from("<div class=\"taxis\" aria-hidden=\"true\">");
    for tick in ticks(0.0, seconds / scale, n) {
        let at = 100.0 * axis.fraction(tick * scale);
        let edge = if at > 96.0 {
            "-100%"
        } else if at < 2.0 {
            "0"
        } else {
            "-50%"
        };
        put!(
            html,
            "<span style=\"left:{at:.3}%;transform:translateX({edge})\">{} {unit}</span>",
            digits(tick, 3)
        );
    }
    html.push_str("</div>");
    html
}

/// The colours of a picture and what they stand for.
fn legend(low: &str, high: &str, colours: &[String]) -> String {
    let mut html = format!("<p class=\"legend\"><span>{low}</span><b aria-hidden=\"true\">");
    for colour in colours {
        put!(html, "<i style=\"background:{colour}\" data-c=\"{colour}\"></i>");
    }
    put!(html, "</b><span>{high}</span></p>");
    html
}

/// Viridis as a legend shows it.
fn viridis() -> Vec<String> {
    crate::raster::VIRIDIS.iter().map(|[r, g, b]| format!("#{r:02X}{g:02X}{b:02X}")).collect()
}

/// `1 gap`, `2 gaps`.
fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", crate::text::count(n as u64)) }
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
