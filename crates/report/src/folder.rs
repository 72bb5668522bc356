//! The page of a folder of reports, one row per recording.

use std::fmt::Write as _;

use crate::{
    axis::cell,
    collect::track::{Ground, Track, degree},
    draw::{GRID, LINES, chart},
    page::{Recording, Verdict, document_start, put, when},
    text::{Esc, count, digits, nice, short, size, span, ticks},
};

const GALLERY: &str = include_str!("assets/gallery.js");
/// SHA-256 of the only script allowed to run; a test compares it with the file.
const GALLERY_HASH: &str = include_str!("assets/gallery.js.sha256");

/// The row of a recording on the page of a folder.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry {
    /// The recording's file.
    pub name: String,
    /// Address of its page, relative to the folder's page; empty if there is none.
    pub link: String,
    /// The verdict; `None` if the recording could not be read at all.
    pub verdict: Option<Verdict>,
    about: Vec<Cell>,
    /// Its path as SVG.
    thumbnail: String,
    /// Longitude and latitude of some positions.
    places: Vec<(f64, f64)>,
}

/// A cell of the table: its text and sort key.
#[derive(Debug, Clone)]
struct Cell {
    text: String,
    by: Option<f64>,
}

impl Cell {
    fn number(text: String, by: f64) -> Self {
        Self { text, by: Some(by).filter(|by| by.is_finite()) }
    }

    fn count(n: usize) -> Self {
        Self::number(count(n as u64), n as f64)
    }
}

/// Maximum positions per recording on the common map, and maximum recordings labelled there.
const PLACES: usize = 100;
const NAMED: usize = 60;

impl Entry {
    pub(crate) fn new(recording: &Recording<'_>, verdict: Verdict, thumbnail: String) -> Self {
        let (surveyed, summary) = (recording.surveyed, &recording.surveyed.summary);
        let start = summary.span.map_or_else(|| "–".into(), |span| when(span.0));
        let seconds = recording.kept.axis.seconds();
        let axis = &recording.kept.axis;
        let gaps = recording.kept.lanes.iter().filter_map(|lane| lane.intervals(axis));
        let about = vec![
            Cell { text: surveyed.format_for_people(), by: None },
            Cell::number(start, summary.span.map_or(f64::NAN, |span| span.0.nanos() as f64)),
            Cell::number(span(seconds), seconds),
            Cell::number(size(surveyed.bytes), surveyed.bytes as f64),
            Cell::number(count(summary.records), summary.records as f64),
            Cell::count(summary.channels.len()),
            Cell::count(gaps.map(|known| known.gaps.len()).sum()),
            Cell::count(recording.kept.tables.get("collisions").map_or(0, Vec::len)),
        ];
        let on_earth = |track: &&Track| track.ground() == Ground::Earth && track.count() > 0;
        let places = recording.kept.tracks.iter().find(on_earth).map_or_else(Vec::new, |track| {
            let step = track.spots.len().div_ceil(PLACES).max(1);
            track.spots.iter().step_by(step).map(|spot| (spot.x, spot.y)).collect()
        });
        Self {
            name: recording.name.to_owned(),
            link: String::new(),
            verdict: Some(verdict),
            about,
            thumbnail,
            places,
        }
    }

    /// The row of an unreadable file.
    pub fn unreadable(name: &str, why: &str) -> Self {
        Self {
            name: name.to_owned(),
            link: String::new(),
            verdict: None,
            about: vec![Cell { text: why.to_owned(), by: None }],
            thumbnail: String::new(),
            places: Vec::new(),
        }
    }

    /// The same with the address of its page.
    #[must_use]
    pub fn with_link(self, link: impl Into<String>) -> Self {
        Self { link: link.into(), ..self }
    }
}

