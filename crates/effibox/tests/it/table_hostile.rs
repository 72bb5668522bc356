//! All kinds of damage to small tables: every line is read as every kind, in memory that the input justifies, and a
//! stream gives the same as a slice.

use std::io::{self, Read};

use effibox::{
    ErrorKind, Limits,
    table::{Decoder, Record, Row, StreamReader, Table, TableKind, detect},
};
use robolog_core::{Event, format::Decoder as _, survey};

const GSV: &str = "476606 11 3 2 0.453785598278 0.907571196556 40 12 0.558505356312 1.53588974476 39 14 0.331612557173 3.92699074745 38 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
const SEEDS: [(&str, &str); 8] = [
    ("a.dates", "Version 1\n121558 121558 0\n255049 255049 0\n"),
    (
        "g.dates",
        "Version XXX\nGGA 0 0:0::0.476121 0:0::0.476121 0:0::0.0\r\nGSV 75 0:0:1.5 0:0:1.5 0:0:0\r\n",
    ),
    (
        "g_GGA_all.txt",
        "476121 660168.799340458 2084722.75496854 460.600012207031 0.798665417515059 0.0542784685555518 460.600012207031 8 32322 2 0.98 -1\n",
    ),
    ("g_GSV.txt", GSV),
    ("r-1-0.txt", "3\n-0.785398 0.135\n-0.776672 0.115\n-0.767945 0.113\n"),
    (
        "c_Motor.txt",
        "Rtime dt_odo_motor transl_vel distance_odo direction raw_speed raw_odom\n14816 20012 1.5 12.25 1 1642 11187\n34829 20012 1.5 12.28 2 1642 11217\n",
    ),
    ("c_DeadReckoned_Poses.txt", "# by hand\n14816 0 0 0\n\n34829 0.03 1e-05 -0.0\n"),
    ("ntpupdate.log", "1284105600 -0.0125\n"),
];

fn look(record: &Record<'_>) {
    let _ = (record.kind(), record.rtime(), record.time(), record.count());
    for kind in TableKind::ALL {
        match Row::parse(kind, record.line(), record.offset()) {
            Ok(row) => {
                let mut out = Vec::new();
                row.write(&mut out);
                assert!(!out.is_empty() && row.cells().len() == kind.columns().len());
            }
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Text { .. }), "{error}");
                assert!(error.offset() <= record.offset() + record.bytes().len() as u64, "{error}");
            }
        }
    }
}

/// Every byte is in one record.
fn survive(file: &[u8], name: &str) {
    let _ = detect(file);
    let mut reader = StreamReader::new(file).unwrap();
    reader.header_mut().set_path(name);
    let mut decoder = Decoder::new(reader.header(), effibox::table::Options::default());
    let mut at = reader.position();
    let mut sink = |_: &mut _| Ok::<(), effibox::Error>(());
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                assert_eq!(record.offset(), at);
                at += record.bytes().len() as u64;
                look(&record);
                let _ = decoder.samples(&record, &mut sink);
            }
            Event::Damage { error, .. } => panic!("nothing damages a table but a limit: {error}"),
            Event::End => break,
        }
    }
    decoder.last_samples(&mut sink).unwrap();
    assert_eq!(at, file.len() as u64);
    let mut reader = StreamReader::new(file).unwrap();
    reader.header_mut().set_path(name);
    survey(&mut reader).unwrap();
    // Invalid rows are left out of a copy, and counted.
    let copy = testkit::recover::<Table>(file).unwrap();
    assert_eq!(copy.file.len() as u64 + copy.lost_bytes, file.len() as u64, "{name}");
    assert!(copy.lost_bytes > 0 || copy.file == file, "{name}: the copy differs");
}

/// Endless digits, up to this many.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        io::repeat(b'7').take(self.0).read(buf).inspect(|n| self.0 -= *n as u64)
    }
}

#[test]
fn damage_is_survived() {
    let (mut inputs, mut agreements) = (0, 0);
    for (seed, (name, file)) in SEEDS.iter().enumerate() {
        inputs += testkit::campaign(file.as_bytes(), seed as u64, &mut |bytes| survive(bytes, name));
        testkit::splices(file.as_bytes(), 300, 7 + seed as u64, &mut |bytes| {
            agreements += testkit::assert_slice_is_stream::<Table>(bytes, Limits::default());
            agreements += testkit::assert_slice_is_stream::<Table>(bytes, Limits::default().with_record(24));
        });
        for cut in testkit::cuts(file.as_bytes()) {
            agreements += testkit::assert_slice_is_stream::<Table>(cut, Limits::default());
        }
    }
    println!("{inputs} inputs survived, {agreements} readings agreed");
    assert!(inputs > testkit::left_of(80_000) && agreements > testkit::bound(3_000, 10_000));
    for byte in [b'\n', b' ', b'-', b'.', b'9', b':', b'#', 0] {
        survive(&vec![byte; 1 << 17], "c_Motor.txt");
        survive(&vec![byte; 1 << 17], "g.dates");
    }
    long_lines_are_limited();
    memory_is_constant();
}

fn memory_is_constant() {
    let many = GSV.repeat(20_000);
    let took = allocation_counter::measure(|| {
        let mut reader = StreamReader::new(many.as_bytes()).unwrap();
        let found = survey(&mut reader).unwrap();
        assert_eq!(found.details.rows, 20_000);
    })
    .bytes_max;
    println!("{took} bytes for {} bytes of satellites", many.len());
    assert!(took < 1 << 20, "{took}");
}

/// A line of 200 MB with a limit of 1 MiB gives an error, and then the next line.
fn long_lines_are_limited() {
    let (mut good, mut errors) = (0, Vec::new());
    let took = allocation_counter::measure(|| {
        let file = (&b"10 1 2\n"[..]).chain(Endless(200_000_000)).chain(&b"\n30 3 4\n"[..]);
        let mut reader = StreamReader::with_limits(file, Limits::default().with_record(1 << 20)).unwrap();
        reader.header_mut().kind = TableKind::Steering;
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => good += usize::from(record.row().is_ok_and(|row| row.is_some())),
                Event::Damage { error, .. } => errors.push(error),
                Event::End => break,
            }
        }
    })
    .bytes_max;
    assert_eq!((good, errors.len()), (2, 1));
    assert!(matches!(errors[0].kind(), ErrorKind::Limit { what: "record", .. }));
    assert!(took < 6 << 20, "{took}");
}

/// Zeros in a table are an odd row, even beside other bytes that are no row.
#[test]
fn zeros_are_no_part_of_a_table() {
    let tables: [(&str, &[u8]); 5] = [
        ("a.dates", b"Version 1\0\n121558 121558 0\n"),
        ("a.dates", b"Version 1\n\0\0\0 0\n255049 255049 0\n"),
        ("r-1-0.txt", b"2\0\n-0.785398 0.135\n-0.776672 0.115\n"),
        ("c_Motor.txt", b"# a \0 comment\n14816 20012 1.5 12.25 1 1642 11187\n"),
        ("other.txt", b"Version 1\n1 2\n\0 2\n"),
    ];
    for (name, table) in tables {
        let mut reader = StreamReader::new(table).unwrap();
        reader.header_mut().set_path(name);
        let summary = survey(&mut reader).unwrap();
        assert_eq!(summary.details.odd_rows, 1, "{name}: {:?}", summary.findings);
        assert!(!summary.is_ok(), "{name}");
    }
}
