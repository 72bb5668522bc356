//! No input causes a panic, an endless loop or excessive memory use; streams and slices give the same.

use lvx::{Decoder, Lvx, Options, StreamReader};
use robolog_core::{Limits, format::Decoder as _, survey};

/// Decodes everything, past all damage; every byte after the header must be in exactly one record or gap.
fn decode_all(file: &[u8]) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let mut decoder = Decoder::new(reader.header(), Options::default());
    testkit::assert_covers(&mut reader, file.len(), &mut |record| {
        let _ = decoder.samples::<lvx::Error>(record, &mut |_| Ok(()));
        Some(record.offset()..record.offset() + record.bytes().len() as u64)
    });
}

/// Fixtures of fewer than 8000 bytes.
fn small() -> impl Iterator<Item = testkit::Fixture> {
    testkit::fixtures("lvx", "lvx").into_iter().filter(|fixture| fixture.bytes.len() < 8000)
}

#[test]
fn no_input_does_harm() {
    let mut inputs = 0;
    for fixture in testkit::one_in(3, small()) {
        // A stream reader's window, plus the decoded size of an input of this length.
        let allowed = 16 * fixture.bytes.len() + (1 << 20);
        let seed = fixture.bytes.len() as u64;
        inputs += testkit::campaign(&fixture.bytes, seed, &mut |file| {
            let heap = allocation_counter::measure(|| decode_all(file));
            let took = usize::try_from(heap.bytes_max).unwrap();
            assert!(took <= allowed, "{}: {took} bytes for an input of {}", fixture.name, file.len());
        });
    }
    println!("{inputs} inputs");
    assert!(inputs > testkit::left_of(100_000));
}

/// A sample of the cut and changed inputs, with the records written out.
#[test]
fn streams_are_slices_of_damaged_inputs() {
    let mut agreements = 0;
    for fixture in testkit::one_in(4, small()) {
        for cut in testkit::cuts(&fixture.bytes).step_by(17) {
            agreements += testkit::assert_slice_is_stream::<Lvx>(cut, Limits::default());
        }
        testkit::splices(&fixture.bytes, 100, fixture.bytes.len() as u64 ^ 1, &mut |file| {
            agreements += testkit::assert_slice_is_stream::<Lvx>(file, Limits::default());
            agreements += testkit::assert_slice_is_stream::<Lvx>(file, Limits::default().with_record(2000));
        });
    }
    println!("{agreements} streams equal to their slice");
    assert!(agreements > testkit::bound(600, 10_000));
}

/// A frame that claims a huge length costs nothing.
#[test]
fn lengths_are_claims() {
    let file = testkit::fixture("lvx/v11_type2.lvx");
    for next in [1_u64 << 31, 1 << 40, 1 << 62, u64::MAX] {
        let mut file = file.clone();
        file[96..104].copy_from_slice(&next.to_le_bytes());
        let heap = allocation_counter::measure(|| {
            let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
            assert!(!summary.complete);
        });
        assert!(heap.bytes_max < 1 << 20, "for a claim of {next}");
    }
}
