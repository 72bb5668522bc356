//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn bad_magic() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/bad_magic.lvx")));
}

#[test]
fn cut_in_frame_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/lvx/cut_in_frame_header.lvx"
    )));
}

#[test]
fn header_only() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/header_only.lvx")));
}

#[test]
fn lvx2_legacy_dual() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/lvx2_legacy_dual.lvx")));
}

#[test]
fn lvx2_mixed_short_tail() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/lvx/lvx2_mixed_short_tail.lvx"
    )));
}

#[test]
fn lvx2_type1() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/lvx2_type1.lvx")));
}

#[test]
fn lvx2_type2() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/lvx2_type2.lvx")));
}

#[test]
fn lvx3_listing() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/lvx3_listing.lvx")));
}

#[test]
fn next_backwards() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/next_backwards.lvx")));
}

#[test]
fn next_cyclic() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/next_cyclic.lvx")));
}

#[test]
fn next_past_end() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/next_past_end.lvx")));
}

#[test]
fn next_self() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/next_self.lvx")));
}

#[test]
fn next_zero() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/next_zero.lvx")));
}

#[test]
fn room() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/room.lvx")));
}

#[test]
fn short_tail() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/short_tail.lvx")));
}

#[test]
fn trailing_garbage() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/trailing_garbage.lvx")));
}

#[test]
fn unknown_type() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/unknown_type.lvx")));
}

#[test]
fn v10_cart() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v10_cart.lvx")));
}

#[test]
fn v10_spherical() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v10_spherical.lvx")));
}

#[test]
fn v11_clock_change() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_clock_change.lvx")));
}

#[test]
fn v11_empty_frame() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_empty_frame.lvx")));
}

#[test]
fn v11_pps_wrap() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_pps_wrap.lvx")));
}

#[test]
fn v11_two_devices() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_two_devices.lvx")));
}

#[test]
fn v11_type0() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type0.lvx")));
}

#[test]
fn v11_type1() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type1.lvx")));
}

#[test]
fn v11_type2() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type2.lvx")));
}

#[test]
fn v11_type3() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type3.lvx")));
}

#[test]
fn v11_type4() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type4.lvx")));
}

#[test]
fn v11_type5() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type5.lvx")));
}

#[test]
fn v11_type6() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type6.lvx")));
}

#[test]
fn v11_type7() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type7.lvx")));
}

#[test]
fn v11_type8() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_type8.lvx")));
}

#[test]
fn v11_utc() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/lvx/v11_utc.lvx")));
}
