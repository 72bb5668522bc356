//! Lines of 100 MB, ten million entries of one second, a value that never ends.

use std::io::{self, Read};

use alog::{Kind, StreamReader};
use robolog_core::{ErrorKind, Event, Limits, survey};

#[test]
fn what_is_endless_is_read_in_bounded_memory() {
    a_long_line_is_a_value();
    millions_of_entries_of_one_second();
    a_value_that_never_ends();
}

/// Repeats a text up to a number of bytes.
struct Again<'a> {
    head: &'a [u8],
    text: &'a [u8],
    left: usize,
    at: usize,
}

impl Read for Again<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            return self.head.read(buf);
        }
        let n = self.left.min(buf.len()).min(self.text.len() - self.at);
        buf[..n].copy_from_slice(&self.text[self.at..self.at + n]);
        self.at = (self.at + n) % self.text.len();
        self.left -= n;
        Ok(n)
    }
}

fn a_long_line_is_a_value() {
    let log = [b"1.0 A pX ".to_vec(), vec![b'x'; 100 << 20], b" \n2.0 B pX 1 \n".to_vec()].concat();
    let mut reader = StreamReader::new(&log[..]).unwrap();
    assert_eq!(reader.next_record().unwrap().unwrap().value().bytes().len(), 100 << 20);
    assert_eq!(reader.next_record().unwrap().unwrap().name(), b"B");
}

fn millions_of_entries_of_one_second() {
    let count = testkit::bound(2_000_000, 10_000_000);
    let text = b"1.5 A pX 1 \n".repeat(1000);
    let log =
        Again { head: b"%% LOGSTART 1700000000.5\n", text: &text, left: text.len() * (count / 1000), at: 0 };
    let took = allocation_counter::measure(|| {
        let summary = survey(&mut StreamReader::new(log).unwrap()).unwrap();
        assert_eq!((summary.details.entries, summary.details.out_of_order), (count as u64, 0));
    })
    .bytes_max;
    assert!(took < 1 << 20, "{took} bytes");
}

fn a_value_that_never_ends() {
    let text = [b'x'; 4096];
    let head = b"1.0 A pX 1 \n2.0 B pX ";
    let log = Again { head, text: &text, left: 64 << 20, at: 0 }.chain(&b"\n3.0 C pX 1 \n"[..]);
    let (mut names, mut faults) = (Vec::new(), Vec::new());
    let took = allocation_counter::measure(|| {
        let limits = Limits::default().with_record(1 << 20);
        let mut reader = StreamReader::with_limits(log, limits).unwrap();
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) if record.kind() == Kind::Entry => names.push(record.name().to_vec()),
                Event::Record(_) => {}
                Event::Damage { error, lost } => {
                    assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
                    faults.push(lost);
                }
                Event::End => break,
            }
        }
    })
    .bytes_max;
    assert_eq!(names, [b"A".to_vec(), b"C".to_vec()]);
    assert!(!faults.is_empty());
    assert!(took < 8 << 20, "{took} bytes for a limit of 1 MiB");
}
