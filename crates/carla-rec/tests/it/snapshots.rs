//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn attributes_odd() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/attributes_odd.log"
    )));
}

#[test]
fn bad_count() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/bad_count.log")));
}

#[test]
fn bad_count_add() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/bad_count_add.log"
    )));
}

#[test]
fn bad_size_huge() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/bad_size_huge.log"
    )));
}

#[test]
fn bad_size_small() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/bad_size_small.log"
    )));
}

#[test]
fn blocked() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/blocked.log")));
}

#[test]
fn collisions() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/collisions.log")));
}

#[test]
fn crlf_mangled() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/crlf_mangled.log"
    )));
}

#[test]
fn dev2024_door21() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/dev2024_door21.log"
    )));
}

#[test]
fn dev2026_weather() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/dev2026_weather.log"
    )));
}

#[test]
fn dreyevr() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/dreyevr.log")));
}

#[test]
fn duplicate_add() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/duplicate_add.log"
    )));
}

#[test]
fn early_ue5() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/early_ue5.log")));
}

#[test]
fn empty_doors() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/empty_doors.log")));
}

#[test]
fn empty_map() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/empty_map.log")));
}

#[test]
fn garbage_middle() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/garbage_middle.log"
    )));
}

#[test]
fn header_only() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/header_only.log")));
}

#[test]
fn many_actors() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/many_actors.log")));
}

#[test]
fn map_not_utf8() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/map_not_utf8.log"
    )));
}

#[test]
fn one_frame() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/one_frame.log")));
}

#[test]
fn packets_outside() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/packets_outside.log"
    )));
}

#[test]
fn python_250() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/python_250.log")));
}

#[test]
fn reparent() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/reparent.log")));
}

#[test]
fn trunc_after_packet() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_after_packet.log"
    )));
}

#[test]
fn trunc_frame_end_missing() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_frame_end_missing.log"
    )));
}

#[test]
fn trunc_in_event_add() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_in_event_add.log"
    )));
}

#[test]
fn trunc_in_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_in_header.log"
    )));
}

#[test]
fn trunc_in_position() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_in_position.log"
    )));
}

#[test]
fn trunc_packet_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/trunc_packet_header.log"
    )));
}

#[test]
fn ue5_f64() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/ue5_f64.log")));
}

#[test]
fn unknown_30() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/unknown_30.log")));
}

#[test]
fn v0_9_10_wheel36() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/v0_9_10_wheel36.log"
    )));
}

#[test]
fn v0_9_12_wheel48() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/v0_9_12_wheel48.log"
    )));
}

#[test]
fn v0_9_14() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/v0_9_14.log")));
}

#[test]
fn v0_9_15() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/v0_9_15.log")));
}

#[test]
fn v0_9_16() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/v0_9_16.log")));
}

#[test]
fn v0_9_4() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/v0_9_4.log")));
}

#[test]
fn v0_9_6() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/v0_9_6.log")));
}

#[test]
fn wheels_vs_biker() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/carla-rec/wheels_vs_biker.log"
    )));
}

#[test]
fn wrong_magic() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/wrong_magic.log")));
}

#[test]
fn zero_tail() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/carla-rec/zero_tail.log")));
}
