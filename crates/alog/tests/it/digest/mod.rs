//! A recording as a screenful of text, for the snapshots.

pub(crate) fn digest(file: &[u8]) -> String {
    testkit::digest::<alog::Alog>(file)
}
