//! A one-screen summary of a recording, for the snapshots.

pub(crate) fn digest(file: &[u8]) -> String {
    testkit::digest::<koblenz_log::KoblenzLog>(file)
}
