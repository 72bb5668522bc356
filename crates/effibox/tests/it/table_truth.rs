//! Contents of tables, against the published rows and rows laid by hand.

use std::fs;

use effibox::table::{
    Decoder, Epochs, Gga, LineKind, Reader, Row, StreamReader, Table, TableKind, TableRow as _, UtcReading,
    detect,
};
use robolog_core::{
    Constellation, FixQuality, Sample, Severity, Summary, Value,
    format::{Decoder as _, Format as _},
    survey,
};

const GGA: &str = "\
476121 660168.799340458 2084722.75496854 460.600012207031 0.798665417515059 0.0542784685555518 460.600012207031 8 32322 2 0.980000019073486 -1
1475353 660168.786374253 2084722.75484107 460.600012207031 0.798665417515059 0.0542784656466697 460.600012207031 8 32323 2 0.980000019073486 -1
2473341 660168.786191338 2084722.77336542 460.699987792969 0.798665420423941 0.0542784656466697 460.699987792969 8 32324 2 1.25 -1
";

const NMEA: [&str; 3] = [
    "$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E",
    "$GPGGA,085843.00,4545.60946,N,00306.59562,E,2,08,0.98,411.2,M,49.4,M,,*5E",
    "$GPGGA,085844.00,4545.60947,N,00306.59562,E,2,08,1.25,411.3,M,49.4,M,,*5E",
];

fn rows(file: &[u8], kind: Option<TableKind>) -> Vec<Row> {
    let mut reader = Reader::new(file).unwrap();
    if let Some(kind) = kind {
        reader.header_mut().kind = kind;
    }
    reader.records().filter_map(|line| line.unwrap().row().unwrap()).collect()
}

fn count(file: &[u8], name: &str) -> Summary<effibox::table::Details> {
    let mut reader = StreamReader::new(file).unwrap();
    reader.header_mut().set_path(name);
    survey(&mut reader).unwrap()
}

fn samples(file: &[u8], name: &str) -> Vec<Sample> {
    let mut reader = Reader::new(file).unwrap();
    reader.header_mut().set_path(name);
    let mut decoder = Decoder::new(reader.header(), effibox::table::Options::default());
    let mut all = Vec::new();
    let mut take = |sample: &mut Sample| {
        all.push(sample.clone());
        Ok::<(), effibox::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut take).unwrap();
    }
    decoder.last_samples(&mut take).unwrap();
    all
}

#[test]
fn positions_are_degrees_on_wgs_84() {
    let rows = rows(GGA.as_bytes(), None);
    let Row::Gga(row) = &rows[0] else { panic!("{:?}", rows[0]) };
    // As in the published GPX of the same track.
    assert_eq!(format!("{:.8} {:.9}", row.latitude_deg(), row.longitude_deg()), "45.76015767 3.109927167");
    assert_eq!((row.age(), row.quality(), row.satellites), (None, FixQuality::Dgps, 8));
    let samples = samples(GGA.as_bytes(), "Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt");
    assert_eq!(samples.len(), 6);
    assert_eq!(&*samples[0].channel, "Bus_InterfaceGps__dev_ttyACM0/gga");
    assert_eq!(samples[0].time.unwrap().to_string(), "0.476121000");
    let Value::GnssFix(fix) = &samples[0].value else { panic!("{samples:?}") };
    assert_eq!((fix.altitude, fix.altitude_msl), (Some(460.600_012_207_031), None));
    let Value::Row(row) = &samples[1].value else { panic!("{samples:?}") };
    assert_eq!(row.get("age_corr_diff"), Some(&robolog_core::Cell::Null));
    assert_eq!(row.get("easting"), Some(&660_168.799_340_458_f64.into()));
}

#[test]
fn a_fix_has_the_age_of_its_corrections() {
    let aged = GGA.replacen("0.980000019073486 -1", "0.980000019073486 2.5", 1);
    let found = rows(aged.as_bytes(), None)
        .iter()
        .map(|row| {
            let Row::Gga(row) = row else { panic!("{row:?}") };
            row.fix().age_of_corrections_s
        })
        .collect::<Vec<_>>();
    assert_eq!(found, [Some(2.5), None, None]);
}

