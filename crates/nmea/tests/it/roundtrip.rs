//! Copies equal the files, streams their slices, and written sentences read back the same.

use std::{collections::BTreeMap, fs, io::Cursor, path::PathBuf};

use robolog_core::{
    Clock, FixQuality, GnssFix, Limits, Timestamp,
    format::{Copier as _, Format as _},
    survey,
};
use robolog_nmea::{
    Coordinate, Copier, Date, Decimal, Gga, Gsa, Gsv, GsvSatellite, Hdt, Message, Nmea, Reader, Rmc,
    Sentence, StreamReader, Writer,
};

use crate::support::{real, with_sum};

/// Hand-written sentences with faults between them. Checksums are from real logs and from Python's
/// `functools.reduce(operator.xor, ...)`.
const MIXED: &[u8] = b"# a comment that cites $GPHDT,1.0,T*34\r\n\
\r\n\
\xb5\x62\x01\x07\x00$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n\
$GPGSV,3,1,11,02,26,052,40,12,31,088,39,14,18,225,38*47\r\n\
$GPGGA,0301$GPGSV,3,2,11,25,69,065,40,29,84,192,40,30,12,288,25*4B\r\n\
$GPGSV,3,3,11,33,34,205,35,39,33,150,34,40,17,119,*4D\r\n\
$GPGGA,085843.00,4545.60946,N,00306.59562,E,2,08,0.98,411.2,M,49.4,M,,*5F\r\n\
$GPHDT,92.5,T\n\
!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n\
$PGRME,15.0,M,45.0,M,25.0,M*1C\r\n\
$GPHDT,92";

#[test]
fn a_mixed_log_is_taken_apart_rightly() {
    let reader = Reader::new(MIXED).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    let channels: Vec<_> = records.iter().map(robolog_nmea::Record::channel).collect();
    assert_eq!(
        channels,
        [
            "other",
            "other",
            "other",
            "fix",
            "satellites",
            "damaged",
            "satellites",
            "satellites",
            "damaged",
            "heading",
            "VDM",
            "PGRME",
            "damaged"
        ]
    );
    let all: Vec<u8> = records.iter().flat_map(|r| r.bytes().iter().copied()).collect();
    assert_eq!(all, MIXED);
    let talkers: Vec<_> = records.iter().filter_map(|r| Some(r.sentence()?.talker())).collect();
    assert_eq!(talkers, ["GP", "GP", "GP", "GP", "GP", "GP", "GP", "AI", "P", "GP"]);
    let summary = survey(&mut StreamReader::new(MIXED).unwrap()).unwrap();
    let d = &summary.details;
    assert_eq!((d.sentences, d.checksum_ok, d.checksum_bad, d.no_checksum), (10, 6, 1, 3));
    assert_eq!((d.gga_positions, d.gsv_sentences, d.gsv_satellites, d.other_bytes), (1, 3, 9, 47));
    assert!(!summary.complete && summary.clock == Some(Clock::Relative));
    let codes: Vec<_> = summary.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["truncated", "checksum", "truncated", "other-bytes", "no-date"]);
    // A copy lacks only the three damaged sentences.
    let damaged: Vec<_> =
        records.iter().filter(|r| r.damage().is_some()).map(robolog_nmea::Record::bytes).collect();
    assert_eq!(damaged.iter().map(|bytes| bytes.len()).collect::<Vec<_>>(), [11, 75, 9]);
    let whole =
        records.iter().filter(|r| r.damage().is_none()).flat_map(robolog_nmea::Record::bytes).copied();
    assert_eq!(testkit::recover::<Nmea>(MIXED).unwrap().file, whole.collect::<Vec<_>>());
    testkit::assert_agrees::<Nmea>("mixed", MIXED);
    testkit::assert_slice_is_stream::<Nmea>(MIXED, Limits::default());
}

#[test]
fn copies_are_the_files_and_streams_their_slices() {
    let (mut files, mut agreements) = (0, 0);
    for (name, file) in real() {
        if Reader::new(&file).is_err() {
            assert_eq!(name, "gpsbabel__reference_testsupplementalplane.nmea", "UTF-16");
            continue;
        }
        testkit::assert_agrees::<Nmea>(&name, &file);
        if survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap().is_ok() {
            testkit::assert_copies::<Nmea>(&name, &file);
        }
        for limits in [Limits::default(), Limits::default().with_record(1 << 12)] {
            let file = &file[..file.len().min(1 << 17)];
            agreements += testkit::assert_slice_is_stream::<Nmea>(file, limits);
        }
        files += 1;
    }
    println!("{files} files copied, {agreements} streams equal to their slices");
}

