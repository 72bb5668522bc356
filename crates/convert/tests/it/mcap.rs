//! The MCAP sink, checked with the `mcap` crate and against bytes laid by hand.

#![cfg(feature = "to-mcap")]

use std::{collections::BTreeMap, io::Cursor, sync::Arc};

use robolog_convert::{
    Error, Feed, Input, Outcome, Sink as _, convert,
    sink::mcap::{Mcap, McapCompression, McapOptions, McapSchema, rosbag2},
};
use robolog_core::{
    Cell, Encoding, Field, FieldKind, FixQuality as Q, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud,
    Row, Sample, Satellites, Transform, Twist, Value,
};

use crate::mcap_support::{box_and_its_end, file, pose, read, sample, scan};

/// Topic, type, sequence, log time and data of all messages, in the order of the file.
fn messages(file: &[u8]) -> Vec<(String, String, u32, u64, Vec<u8>)> {
    let read = read(file).into_iter().map(|message| {
        assert_eq!(message.encodings, ["cdr", "ros2msg"]);
        (message.topic, message.schema, message.sequence, message.log_time, message.data)
    });
    read.collect()
}

/// Topics of the samples, without the data.
fn places(file: &[u8]) -> Vec<(String, String)> {
    messages(file).into_iter().map(|(topic, name, ..)| (topic, name)).collect()
}

fn one(value: Value) -> Vec<(String, String, u32, u64, Vec<u8>)> {
    let (file, took) = file(McapOptions::default(), [sample("c", Some(1_000_000_002), value)]);
    assert_eq!(took, [Outcome::Written]);
    messages(&file)
}

/// Leading bytes, and a header with the stamp 1.000000002 and the frame `map`.
const HEADER: [u8; 20] = [0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, b'm', b'a', b'p', 0];

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

const POSE: [f64; 7] = [1.0, -2.5, 1e-7, 0.0, 0.0, 0.0, 1.0];

#[test]
fn numbers_and_texts_stand_alone() {
    let number = one(Value::Scalar(0.5));
    assert_eq!(number[0].4, [&[0, 1, 0, 0][..], &doubles(&[0.5])].concat());
    assert_eq!((number[0].0.as_str(), number[0].1.as_str()), ("/c", "std_msgs/msg/Float64"));
    let text = one(Value::Text("né".into()));
    assert_eq!(text[0].4, [0, 1, 0, 0, 4, 0, 0, 0, b'n', 0xc3, 0xa9, 0]);
    let satellites = one(Value::Satellites(Satellites::default()));
    assert!(satellites[0].4.ends_with(b"{\"satellites\":[]}\0"));
}