#[test]
fn rows_are_made_again_from_their_sentences() {
    let times = [476_121, 1_475_353, 2_473_341];
    for ((sentence, rtime), line) in NMEA.iter().zip(times).zip(GGA.lines()) {
        let sentence = effibox::nmea::Sentence::parse(sentence.as_bytes()).unwrap();
        let gga = effibox::nmea::Gga::decode(&sentence).unwrap();
        let mut made = Vec::new();
        Gga::from_nmea(rtime, &gga).unwrap().write(&mut made);
        crate::lambert::assert_row(&String::from_utf8(made).unwrap(), line);
    }
}

#[test]
fn times_of_day_are_seconds_until_something_says_otherwise() {
    let counted = count(GGA.as_bytes(), "x_GGA_all.txt");
    let gga = counted.details.gga.as_ref().unwrap();
    assert_eq!(gga.utc_time, UtcReading::Ambiguous);
    assert!((gga.start_of_day_s.unwrap() - (32_322.0 - 0.476_121)).abs() < 1e-9);
    assert!(counted.findings.iter().any(|f| f.code == "utc-time" && f.severity == Severity::Note));
    assert_eq!(gga.qualities.get(&2), Some(&3));
    let later = GGA.replace(" 32324 ", " 32366 ");
    assert_eq!(count(later.as_bytes(), "x_GGA_all.txt").details.gga.unwrap().utc_time, UtcReading::Seconds);
}

fn published(name: &str) -> Option<Vec<u8>> {
    let dir = testkit::data_dir("effibox/ipds")?;
    Some(fs::read(dir.join(name)).unwrap())
}

#[test]
fn the_published_rows_are_read_and_written_back() {
    let kinds = [
        ("Bus_InterfaceCamera_2672909685359666.dates", TableKind::CameraDates, 3, true),
        ("Bus_InterfaceRangefinder_172_27_30_21_2112.dates", TableKind::RangeDates, 3, true),
        ("Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt", TableKind::Gga, 3, true),
        ("Bus_InterfaceGps__dev_ttyACM0_GSV.txt", TableKind::Gsv, 3, true),
        ("Bus_InterfaceCan_can0_DeadReckoned_Poses2.txt", TableKind::DeadReckoned2, 4, false),
        ("Bus_InterfaceRangefinder_172_27_30_21_2112-1-0.txt.TRUNCATED", TableKind::Scan, 4, false),
        ("Bus_InterfaceRangefinder_172_27_30_21_2112-2-0.txt.TRUNCATED", TableKind::Scan, 4, false),
    ];
    for (name, kind, count, tells) in kinds {
        let Some(file) = published(name) else { return };
        assert_eq!(detect(&file), tells, "{name}");
        assert_eq!(TableKind::from_file_name(name.trim_end_matches(".TRUNCATED")), Some(kind), "{name}");
        testkit::assert_copies::<Table>(name, &file);
        let mut reader = Reader::new(&file).unwrap();
        if tells {
            assert_eq!(reader.header().kind, kind, "{name}");
        }
        reader.header_mut().kind = kind;
        let mut n = 0;
        for record in reader.records() {
            let record = record.unwrap();
            let Some(row) = record.row().unwrap() else { continue };
            let mut written = Vec::new();
            row.write(&mut written);
            assert_eq!(written, record.line(), "{name}");
            n += 1;
        }
        assert_eq!(n, count, "{name}");
    }
}

