//! Reading and copying tables of the Institut Pascal data set.

use effibox::table::Table;
use testkit::laws;

/// Reads the bytes in every possible way and copies them.
pub(super) fn effibox_table(data: &[u8]) {
    laws::reads::<Table>(data, 300);
    for kind in effibox::table::TableKind::ALL {
        let Ok(mut reader) = effibox::table::StreamReader::new(data) else { continue };
        reader.header_mut().kind = kind;
        while let Ok(Some(record)) = reader.next_record() {
            assert!(!record.bytes().is_empty());
        }
    }
    laws::copies::<Table>(data);
}
