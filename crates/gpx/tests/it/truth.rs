//! GPX against the counts of lxml, and against itself: copies, streams, quick-xml.

use std::{fs, io::Cursor};

use robolog_core::{
    Event, FixQuality, GnssFix, Limits, Rewriting, Sample, Sampling, Summary, Timestamp, Value, survey,
};
use robolog_gpx::{
    self as gpx, Details, Elevation, Error, Fix, Gpx, Kind, Options, Reader, Rewriter, Sampler, StreamReader,
    Survey,
};
use serde_json::Value as Json;

/// Names, bytes and truth of the files that lxml finds well-formed.
fn corpus() -> Vec<(String, Vec<u8>, Json)> {
    let Some(dir) = testkit::data_dir("effibox/gpx") else { return Vec::new() };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let files = truth.into_iter().filter(|t| t["wellformed"] == true).map(|t| {
        let name = t["file"].as_str().unwrap().to_owned();
        (name.clone(), fs::read(dir.join(name)).unwrap(), t)
    });
    files.collect()
}

fn ipds() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("effibox/ipds") else { return Vec::new() };
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let found = paths.iter().filter(|p| name(p).contains(".gpx"));
    found.map(|path| (name(path), fs::read(path).unwrap())).collect()
}

fn info(file: &[u8]) -> Summary<Details> {
    survey::<Survey>(&mut StreamReader::new(file).unwrap()).unwrap()
}

fn samples(file: &[u8], options: Options) -> Vec<Sample> {
    let reader = Reader::new(file).unwrap();
    let mut sampler = Sampler::new(reader.header(), options);
    let mut all = Vec::new();
    for record in reader.records().map_while(Result::ok) {
        let mut sink = |sample: &mut Sample| {
            all.push(sample.clone());
            Ok::<(), Error>(())
        };
        drop(sampler.push(&record, &mut sink));
    }
    all
}

fn fix(sample: &Sample) -> &GnssFix {
    let Value::GnssFix(fix) = &sample.value else { panic!("{sample:?}") };
    fix
}

#[test]
fn counts_are_those_of_lxml() {
    let files = corpus();
    for (name, file, truth) in &files {
        assert!(gpx::detect(&file[..file.len().min(4096)]), "{name}");
        let summary = info(file);
        let details = &summary.details;
        let counts = [
            ("trk", details.tracks),
            ("trkseg", details.segments),
            ("trkpt", details.trackpoints),
            ("rte", details.routes),
            ("rtept", details.routepoints),
            ("wpt", details.waypoints),
            ("extensions", details.extensions),
        ];
        for (key, got) in counts {
            assert_eq!(truth["elem"][key], got, "{name}: {key}");
        }
        assert_eq!(truth["version"].as_str(), details.version.as_deref(), "{name}");
        assert!(summary.complete && summary.is_ok(), "{name}: {:?}", summary.findings);
        let (document, error) = gpx::read(file);
        assert!(error.is_none(), "{name}: {error:?}");
        let tracks = document.tracks.iter().flat_map(|t| &t.segments).map(|s| s.points.len()).sum::<usize>();
        let routes = document.routes.iter().map(|r| r.points.len()).sum::<usize>();
        let points = [tracks as u64, routes as u64, document.waypoints.len() as u64];
        assert_eq!(points, [details.trackpoints, details.routepoints, details.waypoints], "{name}");
        compare_values(name, file, truth);
    }
    println!("{} files with the counts of lxml", files.len());
    assert!(files.is_empty() || files.len() == 151);
    // What follows the root element is read on, with a warning.
    let behind = format!("{TWO}<trkpt lat='1' lon='2'/>");
    let codes: Vec<_> = info(behind.as_bytes()).findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["another-document", "outside-segment"]);
    assert!(gpx::read(behind.as_bytes()).1.is_some());
}

