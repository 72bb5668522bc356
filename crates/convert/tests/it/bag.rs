//! ROS 1 bags, checked by a parser of their records.

use std::{collections::BTreeMap, io::Cursor};

use robolog_convert::{
    Outcome, Sink as _,
    sink::{
        ImuUnit, PointLayout,
        bag::{Bag, BagCompression, BagOptions},
    },
};
use robolog_core::{GnssFix, Imu, LaserScan, Pose, Sample, Transform, Value};

use crate::mcap_support::{box_and_its_end, pose, sample, scan};

fn bag(options: BagOptions, samples: impl IntoIterator<Item = Sample>) -> (Vec<u8>, Vec<Outcome>) {
    let mut sink = Bag::new(Cursor::new(Vec::new()), options).unwrap();
    let took = samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect();
    (sink.into_inner().unwrap().into_inner(), took)
}

type Fields = BTreeMap<String, Vec<u8>>;

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn fields(mut header: &[u8]) -> Fields {
    let mut fields = Fields::new();
    while let Some((len, rest)) = header.split_at_checked(4) {
        let (field, rest) = rest.split_at(number(len));
        let at = field.iter().position(|byte| *byte == b'=').unwrap();
        fields.insert(String::from_utf8(field[..at].to_vec()).unwrap(), field[at + 1..].to_vec());
        header = rest;
    }
    assert!(header.is_empty());
    fields
}

/// Headers and data, and the offset of each record.
fn records(bytes: &[u8]) -> Vec<(usize, Fields, &[u8])> {
    let (mut records, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let header_end = at + 4 + number(&bytes[at..at + 4]);
        let end = header_end + 4 + number(&bytes[header_end..header_end + 4]);
        records.push((at, fields(&bytes[at + 4..header_end]), &bytes[header_end + 4..end]));
        at = end;
    }
    records
}

const MAGIC: &[u8] = b"#ROSBAG V2.0\n";

/// Topics and messages.
type Messages = Vec<(String, Vec<u8>)>;

/// Reads an uncompressed bag: types by topic, and topics and messages in the order of the file.
fn read(file: &[u8]) -> (BTreeMap<String, Fields>, Messages) {
    let (mut topics, mut names, mut messages) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (_, chunk, data) in records(&file[MAGIC.len()..]) {
        if chunk["op"] != [5] {
            continue;
        }
        assert_eq!((&*chunk["compression"], number(&chunk["size"])), (&b"none"[..], data.len()));
        for (_, header, data) in records(data) {
            if header["op"] == [7] {
                let name = String::from_utf8(header["topic"].clone()).unwrap();
                names.insert(header["conn"].clone(), name.clone());
                topics.insert(name, fields(data));
            } else {
                messages.push((names[&header["conn"]].clone(), data.to_vec()));
            }
        }
    }
    (topics, messages)
}