#[test]
fn satellites_of_three_sentences_are_one_epoch() {
    let Some(file) = published("Bus_InterfaceGps__dev_ttyACM0_GSV.txt") else { return };
    let mut epochs = Epochs::default();
    let mut whole = Vec::new();
    for row in rows(&file, None) {
        let Row::Gsv(row) = row else { panic!() };
        whole.extend(epochs.push(&row).into_iter().flatten());
    }
    assert_eq!((whole.len(), epochs.finish()), (1, None));
    let epoch = &whole[0];
    assert_eq!((epoch.rtime, epoch.in_view, epoch.dropped()), (476_606, 11, 2));
    // Elevations and azimuths as in the sentences, in whole degrees.
    let degrees = |radians: Option<f64>| radians.unwrap().to_degrees().round();
    let satellites = &epoch.satellites.satellites;
    let seen: Vec<_> =
        satellites.iter().map(|s| (s.id, degrees(s.elevation), degrees(s.azimuth), s.snr)).collect();
    assert_eq!(seen[0], (2, 26.0, 52.0, Some(40.0)));
    assert_eq!(seen[3], (25, 69.0, 65.0, Some(40.0)));
    assert_eq!(seen[6], (33, 34.0, 205.0, Some(35.0)));
    assert_eq!(seen[8], (40, 17.0, 119.0, None));
    assert_eq!(satellites[6].constellation, Constellation::Sbas);
    let counted = count(&file, "Bus_InterfaceGps__dev_ttyACM0_GSV.txt");
    let gsv = counted.details.gsv.unwrap();
    assert_eq!((gsv.epochs, gsv.satellites, gsv.dropped, gsv.not_tracked), (1, 9, 2, 1));
    let dropped = counted.findings.iter().find(|f| f.code == "satellites-dropped").unwrap();
    assert_eq!(dropped.severity, Severity::Warning);
    let samples = samples(&file, "Bus_InterfaceGps__dev_ttyACM0_GSV.txt");
    assert!(matches!(&samples[..], [Sample { value: Value::Satellites(s), .. }] if s.satellites.len() == 9));
}

#[test]
fn a_scan_runs_from_its_first_angle_by_half_a_degree() {
    let name = "Bus_InterfaceRangefinder_172_27_30_21_2112-1-0.txt";
    let Some(file) = published(&format!("{name}.TRUNCATED")) else { return };
    let samples = samples(&file, name);
    let [Sample { value: Value::LaserScan(scan), time: None, .. }] = &samples[..] else { panic!() };
    assert!((scan.angle_min.to_degrees() + 45.0).abs() < 1e-4);
    assert!((scan.angle_increment.to_degrees() - 0.5).abs() < 1e-4);
    assert_eq!(scan.ranges, [0.135, 0.115, 0.113, 0.092]);
    assert_eq!(&*samples[0].channel, "Bus_InterfaceRangefinder_172_27_30_21_2112/scan");
    let counted = count(&file, name);
    assert!(counted.findings.iter().any(|f| f.code == "impacts" && f.message.contains("541")));
}

/// Rows of tables without published rows, with the columns of the documentation.
const HAND_LAID: [(&str, TableKind, &str); 9] = [
    ("c_Motor.txt", TableKind::Motor, "14816 20012 1.5 12.25 1 1642 11187"),
    ("c_Steering.txt", TableKind::Steering, "14816 -0.125 -3758"),
    ("c_Wheels.txt", TableKind::Wheels, "14816 20012 3.1 12.25 20011 3.2 12.5 1642 1018 1640 1039"),
    ("c_Acc.txt", TableKind::Acc, "14816 0.1 0.2 9.8 0.3 0.4 9.9 33000 33100 48000"),
    ("c_Gyro.txt", TableKind::Gyro, "14816 -0.015625 25.5 32455 32833"),
    ("c_DeadReckoned_Poses.txt", TableKind::DeadReckoned, "14816 1.5 -2.25 0.5"),
    ("g.dates", TableKind::NmeaDates, "GGA 0 0:0::0.476121 0:0::0.476121 0:0::0.000000"),
    ("c.dates", TableKind::CameraDates, "121558 121560 2"),
    ("ntpupdate.log", TableKind::Ntp, "1284105600 -0.0125"),
];

