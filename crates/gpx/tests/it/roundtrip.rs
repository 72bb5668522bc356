//! Copies equal the files, streams their slices, and written documents read back the same.

use robolog_core::{GnssFix, Limits, Timestamp, survey};
use robolog_gpx::{self as gpx, Gpx, Reader, StreamReader};

use crate::support::{TWO, copy, corpus, info, ipds};

#[test]
fn copies_are_the_files_and_streams_their_slices() {
    let (mut files, mut agreements) = (0, 0);
    for (name, file, _) in corpus() {
        testkit::assert_copies::<Gpx>(&name, &file);
        for limits in [Limits::default(), Limits::default().with_record(1 << 13)] {
            if file.len() < 100_000 {
                agreements += testkit::assert_slice_is_stream::<Gpx>(&file, limits);
            }
        }
        files += 1;
    }
    for (_, file) in ipds() {
        agreements += testkit::assert_slice_is_stream::<Gpx>(&file, Limits::default());
    }
    println!("{files} files copied, {agreements} streams equal to their slices");
}

#[test]
fn a_cut_document_stays_one() {
    let from = Timestamp::from_utc(2020, 1, 1, 0, 0, 5, 0).unwrap();
    let mut channels = Vec::new();
    let (file, errors) = copy(TWO.as_bytes(), &mut |channel, time| {
        channels.push(channel.to_owned());
        time.is_some_and(|time| time >= from)
    });
    assert_eq!(channels, ["waypoints", "track1/segment1", "track1/segment1"]);
    assert_eq!(errors, Vec::<String>::new());
    let text = String::from_utf8_lossy(&file);
    assert!(!text.contains("wpt") && !text.contains("lon=\"2\"") && text.contains("<ele>10</ele>"), "{text}");
    assert!(info(&file).is_ok());
}

#[test]
fn documents_are_written_as_they_were_read() {
    let (document, error) = gpx::read(TWO.as_bytes());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(document.tracks[0].head.name.as_deref(), Some("a & b"));
    assert_eq!(document.tracks[0].head.links[0].href, "u");
    let written = gpx::write(&document, Vec::new()).unwrap();
    let (again, error) = gpx::read(&written);
    assert!(error.is_none(), "{error:?}");
    let (a, b) = (&document.tracks[0].segments[0].points[1], &again.tracks[0].segments[0].points[1]);
    assert_eq!((a, &document.waypoints), (b, &again.waypoints));
    let text = String::from_utf8(written).unwrap();
    assert!(
        text.contains("<extensions><course xmlns=\"http://www.topografix.com/GPX/1/0\">90</course>"),
        "{text}"
    );
    assert!(gpx::Writer::new(Vec::new(), &gpx::Header::default()).unwrap().begin_segment().is_err());
}

/// A point has one time: the text that was read is written while it names that time.
#[test]
fn the_time_of_a_point_that_is_set_is_written() {
    let file = TWO.replace("00:00:00Z", "10:58:42.50+02:00");
    let (document, error) = gpx::read(file.as_bytes());
    assert!(error.is_none());
    let mut point: gpx::Waypoint = document.tracks[0].segments[0].points[0].clone();
    let write = |point: &gpx::Waypoint| {
        let mut writer = gpx::Writer::new(Vec::new(), &gpx::Header::new("x")).unwrap();
        writer.waypoint(point).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    };
    assert!(write(&point).contains("<time>2020-01-01T10:58:42.50+02:00</time>"));
    point.position.time = Timestamp::from_utc(2020, 1, 2, 3, 4, 5, 0);
    assert!(write(&point).contains("<time>2020-01-02T03:04:05Z</time>"));
    point.position.time = None;
    assert!(!write(&point).contains("<time>"));
}

const GARMIN: &str = "<gpxtpx:TrackPointExtension \
            xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\">\n      \
            <gpxtpx:speed>2.5</gpxtpx:speed>\n      <gpxtpx:course>90</gpxtpx:course>\n    \
            </gpxtpx:TrackPointExtension></extensions>";