/// A bag of one number, byte by byte after the format description.
#[test]
fn a_bag_is_its_records() {
    let one = sample("speed", Some(3_000_000_007), Value::Scalar(0.5));
    let (file, took) = bag(BagOptions::default(), [one]);
    assert_eq!(took, [Outcome::Written]);
    let field = |name: &str, value: &[u8]| {
        let len = u32::try_from(name.len() + 1 + value.len()).unwrap();
        [&len.to_le_bytes()[..], name.as_bytes(), b"=", value].concat()
    };
    let record = |header: &[Vec<u8>], data: &[u8]| {
        let header = header.concat();
        let len = |len: usize| u32::try_from(len).unwrap().to_le_bytes();
        [&len(header.len())[..], &header, &len(data.len()), data].concat()
    };
    let about = [
        field("topic", b"/speed"),
        field("type", b"std_msgs/Float64"),
        field("md5sum", b"fdb28210bfa9d7c91146260178d9a584"),
        field("message_definition", b"float64 data\n"),
        field("callerid", b"/robolog"),
    ];
    let (conn, time) = (field("conn", &[0; 4]), [3, 0, 0, 0, 7, 0, 0, 0]);
    let connection = record(&[field("op", &[7]), conn.clone(), field("topic", b"/speed")], &about.concat());
    let message = record(&[field("op", &[2]), conn.clone(), field("time", &time)], &0.5_f64.to_le_bytes());
    let inside = [connection.clone(), message].concat();
    let size = u32::try_from(inside.len()).unwrap().to_le_bytes();
    let chunk = record(&[field("op", &[5]), field("compression", b"none"), field("size", &size)], &inside);
    let offset = u32::try_from(connection.len()).unwrap().to_le_bytes();
    let (ver, count) = (field("ver", &[1, 0, 0, 0]), field("count", &[1, 0, 0, 0]));
    let index =
        record(&[field("op", &[4]), ver.clone(), conn, count.clone()], &[&time[..], &offset].concat());
    let position = MAGIC.len() as u64 + 4 + 4096 + 4;
    let info = record(
        &[
            field("op", &[6]),
            ver,
            field("chunk_pos", &position.to_le_bytes()),
            field("start_time", &time),
            field("end_time", &time),
            count,
        ],
        &[0, 0, 0, 0, 1, 0, 0, 0],
    );
    let index_pos = position + (chunk.len() + index.len()) as u64;
    let first = [
        field("op", &[3]),
        field("index_pos", &index_pos.to_le_bytes()),
        field("conn_count", &[1, 0, 0, 0]),
        field("chunk_count", &[1, 0, 0, 0]),
    ];
    let padding = vec![b' '; 4096 - first.concat().len()];
    let want = [MAGIC.to_vec(), record(&first, &padding), chunk, index, connection, info].concat();
    assert_eq!(file, want);
}

#[test]
fn messages_are_those_of_ros_1() {
    let fix = GnssFix { latitude: 50.5, longitude: 7.5, ..GnssFix::default() };
    let place = Transform { child_frame_id: "lidar".into(), pose: pose() };
    let samples = [
        sample("gps", Some(1_000_000_002), Value::GnssFix(fix)),
        sample("gps", Some(-5), Value::Pose(Pose::identity())),
        sample("gps", Some(2_000_000_000), Value::Pose(Pose::identity())),
        sample("mount", None, Value::Transform(place)),
        scan(LaserScan::default()),
    ];
    let [around, _] = box_and_its_end();
    let (file, took) = bag(BagOptions::default(), samples.into_iter().chain([around]));
    assert_eq!(took, [Outcome::Written; 6]);
    let (topics, messages) = read(&file);
    let types: Vec<_> = topics.iter().map(|(name, about)| (&**name, text(&about["type"]))).collect();
    let want = [
        ("/actor_7/bounding_boxes", "robolog_msgs/BoundingBoxes"),
        ("/front", "sensor_msgs/LaserScan"),
        ("/front/points", "sensor_msgs/PointCloud2"),
        ("/gps", "sensor_msgs/NavSatFix"),
        ("/gps/pose", "geometry_msgs/PoseStamped"),
        ("/scene", "visualization_msgs/MarkerArray"),
        ("/tf_static", "tf2_msgs/TFMessage"),
    ];
    assert_eq!(types, want);
    let latched: Vec<_> = topics.iter().filter(|(_, about)| about.contains_key("latching")).collect();
    assert!(latched.len() == 1 && latched[0].0 == "/tf_static");
    let definition = text(&topics["/gps/pose"]["message_definition"]);
    assert!(
        definition.starts_with("std_msgs/Header header\ngeometry_msgs/Pose pose\n=====")
            && definition.contains("\nMSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n")
    );

    let of = |topic: &str| -> Vec<&[u8]> {
        messages.iter().filter(|(name, _)| name == topic).map(|(_, data)| &data[..]).collect()
    };
    let header = |seq: u8, secs: u8, nsecs: u8| {
        [&[seq, 0, 0, 0, secs, 0, 0, 0, nsecs, 0, 0, 0, 3, 0, 0, 0][..], b"map"].concat()
    };
    let floats = [50.5, 7.5, f64::NAN].map(f64::to_le_bytes).concat();
    assert_eq!(of("/gps"), [[&header(0, 1, 2)[..], &[0xfe, 0, 0], &floats, &[0; 72], &[0]].concat()]);
    let identity = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0].map(f64::to_le_bytes).concat();
    let poses = [[header(0, 0, 0), identity.clone()].concat(), [header(1, 2, 0), identity].concat()];
    assert_eq!(of("/gps/pose"), poses);
    let seven = [1.0, -2.5, 1e-7, 0.0, 0.0, 0.0, 1.0].map(f64::to_le_bytes).concat();
    let placed = [&[1, 0, 0, 0][..], &header(0, 1, 2), b"\x05\0\0\0lidar", &seven].concat();
    assert_eq!(of("/tf_static"), [placed]);
    // The marker's last fields: no points, colours, text and mesh.
    assert_eq!(of("/scene")[0][of("/scene")[0].len() - 18..], [&[1][..], &[0; 17]].concat());
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn what_is_before_the_first_nanosecond_is_indexed_there() {
    let (file, _) = bag(BagOptions::default(), [-7, 0, 1].map(|t| sample("n", Some(t), Value::Scalar(0.0))));
    let index = records(&file[MAGIC.len()..]).into_iter().find(|(_, header, _)| header["op"] == [4]).unwrap();
    let times: Vec<&[u8]> = index.2.chunks(12).map(|entry| &entry[..8]).collect();
    assert_eq!(times, [[0, 0, 0, 0, 1, 0, 0, 0]; 3]);
}

