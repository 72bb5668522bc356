//! No input causes a panic, an endless loop or excessive memory use; streams and slices give the same.

use koblenz_log::{Clouds, Decoder, KoblenzLog, Options, StreamReader, reindex};
use robolog_core::{Limits, format::Decoder as _, survey};

/// Decodes everything, past all damage; every byte after the header must be in exactly one record or gap.
fn decode_all(file: &[u8], clouds: Clouds) {
    let Ok(mut reader) = StreamReader::new(file) else { return };
    let mut options = Options::default();
    options.velodyne.clouds = clouds;
    let mut decoder = Decoder::new(reader.header(), options);
    testkit::assert_covers(&mut reader, file.len(), &mut |record| {
        let _ = decoder.samples::<koblenz_log::Error>(record, &mut |_| Ok(()));
        Some(record.offset()..record.offset() + record.bytes().len() as u64)
    });
    let _ = decoder.last_samples::<koblenz_log::Error>(&mut |_| Ok(()));
}

/// Fixtures of fewer than 3600 bytes.
fn small() -> impl Iterator<Item = testkit::Fixture> {
    testkit::fixtures("koblenz-log", "log").into_iter().filter(|fixture| fixture.bytes.len() < 3600)
}

#[test]
fn no_input_does_harm() {
    let mut inputs = 0;
    for fixture in testkit::one_in(3, small()) {
        // A stream reader's window, the decoder's tables, and the decoded size of an input of this length.
        let allowed = 32 * fixture.bytes.len() + (5 << 20);
        let seed = fixture.bytes.len() as u64;
        let mut turn = 0;
        inputs += testkit::campaign(&fixture.bytes, seed, &mut |file| {
            turn += 1;
            let heap = allocation_counter::measure(|| match turn % 3 {
                0 => decode_all(file, Clouds::Turns),
                1 => decode_all(file, Clouds::Messages),
                _ => {
                    if let Ok(mut reader) = StreamReader::new(file) {
                        survey(&mut reader).unwrap();
                    }
                }
            });
            let took = usize::try_from(heap.bytes_max).unwrap();
            assert!(took <= allowed, "{}: {took} bytes for an input of {}", fixture.name, file.len());
        });
    }
    println!("{inputs} inputs");
    assert!(inputs > testkit::left_of(50_000), "{inputs}");
}

/// A sample of the cut and changed inputs, with the records written out.
#[test]
fn streams_are_slices_of_damaged_inputs() {
    let mut agreements = 0;
    for fixture in testkit::one_in(4, small()) {
        for cut in testkit::cuts(&fixture.bytes).step_by(61) {
            agreements += testkit::assert_slice_is_stream::<KoblenzLog>(cut, Limits::default());
        }
        testkit::splices(&fixture.bytes, 30, fixture.bytes.len() as u64 ^ 1, &mut |file| {
            agreements += testkit::assert_slice_is_stream::<KoblenzLog>(file, Limits::default());
            agreements +=
                testkit::assert_slice_is_stream::<KoblenzLog>(file, Limits::default().with_record(600));
            let _ = reindex(std::io::Cursor::new(file), std::io::Cursor::new(Vec::new()));
        });
    }
    println!("{agreements} streams equal to their slice");
    assert!(agreements > testkit::bound(300, 5_000), "{agreements}");
}

/// A claimed length costs nothing.
#[test]
fn lengths_are_claims() {
    let file = testkit::fixture("koblenz-log/drive.log");
    let start = 12 + 8 * usize::try_from(u32::from_le_bytes(file[8..12].try_into().unwrap())).unwrap();
    for (at, claim) in
        [(8, u32::MAX), (8, 1 << 19), (start, u32::MAX - 1), (start, 1 << 28), (start + 21, 1 << 30)]
    {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&claim.to_le_bytes());
        let heap = allocation_counter::measure(|| {
            let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
            assert!(summary.details.messages > 40, "{at} {claim}: {}", summary.details.messages);
        });
        assert!(heap.bytes_max < 6 << 20, "for a claim of {claim}");
    }
}
