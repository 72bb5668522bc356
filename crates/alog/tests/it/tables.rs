//! Synchronous logs, control characters in values, and what tools print around entries.

use alog::{Alog, Header, Kind, Reader, Seconds, StreamReader, Warp, Writer};
use robolog_core::{Event, Severity, Summary, Value, format::Copier as _, survey};

const SLOG: &str = "%%%%%\n%% LOG FILE:       ./A.slog\n%% FILE OPENED ON  Sat Feb 24 15:51:49 2007\n\
    %% LOGSTART               1172350308.5\n%%%%%\n%%   (1) TIME \n%%   (2) DESIRED_THRUST\n%%   (3) NAV_X\n\
    %%   (4) NAV_Y\n\n%%%%%%%\n%% TIME            DESIRED_THRUST  NAV_X           NAV_Y\n\
    9.5e-05            NaN                1e-05              -nan               \n\
    1.919041           0.0                10.5               -3.25              \n\
    %% TIME            [   2.00]          [   2.00]          [   2.00]\n\
    2.933491           40                 nan                -3.5               \n";

fn surveyed(file: &[u8]) -> Summary<alog::Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

/// Channel, seconds since LOGSTART, and number of each sample.
fn scalars(file: &[u8]) -> Vec<(String, f64, f64)> {
    let samples = StreamReader::new(file).unwrap().samples();
    let scalar = |sample: alog::Sample| match sample.value {
        Value::Scalar(number) => {
            let start = 1_172_350_308_500_000_000;
            #[expect(clippy::cast_precision_loss, reason = "microseconds")]
            let seconds = (sample.time.unwrap().nanos() - start) as f64 / 1e9;
            Some((sample.channel.to_string(), seconds, number))
        }
        _ => None,
    };
    samples.filter_map(|sample| scalar(sample.ok()?)).collect()
}

#[test]
fn the_columns_of_a_synchronous_log_are_numbers_with_their_names() {
    let want = [
        ("NAV_X", 0.000_095, 1e-5),
        ("DESIRED_THRUST", 1.919_041, 0.0),
        ("NAV_X", 1.919_041, 10.5),
        ("NAV_Y", 1.919_041, -3.25),
        ("DESIRED_THRUST", 2.933_491, 40.0),
        ("NAV_Y", 2.933_491, -3.5),
    ];
    assert_eq!(scalars(SLOG.as_bytes()), want.map(|(name, time, number)| (name.to_owned(), time, number)));
    assert!(alog::detect(SLOG.as_bytes()));
    let reader = Reader::new(SLOG.as_bytes()).unwrap();
    assert!(reader.header().columns().unwrap().eq(["DESIRED_THRUST", "NAV_X", "NAV_Y"]));
    let summary = surveyed(SLOG.as_bytes());
    assert!(summary.is_ok() && summary.findings.is_empty(), "{:?}", summary.findings);
    assert_eq!((summary.details.entries, summary.details.numeric_values), (3, 6));
    testkit::assert_agrees::<Alog>("slog", SLOG.as_bytes()).unwrap();
}

#[test]
fn a_row_that_does_not_fit_is_damage_and_costs_itself() {
    for (bad, row) in [
        ("short", "3.5 1 2\n"),
        ("long", "3.5 1 2 3 4\n"),
        ("text", "3.5 1 two 3\n"),
        ("no time", "NaN 1 2 3\n"),
        ("control", "3.5 1 2\u{1} 3\n"),
        ("entry", "3.5 NAV_X pX 3\n"),
    ] {
        let mut log = SLOG.to_owned();
        let at = log.find("2.933491").unwrap();
        log.insert_str(at, row);
        let summary = surveyed(log.as_bytes());
        assert_eq!((summary.details.entries, summary.lost_bytes), (3, row.len() as u64), "{bad}");
        assert_eq!(scalars(log.as_bytes()).len(), 6, "{bad}");
        testkit::assert_agrees::<Alog>(bad, log.as_bytes()).unwrap();
    }
    for cut in 0..SLOG.len() {
        testkit::assert_agrees::<Alog>("cut", &SLOG.as_bytes()[..cut]);
    }
}

/// A damaged line of the header ends its list of columns. The copy, which lacks the line, has no other columns.
#[test]
fn a_copy_of_a_log_with_a_damaged_header_reads_like_it() {
    let rows = SLOG.find("9.5e-05").unwrap();
    for at in 0..rows {
        let mut log = SLOG.as_bytes().to_vec();
        log[at] = 1;
        let Ok(mut reader) = StreamReader::new(&log[..]) else { continue };
        let (header, head) = (reader.header().clone(), reader.header_bytes().to_vec());
        let mut copy = alog::Copier::new(std::io::Cursor::new(Vec::new()), &header, &head).unwrap();
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => drop(copy.copy(&record, &mut |_, _| true)),
                Event::Damage { .. } => {}
                Event::End => break,
            }
        }
        let copy = copy.finish().unwrap().into_inner();
        let text = String::from_utf8_lossy(&copy);
        assert_eq!(samples(&copy), samples(&log), "{at}: {text}");
        assert!(surveyed(&copy).is_ok(), "{at}: {text}");
    }
}

