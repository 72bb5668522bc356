//! Each fixture's digest, unchanged.

testkit::snapshots!("koblenz-log", ["log"], |path| crate::digest::digest(&testkit::fixture(path)));
