//! Pages of whole recordings.

use robolog_report::Verdict;

use crate::{page, recordings};

#[test]
fn every_recording_has_a_small_page_that_is_the_same_each_time() {
    for path in recordings() {
        let (first, second) = (page(&path), page(&path));
        let name = path.display();
        assert!(first.html == second.html, "{name}: two pages differ");
        assert!(first.html.len() < 5_000_000, "{name}: {} bytes", first.html.len());
        assert!(first.html.starts_with("<!doctype html>") && first.html.ends_with("</html>\n"), "{name}");
        assert_well_formed(&name.to_string(), &first.html);
    }
}

/// Every element that is opened is closed, in order.
pub(crate) fn assert_well_formed(name: &str, html: &str) {
    const EMPTY: [&str; 8] = ["meta", "img", "input", "rect", "circle", "line", "polyline", "polygon"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!doctype html>").unwrap();
    while let Some((_, after)) = rest.split_once('<') {
        let end = after.find('>').unwrap_or_else(|| panic!("{name}: an element without an end"));
        let (tag, next) = (&after[..end], &after[end + 1..]);
        let element = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        rest = next;
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(element), "{name}: near {:?}", &rest[..rest.len().min(200)]);
        } else if element == "script" || element == "style" {
            let close = format!("</{element}>");
            rest = rest.split_once(close.as_str()).unwrap_or_else(|| panic!("{name}: {element}")).1;
        } else if !EMPTY.contains(&element) && !tag.ends_with('/') {
            open.push(element);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
}

#[test]
fn no_page_asks_for_anything_and_only_its_own_script_runs() {
    for path in recordings() {
        let html = page(&path).html;
        let name = path.display();
        assert!(html.contains("default-src 'none'"), "{name}");
        for word in ["http://", "https://", "url(", "@import", "javascript:"] {
            // Texts of recordings may hold addresses, but no attribute does.
            assert!(!html.contains(&format!("=\"{word}")), "{name}: {word}");
        }
        let scripts = html.matches("<script>").count();
        let data = html.matches("<script type=\"application/json\"").count()
            + html.matches("<script type=\"text/plain\"").count();
        assert_eq!((scripts, html.matches("<script").count()), (1, data + 1), "{name}");
    }
}

#[test]
fn the_verdict_is_that_of_check() {
    for path in recordings() {
        let page = page(&path);
        let is_damaged = !page.surveyed.summary.is_ok() || page.read.damages > 0;
        assert_eq!(page.verdict == Verdict::Damaged, is_damaged, "{}", path.display());
    }
}

#[test]
fn a_way_without_times_is_drawn() {
    let point = |n: i32| format!("<trkpt lat=\"47.{n:04}\" lon=\"8.{:04}\"/>", n % 7);
    let points = (0..50).map(point).collect::<Vec<_>>().concat();
    let gpx = format!("<gpx version=\"1.1\"><trk><trkseg>{points}</trkseg></trk></gpx>");
    let html = crate::page_of("untimed.gpx", gpx.as_bytes()).html;
    let (_, map) = html.split_once("class=\"plan").unwrap();
    let lines = map.split_once("</svg>").unwrap().0.matches("stroke=\"#0072B2\"").count();
    assert_eq!(lines, 1, "one line in the colour of a track");
}

#[test]
fn what_stands_still_is_told() {
    let entry = |n| {
        format!(
            "{n}.0 NAV_X pApp 5\n{n}.0 NAV_Y pApp -20\n{n}.0 NAV_HEADING pApp 90\n{n}.0 NAV_SPEED pApp 0\n"
        )
    };
    let text: String = (0..40).map(entry).collect();
    let html = crate::page_of("still.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    assert!(!html.contains("class=\"plan"), "no map of one place");
    assert!(
        html.contains("Nothing moves by more than a metre.") && html.contains("x 5, y −20"),
        "where it stood"
    );
}

#[test]
fn pictures_have_words_beside_them() {
    for path in recordings() {
        let html = page(&path).html;
        let images = html.matches("<img ").count();
        assert_eq!(images, html.matches(" alt=\"").count(), "{}", path.display());
        let drawings = html.matches("<svg ").count();
        let told = html.matches("role=\"img\" aria-label=\"").count()
            + html.matches(" aria-hidden=\"true\">\n").count();
        assert!(told >= drawings, "{}: {told} of {drawings}", path.display());
    }
}

#[test]
fn each_kind_of_sample_has_its_section() {
    let wanted = [
        ("room.lvx", &["clouds", "channels", "details"][..]),
        ("v0_9_15.log", &["map", "channels", "numbers", "details", "events"]),
        ("nav.alog", &["channels", "numbers"]),
        ("new_college_lasers.alog", &["laser"]),
        ("image.log", &["images"]),
        ("dataset", &["map", "sats", "laser", "images", "numbers", "details"]),
    ];
    for path in recordings() {
        let Some((_, ids)) = wanted.iter().find(|(name, _)| path.ends_with(name)) else { continue };
        let html = page(&path).html;
        for id in *ids {
            assert!(html.contains(&format!("<section id=\"{id}\">")), "{}: no {id}", path.display());
        }
    }
}
