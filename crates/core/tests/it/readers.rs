//! The readers on a toy format that can produce every outcome of framing.

use std::io::{self, Read};

use robolog_core::{
    Error, ErrorKind, Event, Feeder, Limits, Reader, Result, StreamReader,
    format::{Extent, Format, KnownLength, Opening, RawRecord, Search, Step},
    layout::first,
};
use testkit::{Line, assert_slice_is_stream, slice_transcript};

/// Records are a kind, a u32 length and that many bytes. `=` is a record, `E` the end mark, `0` claims length zero, `!`
/// is not a record, `T` is torn: its first five bytes are good, the rest is not.
#[derive(Debug)]
enum Toy {}

impl Format for Toy {
    type Header = ();
    type Record<'a> = &'a [u8];
    const NAME: &'static str = "toy";

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"toy")
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<()>> {
        match input.get(..3) {
            Some(b"toy") => Ok(Step::Ready((), 3)),
            Some(_) if input.len() >= 16 || eof => Err(Error::magic(input, "a toy")),
            _ => Ok(Step::Need(16 - input.len())),
        }
    }

    fn measure((): &(), input: &[u8], at: u64, _eof: bool) -> Result<Extent> {
        match input.first() {
            Some(b'E') => return Ok(Extent::End),
            Some(b'0') => return Ok(Extent::Whole(0)),
            Some(b'!') => return Err(Error::invalid("kind", "!", "=", at).within("toy")),
            _ => {}
        }
        let Some(len) = input.get(1..).and_then(first::<u32>) else {
            return Ok(Extent::Need(5 - input.len()));
        };
        if input[0] == b'T' {
            let error = Error::invalid("body", "torn", "whole", at + 5).within("toy");
            return Ok(Extent::Torn { len: 5, error });
        }
        let len = usize::try_from(len).unwrap() + 5;
        Ok(if len <= input.len() { Extent::Whole(len) } else { Extent::Need(len - input.len()) })
    }

    fn record<'a>((): &(), raw: RawRecord<'a>) -> Result<&'a [u8]> {
        match raw.bytes.get(5..) {
            Some(b"bad") => Err(Error::invalid("body", "bad", "good", raw.offset + 5).within("toy")),
            body => Ok(body.unwrap_or_default()),
        }
    }

    fn resync((): &(), input: &[u8], _at: u64, eof: bool) -> Search {
        match input.iter().position(|b| matches!(b, b'=' | b'T')) {
            // Accepted only with its length.
            Some(at) if input.len() - at < 5 && !eof => {
                Search::Beyond { skip: at, need: 5 - (input.len() - at) }
            }
            Some(at) => Search::Found(at),
            None if eof => Search::Beyond { skip: input.len(), need: 1 },
            None => Search::Beyond { skip: input.len(), need: 1 },
        }
    }
}

fn record(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[kind][..], &u32::try_from(body.len()).unwrap().to_le_bytes(), body].concat()
}

fn file(parts: &[&[u8]]) -> Vec<u8> {
    [b"toy".to_vec(), parts.concat()].concat()
}

fn transcript(bytes: &[u8], limits: Limits) -> Vec<String> {
    assert_slice_is_stream::<Toy>(bytes, limits);
    slice_transcript::<Toy>(bytes, limits, &|body| String::from_utf8_lossy(body).into_owned())
        .into_iter()
        .map(|line| match line {
            Line::Record(text) => text,
            Line::Damage(text, lost) => format!("{text} {lost:?}"),
        })
        .collect()
}

