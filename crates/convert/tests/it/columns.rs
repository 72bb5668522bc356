//! Tables have the union of all columns, the same in CSV, Parquet and Arrow, checked against text written by hand.

#![cfg(all(feature = "to-arrow", feature = "to-csv", feature = "to-parquet"))]

use std::{fs, sync::Arc};

use arrow_ipc::reader::FileReader as ArrowReader;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use robolog_convert::{
    Outcome, Selection, Sink, TargetSpec,
    sink::{self, csv::Csv},
};
use robolog_core::{
    Cell, Clock, Constellation, Field, FieldKind, FixQuality, GnssFix, Imu, LaserScan, Odometry, PointCloud,
    Pose, Row, Sample, Satellite, Satellites, Timestamp, Transform, Value,
};

use Outcome::{LeftOut, Written};

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, Clock::Unix));
    Sample::new(channel, value).with_time(time).with_frame("imu")
}

fn row(fields: &[Field], cells: Vec<Cell>) -> Value {
    Value::Row(Row::new(fields.to_vec().into(), cells))
}

/// Outcome of each sample, the columns of the sink, and the file.
fn write(target: &'static TargetSpec, samples: &[Sample]) -> (Vec<Outcome>, Vec<String>, Vec<u8>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut sink = target.open(file.reopen().unwrap(), &Selection::Channels.into()).unwrap();
    let took = samples.iter().map(|sample| sink.write(&mut sample.clone()).unwrap()).collect();
    let columns = sink.columns().unwrap();
    sink.finish().unwrap();
    let units = columns.iter().map(|c| format!("{} {}", c.name, c.unit.as_deref().unwrap_or("-"))).collect();
    (took, units, fs::read(file.path()).unwrap())
}

fn csv(samples: &[Sample]) -> (Vec<Outcome>, String) {
    let (took, _, bytes) = write(&sink::csv::CSV, samples);
    (took, String::from_utf8(bytes).unwrap())
}

fn parquet(samples: &[Sample]) -> SerializedFileReader<bytes::Bytes> {
    SerializedFileReader::new(write(&sink::parquet::PARQUET, samples).2.into()).unwrap()
}

fn parquet_names(samples: &[Sample]) -> Vec<String> {
    let file = parquet(samples);
    let schema = file.metadata().file_metadata().schema_descr();
    schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect()
}

fn arrow_names(samples: &[Sample]) -> Vec<String> {
    let bytes = write(&sink::arrow::ARROW, samples).2;
    let reader = ArrowReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
    reader.schema().fields().iter().map(|field| field.name().clone()).collect()
}

const X: Field = Field::new("X", FieldKind::Float).with_unit("m");
const NAME: Field = Field::new("NAME", FieldKind::Text);
const INDEX: Field = Field::new("INDEX", FieldKind::Int);
const TIME: Field = Field::new("Time", FieldKind::Float);

/// Rows that gain, lose and swap fields.
fn growing() -> Vec<Sample> {
    vec![
        sample("a", Some(1), row(&[NAME, X], vec!["alpha".into(), 1.5.into()])),
        sample("a", Some(2), row(&[NAME, X, INDEX], vec!["alpha".into(), Cell::Null, 7.into()])),
        sample("b", None, row(&[X, TIME, NAME], vec![f64::NAN.into(), 3.5.into(), "b,c".into()])),
        sample("a", Some(4), row(&[], vec![])),
    ]
}

#[test]
fn rows_that_gain_fields_are_all_written_below_the_union_of_their_columns() {
    let (took, text) = csv(&growing());
    assert_eq!(took, [Written; 4]);
    let want = "time_ns,channel,NAME,X,INDEX,Time_2\n\
                1,a,alpha,1.5,,\n\
                2,a,alpha,,7,\n\
                ,b,\"b,c\",NaN,,3.5\n\
                4,a,,,,\n";
    assert_eq!(text, want);
    let names = ["time_ns", "time", "channel", "NAME", "X", "INDEX", "Time_2"];
    assert_eq!(
        (parquet_names(&growing()), arrow_names(&growing())),
        (names.map(String::from).to_vec(), names.map(String::from).to_vec())
    );
    let file = parquet(&growing());
    let rows: Vec<_> = file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[1].ends_with("NAME: \"alpha\", X: null, INDEX: 7, Time_2: null}"), "{}", rows[1]);
}

