//! A table in a screenful of text: what the snapshots hold.

use effibox::table::Table;

/// What the columns are, the file's name says.
pub(crate) fn digest(path: &str) -> String {
    let set = |header: &mut effibox::table::Header| header.set_path(path);
    testkit::digest_with::<Table>(&testkit::fixture(path), &set)
}
