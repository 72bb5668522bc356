//! All kinds of damage to small logs: every byte is in one record or one gap, in memory bounded by the input.

use std::time::Duration;

use robolog_core::{
    Event,
    format::{Decoder as _, Format as _},
    survey,
};
use robolog_nmea::{Decoder, ErrorKind, Limits, Message, Nmea, Options, StreamReader};

fn heap(run: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(run).bytes_max).unwrap()
}

const SMALL: [&[u8]; 4] = [
    b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n\
$GPGSV,3,1,11,02,26,052,40,12,31,088,39,14,18,225,38*47\r\n\
$GPGSV,3,2,11,25,69,065,40,29,84,192,40,30,12,288,25*4B\r\n",
    b"# text\r\n\xb5\x62\x01\x07$GPZDA,175503.00,11,12,2006,00,00*64\r\n\
$GPRMC,175504.00,A,3825.60966,N,02708.53787,E,0.142,113.02,111206,,,A*6F\r\n$GPVTG,113.02,T,,M,0.142,N,0.263,K,A*3C\r\n",
    b"$GPGSA,A,3,19,11,25,14,01,31,22,,,,,,1.99,1.24,1.55*0C\r\n$GPGLL,3825.60966,N,02708.53787,E,175504.00,A,A*6B\r\n$GPHDT,1.5,T\n",
    b"!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r$GPHDT,1.5,T\r$GPGST,1,2,3\r",
];

/// Decodes everything; every byte must be in one record or one gap.
fn decode_all(file: &[u8], limits: Limits) {
    let Ok(mut reader) = StreamReader::with_limits(file, limits) else { return };
    let mut at = 0;
    for step in 0.. {
        assert!(step <= 2 * file.len() + 2, "more steps than bytes");
        let (from, to) = match reader.next_event().unwrap() {
            Event::Record(record) => {
                if let Some(message) = record.message() {
                    let sentence = record.sentence().unwrap();
                    let written = message.to_sentence("GP");
                    // Printable fields can be written.
                    if let Ok(written) = &written {
                        let again = robolog_nmea::Sentence::parse(written).unwrap();
                        assert_eq!(again.kind(), sentence.kind());
                        assert!(Message::decode(&again).unwrap().is_some(), "{record:?}");
                    }
                }
                let _ = (record.time(), record.channel());
                (record.offset(), record.offset() + record.bytes().len() as u64)
            }
            Event::Damage { error, lost } => {
                assert!(error.offset() <= file.len() as u64, "{error}");
                assert!(
                    matches!(error.kind(), ErrorKind::Limit { .. }),
                    "only a limit damages a log: {error}"
                );
                (lost.start, lost.end)
            }
            Event::End => break,
        };
        assert_eq!(from, at, "a byte is lost or told twice");
        at = to;
    }
    assert_eq!(at, file.len() as u64, "bytes at the end are not accounted for");
}

fn sample_all(file: &[u8]) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let mut decoder = Decoder::new(reader.header(), Options::default());
    let mut sink = |_: &mut _| Ok::<(), robolog_nmea::Error>(());
    while let Event::Record(record) = reader.next_event().unwrap() {
        drop(decoder.samples(&record, &mut sink));
    }
    decoder.last_samples(&mut sink).unwrap();
}

fn survey_all(file: &[u8]) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let summary = survey(&mut reader).unwrap();
    assert_eq!(summary.bytes, file.len() as u64);
    assert_eq!(summary.lost_bytes, 0);
}

fn survive(file: &[u8], most: &mut usize) {
    let steps: [(&str, &dyn Fn()); 3] = [
        ("decode", &|| decode_all(file, Limits::default())),
        ("survey", &|| survey_all(file)),
        ("sample", &|| sample_all(file)),
    ];
    for (name, step) in steps {
        let took = heap(step);
        assert!(took <= 16 * file.len() + (1 << 20), "{name}: {took} bytes for an input of {}", file.len());
        *most = took.max(*most);
    }
    let _ = Nmea::detect(file);
}

