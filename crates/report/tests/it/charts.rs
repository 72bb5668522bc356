//! Charts as SVG, held to snapshots that a person has looked at.

use std::{fmt::Write as _, path::Path};

use robolog_convert::{ChannelFilter, Limit};
use robolog_report::{Options, PlotFormat, plot};

use crate::{file, page, recordings};

fn drawn(path: &Path, channel: &'static str, format: PlotFormat) -> Vec<u8> {
    let channels = ChannelFilter::new(move |name| name == channel);
    plot(path, Limit::default().with_channels(channels), format, &Options::default(), &mut |_| {})
        .unwrap()
        .bytes
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
    let svg = drawn(&path, "NAV_SPEED", PlotFormat::Svg);
    std::fs::remove_file(path).unwrap();
    insta::assert_snapshot!(String::from_utf8(svg).unwrap());
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
    let svg = plot(&path, Limit::default(), PlotFormat::Svg, &Options::default(), &mut |_| {}).unwrap().bytes;
    std::fs::remove_file(path).unwrap();
    insta::assert_snapshot!(String::from_utf8(svg).unwrap());
}

#[test]
fn a_picture_begins_with_the_path_and_goes_on_with_numbers() {
    let path = recording("nav.alog");
    let svg = plot(&path, Limit::default(), PlotFormat::Svg, &Options::default(), &mut |_| {}).unwrap().bytes;
    let svg = String::from_utf8(svg).unwrap();
    let [path, numbers] =
        ["A square is 2 m", "NAV_"].map(|text| svg.find(text).unwrap_or_else(|| panic!("no {text}")));
    assert!(path < numbers);
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
fn clouds_and_images_are_png_files() {
    for (name, channel) in
        [("room.lvx", "HORIZONROOM0001/points"), ("new_college_lasers.alog", "LMS_LASER_2D_LEFT/scan")]
    {
        let path = recording(name);
        let any = ChannelFilter::new(move |known| known == channel || name.starts_with("new_college"));
        let png = plot(
            &path,
            Limit::default().with_channels(any),
            PlotFormat::Png,
            &Options::default(),
            &mut |_| {},
        )
        .unwrap();
        assert!(png.bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
}

#[test]
fn a_plot_without_anything_to_draw_is_an_error() {
    let path = recording("room.lvx");
    let none = ChannelFilter::new(|_| false);
    let error =
        plot(&path, Limit::default().with_channels(none), PlotFormat::Svg, &Options::default(), &mut |_| {})
            .unwrap_err();
    assert!(error.to_string().contains("no changing numbers or positions"), "{error}");
}
