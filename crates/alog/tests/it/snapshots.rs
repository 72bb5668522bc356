//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest;

#[test]
fn aux_sources() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/aux_sources.alog")));
}

#[test]
fn binary() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/binary.alog")));
}

#[test]
fn comments_between() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/comments_between.alog"
    )));
}

#[test]
fn crlf_entries() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/crlf_entries.alog")));
}

#[test]
fn crlf_whole() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/crlf_whole.alog")));
}

#[test]
fn datatype_marking() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/datatype_marking.alog"
    )));
}

#[test]
fn duplicates() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/duplicates.alog")));
}

#[test]
fn empty_file() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/empty_file.alog")));
}

#[test]
fn empty_values() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/empty_values.alog")));
}

#[test]
fn eof_line() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/eof_line.alog")));
}

#[test]
fn exponents() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/exponents.alog")));
}

#[test]
fn far_times() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/far_times.alog")));
}

#[test]
fn header_only() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/header_only.alog")));
}

#[test]
fn integer_starts() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/integer_starts.alog")));
}

#[test]
fn json_values() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/json_values.alog")));
}

#[test]
fn klog() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/klog.klog")));
}

#[test]
fn logstart_0_decimals() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/logstart_0_decimals.alog"
    )));
}

#[test]
fn logstart_garbage() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/logstart_garbage.alog"
    )));
}

#[test]
fn logstart_missing() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/logstart_missing.alog"
    )));
}

#[test]
fn long_names() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/long_names.alog")));
}

#[test]
fn matrices() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/matrices.alog")));
}

#[test]
fn moos_3_decimals() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/moos_3_decimals.alog")));
}

#[test]
fn moosivp() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/moosivp.alog")));
}

#[test]
fn nav() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/nav.alog")));
}

#[test]
fn negative_times() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/negative_times.alog")));
}

#[test]
fn nested_lists() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/nested_lists.alog")));
}

#[test]
fn new_college_2008() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/new_college_2008.alog"
    )));
}

#[test]
fn new_college_lasers() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/new_college_lasers.alog"
    )));
}

#[test]
fn no_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/no_header.xlog")));
}

#[test]
fn no_newline() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/no_newline.alog")));
}

#[test]
fn node_reports() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/node_reports.alog")));
}

#[test]
fn not_a_log() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/not_a_log.alog")));
}

#[test]
fn not_utf8() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/not_utf8.alog")));
}

#[test]
fn nul_bytes() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/nul_bytes.alog")));
}

#[test]
fn one_entry() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/one_entry.alog")));
}

#[test]
fn out_of_order() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/out_of_order.alog")));
}

#[test]
fn same_time() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/same_time.alog")));
}

#[test]
fn spoilt_times() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/spoilt_times.alog")));
}

#[test]
fn table_of_numbers() {
    insta::assert_snapshot!(digest::digest(include_bytes!(
        "../../../../testdata/alog/table_of_numbers.alog"
    )));
}

#[test]
fn tabs() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/tabs.alog")));
}

#[test]
fn torn() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/torn.alog")));
}

#[test]
fn torn_header() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/torn_header.alog")));
}

#[test]
fn torn_middle() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/torn_middle.alog")));
}

#[test]
fn torn_name() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/torn_name.alog")));
}

#[test]
fn torn_start() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/torn_start.alog")));
}

#[test]
fn varsummary() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/varsummary.alog")));
}

#[test]
fn warp_10() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/warp_10.alog")));
}

#[test]
fn warp_50() {
    insta::assert_snapshot!(digest::digest(include_bytes!("../../../../testdata/alog/warp_50.alog")));
}
