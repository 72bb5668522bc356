//! Parquet and Arrow files, read back with the `parquet` and `arrow` crates.

#![cfg(all(feature = "to-arrow", feature = "to-parquet"))]

use std::{io::Cursor, sync::Arc};

use arrow_array::{Array as _, RecordBatch, cast::AsArray as _};
use arrow_ipc::reader::FileReader as ArrowReader;
use bytes::Bytes;
use parquet::{
    basic::Encoding as PageEncoding,
    file::reader::{FileReader as _, SerializedFileReader},
    record::Field as Read,
};
use robolog_convert::{
    Advice, Opening, Outcome, Selection, Sink,
    sink::{Channels, arrow::Arrow, parquet::Parquet},
};
use robolog_core::{
    Cell, Clock, Constellation, Encoding, Field, FieldKind, FixQuality, GnssFix, Image, Imu, LaserScan,
    Odometry, PointCloud, Pose, Row, Sample, Satellite, Satellites, Timestamp, Transform, Twist, Value,
};

use Outcome::{LeftOut, Written};

const TIME: i64 = 1_726_588_075_299_964_555;

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, Clock::Unix));
    Sample::new(channel, value).with_time(time).with_frame("map")
}

fn pose() -> Pose {
    let orientation = nalgebra::Quaternion::new(0.5, -0.5, 0.5, 0.5);
    Pose {
        position: [1.0, -2.5, 1e-7].into(),
        orientation: nalgebra::UnitQuaternion::new_unchecked(orientation),
    }
}

fn put(sink: &mut dyn Sink, samples: &[Sample]) -> Vec<Outcome> {
    samples.iter().map(|sample| sink.write(&mut sample.clone()).unwrap()).collect()
}

fn parquet(samples: &[Sample]) -> (Vec<Outcome>, SerializedFileReader<Bytes>) {
    let mut sink = Parquet::new(Vec::new(), &Selection::Channels.into());
    let took = put(&mut sink, samples);
    (took, SerializedFileReader::new(Bytes::from(sink.into_inner().unwrap())).unwrap())
}

fn arrow(samples: &[Sample]) -> ArrowReader<Cursor<Vec<u8>>> {
    let mut sink = Arrow::new(Vec::new(), &Selection::Channels.into());
    put(&mut sink, samples);
    ArrowReader::try_new(Cursor::new(sink.into_inner().unwrap()), None).unwrap()
}

/// Rows as text by the Parquet reader, `null` for unknown values.
fn rows(file: &SerializedFileReader<Bytes>) -> Vec<String> {
    let show = |field: &Read| match field {
        Read::TimestampMicros(us) => us.to_string(),
        Read::Float(value) => format!("{value:?}"),
        Read::Double(value) => format!("{value:?}"),
        Read::Bytes(bytes) => format!("{:?}", bytes.data()),
        other => other.to_string(),
    };
    let rows = file.get_row_iter(None).unwrap().map(Result::unwrap);
    rows.map(|row| row.get_column_iter().map(|(_, v)| show(v)).collect::<Vec<_>>().join(" ")).collect()
}

fn names(file: &SerializedFileReader<Bytes>) -> Vec<String> {
    let schema = file.metadata().file_metadata().schema_descr();
    schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect()
}

/// Both files of one sample: its columns after time and channel, and their values.
#[track_caller]
fn check(value: Value, columns: &str, want: &[&str]) {
    let kind = value.kind();
    let samples = [sample("c", Some(TIME), value)];
    let (took, file) = parquet(&samples);
    assert_eq!(took, [Written]);
    assert_eq!(names(&file).join(" "), format!("time_ns time channel {columns}"));
    let want: Vec<_> = want.iter().map(|row| format!("{TIME} {} \"c\" {row}", TIME / 1000)).collect();
    assert_eq!(rows(&file), want);
    let descr = file.metadata().file_metadata().schema_descr();
    assert!(descr.root_schema().get_fields().iter().all(|field| field.is_optional()), "all may be null");
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    let of = |key: &str| metadata.iter().find(|kv| kv.key == key).and_then(|kv| kv.value.clone());
    assert_eq!((of("robolog.kind").as_deref(), of("robolog.clock").as_deref()), (Some(kind), Some("unix")));

    let reader = arrow(&samples);
    let schema = reader.schema();
    assert_eq!(schema.fields().iter().map(|f| f.name().as_str()).collect::<Vec<_>>(), names(&file));
    assert_eq!(schema.metadata().get("robolog.kind").map(String::as_str), Some(kind));
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), want.len());
}