/// The page of a folder with these recordings.
///
/// ```
/// use robolog_report::{Entry, index};
/// let entries = [Entry::unreadable("notes.bin", "no recording").with_link("")];
/// let page = index("Monday", &entries);
/// assert!(page.starts_with("<!doctype html>") && page.contains("notes.bin"));
/// ```
pub fn index(title: &str, entries: &[Entry]) -> String {
    let mut html = document_start(title, GALLERY_HASH);
    put!(html, "<header><h1>{}</h1><p class=\"lead\">", Esc(&short(title)));
    for verdict in [Verdict::Sound, Verdict::Remarks, Verdict::Warnings, Verdict::Limited, Verdict::Damaged] {
        let n = entries.iter().filter(|entry| entry.verdict == Some(verdict)).count();
        if n > 0 || !matches!(verdict, Verdict::Remarks | Verdict::Limited) {
            put!(html, "{} {n} &nbsp; ", verdict.words());
        }
    }
    let unread = entries.iter().filter(|entry| entry.verdict.is_none()).count();
    put!(html, "unreadable {unread}</p></header><main>");
    html.push_str(
        "<p class=\"scripted\"><label>Filter <input id=\"find\" type=\"search\" autocomplete=\"off\"></label> \
         <output id=\"found\"></output></p><div class=\"scroll all\" tabindex=\"0\"><table class=\"folder\"><thead><tr>",
    );
    for head in HEADS {
        put!(html, "<th scope=\"col\">{head}</th>");
    }
    html.push_str("</tr></thead><tbody>\n");
    for entry in entries {
        row(&mut html, entry);
    }
    html.push_str("</tbody></table></div>");
    html.push_str(&everywhere(entries));
    put!(html, "</main>\n<script>{GALLERY}</script>\n</body></html>\n");
    html
}

const HEADS: [&str; 11] = [
    "Path",
    "Recording",
    "Verdict",
    "Format",
    "Starts",
    "Duration",
    "Size",
    "Records",
    "Channels",
    "Gaps",
    "Collisions",
];

fn row(html: &mut String, entry: &Entry) {
    put!(html, "<tr><td><div class=\"way\">{}</div></td><td>", entry.thumbnail);
    let name = Esc(&short(&entry.name)).to_string();
    if entry.link.is_empty() {
        html.push_str(&name);
    } else {
        put!(html, "<a href=\"{}\">{name}</a>", Esc(&address(&entry.link)));
    }
    let (class, words) = entry.verdict.map_or(("bad", "✕ Unreadable"), |v| (v.class(), v.words()));
    put!(html, "</td><td class=\"{class}\"><strong>{words}</strong></td>");
    let wide = if entry.verdict.is_none() { " colspan=\"8\"" } else { "" };
    for Cell { text, by } in &entry.about {
        let by = by.map_or_else(String::new, |by| format!(" data-v=\"{by}\""));
        put!(html, "<td{wide}{by}>{}</td>", Esc(&text.chars().take(300).collect::<String>()));
    }
    html.push_str("</tr>\n");
}

