//! Anonymised recordings. The search for forbidden data shares no code with the program.

use std::{fs, path::Path};

use crate::run::{Run, fixture_of, robolog, s};

fn edit(file: &Path, out: &Path, words: &[&str]) -> Run {
    let first = ["edit", s(file), "-o", s(out)];
    robolog(first.into_iter().chain(words.iter().copied()))
}

/// Data that must not be found.
#[derive(Default)]
struct Wanted {
    /// Degrees.
    degrees: Vec<f64>,
    texts: Vec<&'static str>,
}

/// As close as a metre.
const NEAR: f64 = 1e-5;

impl Wanted {
    /// Finds forbidden data: as degrees, degrees and minutes or radians in text; as f64 or f32 in either byte order; as
    /// text in any case.
    fn search(&self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        let mut check = |value: f64, where_: String| {
            let minutes = (value / 100.0).trunc() + value % 100.0 / 60.0;
            for degrees in [value, minutes, value.to_degrees()] {
                if self.degrees.iter().any(|wanted| (wanted.abs() - degrees.abs()).abs() < NEAR) {
                    found.push(format!("{value} at {where_}"));
                }
            }
        };
        let mut start = None;
        for (at, byte) in bytes.iter().chain(b" ").enumerate() {
            let is_part = byte.is_ascii_digit() || *byte == b'.';
            match (is_part, start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    let text = String::from_utf8_lossy(&bytes[from..at]);
                    // Skip whole numbers: years, counts and speeds.
                    if let (true, Ok(value)) = (text.contains('.'), text.parse::<f64>()) {
                        check(value, format!("text {from}"));
                    }
                    start = None;
                }
                _ => {}
            }
        }
        for (at, window) in bytes.windows(8).enumerate() {
            let eight: [u8; 8] = window.try_into().unwrap();
            let four: [u8; 4] = window[..4].try_into().unwrap();
            for value in [
                f64::from_le_bytes(eight),
                f64::from_be_bytes(eight),
                f32::from_le_bytes(four).into(),
                f32::from_be_bytes(four).into(),
            ] {
                check(value, format!("byte {at}"));
            }
        }
        let lower = bytes.to_ascii_lowercase();
        for text in &self.texts {
            let text = text.to_ascii_lowercase();
            if lower.windows(text.len()).any(|window| window == text.as_bytes()) {
                found.push(text);
            }
        }
        found
    }
}

/// The copy has no forbidden data, and moved back it equals the original.
fn check(name: &str, bytes: &[u8], options: &str, wanted: &Wanted) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let (file, there, back, secret) =
        (path(name), path(&format!("there_{name}")), path(&format!("back_{name}")), path("secret"));
    fs::write(&file, bytes).unwrap();
    for degrees in &wanted.degrees {
        let one = Wanted { degrees: vec![*degrees], texts: Vec::new() };
        assert!(!one.search(bytes).is_empty(), "{name}: {degrees} is not there before");
    }
    for text in &wanted.texts {
        let one = Wanted { degrees: Vec::new(), texts: vec![text] };
        assert!(!one.search(bytes).is_empty(), "{name}: {text} is not there before");
    }
    let run = edit(&file, &there, &["--anonymise", options, "--secret", s(&secret)]);
    assert_eq!(run.status, 0, "{name}: {}", run.err);
    let copy = fs::read(&there).unwrap();
    assert_eq!(wanted.search(&copy), Vec::<String>::new(), "{name}");
    let run = edit(&there, &back, &["--anonymise", "positions=back", "--secret", s(&secret)]);
    assert_eq!(run.status, 0, "{name}: {}", run.err);
    fs::read(back).unwrap()
}