#[test]
fn a_point_is_a_row_with_a_time_of_its_own() {
    let cloud = PointCloud {
        x: vec![1.5, 0.1],
        y: vec![2.0, f32::NAN],
        z: vec![3.0, -1e-20],
        ring: vec![7, 65535],
        tag: vec![255, 0],
        time_offset: vec![0, 1000],
        ..PointCloud::default()
    };
    let (_, file) = parquet(&[sample("p", Some(999), Value::PointCloud(cloud.clone()))]);
    assert_eq!(
        rows(&file),
        ["999 0 \"p\" 1.5 2.0 3.0 null null 255 7", "1999 1 \"p\" 0.1 NaN -1e-20 null null 0 65535"]
    );
    let bare = PointCloud { time_offset: vec![], ring: vec![], ..cloud };
    let samples = [
        sample("p", None, Value::PointCloud(bare.clone())),
        sample("p", Some(i64::MAX), Value::PointCloud(bare)),
    ];
    let (_, file) = parquet(&samples);
    let rows = rows(&file);
    assert_eq!((rows.len(), &rows[1][..13]), (4, "null null \"p\""));
    assert!(rows[2].starts_with("9223372036854775807 9223372036854775 \"p\" 1.5"), "{rows:?}");
}

#[test]
fn clouds_of_uneven_columns_are_refused() {
    let cloud = PointCloud { x: vec![1.0], y: vec![1.0], z: vec![], ..PointCloud::default() };
    let mut sink = Parquet::new(Vec::new(), &Opening::default());
    assert!(sink.write(&mut sample("p", None, Value::PointCloud(cloud))).is_err());
}

#[test]
fn images_are_bytes() {
    let image = Image { width: 2, height: 1, encoding: Encoding::Mono8, data: vec![1, 2].into() };
    check(Value::Image(image), "frame_id encoding width height data", &["\"map\" \"mono8\" 2 1 [1, 2]"]);
}

#[test]
fn scans_are_lists() {
    let scan = LaserScan {
        angle_min: -1.5,
        angle_increment: 0.5,
        range_max: 8.0,
        ranges: vec![1.0, f32::NAN, 2.5],
        ..LaserScan::default()
    };
    let columns =
        "frame_id angle_min angle_increment time_increment scan_time range_min range_max ranges intensities";
    let want = "\"map\" -1.5 0.5 0.0 0.0 0.0 8.0 [1.0, NaN, 2.5] null";
    check(Value::LaserScan(scan.clone()), columns, &[want]);
    let empty = LaserScan { ranges: vec![], intensities: vec![4.0], ..scan.clone() };
    let samples = [scan.clone(), empty, scan].map(|scan| sample("s", None, Value::LaserScan(scan)));
    let rows = rows(&parquet(&samples).1);
    assert!(rows[1].ends_with("null [4.0]") && rows[2].ends_with("[1.0, NaN, 2.5] null"), "{rows:?}");
    let batch = arrow(&samples).next().unwrap().unwrap();
    let ranges = batch.column_by_name("ranges").unwrap().as_list::<i32>();
    assert_eq!((ranges.value_length(0), ranges.is_null(1), ranges.value_length(2)), (3, true, 3));
}

#[test]
fn inertial_measurements_have_null_for_what_is_not_measured() {
    let imu = Imu { linear_acceleration: Some([0.0, 0.5, 9.75].into()), ..Imu::default() };
    check(
        Value::Imu(imu),
        "frame_id qx qy qz qw wx wy wz ax ay az",
        &["\"map\" null null null null null null null 0.0 0.5 9.75"],
    );
}

#[test]
fn fixes_have_all_that_the_receiver_says() {
    let fix = GnssFix {
        latitude: 48.25,
        longitude: -0.5,
        quality: FixQuality::RtkFixed,
        satellites: Some(12),
        hdop: Some(0.75),
        age_of_corrections_s: Some(1.5),
        station_id: Some(1023),
        position_covariance: Some([4.0, 0.5, 0.25, 0.5, 9.0, -1.5, 0.25, -1.5, 16.0]),
        talkers: Some("GN GP".to_owned()),
        ..GnssFix::default()
    };
    check(
        Value::GnssFix(fix),
        "frame_id latitude longitude altitude altitude_msl quality satellites hdop vdop pdop speed course \
         age_of_corrections station_id cov_ee cov_en cov_eu cov_nn cov_nu cov_uu talkers",
        &["\"map\" 48.25 -0.5 null null \"rtk_fixed\" 12 0.75 null null null null \
            1.5 1023 4.0 0.5 0.25 9.0 -1.5 16.0 \"GN GP\""],
    );
}

