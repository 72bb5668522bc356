//! Copies stay the same, and written logs read back.

use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
};

use alog::{
    Alog, Copier, ErrorKind, Header, Kind, Limits, Reader, Seconds, StreamReader, Warp, Writer,
    layout::Columns,
};
use robolog_core::{format::Copier as _, survey};

fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["alog", "xlog", "ylog", "klog"].iter().any(|known| e == *known))
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if is_log(&path) {
            found.push(path);
        }
    }
}

/// All real logs, and the edge cases made for the tools of MOOS-IvP.
fn real() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("alog") else { return Vec::new() };
    let mut paths = Vec::new();
    walk(&dir, &mut paths);
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read(&path).unwrap());
    paths.into_iter().map(read).collect()
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let extensions = ["alog", "xlog", "klog"];
    let all = extensions.iter().flat_map(|extension| testkit::fixtures("alog", extension));
    all.map(|f| (f.name, f.bytes)).filter(|(_, file)| Reader::new(file).is_ok()).collect()
}

fn is_whole(file: &[u8]) -> bool {
    survey(&mut StreamReader::new(file).unwrap()).unwrap().is_ok()
}

#[test]
fn copies_are_the_files() {
    let (mut files, mut refused) = (0, Vec::new());
    for (name, file) in fixtures().into_iter().chain(real()) {
        if Reader::new(&file).is_err() {
            refused.push(name);
            continue;
        }
        if is_whole(&file) {
            testkit::assert_copies::<Alog>(&name, &file);
            files += 1;
        }
    }
    println!("{files} files copied; refused: {refused:?}");
    assert!(files >= 30, "only {files}");
    // A cache of alogview without any entry, and a system log with times of seven digits.
    let known = |name: &String| {
        let path = Path::new(name);
        path.ends_with("summary.klog") || path.extension().is_some_and(|e| e == "ylog")
    };
    assert!(refused.iter().all(known), "{refused:?}");
}

#[test]
fn streams_are_their_slices() {
    let mut agreements = 0;
    for (_, file) in fixtures().into_iter().chain(real()) {
        // The transcripts contain the text of every entry: one at a time.
        agreements += testkit::assert_slice_is_stream::<Alog>(&file, Limits::default());
        // Lines of large logs are as long.
        if file.len() < 1 << 17 {
            agreements += testkit::assert_slice_is_stream::<Alog>(&file, Limits::default().with_record(512));
        }
    }
    println!("{agreements} streams equal to their slices");
    assert!(agreements >= 43 * testkit::bound(3, 8));
}

/// Drops one variable: the others stay the same.
#[test]
fn a_copy_without_a_variable_has_all_others() {
    for (name, file) in fixtures().into_iter().chain(real().into_iter().filter(|(_, f)| f.len() < 1 << 20)) {
        let Ok(reader) = Reader::new(&file) else { continue };
        if !is_whole(&file) {
            continue;
        }
        let Some(dropped) = reader.records().map(Result::unwrap).find(|r| r.kind() == Kind::Entry) else {
            continue;
        };
        let dropped = String::from_utf8_lossy(&dropped.name()).into_owned();
        let out = Cursor::new(Vec::new());
        let mut out = Copier::new(out, reader.header(), reader.header_bytes()).unwrap();
        let (mut want, mut parts, mut kept) = (reader.header_bytes().to_vec(), 0, 0);
        for record in reader.records().map(Result::unwrap) {
            parts += out.copy(&record, &mut |variable, _| variable != dropped).unwrap();
            if record.kind() != Kind::Entry || record.name() != dropped {
                want.extend_from_slice(record.bytes());
                kept += 1;
            }
        }
        assert_eq!(parts, kept, "{name}");
        let copy = out.finish().unwrap().into_inner();
        assert!(copy == want, "{name}: more than {dropped} is gone");
        let Ok(mut copy) = StreamReader::new(&copy[..]) else {
            assert_eq!(kept, 0, "{name}: a log without a header and without entries is none");
            continue;
        };
        let summary = survey(&mut copy).unwrap();
        assert!(!summary.details.variables.contains_key(&dropped), "{name}");
    }
}

/// A copy begins with the bytes of the header, so a changed header would be lost. Settings of reading are not in them.
#[test]
fn a_changed_header_is_refused_by_a_copy() {
    let file = testkit::fixture("alog/moosivp.alog");
    // The same, with damage inside the header: the lines after it count, and are in records.
    let start = memchr::memmem::find(&file, b"%% LOGSTART").unwrap();
    let mut parted = file.clone();
    parted[start - 3] = 0;
    for (file, is_parted) in [(&file, false), (&parted, true)] {
        let reader = Reader::new(file).unwrap();
        assert_eq!(memchr::memmem::find(reader.header_bytes(), b"LOGSTART").is_none(), is_parted);
        let begin = |change: &dyn Fn(&mut Header)| {
            let mut header = reader.header().clone();
            assert!(header.logstart_text.is_some() && !header.marks_types);
            change(&mut header);
            Copier::new(Cursor::new(Vec::new()), &header, reader.header_bytes()).map(drop)
        };
        begin(&|_| {}).unwrap();
        begin(&|header| header.set_warp(Warp::new(4.0).unwrap())).unwrap();
        begin(&|header| header.set_logstart(seconds("5"))).unwrap();
        begin(&|header| header.set_times(alog::TimeFrom::Column)).unwrap();
        begin(&|header| header.set_folder("logs")).unwrap();
        let changes: [&dyn Fn(&mut Header); 5] = [
            &|header| header.log_file = Some(b"other.alog".to_vec()),
            &|header| header.opened_on = Some(b"Friday".to_vec()),
            &|header| header.logstart_text = Some(b"5".to_vec()),
            &|header| header.marks_types = true,
            &|header| *header = Header::new("other.alog", seconds("5")),
        ];
        for change in changes {
            let error = begin(change).unwrap_err().to_string();
            assert!(error.contains("the header differs") && error.contains("`Writer`"), "{error}");
        }
    }
}

