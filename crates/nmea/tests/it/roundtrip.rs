//! What is copied stays as it was, what is written is what was read, and epochs are told apart.

use std::{collections::BTreeMap, fs, io::Cursor, path::PathBuf};

use robolog_core::{
    Clock, Constellation, FixQuality, Format as _, GnssFix, Limits, Rewriting, Sample, Sampling, Timestamp,
    Value, survey,
};
use robolog_nmea::{
    Coordinate, Date, Decimal, Gsv, GsvSatellite, Message, Nmea, Options, Reader, Rewriter, Sampler, SkyView,
    StreamReader, Survey, Writer,
};

/// Sentences by hand, with what goes wrong between them. Checksums are from real logs and from Python's
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
    let summary = survey::<Survey>(&mut StreamReader::new(MIXED).unwrap()).unwrap();
    let d = &summary.details;
    assert_eq!((d.sentences, d.checksum_ok, d.checksum_bad, d.no_checksum), (10, 6, 1, 3));
    assert_eq!((d.gga_positions, d.gsv_sentences, d.gsv_satellites, d.other_bytes), (1, 3, 9, 47));
    assert!(!summary.complete && summary.clock == Some(Clock::Relative));
    let codes: Vec<_> = summary.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["truncated", "checksum", "truncated", "other-bytes", "no-date"]);
    // A copy lacks the three damaged sentences alone.
    let damaged: Vec<_> =
        records.iter().filter(|r| r.damage().is_some()).map(robolog_nmea::Record::bytes).collect();
    assert_eq!(damaged.iter().map(|bytes| bytes.len()).collect::<Vec<_>>(), [11, 75, 9]);
    let whole =
        records.iter().filter(|r| r.damage().is_none()).flat_map(robolog_nmea::Record::bytes).copied();
    assert_eq!(testkit::recover::<Nmea>(MIXED).unwrap().file, whole.collect::<Vec<_>>());
    testkit::assert_agrees::<Nmea>("mixed", MIXED);
    testkit::assert_slice_is_stream::<Nmea>(MIXED, Limits::default());
}

