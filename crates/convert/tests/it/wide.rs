//! Wide tables, with rows computed by hand.

#![cfg(feature = "to-csv")]

use std::io::{Read as _, Seek as _};

use robolog_convert::{
    Feed, Note, Opening, Report, Selection, SinkOptions, deliver,
    sink::{Derived, Fill, TimeColumn, Wide},
    targets,
};
use robolog_core::{
    Cell, Clock, Field, FieldKind, Odometry, PointCloud, Pose, Row, Sample, Timestamp, Twist, Value,
};

const MS: i64 = 1_000_000;

fn sample(channel: &str, ms: i64, value: Value) -> Sample {
    let time = Some(Timestamp::new(ms * MS, Clock::Unix));
    Sample::new(channel, value).with_time(time).with_frame("map")
}

fn number(channel: &str, ms: i64, number: f64) -> Sample {
    sample(channel, ms, Value::Scalar(number))
}

fn options(rate: &str, fill: Fill, max_gap_ms: Option<i64>) -> SinkOptions {
    let mut options = SinkOptions::default();
    let max_gap = max_gap_ms.map(|ms| ms * MS);
    options.tables.wide = Some(Wide { fill, max_gap, ..Wide::new(rate.parse().unwrap()) });
    options
}

/// The table, its columns with units, and the report.
fn table(
    target: &str,
    options: SinkOptions,
    samples: Vec<Sample>,
) -> (String, Vec<(String, Option<String>)>, Report) {
    let mut file = tempfile::tempfile().unwrap();
    let opening = Opening::new(options, Selection::Channels);
    let out = file.try_clone().unwrap();
    let mut sink = targets::by_name(target).unwrap().open(out, &opening).unwrap();
    let report = deliver(vec![Feed::of_samples(samples)], &mut *sink, &mut |_| {}).unwrap();
    let columns = sink.columns().unwrap().into_iter().map(|column| (column.name, column.unit)).collect();
    sink.finish().unwrap();
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    (text, columns, report)
}

fn csv(options: SinkOptions, samples: Vec<Sample>) -> String {
    table("csv", options, samples).0
}

#[test]
fn a_recording_between_two_ticks_is_no_table() {
    for target in ["csv", "jsonl", "arrow", "parquet"] {
        let opening = Opening::new(options("0.001", Fill::Hold, None), Selection::Channels);
        let out = std::io::Cursor::new(Vec::new());
        let mut sink = targets::by_name(target).unwrap().open(out, &opening).unwrap();
        let samples = vec![number("NAV_X", 1050, 1.5), number("NAV_X", 2050, 2.5)];
        deliver(vec![Feed::of_samples(samples)], &mut *sink, &mut |_| {}).unwrap();
        let error = sink.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "nothing written: no row of a table at 0.001 Hz falls within the recording",
            "{target}"
        );
    }
}

#[test]
fn each_row_holds_the_last_values_up_to_its_tick() {
    let samples = vec![
        number("NAV_X", 1050, 1.5),
        sample("MODE", 1100, Value::Text("PARK, \"here\"".into())),
        number("NAV_X", 1200, 2.5),
        number("NAV_X", 1250, 3.5),
        number("NAV_Y", 1400, -1.0),
    ];
    let want = "time_ns,NAV_X,MODE,NAV_Y\n\
                1100000000,1.5,\"PARK, \"\"here\"\"\",\n\
                1200000000,2.5,\"PARK, \"\"here\"\"\",\n\
                1300000000,3.5,\"PARK, \"\"here\"\"\",\n\
                1400000000,3.5,\"PARK, \"\"here\"\"\",-1.0\n";
    assert_eq!(csv(options("10", Fill::Hold, None), samples.clone()), want);
    let short = csv(options("10", Fill::Hold, Some(100)), samples);
    assert!(short.ends_with("1300000000,3.5,,\n1400000000,,,-1.0\n"), "{short}");
}

#[test]
fn a_long_text_stands_in_one_row_and_a_short_one_in_each() {
    let long = "x".repeat(201);
    let samples = vec![
        sample("INFO", 1000, Value::Text(long.clone())),
        sample("MODE", 1000, Value::Text("y".repeat(200))),
        number("NAV_X", 1300, 1.5),
    ];
    for fill in [Fill::Hold, Fill::Interpolate] {
        let (text, _, report) = table("csv", options("10", fill, None), samples.clone());
        let with = |part: &str| text.lines().filter(|line| line.contains(part)).count();
        assert_eq!(with(&long), 1, "{fill:?}");
        if fill == Fill::Hold {
            assert_eq!(with("yyy"), 4);
        }
        let size = Note::WideRows { rows: 4, columns: 3 };
        assert_eq!(report.notes, [size, Note::LongTexts { channels: 1 }]);
        assert!(report.is_complete());
    }
}

#[test]
fn ticks_count_from_the_start_where_that_is_asked_for() {
    let samples = vec![number("a", 1037, 0.5), number("a", 1237, 1.5)];
    let mut options = options("10", Fill::Hold, None);
    options.tables.wide = options.tables.wide.map(|wide| Wide { from_start: true, ..wide });
    options.tables.time_columns = vec![TimeColumn::Relative];
    assert_eq!(csv(options, samples), "t,a\n0.0,0.5\n0.1,0.5\n0.2,1.5\n");
}