/// Sums and bounds, and how often each value is there.
fn compare_values(name: &str, file: &[u8], truth: &Json) {
    let reader = Reader::new(file).unwrap();
    let records = reader.records().map(Result::unwrap).filter(|r| r.kind().is_point());
    let positions: Vec<_> = records.map(|r| r.position().unwrap()).collect();
    let Some(sum) = truth["sumlat"].as_f64() else { return };
    let got: f64 = positions.iter().map(|p| p.latitude).sum();
    assert!((got - sum).abs() < 2e-6, "{name}: latitudes sum up to {got}, not {sum}");
    let bound = |at: usize| truth["bbox"][at].as_f64().unwrap();
    let south = positions.iter().map(|p| p.latitude).fold(f64::INFINITY, f64::min);
    let east = positions.iter().map(|p| p.longitude).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((south.to_bits(), east.to_bits()), (bound(0).to_bits(), bound(3).to_bits()), "{name}");
    let there = |is: &dyn Fn(&gpx::Position) -> bool| positions.iter().filter(|p| is(p)).count();
    for (key, got) in [
        ("sat", there(&|p| p.satellites.is_some())),
        ("hdop", there(&|p| p.hdop.is_some())),
        ("vdop", there(&|p| p.vdop.is_some())),
        ("pdop", there(&|p| p.pdop.is_some())),
        ("ageofdgpsdata", there(&|p| p.age_of_dgps_data.is_some())),
        ("dgpsid", there(&|p| p.dgps_id.is_some())),
        ("geoidheight", there(&|p| p.geoid_height.is_some())),
    ] {
        // lxml counts empty elements, and values that are none.
        let want = truth["elem"][key].as_u64().unwrap();
        let odd = name.contains("track_with_dilution_errors");
        assert!(got as u64 == want || odd, "{name}: {got} {key}, not {want}");
    }
}

#[test]
fn points_by_tags_are_points_by_quick_xml() {
    let (mut points, mut faults) = (0, 0);
    let known = corpus().into_iter().map(|(name, file, _)| (name, file));
    let odd = "<g:gpx xmlns:a='b' xmlns:g='c'><g:trkpt lat = ' 1 ' lon=\"2\"><ele>1</ele><g:ele > 3.5 </g:ele>\
        <g:sat>&#55;</g:sat><g:hdop><![CDATA[2]]></g:hdop><g:time/><a:speed>1</a:speed><g:fix>x</g:fix>\
        <g:extensions><g:pdop>9</g:pdop></g:extensions><g:vdop>1<!-- -->2</g:vdop></g:trkpt>\
        <trkpt lat='1' lon='2'><hdop>1e400</hdop><sat>-1</sat><speed xmlns='x'>3</speed><time>then</time></trkpt>\
        <trkpt lat='1' lon='2'/><trkpt lon='2'/><trkpt lat='1' lon='2'><ele>1</ele><ele>2</ele></trkpt></g:gpx>";
    for (name, file) in known.chain(ipds()).chain([("odd".to_owned(), odd.into())]) {
        let Ok(reader) = Reader::new(&file) else { continue };
        for record in reader.records().filter_map(Result::ok).filter(|r| r.kind().is_point()) {
            let (mut lean, mut thorough) = (Vec::new(), Vec::new());
            let a = record.position_with(&mut |e| lean.push(e.to_string()));
            let b = record.position_by_events(&mut |e| thorough.push(e.to_string()));
            assert_eq!(a.map_err(|e| e.to_string()), b.map_err(|e| e.to_string()), "{name}: {record:?}");
            assert_eq!(lean, thorough, "{name}: {record:?}");
            points += 1;
            faults += lean.len();
        }
    }
    println!("{points} points agree, {faults} faults in them");
    let reader = Reader::new(odd.as_bytes()).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).filter(|r| r.kind().is_point()).collect();
    let first = records[0].position().unwrap();
    assert_eq!((first.elevation, first.satellites, first.hdop), (Some(3.5), Some(7), Some(2.0)));
    assert_eq!((first.speed, first.pdop, first.vdop, first.fix), (None, None, Some(12.0), None));
    assert!(records[3].position().unwrap_err().to_string().contains("latitude"));
}

/// The eight ways in which the data set's documents may be faulty, and what its page prints.
#[test]
fn faulty_documents_of_the_data_set_give_their_points() {
    let files = ipds();
    for (name, file) in &files {
        let summary = info(file);
        let points = summary.details.trackpoints;
        assert_eq!(points, if name.starts_with("v6") { 3 } else { 1 }, "{name}");
        let options = Options::default();
        let first = samples(file, options).remove(0);
        let fix = fix(&first);
        assert_eq!(
            (fix.latitude.to_string(), fix.longitude.to_string()),
            ("45.76015767".into(), "3.109927167".into())
        );
        assert_eq!((fix.quality, fix.satellites), (FixQuality::Dgps, Some(8)), "{name}");
        assert_eq!((fix.altitude, fix.altitude_msl), (None, Some(460.600_012_2)), "{name}");
        let (document, error) = gpx::read(file);
        let read: usize = document.tracks[0].segments.iter().map(|s| s.points.len()).sum();
        assert_eq!(read as u64, points, "{name}");
        let text = String::from_utf8_lossy(file);
        let tail =
            text.rfind("</xml>").or(text.ends_with("lat=\"45.7601").then(|| text.rfind("<trkpt").unwrap()));
        assert_eq!(error.map(|e| e.offset()), tail.map(|at| at as u64), "{name}");
        let is_root = !(name.contains("SEED") || name.starts_with("v7"));
        assert_eq!(summary.is_ok(), tail.is_none() && is_root, "{name}: {:?}", summary.findings);
        println!("{name}: {points} points, bad from {tail:?}");
    }
    assert!(files.is_empty() || files.len() == 9);
}

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

