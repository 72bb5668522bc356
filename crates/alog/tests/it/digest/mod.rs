//! A recording in a screenful of text: what the snapshots hold.

pub(crate) fn digest(file: &[u8]) -> String {
    testkit::digest::<alog::Alog>(file)
}