const ALOG: &str = "\
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%% LOG FILE:       ./gilda/gilda.alog
%% FILE OPENED ON  Thu Jan  1 01:00:00 1970
%% LOGSTART           1714983600.12
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
0.50277         DB_TIME              MOOSDB_gilda    1714983600.62   \n\
0.60000         NAV_LAT              iGPS            42.35843621 \n\
0.60000         NAV_LONG             iGPS            -71.08745112 \n\
0.61000         LAT_ORIGIN           pMarineViewer   42.35 \n\
0.70000         MISSION_TEXT         pMission        LatOrigin  = 42.35843622 \n\
0.80000         GPS_RAW              iGPS            $GPGGA,123519,4221.50617,N,07105.24707,W,1,08,0.9,545.4,M,46.9,M,,*52 \n\
1.05446         NODE_REPORT          pNodeReporter   NAME=gilda,TYPE=KAYAK,LAT=42.35843623,LON=-71.08745113,X=1 \n\
1.10000         NODE_REPORT_GILDA    pShare          {\"name\":\"Gilda\",\"lat\":42.35843624,\"lon\":-71.08745114} \n\
1.25004         NAV_X                uSimMarineV22   12.50000     \n";

#[test]
fn an_alog_says_neither_where_nor_who() {
    let wanted = Wanted { degrees: vec![42.358_436, -71.087_451], texts: vec!["gilda"] };
    check("a.alog", ALOG.as_bytes(), "positions=shift,names", &wanted);
    // Hiding positions alone keeps names.
    let wanted = Wanted { degrees: vec![42.358_436, -71.087_451], texts: Vec::new() };
    let back = check("b.alog", ALOG.as_bytes(), "positions=shift", &wanted);
    // An origin with two decimals gets five.
    let back = String::from_utf8(back).unwrap().replace("42.35000", "42.35");
    assert_eq!(back, ALOG);
}

#[test]
fn sentences_say_it_in_minutes() {
    let log = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n\
               $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,*11\r\n\
               $GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n";
    let wanted = Wanted {
        degrees: vec![48.1173, 11.0 + 31.0 / 60.0, 49.274_166_667, -123.185_333_333],
        texts: vec!["545.4"],
    };
    let back = check("a.nmea", log.as_bytes(), "positions=shift", &wanted);
    let back = String::from_utf8(back).unwrap();
    assert!(back.lines().take(2).eq(log.lines().take(2)), "{back}");
    assert!(back.contains("$GPGLL,4916.450,N,12311.120,W,225444,A*"), "{back}");
}

#[test]
fn documents_say_it_in_attributes_and_lists() {
    let gpx = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"c\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
               <metadata><name>Kayak of Jo</name><bounds minlat=\"45.770001\" minlon=\"3.080001\" maxlat=\"45.780001\" maxlon=\"3.090001\"/></metadata>\n\
               <trk><name>Jo</name><trkseg><trkpt lat=\"45.770001\" lon=\"3.080001\"><ele>361.5</ele></trkpt>\n\
               <trkpt lat=\"45.780001\" lon=\"3.090001\"/></trkseg></trk></gpx>\n";
    let wanted = Wanted { degrees: vec![45.770_001, 3.080_001, 45.780_001, 3.090_001], texts: vec!["361.5"] };
    let back = check("a.gpx", gpx.as_bytes(), "positions=shift", &wanted);
    assert_eq!(String::from_utf8(back).unwrap(), gpx);
    check("b.gpx", gpx.as_bytes(), "names", &Wanted { degrees: Vec::new(), texts: vec!["kayak", "Jo<"] });
    let kml = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><LookAt><longitude>3.080001</longitude>\
               <latitude>45.770001</latitude></LookAt>\n<Placemark><LineString><coordinates>3.080001,45.770001,361.5 \
               3.090001,45.780001,0</coordinates></LineString></Placemark></Document></kml>\n";
    let back = check("a.kml", kml.as_bytes(), "positions=shift", &wanted);
    assert_eq!(String::from_utf8(back).unwrap(), kml);
}

#[test]
fn numbers_of_places_in_texts_are_refused_or_crossed_out() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("a.gpx"), dir.path().join("out.gpx"));
    let gpx = "<gpx version=\"1.1\" creator=\"c\" xmlns=\"http://www.topografix.com/GPX/1/1\">\
               <wpt lat=\"45.770001\" lon=\"3.080001\"><desc>at N45.770001</desc></wpt></gpx>";
    fs::write(&file, gpx).unwrap();
    let run = edit(&file, &out, &["--anonymise", "positions=shift"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("texts with numbers of places (1)") && run.err.contains("--keep-opaque"),
        "{}",
        run.err
    );
    assert!(!out.exists());
    assert_eq!(edit(&file, &out, &["--anonymise", "positions=shift", "--keep-opaque"]).status, 0);
    fs::remove_file(&out).unwrap();
    assert_eq!(edit(&file, &out, &["--anonymise", "text=N[0-9.]+"]).status, 0);
    assert!(fs::read_to_string(&out).unwrap().contains("<desc>at xxxxxxxxxx</desc>"));
}

/// GPS messages, by type number.
fn fixes(log: &[u8]) -> Vec<[f64; 2]> {
    let is_gps = |window: &[u8]| window == [0x49, 0x32, 0x4a, 0x01, 0x00, 100, 0, 0, 0];
    let starts = log.windows(9).enumerate().filter(|(_, window)| is_gps(window)).map(|(at, _)| at + 17 + 16);
    let number = |at: usize| f64::from_le_bytes(log[at..at + 8].try_into().unwrap());
    starts.map(|at| [number(at), number(at + 8)]).collect()
}