#[test]
fn what_is_after_the_last_second_is_left_out() {
    const LAST: i64 = 4_294_967_295_999_999_999;
    let times = [12_000_000_000, 1 << 62, LAST, LAST + 1];
    let (_, took) = bag(BagOptions::default(), times.map(|t| sample("n", Some(t), Value::Scalar(0.0))));
    assert_eq!(took, [Outcome::Written, Outcome::LeftOut, Outcome::Written, Outcome::LeftOut]);
}

#[test]
fn accelerations_are_in_g_for_programs_that_expect_the_drivers_of_livox() {
    let imu = Imu { linear_acceleration: Some([0.0, 0.0, 9.80665].into()), ..Imu::default() };
    for (layout, unit, want) in [
        (PointLayout::Robolog, None, 9.80665),
        (PointLayout::Livox, None, 9.80665),
        (PointLayout::LivoxCustom, None, 1.0_f64),
        (PointLayout::LivoxCustom1, None, 1.0),
        (PointLayout::LivoxCustom1, Some(ImuUnit::MetresPerSecondSquared), 9.80665),
        (PointLayout::Robolog, Some(ImuUnit::G), 1.0),
    ] {
        let mut options = BagOptions::default();
        (options.messages.points, options.messages.imu_unit) = (layout, unit);
        let (file, _) = bag(options, [sample("imu", Some(1), Value::Imu(imu))]);
        assert!(file.windows(8).any(|bytes| bytes == want.to_le_bytes()), "{layout}");
    }
}

#[test]
fn frames_of_lz4_are_as_ros_takes_them() {
    let mut options = BagOptions::default();
    options.compression = BagCompression::Lz4;
    let samples =
        || (0..20_000).map(|t| sample("n", Some(t), Value::Text("a text that is said again".into())));
    let (file, _) = bag(options, samples());
    assert_eq!(file, bag(options, samples()).0, "the same samples, other bytes");
    let (plain, _) = bag(BagOptions::default(), samples());
    let chunks = |file: &[u8]| {
        let chunks = records(&file[MAGIC.len()..]).into_iter().filter(|(_, header, _)| header["op"] == [5]);
        chunks.map(|(_, header, data)| (number(&header["size"]), data.to_vec())).collect::<Vec<_>>()
    };
    let (packed, plain) = (chunks(&file), chunks(&plain));
    assert!(packed.len() > 1 && packed.len() == plain.len());
    for ((size, data), (plain_size, _)) in packed.iter().zip(&plain) {
        assert!(size == plain_size && data.len() < size / 4);
        // Version 1, independent blocks, a content checksum, no content size and no block checksums; blocks of 4 MiB.
        assert_eq!(data[..6], [0x04, 0x22, 0x4d, 0x18, 0x64, 0x70]);
        // No further block; the checksum follows.
        assert_eq!(data[data.len() - 8..data.len() - 4], [0; 4]);
    }
}

#[test]
fn a_bag_without_messages_is_one() {
    let (file, _) = bag(BagOptions::default(), []);
    let records = records(&file[MAGIC.len()..]);
    assert!(records.len() == 1 && number(&records[0].1["index_pos"]) == file.len());
}
