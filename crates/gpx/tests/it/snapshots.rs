//! Each fixture's digest, unchanged.

testkit::snapshots!("gpx", ["gpx"], |path| crate::digest::digest(&testkit::fixture(path)));
