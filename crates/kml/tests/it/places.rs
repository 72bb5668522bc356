//! Where positions are: heights, coordinates as people write them, and documents that links lead to.

use std::io::{Cursor, Write as _};

use robolog_core::{Position, Value};
use robolog_kml::{self as kml, AltitudeMode, Coordinate, Header, Kmz, Writer};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::support::{copy, info, samples};

fn document(placemarks: &str) -> String {
    format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>{placemarks}</Document></kml>"
    )
}

/// Longitude, latitude and height of the samples; a position that cannot be read ends them.
fn fixes(file: &str) -> Vec<(f64, f64, Option<f64>)> {
    let place = |place: &Position| (place.longitude, place.latitude, place.altitude_msl);
    let of = |value: &Value| match value {
        Value::GnssFix(fix) => vec![(fix.longitude, fix.latitude, fix.altitude_msl)],
        Value::Feature(feature) => feature.geometry.positions().map(place).collect(),
        _ => unreachable!(),
    };
    samples(file.as_bytes()).iter().flat_map(|sample| of(&sample.value)).collect()
}

fn line(coordinates: &str) -> String {
    document(&format!(
        "<Placemark><LineString><coordinates>{coordinates}</coordinates></LineString></Placemark>"
    ))
}

fn findings(file: &str) -> Vec<(&'static str, String)> {
    info(file.as_bytes()).findings.into_iter().map(|found| (found.code, found.message)).collect()
}

#[test]
fn heights_are_kept_where_they_are_above_the_sea() {
    for (mode, is_kept) in [
        ("", true),
        ("<altitudeMode>absolute</altitudeMode>", true),
        ("<altitudeMode> absolute </altitudeMode>", true),
        ("<altitudeMode>clampToGround</altitudeMode>", false),
        ("<altitudeMode>relativeToGround</altitudeMode>", false),
        ("<gx:altitudeMode>clampToSeaFloor</gx:altitudeMode>", false),
        ("<gx:altitudeMode>relativeToSeaFloor</gx:altitudeMode>", false),
        ("<altitudeMode>absolute</altitudeMode><gx:altitudeMode>relativeToSeaFloor</gx:altitudeMode>", false),
    ] {
        let track = "<when>2020</when><gx:coord>3 45 10</gx:coord>";
        for shape in [
            format!("<Point>{mode}<coordinates>3,45,10</coordinates></Point>"),
            format!("<LineString>{mode}<coordinates>3,45,10</coordinates></LineString>"),
            format!("<gx:Track>{mode}{track}</gx:Track>"),
            format!("<gx:MultiTrack>{mode}<gx:Track>{track}</gx:Track></gx:MultiTrack>"),
            format!("<MultiGeometry><Point>{mode}<coordinates>3,45,10</coordinates></Point></MultiGeometry>"),
        ] {
            let file = document(&format!("<Placemark>{shape}</Placemark>"));
            assert_eq!(fixes(&file), [(3.0, 45.0, is_kept.then_some(10.0))], "{file}");
            assert!(findings(&file).is_empty(), "{file}");
        }
    }
    let own = "<gx:MultiTrack><altitudeMode>clampToGround</altitudeMode><gx:Track><altitudeMode>absolute</altitudeMode>\
        <when>2020</when><gx:coord>3 45 10</gx:coord></gx:Track></gx:MultiTrack>";
    assert_eq!(fixes(&document(&format!("<Placemark>{own}</Placemark>"))), [(3.0, 45.0, Some(10.0))]);
    let odd = document(
        "<Placemark><Point><altitudeMode>up</altitudeMode><coordinates>3,45,10</coordinates></Point></Placemark>",
    );
    let found = findings(&odd);
    assert!(matches!(&found[..], [("value", message)] if message.contains("\"up\"")), "{found:?}");
}

#[test]
fn coordinates_are_those_of_google_earth() {
    let want = [(3.0, 45.0, Some(10.0)), (3.1, 45.1, Some(11.0))];
    for text in [
        "3.0, 45.0, 10\n 3.1, 45.1, 11",
        "3.0,45.0, 10 3.1, 45.1,11",
        "\n3.0,\n45.0,\t10, 3.1,45.1,11,\n",
        "3.0,45.0,10,3.1,45.1,11",
    ] {
        assert_eq!(fixes(&line(text)), want, "{text}");
        assert!(findings(&line(text)).is_empty(), "{text}");
    }
    assert_eq!(fixes(&line("3, 45 4, 46")), [(3.0, 45.0, None), (4.0, 46.0, None)]);
}