/// An entry without a line end is not joined with the next one.
#[test]
fn torn_logs_are_joined_with_an_end_of_line() {
    let torn = testkit::fixture("alog/torn.alog");
    let reader = Reader::new(&torn).unwrap();
    let mut writer = Writer::with_header_bytes(Vec::new(), reader.header_bytes()).unwrap();
    for _ in 0..2 {
        for record in reader.records() {
            writer.write(&record.unwrap()).unwrap();
        }
    }
    writer.entry(Seconds::default(), "LAST", "pLast", b"1").unwrap();
    let position = writer.position();
    let joined = writer.finish().unwrap();
    assert_eq!(position, joined.len() as u64);
    let joined = Reader::new(&joined).unwrap();
    let names = |reader: &Reader<'_>| -> Vec<Vec<u8>> {
        reader.records().map(|r| r.unwrap().name().to_vec()).collect()
    };
    let one = names(&reader);
    assert_eq!(names(&joined), [&one[..], &one, &[b"LAST".to_vec()]].concat());
}

fn seconds(text: &str) -> Seconds {
    Seconds::parse(text.as_bytes()).unwrap()
}

#[test]
fn entries_written_are_read_back() {
    let names = [
        "A",
        "NAV_X",
        "1",
        "simple",
        "EXACTLY_TWENTY_BYTES",
        "A_NAME_FAR_LONGER_THAN_ITS_COLUMN_IS",
        "%%",
        "\u{e4}",
    ];
    let sources = ["p", "pHelmIvP:12:waypt@alpha", "MOOSDB#1", "Antler{Monarch}", "ten_bytes_", "1.5", "%"];
    let values: [&[u8]; 17] = [
        b"",
        b"0.00000",
        b"true",
        b"NAME=alpha,X=1.5",
        b"two\nlines",
        b"three\n\nlines\n",
        b"\n",
        b"with\r\n",
        b"\r",
        b"a blank behind ",
        b"1.5 NAV_X pApp 1 is on the first line",
        b"%% true",
        b"% percent\n% percent",
        b"rows\n2    15:45:52.865 p\n-1 A B",
        b"\x1b[31m\xff\xfe\x1b[0m",
        b"a\nb\t c\n 1.5 A p 0\n",
        b"-",
    ];
    let times = [
        "0",
        "0.5",
        "-3.466",
        "-0.00001",
        "12.34567",
        "149.151",
        "-13910027478.479",
        "81857805391.5",
        "999999999999999999.125",
    ];
    let header = Header::new("./m/m.alog", seconds("1714983600.123457"));
    let mut entries = 0;
    for columns in [Columns::MOOS_IVP, Columns::MOOS, Columns::NEW_COLLEGE] {
        let mut writer = Writer::new(Vec::new(), &header).unwrap().with_columns(columns);
        let mut written = Vec::new();
        for (i, time) in times.iter().enumerate() {
            for (j, value) in values.iter().enumerate() {
                for k in 0..names.len() {
                    let entry = (
                        seconds(time),
                        names[(i + k) % names.len()],
                        sources[(j + k) % sources.len()],
                        *value,
                    );
                    let at = writer.position();
                    writer.entry(entry.0, entry.1, entry.2, entry.3).unwrap();
                    written.push((at, entry));
                }
            }
        }
        let log = writer.finish().unwrap();
        assert!(alog::detect(&log));
        let reader = Reader::new(&log).unwrap();
        assert_eq!(reader.header(), &{
            let mut h = header.clone();
            h.lines = 4;
            h
        });
        let mut records = reader.records().map(Result::unwrap);
        for (at, (time, name, source, value)) in &written {
            let record = records.next().unwrap();
            assert_eq!((record.kind(), record.offset()), (Kind::Entry, *at));
            assert_eq!(record.time_text(), time.with_decimals(columns.decimals).as_bytes());
            let rounded = time.minus(record.seconds().unwrap()).unwrap().nanos().abs();
            assert!(rounded <= 5 * 10_i128.pow(8 - u32::try_from(columns.decimals).unwrap()), "{time}");
            assert!(record.name() == *name && record.source() == *source);
            let got = record.value().bytes();
            assert_eq!(got, *value, "{:?} in {record:?}", String::from_utf8_lossy(value));
            entries += 1;
        }
        assert!(records.next().is_none());
        testkit::assert_copies::<Alog>("written", &log);
    }
    println!("{entries} entries read back");
}

