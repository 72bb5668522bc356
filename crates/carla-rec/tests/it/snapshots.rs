//! Each fixture's digest, unchanged.

testkit::snapshots!("carla-rec", ["log"], |path| crate::digest::digest(&testkit::fixture(path)));
