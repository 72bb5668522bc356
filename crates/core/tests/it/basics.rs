//! Small parts that every crate relies on.

use std::{error::Error as _, io};

use robolog_core::{
    Error, ErrorKind, Point, PointCloud, StreamReader, Timestamp,
    format::{Copier, MergeMode},
    slices,
    text::{self, Escaped},
};

use crate::tiny::{
    format::{Tiny, Writer},
    measurements,
};

#[test]
fn places_in_a_file_never_overflow() {
    assert_eq!([0, 2, 5].map(|len| slices::missing(len, b"abc")), [0, 0, 2]);
    assert_eq!((slices::past(0x40, 4), slices::past(u64::MAX, 1)), (0x44, u64::MAX));
    assert_eq!((slices::ending_at(0x44, 4), slices::ending_at(3, 4)), (0x40..0x44, 0..3));
    assert_eq!((slices::length(&(3..7)), slices::length(&(7..7))), (4, 0));
    assert_eq!((slices::before(b"a=b", b"=b"), slices::before(b"a", b"abc")), (&b"a"[..], &b""[..]));
    assert_eq!(slices::split_once(b"a:b:c", b':'), Some((&b"a"[..], &b"b:c"[..])));
    assert_eq!(
        (slices::split_once(b":", b':'), slices::split_once(b"abc", b':')),
        (Some((&b""[..], &b""[..])), None)
    );
}

#[test]
fn an_error_says_what_is_wrong_where_and_in_what() {
    let error = Error::invalid("length", 3, "at least 6", 0x40);
    assert_eq!((error.offset(), error.structure()), (0x40, None));
    assert_eq!(error.to_string(), "invalid length: found 3, expected at least 6 (at byte 0x40)");
    let error = error.within("inner").within("outer");
    assert_eq!(error.structure(), Some("inner"));
    assert!(error.to_string().starts_with("inner: invalid length"));
    assert!(matches!(error.kind(), ErrorKind::Invalid { what: "length", .. }) && error.source().is_none());

    let broken = Error::io(io::Error::other("no medium"), 9);
    assert!(broken.to_string().contains("no medium") && broken.to_string().ends_with("(at byte 0x9)"));
    let magic = Error::magic(b"0123456789abcdefgh\x1b", "a log").to_string();
    assert!(magic.contains("\"0123456789abcdef\"") && magic.contains("a log"), "{magic}");
    assert!(Error::magic(b"", "a log").to_string().contains("is empty"));
}

#[test]
fn a_file_commands_no_terminal_and_leaves_no_folder() {
    let text = Escaped("é\u{7}\u{85}\u{61c}\u{200e}\u{202e}\u{2066}\u{2069}\u{206a}".as_bytes()).to_string();
    let shown = "é\\u{7}\\u{85}\\u{61c}\\u{200e}\\u{202e}\\u{2066}\\u{2069}\u{206a}";
    assert_eq!(text, shown);
    assert_eq!(Escaped(b"a\xff\xc3").to_string(), "a\\xff\\xc3");
    let names = [
        ("../../etc/passwd", "_.._etc_passwd"),
        (".hidden.", "hidden"),
        ("a.b-c_d", "a.b-c_d"),
        ("", "_"),
        ("nul", "nul_"),
        ("LPT1", "LPT1_"),
        ("COMA.x", "COMA_.x"),
        ("COM", "COM"),
        ("PRN.txt", "PRN_.txt"),
        ("auxiliary", "auxiliary"),
    ];
    for (name, safe) in names {
        assert_eq!(text::file_name(name.as_bytes()), safe, "{name}");
    }
}

#[test]
fn points_are_chosen_by_what_they_are() {
    let mut cloud: PointCloud = [Point::new(2.0, 3.0, 6.0), Point::new(4.0, 4.0, 7.0)].into_iter().collect();
    assert_eq!(cloud.points().map(|point| point.range()).collect::<Vec<_>>(), [7.0, 9.0]);
    assert_eq!((cloud.point(1), cloud.point(2)), (Some(Point::new(4.0, 4.0, 7.0)), None));
    cloud.retain_points(|point| point.range() > 8.0);
    assert_eq!((cloud.x.as_slice(), cloud.len(), cloud.is_empty()), (&[4.0][..], 1, false));
    cloud.clear();
    assert!(cloud.is_empty() && cloud.x.capacity() > 0);
}