/// Every whole sentence of a known type, read and written again: the same bytes, except for the differences listed
/// here.
#[test]
fn what_is_written_is_what_was_read() {
    let (mut same, mut other): (BTreeMap<String, u64>, BTreeMap<String, (u64, String)>) = Default::default();
    for (_, file) in real() {
        let Ok(reader) = Reader::new(&file) else { continue };
        for record in reader.records().map(Result::unwrap) {
            let Some((sentence, message)) = record.whole().zip(record.message()) else { continue };
            let written = message.to_sentence(sentence.talker()).unwrap();
            let text = record.bytes().trim_ascii_end();
            if written.trim_ascii_end() == text {
                *same.entry(sentence.kind().to_owned()).or_default() += 1;
                continue;
            }
            // Sentences written differently mean the same.
            let again = Sentence::parse(&written).unwrap();
            assert_eq!(Message::decode(&again).unwrap(), Some(message), "{record:?}");
            let example = String::from_utf8_lossy(&[text, b" became ", &written[..]].concat()).into_owned();
            other.entry(sentence.kind().to_owned()).or_insert((0, example)).0 += 1;
        }
    }
    println!("same bytes: {same:?}");
    for (kind, (n, example)) in &other {
        println!("{kind}: {n}, such as {}", example.trim());
    }
    let (same, other): (u64, u64) = (same.values().sum(), other.values().map(|o| o.0).sum());
    println!("{same} the same, {other} other bytes");
    assert!(other * 10 <= same);
}

#[test]
fn a_cut_keeps_whole_sentences_of_the_times_within() {
    let reader = Reader::new(MIXED).unwrap();
    let mut out = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes()).unwrap();
    let from = Timestamp::new(32_322_000_000_000, Clock::Relative);
    for record in reader.records() {
        // It returns an error for damaged sentences, and continues.
        drop(out.copy(&record.unwrap(), &mut |channel, time| {
            channel == "satellites" && time.is_some_and(|time| time >= from)
        }));
    }
    let copy = out.finish().unwrap().into_inner();
    // They have no time of their own: that of the sentence before is kept in a comment.
    let lines: Vec<_> = copy.split_inclusive(|b| *b == b'\n').collect();
    assert_eq!((lines.len(), lines[0]), (4, &b"# robolog part after day 0 32322.000000000 s\r\n"[..]));
    assert!(lines[1].starts_with(b"$GPGSV,3,1") && copy.ends_with(b"*4D\r\n"));
}

#[test]
fn decimals_keep_their_digits() {
    for text in
        ["0", "00", "-0.0", "5.", ".5", "-.50", "007.250", "45.000000000", "123456789012345678", "-412.2"]
    {
        let decimal = Decimal::parse(text.as_bytes()).unwrap();
        assert_eq!(decimal.to_string(), text);
        assert_eq!(
            decimal.as_f64().to_bits(),
            text.trim_start_matches('+').parse::<f64>().unwrap().to_bits(),
            "{text}"
        );
    }
    for text in ["", "-", ".", "1,5", "1e5", "0x1", "1.2.3", " 1", "12345678901234567890"] {
        assert_eq!(Decimal::parse(text.as_bytes()), None, "{text}");
    }
    assert_eq!(Decimal::from_f64(-1.25, 1).unwrap().to_string(), "-1.2");
    assert_eq!(Decimal::from_f64(f64::NAN, 1), None);
    let east = Coordinate::longitude(-0.000_001, 4).unwrap();
    assert_eq!((east.degrees(), east.is_negative()), (-0.0001 / 60.0, true));
    assert_eq!(Coordinate::latitude(90.1, 4), None);
    assert!((Coordinate::latitude(59.999_999_99, 4).unwrap().degrees() - 60.0).abs() < 1e-9);
}

/// Found by the fuzz target `write_nmea`.
#[test]
fn a_talker_is_one_that_is_found_again() {
    let heading = Message::Hdt(Hdt { heading: Some(Decimal::new(925, 1)) });
    for talker in
        ["GP", "GN", "P", "PQ", "PX", "", "N", "GPX", " a", "a ", "a,", "\u{e4}", "NAV_X", "lidar/points"]
    {
        let is_talker = matches!(talker, "GP" | "GN" | "");
        let sentence = heading.to_sentence(talker);
        assert_eq!(sentence.is_ok(), is_talker, "{talker:?}");
        if let Ok(sentence) = sentence {
            assert_eq!(Sentence::parse(&sentence).unwrap().talker(), talker);
        }
    }
    assert!(Message::Gga(Gga::default()).to_sentence("PQ").is_ok(), "Quectel's");
}

