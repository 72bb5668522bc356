//! A recording in a screenful of text: what the snapshots hold.

/// Samples are counted by their tables, of all actors together.
pub(crate) fn digest(file: &[u8]) -> String {
    testkit::digest::<carla_rec::CarlaRec>(file, |channel| channel.rsplit('/').next().unwrap_or_default())
}