#[test]
fn rows_laid_by_hand_are_read_in_every_spacing() {
    for (name, kind, line) in HAND_LAID {
        let spaced = format!(" {}  ", line.replace(' ', " \t  "));
        for file in [format!("{line}\n"), format!("{line}\r\n"), format!("{spaced}\r\n"), line.to_owned()] {
            let rows = rows(file.as_bytes(), Some(kind));
            let mut written = Vec::new();
            rows[0].write(&mut written);
            assert_eq!(String::from_utf8(written).unwrap(), line, "{name}");
            assert_eq!(rows[0].cells().len(), kind.columns().len());
            testkit::assert_copies::<Table>(name, file.as_bytes());
        }
        // One column too many, and one too few.
        let short = line.rsplit_once(' ').unwrap().0;
        for (odd, why) in [(format!("{line} 5\n"), "too many"), (format!("{short}\n"), "too few")] {
            let file = format!("{line}\n{odd}{line}\n");
            let mut reader = Reader::new(file.as_bytes()).unwrap();
            reader.header_mut().kind = kind;
            let read: Vec<_> = reader.records().map(|line| line.unwrap().row()).collect();
            assert!(read[0].is_ok() && read[2].is_ok(), "{name}");
            let error = read[1].as_ref().unwrap_err().to_string();
            assert!(error.contains(why) && error.starts_with("column "), "{name}: {error}");
        }
    }
}

#[test]
fn every_table_gives_samples() {
    for (name, kind, line) in HAND_LAID {
        let samples = samples(format!("{line}\n").as_bytes(), &format!("Bus_InterfaceX_1/{name}"));
        if kind.is_dates() {
            continue;
        }
        let kinds: Vec<_> = samples.iter().map(|s| s.value.kind()).collect();
        let want: &[&str] = match kind {
            TableKind::Acc | TableKind::Gyro => &["imu", "row"],
            TableKind::DeadReckoned => &["odometry"],
            _ => &["row"],
        };
        assert_eq!(kinds, want, "{name}");
        let clock = if kind == TableKind::Ntp { "2010-09-10T08:00:00.000000000Z" } else { "0.014816000" };
        assert_eq!(samples[0].time.unwrap().to_string(), clock, "{name}");
    }
}

#[test]
fn headers_may_name_the_columns_or_say_anything_of_the_version() {
    let named = "Rtime steering_angle raw_steering_angle\n14816 -0.125 -3758\n";
    let reader = Reader::new(named.as_bytes()).unwrap();
    assert_eq!((reader.header().kind, reader.header().lines), (TableKind::Steering, 1));
    assert!(detect(named.as_bytes()));
    for version in ["Version 1", "Version XXX", "version", "VERSION  2.0 beta\r", "\u{feff}Version 1"] {
        let file = format!("{version}\n121558 121560 2\n");
        let reader = Reader::new(file.as_bytes()).unwrap();
        assert_eq!(reader.header().kind, TableKind::CameraDates, "{version:?}");
        assert_eq!(reader.header_bytes().len(), version.len() + 1, "{version:?}");
        testkit::assert_copies::<Table>(version, file.as_bytes());
    }
    let both = "Version 1\nRtime Rtime+latency latency\n# made by hand\n\n121558 121560 2\n";
    let reader = Reader::new(both.as_bytes()).unwrap();
    let kinds: Vec<_> = reader.records().map(|r| r.unwrap().kind()).collect();
    assert_eq!(kinds, [LineKind::Comment, LineKind::Blank, LineKind::Row]);
    let twice = "Version 1\n121558 121560 2\nVersion 1\n121558 121560 2\n";
    let counted = count(twice.as_bytes(), "c.dates");
    assert!(counted.findings.iter().any(|f| f.code == "header-inside"));
    let other = "Rtime raw_steering_angle steering_angle\n14816 -3758 -0.125\n";
    let counted = count(other.as_bytes(), "c_Steering.txt");
    assert!(counted.findings.iter().any(|f| f.code == "columns"), "{:?}", counted.findings);
}

