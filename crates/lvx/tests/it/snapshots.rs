//! Each fixture's digest, unchanged.

testkit::snapshots!("lvx", ["lvx"], |path| crate::digest::digest(&testkit::fixture(path)));
