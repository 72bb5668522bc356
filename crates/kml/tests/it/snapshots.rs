//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn cut_behind_coord() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/cut_behind_coord.kml")));
}

#[test]
fn cut_in_coord() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/cut_in_coord.kml")));
}

#[test]
fn cut_in_end_tag() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/cut_in_end_tag.kml")));
}

#[test]
fn empty() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/empty.kml")));
}

#[test]
fn folders() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/folders.kml")));
}

#[test]
fn gx_multi_track() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/gx_multi_track.kml")));
}

#[test]
fn gx_track() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/gx_track.kml")));
}

#[test]
fn gx_track_by_turns() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/gx_track_by_turns.kml")));
}

#[test]
fn gx_track_mismatched() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/kml/gx_track_mismatched.kml"
    )));
}

#[test]
fn lexical() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/lexical.kml")));
}

#[test]
fn line() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/line.kml")));
}

#[test]
fn no_namespace() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/no_namespace.kml")));
}

#[test]
fn odd_coordinates() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/odd_coordinates.kml")));
}

#[test]
fn other_geometry() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/other_geometry.kml")));
}

#[test]
fn times() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/times.kml")));
}

#[test]
fn track_2_3() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/track_2_3.kml")));
}

#[test]
fn utf16_be() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/utf16_be.kml")));
}

#[test]
fn utf16_le() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/utf16_le.kml")));
}

#[test]
fn utf8_mark() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/kml/utf8_mark.kml")));
}