#[test]
fn numbers_are_interpolated_within_gaps_and_texts_are_held() {
    let samples = vec![
        number("a", 1000, 0.0),
        sample("text", 1000, Value::Text("x".into())),
        number("a", 1400, 4.0),
        sample("text", 1400, Value::Text("y".into())),
        number("a", 2400, 8.0),
    ];
    let got = csv(options("5", Fill::Interpolate, Some(500)), samples);
    let want = "time_ns,a,text\n1000000000,0.0,x\n1200000000,2.0,x\n1400000000,4.0,y\n1600000000,,\n\
                1800000000,,\n2000000000,,\n2200000000,,\n2400000000,8.0,\n";
    assert_eq!(got, want);
}

#[test]
fn headings_turn_the_shorter_way_by_unit_or_by_the_name_that_moos_gives_them() {
    let fields: std::sync::Arc<[Field]> = [Field::new("course", FieldKind::Float).with_unit("rad")].into();
    let course = |ms, rad: f64| sample("gps", ms, Value::Row(Row::new(fields.clone(), vec![rad.into()])));
    let samples = vec![
        number("NAV_HEADING", 1000, 350.0),
        number("OTHER", 1000, 350.0),
        course(1000, -3.0),
        number("NAV_HEADING", 2000, 10.0),
        number("OTHER", 2000, 10.0),
        course(2000, 3.0),
    ];
    let (text, columns, _) = table("csv", options("2", Fill::Interpolate, None), samples);
    let middle: Vec<_> = text.lines().nth(2).unwrap().split(',').collect();
    assert_eq!(middle[..3], ["1500000000", "0.0", "180.0"]);
    assert!((middle[3].parse::<f64>().unwrap().abs() - std::f64::consts::PI).abs() < 1e-12, "{text}");
    let unit = |name: &str| columns.iter().find(|(known, _)| known == name).unwrap().1.clone();
    assert_eq!((unit("gps.course").as_deref(), unit("time_ns").as_deref()), (Some("rad"), Some("ns")));
}

fn odometry(ms: i64, x: f64, yaw: f64, speed: Option<f64>) -> Sample {
    let twist = speed.map(|x| Twist { linear: [x, 0.0, 0.0].into(), angular: [0.0; 3].into() });
    let pose = Pose::from_euler([x, 0.0, 0.0], 0.0, 0.0, yaw);
    let odometry = Odometry::new("base", pose).with_twist(twist);
    sample("car/poses", ms, Value::Odometry(odometry))
}

