//! Each fixture's digest, unchanged.

testkit::snapshots!("nmea", ["nmea"], |path| crate::digest::digest(&testkit::fixture(path)));
