//! Charts as SVG, held to snapshots that a person has looked at.

use std::{fmt::Write as _, path::Path};

use robolog_convert::{ChannelFilter, Limit};
use robolog_report::{Options, PlotFormat, Plotting, Source, plot};

use crate::{file, page, recordings};

fn drawn(paths: &[&Path], channel: &'static str, format: PlotFormat) -> robolog_convert::Result<Vec<u8>> {
    let mut plotting = Plotting::default();
    if !channel.is_empty() {
        plotting.limit = Limit::default().with_channels(ChannelFilter::new(move |name| name == channel));
    }
    plotting.format = format;
    let sources: Vec<Source<'_>> = paths.iter().map(|path| Source::Path(path)).collect();
    plot(&sources, &plotting, &Options::default(), &mut |_| {}).map(|picture| picture.bytes)
}

fn svg(paths: &[&Path], channel: &'static str) -> String {
    String::from_utf8(drawn(paths, channel, PlotFormat::Svg).unwrap()).unwrap()
}

fn recording(name: &str) -> std::path::PathBuf {
    recordings().into_iter().find(|path| path.ends_with(name)).unwrap()
}

#[test]
fn numbers_over_time() {
    let mut text = String::from("%% LOGSTART 1536314400\n");
    for n in 0..60 {
        // A spike, and a gap from 30 to 45 s.
        let value = if n == 20 { 50 } else { n };
        if !(30..45).contains(&n) {
            let _ = writeln!(text, "{n}.00000 NAV_SPEED pNav {value}");
        }
    }
    let path = file("spike.alog", text.as_bytes());
    let svg = svg(&[&path], "NAV_SPEED");
    std::fs::remove_file(path).unwrap();
    insta::assert_snapshot!(svg);
}

#[test]
fn where_it_went() {
    let mut text = String::from("<gpx version=\"1.1\"><trk><trkseg>");
    for n in 0..40 {
        let (lat, lon) = (47.0 + f64::from(n.min(20)) * 1e-4, 8.0 + f64::from(n.max(20) - 20) * 1e-4);
        let _ = write!(
            text,
            "<trkpt lat=\"{lat:.6}\" lon=\"{lon:.6}\"><time>2024-05-17T10:00:{n:02}Z</time></trkpt>"
        );
    }
    text.push_str("</trkseg></trk></gpx>");
    let path = file("corner.gpx", text.as_bytes());
    let svg = svg(&[&path], "");
    std::fs::remove_file(path).unwrap();
    insta::assert_snapshot!(svg);
}

#[test]
fn the_path_is_beside_the_numbers() {
    let svg = svg(&[&recording("nav.alog")], "");
    let [path, numbers] =
        [">start<", ">NAV_"].map(|text| svg.find(text).unwrap_or_else(|| panic!("no {text}")));
    assert!(path < numbers);
}

#[test]
fn a_constant_number_is_a_flat_line() {
    let lines: Vec<String> = (0..9).map(|n| format!("{n}.00000 NAV_SPEED pNav 2.5\n")).collect();
    let path = file("flat.alog", format!("%% LOGSTART 1536314400\n{}", lines.concat()).as_bytes());
    let svg = svg(&[&path], "");
    std::fs::remove_file(path).unwrap();
    let line = svg.lines().find(|line| line.contains("stroke=\"#0072B2\"")).expect("a line");
    let (_, d) = line.split_once(" d=\"M").unwrap();
    let heights: Vec<&str> =
        d.trim_end_matches("\"/>").split('L').map(|at| at.split(' ').nth(1).unwrap()).collect();
    assert!(heights.len() > 5 && heights.iter().all(|y| *y == heights[0]), "{line}");
}

#[test]
fn a_vehicle_at_rest_is_one_mark_and_places_are_a_map() {
    let fix = |n: usize| format!("<trkpt lat=\"47\" lon=\"8\"><time>2024-05-17T10:00:0{n}Z</time></trkpt>");
    let track: String = (0..5).map(fix).collect();
    let still = format!("<gpx version=\"1.1\"><trk><name>boat</name><trkseg>{track}</trkseg></trk></gpx>");
    let path = file("still.gpx", still.as_bytes());
    assert!(svg(&[&path], "").contains("(at rest)"));
    std::fs::remove_file(path).unwrap();
    let place = |n: usize| format!("<wpt lat=\"47.00{n}\" lon=\"8\"><name>place {n}</name></wpt>");
    let places: String = (0..4).map(place).collect();
    let path = file("places.gpx", format!("<gpx version=\"1.1\">{places}</gpx>").as_bytes());
    let svg = svg(&[&path], "");
    std::fs::remove_file(path).unwrap();
    assert!((0..4).all(|n| svg.contains(&format!(">place {n}<"))), "{svg}");
}

#[test]
fn several_recordings_share_axes_and_have_a_colour_each() {
    let log = |name: &str, from: u32| {
        let lines: Vec<String> =
            (from..from + 9).map(|n| format!("{n}.00000 NAV_SPEED pNav {}\n", n * n)).collect();
        file(name, format!("%% LOGSTART 1536314400\n{}", lines.concat()).as_bytes())
    };
    let (a, b) = (log("a.alog", 0), log("b.alog", 4));
    let svg = svg(&[&a, &b], "");
    for path in [a, b] {
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(svg.matches(">NAV_SPEED<").count(), 1, "one chart");
    for colour in ["#0072B2", "#D55E00"] {
        assert!(
            svg.lines().any(|line| line.contains(&format!("stroke=\"{colour}\" stroke-width=\"1.5\""))),
            "{svg}"
        );
    }
}

#[test]
fn every_recording_is_drawn_in_both_formats() {
    for path in recordings() {
        for format in [PlotFormat::Svg, PlotFormat::Png] {
            match drawn(&[&path], "", format) {
                Ok(picture) => assert!(picture.len() > 500, "{}", path.display()),
                // Without samples there is nothing to draw.
                Err(error) => {
                    let is_empty = matches!(error, robolog_convert::Error::Empty(_))
                        || robolog_convert::Input::open(&path).is_err();
                    assert!(is_empty, "{}: {error}", path.display());
                }
            }
        }
    }
}

/// Drawing number `n` of a section of a page.
fn drawing(name: &str, section: &str, n: usize) -> String {
    let html = page(&recording(name)).html;
    let (_, section) = html.split_once(&format!("<section id=\"{section}\">")).unwrap();
    let section = section.split_once("</section>").unwrap().0;
    let svg = section.split("<svg").nth(n + 1).unwrap().split_once("</svg>").unwrap().0;
    format!("<svg{svg}</svg>")
}

#[test]
fn when_a_channel_has_records() {
    insta::assert_snapshot!(drawing("nav.alog", "channels", 0));
}

#[test]
fn where_satellites_stood() {
    insta::assert_snapshot!(drawing("dataset", "sats", 0));
}

#[test]
fn a_plot_without_anything_selected_is_an_error() {
    let error = drawn(&[&recording("room.lvx")], "none", PlotFormat::Svg).unwrap_err();
    assert!(error.to_string().contains("nothing was selected"), "{error}");
}