const TWO: &str = "<?xml version=\"1.0\"?>
<gpx version=\"1.0\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/0\">\n<wpt lat=\"1\" lon=\"2\"/>
<trk><name>a &amp; b</name><url>u</url><trkseg>
<trkpt lat=\"1\" lon=\"2\"><time>2020-01-01T00:00:00Z</time><speed>2</speed><course>90</course></trkpt>
<trkpt lat=\"1\" lon=\"3\"><ele>10</ele><time>2020-01-01T00:00:10+00:00</time><geoidheight>40</geoidheight></trkpt>
</trkseg></trk></gpx>\n";

fn copy(file: &[u8], keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool) -> (Vec<u8>, Vec<String>) {
    let mut reader = StreamReader::new(file).unwrap();
    let header = reader.header_bytes().to_vec();
    let mut out = Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header).unwrap();
    let mut errors = Vec::new();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => errors.extend(out.copy(&record, keep).err().map(|e| e.to_string())),
            Event::Damage { error, .. } => errors.push(error.to_string()),
            Event::End => break,
        }
    }
    errors.extend(out.unfinished().map(|e| e.to_string()));
    (out.finish().unwrap().into_inner(), errors)
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
fn what_is_recovered_of_any_beginning_is_a_document() {
    for cut in TWO.find("<wpt").unwrap()..TWO.len() {
        let (file, errors) = copy(&TWO.as_bytes()[..cut], &mut |_, _| true);
        let summary = info(&file);
        assert!(summary.is_ok(), "{cut}: {:?}\n{}", summary.findings, String::from_utf8_lossy(&file));
        assert_eq!(errors.is_empty(), TWO[..cut].trim_end().ends_with("</gpx>"), "{cut}: {errors:?}");
        let whole = TWO[..cut].matches("</trkpt>").count() as u64;
        assert_eq!(summary.details.trackpoints, whole, "{cut}");
    }
    let wrong = TWO.replace("</trkseg></trk>", "</trk></xml>").replace("</gpx>", "");
    let (file, errors) = copy(wrong.as_bytes(), &mut |_, _| true);
    assert!(info(&file).is_ok(), "{}", String::from_utf8_lossy(&file));
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn samples_say_what_the_points_say() {
    let all = samples(TWO.as_bytes(), Options::default());
    let (first, second) = (fix(&all[1]), fix(&all[2]));
    assert_eq!((first.speed, first.course), (Some(2.0), Some(std::f64::consts::FRAC_PI_2)));
    assert_eq!((second.altitude, second.altitude_msl), (Some(50.0), Some(10.0)));
    assert_eq!(all[2].time, Timestamp::from_utc(2020, 1, 1, 0, 0, 10, 0));
    let mut options = Options::default();
    options.elevation = Elevation::Ellipsoid;
    let all = samples(TWO.as_bytes(), options);
    assert_eq!((fix(&all[2]).altitude, fix(&all[2]).altitude_msl), (Some(10.0), Some(-30.0)));
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
    assert!(gpx::Writer::new(Vec::new(), &gpx::Head::default()).unwrap().begin_segment().is_err());
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
        let mut writer = gpx::Writer::new(Vec::new(), &gpx::Head::new("test")).unwrap();
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

    // What else Garmin's element says stays an extension.
    let file = b"<gpx version='1.1' xmlns:g='u'><wpt lat='1' lon='2'><extensions><g:TrackPointExtension>\
        <g:hr>99</g:hr><g:speed>2.5</g:speed></g:TrackPointExtension></extensions></wpt></gpx>";
    let (document, error) = gpx::read(file);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(document.waypoints[0].position.speed, Some(2.5));
    let kept = document.waypoints[0].extensions.as_ref().unwrap();
    assert_eq!(kept.content, "<g:TrackPointExtension><g:hr>99</g:hr></g:TrackPointExtension>");

    // Elements of other namespaces, deeper ones and those of other `extensions` are not these.
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
fn fixes_have_their_words() {
    for (text, quality, word) in [
        ("none", FixQuality::None, Some("none")),
        ("3d", FixQuality::Gps, Some("3d")),
        ("2", FixQuality::Dgps, Some("dgps")),
        ("3", FixQuality::Pps, Some("pps")),
        ("single", FixQuality::Gps, Some("3d")),
        ("4", FixQuality::RtkFixed, Some("dgps")),
        ("6", FixQuality::Estimated, None),
    ] {
        let fix = Fix::parse(text.as_bytes()).unwrap();
        assert_eq!((fix.quality(), fix.word(true)), (quality, word), "{text}");
    }
    assert_eq!(Fix::parse(b"something_not_in_the_spec"), None);
}

#[test]
fn other_encodings_are_read_through_an_adaptor() {
    let text = TWO.replace("1.0\"?>", "1.0\" encoding=\"UTF-16\"?>");
    let file: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    assert!(gpx::detect(&file[..400]));
    assert!(Reader::new(&file).unwrap_err().to_string().contains("Utf8Reader"));
    let mut reader = StreamReader::new(gpx::Utf8Reader::new(&file[..])).unwrap();
    assert_eq!(survey::<Survey>(&mut reader).unwrap().details.trackpoints, 2);
    assert_eq!(gpx::read(&file).0.tracks, gpx::read(TWO.as_bytes()).0.tracks);
}

#[test]
fn nothing_is_expanded_or_nested_without_end() {
    let bomb = "<!DOCTYPE gpx [<!ENTITY a \"&b;&b;\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]><gpx><trk><name>&a;</name>\
        <desc><![CDATA[<trkpt]]></desc><!-- <trkpt> --></trk></gpx>";
    let (document, error) = gpx::read(bomb.as_bytes());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(document.tracks[0].head.name.as_deref(), Some("&a;"));
    assert_eq!(info(bomb.as_bytes()).details.trackpoints, 0);
    let records = Reader::new(bomb.as_bytes()).unwrap();
    assert_eq!(records.records().filter(|r| r.as_ref().unwrap().kind() == Kind::Other).count(), 2);
    let deep = format!("<gpx><wpt lat='1' lon='2'>{}", "<a>".repeat(100_000));
    let summary = info(deep.as_bytes());
    assert!(summary.findings.iter().any(|f| f.code == "limit"), "{:?}", summary.findings);
    let deep = format!("<gpx>{}", "<a>".repeat(100_000));
    assert!(info(deep.as_bytes()).findings.iter().any(|f| f.message.contains("nesting")));
    let long = format!("<gpx><wpt lat='{}' lon='2'/><wpt lat='1' lon='2'/></gpx>", "1".repeat(100_000));
    let summary = info(long.as_bytes());
    assert_eq!((summary.details.waypoints, summary.complete), (1, false));
    // Comments without an end, as many as there are points, take no more time than one.
    let hidden = format!("<gpx>{}", "<trkpt><!--<trkpt><![CDATA[<trkpt><?".repeat(100_000));
    assert_eq!(info(hidden.as_bytes()).details.trackpoints, 0);
}

/// Every cut, flips and splices: every byte is in one record or one gap, and what is recovered is a document.
#[test]
fn no_damage_does_harm() {
    let mut inputs = 0;
    let v6 = ipds().into_iter().filter(|(name, _)| name.starts_with("v6"));
    for (name, file) in [("two".to_owned(), TWO.as_bytes().to_vec())].into_iter().chain(v6) {
        inputs += testkit::campaign(&file, file.len() as u64, &mut |bytes| {
            let _ = gpx::read(bytes);
            let Ok(mut reader) = StreamReader::new(bytes) else { return };
            let mut at = reader.position();
            loop {
                let (from, to) = match reader.next_event().unwrap() {
                    Event::Record(record) => (record.offset(), record.offset() + record.bytes().len() as u64),
                    Event::Damage { lost, .. } => (lost.start, lost.end),
                    Event::End => break,
                };
                assert!(from == at, "{name}: a byte is lost or told twice");
                at = to;
            }
            assert_eq!(at, bytes.len() as u64, "{name}");
            let (copied, _) = copy(bytes, &mut |_, _| true);
            let again = info(&copied);
            let is_whole =
                |f: &robolog_core::Finding| !matches!(f.code, "truncated" | "markup" | "damaged" | "limit");
            assert!(
                again.findings.iter().all(is_whole),
                "{:?}\n{}",
                again.findings,
                String::from_utf8_lossy(&copied)
            );
        });
    }
    println!("{inputs} damaged inputs");
}