#[test]
fn an_imu_says_what_it_lacks() {
    let rate = Some([0.1, 0.2, 0.3].into());
    let message = one(Value::Imu(Imu { angular_velocity: rate, ..Imu::default() })).remove(0);
    assert_eq!((message.1.as_str(), message.3), ("sensor_msgs/msg/Imu", 1_000_000_002));
    let mut want = vec![0.0, 0.0, 0.0, 1.0, -1.0];
    want.extend([0.0; 8]);
    want.extend([0.1, 0.2, 0.3]);
    want.extend([0.0; 9 + 3]);
    want.extend([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(message.4, [&HEADER[..], &doubles(&want)].concat());
}

#[test]
fn a_fix_keeps_what_its_message_has_no_field_for() {
    let fix = |quality| GnssFix {
        latitude: 51.5,
        longitude: -1.25,
        altitude: Some(9.0),
        quality,
        ..GnssFix::default()
    };
    let status = |quality| one(Value::GnssFix(fix(quality)))[0].4[20].cast_signed();
    let qualities = [Q::Unknown, Q::None, Q::Gps, Q::Dgps, Q::RtkFloat, Q::RtkFixed, Q::Estimated];
    assert_eq!(qualities.map(status), [-2, -1, 0, 1, 2, 2, 0]);
    let plain = one(Value::GnssFix(fix(Q::Unknown)));
    let mut want = doubles(&[51.5, -1.25, 9.0]);
    want.extend([0; 9 * 8 + 1]);
    assert_eq!(plain.len(), 1);
    assert_eq!(plain[0].4, [&HEADER[..], &[0xfe, 0, 0, 0, 0, 0, 0, 0], &want].concat());
    let detailed = one(Value::GnssFix(GnssFix { hdop: Some(0.9), ..fix(Q::Gps) }));
    let names: Vec<_> = detailed.iter().map(|m| (m.0.as_str(), m.1.as_str())).collect();
    assert_eq!(names, [("/c", "sensor_msgs/msg/NavSatFix"), ("/c/details", "robolog_msgs/msg/Details")]);
    assert!(detailed[1].4[HEADER.len()..].starts_with(&[4, 0, 0, 0, b'g', b'p', b's', 0]));
}

#[test]
fn a_fix_keeps_its_covariance_and_what_corrected_it() {
    let fix = |covariance| GnssFix {
        latitude: 51.5,
        longitude: -1.25,
        position_covariance: covariance,
        ..GnssFix::default()
    };
    // Latitude, longitude and altitude, nine elements, and the type: 2 diagonal known, 3 known.
    let tail = |covariance| {
        let message = one(Value::GnssFix(fix(Some(covariance)))).remove(0).4;
        message[HEADER.len() + 8 + 24..].to_vec()
    };
    let diagonal = [4.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 16.0];
    assert_eq!(tail(diagonal), [&doubles(&diagonal)[..], &[2]].concat());
    let full = [4.0, 0.5, 0.0, 0.5, 9.0, 0.0, 0.0, 0.0, 16.0];
    assert_eq!(tail(full), [&doubles(&full)[..], &[3]].concat());
    let corrected = GnssFix { age_of_corrections_s: Some(2.5), station_id: Some(1023), ..fix(None) };
    let details = one(Value::GnssFix(corrected)).remove(1);
    assert_eq!(details.1, "robolog_msgs/msg/Details");
    assert!(details.4.windows(8).any(|bytes| bytes == 2.5_f64.to_le_bytes()));
    assert!(details.4.windows(8).any(|bytes| bytes == 1023_i64.to_le_bytes()));
}

#[test]
fn odometry_is_a_pose_and_a_transform_too() {
    let odometry = |child: &str, twist| Value::Odometry(Odometry::new(child, pose()).with_twist(twist));
    let twist = Twist { linear: [1.0, 0.0, 0.0].into(), angular: [0.0, 0.0, 2.0].into() };
    let samples = [
        sample("a", Some(1_000_000_002), odometry("base", Some(twist))),
        sample("b", Some(1_000_000_002), odometry("base", None)),
        sample("c", Some(1_000_000_002), odometry("map", None)),
    ];
    let (file, _) = file(McapOptions::default(), samples);
    let got = messages(&file);
    let topics: Vec<_> = got.iter().map(|m| m.0.as_str()).collect();
    // Only the first channel places the frame `base`; `map` cannot lie in itself.
    assert_eq!(topics, ["/a", "/a/pose", "/tf", "/b", "/b/pose", "/c", "/c/pose"]);
    assert_eq!(got[1].4, [&HEADER[..], &doubles(&POSE)].concat());
    let child = [5, 0, 0, 0, b'b', b'a', b's', b'e', 0, 0, 0, 0, 0, 0, 0, 0];
    // The header of the first transform begins four bytes later, and so does the pose after it.
    let transform = [&[0, 1, 0, 0, 1, 0, 0, 0][..], &HEADER[4..], &child[..12], &doubles(&POSE)].concat();
    assert_eq!((got[2].1.as_str(), &got[2].4), ("tf2_msgs/msg/TFMessage", &transform));
    let twist = [1.0, 0.0, 0.0, 0.0, 0.0, 2.0];
    let want = [&POSE[..], &[0.0; 36], &twist, &[0.0; 36]].concat();
    assert_eq!(got[0].4, [&HEADER[..], &child, &doubles(&want)].concat());
    let unknown = doubles(&[-1.0]);
    assert_eq!(got[3].4[got[3].4.len() - 36 * 8..][..8], unknown);
}

fn place(child: &str) -> Value {
    Value::Transform(Transform { child_frame_id: child.into(), pose: pose() })
}

#[test]
fn samples_without_a_time_are_stamped_with_the_first_that_has_one() {
    let later = |ns: i64| 1_726_588_075_000_000_000 + ns;
    let samples = || {
        [
            sample("mounts", None, place("lidar")),
            sample("note", None, Value::Text("hello".into())),
            sample("imu", Some(later(7)), Value::Imu(Imu::default())),
            sample("imu", Some(later(9)), Value::Imu(Imu::default())),
            sample("mounts", None, place("camera")),
            sample("note", None, Value::Text("bye".into())),
        ]
    };
    for schema in [McapSchema::Ros2, McapSchema::Foxglove] {
        let mut options = McapOptions::default();
        options.schema = schema;
        let (file, took) = file(options, samples());
        assert_eq!(took, [Outcome::Written; 6]);
        let got: Vec<_> = read(&file).into_iter().map(|m| (m.topic, m.log_time)).collect();
        let want = [
            ("/tf_static", 7),
            ("/note", 7),
            ("/imu", 7),
            ("/imu", 9),
            // A mount is valid from the beginning, wherever it is in the recording.
            ("/tf_static", 7),
            ("/note", 9),
        ];
        let want = want.map(|(topic, ns)| (topic.to_owned(), later(ns).cast_unsigned()));
        assert_eq!(got, want);
        let yaml = rosbag2::metadata_yaml(Cursor::new(file), "x.mcap").unwrap();
        assert!(yaml.contains("duration:\n    nanoseconds: 2\n"), "{yaml}");
        assert!(yaml.contains("nanoseconds_since_epoch: 1726588075000000007\n"), "{yaml}");
    }
    // The stamp in the message equals the log time.
    let (file, _) = file(McapOptions::default(), samples());
    assert_eq!(messages(&file)[0].4[8..16], [&1_726_588_075_u32.to_le_bytes()[..], &[7, 0, 0, 0]].concat());
}

#[test]
fn a_recording_without_times_begins_at_zero() {
    let samples = [sample("a", None, Value::Scalar(1.0)), sample("b", None, place("lidar"))];
    let (file, took) = file(McapOptions::default(), samples);
    assert_eq!(took, [Outcome::Written; 2]);
    assert_eq!(messages(&file).iter().map(|m| m.3).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn samples_without_a_time_do_not_wait_in_memory_for_ever() {
    let text = "x".repeat(1 << 20);
    let mut sink = Mcap::new(Cursor::new(Vec::new()), McapOptions::default()).unwrap();
    for _ in 0..40 {
        assert_eq!(sink.write(&mut sample("a", None, Value::Text(text.clone()))).unwrap(), Outcome::Written);
    }
    sink.write(&mut sample("a", Some(5), Value::Text(String::new()))).unwrap();
    let file = sink.into_inner().unwrap().into_inner();
    assert_eq!(messages(&file).iter().map(|m| m.3).collect::<Vec<_>>(), [&[0; 40][..], &[5]].concat());
}

#[test]
fn a_frame_has_one_parent() {
    let odometry = |child: &str| Value::Odometry(Odometry::new(child, pose()));
    let in_frame = |frame: &str, sample: Sample| sample.with_frame(frame);
    let samples = [
        in_frame("base", sample("lvx", None, place("lidar"))),
        // The user's transforms come after those of the recording, and win.
        in_frame("mast", sample("tf_static", None, place("lidar"))),
        sample("odometry", Some(5), odometry("base")),
        // Moving, and from another channel: the frame has a parent already.
        sample("odometry", Some(6), odometry("lidar")),
        in_frame("odom", sample("tf_static", None, place("base"))),
        sample("poses", Some(7), place("base")),
    ];
    let (file, took) = file(McapOptions::default(), samples);
    assert_eq!(took[..4], [Outcome::Written; 4]);
    assert_eq!(took[4..], [Outcome::LeftOut; 2]);
    let transforms: Vec<_> =
        messages(&file).into_iter().filter(|m| m.0.starts_with("/tf")).map(|m| (m.0, m.4)).collect();
    let topics: Vec<_> = transforms.iter().map(|(topic, _)| topic.as_str()).collect();
    assert_eq!(topics, ["/tf_static", "/tf"]);
    assert!(transforms[0].1.windows(4).any(|w| w == b"mast"));
}

#[test]
fn transforms_without_a_time_are_static() {
    let samples = [
        sample("x", None, place("lidar")),
        sample("y", Some(5), place("camera")),
        sample("tf", Some(5), Value::Pose(pose())),
    ];
    let (file, _) = file(McapOptions::default(), samples);
    let topics: Vec<_> = places(&file).into_iter().map(|(topic, _)| topic).collect();
    assert_eq!(topics, ["/tf_static", "/tf", "/tf_2"]);
}

#[test]
fn a_scan_is_a_cloud_too_unless_that_is_not_wanted() {
    let (both, _) = file(McapOptions::default(), [scan(LaserScan::default())]);
    let want = [("/front", "sensor_msgs/msg/LaserScan"), ("/front/points", "sensor_msgs/msg/PointCloud2")];
    assert_eq!(places(&both), want.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let floats = [0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 9.0_f32].map(f32::to_le_bytes).concat();
    let ranges = [&[3, 0, 0, 0][..], &[1.0, f32::NAN, 2.0].map(f32::to_le_bytes).concat(), &[0; 4]].concat();
    assert_eq!(messages(&both)[0].4, [&HEADER[..], &floats, &ranges].concat());
    let mut options = McapOptions::default();
    options.messages.no_scan_points = true;
    assert_eq!(places(&file(options, [scan(LaserScan::default())]).0).len(), 1);
}

#[test]
fn images_are_files_or_whole_rows() {
    let image = |width, encoding, data: &'static [u8]| {
        Value::Image(Image { width, height: 2, encoding, data: data.into() })
    };
    let jpeg = one(image(0, Encoding::Jpeg, b"\xff\xd8"));
    assert_eq!(jpeg[0].1, "sensor_msgs/msg/CompressedImage");
    assert_eq!(jpeg[0].4, [&HEADER[..], b"\x05\0\0\0jpeg\0\0\0\0\x02\0\0\0\xff\xd8"].concat());
    let gray = one(image(1, Encoding::Mono16, b"\x01\x02\x03\x04"));
    let want = b"\x02\0\0\0\x01\0\0\0\x07\0\0\0mono16\0\x01\x02\0\0\0\x04\0\0\0\x01\x02\x03\x04";
    assert_eq!(gray[0].4, [&HEADER[..], want].concat());
    // The byte after the encoding is set for big-endian numbers; single bytes have no order.
    let small = one(image(1, Encoding::Mono8, b"\x01\x02"));
    let want = b"\x02\0\0\0\x01\0\0\0\x06\0\0\0mono8\0\0\0\x01\0\0\0\x02\0\0\0\x01\x02";
    assert_eq!(small[0].4, [&HEADER[..], want].concat());
    let short = sample("c", None, image(2, Encoding::Rgb8, b"123"));
    assert_eq!(file(McapOptions::default(), [short]).1, [Outcome::LeftOut]);
}

#[test]
fn kinds_of_values_and_of_rows_have_topics_of_their_own() {
    let fields = |names: &[&'static str]| -> Arc<[Field]> {
        names.iter().map(|name| Field::new(name, FieldKind::Float)).collect()
    };
    let (a, b) = (fields(&["x"]), fields(&["x", "y"]));
    let row = |fields: &Arc<[Field]>| Value::Row(Row::new(Arc::clone(fields), vec![Cell::Float(1.0)]));
    let samples = [
        sample("1/state", None, Value::Scalar(1.0)),
        sample("1/state", Some(7), Value::Text("on".into())),
        sample("1/state", None, row(&a)),
        sample("1/state", Some(3), row(&b)),
        sample("2/state", None, row(&b)),
        sample("1/state", None, Value::Scalar(2.0)),
    ];
    let (file, took) = file(McapOptions::default(), samples);
    assert_eq!(took, [Outcome::Written; 6]);
    let want = [
        ("/id_1/state", "std_msgs/msg/Float64", 0, 7),
        ("/id_1/state/text", "std_msgs/msg/String", 0, 7),
        ("/id_1/state/row", "robolog_msgs/msg/State", 0, 7),
        ("/id_1/state/row_2", "robolog_msgs/msg/State2", 0, 3),
        ("/id_2/state", "robolog_msgs/msg/State2", 0, 3),
        ("/id_1/state", "std_msgs/msg/Float64", 1, 3),
    ];
    let got = messages(&file);
    let got: Vec<_> = got.iter().map(|m| (m.0.as_str(), m.1.as_str(), m.2, m.3)).collect();
    assert_eq!(got, want);
}

#[test]
fn boxes_are_markers_until_their_actor_ends() {
    let (file, _) = file(McapOptions::default(), box_and_its_end());
    let got = messages(&file);
    let topics: Vec<_> = got.iter().map(|m| m.0.as_str()).collect();
    assert_eq!(topics, ["/actor_7/bounding_boxes", "/scene", "/events", "/scene"]);
    assert_eq!(got[1].1, "visualization_msgs/msg/MarkerArray");
    let marker = |stamp: [u8; 8], action: u8, place: &[f64]| {
        let head = [&[0, 1, 0, 0, 1, 0, 0, 0][..], &stamp].concat();
        let name = [&[8, 0, 0, 0][..], b"actor_7\0"].concat();
        let color = [0.25, 0.5, 1.0, 0.5_f32].map(f32::to_le_bytes).concat();
        // Number 0, a cube, the action; then the lifetime 0, locked to the frame, and no fields of other shapes.
        let kind = [&[0; 4][..], &[1, 0, 0, 0], &[action, 0, 0, 0]].concat();
        let mut rest = vec![0; 8];
        // Locked and aligned; no points, no colours; empty texts have a zero, at multiples of four.
        rest.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        rest.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        rest.extend([0; 8]);
        rest.extend([1, 0, 0, 0, 0, 0, 0, 0].repeat(2));
        rest.extend([0; 8]);
        rest.extend([1, 0, 0, 0, 0, 0, 0, 0].repeat(3));
        rest.extend([0; 5]);
        let before = [&head[..], &name, &name, &kind].concat();
        let pad = vec![0; (4 + before.len().next_multiple_of(8) - before.len()) % 8];
        [&before[..], &pad, &doubles(place), &color, &rest].concat()
    };
    let place = [0.5, 0.0, 0.75, 0.0, 0.0, 0.0, 1.0, 5.0, 2.0, 1.5];
    assert_eq!(got[1].4, marker([1, 0, 0, 0, 2, 0, 0, 0], 0, &place));
    let nowhere = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    assert_eq!(got[3].4, marker([2, 0, 0, 0, 0, 0, 0, 0], 2, &nowhere));
}

#[test]
#[cfg(not(feature = "lz4"))]
fn a_compression_that_was_not_built_in_is_an_error() {
    let mut options = McapOptions::default();
    options.compression = McapCompression::Lz4;
    let error = Mcap::new(Cursor::new(Vec::new()), options).unwrap_err();
    assert_eq!(error.to_string(), "this build has no MCAP compression lz4, which needs the feature lz4");
}

/// Those that were built in.
#[cfg(feature = "lz4")]
const COMPRESSIONS: &[McapCompression] =
    &[McapCompression::Zstd, McapCompression::Lz4, McapCompression::None];
#[cfg(not(feature = "lz4"))]
const COMPRESSIONS: &[McapCompression] = &[McapCompression::Zstd, McapCompression::None];

fn cloud(points: u32) -> PointCloud {
    let ramp: Vec<f32> =
        (0..points).map(|i| f32::from_bits(0x3f80_0000 | (i.wrapping_mul(0x9e37) & 0x7f_ffff))).collect();
    PointCloud {
        x: ramp.clone(),
        y: ramp.clone(),
        z: ramp,
        time_offset: (0..points).collect(),
        ..PointCloud::default()
    }
}

#[test]
fn samples_larger_than_a_chunk_come_back_whole_by_all_compressions() {
    let samples = || {
        let sizes = [300_000, 10, 0, 150_000];
        (0..).zip(sizes).map(|(i, n)| sample("lidar/points", Some(i), Value::PointCloud(cloud(n))))
    };
    let mut read = Vec::new();
    for &compression in COMPRESSIONS {
        let mut options = McapOptions::default();
        options.compression = compression;
        let (first, took) = file(options, samples());
        assert_eq!(took, [Outcome::Written; 4]);
        assert_eq!(first, file(options, samples()).0, "{compression}: the same samples, other bytes");
        let summary = mcap::Summary::read(&first).unwrap().unwrap();
        let name = if compression == McapCompression::None { String::new() } else { compression.to_string() };
        assert!(summary.chunk_indexes.len() >= 2);
        assert!(
            summary
                .chunk_indexes
                .iter()
                .all(|c| c.compression == name && !c.message_index_offsets.is_empty())
        );
        assert_eq!(summary.stats.unwrap().message_count, 4);
        read.push(messages(&first));
    }
    assert!(read[0].len() == 4 && read.iter().all(|messages| *messages == read[0]));
    assert!(read[0][0].4.len() > 300_000 * 16);
}

#[test]
fn a_full_disk_is_an_error_at_any_moment() {
    for &compression in COMPRESSIONS {
        let mut options = McapOptions::default();
        options.compression = compression;
        let samples = || [100, 200, 5].map(|n| sample("lidar", Some(1), Value::PointCloud(cloud(n))));
        let (whole, _) = file(options, samples());
        let write = |target| {
            let mut sink = Mcap::new(target, options)?;
            for mut sample in samples() {
                sink.write(&mut sample)?;
            }
            sink.into_inner()
        };
        let mut failures = 0;
        let got = testkit::failing().find_map(|fails_at| match write(testkit::Faulty::new(fails_at)) {
            Ok(target) => Some(target.into_bytes()),
            Err(error) => {
                let Error::Write(io) = error else { panic!("{fails_at}: {error}") };
                assert_eq!(io.kind(), std::io::ErrorKind::StorageFull, "{fails_at}: {io}");
                failures += 1;
                None
            }
        });
        assert!(got.unwrap() == whole, "{compression}: short writes and interruptions changed the file");
        assert!(failures > 20, "{failures}");
    }
}

#[test]
fn metadata_and_header_of_the_source_are_kept() {
    let recording = testkit::fixture("lvx/short_tail.lvx");
    let input = Input::new("run/drive.lvx", Box::new(Cursor::new(recording.clone()))).unwrap();
    let mut sink = Mcap::new(Cursor::new(Vec::new()), McapOptions::default()).unwrap();
    let report = convert(vec![Feed::new(input)], &mut sink, &mut |_| {}).unwrap();
    let file = sink.into_inner().unwrap().into_inner();
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    let attachment = mcap::read::attachment(&file, &summary.attachment_indexes[0]).unwrap();
    // 24 bytes of file header, 5 of the device list's header, 59 for its one device.
    assert_eq!((attachment.name.as_str(), &*attachment.data), ("source-header", &recording[..24 + 5 + 59]));
    let metadata = mcap::read::metadata(&file, &summary.metadata_indexes[0]).unwrap();
    let warning = report.damage[0].error.to_string();
    let want = [
        ("clocks", "unix"),
        ("format", "lvx"),
        ("source", "drive.lvx"),
        ("tool", concat!("robolog-convert ", env!("CARGO_PKG_VERSION"))),
        ("variant", "LVX 1.1"),
        ("warnings", &warning),
    ];
    let want: BTreeMap<_, _> = want.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    assert_eq!((metadata.name.as_str(), metadata.metadata), ("robolog", want));
}

#[test]
fn a_bag_of_ros_2_has_its_contents_listed() {
    let place = Value::Transform(Transform { child_frame_id: "lidar".into(), pose: pose() });
    let samples = [
        sample("a b", Some(5), Value::Scalar(1.0)),
        sample("x", None, place),
        sample("a b", Some(9), Value::Scalar(2.0)),
    ];
    let (file, _) = file(McapOptions::default(), samples);
    let yaml = rosbag2::metadata_yaml(Cursor::new(&file), "drive_0.mcap").unwrap();
    let head = "# Written by robolog\nrosbag2_bagfile_information:\n  version: 5\n  storage_identifier: mcap\n  relative_file_paths:\n    \
                - \"drive_0.mcap\"\n  duration:\n    nanoseconds: 4\n  starting_time:\n    \
                nanoseconds_since_epoch: 5\n  message_count: 3\n  topics_with_message_count:\n    \
                - topic_metadata:\n        name: \"/a_b\"\n        type: \"std_msgs/msg/Float64\"\n        \
                serialization_format: \"cdr\"\n        offered_qos_profiles: \"\"\n      message_count: 2\n    \
                - topic_metadata:\n        name: \"/tf_static\"\n        type: \"tf2_msgs/msg/TFMessage\"\n        \
                serialization_format: \"cdr\"\n        offered_qos_profiles: \"- history: 1\\n  depth: 1000\\n";
    assert!(yaml.starts_with(head), "{yaml}");
    let tail = "  compression_format: \"\"\n  compression_mode: \"\"\n  files:\n    - path: \"drive_0.mcap\"\n      \
                starting_time:\n        nanoseconds_since_epoch: 5\n      duration:\n        nanoseconds: 4\n      \
                message_count: 3\n";
    assert!(yaml.ends_with(tail), "{yaml}");
    assert!(rosbag2::metadata_yaml(Cursor::new(&file[..file.len() - 9]), "x").is_err());
    // Keeps a bag for external readers.
    if let Some(folder) = std::env::var_os("ROBOLOG_BAG") {
        let folder = std::path::Path::new(&folder);
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("drive_0.mcap"), &file).unwrap();
        std::fs::write(folder.join("metadata.yaml"), yaml).unwrap();
    }
}

#[test]
fn chunks_that_threads_compress_are_the_same_bytes_each_time() {
    let clouds = || {
        // The third is larger than a chunk.
        [40_000, 90_000, 500_000, 60_000, 150_000].map(|points: u32| {
            let noise = |salt: u32| {
                let mixed = (0..points).map(move |i| i.wrapping_mul(2_654_435_761).rotate_left(salt) >> 20);
                mixed.map(|i| f32::from(u16::try_from(i).unwrap())).collect()
            };
            let (x, y, z) = (noise(3), noise(11), noise(17));
            sample("c", Some(1), Value::PointCloud(PointCloud { x, y, z, ..PointCloud::default() }))
        })
    };
    let files: Vec<Vec<u8>> = std::thread::scope(|scope| {
        // Run at the same time, so that threads are scheduled differently.
        let makers = [(); 3].map(|()| scope.spawn(|| file(McapOptions::default(), clouds()).0));
        makers.map(|maker| maker.join().unwrap()).into()
    });
    assert!(files[0] == files[1] && files[0] == files[2]);
    let mut options = McapOptions::default();
    options.compression = McapCompression::None;
    let plain = file(options, clouds()).0;
    assert!(files[0].len() < plain.len());
    assert!(messages(&files[0]) == messages(&plain));
}
