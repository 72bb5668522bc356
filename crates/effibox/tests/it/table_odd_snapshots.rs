//! Each odd table's digest, unchanged.

testkit::snapshots!("effibox/dataset_odd", ["dates", "txt"], crate::digest::table::digest);