#[test]
fn doubles_of_a_sensor_log_move_and_come_back() {
    for name in ["gps.log", "gps_minutes.log"] {
        let log = fs::read(fixture_of("koblenz-log", name)).unwrap();
        let old = fixes(&log);
        assert!(!old.is_empty(), "{name}");
        let degrees = old.iter().flatten().filter(|degrees| **degrees != 0.0).map(|value| {
            if name == "gps.log" { *value } else { (value / 100.0).trunc() + value % 100.0 / 60.0 }
        });
        let wanted = Wanted { degrees: degrees.collect(), texts: Vec::new() };
        let back = fixes(&check(name, &log, "positions=shift", &wanted));
        assert_eq!(back.len(), old.len());
        for (old, back) in old.iter().flatten().zip(back.iter().flatten()) {
            // 1e-9 degrees are 0.1 mm.
            assert!((old - back).abs() < 1e-7, "{name}: {old} {back}");
        }
    }
}

#[test]
fn serial_numbers_of_lidars_go() {
    let file = fs::read(fixture_of("lvx", "room.lvx")).unwrap();
    let sn = file.windows(14).find(|w| w.iter().all(u8::is_ascii_alphanumeric)).unwrap();
    let sn: &'static str = String::from_utf8(sn.to_vec()).unwrap().leak();
    let back = check(
        "room.lvx",
        &file,
        "positions=shift,serials,names",
        &Wanted { degrees: Vec::new(), texts: vec![sn] },
    );
    assert_eq!(back.len(), file.len());
}

/// Bodies of packets of `id`.
fn packets(file: &[u8], id: u8) -> Vec<&[u8]> {
    let map = usize::from(u16::from_le_bytes([file[26], file[27]]));
    let mut rest = &file[28 + map..];
    let mut found = Vec::new();
    while rest.len() >= 5 {
        let len = u32::from_le_bytes(rest[1..5].try_into().unwrap()) as usize;
        if rest[0] == id {
            found.push(&rest[5..5 + len]);
        }
        rest = &rest[5 + len..];
    }
    found
}

/// Numbers and positions of actors, in centimetres.
fn positions(file: &[u8]) -> Vec<(u32, [f32; 2])> {
    let records = packets(file, 6).into_iter().flat_map(|body| body[2..].chunks_exact(28));
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
    let position = |record: &[u8]| {
        (u32::from_le_bytes(record[..4].try_into().unwrap()), [float(&record[4..8]), float(&record[8..12])])
    };
    records.map(position).collect()
}

#[test]
fn positions_on_a_map_move_and_come_back() {
    let file = fs::read(fixture_of("carla-rec", "v0_9_15.log")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let [there, back, secret] = ["there.log", "back.log", "secret"].map(|name| dir.path().join(name));
    let input = fixture_of("carla-rec", "v0_9_15.log");
    let words = |what| ["--keep-opaque", "--anonymise", what, "--secret", s(&secret)];
    let run = edit(&input, &there, &words("positions=shift,names"));
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(edit(&there, &back, &words("positions=back")).status, 0);
    let [there, back] = [there, back].map(|path| fs::read(path).unwrap());
    let (old, there, back) = (positions(&file), positions(&there), positions(&back));
    assert!(!old.is_empty() && old.len() == there.len() && old.len() == back.len());
    for ((old, there), back) in old.iter().zip(&there).zip(&back) {
        assert_eq!((old.0, old.0), (there.0, back.0));
        for axis in 0..2 {
            let moved = (old.1[axis] - there.1[axis]).abs();
            assert!(
                old.1.iter().all(|v| v.abs() < f32::EPSILON) || (9_999.0..81_000.0).contains(&moved),
                "{old:?} {there:?}"
            );
            // 1 mm.
            assert!((old.1[axis] - back.1[axis]).abs() < 0.1, "{old:?} {back:?}");
        }
    }
}

#[test]
fn rows_in_radians_and_on_a_map_move_and_come_back() {
    let name = "Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt";
    let table =
        fs::read_to_string(fixture_of("effibox", &format!("dataset/Bus_InterfaceGps__dev_ttyACM0/{name}")))
            .unwrap();
    let cells = |text: &str| -> Vec<Vec<f64>> {
        text.lines()
            .map(|line| line.split_whitespace().map_while(|cell| cell.parse().ok()).collect())
            .collect()
    };
    let old = cells(&table);
    let degrees = old.iter().flat_map(|row| [row[4], row[5]]).map(f64::to_degrees).collect();
    let back = check(name, table.as_bytes(), "positions=shift", &Wanted { degrees, texts: Vec::new() });
    for (old, back) in old.iter().zip(cells(std::str::from_utf8(&back).unwrap())) {
        // 1e-10 radians are 0.6 mm; metres on the map are recomputed.
        assert!((old[4] - back[4]).abs() < 1e-10 && (old[5] - back[5]).abs() < 1e-10, "{old:?} {back:?}");
    }
}

#[test]
fn pictures_are_refused_unless_they_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.log");
    let image = fixture_of("koblenz-log", "image.log");
    let run = edit(&image, &out, &["--anonymise", "positions=drop"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("images") && !out.exists(), "{}", run.err);
    assert_eq!(edit(&image, &out, &["--anonymise", "positions=drop", "--keep-opaque"]).status, 0);
}

#[test]
fn positions_go_and_the_rest_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("a.alog"), dir.path().join("out.alog"));
    fs::write(&file, ALOG).unwrap();
    assert_eq!(edit(&file, &out, &["--anonymise", "positions=drop"]).status, 0);
    let text = fs::read_to_string(&out).unwrap();
    let wanted = Wanted { degrees: vec![42.358_436, -71.087_451], texts: vec!["NAV_LAT", "NAV_LONG"] };
    assert_eq!(wanted.search(text.as_bytes()), Vec::<String>::new(), "{text}");
    assert!(text.contains("NAME=gilda,TYPE=KAYAK,X=1") && text.contains("NAV_X "), "{text}");
    assert!(text.contains("$GPGGA,123519,,,,,0,08,0.9,,M,,M,,*"), "{text}");
}

