//! The format of `examples/tiny.rs`, with the tests that every format must pass.

#[path = "../../examples/tiny.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example that is a program")]
pub(crate) mod format;

use robolog_core::{
    Error, Limits, Reader, Sample, Splits, StreamReader,
    format::{Copier, Decoder as _, ReorderBound},
};

use self::format::{Celsius, Measurement, Tiny, Writer};

/// Hand-written: 21.5 and -0.25 degrees, the second with an extra byte from a later version.
const FILE: &[u8] = b"TINY\x06\xe8\x03\0\0\x66\x08\x07\xd0\x07\0\0\xe7\xff!";

#[test]
fn records_are_read_and_written() {
    let records: Vec<_> = Reader::<Tiny>::new(FILE).unwrap().records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 2);
    let mut writer = Writer::new(std::io::Cursor::new(Vec::new()), &(), &[]).unwrap();
    writer.write(Measurement { time: 1000, temperature: 2150 }).unwrap();
    assert_eq!(writer.finish().unwrap().into_inner(), FILE[..11]);
    testkit::assert_copies::<Tiny>("tiny", FILE);
}

#[test]
fn a_part_opens_by_itself() {
    let empty = || std::io::Cursor::new(Vec::new());
    let records: Vec<_> = Reader::<Tiny>::new(FILE).unwrap().records().map(Result::unwrap).collect();
    let mut part = Writer::new(empty(), &(), b"TINY").unwrap();
    part.copy(&records[0], &mut |_, _| true).unwrap();
    let (first, mut part) = part.part(empty(), b"TINY").unwrap();
    part.copy(&records[1], &mut |_, _| true).unwrap();
    assert_eq!(first.into_inner(), FILE[..11]);
    assert_eq!(part.finish().unwrap().into_inner(), [b"TINY", &FILE[11..]].concat());
}

#[test]
fn a_reviewer_reads_what_the_file_holds() {
    let digest = testkit::digest::<Tiny>(FILE);
    let (shown, _hash) = digest.rsplit_once("\nhash").unwrap();
    insta::assert_snapshot!(shown, @r#"
    tiny
    19 bytes, 2 records, complete, 0 bytes lost
    1.000000000 to 2.000000000, device clock

    header
      ()

    records
      0x4, 7 bytes: Record(RawRecord { offset: 4, bytes: [6, 232, 3, 0, 0, 102, 8] }, Measurement { time: 1000, temperature: 2150 })
      0xb, 8 bytes: Record(RawRecord { offset: 11, bytes: [7, 208, 7, 0, 0, 231, 255, 33] }, Measurement { time: 2000, temperature: -25 })

    channels
      air: 2 row, frame room
        time                       1.000000000                           2.000000000
        temperature [degC]         21.5                                  -0.25

    details
      ()
    "#);
}

#[test]
fn no_input_does_harm() {
    let mut inputs = 0;
    testkit::campaign(FILE, 1, &mut |file| {
        inputs += testkit::assert_slice_is_stream::<Tiny>(file, Limits::default());
        inputs += testkit::assert_slice_is_stream::<Tiny>(file, Limits::default().with_record(8));
        testkit::assert_agrees::<Tiny>("tiny", file);
    });
    assert!(inputs > 1000, "{inputs}");
}

/// `n` measurements of seven bytes each, one per millisecond.
pub(crate) fn measurements(n: u32) -> Vec<u8> {
    let mut writer = Writer::new(std::io::Cursor::new(Vec::new()), &(), &[]).unwrap();
    for time in 0..n {
        writer.write(Measurement { time, temperature: 0 }).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn splits_begin_and_end_with_records_and_know_their_times() {
    let file = measurements(10);
    let splits = || Splits::new(StreamReader::<_, Tiny>::new(&file[..]).unwrap(), "ten", 15, &());
    let shown: Vec<_> = splits()
        .map(Result::unwrap)
        .map(|split| {
            let millis = |time: Option<robolog_core::Timestamp>| time.unwrap().nanos() / 1_000_000;
            (split.start, split.end, millis(split.first_time), millis(split.last_time), split.is_last)
        })
        .collect();
    // Three records are the fewest with fifteen bytes.
    let wanted = [(0, 25, 0, 2, false), (25, 46, 3, 5, false), (46, 67, 6, 8, false), (67, 74, 9, 9, true)];
    assert_eq!(shown, wanted);
    assert!(splits().without_times().map(Result::unwrap).all(|split| split.last_time.is_none()));
    testkit::assert_splits_agree::<Tiny>("ten", &file);
    testkit::assert_splits_agree::<Tiny>("with a byte of a later version", FILE);
}

#[test]
fn a_decoder_can_be_sought_and_begins_anywhere() {
    let decoder = Celsius::new(&(), ());
    let order = ReorderBound { order: 0, reach: 0 };
    assert_eq!(decoder.reorder_bound(), Some(order));
    let record = Reader::<Tiny>::new(FILE).unwrap().records().next().unwrap().unwrap();
    assert_eq!(decoder.prerequisites(&record), Some(Vec::new()));
    let span = decoder.span(&record).unwrap();
    assert_eq!((span.0.nanos(), span.0), (1_000_000_000, span.1));
}

/// An error of the sink comes back unchanged, and ends the record.
#[test]
fn an_error_of_the_sink_is_not_made_another() {
    #[derive(Debug, PartialEq)]
    enum Mine {
        Full(u32),
        Core,
    }
    impl From<Error> for Mine {
        fn from(_: Error) -> Self {
            Self::Core
        }
    }
    let record = Reader::<Tiny>::new(FILE).unwrap().records().next().unwrap().unwrap();
    let mut celsius = Celsius::new(&(), ());
    let push = |celsius: &mut Celsius, sink: &mut dyn FnMut(&mut Sample) -> Result<(), Mine>| {
        celsius.samples(&record, sink)
    };
    assert_eq!(push(&mut celsius, &mut |_| Err(Mine::Full(7))), Err(Mine::Full(7)));
    assert_eq!(push(&mut celsius, &mut |_| Ok(())), Ok(()));
}
