//! Entries that are skipped if few channels are wanted.

use alog::{Decoder, Options, robolog_core::format::Decoder as _};

const LOG: &[u8] = b"%% LOGSTART 1700000000.0\n\
1.00000 NAV_X pNav 12.5\n\
1.00000 DEPLOY pHelm true\n\
1.10000 LMS_LASER_2D_LEFT iLMS text\n\
1.20000 ODOMETRY_POSE iOdo text\n\
1.30000 NODE_REPORT_LOCAL pNode NAME=alpha\n\
1.40000 CAMERA_FILE_WRITE iCam Folder=a\n\
%% a comment\n\
1.50000 DEPLOY pHelm fal";

/// The names of the entries skipped if the channels of this prefix are wanted.
fn left_out(prefix: &str, pictures: bool) -> Vec<String> {
    let reader = alog::Reader::new(LOG).unwrap();
    let mut options = Options::default();
    options.pictures = pictures;
    let mut decoder = Decoder::new(reader.header(), options);
    let records = reader.records().map(Result::unwrap);
    let unwanted = records.filter(|record| decoder.is_unwanted(record, &|name| name.starts_with(prefix)));
    unwanted.map(|record| String::from_utf8_lossy(record.name().bytes()).into_owned()).collect()
}

#[test]
fn entries_that_make_no_sample_of_a_wanted_channel_are_left_out() {
    let all =
        ["NAV_X", "DEPLOY", "LMS_LASER_2D_LEFT", "ODOMETRY_POSE", "NODE_REPORT_LOCAL", "CAMERA_FILE_WRITE"];
    let but = |kept: &str| all.into_iter().filter(|name| *name != kept).collect::<Vec<_>>();
    // The torn last entry and the comment are never skipped.
    assert_eq!(left_out("nothing", false), all);
    assert_eq!(left_out("DEPLOY", false), but("DEPLOY"));
    // Samples made of several entries, or beside one.
    assert_eq!(left_out("NAV/", false), but("NAV_X"));
    assert_eq!(left_out("tf_static", false), but("LMS_LASER_2D_LEFT"));
    assert_eq!(left_out("ODOMETRY_POSE/fields", false), but("ODOMETRY_POSE"));
    assert_eq!(left_out("NODE_REPORT/fix", false), but("NODE_REPORT_LOCAL"));
    assert_eq!(left_out("DEPLOY/gnss_fix", false), but("DEPLOY"));
    // Camera names are in the values.
    assert_eq!(left_out("nothing", true), but("CAMERA_FILE_WRITE"));
}
