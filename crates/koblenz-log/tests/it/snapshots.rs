//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn bad_magic() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/bad_magic.log")));
}

#[test]
fn counts_inside() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/counts_inside.log"
    )));
}

#[test]
fn cut_behind_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/cut_behind_header.log"
    )));
}

#[test]
fn cut_behind_size() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/cut_behind_size.log"
    )));
}

#[test]
fn cut_in_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/cut_in_header.log"
    )));
}

#[test]
fn cut_in_magic() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/cut_in_magic.log"
    )));
}

#[test]
fn cut_in_payload() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/cut_in_payload.log"
    )));
}

#[test]
fn drive() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/drive.log")));
}

#[test]
fn empty() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/empty.log")));
}

#[test]
fn end_sentinel() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/end_sentinel.log"
    )));
}

#[test]
fn end_sentinel_and_more() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/end_sentinel_and_more.log"
    )));
}

#[test]
fn end_short() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/end_short.log")));
}

#[test]
fn end_short_in_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/end_short_in_header.log"
    )));
}

#[test]
fn end_short_in_size() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/end_short_in_size.log"
    )));
}

#[test]
fn garbage_between() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/garbage_between.log"
    )));
}

#[test]
fn gps() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/gps.log")));
}

#[test]
fn gps_minutes() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/gps_minutes.log"
    )));
}

#[test]
fn gps_no_fix() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/gps_no_fix.log"
    )));
}

#[test]
fn gps_year_two_digits() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/gps_year_two_digits.log"
    )));
}

#[test]
fn image() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/image.log")));
}

#[test]
fn image_flag_of_one_byte() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/image_flag_of_one_byte.log"
    )));
}

#[test]
fn image_plain() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/image_plain.log"
    )));
}

#[test]
fn index_a_second_late() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_a_second_late.log"
    )));
}

#[test]
fn index_absent() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_absent.log"
    )));
}

#[test]
fn index_count_of_messages() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_count_of_messages.log"
    )));
}

#[test]
fn index_falling() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_falling.log"
    )));
}

#[test]
fn index_from_start() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_from_start.log"
    )));
}

#[test]
fn index_hostile() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_hostile.log"
    )));
}

#[test]
fn index_hostile_with_entries() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_hostile_with_entries.log"
    )));
}

#[test]
fn index_into_itself() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_into_itself.log"
    )));
}

#[test]
fn index_negative() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_negative.log"
    )));
}

#[test]
fn index_of_another_file() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_of_another_file.log"
    )));
}

#[test]
fn index_preallocated() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_preallocated.log"
    )));
}

#[test]
fn index_stale() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_stale.log"
    )));
}

#[test]
fn index_zeros() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/index_zeros.log"
    )));
}

#[test]
fn laser() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/laser.log")));
}

#[test]
fn lost_bytes() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/lost_bytes.log"
    )));
}

#[test]
fn lost_first() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/lost_first.log"
    )));
}

#[test]
fn lost_messages() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/lost_messages.log"
    )));
}

#[test]
fn lost_twice() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/lost_twice.log"
    )));
}

#[test]
fn magic_alone() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/magic_alone.log"
    )));
}

#[test]
fn major_2() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/major_2.log")));
}

#[test]
fn mark_other() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/mark_other.log"
    )));
}

#[test]
fn minor_2() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/minor_2.log")));
}

#[test]
fn obd_odd_lengths() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/obd_odd_lengths.log"
    )));
}

#[test]
fn pose_wxyz() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/pose_wxyz.log")));
}

#[test]
fn pose_wxyz_g() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/pose_wxyz_g.log"
    )));
}

#[test]
fn pose_xyzw() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/pose_xyzw.log")));
}

#[test]
fn pose_xyzw_g() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/pose_xyzw_g.log"
    )));
}

#[test]
fn size_huge() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/size_huge.log")));
}

#[test]
fn size_one_more() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/size_one_more.log"
    )));
}

#[test]
fn size_payload() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/size_payload.log"
    )));
}

#[test]
fn size_sentinel_inside() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/size_sentinel_inside.log"
    )));
}

#[test]
fn size_whole() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/size_whole.log"
    )));
}

#[test]
fn size_zero() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/size_zero.log")));
}

#[test]
fn text() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/text.log")));
}

#[test]
fn time_backwards() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/time_backwards.log"
    )));
}

#[test]
fn time_nan() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/time_nan.log")));
}

#[test]
fn time_pause() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/time_pause.log"
    )));
}

#[test]
fn unknown_type() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/unknown_type.log"
    )));
}

#[test]
fn unknown_version() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/unknown_version.log"
    )));
}

#[test]
fn velodyne_counts() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_counts.log"
    )));
}

#[test]
fn velodyne_cut() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_cut.log"
    )));
}

#[test]
fn velodyne_hdl32e() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_hdl32e.log"
    )));
}

#[test]
fn velodyne_hdl64e_s1() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_hdl64e_s1.log"
    )));
}

#[test]
fn velodyne_hdl64e_s2() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_hdl64e_s2.log"
    )));
}

#[test]
fn velodyne_hdl64e_s3() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_hdl64e_s3.log"
    )));
}

#[test]
fn velodyne_lost_bytes() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_lost_bytes.log"
    )));
}

#[test]
fn velodyne_no_packets() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_no_packets.log"
    )));
}

#[test]
fn velodyne_vlp16() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_vlp16.log"
    )));
}

#[test]
fn velodyne_vlp16_dual() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_vlp16_dual.log"
    )));
}

#[test]
fn velodyne_vlp32c() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_vlp32c.log"
    )));
}

#[test]
fn velodyne_vls128() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/velodyne_vls128.log"
    )));
}

#[test]
fn zeroed() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/koblenz-log/zeroed.log")));
}

#[test]
fn zeroed_to_the_end() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/zeroed_to_the_end.log"
    )));
}

#[test]
fn zeros_between() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/koblenz-log/zeros_between.log"
    )));
}