/// Found by the fuzz target `write_nmea`: a comma as the status was written as an extra field.
#[test]
fn a_comma_is_no_letter() {
    for (status, is_right) in [('A', true), (',', false), ('*', false), ('\n', false)] {
        let rmc = Message::Rmc(Rmc { status: Some(status), ..Rmc::default() });
        assert_eq!(rmc.to_sentence("GP").is_ok(), is_right, "{status:?}");
    }
}

/// Found by the fuzz target `write_nmea`: slots after the twelfth were read as dilutions of precision.
#[test]
fn satellites_behind_the_twelfth_are_no_dilutions() {
    let ids: Vec<u16> = (1..=24).collect();
    for used in 0..=24 {
        for (vdop, system_id) in [
            (None, None),
            (Some(Decimal::new(7, 0)), None),
            (Some(Decimal::new(7, 1)), None),
            (None, Some(2)),
        ] {
            let mut gsa = Gsa::new(&ids[..used]);
            (gsa.pdop, gsa.vdop, gsa.system_id) = (Some(Decimal::new(15, 1)), vdop, system_id);
            let sentence = gsa.to_sentence("GN").unwrap();
            let read = Gsa::decode(&Sentence::parse(&sentence).unwrap()).unwrap();
            let shown = String::from_utf8_lossy(&sentence);
            assert_eq!(read.satellites().collect::<Vec<_>>(), ids[..used], "{shown}");
            assert_eq!(
                (read.pdop, read.vdop, read.system_id),
                (gsa.pdop, gsa.vdop, gsa.system_id),
                "{shown}"
            );
        }
    }
}

/// Found by the fuzz target `write_nmea`: numbers of 19 and 20 digits were written but not read.
#[test]
fn all_numbers_that_there_are_read_back() {
    for digits in [i64::MIN, i64::MAX, -1, 0, 1] {
        for decimals in [0, 1, 17, 18, 19, 255] {
            let text = Decimal::new(digits, decimals).with_width(decimals).to_string();
            let read = Decimal::parse(text.as_bytes()).unwrap();
            assert_eq!((read.digits(), read.to_string()), (digits.unsigned_abs(), text));
        }
    }
}

#[test]
fn text_that_would_end_a_field_is_refused() {
    let mut gga = Gga { station: Some("01*2"), ..Default::default() };
    assert!(gga.to_sentence("GP").is_err());
    gga.station = Some("01\r\n$");
    assert!(
        Writer::new(Vec::new(), &robolog_nmea::Header::default())
            .unwrap()
            .message("GP", &Message::Gga(gga))
            .is_err()
    );
    let slot = |id| GsvSatellite { id: Some(id), ..Default::default() };
    let gsv = Gsv::new(1, 1, 5, &[slot(1), slot(2), slot(3), slot(4), slot(5)]);
    assert_eq!(gsv.to_sentence("GP").unwrap(), with_sum("GPGSV,1,1,05,01,,,,02,,,,03,,,,04,,,").as_bytes());
}