#[test]
fn other_texts_are_not_claimed() {
    for text in [
        "a,b,c\n1,2,3\n",
        "1.0 2.0 3.0\n",
        "1 2 3 4 5 6 7 8 9 10 11 12\n",
        "%% LOGSTART 1225719811.65\n61.855 A p 1\n",
        "$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n",
        "Version 1\n",
        "Version 1\nThis is a readme.\n",
        "<?xml version=\"1.0\"?>\n",
        "541\n-0.785398 0.135\n",
        "",
        "\n\n\n",
    ] {
        assert!(!detect(text.as_bytes()), "{text}");
    }
    let row = GGA.lines().next().unwrap();
    assert!(!detect(row.replace("0.7986", "45.7986").as_bytes()), "degrees are no row of this logger");
    assert!(detect(&GGA.as_bytes()[..64]) && detect(&GGA.as_bytes()[..200]));
    let Some(dir) = testkit::data_dir("effibox/ipds") else { return };
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if !matches!(path.extension().and_then(|e| e.to_str()), Some("txt" | "dates")) {
            assert!(!Table::detect(&fs::read(&path).unwrap()), "{}", path.display());
        }
    }
}

#[test]
fn odd_rows_are_told_by_line_and_column() {
    let file = "Version 1\n10 10 0\n20 x 0\n30 30 0\n25 25 0\n40 50 0\n";
    let counted = count(file.as_bytes(), "Bus_InterfaceCamera_1.dates");
    let details = &counted.details;
    assert_eq!((details.rows, details.odd_rows, details.out_of_order), (5, 1, 1));
    let find = |code| counted.findings.iter().find(|f| f.code == code).unwrap();
    assert_eq!(find("odd-row").message, "line 3, column 4: \"x\" is not an integer");
    assert_eq!(find("odd-row").offset, 21);
    assert!(find("latency").message.contains("line 6"));
    assert!(!counted.complete);
    assert_eq!(details.interfaces[0].id, "Bus_InterfaceCamera_1");
    assert_eq!(details.rate_hz.map(|hz| (hz * 1e-3).round()), Some(133.0));
}

#[test]
fn a_table_is_cut_by_its_rows() {
    use robolog_core::format::Copier as _;
    let file = "Version 1\n10 10 0\n# why\n20 x 0\n30 30 0\n25 25 0\n40 40 0";
    let mut reader = StreamReader::new(file.as_bytes()).unwrap();
    reader.header_mut().set_path("Bus_InterfaceCamera_1.dates");
    let out = std::io::Cursor::new(Vec::new());
    let header_bytes = reader.header_bytes().to_vec();
    let mut writer = effibox::table::Copier::new(out, reader.header(), &header_bytes).unwrap();
    let (mut kept, mut asked, mut faults) = (0, Vec::new(), Vec::new());
    while let Some(record) = reader.next_record().unwrap() {
        let copied = writer.copy(&record, &mut |channel, time| {
            asked.push(channel.to_owned());
            time.is_some_and(|time| (20_000..40_000).contains(&time.nanos()))
        });
        match copied {
            Ok(parts) => kept += parts,
            Err(error) => faults.push(error.to_string()),
        }
    }
    assert_eq!(faults, ["column 4: \"x\" is not an integer (at byte 0x1b)"]);
    assert_eq!(writer.left_out(), 7);
    let cut = String::from_utf8(writer.finish().unwrap().into_inner()).unwrap();
    assert_eq!(cut, "Version 1\n# why\n30 30 0\n25 25 0\n");
    assert_eq!((kept, asked.len(), asked[0].as_str()), (3, 5, "Bus_InterfaceCamera_1/camera-dates"));
}

#[cfg(feature = "serde")]
#[test]
fn summaries_and_samples_serialize() {
    let path = "../../testdata/effibox/dataset";
    let dataset = effibox::open(path).unwrap();
    let summary = serde_json::to_value(dataset.survey()).unwrap();
    assert!(summary["details"]["interfaces"].is_array() && summary["records"].as_u64() > Some(0));
    let file = format!("{path}/{can}/{can}_Acc.txt", can = crate::tree::CAN);
    let summary = serde_json::to_value(effibox::table::survey(&file).unwrap()).unwrap();
    assert_eq!(summary["details"]["rows"], 150);
    for sample in effibox::table::open(&file).unwrap().samples() {
        let sample = sample.unwrap();
        let json = serde_json::to_value(&sample).unwrap();
        assert!(json["kind"] == sample.value.kind() && json["channel"] == *sample.channel);
    }
}