#[test]
fn every_outcome_of_framing_once() {
    let (a, b, bad) = (record(b'=', b"a"), record(b'=', b"bb"), record(b'=', b"bad"));
    let cases: [(&str, Vec<u8>, &[&str]); 8] = [
        ("whole", file(&[&a, &b]), &["a", "bb"]),
        ("end mark", file(&[&a, b"E", &b]), &["a"]),
        (
            "short tail",
            file(&[&a, &b[..6]]),
            &["a", "toy: the input ends 1 byte too early (at byte 0x9) 9..15"],
        ),
        (
            "no record",
            file(&[&a, b"!!", &b]),
            &["a", "toy: invalid kind: found !, expected = (at byte 0x9) 9..11", "bb"],
        ),
        (
            "no length",
            file(&[b"0", &b]),
            &["toy: invalid record length: found 0, expected at least 1 (at byte 0x3) 3..4", "bb"],
        ),
        (
            "torn: what is good, one error, and on",
            file(&[&record(b'T', b"xyz"), &b]),
            &["", "toy: invalid body: found torn, expected whole (at byte 0x8) 8..11", "bb"],
        ),
        (
            "undecodable: the next record follows",
            file(&[&bad, &b]),
            &["toy: invalid body: found bad, expected good (at byte 0x8) 3..11", "bb"],
        ),
        (
            "nothing found behind damage",
            file(&[b"!abc"]),
            &["toy: invalid kind: found !, expected = (at byte 0x3) 3..7"],
        ),
    ];
    for (name, bytes, want) in cases {
        assert_eq!(transcript(&bytes, Limits::default()), want, "{name}");
    }
}

#[test]
fn an_error_comes_once_and_then_nothing() {
    let bytes = file(&[b"!", &record(b'=', b"a")]);
    let reader = Reader::<Toy>::new(&bytes).unwrap();
    let mut records = reader.records();
    assert!(records.next().unwrap().is_err());
    assert!(records.next().is_none() && records.next().is_none());
    assert_eq!(records.resync(), 3..4);
    assert_eq!(records.next().unwrap().unwrap(), b"a");
    let mut stream = StreamReader::<_, Toy>::new(&bytes[..]).unwrap();
    assert!(stream.next_record().is_err());
    assert!(stream.next_record().unwrap().is_none());
    assert_eq!(stream.resync().unwrap(), 3..4);
    assert_eq!(stream.next_record().unwrap(), Some(&b"a"[..]));
}

#[test]
fn records_over_the_limit_are_refused_and_the_next_is_found() {
    let (big, small) = (record(b'=', &[b'.'; 95]), record(b'=', b"a"));
    let bytes = file(&[&big, &small]);
    for (limit, fits) in [(99, false), (100, true), (101, true)] {
        let got = transcript(&bytes, Limits::default().with_record(limit));
        assert_eq!(got.last().unwrap(), "a");
        assert_eq!(got[0].starts_with("toy: record of "), !fits, "{got:?}");
        assert_eq!(got.len(), 2);
    }
    let reader = Reader::<Toy>::with_limits(&bytes, Limits::default().with_record(50)).unwrap();
    let error = reader.records().next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { len: 100, limit: 50, .. }), "{error}");
}

/// If a place needs one byte more than the limit to be judged, the stream is read further.
#[test]
fn a_place_that_fills_the_limit_is_judged() {
    let bytes = file(&[b"=", &record(b'=', b"a"), &record(b'=', b"b")]);
    for limit in 3..12 {
        let got = transcript(&bytes, Limits::default().with_record(limit));
        let records = got.iter().filter(|line| matches!(line.as_str(), "a" | "b")).count();
        assert_eq!(records, if limit < 6 { 0 } else { 2 }, "{limit}: {got:?}");
    }
}

#[test]
fn random_access_is_the_walk_from_there() {
    let bytes = file(&[&record(b'=', b"a"), &record(b'=', b"b"), &record(b'=', b"c")]);
    let reader = Reader::<Toy>::new(&bytes).unwrap();
    let index = reader.index().unwrap();
    let all: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(index.len(), 3);
    for (i, entry) in index.entries().iter().enumerate() {
        let rest: Vec<_> = reader.records_from(entry.offset).map(Result::unwrap).collect();
        assert_eq!(rest, all[i..]);
    }
    assert_eq!(reader.records_from(u64::MAX).count(), 0);
}

/// Yields some bytes, then an error.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("unplugged"));
        }
        self.0.read(buf)
    }
}

