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

/// Every opened element is closed, in order.
pub(crate) fn assert_well_formed(name: &str, html: &str) {
    const EMPTY: [&str; 4] = ["meta", "img", "input", "path"];
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
            // Recorded text may contain addresses, but no attribute may.
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

/// A GPX track or way points; each point has these child elements.
fn gpx(points: impl Iterator<Item = (f64, f64, String)>, name: &str) -> Vec<u8> {
    let (open, close) = if name == "wpt" { ("", "") } else { ("<trk><trkseg>", "</trkseg></trk>") };
    let point = |(lat, lon, more)| format!("<{name} lat=\"{lat}\" lon=\"{lon}\">{more}</{name}>");
    let points: String = points.map(point).collect();
    format!("<gpx version=\"1.1\" creator=\"a\">{open}{points}{close}</gpx>").into_bytes()
}

/// The cells of the only row of the table of tracks.
fn tracks(html: &str) -> Vec<Vec<String>> {
    let (_, table) = html.split_once("<summary>All tracks as a table</summary>").unwrap();
    let rows = table.split_once("</table>").unwrap().0.split("<tr><td>").skip(1);
    let cells =
        |row: &str| row.split("</td><td>").map(|cell| cell.split("</td>").next().unwrap().into()).collect();
    rows.map(cells).collect()
}

#[test]
fn what_has_no_times_has_no_speed_and_no_colour_of_one() {
    // A flight of a kilometre in a track without times.
    let flight = (0..100).map(|n| (47.0 + f64::from(n) * 1e-4, 8.0, String::new()));
    let html = crate::page_of("flight.gpx", &gpx(flight, "trkpt")).html;
    assert!(!html.contains("coloured by"), "no value, no colours");
    let [row] = &tracks(&html)[..] else { panic!("one track") };
    assert_eq!((&*row[1], &*row[2], &*row[3], &*row[4], &*row[5]), ("100", "1101", "–", "–", "–"));
}

#[test]
fn what_drives_backwards_has_a_negative_speed() {
    let entry = |n: i32| {
        let (speed, steps) = if n < 20 { (2.0, n) } else { (-1.5, 40 - n) };
        let latitude = 42.0 + f64::from(steps) * 2e-5;
        format!("{n}.0 NAV_LAT pApp {latitude:.7}\n{n}.0 NAV_LONG pApp -71.5\n{n}.0 NAV_SPEED pApp {speed}\n")
    };
    let text: String = (0..40).map(entry).collect();
    let html = crate::page_of("back.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let (_, legend) = html.split_once("<p class=\"legend\"><span>").unwrap();
    assert!(legend.starts_with("≤ −1.5</span>"), "{}", &legend[..40]);
}

#[test]
fn latitudes_are_those_of_the_positions_as_info_has_them() {
    let time = |n: i32| format!("<time>2024-05-06T08:00:{n:02}Z</time>");
    let points = (0..50).map(|n| (45.123_456 + f64::from(n % 7) * 1e-3, 3.5 - f64::from(n) * 1e-3, time(n)));
    let (south, west) = (45.123_456, 3.5 - 49.0 * 1e-3);
    let page = crate::page_of("box.gpx", &gpx(points, "trkpt"));
    let extent = page.surveyed.summary.details["extent"].clone();
    let (_, shown) = page.html.split_once("data-key=\"extent\">").unwrap();
    let shown = shown.split_once("</p>").unwrap().0;
    let exact: Vec<f64> =
        shown.split("value=\"").skip(1).map(|v| v.split_once('"').unwrap().0.parse().unwrap()).collect();
    let told = ["south", "north", "west", "east"].map(|key| extent[key].as_f64().unwrap());
    assert_eq!(exact, told);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(exact[0], south) && near(exact[1], south + 6e-3) && near(exact[2], west), "{exact:?}");
    assert!(near(exact[3], 3.5), "{exact:?}");
}

#[test]
fn way_points_are_no_way() {
    let cities = [(48.85, 2.35), (52.52, 13.4), (40.71, -74.0)];
    for time in ["", "<time>2024-05-06T08:00:00Z</time>"] {
        let points = cities.iter().map(|(lat, lon)| (*lat, *lon, time.to_owned()));
        let html = crate::page_of("cities.gpx", &gpx(points, "wpt")).html;
        if time.is_empty() {
            let [row] = &tracks(&html)[..] else { panic!("one channel") };
            assert_eq!((&*row[1], &*row[2], &*row[3]), ("3", "–", "–"));
            assert!(html.contains("Separate places, not a track."));
        }
    }
}

#[test]
fn a_clock_that_was_not_set_is_not_healthy() {
    let time = |n: i32| format!("<time>1901-12-13T20:45:52.207{n:03}Z</time>");
    let hike = (0..184).map(|n| (46.43 + f64::from(n) * 1e-4, 13.74, time(n)));
    let page = crate::page_of("hike.gpx", &gpx(hike, "trkpt"));
    assert_eq!(page.verdict, Verdict::Warnings);
    assert!(page.html.contains("the clock was not set"));
}

