//! All kinds of damage to small logs: everything is decoded by every set of rules, in memory bounded by the input.

use std::{
    io::{self, Read},
    time::Duration,
};

use alog::{
    Alog, Decoder, ErrorKind, Kind, Limits, NodeReport, Options, RawText, Record, StreamReader, Strictness,
    TimeFrom, slog,
};
use robolog_core::{Event, format::Decoder as _, survey};

/// Peak heap use of `run`.
fn heap(run: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(run).bytes_max).unwrap()
}

/// Calls every method of a value, by all rules.
fn ask(value: RawText<'_>) -> usize {
    let mut n = usize::from(value.text().is_some()) + usize::from(value.binary().is_some());
    for strictness in [Strictness::Moos, Strictness::MoosIvp, Strictness::Ours] {
        n += usize::from(value.number_as(strictness).is_some());
        n += usize::from(value.get_as("time", strictness).is_some());
        for separator in *b",#:@!" {
            for item in value.items_by(separator, strictness) {
                n += item.key.map_or(0, <[u8]>::len) + usize::from(item.value.number().is_some());
                n += item.value.matrix().map_or(0, |m| m.values().count());
            }
        }
    }
    if let Some(matrix) = value.get_matrix("Range").or_else(|| value.matrix()) {
        n += matrix.to_vec().map_or(0, |v| v.len()) + usize::from(matrix.is_empty());
    }
    let report = NodeReport::parse(value);
    n + usize::from(report.odometry().is_some()) + usize::from(report.fix().is_some())
}

fn look(record: &Record<'_>) -> usize {
    let [name, source, application] =
        [record.name(), record.source(), record.application()].map(RawText::bytes);
    let parts = [record.time_text(), name, source, application, record.body()];
    let text: usize = parts.iter().map(|part| part.len()).sum();
    assert!(text <= 2 * record.bytes().len(), "parts that are more than the whole");
    assert_eq!(record.kind() == Kind::Entry, record.seconds().is_some() || record.time_text().len() > 24);
    let _ = (record.time(), record.auxiliary(), record.community(), record.continuation_lines());
    ask(record.value())
}

/// Decodes everything; every byte after the header must be in one record or one gap.
fn decode_all(file: &[u8], limits: Limits) {
    let Ok(mut reader) = StreamReader::with_limits(file, limits) else { return };
    let mut at = reader.position();
    for step in 0.. {
        assert!(step <= file.len() + 2, "more steps than bytes");
        let (from, to) = match reader.next_event().unwrap() {
            Event::Record(record) => {
                look(&record);
                (record.offset(), record.offset() + record.bytes().len() as u64)
            }
            Event::Damage { error, lost } => {
                assert!(error.offset() <= file.len() as u64, "{error}");
                let known = matches!(error.kind(), ErrorKind::Limit { .. } | ErrorKind::Invalid { .. });
                assert!(known && !lost.is_empty(), "{error}: {lost:?}");
                (lost.start, lost.end)
            }
            Event::End => break,
        };
        assert_eq!(from, at, "a byte is lost or told twice");
        at = to;
    }
    assert_eq!(at, file.len() as u64, "bytes at the end are not accounted for");
}

fn sample_all(file: &[u8], time: TimeFrom) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let mut options = Options::default();
    options.time = time;
    options.warp = alog::Warp::new(2.5).filter(|_| time == TimeFrom::Column);
    let mut decoder = Decoder::new(reader.header(), options);
    let mut sink = |_: &mut _| Ok::<(), alog::Error>(());
    loop {
        match reader.next_event().unwrap() {
            // Only the end of the last line may be missing.
            Event::Record(record) => {
                if let Err(error) = decoder.samples(&record, &mut sink) {
                    assert!(error.to_string().contains("end of a line"), "{error}");
                }
            }
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    decoder.last_samples(&mut sink).unwrap();
}

fn survey_all(file: &[u8]) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let summary = survey(&mut reader).unwrap();
    assert_eq!(summary.bytes, file.len() as u64);
    assert!(summary.lost_bytes == 0 || !summary.is_ok(), "{:?}", summary.findings);
}

fn survive(file: &[u8], most: &mut usize) {
    let steps: [(&str, &dyn Fn()); 5] = [
        ("decode", &|| decode_all(file, Limits::default())),
        ("survey", &|| survey_all(file)),
        ("sample", &|| sample_all(file, TimeFrom::Embedded)),
        ("sample by column", &|| sample_all(file, TimeFrom::Column)),
        ("table", &|| drop(slog::Table::new(file).map(|t| t.rows().filter_map(Result::ok).count()))),
    ];
    for (name, step) in steps {
        let took = heap(step);
        assert!(took <= 16 * file.len() + (1 << 20), "{name}: {took} bytes for an input of {}", file.len());
        *most = took.max(*most);
    }
}