#[test]
fn a_failing_stream_is_an_error_at_its_offset_never_an_end() {
    let bytes = file(&[&record(b'=', b"abc"), &record(b'=', b"def")]);
    for cut in 0..bytes.len() {
        let mut records = 0;
        let error = match StreamReader::<_, Toy>::new(Failing(&bytes[..cut])) {
            Err(error) => error,
            Ok(mut stream) => loop {
                match stream.next_event() {
                    Ok(Event::Record(_)) => records += 1,
                    Ok(other) => panic!("{cut}: {other:?}"),
                    Err(error) => break error,
                }
            },
        };
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{cut}: {error}");
        assert_eq!((error.offset(), records), (cut as u64, cut.saturating_sub(3) / 8), "{cut}");
    }
}

/// Ten records, with damage before the fifth, from a source that times out once, at each of its reads in turn.
#[test]
fn after_one_time_out_nothing_is_missing() {
    let mut parts: Vec<Vec<u8>> = (b'a'..b'k').map(|name| record(b'=', &[name])).collect();
    parts.insert(4, b"!?!".to_vec());
    let bytes = file(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
    for stalls_at in 0..=bytes.len() {
        let source = Once { rest: &bytes, reads: 0, stalls_at };
        let mut stream = match Opening::<_, Toy>::new(source).read() {
            Ok(stream) => stream,
            Err((opening, error)) => {
                assert!(error.is_stall(), "{stalls_at}: {error}");
                opening.read().expect("the source is kept")
            }
        };
        let (mut records, mut lost) = (Vec::new(), Vec::new());
        loop {
            match stream.next_event() {
                Ok(Event::Record(record)) => records.extend_from_slice(record),
                Ok(Event::Damage { lost: range, .. }) => lost.push(range),
                Ok(Event::End) => break,
                Err(error) => assert!(error.is_stall(), "{stalls_at}: {error}"),
            }
        }
        assert_eq!(records, *b"abcdefghij", "{stalls_at}");
        assert!(matches!(&lost[..], [lost] if *lost == (27..30)), "{stalls_at}: {lost:?}");
    }
}

/// By hand: a framing error, and a search interrupted by the source.
#[test]
fn a_search_that_stalls_goes_on_and_tells_all_that_is_lost() {
    let bytes = file(&[b"!????", &record(b'=', b"a")]);
    for stalls_at in 4..=9 {
        let source = || Once { rest: &bytes, reads: 0, stalls_at };
        let mut stream = StreamReader::<_, Toy>::new(source()).unwrap();
        let fault = loop {
            match stream.next_record() {
                Err(error) if error.is_stall() => {}
                other => break other.unwrap_err(),
            }
        };
        assert_eq!(fault.offset(), 3);
        let lost = stream.resync().or_else(|_| stream.resync()).unwrap();
        assert_eq!((lost, stream.next_record().unwrap()), (3..8, Some(&b"a"[..])), "{stalls_at}");
        // When events stall, the fault comes with the next record requested.
        let mut stream = StreamReader::<_, Toy>::new(source()).unwrap();
        let mut records = Vec::new();
        let _ = stream.next_event().map(drop);
        for _ in 0..4 {
            records.extend(stream.next_record().ok().flatten().map(<[u8]>::to_vec));
        }
        assert_eq!(records, [b"a"], "{stalls_at}");
    }
}

/// Yields one byte at a time, and one time-out.
struct Once<'a> {
    rest: &'a [u8],
    reads: usize,
    stalls_at: usize,
}

impl Read for Once<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        if self.reads - 1 == self.stalls_at {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.rest.take(1).read(buf).inspect(|got| self.rest = &self.rest[*got..])
    }
}

#[test]
fn a_source_that_fails_for_good_says_so_each_time() {
    let bytes = file(&[&record(b'=', b"a")]);
    let mut stream = StreamReader::<_, Toy>::new(Failing(&bytes[..])).unwrap();
    assert!(matches!(stream.next_event(), Ok(Event::Record(b"a"))));
    for _ in 0..3 {
        assert!(matches!(stream.next_event().unwrap_err().kind(), ErrorKind::Io(_)));
    }
}

/// A source of another format is returned together with the bytes read from it.
#[test]
fn what_is_not_opened_comes_back() {
    let (opening, error) = Opening::<_, Toy>::new(&b"no toy, and something behind"[..]).read().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Magic { .. }));
    let (rest, read) = opening.into_parts();
    assert_eq!([&read[..], rest].concat(), b"no toy, and something behind");
}