#[test]
fn other_formats_are_not_taken_for_sentences() {
    for other in [
        &b"%%%%%%%%%%%%\n%% LOG FILE:       x.alog\n%% LOGSTART           1225719873.5\n1.0 GPS_RAW pX $GPHDT,1.0,T*34\n"[..],
        b"1.0 GPS_RAW pX $GPGGA,1\n2.0 GPS_RAW pX $GPGGA,2\n",
        b"time,name,price\n1,a,$5\n2,b,$GP\n",
        b"<?xml version=\"1.0\"?><gpx/>",
        b"livox_tech",
        b"$name = 'x';\n$other = 'y';\n",
        b"! a comment of Fortran\n! another\n",
        b"",
        b"$",
        b"$GPGGA",
    ] {
        assert!(!Nmea::detect(other), "{}", String::from_utf8_lossy(other));
        // Asking for sentences also gives those in the middle of other text.
        let has_sentence = other.ends_with(b"*34\n");
        assert_eq!(Reader::new(other).is_ok(), has_sentence, "{}", String::from_utf8_lossy(other));
    }
    assert!(Nmea::detect(&MIXED[..64]) || Nmea::detect(MIXED));
    assert!(Nmea::detect(b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49"));
    assert!(Nmea::detect(b"$GPHDT,1.0,T\n$GPHDT,1.5,T\n"));
}

#[test]
fn a_fix_becomes_a_sentence() {
    let fix = GnssFix {
        latitude: -(45.0 + 45.60946 / 60.0),
        longitude: 3.0 + 6.59563 / 60.0,
        altitude: Some(460.6),
        altitude_msl: Some(411.2),
        quality: FixQuality::Dgps,
        satellites: Some(8),
        hdop: Some(0.98),
        ..GnssFix::default()
    };
    let time = Timestamp::from_utc(2012, 6, 30, 8, 58, 42, 125_000_000);
    let text = Gga::from_fix(&fix, time).to_sentence("GP").unwrap();
    let inner = "GPGGA,085842.125,4545.6094600,S,00306.5956300,E,2,08,0.98,411.200,M,49.400,M,,";
    assert_eq!(String::from_utf8(text).unwrap(), with_sum(inner));
    assert_eq!(robolog_nmea::Time::of(Timestamp::new(0, Clock::Relative)), None);
}

/// The sentences that most books show.
#[test]
fn sentences_of_the_books_are_read_and_written() {
    let sentences = [
        "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
        "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
    ];
    let log: String = sentences.map(with_sum).concat();
    let mut messages = 0;
    for (record, sentence) in Reader::new(log.as_bytes()).unwrap().records().zip(sentences) {
        match record.unwrap().message().unwrap() {
            Message::Gga(gga) => {
                let fix = gga.fix().unwrap();
                assert!(
                    (fix.latitude - 48.1173).abs() < 1e-9 && (fix.longitude - 11.516_666_667).abs() < 1e-9
                );
                assert_eq!((fix.quality, fix.satellites, fix.hdop), (FixQuality::Gps, Some(8), Some(0.9)));
                assert_eq!((fix.altitude_msl, fix.altitude), (Some(545.4), Some(592.3)));
                assert_eq!(gga.to_sentence("GP").unwrap(), with_sum(sentence).into_bytes());
            }
            Message::Rmc(rmc) => {
                assert_eq!(rmc.date, Date::new(1994, 3, 23));
                assert_eq!(rmc.to_sentence("GP").unwrap(), with_sum(sentence).into_bytes());
            }
            other => panic!("{other:?}"),
        }
        messages += 1;
    }
    assert_eq!(messages, 2);
}

fn walk(dir: &std::path::Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Among recordings of all formats, only NMEA logs are detected as such.
#[test]
fn no_recording_of_another_format_is_claimed() {
    let Some(dir) = testkit::data_dir("") else { return };
    let mut paths = Vec::new();
    walk(&dir, &mut paths);
    let mut claimed: BTreeMap<String, u64> = BTreeMap::new();
    for path in &paths {
        let file = fs::read(path).unwrap();
        // Other people's tracks, logs among them, share a folder.
        let is_document =
            path.extension().is_some_and(|end| ["gpx", "kml", "kmz"].iter().any(|doc| end == *doc));
        if Nmea::detect(&file[..file.len().min(1 << 16)]) {
            assert!(!is_document, "{}", path.display());
            let folder = path.parent().unwrap().strip_prefix(&dir).unwrap();
            *claimed.entry(folder.display().to_string()).or_default() += 1;
        }
    }
    println!("of {} files, taken for logs of sentences: {claimed:?}", paths.len());
    for folder in claimed.keys() {
        assert!(
            folder.starts_with("effibox") || folder.contains("gps_imu_obd") || folder == "public",
            "{folder}"
        );
    }
}

#[test]
fn positions_of_quality_0_are_not_in_the_extent() {
    let extent = |quality: u8| {
        let log = format!(
            "$GPGGA,120000,4330.0,N,07000.0,W,1,08,1.0,5,M,0,M,,\n\
             $GPGGA,120001,4400.0,N,07100.0,W,{quality},08,1.0,5,M,0,M,,\n"
        );
        let summary = survey(&mut StreamReader::new(log.as_bytes()).unwrap()).unwrap();
        summary.details.extent.map(|at| [at.south, at.west, at.north, at.east])
    };
    assert_eq!(extent(0), Some([43.5, -70.0, 43.5, -70.0]));
    assert_eq!(extent(1), Some([43.5, -71.0, 44.0, -70.0]));
}
