//! A format made up for the purpose: what `examples/tiny.rs` declares, held to what every format is held to.

#[path = "../../examples/tiny.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example that is a program")]
mod format;

use robolog_core::{Limits, Reader, Rewriting};

use self::format::{Measurement, Tiny, Writer};

/// Laid by hand: 21.5 and -0.25 degrees, the second with a byte of a later version.
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