#[cfg(feature = "geometry")]
#[test]
fn a_pose_turns_about_x_then_y_then_z() {
    use nalgebra::{Point3, Vector3};
    use robolog_core::Pose;

    let quarter = std::f64::consts::FRAC_PI_2;
    let is_at = |pose: Pose, wanted: [f64; 3]| {
        let moved = pose.isometry() * Point3::new(1.0, 0.0, 0.0);
        (moved.coords - Vector3::from(wanted)).norm() < 1e-12
    };
    assert!(is_at(Pose::identity(), [1.0, 0.0, 0.0]));
    assert!(is_at(Pose::from_euler([1.0, 2.0, 3.0], 0.0, 0.0, quarter), [1.0, 3.0, 3.0]), "to the left");
    assert!(is_at(Pose::from_euler([0.0; 3], 0.0, quarter, 0.0), [0.0, 0.0, -1.0]), "down");
    assert!(is_at(Pose::from_euler([0.0; 3], quarter, quarter, quarter), [0.0, 0.0, -1.0]));
    let pose = Pose::from_euler([1.0, 2.0, 3.0], 0.1, 0.2, 0.3);
    assert_eq!(Pose::from(pose.isometry()), pose);
}

#[cfg(all(feature = "geometry", feature = "serde"))]
#[test]
fn motion_is_spelled_as_in_ros() {
    use nalgebra::{Quaternion, Unit, Vector3};
    use robolog_core::{Imu, Pose, Twist, Value};

    let json = |value| serde_json::to_string(&value).unwrap();
    let orientation = Unit::new_unchecked(Quaternion::new(7.0, 4.0, 5.0, 6.0));
    let pose = Pose { position: Vector3::new(1.0, 2.0, 3.0), orientation };
    let turned = r#"{"x":4.0,"y":5.0,"z":6.0,"w":7.0}"#;
    let placed = format!(r#"{{"position":{{"x":1.0,"y":2.0,"z":3.0}},"orientation":{turned}}}"#);
    assert_eq!(json(Value::Pose(pose)), placed);
    let twist = Twist { linear: Vector3::new(1.0, 2.0, 3.0), angular: Vector3::zeros() };
    let moving = r#"{"linear":{"x":1.0,"y":2.0,"z":3.0},"angular":{"x":0.0,"y":0.0,"z":0.0}}"#;
    assert_eq!(serde_json::to_string(&twist).unwrap(), moving);
    let imu = Imu {
        orientation: Some(orientation),
        angular_velocity: None,
        linear_acceleration: Some(twist.linear),
        ..Imu::default()
    };
    let measured = format!(
        r#"{{"orientation":{turned},"angular_velocity":null,"linear_acceleration":{{"x":1.0,"y":2.0,"z":3.0}}}}"#
    );
    assert_eq!(json(Value::Imu(imu)), measured);
}

/// Damage is an error in its place, with the samples before and after it.
#[test]
fn samples_go_on_behind_damage() {
    let mut file = measurements(5);
    // The length byte of the third record.
    file[4 + 2 * 7] = 1;
    let samples = StreamReader::<_, Tiny>::new(&file[..]).unwrap().samples();
    let shown: Vec<_> = samples
        .map(|sample| match sample {
            Ok(sample) => (sample.offset, sample.time.map(Timestamp::nanos)),
            Err(error) => (error.offset(), None),
        })
        .collect();
    assert_eq!(
        shown,
        [(4, Some(0)), (11, Some(1_000_000)), (18, None), (25, Some(3_000_000)), (32, Some(4_000_000))]
    );
}

/// The defaults for a format that does not define how its recordings are merged.
#[test]
fn recordings_are_joined_by_time_where_they_begin_alike() {
    type Copy = Writer<io::Cursor<Vec<u8>>>;
    let copy = || Copy::new(io::Cursor::new(Vec::new()), &(), b"TINY").unwrap();
    assert_eq!(<Copy as Copier<_>>::merge_mode(&()), MergeMode::Time);
    copy().follow(b"TINY", &(), b"TINY").unwrap();
    assert!(copy().follow(b"TINY", &(), b"TIN2").is_err());
    assert!(copy().unfinished().is_none() && copy().left_out() == 0);
    let file = measurements(1);
    let mut reader = StreamReader::<_, Tiny>::new(&file[..]).unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(copy().time_of(&record).map(Timestamp::nanos), Some(0));
    assert!(copy().can_part(&record) && !Copy::is_end(&record) && !Copy::is_shared(&record));
}