#[test]
fn pushes_are_bounded_and_end() {
    let bytes = file(&[&record(b'=', &[b'.'; 95]), &record(b'=', b"a")]);
    let mut feeder = Feeder::<Toy>::with_limits(Limits::default().with_record(120));
    feeder.push(&bytes).unwrap();
    let error = feeder.push(b"more than fits").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { len: 123, limit: 120, .. }), "{error}");
    assert_eq!(error.offset(), bytes.len() as u64);
    assert!(feeder.header().is_none() && feeder.header_mut().unwrap().is_some());
    assert_eq!((feeder.header_bytes(), feeder.position()), (&b"toy"[..], 3));
    assert!(matches!(feeder.next_event(), Ok(Some(Event::Record(body))) if body.len() == 95));
    assert!(matches!(feeder.next_event(), Ok(Some(Event::Record(b"a")))));
    assert!(feeder.next_event().unwrap().is_none());
    feeder.push(&record(b'=', b"b")).unwrap();
    feeder.end();
    assert!(feeder.push(b"").is_ok() && feeder.push(b"c").is_err());
    assert!(matches!(feeder.next_event(), Ok(Some(Event::Record(b"b")))));
    for _ in 0..2 {
        assert!(matches!(feeder.next_event(), Ok(Some(Event::End))));
    }
}

/// A decompressor of a truncated file.
struct Cut<'a>(&'a [u8]);

impl Read for Cut<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.0.read(buf)
    }
}

#[test]
fn a_stream_that_ends_too_early_is_read_to_there_and_then_told_once() {
    let bytes = file(&[&record(b'=', b"abc"), &record(b'=', b"def")]);
    for cut in 3..=bytes.len() {
        let mut stream = StreamReader::<_, Toy>::new(Cut(&bytes[..cut])).unwrap();
        let (mut records, mut told) = (0, Vec::new());
        loop {
            match stream.next_event().unwrap() {
                Event::Record(_) => records += 1,
                Event::Damage { error, .. } => told.push(error.to_string()),
                Event::End => break,
            }
        }
        assert_eq!(records, (cut - 3) / 8, "{cut}");
        assert!(told.last().is_some_and(|e| e.contains("too early")) && told.len() <= 2, "{cut}: {told:?}");
        assert_eq!(told.iter().filter(|e| e.contains("compressed stream")).count(), 1, "{cut}: {told:?}");
    }
}

#[test]
fn a_claim_costs_nothing_before_its_bytes_arrive() {
    let bytes = file(&[b"=\xff\xff\xff\xff", b"only a little"]);
    let took = allocation_counter::measure(|| {
        for limits in [Limits::default(), Limits::none()] {
            let mut stream = StreamReader::<_, Toy>::with_limits(&bytes[..], limits).unwrap();
            assert!(stream.next_record().is_err());
            assert_eq!(Reader::<Toy>::with_limits(&bytes, limits).unwrap().records().flatten().count(), 0);
        }
    })
    .bytes_max;
    assert!(took < 1 << 20, "{took} bytes for a claim of 4 GiB");
}

#[test]
fn a_stream_that_ends_early_between_records_is_damaged_once() {
    let parts = [record(b'=', b"a"), record(b'=', b"b"), record(b'=', b"c")];
    let whole = file(&[&parts[0], &parts[1], &parts[2]]);
    let end = whole.len() - parts[2].len();
    for (left, want) in [(end, 2), (whole.len(), 3)] {
        let stream = KnownLength::new(&whole[..left], whole.len() as u64);
        let mut reader = StreamReader::<_, Toy>::new(stream).unwrap();
        let mut records = 0;
        let mut faults = Vec::new();
        loop {
            match reader.next_event().unwrap() {
                Event::Record(_) => records += 1,
                Event::Damage { error, lost } => faults.push((error.to_string(), lost)),
                Event::End => break,
            }
        }
        assert_eq!((records, faults.len()), (want, usize::from(left < whole.len())), "{faults:?}");
        if let Some((error, _)) = faults.first() {
            assert!(error.contains("became shorter") && error.ends_with("(at byte 0xf)"), "{error}");
        }
    }
}
