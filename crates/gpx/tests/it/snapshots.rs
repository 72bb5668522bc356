//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn all_1_0() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/all_1_0.gpx")));
}

#[test]
fn all_1_1() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/all_1_1.gpx")));
}

#[test]
fn attribute_never_closed() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/attribute_never_closed.gpx"
    )));
}

#[test]
fn attribute_twice() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/attribute_twice.gpx")));
}

#[test]
fn comment_never_closed() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/comment_never_closed.gpx"
    )));
}

#[test]
fn crlf() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/crlf.gpx")));
}

#[test]
fn cut_behind_segment() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/cut_behind_segment.gpx"
    )));
}

#[test]
fn cut_behind_start_tag() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/cut_behind_start_tag.gpx"
    )));
}

#[test]
fn cut_behind_track() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/cut_behind_track.gpx")));
}

#[test]
fn cut_between_children() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/cut_between_children.gpx"
    )));
}

#[test]
fn cut_between_points() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/cut_between_points.gpx"
    )));
}

#[test]
fn cut_in_attribute() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/cut_in_attribute.gpx")));
}

#[test]
fn cut_in_end_tag() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/cut_in_end_tag.gpx")));
}

#[test]
fn cut_in_points_end_tag() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/cut_in_points_end_tag.gpx"
    )));
}

#[test]
fn cut_in_tag() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/cut_in_tag.gpx")));
}

#[test]
fn cut_in_text() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/cut_in_text.gpx")));
}

#[test]
fn deep_beside() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/deep_beside.gpx")));
}

#[test]
fn deep_inside() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/deep_inside.gpx")));
}

#[test]
fn deep_never_closed() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/deep_never_closed.gpx")));
}

#[test]
fn drive() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/drive.gpx")));
}

#[test]
fn empty() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/empty.gpx")));
}

#[test]
fn entity_bomb() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/entity_bomb.gpx")));
}

#[test]
fn entity_of_a_file() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/entity_of_a_file.gpx")));
}

#[test]
fn fix_2() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/fix_2.gpx")));
}

#[test]
fn garbage_behind() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/garbage_behind.gpx")));
}

#[test]
fn ipds() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/ipds.gpx")));
}

#[test]
fn latin1() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/latin1.gpx")));
}

#[test]
fn lexical() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/lexical.gpx")));
}

#[test]
fn mismatched_end() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/mismatched_end.gpx")));
}

#[test]
fn no_gpx() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/no_gpx.gpx")));
}

#[test]
fn no_namespace() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/no_namespace.gpx")));
}

#[test]
fn no_root() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/no_root.gpx")));
}

#[test]
fn no_segment() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/no_segment.gpx")));
}

#[test]
fn no_xml() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/no_xml.gpx")));
}

#[test]
fn not_utf8() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/not_utf8.gpx")));
}

#[test]
fn odd_numbers() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/odd_numbers.gpx")));
}

#[test]
fn partly_in_segments() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/gpx/partly_in_segments.gpx"
    )));
}

#[test]
fn prefixed() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/prefixed.gpx")));
}

#[test]
fn unknown_entity() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/unknown_entity.gpx")));
}

#[test]
fn utf16_be() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/utf16_be.gpx")));
}

#[test]
fn utf16_le() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/utf16_le.gpx")));
}

#[test]
fn utf8_mark() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/utf8_mark.gpx")));
}

#[test]
fn wide_attributes() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/wide_attributes.gpx")));
}

#[test]
fn zero_bytes() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/gpx/zero_bytes.gpx")));
}