#[test]
fn actors_go_with_all_that_names_them() {
    let input = fixture_of("carla-rec", "v0_9_15.log");
    let file = fs::read(&input).unwrap();
    let ids: std::collections::BTreeSet<u32> = positions(&file).into_iter().map(|(id, _)| id).collect();
    let gone = *ids.first().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.log");
    let run = edit(&input, &out, &["--drop-actor", &gone.to_string()]);
    assert_eq!(run.status, 0, "{}", run.err);
    let copy = fs::read(&out).unwrap();
    let left: std::collections::BTreeSet<u32> = positions(&copy).into_iter().map(|(id, _)| id).collect();
    assert!(!left.contains(&gone) && left.is_subset(&ids));
    // Packets whose records begin with a 4-byte number, with the length of a record.
    for (id, len) in
        [(3, 4), (6, 28), (7, 10), (8, 21), (9, 8), (10, 8), (12, 28), (13, 28), (16, 16), (17, 28)]
    {
        for body in packets(&copy, id) {
            assert_eq!(
                body.len(),
                2 + usize::from(u16::from_le_bytes([body[0], body[1]])) * len,
                "packet {id}"
            );
            assert!(
                body[2..].chunks_exact(len).all(|record| record[..4] != gone.to_le_bytes()),
                "packet {id}"
            );
        }
    }
    let run = robolog(["check", s(&out)]);
    assert_eq!(run.status, robolog(["check", s(&input)]).status, "{}", run.err);
    assert_eq!(edit(&input, &out, &["--drop-actor", "nobody", "-f"]).status, 1);
}

#[test]
fn an_area_is_cropped() {
    let gpx = "<gpx version=\"1.1\" creator=\"c\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\
               <trkpt lat=\"45.5\" lon=\"3.5\"/><trkpt lat=\"46.5\" lon=\"3.5\"/></trkseg></trk></gpx>";
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("a.gpx"), dir.path().join("out.gpx"));
    fs::write(&file, gpx).unwrap();
    assert_eq!(edit(&file, &out, &["--crop-area", "45,3,46,4"]).status, 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), gpx.replace("<trkpt lat=\"46.5\" lon=\"3.5\"/>", ""));
    let (file, out) = (dir.path().join("a.alog"), dir.path().join("out.alog"));
    fs::write(&file, ALOG).unwrap();
    assert_eq!(edit(&file, &out, &["--crop-area", "45,3,46,4"]).status, 0);
    assert!(!fs::read_to_string(&out).unwrap().contains("NAV_X"));
    assert_eq!(edit(&file, &out, &["-f", "--set-origin", "42.5,-71.25"]).status, 0);
    let text = fs::read_to_string(&out).unwrap();
    let wanted = ALOG.replace("42.35 \n", "42.5 \n").replace("LatOrigin  = 42.35843622", "LatOrigin  = 42.5");
    assert_eq!(text, wanted);
}