#[test]
fn a_satellite_is_a_row() {
    let satellite = |id, snr| Satellite {
        constellation: Constellation::Galileo,
        id,
        elevation: Some(0.5),
        azimuth: None,
        snr,
        signal: None,
    };
    let list = Satellites { satellites: vec![satellite(3, None), satellite(u32::MAX, Some(41.0))] };
    check(
        Value::Satellites(list),
        "constellation satellite elevation azimuth snr signal",
        &["\"galileo\" 3 0.5 null null null", "\"galileo\" 4294967295 0.5 null 41.0 null"],
    );
}

#[test]
fn poses_odometry_and_transforms_share_their_columns() {
    let at = "x y z qx qy qz qw";
    let pose_text = "1.0 -2.5 1e-7 -0.5 0.5 0.5 0.5";
    check(Value::Pose(pose()), &format!("frame_id {at}"), &[&format!("\"map\" {pose_text}")]);
    let transform = Transform { child_frame_id: "lidar".into(), pose: pose() };
    check(
        Value::Transform(transform),
        &format!("frame_id child_frame_id {at}"),
        &[&format!("\"map\" \"lidar\" {pose_text}")],
    );
    let columns = format!("frame_id child_frame_id {at} vx vy vz wx wy wz");
    let twist = Twist { linear: [1.0, 2.0, 3.0].into(), angular: [0.25, 0.5, f64::INFINITY].into() };
    for (twist, text) in [(None, "null null null null null null"), (Some(twist), "1.0 2.0 3.0 0.25 0.5 inf")]
    {
        let odometry = Odometry::new("base", pose()).with_twist(twist);
        check(Value::Odometry(odometry), &columns, &[&format!("\"map\" \"base\" {pose_text} {text}")]);
    }
}

#[test]
fn numbers_and_texts_are_values() {
    check(Value::Scalar(-0.5), "value", &["-0.5"]);
    check(Value::Text("é\n".into()), "value", &["\"é\n\""]);
}

#[test]
fn rows_have_the_fields_of_the_first_under_names_of_their_own() {
    let fields: Arc<[Field]> = [
        Field::new("speed", FieldKind::Float).with_unit("m/s"),
        Field::new("Time", FieldKind::Int),
        Field::new("on", FieldKind::Bool),
        Field::new("SPEED", FieldKind::Text),
    ]
    .into();
    let other: Arc<[Field]> = fields[1..].into();
    let row = |fields: &Arc<[Field]>, cells: Vec<Cell>| Value::Row(Row::new(Arc::clone(fields), cells));
    let samples = [
        sample("a", Some(TIME), row(&fields, vec![0.5.into(), 3_i64.into(), true.into(), "x".into()])),
        sample("b", None, row(&fields, vec![Cell::Null, Cell::Null, false.into()])),
        sample("a", None, row(&other, vec![])),
        sample("a", None, row(&fields, vec![1_i64.into()])),
        sample("a", None, Value::Scalar(1.0)),
        sample("a", Some(-1), row(&fields, vec![f64::NAN.into(), i64::MIN.into(), Cell::Null, "".into()])),
    ];
    let (took, file) = parquet(&samples);
    assert_eq!(took, [Written, Written, LeftOut, LeftOut, LeftOut, Written]);
    assert_eq!(names(&file).join(" "), "time_ns time channel speed Time_2 on SPEED_2");
    assert_eq!(
        rows(&file),
        [
            &format!("{TIME} {} \"a\" 0.5 3 true \"x\"", TIME / 1000),
            "null null \"b\" null null false null",
            "-1 -1 \"a\" NaN -9223372036854775808 null \"\"",
        ]
    );
    let batch = arrow(&samples).next().unwrap().unwrap();
    let speed = batch.schema().field_with_name("speed").unwrap().clone();
    assert_eq!(speed.metadata().get("unit").map(String::as_str), Some("m/s"));
    let on = batch.column_by_name("on").unwrap().as_boolean();
    assert_eq!(on.iter().collect::<Vec<_>>(), [Some(true), Some(false), None]);
    let text = batch.column_by_name("SPEED_2").unwrap().as_string::<i32>();
    assert_eq!(text.iter().collect::<Vec<_>>(), [Some("x"), None, Some("")]);
}

#[test]
fn times_of_other_clocks_are_numbers_and_not_dates() {
    let mut relative = sample("a", None, Value::Scalar(1.0));
    relative.time = Some(Timestamp::new(1500, Clock::Relative));
    let (_, file) = parquet(&[relative, sample("a", Some(1500), Value::Scalar(2.0))]);
    assert_eq!(rows(&file), ["1500 null \"a\" 1.0", "1500 1 \"a\" 2.0"]);
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(metadata.iter().any(|kv| kv.value.as_deref() == Some("relative,unix")), "{metadata:?}");
}

