//! A table in a screenful of text, for snapshots.

use effibox::table::Table;

/// The file's name identifies the columns.
pub(crate) fn digest(path: &str) -> String {
    let set = |header: &mut effibox::table::Header| header.set_path(path);
    testkit::digest_with::<Table>(&testkit::fixture(path), &set)
}