/// Channel, time and value of each sample.
fn samples(file: &[u8]) -> Vec<String> {
    let samples = StreamReader::new(file).unwrap().samples().flatten();
    samples.map(|sample| format!("{} {:?} {:?}", sample.channel, sample.time, sample.value)).collect()
}

#[test]
fn a_synchronous_log_of_times_alone_is_sound() {
    let log = "%%%%\n%% LOG FILE:       ./X.slog\n%% LOGSTART               1493688507.4\n%%%%\n%%   (1) TIME \n\
               %%%%%%%\n%% TIME            \n0.7794402          \n%% TIME            \n1.283804           \n";
    let summary = surveyed(log.as_bytes());
    assert!(summary.is_ok() && summary.findings.is_empty(), "{:?}", summary.findings);
    assert_eq!((summary.details.entries, summary.channels.len()), (2, 0));
    testkit::assert_agrees::<Alog>("times", log.as_bytes()).unwrap();
}

/// A copy of some columns says that there is no news in the others; it never mixes rows and entries.
#[test]
fn a_table_is_copied_by_columns() {
    let reader = Reader::new(SLOG.as_bytes()).unwrap();
    let out = std::io::Cursor::new(Vec::new());
    let mut copy = alog::Copier::new(out, reader.header(), reader.header_bytes()).unwrap();
    for record in reader.records() {
        copy.copy(&record.unwrap(), &mut |name, _| name == "NAV_Y").unwrap();
    }
    let copy = copy.finish().unwrap().into_inner();
    let left: Vec<_> = scalars(&copy).into_iter().map(|(name, _, number)| (name, number)).collect();
    assert_eq!(left, [("NAV_Y".to_owned(), -3.25), ("NAV_Y".to_owned(), -3.5)]);
    assert_eq!(copy.len(), SLOG.len());

    let seconds = Seconds::parse(b"1.5").unwrap();
    let mut table = Writer::new(Vec::new(), reader.header()).unwrap();
    let row = reader.records().map(Result::unwrap).find(|record| record.kind() == Kind::Row).unwrap();
    assert!(table.number(seconds, "NAV_X", "pX", 1.0).is_err() && table.write(&row).is_ok());
    let mut entries = Writer::new(Vec::new(), &Header::new("a", seconds)).unwrap();
    assert!(entries.number(seconds, "NAV_X", "pX", 1.0).is_ok() && entries.write(&row).is_err());
}

const HEADER: &str = "%% LOG FILE:       ./X.alog\n%% LOGSTART               1493688507.4\n";
const BEFORE: &str = "1.000           OK                   pX              1.0 \n";
const SECRET: &str = "7.351           SECRET_MESSAGE       pWolfEncrypt    hs=Z|?\nabc def\nd ";
const BEHIND: &str = "8.000           OK                   pX              2.0 \n";

/// Every control character at every place of an entry: in its value it is kept with a warning, in time, name and source
/// it is damage, and the entries around it are untouched.
#[test]
fn a_control_character_in_a_value_keeps_its_entry_byte_for_byte() {
    let (value, start) = (SECRET.find("hs=").unwrap(), HEADER.len() + BEFORE.len());
    for byte in (0..0x20_u8).filter(|byte| !b"\t\n\r\x1b".contains(byte)) {
        for at in 0..SECRET.len() {
            let mut entry = SECRET.as_bytes().to_vec();
            entry[at] = byte;
            entry.push(b'\n');
            let log = [HEADER.as_bytes(), BEFORE.as_bytes(), &entry, BEHIND.as_bytes()].concat();
            let what = format!("{byte:#04x} at {at}");
            let reader = Reader::new(&log).unwrap();
            let records: Vec<_> = reader.records().filter_map(Result::ok).collect();
            let summary = surveyed(&log);
            let oks = records.iter().filter(|record| record.name() == "OK");
            assert_eq!(
                oks.map(|record| record.bytes().len()).collect::<Vec<_>>(),
                [BEFORE.len(), BEHIND.len()],
                "{what}"
            );
            let codes: Vec<_> = summary.findings.iter().map(|found| (found.code, found.offset)).collect();
            // A blank of the padding before the value belongs to it.
            let padding = SECRET.find("pWolfEncrypt").unwrap() + "pWolfEncrypt ".len();
            if at >= value || at >= padding {
                assert_eq!(codes, [("control-character", (start + at) as u64)], "{what}");
                assert_eq!(summary.findings[0].severity, Severity::Warning);
                assert_eq!((records.len(), records[1].bytes()), (3, &entry[..]), "{what}");
            } else {
                assert_eq!((records.len(), codes[0].0), (2, "damaged"), "{what}");
            }
        }
    }
    for text in ["a\0b", "\u{1}\n\u{1f}", "\u{b}"] {
        let mut writer = Writer::new(Vec::new(), &Header::new("a", Seconds::default())).unwrap();
        writer.entry(Seconds::default(), "A", "pX", text.as_bytes()).unwrap();
        let log = writer.finish().unwrap();
        let value = Reader::new(&log).unwrap().records().next().unwrap().unwrap().value().bytes().to_vec();
        assert_eq!(value, text.as_bytes());
        testkit::assert_agrees::<Alog>("control", &log).unwrap();
    }
    assert!(!alog::can_hold(b"a\0\0b") && !alog::can_hold(b"a\n1.0\x01 NAV_X pX"));
}

