//! Reading and copying tables of the Institut Pascal data set.

use effibox::table::{Options, Table};
use robolog_core::Limits;

use crate::invariants;

/// Reads the bytes in every possible way and copies them.
pub(super) fn effibox_table(data: &[u8]) {
    invariants::slice_is_stream::<Table>(data, Limits::default());
    invariants::slice_is_stream::<Table>(data, Limits::default().with_record(300));
    invariants::every_byte_is_accounted_for::<Table>(data);
    invariants::survey_ends::<Table>(data);
    invariants::samples::<Table>(data, Options::default());
    for kind in effibox::table::TableKind::ALL {
        let Ok(mut reader) = effibox::table::StreamReader::new(data) else { continue };
        reader.header_mut().kind = kind;
        while let Ok(Some(record)) = reader.next_record() {
            assert!(!record.bytes().is_empty());
        }
    }
    invariants::whole_files_are_copied_as_they_are::<Table>(data, &[]);
    invariants::recovering_twice_is_recovering_once::<Table>(data);
}
