//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn binary_between() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/binary_between.nmea")));
}

#[test]
fn checksums() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/checksums.nmea")));
}

#[test]
fn cut_in_sentence() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/cut_in_sentence.nmea")));
}

#[test]
fn days() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/days.nmea")));
}

#[test]
fn gsv_epochs() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/gsv_epochs.nmea")));
}

#[test]
fn gsv_odd() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/gsv_odd.nmea")));
}

#[test]
fn hostile() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/hostile.nmea")));
}

#[test]
fn ipds() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/ipds.nmea")));
}

#[test]
fn line_ends() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/line_ends.nmea")));
}

#[test]
fn places() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/places.nmea")));
}

#[test]
fn qualities() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/qualities.nmea")));
}

#[test]
fn second_60() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/second_60.nmea")));
}

#[test]
fn types() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/types.nmea")));
}

#[test]
fn zero_bytes() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/nmea/zero_bytes.nmea")));
}
