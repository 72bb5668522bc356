//! Every byte of a file belongs to a record or to a gap.

use std::ops::Range;

use robolog_core::{Event, StreamReader, format::Format};

/// Asserts that each of the `len` bytes of `reader`, except its header, is in exactly one record or gap, past all
/// damage. `visit` may return the range of a record, as the record says.
pub fn assert_covers<F: Format>(
    reader: &mut StreamReader<&[u8], F>,
    len: usize,
    visit: &mut dyn FnMut(&F::Record<'_>) -> Option<Range<u64>>,
) {
    let mut at = reader.position();
    assert_eq!(at, reader.header_bytes().len() as u64, "a record begins behind the header");
    for _ in 0..len + 2 {
        let range = match reader.next_event().unwrap() {
            Event::Record(record) => visit(&record),
            Event::Damage { error, lost } => {
                assert!(error.offset() <= len as u64, "{error}");
                Some(lost)
            }
            Event::End => {
                assert_eq!(at, len as u64, "bytes at the end are missing");
                return;
            }
        };
        let range = range.unwrap_or(at..reader.position());
        assert_eq!(range.start, at, "a byte is lost or reported twice");
        assert_eq!(range.end, reader.position(), "the position is not behind what was read");
        at = range.end;
    }
    panic!("more steps than bytes");
}