#[test]
fn no_damage_does_harm() {
    let (mut inputs, mut agreements, mut most) = (0, 0, 0);
    for file in SMALL {
        let mut visit = |file: &[u8]| {
            inputs += 1;
            survive(file, &mut most);
        };
        let mut visit = testkit::thinned(&mut visit);
        testkit::cuts(file).for_each(&mut visit);
        testkit::flips(file, file.len(), &mut visit);
        testkit::splices(file, 6000, file.len() as u64, &mut visit);
        drop(visit);
        for limit in [16, 60, 100, 5000] {
            let limits = Limits::default().with_record(limit);
            let mut both = |file: &[u8]| {
                decode_all(file, limits);
                agreements += testkit::assert_slice_is_stream::<Nmea>(file, limits);
            };
            testkit::cuts(file).step_by(7).for_each(&mut both);
            testkit::splices(file, 60, limit as u64, &mut both);
        }
    }
    println!("{inputs} inputs, {agreements} streams equal to their slice, {most} bytes of heap");
    assert!(inputs > testkit::left_of(24_000) && agreements > testkit::bound(1_200, 4_000));
    lines_without_end();
    a_long_log_takes_no_memory();
}

/// Much of one thing: linear in time, bounded in memory, the same in a slice and a stream.
fn lines_without_end() {
    let head = with_head(b"");
    for text in [
        &b"$"[..],
        b"!",
        b"$A",
        b"$GPGGA,",
        b"$GP,*00",
        b"\r",
        b"\r$A,",
        b"\0",
        b"#",
        b"$\0",
        b"$A*41",
        b"GP$GPHDT,1*",
        b"\n",
    ] {
        for end in [&b""[..], b"*4D\r\n"] {
            let body = [&text.repeat((1 << 16) / text.len())[..], end].concat();
            let file = with_head(&body);
            let ((), took) = testkit::busy(|| {
                decode_all(&file, Limits::default());
                survey_all(&file);
                sample_all(&file);
                testkit::assert_slice_is_stream::<Nmea>(&file[..file.len().min(12_000)], Limits::default());
            });
            assert!(took < Duration::from_secs(10), "{:?} takes {took:?}", String::from_utf8_lossy(text));
        }
    }
    // More types than are counted.
    let types = (0..60_000).map(|n| format!("$X{n},1\n")).collect::<Vec<_>>().concat();
    let file = [&head[..], types.as_bytes()].concat();
    let took = heap(|| survey_all(&file));
    assert!(took < 8 << 20, "{took}");
    let took = heap(|| sample_all(&file));
    assert!(took < 8 << 20, "{took}");
}

fn with_head(body: &[u8]) -> Vec<u8> {
    [b"$GPZDA,175503.00,11,12,2006,00,00*64\r\n", body].concat()
}

/// Repeats a text.
struct Again<'a> {
    text: &'a [u8],
    at: usize,
    left: usize,
}

impl std::io::Read for Again<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.text.len() && self.left > 0 {
            (self.at, self.left) = (0, self.left - 1);
        }
        let n = buf.len().min(self.text.len() - self.at);
        buf[..n].copy_from_slice(&self.text[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// 100 MB of sentences are counted and turned into samples in a few hundred kilobytes.
fn a_long_log_takes_no_memory() {
    let text = SMALL[0].repeat(1000);
    let left = (100 << 20) / text.len();
    let took = heap(|| {
        let log = Again { text: &text, at: 0, left };
        let summary = survey(&mut StreamReader::new(log).unwrap()).unwrap();
        assert_eq!(summary.details.sentences, 3000 * (left as u64 + 1));
        let mut reader = StreamReader::new(Again { text: &text, at: 0, left }).unwrap();
        let mut decoder = Decoder::new(reader.header(), Options::default());
        let mut count = 0;
        let mut sink = |_: &mut _| {
            count += 1;
            Ok::<(), robolog_nmea::Error>(())
        };
        while let Event::Record(record) = reader.next_event().unwrap() {
            decoder.samples(&record, &mut sink).unwrap();
        }
        assert!(count > 500_000, "{count}");
    });
    println!("{took} bytes of heap for {} MB", text.len() * left / 1_000_000);
    assert!(took < 1 << 20, "{took}");
}
