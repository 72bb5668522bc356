//! Each fixture's digest, unchanged.

testkit::snapshots!("alog", ["alog", "klog", "slog", "xlog"], |path| crate::digest::digest(
    &testkit::fixture(path)
));