/// A map of all recordings with positions on Earth; empty for fewer than two paths that can be seen on it.
fn everywhere(entries: &[Entry]) -> String {
    let found: Vec<&Entry> = entries.iter().filter(|entry| !entry.places.is_empty()).collect();
    let Some(origin) = found.first().and_then(|entry| entry.places.first()).filter(|_| found.len() > 1)
    else {
        return String::new();
    };
    let mut latitudes: Vec<f64> = found.iter().filter_map(|entry| Some(entry.places.first()?.1)).collect();
    latitudes.sort_by(f64::total_cmp);
    let (north, east) = degree(latitudes.get(latitudes.len() / 2).copied().unwrap_or(origin.1));
    let metres = |(longitude, latitude): &(f64, f64)| {
        let turn = longitude - origin.0;
        ((turn - (turn / 360.0).round() * 360.0) * east, (latitude - origin.1) * north)
    };
    let ways: Vec<Vec<(f64, f64)>> =
        found.iter().map(|entry| entry.places.iter().map(metres).collect()).collect();
    let ends = |pick: fn(&(f64, f64)) -> f64| {
        let all = ways.iter().flatten().map(pick);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((x0, x1), (y0, y1)) = (ends(|p| p.0), ends(|p| p.1));
    // Paths too small to see would be dots far apart.
    let is_seen = |way: &&Vec<(f64, f64)>| {
        let (low, high) = way.iter().fold(
            ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY)),
            |(low, high), p| ((low.0.min(p.0), low.1.min(p.1)), (high.0.max(p.0), high.1.max(p.1))),
        );
        (high.0 - low.0).max(high.1 - low.1) > 0.02 * (x1 - x0).max(y1 - y0)
    };
    if ways.iter().filter(is_seen).count() < 2 {
        return String::new();
    }
    let (wide, high) = ((x1 - x0).max(10.0) * 1.15, (y1 - y0).max(10.0) * 1.15);
    let (wide, high) = (wide.max(high * 1.2), high.max(wide * 0.35));
    let (left, bottom) = (f64::midpoint(x0, x1) - wide / 2.0, f64::midpoint(y0, y1) - high / 2.0);
    let tall = u32::try_from(cell(high / wide / 4.0, 40_000).max(100)).unwrap_or(10_000);
    let label = "positions of all recordings";
    let svg = chart((10_000, tall), left..left + wide, bottom..bottom + high, label, |canvas| {
        let step = nice(wide, 8.0);
        for x in ticks(left, left + wide, 8.0) {
            canvas.line(&[(x, bottom), (x, bottom + high)], GRID, 1);
        }
        for y in ticks(bottom, bottom + high, high / step) {
            canvas.line(&[(left, y), (left + wide, y)], GRID, 1);
        }
        for (n, way) in ways.iter().enumerate() {
            canvas.line(way, LINES.get(n % LINES.len()).copied().unwrap_or(GRID), 3);
        }
    });
    let mut html = format!(
        "<figure><figcaption><b>All recordings</b> <small>a square is {} km</small></figcaption>\
         <div class=\"plan\" style=\"aspect-ratio:{:.4};max-width:1200px\">{svg}",
        digits(nice(wide, 8.0) / 1e3, 3),
        wide / high
    );
    let mut named: Vec<(f64, f64)> = Vec::new();
    for (entry, way) in found.iter().zip(&ways) {
        let Some((x, y)) = way.first() else { continue };
        let (across, down) = (100.0 * (x - left) / wide, 100.0 * (bottom + high - y) / high);
        // Overlapping names would be unreadable.
        let is_free = named.iter().all(|(a, d)| (a - across).abs() > 14.0 || (d - down).abs() > 5.0);
        let name = if is_free && named.len() < NAMED { short(&entry.name) } else { String::new() };
        named.extend(Some((across, down)).filter(|_| !name.is_empty()));
        let side = if across > 80.0 { " r" } else { "" };
        put!(
            html,
            "<span class=\"mk v{side}\" style=\"left:{across:.2}%;top:{down:.2}%\">{}</span>",
            Esc(&name)
        );
    }
    html.push_str("</div></figure>\n");
    html
}

/// A path as a relative URL, with special characters percent-encoded. It cannot have another scheme.
fn address(path: &str) -> String {
    let mut address = String::from("./");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(byte));
            }
            byte => {
                put!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_lets_the_script_run() {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        use sha2::{Digest as _, Sha256};
        let expected = STANDARD.encode(Sha256::digest(GALLERY.as_bytes()));
        assert_eq!(GALLERY_HASH.trim(), expected, "assets/gallery.js.sha256");
        assert!(index("a", &[]).contains(&expected));
    }

    #[test]
    fn hostile_names_are_text_and_addresses_of_files() {
        let entry = Entry::unreadable("<script>alert(1)</script>", "<b>").with_link("javascript:alert(1)");
        let html = index("a&b", &[entry]);
        assert!(!html.contains("<script>alert") && !html.contains("<b>"));
        assert!(html.contains("href=\"./javascript%3Aalert%281%29\""));
    }
}