#[test]
fn speed_and_course_are_read_from_where_they_are_written() {
    const SPEED: &str = "<speed xmlns=\"http://www.topografix.com/GPX/1/0\">2.5</speed>";
    let position = gpx::Position { speed: Some(2.5), course: Some(90.0), ..gpx::Position::new(1.0, 2.0) };
    let mut point = gpx::Waypoint::from(position);
    for extensions in [None, Some(gpx::Extensions::new("<a:b xmlns:a=\"u\">1</a:b>"))] {
        point.extensions = extensions;
        let mut writer = gpx::Writer::new(Vec::new(), &gpx::Header::new("test")).unwrap();
        writer.waypoint(&point).unwrap();
        let file = writer.finish().unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains(SPEED), "{text}");
        // The namespace, names and order of Garmin's schema TrackPointExtensionv2.xsd.
        assert!(text.contains(GARMIN), "{text}");
        let (document, error) = gpx::read(&file);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(document.waypoints, [point.clone()]);
        assert_eq!(gpx::write(&document, Vec::new()).unwrap(), file, "{text}");
    }

    // The rest of Garmin's element stays an extension.
    let file = b"<gpx version='1.1' xmlns:g='u'><wpt lat='1' lon='2'><extensions><g:TrackPointExtension>\
        <g:hr>99</g:hr><g:speed>2.5</g:speed></g:TrackPointExtension></extensions></wpt></gpx>";
    let (document, error) = gpx::read(file);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(document.waypoints[0].position.speed, Some(2.5));
    let kept = document.waypoints[0].extensions.as_ref().unwrap();
    assert_eq!(kept.content, "<g:TrackPointExtension><g:hr>99</g:hr></g:TrackPointExtension>");

    // Elements of other namespaces, deeper ones and those of other `extensions` do not count.
    let point = |extensions: &str| {
        let file = format!("<gpx version='1.1'><wpt lat='1' lon='2'>{extensions}<sat>7</sat></wpt></gpx>");
        let reader = Reader::new(file.as_bytes()).unwrap();
        let record = reader.records().next().unwrap().unwrap();
        let position = record.position().unwrap();
        assert_eq!(record.position_by_events(&mut |_| {}).unwrap(), position, "{file}");
        assert_eq!(position.satellites, Some(7));
        position.speed
    };
    let extended = |content: &str| point(&format!("<extensions>{content}</extensions>"));
    assert_eq!(extended(SPEED), Some(2.5));
    assert_eq!(extended(&SPEED.replace("2.5", "&#50;<!-- -->.5")), Some(2.5));
    assert_eq!(extended(&format!("<a><b/>{SPEED}</a> <speed>1</speed>")), None);
    assert_eq!(extended(&format!("<a>{SPEED}</a>{SPEED}").replacen("2.5", "1", 1)), Some(2.5));
    assert_eq!(extended(&SPEED.replace("GPX/1/0", "GPX/1/1")), None);
    let garmin = |inner: &str| extended(&format!("<g:TrackPointExtension>{inner}</g:TrackPointExtension>"));
    assert_eq!(garmin("<g:hr>99</g:hr> <g:speed>2.5</g:speed>"), Some(2.5));
    assert_eq!(garmin("<g:a><g:speed>2.5</g:speed></g:a>"), None);
    assert_eq!(extended("<a/><g:TrackPointExtension/><b><speed>1</speed></b>"), None);
    assert_eq!(point(&format!("<extensions xmlns='x'>{SPEED}</extensions>")), None);
    assert_eq!(point(&format!("<a:extensions xmlns:a='x'>{SPEED}</a:extensions>")), None);
    assert_eq!(point(&format!("<extensions a='x'>{SPEED}</extensions>")), Some(2.5));
    assert_eq!(point(&format!("<extensions/><cmt>{SPEED}</cmt>")), None);
}

#[test]
fn other_encodings_are_read_through_an_adaptor() {
    let text = TWO.replace("1.0\"?>", "1.0\" encoding=\"UTF-16\"?>");
    let file: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    assert!(gpx::detect(&file[..400]));
    assert!(Reader::new(&file).unwrap_err().to_string().contains("Utf8Reader"));
    let mut reader = StreamReader::new(gpx::Utf8Reader::new(&file[..])).unwrap();
    assert_eq!(survey(&mut reader).unwrap().details.trackpoints, 2);
    assert_eq!(gpx::read(&file).0.tracks, gpx::read(TWO.as_bytes()).0.tracks);
}

#[test]
fn the_separation_of_the_geoid_has_the_decimals_of_the_heights() {
    let fix = GnssFix { altitude: Some(397.3), altitude_msl: Some(411.2), ..Default::default() };
    assert_eq!(robolog_gpx::Position::from(&fix).geoid_height, Some(-13.9));
}