#[test]
fn large_clouds_go_into_groups_of_bounded_size_and_times_stay_exact() {
    let count = 530_000_u32;
    let x: Vec<f32> = (0..count).map(|i| f32::from(u16::try_from(i % 65_521).unwrap())).collect();
    let cloud = PointCloud {
        y: x.clone(),
        z: x.clone(),
        time_offset: (0..count).map(|i| i * 3).collect(),
        x,
        ..PointCloud::default()
    };
    let samples: Vec<_> = ["a", "b"].map(|c| sample(c, Some(TIME), Value::PointCloud(cloud.clone()))).into();
    let (_, file) = parquet(&samples);
    let groups: Vec<_> = file
        .metadata()
        .row_groups()
        .iter()
        .map(parquet::file::metadata::RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(groups, [524_288, 524_288, 11_424]);
    let time = file.metadata().row_group(0).column(0);
    assert!(time.encodings().any(|e| e == PageEncoding::DELTA_BINARY_PACKED));
    let last = file.get_row_group(2).unwrap();
    let mut last = last.get_row_iter(None).unwrap();
    assert!(last.next().unwrap().unwrap().to_string().contains("channel: \"b\""));
    let mut seen = [0_usize; 2];
    for batch in arrow(&samples) {
        let batch = batch.unwrap();
        for channel in batch.column(2).as_string::<i32>() {
            seen[usize::from(channel == Some("b"))] += 1;
        }
        assert!(batch.num_rows() <= 1 << 16);
    }
    assert_eq!(seen, [530_000; 2]);
}

#[test]
fn a_channel_that_the_path_says_is_no_column() {
    let mut opening = Opening::from(Selection::Channels);
    opening.channels = Channels::Named;
    let cloud = PointCloud { x: vec![1.0], y: vec![2.0], z: vec![3.0], ..PointCloud::default() };
    let fields: Arc<[Field]> = [Field::new("Channel", FieldKind::Int)].into();
    let row = Value::Row(Row::new(fields, vec![5_i64.into()]));
    for (value, want) in [
        (
            Value::PointCloud(cloud),
            "time_ns time x y z intensity return_number tag ring: 7 0 1.0 2.0 3.0 null null null null",
        ),
        (row, "time_ns time Channel_2: 7 0 5"),
        (
            Value::Satellites(Satellites::default()),
            "time_ns time constellation satellite elevation azimuth snr signal: ",
        ),
        (Value::Scalar(0.5), "time_ns time value: 7 0 0.5"),
    ] {
        let mut sink = Parquet::new(Vec::new(), &opening);
        put(&mut sink, &[sample("c", Some(7), value)]);
        let file = SerializedFileReader::new(Bytes::from(sink.into_inner().unwrap())).unwrap();
        assert_eq!(format!("{}: {}", names(&file).join(" "), rows(&file).join("")), want);
    }
}

#[test]
fn long_names_of_channels_do_not_make_large_batches() {
    let cloud =
        PointCloud { x: vec![0.5; 5000], y: vec![0.5; 5000], z: vec![0.5; 5000], ..PointCloud::default() };
    let name = "n".repeat(50_000);
    let batches = arrow(&[sample(&name, None, Value::PointCloud(cloud))]);
    let rows: Vec<_> = batches.map(|batch| batch.unwrap().num_rows()).collect();
    assert_eq!((rows.iter().sum::<usize>(), rows.iter().max()), (5000, Some(&84)));
}

#[test]
fn the_same_samples_give_the_same_bytes_and_no_sample_none() {
    let samples: Vec<_> = (0..100).map(|i| sample("a", Some(i), Value::Scalar(1.5))).collect();
    let opening = Opening::from(Selection::Channels);
    let write = || {
        let (mut p, mut a) = (Parquet::new(Vec::new(), &opening), Arrow::new(Vec::new(), &opening));
        put(&mut p, &samples);
        put(&mut a, &samples);
        (p.into_inner().unwrap(), a.into_inner().unwrap())
    };
    let (first, second) = (write(), write());
    assert!(first == second);
    assert!(first.0.starts_with(b"PAR1") && first.0.ends_with(b"PAR1") && first.1.starts_with(b"ARROW1\0\0"));
    let mut idle = Parquet::new(Vec::new(), &Opening::default());
    assert_eq!(put(&mut idle, &samples[..1]), [LeftOut]);
    assert!(idle.advice() == Some(Advice::ChooseChannels) && idle.into_inner().unwrap().is_empty());
    assert!(Arrow::new(Vec::new(), &Opening::default()).into_inner().unwrap().is_empty());
}