#[test]
fn places_are_on_the_globe() {
    let file = line("200,45,1 359.5,-90 180,90 360,0 -180,0");
    let got: Vec<_> =
        fixes(&file).into_iter().map(|(longitude, latitude, _)| (longitude, latitude)).collect();
    assert_eq!(got, [(-160.0, 45.0), (-0.5, -90.0), (180.0, 90.0), (0.0, 0.0), (-180.0, 0.0)]);
    let message = "3 longitudes beyond 180 degrees are read as west of Greenwich: 200 as -160";
    assert_eq!(findings(&file), [("longitude", message.to_owned())]);
    assert!(info(file.as_bytes()).is_ok());
    assert_eq!(copy(file.as_bytes(), &mut |_, _| true), (file.clone(), 1, 0));

    let off = line("3,45,1 3,95 361,0 -181,0 3.5,90.5 4,46");
    assert_eq!(findings(&off).iter().filter(|(code, _)| *code == "position").count(), 4);
    let (copied, _, errors) = copy(off.as_bytes(), &mut |_, _| true);
    assert_eq!((copied, errors), (line("3,45,1 4,46"), 1));
    let track = "<Placemark><gx:Track><when>2020</when><when>2021</when><gx:coord>3 95 1</gx:coord>\
        <gx:coord>200 45 1</gx:coord></gx:Track></Placemark>";
    let found = findings(&document(track));
    assert!(found[0].1.contains("\"3 95 1\", expected latitudes of -90 to 90"), "{found:?}");
    assert_eq!(found[1].1, "a longitude of 200 degrees is read as -160");
    testkit::assert_agrees::<kml::Kml>("off", off.as_bytes());
    testkit::assert_agrees::<kml::Kml>("track", document(track).as_bytes());
}

#[test]
fn a_time_without_a_place_is_in_no_span() {
    let track = "<Placemark><gx:Track><when>2020</when><when>2021</when><when>2022</when>\
        <gx:coord>3 45 1</gx:coord><gx:coord></gx:coord></gx:Track></Placemark>";
    let summary = info(document(track).as_bytes());
    assert_eq!(summary.channels[0].records, 1);
    let (start, end) = summary.span.unwrap();
    assert_eq!((start.to_string(), end), ("2020-01-01T00:00:00.000000000Z".to_owned(), start));
}

#[test]
fn elements_nest_128_deep() {
    let nested = |n: usize| {
        let inside = "<Placemark><Point><coordinates>3,45</coordinates></Point></Placemark>";
        document(&format!("{}{inside}{}", "<Folder>".repeat(n), "</Folder>".repeat(n)))
    };
    assert_eq!(fixes(&nested(126)).len(), 1);
    assert!(info(nested(126).as_bytes()).is_ok());
    assert!(findings(&nested(127))[0].1.contains("nesting of 129"));
}

const LINKS: &str = "<NetworkLink><name>a</name><Link><href>files/a.kml</href></Link></NetworkLink>\
    <NetworkLink><Url><href><![CDATA[ https://example.org/b.kml?x=1&y ]]></href></Url></NetworkLink>\
    <GroundOverlay><Icon><href>c.png</href></Icon></GroundOverlay>";

#[test]
fn links_that_are_not_read_are_named() {
    let message = "2 network links are not read: files/a.kml, https://example.org/b.kml?x=1&y";
    assert_eq!(findings(&document(LINKS)), [("network-links", message.to_owned())]);
}

fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn links_within_an_archive_are_read() {
    let point = |longitude: u8| {
        format!("<Placemark><Point><coordinates>{longitude},45</coordinates></Point></Placemark>")
    };
    let link = |href: &str| format!("<NetworkLink><Link><href>{href}</href></Link></NetworkLink>");
    let bytes = archive(&[
        // Back to the first, and to itself.
        (
            "files/a b.kml",
            &format!(
                "\u{feff}<?xml version=\"1.0\"?>{}",
                document(&format!(
                    "{}{}{}{}",
                    point(2),
                    link("../doc.kml"),
                    link("a%20b.kml"),
                    link("deep/c.kml")
                ))
            ),
        ),
        ("files/deep/c.kml", &point(3)),
        (
            "doc.kml",
            &document(&format!(
                "{}{}{}{}{}{}",
                point(1),
                link("files/a%20b.kml"),
                link("FILES/A B.KML"),
                link("c.png"),
                link("gone.kml"),
                point(4)
            )),
        ),
        ("unlinked.kml", &document(&point(9))),
        ("c.png", "\u{89}PNG"),
    ]);
    let merged = String::from_utf8(kml::read_kmz(Cursor::new(&bytes), 1 << 20).unwrap()).unwrap();
    let got: Vec<_> = fixes(&merged).iter().map(|fix| fix.0).collect();
    assert_eq!(got, [1.0, 2.0, 3.0, 4.0], "{merged}");
    let message = "2 network links are not read: c.png, gone.kml";
    assert_eq!(findings(&merged), [("network-links", message.to_owned())]);
    let read = Kmz::read(Cursor::new(&bytes), 1 << 20).unwrap();
    let names: Vec<_> = read.documents.iter().map(|document| document.name.as_str()).collect();
    assert_eq!(names, ["doc.kml", "files/a b.kml", "files/deep/c.kml"]);
    let len: usize = read.documents.iter().map(|document| document.text.len()).sum();
    assert!(kml::read_kmz(Cursor::new(&bytes), len - 1).unwrap_err().to_string().contains("limit"));
    assert!(kml::read_kmz(Cursor::new(&bytes), len).is_ok());
}