#[test]
fn no_damage_does_harm() {
    let (mut inputs, mut agreements, mut most) = (0, 0, 0);
    let kinds = ["alog", "xlog", "klog"].iter().flat_map(|extension| testkit::fixtures("alog", extension));
    let small: Vec<_> = kinds.filter(|f| f.bytes.len() < 3000).collect();
    for fixture in testkit::one_in(4, &small) {
        let (file, seed) = (&fixture.bytes, fixture.bytes.len() as u64);
        // Half of most files is a header, the same in all.
        let body = file.iter().position(|b| b.is_ascii_digit() || *b == b'-').unwrap_or_default();
        let mut visit = |file: &[u8]| {
            inputs += 1;
            survive(file, &mut most);
        };
        let mut visit = testkit::thinned(&mut visit);
        testkit::cuts(file).for_each(&mut visit);
        testkit::flips(file, file.len(), &mut visit);
        testkit::splices(file, 2000, seed, &mut visit);
        drop(visit);
        // A stream rejects a candidate that exceeds the limit: not below the heads of entries here.
        for limit in [160, 300, 1000] {
            let limits = Limits::default().with_record(limit);
            let mut both = |file: &[u8]| {
                decode_all(file, limits);
                agreements += testkit::assert_slice_is_stream::<Alog>(file, limits);
            };
            testkit::cuts(&file[body..]).step_by(53).for_each(&mut both);
            testkit::splices(&file[body..], 16, seed ^ limit as u64, &mut both);
            both(file);
        }
    }
    println!("{} files, {inputs} inputs, {agreements} streams equal to their slice", small.len());
    println!("most heap: {most} bytes");
    assert!(small.len() > 40 && inputs > testkit::bound(5_000, 250_000));
    assert!(agreements > testkit::bound(1_400, 20_000));
    zeros_do_no_harm();
    lines_that_are_nearly_entries();
    brackets_within_brackets();
    limits_are_told();
}

fn zeros_do_no_harm() {
    for log in [vec![0; 1 << 20], [b"1.0 A pX 1 \n".to_vec(), vec![0; 1 << 20]].concat()] {
        survive(&log, &mut 0);
    }
}

/// Lines in which every byte except the last could begin an entry, and lines of one byte.
fn lines_that_are_nearly_entries() {
    let bodies: [&[u8]; 7] =
        [b"1", b"1.5 A ", b"-", b"%", b"1.0                                  ", b"\n", b"1.5 A p\r\n"];
    for line in bodies {
        for end in [&b"\n"[..], b""] {
            let lines = [line, end].concat().repeat((1 << 17) / line.len());
            let log = [b"%% LOGSTART 1.5\n1.0 A pX 1 \n", &lines[..]].concat();
            let ((), took) = testkit::busy(|| {
                decode_all(&log, Limits::default());
                survey_all(&log);
            });
            assert!(took < Duration::from_secs(20), "{:?}: {took:?}", String::from_utf8_lossy(line));
        }
    }
}

/// Many unclosed brackets: searched a few times, not once for each.
fn brackets_within_brackets() {
    for text in ["{", "[", "(", "\"", "=", ",", "{,", "[,(,", "{}{", "{,}{,", "{\"a\":", "[1]{"] {
        let many = text.repeat((1 << 18) / text.len());
        let log = [b"1.0 NODE_REPORT pX ", many.as_bytes(), b" \n"].concat();
        let ((), took) = testkit::busy(|| {
            sample_all(&log, TimeFrom::Embedded);
            decode_all(&log, Limits::default());
        });
        println!("256 KiB of {text}: {took:?}");
        assert!(took < Duration::from_secs(10), "{text}: {took:?}");
    }
    let keys = |text: &str| RawText(text.as_bytes()).items().filter(|item| item.key.is_some()).count();
    // A few unclosed ones do not stop the others from protecting.
    assert_eq!(keys(&[&"{,".repeat(60)[..], "a={b=1,c=2},d=3"].concat()), 2);
    assert_eq!(keys(&[&"{,".repeat(1000)[..], "a={b=1,c=2},d=3"].concat()), 3);
}

/// Repeats a byte `left` times.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        io::repeat(b'x').take(self.0).read(buf).inspect(|n| self.0 -= *n as u64)
    }
}

/// A value of 300 MB with a limit of 1 MiB: an error, and then the next entry.
fn limits_are_told() {
    const LEN: u64 = 300_000_000;
    let head = &b"%% LOGSTART 1.5\n1.0 A pX 1 \n2.0 B pX "[..];
    let took = heap(|| {
        let log = head.chain(Endless(LEN)).chain(&b"\n3.0 C pX 1 \n4.0 D pX 2"[..]);
        let mut reader = StreamReader::with_limits(log, Limits::default().with_record(1 << 20)).unwrap();
        let (mut names, mut lost_bytes, mut errors) = (Vec::new(), 0, Vec::new());
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => names.push(record.name().to_vec()),
                Event::Damage { error, lost } => {
                    lost_bytes += lost.end - lost.start;
                    errors.push(error);
                }
                Event::End => break,
            }
        }
        assert_eq!(names, [b"A", b"C", b"D"]);
        assert_eq!((errors.len(), lost_bytes), (1, LEN + 10));
        assert!(matches!(errors[0].kind(), ErrorKind::Limit { what: "record", limit: 0x10_0000, .. }));
        println!("{}", errors[0]);
    });
    println!("{took} bytes for a value without end");
    assert!(took < 6 << 20, "{took}");
}
