//! MOOS variables.

use robolog_convert::{
    Outcome::{LeftOut, Written},
    Selection, Sink as _,
    sink::alog::Alog,
};
use robolog_core::{Cell, Clock, FieldKind, PointCloud, Timestamp, Value};

use super::{T, fix, near, odometry, on, put, read, row, sample};

/// Lines of a log without the header, each split into columns.
fn lines(log: &str) -> Vec<Vec<&str>> {
    log.lines().filter(|line| !line.starts_with("%%")).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn variables_are_named_after_channels_and_keep_every_digit() {
    let mut sink = Alog::new(Vec::new(), Selection::Everything);
    sink.begin_at(Timestamp::new(T - 1_500_000_000, Clock::Unix));
    let cells = || {
        row(vec![
            ("steer", FieldKind::Float, 1e-7.into()),
            ("gear", FieldKind::Int, (-3_i64).into()),
            ("on", FieldKind::Bool, true.into()),
            ("none", FieldKind::Float, Cell::Null),
        ])
    };
    let took = put(
        &mut sink,
        [
            sample("NAV_X", Some(T), Value::Scalar(0.1 + 0.2)),
            sample("car/controls", Some(T + 1), cells()),
            sample("car_controls", Some(T + 1), cells()),
            sample("a b", Some(T - 2_000_000_000), Value::Text("two\nlines".into())),
            sample("p", Some(T), odometry([1.5, -2.0, 0.25], 0.0, [3.0, 0.0, f64::NAN])),
            sample("gps", Some(T), Value::GnssFix(fix())),
        ],
    );
    assert_eq!(took, [Written; 6]);
    let log = String::from_utf8(sink.into_inner().unwrap().unwrap()).unwrap();
    assert!(log.contains("\n%% LOGSTART        1767323043.506007008\n"), "{log}");
    let want = [
        ["1.500000000", "NAV_X", "robolog", "0.30000000000000004"],
        ["1.500000001", "car_controls_steer", "robolog", "0.0000001"],
        ["1.500000001", "car_controls_gear", "robolog", "-3"],
        ["1.500000001", "car_controls_on", "robolog", "true"],
        ["1.500000001", "car_controls_steer_2", "robolog", "0.0000001"],
        ["1.500000001", "car_controls_gear_2", "robolog", "-3"],
        ["1.500000001", "car_controls_on_2", "robolog", "true"],
        ["-0.500000000", "a_b", "robolog", "two"],
    ];
    let got = lines(&log);
    assert_eq!(got[..8], want.map(|line| line.to_vec()));
    assert_eq!(got[8], ["lines"]);
    let value =
        |name: &str| got.iter().find(|l| l.get(1) == Some(&name)).map(|l| l[3].parse::<f64>().unwrap());
    // East is 90 degrees.
    assert_eq!((value("p_X"), value("p_Y"), value("p_Z")), (Some(1.5), Some(-2.0), Some(0.25)));
    assert_eq!((value("p_HEADING"), value("p_SPEED"), value("p_VZ")), (Some(90.0), Some(3.0), None));
    assert_eq!((value("gps_LAT"), value("gps_SATELLITES")), (Some(50.363_421_123_456_7), Some(11.0)));
    let back = read::<::alog::Alog>(log.as_bytes());
    assert_eq!(back[0].time, Some(Timestamp::new(T, Clock::Unix)));
    assert_eq!(back[0].value, Value::Scalar(0.1 + 0.2));
    let text = back.iter().find(|sample| &*sample.channel == "a_b").unwrap();
    assert_eq!(
        (&text.value, text.time.unwrap().nanos()),
        (&Value::Text("two\nlines".into()), T - 2_000_000_000)
    );
}

#[test]
fn chosen_poses_are_navigated_by() {
    let mut sink = Alog::new(Vec::new(), Selection::Channels);
    put(
        &mut sink,
        [
            sample("a/odometry", Some(T), odometry([1.0, 2.0, -3.0], 1.0, [4.0, 0.0, 0.0])),
            sample("b/odometry", Some(T), odometry([7.0, 8.0, 0.0], 0.0, [4.0, 0.0, 0.0])),
            sample("gps", Some(T), Value::GnssFix(fix())),
        ],
    );
    let log = sink.into_inner().unwrap().unwrap();
    let back = read::<::alog::Alog>(&log);
    // The reader joins the MOOS variables again.
    let joined = back.iter().find(|sample| &*sample.channel == "NAV/odometry").unwrap();
    let Value::Odometry(odometry) = &joined.value else { panic!("{joined:?}") };
    let (p, (_, _, yaw)) = (odometry.pose.position, odometry.pose.orientation.euler_angles());
    assert!(near(p.x, 1.0, 0.0) && near(p.y, 2.0, 0.0) && near(yaw, 1.0, 1e-12), "{odometry:?}");
    assert!(near(odometry.twist.unwrap().linear.x, 4.0, 0.0));
    let joined = back.iter().find(|sample| &*sample.channel == "NAV/fix").unwrap();
    assert!(matches!(&joined.value, Value::GnssFix(f) if near(f.longitude, fix().longitude, 0.0)));
    assert!(back.iter().any(|s| &*s.channel == "b_odometry_X" && s.value == Value::Scalar(7.0)));
}

#[test]
fn text_that_would_be_another_entry_is_left_out_and_other_clocks_too() {
    let mut sink = Alog::new(Vec::new(), Selection::Everything);
    let took = put(
        &mut sink,
        [
            on(Clock::Device, "t", Some(5), Value::Text("a\n1.5 NAV_X me 3".into())),
            on(Clock::Device, "t", Some(6), Value::Text("a\n%% b".into())),
            on(Clock::Device, "t", Some(7), Value::Text("1.5 NAV_X me 3".into())),
            sample("t", Some(T), Value::Scalar(1.0)),
            on(Clock::Device, "t", None, Value::Scalar(1.0)),
            on(Clock::Device, "t", Some(8), Value::Scalar(f64::NAN)),
            on(Clock::Device, "t", Some(8), row(vec![("a", FieldKind::Text, "x\n2.0 N s v".into())])),
            on(Clock::Device, "c", Some(8), Value::PointCloud(PointCloud::default())),
        ],
    );
    assert_eq!(took, [LeftOut, LeftOut, Written, LeftOut, LeftOut, Written, LeftOut, LeftOut]);
    let log = sink.into_inner().unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&log).contains("LOGSTART"));
    let back = read::<::alog::Alog>(&log);
    assert_eq!((back.len(), back[0].time), (2, Some(Timestamp::new(7, Clock::Relative))));
    assert_eq!(back[0].value, Value::Text("1.5 NAV_X me 3".into()));
}