/// A chain of links does not end in a full stack.
#[test]
fn links_lead_sixteen_documents_deep() {
    let names: Vec<_> = (0..5000).map(|n| format!("{n}.kml")).collect();
    let text = |n: usize| {
        document(&format!(
            "<NetworkLink><Link><href>{}.kml</href></Link></NetworkLink><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>",
            n + 1
        ))
    };
    let texts: Vec<_> = (0..names.len()).map(text).collect();
    let entries: Vec<_> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let merged = kml::read_kmz(Cursor::new(archive(&entries)), 64 << 20).unwrap();
    let merged = String::from_utf8(merged).unwrap();
    assert_eq!(fixes(&merged).len(), 17);
    assert_eq!(findings(&merged)[0].1, "1 network link is not read: 17.kml");
}

/// A flipped bit of the directory or a header costs no document: its own header, or its length, leads to it.
#[test]
fn a_flipped_bit_hides_no_document() {
    let link = "<NetworkLink><Link><href>files/b.kml</href></Link></NetworkLink>";
    let point = |n: usize| format!("<Placemark><Point><coordinates>{n},2</coordinates></Point></Placemark>");
    let texts = [document(&format!("{}{link}", point(1))), document(&point(2))];
    let whole = archive(&[("doc.kml", &texts[0]), ("files/b.kml", &texts[1])]);
    let places = |bytes: &[u8]| {
        let (text, fault) = kml::read_damaged_kmz(Cursor::new(bytes), 1 << 20).ok()?;
        Some((text.windows(13).filter(|part| part == b"<coordinates>").count(), fault.is_some()))
    };
    assert_eq!(places(&whole), Some((2, false)));
    let mut listed = zip::ZipArchive::new(Cursor::new(&whole)).unwrap();
    let contents = [0, 1].map(|index| {
        let entry = listed.by_index(index).unwrap();
        let start = usize::try_from(entry.data_start().unwrap()).unwrap();
        start..start + usize::try_from(entry.compressed_size()).unwrap()
    });
    let mut lost = Vec::new();
    for at in 4..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            let found = places(&bytes);
            assert!(!matches!(found, Some((0 | 1, false))), "{at}.{bit}: {found:?}");
            let is_of_header = !contents.iter().any(|content| content.contains(&at));
            if is_of_header && found.is_none_or(|(count, _)| count < 2) {
                lost.push((at, bit, found));
            }
        }
    }
    assert!(lost.is_empty(), "{contents:?} {lost:?}");
}

#[test]
fn the_document_of_a_torn_archive_is_found_by_its_header() {
    let placemark = |n| format!("<Placemark><Point><coordinates>{n}.5,2</coordinates></Point></Placemark>");
    let text = document(&(0..90).map(placemark).collect::<String>());
    let whole = archive(&[("a.png", "PNG"), ("doc.kml", &text)]);
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let (read, fault) = kml::read_damaged_kmz(Cursor::new(&whole[..directory]), 1 << 20).unwrap();
    assert!(read == text.as_bytes());
    assert!(matches!(fault.unwrap().kind(), kml::ErrorKind::Invalid { .. }));
    let (read, fault) = kml::read_damaged_kmz(Cursor::new(&whole[..directory - 40]), 1 << 20).unwrap();
    assert!(text.as_bytes().starts_with(&read) && read.len() > 200 && fault.is_some(), "{}", read.len());
    assert!(kml::read_damaged_kmz(Cursor::new(b"no archive"), 1 << 20).is_err());
}

#[test]
fn a_track_of_one_position_is_a_point_with_a_time() {
    let mut writer = Writer::new(Vec::new(), &Header::default()).unwrap();
    let time = robolog_core::Timestamp::from_utc(2024, 5, 1, 0, 0, 2, 0);
    let place = Coordinate { longitude: 7.3, latitude: 50.3, altitude: None };
    writer.begin_track("a & b", Some(AltitudeMode::ClampToGround)).unwrap();
    writer.point(time, place).unwrap();
    writer.begin_track("c", None).unwrap();
    writer.point(None, place).unwrap();
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    assert_eq!(
        lines[3..],
        [
            "<Placemark>",
            "<name>a &amp; b</name>",
            "<TimeStamp><when>2024-05-01T00:00:02Z</when></TimeStamp>",
            "<Point>",
            "<altitudeMode>clampToGround</altitudeMode>",
            "<coordinates>7.3,50.3</coordinates>",
            "</Point>",
            "</Placemark>",
            "<Placemark>",
            "<name>c</name>",
            "<Point>",
            "<coordinates>7.3,50.3</coordinates>",
            "</Point>",
            "</Placemark>",
            "</Document>",
            "</kml>",
        ]
    );
}
