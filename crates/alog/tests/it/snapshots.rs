//! Each fixture's digest, unchanged.

testkit::snapshots!("alog", ["alog", "klog", "xlog"], |path| crate::digest::digest(&testkit::fixture(path)));
