//! Surveys, samples and copies of NMEA, GPX and KML agree, whatever is damaged.

use std::io::Read as _;

use effibox::{
    gpx::{Gpx, Waypoint},
    kml::{self, Kml},
    nmea::{self, Nmea},
};
use robolog_core::{FixQuality, GnssFix, Recording, Sampling, Timestamp, Value, survey};

/// A sentence with its checksum.
fn with_sum(inner: &str) -> String {
    let sum = inner.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("${inner}*{sum:02X}\r\n")
}

fn flips(file: &str) -> impl Iterator<Item = Vec<u8>> {
    (0..file.len() * 8).map(move |bit| {
        let mut flipped = file.as_bytes().to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// Each flip of one bit is read, copied and counted alike; where a sample is lost, that is damage.
fn every_flip_agrees<F: Recording>(name: &str, file: &str) {
    testkit::assert_agrees::<F>(name, file.as_bytes());
    let read = testkit::assert_losses_are_told::<F>(name, file.as_bytes(), flips(file), &[]);
    println!("{name}: {read} of {} flips are read", file.len() * 8);
    assert!(read * 10 > file.len() * 8 * 7, "{name}: {read}");
}

const GGA: &str = "4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,";

#[test]
fn every_flip_of_sentences_with_checksums() {
    let line = |second| with_sum(&format!("GPGGA,08584{second}.00,{GGA}"));
    let sky = with_sum("GPGSV,1,1,03,02,26,052,40,12,31,088,39,14,18,225,38");
    every_flip_agrees::<Nmea>(
        "nmea",
        &format!("{}{}{}{sky}{}", line(1), line(2), with_sum("GPHDT,92.5,T"), line(3)),
    );
}

#[test]
fn every_flip_of_sentences_without_checksums() {
    let line = |second| format!("$GPGGA,08584{second}.00,{GGA}\r\n");
    every_flip_agrees::<Nmea>("nmea", &format!("{}{}$GPHDT,92.5,T\r\n{}", line(1), line(2), line(3)));
}

const GPX: &str = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\">
<wpt lat=\"45.1\" lon=\"3.1\"/><trk><name>a</name><trkseg>
<trkpt lat=\"45.2\" lon=\"3.2\"><ele>460.6</ele><time>2009-07-17T08:58:42Z</time></trkpt>
<trkpt lat=\"45.3\" lon=\"3.3\"/></trkseg></trk></gpx>
";

#[test]
fn every_flip_of_a_track() {
    every_flip_agrees::<Gpx>("gpx", GPX);
}

const KML: &str = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>
<Placemark><name>p</name><Point><coordinates>3.1,45.1,5</coordinates></Point></Placemark>
<Placemark><LineString><coordinates>3.1,45.1 3.2,45.2</coordinates></LineString></Placemark>
<Placemark><gx:Track><when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:35Z</when>
<gx:coord>3.1 45.1 5</gx:coord><gx:coord>3.2 45.2 6</gx:coord></gx:Track></Placemark>
</Document></kml>
";

#[test]
fn every_flip_of_placemarks() {
    every_flip_agrees::<Kml>("kml", KML);
}

#[test]
fn every_fixture() {
    for fixture in testkit::fixtures("effibox/nmea", "nmea") {
        testkit::assert_agrees::<Nmea>(&fixture.name, &fixture.bytes);
    }
    for fixture in testkit::fixtures("effibox/gpx", "gpx") {
        testkit::assert_agrees::<Gpx>(&fixture.name, &fixture.bytes);
    }
    for fixture in testkit::fixtures("effibox/kml", "kml") {
        testkit::assert_agrees::<Kml>(&fixture.name, &fixture.bytes);
    }
}

/// What is recovered, and how many bytes of the input are said to be missing.
fn recover<F: Recording>(file: &[u8]) -> (String, u64) {
    let recovered = testkit::recover::<F>(file).unwrap();
    (String::from_utf8(recovered.file).unwrap(), recovered.lost_bytes)
}

#[test]
fn a_bad_sentence_is_left_out_and_counted() {
    let good = |second| with_sum(&format!("GPGGA,08584{second}.00,{GGA}"));
    let bad = good(2).replace("411.2", "411.3");
    let file = format!("# log\r\n{}{bad}{}", good(1), good(3));
    let (recovered, lost) = recover::<Nmea>(file.as_bytes());
    assert_eq!(recovered, file.replace(&bad, ""));
    assert_eq!(lost, bad.len() as u64);
}

#[test]
fn a_bad_point_is_left_out_and_counted() {
    let bad = "\n<trkpt lat=\"45.2\" lon=\"3.2\">";
    let file = GPX.replace(bad, "\n<trkpt lat=\"45.x\" lon=\"3.2\">");
    let (recovered, lost) = recover::<Gpx>(file.as_bytes());
    assert!(!recovered.contains("45.x") && recovered.contains("45.3") && recovered.contains("45.1"));
    assert_eq!(recovered.len() as u64 + lost, file.len() as u64);
}

/// Where the end tag of an element is lost, the text stays in the element, which is closed behind it.
#[test]
fn text_stays_in_an_element_without_an_end_tag() {
    let file = GPX.replace("</trkseg></trk></gpx>", "</trkseg><link><text>a > b</trk></gpx>");
    let (recovered, _) = recover::<Gpx>(file.as_bytes());
    assert!(recovered.contains("<link><text>a > b</text></link></trk></gpx>"), "{recovered}");
    testkit::assert_agrees::<Gpx>("gpx", recovered.as_bytes());
}

#[test]
fn text_stays_in_an_element_of_kml_without_an_end_tag() {
    let file = KML.replace("</Document>", "<Style><name>a > b</Document>");
    let (recovered, _) = recover::<Kml>(file.as_bytes());
    assert!(recovered.contains("<Style><name>a > b</name></Style></Document>"), "{recovered}");
    testkit::assert_agrees::<Kml>("kml", file.as_bytes());
}

/// A placemark has one geometry; of one with several all are delivered, and mended.
#[test]
fn all_tracks_of_a_placemark_are_delivered() {
    let track = |place| {
        format!(
            "<gx:Track><when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:19Z</when>\
             <gx:coord>3.1 45.1 5</gx:coord><gx:coord>{place}</gx:coord></gx:Track>"
        )
    };
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark>{}{}</Placemark></kml>",
        track("3.2 45.2 6"),
        track("3.2 45.x 6")
    );
    testkit::assert_agrees::<Kml>("kml", file.as_bytes());
    let found = testkit::deliveries::<Kml>(file.as_bytes()).unwrap();
    let counts: Vec<_> = found.channels.iter().map(|(name, c)| (name.as_str(), c.samples)).collect();
    assert_eq!((counts, found.faults.len()), (vec![("track1", 2), ("track2", 1)], 1));
}

/// What stands before the first element behind damage is not copied: it would be read as something else.
#[test]
fn text_that_is_left_out_before_the_first_element_is_counted() {
    let file = "<?xml <Point><altitudeMode>x</altitu>\n</Document>\nn=\"1.0\" -8\"?>\n<kml>\n<Document>\n</Document>\n</kml>\n";
    let recovered = testkit::assert_agrees::<Kml>("kml", file.as_bytes()).unwrap();
    assert!(!recovered.windows(4).any(|text| text == b"-8\"?"));
}

/// The copy gets a root element: that is told as well.
#[test]
fn a_document_without_a_root_element_is_recovered_with_a_fault() {
    let file = "<trk><trkseg><trkpt lat=\"45.2\" lon=\"3.2\"/></trkseg></trk></gpx>\n";
    testkit::assert_agrees::<Gpx>("gpx", file.as_bytes());
    assert!(!testkit::recover::<Gpx>(file.as_bytes()).unwrap().faults.is_empty());
}

/// An end tag of the root element, the start tag of which is lost, ends nothing: the track goes on in the copy too.
#[test]
fn an_end_tag_of_a_root_element_that_is_lost_ends_nothing() {
    let point = |degrees| format!("<trkpt lat=\"{degrees}\" lon=\"3.2\"/>");
    let file = format!("<trk><trkseg>{}</gpx>{}</trkseg></trk></gpx>\n", point(45), point(46));
    testkit::assert_agrees::<Gpx>("gpx", file.as_bytes());
    let found = testkit::deliveries::<Gpx>(file.as_bytes()).unwrap();
    assert_eq!(found.channels.keys().collect::<Vec<_>>(), ["track1/segment1"]);
}

/// Sentences on one line, ended by carriage returns alone or not at all: what a damaged one leaves behind is read as it was.
#[test]
fn sentences_on_one_line_with_a_damaged_one() {
    let good = |n| with_sum(&format!("GPGGA,08584{n}.00,{GGA}")).trim_end().to_owned();
    let bad = good(5).replace("411.2", "411.3");
    let first = good(1);
    for file in [
        format!("{first}\r\n{}\r{bad}\r\n63,E,2,08*59\r\n{}\r\n", good(2), good(3)),
        format!("{first}\r\n{}\r{bad}\r{}\n", good(2), good(3)),
        format!("{first}\r\ntext{}\r{bad}\n{}\n", good(2), good(3)),
        format!("{first}\r\n{bad}{}\r\n{}", good(2), good(3)),
        format!("{first}\r\n{}{bad}\r\n{}", good(2), good(3)),
    ] {
        testkit::assert_agrees::<Nmea>(&file, file.as_bytes());
    }
}

#[test]
fn a_point_without_a_blank_behind_its_name_is_damage() {
    testkit::assert_losses_are_told::<Gpx>(
        "gpx",
        GPX.as_bytes(),
        ["wpt", "trkpt"]
            .map(|name| GPX.replace(&format!("<{name} "), &format!("<{name}!")).into())
            .into_iter(),
        &[],
    );
}

/// Sentences in UTF-16 are read as those in ASCII are.
#[test]
fn sentences_in_utf_16() {
    let log: String = (1..4).map(|n| with_sum(&format!("GPGGA,08584{n}.00,{GGA}"))).collect();
    for mark in ["", "\u{feff}"] {
        let units = || mark.encode_utf16().chain(log.encode_utf16());
        let little = units().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = units().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        for file in [little, big] {
            let mut text = String::new();
            effibox::gpx::Utf8Reader::new(&file[..]).read_to_string(&mut text).unwrap();
            assert_eq!(text, log);
            assert_eq!(fixes(&text).len(), 3);
        }
    }
}

#[test]
fn bad_places_of_a_placemark_are_left_out_and_counted() {
    let file = KML.replace("3.1,45.1 3.2,45.2", "3.1,45.1 3.2;45.2").replace("3.1 45.1 5", "3.1 x 5");
    let (recovered, lost) = recover::<Kml>(file.as_bytes());
    assert!(
        recovered.contains("<LineString><coordinates>3.1,45.1</coordinates></LineString>"),
        "{recovered}"
    );
    assert!(
        recovered.contains("<when>2010-05-28T02:02:35Z</when><gx:coord>3.2 45.2 6</gx:coord>"),
        "{recovered}"
    );
    assert_eq!(recovered.len() as u64 + lost, file.len() as u64);
}

#[test]
fn lists_of_a_track_that_do_not_match_are_completed() {
    let one = "<when>2010-05-28T02:02:35Z</when>";
    let (recovered, _) = recover::<Kml>(KML.replace(one, "").as_bytes());
    assert!(recovered.contains("<when>2010-05-28T02:02:09Z</when><when/>"), "{recovered}");
    let (recovered, lost) = recover::<Kml>(KML.replace(one, &one.repeat(3)).as_bytes());
    assert_eq!((recovered.as_str(), lost), (KML, 2 * one.len() as u64));
}

fn fixes(file: &str) -> Vec<(Option<Timestamp>, GnssFix)> {
    let reader = nmea::Reader::new(file.as_bytes()).unwrap();
    let mut sampler = nmea::Sampler::new(reader.header(), nmea::Options::default());
    let mut found = Vec::new();
    let mut sink = |sample: &mut robolog_core::Sample| {
        if let Value::GnssFix(fix) = &sample.value {
            found.push((sample.time, fix.clone()));
        }
        Ok::<(), effibox::Error>(())
    };
    for record in reader.records() {
        sampler.push(&record.unwrap(), &mut sink).unwrap();
    }
    sampler.finish(&mut sink).unwrap();
    found
}

#[test]
fn talkers_of_one_epoch_make_one_fix() {
    let log: String = [
        "GPGGA,100000.00,4545.60946,N,00306.59563,E,1,08,1.1,411.2,M,49.4,M,,",
        "GLGGA,100000.00,4545.60947,N,00306.59564,E,2,05,2.2,411.9,M,49.4,M,1.5,0123",
        "GPGST,100000.00,1.5,,,,3.0,2.0,5.0",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,1,08,1.1,411.2,M,49.4,M,,0000",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,0,00,,,M,,M,,",
    ]
    .map(with_sum)
    .concat();
    let fixes = fixes(&log);
    assert_eq!(fixes.len(), 3, "{fixes:?}");
    let first = &fixes[0].1;
    assert_eq!((first.talkers.as_deref(), first.quality), (Some("GP GL"), FixQuality::Dgps));
    assert_eq!((first.satellites, first.hdop, first.altitude_msl), (Some(5), Some(2.2), Some(411.9)));
    assert_eq!((first.age_of_corrections_s, first.station_id), (Some(1.5), Some(123)));
    // East is the longitude's error: 2 m.
    assert_eq!(first.position_covariance, Some([4.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 25.0]));
    let second = &fixes[1].1;
    assert_eq!((second.talkers.as_deref(), second.position_covariance), (Some("GP"), None));
    assert_eq!(second.station_id, None, "station 0 without an age");
    assert_eq!(fixes[2].1.quality, FixQuality::None, "a position of quality 0 is marked");
}

#[test]
fn the_satellites_of_a_survey_are_epochs() {
    let part = |n| with_sum(&format!("GPGSV,2,{n},05,02,26,052,40,12,31,088,39"));
    let log = (part(1) + &part(2)).repeat(10);
    let summary = survey::<nmea::Survey>(&mut nmea::StreamReader::new(log.as_bytes()).unwrap()).unwrap();
    let channels: Vec<_> = summary.channels.iter().map(|c| (c.name.as_str(), c.kind, c.records)).collect();
    assert_eq!(channels, [("satellites", "satellites", 10)]);
}

#[test]
fn polygons_are_told_as_areas() {
    let ring = "<LinearRing><coordinates>1,2 3,4 5,6 1,2</coordinates></LinearRing>";
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><Polygon><outerBoundaryIs>{ring}</outerBoundaryIs></Polygon></Placemark></kml>"
    );
    let summary = survey::<kml::Survey>(&mut kml::StreamReader::new(file.as_bytes()).unwrap()).unwrap();
    let found: Vec<_> = summary.findings.iter().map(|f| (f.code, f.message.as_str())).collect();
    assert_eq!(found, [("areas", "1 polygons with 1 rings are areas: they make no samples")]);
    assert!(summary.is_ok() && summary.channels.is_empty());
}

/// A point has one time: the text that was read is written as long as it names it.
#[test]
fn the_time_of_a_point_that_is_set_is_written() {
    let file = GPX.replace("08:58:42Z", "10:58:42.50+02:00");
    let (document, error) = effibox::gpx::read(file.as_bytes());
    assert!(error.is_none());
    let mut point: Waypoint = document.tracks[0].segments[0].points[0].clone();
    let write = |point: &Waypoint| {
        let mut writer = effibox::gpx::Writer::new(Vec::new(), &effibox::gpx::Head::new("x")).unwrap();
        writer.waypoint(point).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    };
    assert!(write(&point).contains("<time>2009-07-17T10:58:42.50+02:00</time>"));
    point.position.time = Timestamp::from_utc(2020, 1, 2, 3, 4, 5, 0);
    assert!(write(&point).contains("<time>2020-01-02T03:04:05Z</time>"));
    point.position.time = None;
    assert!(!write(&point).contains("<time>"));
}

/// Bytes of heap that a survey and the samples of a document take, for each byte of it.
fn heap_by_byte(file: &str) -> u64 {
    let mut most = 0;
    let info = allocation_counter::measure(|| {
        let reader = kml::StreamReader::new(file.as_bytes());
        most = survey::<kml::Survey>(&mut reader.unwrap()).unwrap().records;
    });
    assert!(most > 0);
    let sampled = allocation_counter::measure(|| drop(testkit::recover::<Kml>(file.as_bytes())));
    // The copy itself is in memory here.
    let copy = 3 * file.len() as u64;
    info.bytes_max.max(sampled.bytes_max.saturating_sub(copy)).saturating_sub(1 << 20) / file.len() as u64
}

#[test]
fn what_one_placemark_takes_in_memory() {
    let inside = |start: &str, part: &str, end: &str| {
        let head = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark>";
        format!("{head}{start}{}{end}</Placemark></kml>", part.repeat((4 << 20) / part.len()))
    };
    let files = [
        inside("<gx:Track>", "<when>2010-05-28T02:02:09Z</when>\n", "</gx:Track>"),
        inside("<gx:Track>", "<when/>", "</gx:Track>"),
        inside("<gx:Track>", "<when>2010</when><gx:coord>1 2 3</gx:coord>", "</gx:Track>"),
        inside("<LineString><coordinates>", "1,2 ", "</coordinates></LineString>"),
        inside("<MultiGeometry>", "<Point><coordinates>1,2</coordinates></Point>", "</MultiGeometry>"),
    ];
    let factors = files.iter().map(|file| heap_by_byte(file)).collect::<Vec<_>>();
    println!("times its bytes: {factors:?}");
    assert!(factors.iter().all(|factor| *factor <= 16), "{factors:?}");
}