#[test]
fn poses_have_a_column_for_each_field_and_turn_evenly() {
    let samples = vec![odometry(1000, 0.0, 3.0, None), odometry(2000, 4.0, -3.0, None)];
    let (text, columns, _) = table("csv", options("4", Fill::Interpolate, None), samples);
    let names: Vec<_> = columns.iter().map(|(name, _)| name.trim_start_matches("car/poses.")).collect();
    assert_eq!(names, ["time_ns", "x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz"]);
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').take(8).map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 5);
    // From 3 to -3 rad the shorter way is across π: 2π - 6 rad in a second.
    let step = (std::f64::consts::TAU - 6.0) / 4.0;
    for (i, row) in rows.iter().enumerate() {
        let half = f64::midpoint(3.0, step * i as f64);
        let along = row[6] * half.sin() + row[7] * half.cos();
        assert!(row[1] == i as f64 && (along.abs() - 1.0).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn derived_columns_are_heading_speed_and_distance() {
    let mut options = SinkOptions::default();
    options.tables.derived = Derived::ALL.to_vec();
    let samples = vec![
        odometry(1000, 0.0, 0.5, None),
        odometry(1500, 2.0, -0.5, None),
        odometry(2000, 1.0, 0.0, Some(-7.0)),
        number("other", 2000, 1.0),
    ];
    let (text, columns, report) = table("csv", options, samples.clone());
    let tails: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').skip(17).collect()).collect();
    assert_eq!(tails[0], ["yaw", "speed", "distance"]);
    assert_eq!(tails[1][1..], ["", "0.0"]);
    assert_eq!(tails[2][1..], ["4.0", "2.0"]);
    assert_eq!(tails[3][1..], ["7.0", "3.0"], "the velocity that the recording gives counts");
    for (row, want) in tails[1..].iter().zip([0.5, -0.5, 0.0]) {
        assert!((row[0].parse::<f64>().unwrap() - want).abs() < 1e-12, "{text}");
    }
    let units: Vec<_> = columns.iter().rev().take(3).map(|(_, unit)| unit.as_deref()).collect();
    assert_eq!(units, [Some("m"), Some("m/s"), Some("rad")]);
    assert_eq!((report.written["odometry"].samples, report.left_out["scalar"].samples), (3, 1));

    let mut wide = self::options("2", Fill::Hold, None);
    wide.tables.derived = vec![Derived::Distance];
    let text = csv(wide, samples);
    assert!(text.lines().next().unwrap().ends_with("car/poses.distance,other"), "{text}");
    assert!(text.ends_with(",3.0,1.0\n"), "{text}");
}

#[test]
fn derived_columns_are_refused_where_there_are_no_columns() {
    let mut options = SinkOptions::default();
    options.tables.derived = vec![Derived::Yaw];
    let opening = Opening::new(options, Selection::Channels);
    let open = |name| targets::by_name(name).unwrap().open(std::io::Cursor::new(Vec::new()), &opening);
    assert!(open("tum").is_err() && open("csv").is_ok());
    let opening = Opening::new(self::options("1", Fill::Hold, None), Selection::Channels);
    let open = |name| targets::by_name(name).unwrap().open(std::io::Cursor::new(Vec::new()), &opening);
    assert!(open("pcd").is_err() && open("jsonl").is_ok());
}

#[test]
fn times_can_be_dates_and_seconds_from_the_start() {
    let mut options = SinkOptions::default();
    options.tables.time_columns = vec![TimeColumn::Iso, TimeColumn::Relative];
    let t = Field::new("t", FieldKind::Float);
    let row = Value::Row(Row::new([t].into(), vec![Cell::Float(7.0)]));
    let samples = vec![sample("a", 86_400_250, row.clone()), sample("a", 86_401_000, row)];
    let (text, columns, _) = table("csv", options, samples);
    let want = "time,t,channel,t_2\n1970-01-02T00:00:00.250000000Z,0.0,a,7.0\n\
                1970-01-02T00:00:01.000000000Z,0.75,a,7.0\n";
    assert_eq!(text, want);
    assert_eq!(columns[1], ("t".to_owned(), Some("s".to_owned())));
}

#[test]
fn samples_out_of_order_are_put_in_order_and_late_ones_are_counted() {
    let ahead = |ms| number("clock", ms, 0.0);
    let samples = vec![
        number("a", 2000, 2.0),
        number("a", 1000, 1.0),
        ahead(8000),
        number("a", 3000, 3.0),
        ahead(80_000),
        // Rows up to 20 s are written.
        number("a", 4000, 4.0),
        number("a", 25_000, 5.0),
    ];
    let (text, _, report) = table("csv", options("1", Fill::Hold, None), samples);
    let column: Vec<_> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(column.len(), 80);
    assert_eq!(column[..3], ["1.0", "2.0", "3.0"]);
    assert_eq!([19, 20, 23, 24].map(|row: usize| column[row]), ["3.0", "4.0", "4.0", "5.0"]);
    let [note, _] = report.notes[..] else { panic!("{:?}", report.notes) };
    assert!(
        note.to_string().starts_with("1 sample came more than a minute out of order")
            && !report.is_complete()
    );
}

#[test]
fn a_wild_stamp_makes_no_rows_and_a_clock_that_jumps_goes_on_there() {
    const YEAR: i64 = 365 * 86_400_000;
    let wild = vec![number("a", 1000, 1.0), number("a", 20 * YEAR, 9.0), number("a", 2000, 2.0)];
    let (text, _, report) = table("csv", options("1", Fill::Hold, None), wild);
    assert_eq!((text.lines().count(), report.notes.len()), (3, 2), "{text}");
    let jump = vec![
        number("a", 1000, 1.0),
        number("b", 2000, 2.0),
        number("a", YEAR, 3.0),
        number("a", YEAR + 1000, 4.0),
    ];
    let (text, _, report) = table("csv", options("1", Fill::Hold, None), jump);
    let rows: Vec<_> = text.lines().skip(1).collect();
    let [last, before] = [YEAR + 1000, YEAR].map(|ms| ms * MS);
    assert_eq!(
        rows,
        ["1000000000,1.0,", "2000000000,1.0,2.0", &format!("{before},3.0,2.0"), &format!("{last},4.0,2.0")]
    );
    assert!(report.is_complete());
}

#[test]
fn what_has_no_row_is_left_out() {
    let mut samples = vec![
        sample("lidar", 1000, Value::PointCloud(PointCloud::default())),
        number("a", 1000, 1.0),
        number("a", 1000, 2.0),
    ];
    samples.push(number("a", 0, 3.0).with_time(None));
    samples.push(number("a", 0, 4.0).with_time(Some(Timestamp::new(1, Clock::Device))));
    let (text, _, report) = table("csv", options("1", Fill::Hold, None), samples);
    assert_eq!(text, "time_ns,a\n1000000000,2.0\n", "of two at a time the last counts");
    let left_out: Vec<_> = report.left_out.iter().map(|(kind, n)| (*kind, n.samples)).collect();
    assert_eq!(left_out, [("point_cloud", 1), ("scalar", 2)]);
}

#[test]
fn rows_of_json_have_all_columns() {
    let samples = vec![number("a", 1000, 1.0), number("b", 2000, 2.0)];
    let (text, ..) = table("jsonl", options("1", Fill::Hold, None), samples);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["value"], serde_json::json!({ "a": 1.0, "b": null }));
    assert_eq!(
        (&rows[1]["value"], &rows[1]["channel"]),
        (&serde_json::json!({ "a": 1.0, "b": 2.0 }), &"wide".into())
    );
}