#[test]
fn a_column_that_changes_its_type_holds_both() {
    let float = Field::new("n", FieldKind::Float);
    let int = Field::new("n", FieldKind::Int);
    let text = Field::new("n", FieldKind::Text);
    let other_unit = Field::new("n", FieldKind::Int).with_unit("m");
    let numbers = [row(std::slice::from_ref(&int), vec![3.into()]), row(&[float], vec![0.5.into()])];
    let (_, got) = csv(&numbers.clone().map(|value| sample("a", None, value)));
    assert_eq!(got, "time_ns,channel,n\n,a,3.0\n,a,0.5\n");
    let [a, b] = numbers;
    let mixed = [a, b, row(&[text], vec!["x".into()]), row(&[other_unit], vec![4.into()])];
    let mixed = mixed.map(|value| sample("a", None, value));
    let (_, got) = csv(&mixed);
    assert_eq!(got, "time_ns,channel,n,n_2\n,a,3,\n,a,0.5,\n,a,x,\n,a,,4\n");
    // A cell of another type than its field.
    let wrong = [sample("a", None, row(&[int], vec!["seven".into()]))];
    assert_eq!(csv(&wrong).1, "time_ns,channel,n\n,a,seven\n");
    assert_eq!(parquet(&wrong).get_row_iter(None).unwrap().count(), 1);
}

#[test]
fn rows_wait_in_a_file_when_there_are_many() {
    let many = |count: u16| {
        (0..count).map(|i| {
            let channel = ["a", "b"][usize::from(i % 2)];
            let cells = vec!["x".repeat(100).into(), f64::from(i).into()];
            sample(channel, Some(i.into()), row(&[NAME, X], cells))
        })
    };
    let mut samples: Vec<_> = many(20_000).collect();
    samples.push(sample("c", None, row(&[INDEX], vec![5.into()])));
    let (took, text) = csv(&samples);
    assert!(took.iter().all(|took| *took == Written));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (20_002, "time_ns,channel,NAME,X,INDEX"));
    for (i, line) in lines[1..20_001].iter().enumerate() {
        let channel = ["a", "b"][i % 2];
        assert_eq!(*line, format!("{i},{channel},{},{i}.0,", "x".repeat(100)));
    }
    assert_eq!(lines[20_001], ",c,,,5");
}

#[test]
fn a_table_of_rows_has_no_place_for_other_kinds_nor_they_for_rows() {
    let (number, values) = (sample("a", None, Value::Scalar(1.0)), growing());
    let (took, text) = csv(&[values[0].clone(), number.clone(), values[1].clone()]);
    assert_eq!((took, text.lines().count()), (vec![Written, LeftOut, Written], 3));
    assert_eq!(csv(&[number, values[0].clone()]).0, [Written, LeftOut]);
}

#[test]
fn rows_of_too_many_columns_are_left_out() {
    let fields = |first: usize| -> Arc<[Field]> {
        (first..first + 9000)
            .map(|n| Field { name: format!("f{n}").into(), unit: None, kind: FieldKind::Int })
            .collect()
    };
    let wide = |first| sample("a", None, Value::Row(Row::new(fields(first), vec![1.into()])));
    assert_eq!(csv(&[wide(0), wide(9000), wide(0)]).0, [Written, LeftOut, Written]);
}

fn fix() -> GnssFix {
    GnssFix {
        latitude: 48.25,
        longitude: -0.5,
        altitude_msl: Some(520.5),
        quality: FixQuality::None,
        satellites: Some(3),
        hdop: Some(9.5),
        speed: Some(2.5),
        course: Some(1.5),
        ..GnssFix::default()
    }
}

fn scan() -> LaserScan {
    LaserScan {
        angle_min: -0.5,
        angle_increment: 0.25,
        time_increment: 0.001,
        scan_time: 0.1,
        range_min: 0.5,
        range_max: 30.0,
        ranges: vec![1.5, f32::NAN, 2.0],
        intensities: vec![10.0, 20.0],
    }
}

fn all_kinds() -> Vec<Value> {
    let pose = Pose::identity();
    let satellite = Satellite {
        constellation: Constellation::Gps,
        id: 7,
        elevation: Some(0.5),
        azimuth: None,
        snr: Some(41.0),
        signal: Some(8),
    };
    let cloud = PointCloud { x: vec![1.0], y: vec![2.0], z: vec![3.0], ..PointCloud::default() };
    vec![
        Value::PointCloud(cloud),
        Value::Imu(Imu { orientation: Some(pose.orientation), ..Imu::default() }),
        Value::GnssFix(fix()),
        Value::Satellites(Satellites { satellites: vec![satellite] }),
        Value::Odometry(Odometry::new("base", pose)),
        Value::Pose(pose),
        Value::Transform(Transform { child_frame_id: "lidar".into(), pose }),
        Value::Scalar(0.5),
        Value::Text("t".into()),
    ]
}

