//! Each fixture's digest, unchanged.

testkit::snapshots!("kml", ["kml"], |path| crate::digest::digest(&testkit::fixture(path)));
