//! The MCAP sink for Foxglove, checked with Foxglove's SDK and against bytes laid by hand.

use std::{io::Cursor, sync::Arc};

use crate::mcap_support::{Read, box_and_its_end, file, pose, read, sample, scan};
use foxglove::{Decode, Encode, messages as fg};
use robolog_convert::{
    Outcome, Sink as _,
    sink::mcap::{Mcap, McapOptions, McapSchema},
};
use robolog_core::{
    Cell, Constellation, Encoding, Field, FieldKind, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud,
    Row, Sample, Satellite, Satellites, Transform, Twist, Value,
};

fn options() -> McapOptions {
    let mut options = McapOptions::default();
    options.schema = McapSchema::Foxglove;
    options
}

fn all(samples: impl IntoIterator<Item = Sample>) -> Vec<Read> {
    let (file, took) = file(options(), samples);
    assert!(took.iter().all(|took| *took == Outcome::Written));
    read(&file)
}

/// Messages of one sample at 1.000000002 s.
fn one(value: Value) -> Vec<Read> {
    all([sample("c", Some(1_000_000_002), value)])
}

/// A message. Its topic must have the schema of the SDK, and the SDK must write the same bytes.
fn decode<M: Decode + Encode>(message: &Read) -> M {
    assert_eq!(message.schema, M::get_schema().unwrap().name);
    assert_eq!(message.encodings, ["protobuf", "protobuf"]);
    let decoded = M::decode(&message.data[..]).unwrap_or_else(|error| panic!("{error}"));
    let mut again = Vec::new();
    assert!(decoded.encode(&mut again).is_ok() && again == message.data, "{}", message.schema);
    decoded
}

fn json(message: &Read) -> (&str, &str) {
    assert_eq!(message.encodings, ["json", "jsonschema"]);
    (&message.schema, std::str::from_utf8(&message.data).unwrap())
}

const STAMP: (u32, u32) = (1, 2);

fn stamp(time: Option<fg::Timestamp>) -> (u32, u32) {
    time.map(|time| (time.sec(), time.nsec())).unwrap()
}

fn topics(messages: &[Read]) -> Vec<&str> {
    messages.iter().map(|message| message.topic.as_str()).collect()
}