#[test]
fn the_smallest_the_mean_and_the_largest_number_differ() {
    let entry = |n: i32| format!("{n}.0 NAV_LAT pApp {:.6}\n", 42.358_19 + f64::from(n) * 1e-6);
    let text: String = (0..150).map(entry).collect();
    let html = crate::page_of("lat.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let (_, row) = html.split_once("<tr><td>NAV_LAT </td>").unwrap();
    let row = row.split_once("</tr>").unwrap().0;
    let shown: Vec<&str> = row
        .split("<data ")
        .skip(1)
        .map(|v| v.split_once('>').unwrap().1.split('<').next().unwrap())
        .collect();
    assert_eq!(shown, ["42.35819", "42.3582645", "42.358339"]);
}

#[test]
fn speed_and_length_of_a_warped_mission_are_by_one_clock() {
    // 20 m/s by the mission's clock, which runs ten times as fast as the wall clock.
    let entry = |n: i32| {
        let t = f64::from(n) / 10.0;
        format!("{t:.3} NAV_X pApp {}\n{t:.3} NAV_Y pApp 0\n{t:.3} NAV_HEADING pApp 90\n", t * 20.0)
    };
    let text: String = (0..301).map(entry).collect();
    // 2018-09-07 12:00:00 UTC, times ten.
    let head = "%% LOG FILE:       ./MOOSLog_7_9_2018_____12_00_00.alog\n%% LOGSTART           15363216000\n";
    let page = crate::page_of("warp.alog", format!("{head}{text}").as_bytes());
    assert_eq!(page.surveyed.summary.details["time_warp"], 10.0);
    assert!(
        page.html.contains("data-key=\"simulated_s\"><dt>Simulated time</dt><dd><data value=\"30\">30 s<")
    );
    let [row, ..] = &tracks(&page.html)[..] else { panic!("a track") };
    assert_eq!((&*row[2], &*row[3]), ("600", "20"), "{row:?}");
}

#[test]
fn the_bar_of_a_scale_is_as_long_on_paper_as_on_the_screen() {
    // The bar is a share of the line below the map, so both must have the same maximum width.
    let css = include_str!("../../src/assets/page.css");
    for rule in css.split('}').filter(|rule| rule.contains("max-width")) {
        let (selectors, _) = rule.rsplit_once('{').unwrap();
        let selectors: Vec<&str> = selectors.rsplit('{').next().unwrap().trim().split(',').collect();
        assert_eq!(selectors.contains(&".plan"), selectors.contains(&".under"), "{rule}");
    }
}

#[test]
fn fixes_of_few_digits_have_no_map_beside_the_odometry() {
    // 60 m to the north-east; a hundred-thousandth of a degree of latitude is 1.11 m.
    let entry = |n: i32, north: f64| {
        let (x, y) = (f64::from(n) * 0.7, f64::from(n) * north);
        let (lat, long) = (42.358_2 + f64::from(n) * 0.7 / 111_070.0, -71.086_85 + x / 82_400.0);
        format!(
            "{n}.0 NAV_X p {x}\n{n}.0 NAV_Y p {y}\n{n}.0 NAV_LAT p {lat:.5}\n{n}.0 NAV_LONG p {long:.5}\n{n}.0 NAV_HEADING p 45\n"
        )
    };
    let page =
        |text: String| crate::page_of("nav.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let html = page((0..60).map(|n| entry(n, 0.7)).collect());
    assert_eq!(html.matches("class=\"mapgrid").count(), 1, "one map");
    assert!(html.contains("The fixes show the same path.") && html.contains("data-key=\"extent\""));
    assert_eq!(html.matches("<summary>All tracks as a table").count(), 2, "both in tables");
    // 30 m apart at the end: both have a map.
    assert_eq!(
        page((0..60).map(|n| entry(n, 0.2)).collect()).matches("class=\"mapgrid").count(),
        2,
        "two maps"
    );
}

#[test]
fn what_stands_at_first_faces_where_it_does() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    // To the west from the third second on; a heading of 270 degrees is pi from east.
    let entry = |n: i32| {
        let x = -f64::from((n - 3).max(0));
        format!("{n}.0 NAV_X p {x}\n{n}.0 NAV_Y p 0\n{n}.0 NAV_HEADING p 270\n")
    };
    let text: String = (0..20).map(entry).collect();
    let html = crate::page_of("west.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let (_, columns) = html.split_once("\"columns\":\"").unwrap();
    let columns = STANDARD.decode(columns.split_once('"').unwrap().0).unwrap();
    let words: Vec<u16> = columns.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    let headings = &words[words.len() / 4 * 3..];
    assert!(
        headings.len() > 10 && headings.iter().all(|heading| heading.abs_diff(1 << 15) < 4),
        "{headings:?}"
    );
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