#[test]
fn numbers_are_written_as_moos_ivp_writes_them() {
    let header = Header::new("m.alog", seconds("1.5"));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let numbers = [0.0, -0.0, 1.5, -12.25, 1e15, 1234.56789, -0.00001];
    for number in numbers {
        writer.number(Seconds::default(), "N", "p", number).unwrap();
    }
    let log = writer.finish().unwrap();
    let reader = Reader::new(&log).unwrap();
    let read: Vec<_> = reader.records().map(|r| r.unwrap().value().number().unwrap()).collect();
    assert_eq!(read, numbers);
    assert!(log.ends_with(b"0.00000         N                    p               -0.00001     \n"));
}

#[test]
fn numbers_keep_the_digits_that_were_given() {
    let mut writer = Writer::new(Vec::new(), &Header::new("m.alog", seconds("1.5"))).unwrap();
    // More than five decimals, and more or fewer digits than a double shows.
    let texts = ["43.825300123456", "0.1", "-1225719811.654321", "0.000000123", "123456789012345680"];
    for text in texts {
        writer.number(Seconds::default(), "N", "p", text.parse().unwrap()).unwrap();
    }
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(writer.number(Seconds::default(), "N", "p", number).is_err());
    }
    let log = writer.finish().unwrap();
    let reader = Reader::new(&log).unwrap();
    let values: Vec<_> = reader.records().map(|r| r.unwrap().value()).collect();
    assert_eq!(values.len(), texts.len());
    assert_eq!(values[0].trimmed(), b"43.825300123456");
    assert!(values.iter().zip(texts).all(|(value, text)| value.number() == text.parse().ok()));
}

/// A value that would not read back the same is refused, and nothing of it is written.
#[test]
fn what_cannot_be_read_back_is_refused() {
    let header = Header::new("m.alog", seconds("1.5"));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let before = writer.position();
    for (name, source, value) in [
        ("", "p", &b"1"[..]),
        ("A", "", b"1"),
        ("A B", "p", b"1"),
        ("A\t", "p", b"1"),
        ("A\n", "p", b"1"),
        ("A\u{b}B", "p", b"1"),
        ("A\u{c}B", "p", b"1"),
        ("A", "p q", b"1"),
        ("A", "p\r", b"1"),
        ("A", "\u{b}", b"1"),
        ("A", "p", b"a\n1.5 NAV_X p 1"),
        ("A", "p", b"a\n-1.5\tNAV_X\tp"),
        ("A", "p", b"a\nb\n0.0 A p\nc"),
        ("A", "p", b"a\n%% comment"),
        ("A", "p", b"a\n%%"),
        ("A", "p", b" a blank before"),
        ("A", "p", b"\ta tab before"),
        ("A", "p", b"a\n1x.50000        NAV_X                pX"),
    ] {
        let got = writer.entry(Seconds::default(), name, source, value);
        let Err(error) = got else {
            panic!("{name:?} {source:?} {:?} is taken", String::from_utf8_lossy(value))
        };
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
        assert_eq!(writer.position(), before);
    }
    assert_eq!(writer.finish().unwrap().len() as u64, before);
}

/// A header whose texts would not read back, and one that would.
#[test]
fn headers_with_line_breaks_are_refused() {
    for path in ["a\nb", "a\n%% LOGSTART 5", "a\r", " a", "a "] {
        let header = Header::new(path, seconds("1.5"));
        let error = Writer::new(Vec::new(), &header).map(drop).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { what: "header", .. }), "{path:?}: {error}");
    }
    let mut header = Header::default();
    header.opened_on = Some(b"Thu\nJan".to_vec());
    assert!(Writer::new(Vec::new(), &header).is_err());
    header.opened_on = Some(b"Thu Jan  1".to_vec());
    let log = Writer::new(Vec::new(), &header).unwrap().finish().unwrap();
    assert_eq!(Reader::new(&log).unwrap().header().opened_on, header.opened_on);
}

/// A target that fails at any operation gives an error, and the bytes written before are the beginning of the log.
#[test]
fn full_disks_are_told() {
    let file = testkit::fixture("alog/moosivp.alog");
    let reader = Reader::new(&file).unwrap();
    let copy = |fails_at: usize| -> Result<Vec<u8>, alog::Error> {
        let target = testkit::Faulty::new(fails_at);
        let mut out = Copier::new(target, reader.header(), reader.header_bytes())?;
        for record in reader.records() {
            out.copy(&record?, &mut |_, _| true)?;
        }
        Ok(out.finish()?.into_bytes())
    };
    let mut failures = 0;
    for fails_at in (0..).step_by(37) {
        match copy(fails_at) {
            Ok(out) => {
                assert!(out == file);
                break;
            }
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
                failures += 1;
            }
        }
    }
    assert!(failures > 10, "{failures}");
}