fn place(pose: Option<fg::Pose>) -> [f64; 7] {
    let (p, q) = pose.and_then(|pose| pose.position.zip(pose.orientation)).unwrap();
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

const POSE: [f64; 7] = [1.0, -2.5, 1e-7, 0.0, 0.0, 0.0, 1.0];

#[test]
fn a_text_is_a_log_byte_for_byte() {
    let messages = one(Value::Text("né".into()));
    let want = [
        // 1: a timestamp of 1: 1 second, 2: 2 nanoseconds; 2: the level 2.
        &[0x0a, 4, 0x08, 1, 0x10, 2, 0x10, 2][..],
        // 3: the text; 4: the channel.
        &[0x1a, 3, b'n', 0xc3, 0xa9, 0x22, 1, b'c'],
    ];
    assert_eq!((messages[0].schema.as_str(), &messages[0].data), ("foxglove.Log", &want.concat()));
    assert_eq!((messages[0].topic.as_str(), messages[0].log_time), ("/c", 1_000_000_002));
}

#[test]
fn a_cloud_is_rows_of_the_columns_it_has() {
    let cloud = PointCloud {
        x: vec![1.0, 2.0],
        y: vec![3.0, 4.0],
        z: vec![5.0, f32::NAN],
        time_offset: vec![7, 8],
        ring: vec![9, 10],
        tag: vec![11, 12],
        ..PointCloud::default()
    };
    let messages = one(Value::PointCloud(cloud));
    let message: fg::PointCloud = decode(&messages[0]);
    assert_eq!((stamp(message.timestamp), &*message.frame_id), (STAMP, "map"));
    let fields: Vec<_> = message.fields.iter().map(|f| (&*f.name, f.offset, f.r#type)).collect();
    assert_eq!(
        fields,
        [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("t", 12, 5), ("ring", 16, 3), ("tag", 18, 1)]
    );
    assert_eq!((message.point_stride, message.data.len()), (20, 40));
    let second =
        [&[2.0, 4.0, f32::NAN].map(f32::to_le_bytes).concat()[..], &[8, 0, 0, 0, 10, 0, 12, 0]].concat();
    assert_eq!(message.data[20..], second);
    assert_eq!(place(message.pose), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn memory_of_one_cloud_does_not_show_in_the_next() {
    let cloud = |n: u8| {
        let column = vec![f32::from(n); n.into()];
        PointCloud { x: column.clone(), y: column.clone(), z: column, ..PointCloud::default() }
    };
    let samples = [9, 2, 0, 5].map(|n| sample("c", Some(1), Value::PointCloud(cloud(n))));
    for ((message, n), sequence) in all(samples).iter().zip([9_u8, 2, 0, 5]).zip(0..) {
        assert_eq!((message.topic.as_str(), message.sequence), ("/c", sequence));
        let message: fg::PointCloud = decode(message);
        assert_eq!(message.data, f32::from(n).to_le_bytes().repeat(3 * usize::from(n)));
    }
}

#[test]
fn a_scan_is_a_cloud_too_unless_that_is_not_wanted() {
    let intensities = vec![3.0, 4.0, 5.0];
    let scan = || {
        [scan(LaserScan {
            angle_min: -0.5,
            time_increment: 0.25,
            intensities: intensities.clone(),
            ..LaserScan::default()
        })]
    };
    let messages = all(scan());
    assert_eq!(topics(&messages), ["/front", "/front/details", "/front/points"]);
    let message: fg::LaserScan = decode(&messages[0]);
    assert_eq!((stamp(message.timestamp), &*message.frame_id), (STAMP, "map"));
    assert_eq!([message.start_angle, message.end_angle], [-0.5, 0.5]);
    assert!(
        message.ranges.len() == 3
            && message.ranges[1].is_nan()
            && message.ranges[2].to_bits() == 2_f64.to_bits()
    );
    assert_eq!(message.intensities, [3.0, 4.0, 5.0]);
    let details = r#"{"time_increment":0.25,"scan_time":0.0,"range_min":0.0,"range_max":9.0}"#;
    assert_eq!(json(&messages[1]), ("robolog.Details", details));
    let points: fg::PointCloud = decode(&messages[2]);
    // The first and the last point, with intensity and time.
    assert_eq!((points.point_stride, points.data.len()), (20, 40));
    assert_eq!(points.data[..4], 0.5_f32.cos().to_le_bytes());
    assert_eq!(points.data[36..], 500_000_000_u32.to_le_bytes());
    let mut options = options();
    options.messages.no_scan_points = true;
    assert_eq!(read(&file(options, scan()).0).len(), 2);
}

#[test]
fn images_are_files_or_pixels_that_are_known() {
    let image = |width, encoding, data: &'static [u8]| {
        Value::Image(Image { width, height: 2, encoding, data: data.into() })
    };
    let jpeg: fg::CompressedImage = decode(&one(image(0, Encoding::Jpeg, b"\xff\xd8"))[0]);
    assert_eq!((stamp(jpeg.timestamp), &*jpeg.frame_id), (STAMP, "map"));
    assert_eq!((&*jpeg.format, &jpeg.data[..]), ("jpeg", &b"\xff\xd8"[..]));
    let colors: fg::RawImage = decode(&one(image(1, Encoding::Rgb8, b"abcdef"))[0]);
    assert_eq!((colors.width, colors.height, colors.step, &*colors.encoding), (1, 2, 3, "rgb8"));
    assert_eq!(colors.data[..], b"abcdef"[..]);
    // Little-endian in messages, big-endian in samples.
    let gray: fg::RawImage = decode(&one(image(1, Encoding::Mono16, b"\x01\x02\x03\x04"))[0]);
    assert_eq!((gray.step, &*gray.encoding, &gray.data[..]), (2, "mono16", &b"\x02\x01\x04\x03"[..]));
    let left_out =
        [(image(2, Encoding::Rgb8, b"123"), false), (image(1, Encoding::Rgb16, b"0123456789ab"), true)];
    for (value, has_advice) in left_out {
        let mut sink = Mcap::new(Cursor::new(Vec::new()), options()).unwrap();
        assert_eq!(sink.write(&mut sample("c", None, value)).unwrap(), Outcome::LeftOut);
        assert_eq!(sink.advice().is_some(), has_advice);
    }
}

#[test]
fn what_foxglove_has_no_message_for_is_json_without_what_is_not_known() {
    let number = |value| {
        let messages = one(Value::Scalar(value));
        let (schema, text) = json(&messages[0]);
        assert_eq!(schema, "robolog.Number");
        text.to_owned()
    };
    assert_eq!([number(0.5), number(f64::NAN)], [r#"{"data":0.5}"#, "{}"]);
    let rate = Some([0.1, 0.2, f64::INFINITY].into());
    let messages = one(Value::Imu(Imu { angular_velocity: rate, ..Imu::default() }));
    let want = r#"{"frame_id":"map","angular_velocity":{"x":0.1,"y":0.2}}"#;
    assert_eq!(json(&messages[0]), ("robolog.Imu", want));
    let satellite = Satellite {
        constellation: Constellation::Galileo,
        id: 7,
        elevation: Some(0.5),
        azimuth: None,
        snr: Some(41.0),
        signal: None,
    };
    let messages = one(Value::Satellites(Satellites { satellites: vec![satellite] }));
    let want = r#"{"satellites":[{"constellation":"galileo","id":7,"elevation":0.5,"snr":41.0}]}"#;
    assert_eq!(json(&messages[0]), ("robolog.Satellites", want));
}

#[test]
fn a_row_has_a_schema_with_its_units() {
    let fields: Arc<[Field]> = [
        Field::new("Steer \"x\"", FieldKind::Float).with_unit("rad"),
        Field::new("gear", FieldKind::Int),
        Field::new("on", FieldKind::Bool),
        Field::new("said", FieldKind::Text),
    ]
    .into();
    let row =
        |cells: Vec<Cell>| sample("car/state", Some(1), Value::Row(Row::new(Arc::clone(&fields), cells)));
    let samples = [
        row(vec![0.5.into(), (-3_i64).into(), true.into(), "né".into()]),
        row(vec![3_i64.into(), Cell::Null, 1_i64.into(), "".into()]),
        row(vec![Cell::Float(f64::NAN), 1.5.into()]),
    ];
    let (file, _) = file(options(), samples);
    let messages = read(&file);
    let want =
        [r#"{"Steer \"x\"":0.5,"gear":-3,"on":true,"said":"né"}"#, r#"{"Steer \"x\"":3,"said":""}"#, "{}"];
    assert_eq!(messages.iter().map(|m| json(m).1).collect::<Vec<_>>(), want);
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    let schema = summary.schemas.values().next().unwrap();
    let want = r#"{"type":"object","properties":{"Steer \"x\"":{"type":"number","description":"rad"},"gear":{"type":"integer"},"on":{"type":"boolean"},"said":{"type":"string"}}}"#;
    assert_eq!((schema.name.as_str(), std::str::from_utf8(&schema.data).unwrap()), ("robolog.State", want));
}

#[test]
fn a_fix_keeps_what_its_message_has_no_field_for() {
    let fix = GnssFix { latitude: 51.5, longitude: -1.25, hdop: Some(0.9), ..GnssFix::default() };
    let messages = one(Value::GnssFix(fix.clone()));
    assert_eq!(topics(&messages), ["/c", "/c/details"]);
    let message: fg::LocationFix = decode(&messages[0]);
    assert_eq!((stamp(message.timestamp), &*message.frame_id), (STAMP, "map"));
    assert_eq!([message.latitude, message.longitude], [51.5, -1.25]);
    assert!(message.altitude.is_nan() && message.position_covariance_type == 1);
    assert_eq!(json(&messages[1]), ("robolog.Details", r#"{"hdop":0.9}"#));
    let covariance = [4.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 16.0];
    let known = one(Value::GnssFix(GnssFix { position_covariance: Some(covariance), ..fix.clone() }));
    let message: fg::LocationFix = decode(&known[0]);
    assert_eq!((message.position_covariance_type, &message.position_covariance[..]), (2, &covariance[..]));
    let plain = one(Value::GnssFix(GnssFix { altitude: Some(9.0), hdop: None, ..fix }));
    assert_eq!(decode::<fg::LocationFix>(&plain[0]).altitude.to_bits(), 9_f64.to_bits());
    assert_eq!(plain.len(), 1);
}

#[test]
fn poses_odometry_and_transforms_place_frames() {
    let twist = Twist { linear: [1.0, 0.0, 0.0].into(), angular: [0.0, 0.0, 2.0].into() };
    let odometry = |twist| Value::Odometry(Odometry::new("base", pose()).with_twist(twist));
    let transform = |child: &str| Value::Transform(Transform { child_frame_id: child.into(), pose: pose() });
    let samples = [
        sample("a", Some(1_000_000_002), odometry(Some(twist))),
        sample("b", Some(1_000_000_002), odometry(None)),
        sample("p", Some(1_000_000_002), Value::Pose(pose())),
        sample("t", Some(1_000_000_002), transform("lidar")),
        sample("t", None, transform("camera")),
    ];
    let messages = all(samples);
    // Only the first channel places the frame `base`.
    assert_eq!(topics(&messages), ["/a", "/a/pose", "/tf", "/b", "/b/pose", "/p", "/tf", "/tf_static"]);
    let message: fg::Odometry = decode(&messages[0]);
    assert_eq!(
        (stamp(message.timestamp), &*message.frame_id, &*message.body_frame_id),
        (STAMP, "map", "base")
    );
    assert_eq!(place(message.pose), POSE);
    let (v, w) = message.linear_velocity.zip(message.angular_velocity).unwrap();
    assert_eq!([v.x, v.y, v.z, w.x, w.y, w.z], [1.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    assert_eq!(decode::<fg::Odometry>(&messages[3]).linear_velocity, None);
    for i in [1, 4, 5] {
        let message: fg::PoseInFrame = decode(&messages[i]);
        assert_eq!((stamp(message.timestamp), &*message.frame_id, place(message.pose)), (STAMP, "map", POSE));
    }
    for (i, child) in [(2, "base"), (6, "lidar"), (7, "camera")] {
        let message: fg::FrameTransform = decode(&messages[i]);
        let (parent, found) = (&*message.parent_frame_id, &*message.child_frame_id);
        assert_eq!((stamp(message.timestamp), parent, found), (STAMP, "map", child));
        let (position, orientation) = (message.translation, message.rotation);
        assert_eq!(place(Some(fg::Pose { position, orientation })), POSE);
    }
}

#[test]
fn boxes_are_entities_until_their_actor_ends() {
    let messages = all(box_and_its_end());
    assert_eq!(topics(&messages), ["/actor_7/bounding_boxes", "/scene", "/events", "/scene"]);
    let update: fg::SceneUpdate = decode(&messages[1]);
    let entity = &update.entities[0];
    assert!(update.deletions.is_empty() && update.entities.len() == 1 && entity.frame_locked);
    assert_eq!((stamp(entity.timestamp), &*entity.frame_id, &*entity.id), (STAMP, "actor_7", "actor_7"));
    let size = entity.cubes[0].size.unwrap();
    assert_eq!([size.x, size.y, size.z], [5.0, 2.0, 1.5]);
    assert_eq!(place(entity.cubes[0].pose), [0.5, 0.0, 0.75, 0.0, 0.0, 0.0, 1.0]);
    let update: fg::SceneUpdate = decode(&messages[3]);
    let deletion = &update.deletions[0];
    assert!(update.entities.is_empty() && update.deletions.len() == 1);
    assert_eq!((stamp(deletion.timestamp), deletion.r#type, &*deletion.id), ((2, 0), 0, "actor_7"));
}

#[test]
fn the_file_has_no_profile_and_the_same_bytes_again() {
    const LAST: i64 = 4_294_967_295_999_999_999;
    let samples =
        || [-5, LAST, LAST + 1, i64::MAX].map(|time| sample("c", Some(time), Value::Text("x".into())));
    let (first, took) = file(options(), samples());
    assert_eq!(took, [Outcome::Written, Outcome::Written, Outcome::LeftOut, Outcome::LeftOut]);
    assert_eq!(first, file(options(), samples()).0);
    // Magic, the record's kind and length, then the profile.
    assert_eq!(first[17..21], [0; 4]);
    let messages = read(&first);
    let stamps = [0, 1].map(|i| stamp(decode::<fg::Log>(&messages[i]).timestamp));
    assert_eq!((stamps[0], messages[0].log_time), ((0, 0), 0));
    assert_eq!((stamps[1], messages[1].log_time), ((u32::MAX, 999_999_999), LAST.cast_unsigned()));
    let summary = mcap::Summary::read(&first).unwrap().unwrap();
    let schema = summary.schemas.values().next().unwrap();
    assert_eq!(schema.data, fg::Log::get_schema().unwrap().data);
    let channel = summary.channels.values().next().unwrap();
    assert_eq!(channel.metadata, [("channel".to_owned(), "c".to_owned())].into());
}