#[test]
fn what_aloggrep_prints_around_entries_is_skipped_and_noted() {
    let report = "  Total lines retained: 7 (0.00%)\n  Total lines excluded: 135033 (100.00%)\n  \
                  Total chars retained: 390 (0.00%)\n  Total chars excluded: 13853204 (100.00%)\n    \
                  Variables retained: (1) NAV_X\n";
    for (head, lines) in [("Processing on file : X.alog\n", 6), ("", 5)] {
        let log = [head, HEADER, BEFORE, "8.0 A pX two\nlines \n", report].concat();
        assert!(alog::detect(log.as_bytes()), "{head}");
        let summary = surveyed(log.as_bytes());
        assert!(summary.is_ok());
        let [found] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
        assert_eq!((found.severity, found.code), (Severity::Note, "tool-text"));
        assert!(found.message.starts_with(&format!("{lines} lines")), "{}", found.message);
        assert_eq!((summary.details.entries, summary.details.continuation_lines), (2, 1));
        let reader = Reader::new(log.as_bytes()).unwrap();
        assert!(reader.header().logstart().is_some());
        assert!(reader.records().map(Result::unwrap).any(|record| record.value() == "two\nlines"));
        testkit::assert_agrees::<Alog>("aloggrep", log.as_bytes()).unwrap();
        for cut in 0..log.len() {
            testkit::assert_agrees::<Alog>("cut", &log.as_bytes()[..cut]);
        }
    }
    let bare = ["Processing on file : X.alog\n", BEFORE, BEHIND].concat();
    assert!(alog::detect(bare.as_bytes()) && surveyed(bare.as_bytes()).is_ok());
}

/// The date may be in the header's path, in the name of the file, or in that of a folder.
#[test]
fn a_warp_follows_from_any_dated_name_or_folder() {
    const UNIX: i128 = 1_678_987_654;
    for name in [
        "LOG_W_16_3_2023_____17_27_34.alog",
        "LOG_V1.2_16_3_2023_____17_27_34.xlog",
        "16_03_2023_____17_27_34.alog.gz",
        "LOG_W_2023_3_16_____17_27_34.slog",
        "LOG_W_16_3_2023_____17_27_34_pared.alog",
        "LOG_W_16_3_2023_____17_27.alog",
        "LOG_W_16_3_2023_____17_27_34/w.alog",
        "C:\\logs\\LOG_W_16_3_2023_____17_27_34\\w.alog",
        "/data/LOG_W_16_3_2023_____17_27_34/part_1_2/w.alog",
    ] {
        for tenths in [11, 12, 20, 24, 49, 75, 100, 120] {
            let start = Seconds::from_nanos(UNIX * tenths * 100_000_000);
            #[expect(clippy::cast_precision_loss, reason = "tenths")]
            let warp = Warp::new(tenths as f64 / 10.0).unwrap();
            assert_eq!(Header::new("w.alog", start).warp(), Warp::NONE);
            let header = Reader::new(
                format!("%% LOG FILE:       {name}\n%% LOGSTART {start}\n1.0 A pX 1\n").as_bytes(),
            )
            .unwrap()
            .header()
            .clone();
            assert_eq!(header.warp(), warp, "{name}");
            assert_eq!(
                header.time(Seconds::default()).unwrap().to_string(),
                "2023-03-16T17:27:34.000000000Z"
            );
            if name.contains('\\') {
                continue;
            }
            let mut named = Reader::new(format!("%% LOGSTART {start}\n1.0 A pX 1\n").as_bytes())
                .unwrap()
                .header()
                .clone();
            named.set_path(name);
            assert_eq!(named.warp(), warp, "{name}");
            named.set_warp(Warp::NONE);
            named.set_path(name);
            assert_eq!(named.warp(), Warp::NONE);
        }
    }
}

#[test]
fn a_log_that_begins_after_today_is_a_warning() {
    // 2076, which is 2023 at a warp of two.
    let log = "%% LOG FILE:       ./LOG_W/LOG_W.alog\n%% LOGSTART               3357975308.6\n1.0 A pX 1 \n";
    let summary = surveyed(log.as_bytes());
    let [found] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert_eq!((found.severity, found.code), (Severity::Warning, "future"));
}
