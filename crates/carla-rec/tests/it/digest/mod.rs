//! A recording in a screenful of text, for snapshots.

pub(crate) fn digest(file: &[u8]) -> String {
    testkit::digest::<carla_rec::CarlaRec>(file)
}