#[test]
fn csv_holds_all_fields_of_fixes_and_an_invalid_one_is_not_taken_for_valid() {
    let (_, text) = csv(&[sample("g", Some(5), Value::GnssFix(fix()))]);
    let want = "time_ns,channel,frame_id,latitude,longitude,altitude,altitude_msl,quality,satellites,hdop,vdop,pdop,\
                speed,course,age_of_corrections,station_id,cov_ee,cov_en,cov_eu,cov_nn,cov_nu,cov_uu,talkers\n\
                5,g,imu,48.25,-0.5,,520.5,none,3,9.5,,,2.5,1.5,,,,,,,,,\n";
    assert_eq!(text, want);
}

#[test]
fn csv_holds_the_orientation_of_an_imu() {
    let imu = Imu {
        orientation: Some(Pose::identity().orientation),
        angular_velocity: None,
        linear_acceleration: Some([0.0, 0.5, 9.75].into()),
        ..Imu::default()
    };
    let (_, text) = csv(&[sample("i", Some(5), Value::Imu(imu))]);
    let want = "time_ns,channel,frame_id,qx,qy,qz,qw,wx,wy,wz,ax,ay,az\n\
                5,i,imu,0.0,0.0,0.0,1.0,,,,0.0,0.5,9.75\n";
    assert_eq!(text, want);
}

#[test]
fn csv_has_a_row_for_each_beam_of_a_scan() {
    let (took, text) = csv(&[sample("s", Some(1_000_000), Value::LaserScan(scan()))]);
    let want = "time_ns,channel,frame_id,beam,angle,range,intensity,scan_time,range_min,range_max\n\
                1000000,s,imu,0,-0.5,1.5,10.0,0.1,0.5,30.0\n\
                2000000,s,imu,1,-0.25,NaN,20.0,0.1,0.5,30.0\n\
                3000000,s,imu,2,0.0,2.0,,0.1,0.5,30.0\n";
    assert_eq!((took, text.as_str()), (vec![Written], want));
}

#[test]
fn csv_has_satellites_and_transforms() {
    let [.., satellites, _, _, transform, _, _] = &all_kinds()[..] else { panic!() };
    let (_, text) = csv(&[sample("v", Some(5), satellites.clone())]);
    assert_eq!(
        text,
        "time_ns,channel,constellation,satellite,elevation,azimuth,snr,signal\n5,v,gps,7,0.5,,41.0,8\n"
    );
    let (_, text) = csv(&[sample("tf", None, transform.clone())]);
    let want = "time_ns,channel,frame_id,child_frame_id,x,y,z,qx,qy,qz,qw\n\
                ,tf,imu,lidar,0.0,0.0,0.0,0.0,0.0,0.0,1.0\n";
    assert_eq!(text, want);
}

#[test]
fn csv_has_the_columns_of_parquet_and_tells_their_units() {
    for value in all_kinds() {
        let kind = value.kind();
        let samples = [sample("c", Some(1), value)];
        let (_, units, text) = write(&sink::csv::CSV, &samples);
        let header: Vec<_> = text.split(|b| *b == b'\n').next().unwrap().split(|b| *b == b',').collect();
        let header: Vec<_> = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let mut names = parquet_names(&samples);
        names.retain(|name| name != "time");
        assert_eq!(header, names, "{kind}");
        let told: Vec<_> = units.iter().map(|unit| unit.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(told, names, "{kind}");
    }
    let (_, units, _) = write(&sink::csv::CSV, &[sample("g", Some(1), Value::GnssFix(fix()))]);
    for want in ["time_ns ns", "latitude deg", "altitude_msl m", "quality -", "speed m/s", "course rad"] {
        assert!(units.iter().any(|unit| unit == want), "{want}: {units:?}");
    }
    let (_, units, _) = write(&sink::csv::CSV, &growing());
    assert_eq!(units, ["time_ns ns", "channel -", "NAME -", "X m", "INDEX -", "Time_2 -"]);
}

#[test]
fn a_sink_alone_holds_rows_of_one_list_of_fields() {
    let mut sink = Csv::new(Vec::new(), Selection::Channels);
    let took: Vec<_> = growing().iter_mut().map(|sample| sink.write(sample).unwrap()).collect();
    assert_eq!(took, [Written, LeftOut, LeftOut, LeftOut]);
}
