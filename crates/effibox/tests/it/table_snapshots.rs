//! Each table's digest, unchanged.

testkit::snapshots!("effibox/dataset", ["dates", "txt", "log"], crate::digest::table::digest);