fn real() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("effibox/nmea") else { return Vec::new() };
    let is_log = |p: &PathBuf| p.extension().is_some_and(|e| e == "log" || e == "nmea");
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(is_log).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&p).unwrap()))
        .collect()
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
        if survey::<Survey>(&mut StreamReader::new(&file[..]).unwrap()).unwrap().is_ok() {
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

/// Every whole sentence of a known type, read and written again: the same bytes, but for what is told here.
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
            // What is written differently says the same.
            let again = robolog_nmea::Sentence::parse(&written).unwrap();
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

fn samples(log: &[u8], options: Options) -> Vec<Sample> {
    let reader = Reader::new(log).unwrap();
    let mut sampler = Sampler::new(reader.header(), options);
    let mut all = Vec::new();
    let mut sink = |sample: &mut Sample| {
        all.push(sample.clone());
        Ok::<(), robolog_nmea::Error>(())
    };
    for record in reader.records() {
        sampler.push(&record.unwrap(), &mut sink).unwrap();
    }
    sampler.finish(&mut sink).unwrap();
    all
}

fn fixes(samples: &[Sample]) -> Vec<(Option<Timestamp>, &GnssFix)> {
    let fix = |sample: &'_ Sample| matches!(&sample.value, Value::GnssFix(_));
    let fixes = samples.iter().filter(|s| fix(s));
    fixes
        .map(|s| match &s.value {
            Value::GnssFix(fix) => (s.time, fix),
            _ => unreachable!(),
        })
        .collect()
}

/// A sentence with its checksum.
fn with_sum(inner: &str) -> String {
    let sum = inner.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("${inner}*{sum:02X}\r\n")
}

#[test]
fn sentences_of_a_moment_are_one_fix() {
    let log: String = [
        "GPGGA,235959.50,4545.60946,N,00306.59563,E,4,08,0.98,411.2,M,49.4,M,1.5,0123",
        "GPGSA,A,3,02,12,,,,,,,,,,,1.99,0.98,1.55",
        "GPRMC,235959.50,A,4545.60946,N,00306.59563,E,10.0,090.0,311298,,,A",
        "GPVTG,91.0,T,,M,11.0,N,20.4,K",
        "GPGGA,000000.50,4545.60947,S,00306.59563,W,1,08,,,,,,,",
        "GPVTG,180.0,T,,M,36.0,N,66.7,K",
        "GPGLL,4545.60948,N,00306.59563,E,000001.50,A",
        "GPRMC,000002.50,V,4545.60949,N,00306.59563,E,,,010199,,",
        "GPRMC,000003.50,V,,,,,,,010199,,",
    ]
    .map(with_sum)
    .concat();
    let samples = samples(log.as_bytes(), Options::default());
    let fixes = fixes(&samples);
    let times: Vec<_> = fixes.iter().map(|(time, _)| time.unwrap().to_string()).collect();
    assert_eq!(
        times,
        [
            "1998-12-31T23:59:59.500000000Z",
            "1999-01-01T00:00:00.500000000Z",
            "1999-01-01T00:00:01.500000000Z",
            "1999-01-01T00:00:02.500000000Z"
        ],
        "the first GGA is dated by the RMC behind it; midnight passes"
    );
    let first = fixes[0].1;
    assert_eq!((first.altitude_msl, first.quality), (Some(411.2), FixQuality::RtkFixed));
    assert!((first.altitude.unwrap() - 460.6).abs() < 1e-9);
    assert_eq!(
        (first.pdop, first.hdop, first.vdop, first.satellites),
        (Some(1.99), Some(0.98), Some(1.55), Some(8))
    );
    assert!((first.speed.unwrap() - 5.144_444).abs() < 1e-5, "RMC before VTG");
    assert!((first.course.unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    let second = fixes[1].1;
    assert!(
        second.latitude < 0.0 && second.longitude < 0.0 && second.altitude.is_none() && second.hdop.is_none()
    );
    assert!((second.speed.unwrap() - 18.52).abs() < 1e-9);
    assert_eq!(fixes[2].1.quality, FixQuality::Unknown, "GLL without a mode");
    assert_eq!(fixes[3].1.quality, FixQuality::None);
    assert_eq!(fixes.len(), 4);
}

#[test]
fn without_a_date_times_count_from_midnight() {
    let log: String = ["235959.00", "000001.00"]
        .map(|time| with_sum(&format!("GPGGA,{time},4545.60946,N,00306.59563,E,1,08,,,,,,,")))
        .concat();
    let all = samples(log.as_bytes(), Options::default());
    let nanos: Vec<_> = all.iter().map(|s| s.time.unwrap()).map(|t| (t.nanos(), t.clock())).collect();
    let s = 1_000_000_000;
    assert_eq!(nanos, [(86_399 * s, Clock::Relative), (86_401 * s, Clock::Relative)]);
    let mut options = Options::default();
    options.date = Date::new(2012, 6, 30);
    let all = samples(log.as_bytes(), options);
    assert_eq!(all[1].time.unwrap().to_string(), "2012-07-01T00:00:01.000000000Z");
    let leap = with_sum("GPRMC,235960.00,A,4545.6,N,00306.5,E,,,300612,,,A");
    let all = samples(leap.as_bytes(), Options::default());
    assert_eq!(all[0].time.unwrap().to_string(), "2012-07-01T00:00:00.000000000Z");
}

/// Tracks in which the date comes after the first positions, and midnight passes: times of day are those in the files.
#[test]
fn days_pass_in_the_logs_of_gpsbabel() {
    let files: BTreeMap<_, _> = real().into_iter().collect();
    for (name, first, last) in [
        ("gpsbabel__reference_track_backfilldate.nmea", "23:56", "00:04"),
        ("gpsbabel__reference_track_nmeadate.nmea", "", ""),
    ] {
        let Some(file) = files.get(name) else { continue };
        let samples = samples(file, Options::default());
        let times: Vec<_> = samples.iter().filter_map(|s| s.time).collect();
        assert!(times.iter().all(|t| t.clock() == Clock::Unix), "{name}");
        println!("{name}: {} to {}", times[0], times[times.len() - 1]);
        assert!(times[0].to_string().contains(first) && times[times.len() - 1].to_string().contains(last));
        if !first.is_empty() {
            assert!(times.is_sorted_by_key(|t| t.nanos()), "{name}");
        }
    }
}

#[test]
fn satellites_of_several_systems_and_signals_are_one_epoch() {
    let log: String = [
        "GPGGA,100000.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GPGSV,2,1,05,02,26,052,40,12,31,088,39,14,18,225,38,33,34,205,35,1",
        "GPGSV,2,2,05,40,17,119,,1",
        "GPGSV,1,1,01,02,26,052,44,6",
        "GLGSV,1,1,01,70,-2,119,20",
        "GAGSV,1,1,00",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GPGSV,,2,,05,10,020,",
        "GPGGA,100002.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GNGSV,1,1,00",
    ]
    .map(with_sum)
    .concat();
    let all = samples(log.as_bytes(), Options::default());
    let skies: Vec<_> = all
        .iter()
        .filter_map(|s| match &s.value {
            Value::Satellites(sky) => {
                Some((s.time.unwrap().nanos() / 1_000_000_000 - 36_000, &sky.satellites))
            }
            _ => None,
        })
        .collect();
    assert_eq!(skies.len(), 2, "{skies:?}");
    let first: Vec<_> = skies[0].1.iter().map(|s| (s.constellation, s.id, s.snr)).collect();
    assert_eq!(
        first,
        [
            (Constellation::Gps, 2, Some(44.0)),
            (Constellation::Gps, 12, Some(39.0)),
            (Constellation::Gps, 14, Some(38.0)),
            (Constellation::Sbas, 33, Some(35.0)),
            (Constellation::Sbas, 40, None),
            (Constellation::Glonass, 70, Some(20.0)),
        ]
    );
    assert!((skies[0].1[0].elevation.unwrap() - 26.0_f64.to_radians()).abs() < 1e-12);
    assert!(skies[0].1[5].elevation.unwrap() < 0.0, "below the horizon");
    // A part without the first is not complete: what follows joins it.
    assert_eq!((skies[1].0, skies[1].1.len()), (1, 1));
}

#[test]
fn a_view_of_the_sky_says_whether_it_is_complete() {
    let text = with_sum("GPGSV,3,1,11,02,26,052,40") + &with_sum("GPGSV,3,3,11,05,26,052,40");
    let mut view = SkyView::new();
    for record in Reader::new(text.as_bytes()).unwrap().records().map(Result::unwrap) {
        let Some(Message::Gsv(gsv)) = record.message() else { panic!() };
        assert!(view.push(record.sentence().unwrap(), &gsv, None).is_none());
    }
    let sky = view.finish().unwrap();
    assert_eq!((sky.is_complete, sky.satellites.satellites.len(), sky.offset), (false, 2, 0));
    assert!(view.finish().is_none());
}

#[test]
fn a_cut_keeps_whole_sentences_of_the_times_within() {
    let reader = Reader::new(MIXED).unwrap();
    let mut out = Rewriter::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes()).unwrap();
    let from = Timestamp::new(32_322_000_000_000, Clock::Relative);
    for record in reader.records() {
        // It fails for damaged sentences, and goes on.
        drop(out.copy(&record.unwrap(), &mut |channel, time| {
            channel == "satellites" && time.is_some_and(|time| time >= from)
        }));
    }
    let copy = out.finish().unwrap().into_inner();
    assert_eq!(copy.split_inclusive(|b| *b == b'\n').count(), 3);
    assert!(copy.starts_with(b"$GPGSV,3,1") && copy.ends_with(b"*4D\r\n"));
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
    for text in ["", "-", ".", "1,5", "1e5", "0x1", "1.2.3", " 1", "1234567890123456789"] {
        assert_eq!(Decimal::parse(text.as_bytes()), None, "{text}");
    }
    assert_eq!(Decimal::from_f64(-1.25, 1).unwrap().to_string(), "-1.2");
    assert_eq!(Decimal::from_f64(f64::NAN, 1), None);
    let east = Coordinate::longitude(-0.000_001, 4).unwrap();
    assert_eq!((east.degrees(), east.is_negative()), (-0.0001 / 60.0, true));
    assert_eq!(Coordinate::latitude(90.1, 4), None);
    assert!((Coordinate::latitude(59.999_999_99, 4).unwrap().degrees() - 60.0).abs() < 1e-9);
}

#[test]
fn text_that_would_end_a_field_is_refused() {
    let mut gga = robolog_nmea::Gga { station: Some("01*2"), ..Default::default() };
    assert!(gga.to_sentence("GP").is_err());
    gga.station = Some("01\r\n$");
    assert!(Writer::new(Vec::new()).message("GP", &Message::Gga(gga)).is_err());
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
        // Who asks for sentences gets those in the midst of other text too.
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
    let text = robolog_nmea::Gga::from_fix(&fix, time).to_sentence("GP").unwrap();
    let inner = "GPGGA,085842.125,4545.6094600,S,00306.5956300,E,2,08,0.98,411.200,M,49.400,M,,";
    assert_eq!(String::from_utf8(text).unwrap(), with_sum(inner));
    assert_eq!(robolog_nmea::Time::of(Timestamp::new(0, Clock::Relative)), None);
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

/// Of all recordings of all formats, only logs of sentences are taken for such.
#[test]
fn no_recording_of_another_format_is_claimed() {
    let Some(dir) = testkit::data_dir("") else { return };
    let mut paths = Vec::new();
    walk(&dir, &mut paths);
    let mut claimed: BTreeMap<String, u64> = BTreeMap::new();
    for path in &paths {
        let file = fs::read(path).unwrap();
        if Nmea::detect(&file[..file.len().min(1 << 16)]) {
            let folder = path.parent().unwrap().strip_prefix(&dir).unwrap();
            *claimed.entry(folder.display().to_string()).or_default() += 1;
        }
    }
    println!("of {} files, taken for logs of sentences: {claimed:?}", paths.len());
    for folder in claimed.keys() {
        assert!(folder.starts_with("effibox") || folder.contains("gps_imu_obd"), "{folder}");
    }
}
