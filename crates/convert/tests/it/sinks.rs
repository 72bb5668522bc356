//! Tables and trajectories, checked against files written by hand.

#![cfg(all(
    feature = "to-csv",
    feature = "to-euroc",
    feature = "to-kitti",
    feature = "to-pcd",
    feature = "to-tum",
    feature = "to-xyz"
))]

use std::sync::Arc;

use robolog_convert::{
    Advice, Opening, Outcome, Result, Selection, Sink, SinkOptions,
    sink::{
        self, csv::Csv, euroc::Euroc, kitti::Kitti, kitti_bin::KittiBin, kitti_times::KittiTimes, tum::Tum,
        xyz::Xyz,
    },
    targets,
};
use robolog_core::{
    Cell, Clock, Field, FieldKind, Odometry, PointCloud, Pose, Row, Sample, Timestamp, Twist, Value,
};

use Outcome::{LeftOut, Written};

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, Clock::Unix));
    Sample::new(channel, value).with_time(time).with_frame("map")
}

fn row(fields: &Arc<[Field]>, cells: Vec<Cell>) -> Value {
    Value::Row(Row::new(Arc::clone(fields), cells))
}

/// A quarter turn to the left.
fn pose() -> Pose {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let orientation = nalgebra::Quaternion::new(s, 0.0, 0.0, s);
    Pose {
        position: [1.0, -2.5, 1e-7].into(),
        orientation: nalgebra::UnitQuaternion::new_unchecked(orientation),
    }
}

fn odometry(twist: Option<Twist>) -> Value {
    Value::Odometry(Odometry::new("base,link", pose()).with_twist(twist))
}

fn text(out: Result<Vec<u8>>) -> String {
    String::from_utf8(out.unwrap()).unwrap()
}

fn put<const N: usize>(sink: &mut dyn Sink, samples: [Sample; N]) -> [Outcome; N] {
    samples.map(|mut sample| sink.write(&mut sample).unwrap())
}

#[test]
fn a_table_of_rows_has_the_fields_of_the_first() {
    let fields: Arc<[Field]> = [
        Field::new("throttle", FieldKind::Float),
        Field::new("gear", FieldKind::Int),
        Field::new("reverse", FieldKind::Bool),
        Field::new("the \"name\"", FieldKind::Text),
    ]
    .into();
    let equal: Arc<[Field]> = fields.to_vec().into();
    let other: Arc<[Field]> = fields[1..].into();
    let mut csv = Csv::new(Vec::new(), Selection::Channels);
    let took = put(
        &mut csv,
        [
            sample(
                "174/controls",
                Some(-5),
                row(&fields, vec![0.5.into(), 3.into(), true.into(), "a".into()]),
            ),
            sample(
                "a,b",
                None,
                row(&equal, vec![f64::NAN.into(), Cell::Null, false.into(), "x,\"y\"\n".into()]),
            ),
            sample("175/other", Some(1), row(&other, vec![])),
            sample("174/controls", Some(1), Value::Scalar(1.0)),
            sample("176/controls", Some(7), row(&fields, vec![f64::NEG_INFINITY.into()])),
        ],
    );
    assert_eq!(took, [Written, Written, LeftOut, LeftOut, Written]);
    let want = "time_ns,channel,throttle,gear,reverse,\"the \"\"name\"\"\"\n\
                -5,174/controls,0.5,3,true,a\n\
                ,\"a,b\",NaN,,false,\"x,\"\"y\"\"\n\"\n\
                7,176/controls,-inf,,,\n";
    assert_eq!(text(csv.into_inner()), want);
}

/// Texts and names of channels and columns that a spreadsheet takes for formulas; not numbers, even as texts.
#[test]
fn formulas_are_texts() {
    let fields: Arc<[Field]> = [
        Field::new("@SUM(A1)", FieldKind::Text),
        Field::new("-n", FieldKind::Float),
        Field::new("plain", FieldKind::Text),
    ]
    .into();
    let samples = || {
        [
            sample(
                "=HYPERLINK(\"a\")",
                Some(1),
                row(&fields, vec!["=1+1".into(), (-2.5).into(), "+cmd".into()]),
            ),
            sample("a", Some(2), row(&fields, vec!["-1.5".into(), f64::NEG_INFINITY.into(), "\tx".into()])),
            sample("a", Some(3), row(&fields, vec!["-".into(), 1.0.into(), "a=b".into()])),
        ]
    };
    let mut csv = Csv::new(Vec::new(), Selection::Channels);
    put(&mut csv, samples());
    let want = "time_ns,channel,'@SUM(A1),'-n,plain\n\
                1,\"'=HYPERLINK(\"\"a\"\")\",'=1+1,-2.5,'+cmd\n\
                2,a,-1.5,-inf,'\tx\n\
                3,a,'-,1.0,a=b\n";
    let names: Vec<_> = csv.columns().unwrap().into_iter().map(|column| column.name).collect();
    assert_eq!(names, ["time_ns", "channel", "'@SUM(A1)", "'-n", "plain"]);
    assert_eq!(text(csv.into_inner()), want);

    let mut options = SinkOptions::default();
    options.tables.csv_safe = false;
    let mut csv = Csv::of(Vec::new(), &Opening::new(options, Selection::Channels));
    put(&mut csv, samples());
    let plain = want.replace('\'', "");
    assert_eq!(text(csv.into_inner()), plain);
}

#[test]
fn a_table_of_odometry_leaves_empty_what_is_not_known() {
    let mut csv = Csv::new(Vec::new(), Selection::Channels);
    let twist = Twist { linear: [1.0, 2.0, 3.0].into(), angular: [0.1, 0.2, f64::INFINITY].into() };
    let took = put(
        &mut csv,
        [
            sample("a", Some(1), odometry(Some(twist))),
            sample("a", Some(2), odometry(None)),
            sample("a", Some(3), Value::Pose(pose())),
        ],
    );
    assert_eq!(took, [Written, Written, LeftOut]);
    let s = "0.7071067811865476";
    let want = format!(
        "time_ns,channel,frame_id,child_frame_id,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n\
         1,a,map,\"base,link\",1.0,-2.5,1e-7,0.0,0.0,{s},{s},1.0,2.0,3.0,0.1,0.2,inf\n\
         2,a,map,\"base,link\",1.0,-2.5,1e-7,0.0,0.0,{s},{s},,,,,,\n"
    );
    assert_eq!(text(csv.into_inner()), want);
}

#[test]
fn a_table_of_points_has_a_time_for_each() {
    let cloud = PointCloud {
        x: vec![1.0, 0.1],
        y: vec![2.0, f32::NAN],
        z: vec![3.0, -1e-20],
        ring: vec![7, 65535],
        time_offset: vec![0, 250],
        ..PointCloud::default()
    };
    let mut csv = Csv::new(Vec::new(), Selection::Everything);
    let took = put(&mut csv, [sample("p", Some(1000), Value::PointCloud(cloud))]);
    let want = "time_ns,channel,x,y,z,intensity,return_number,tag,ring\n\
                1000,p,1.0,2.0,3.0,,,,7\n\
                1250,p,0.1,NaN,-1e-20,,,,65535\n";
    assert_eq!((took, text(csv.into_inner()).as_str()), ([Written], want));
}

#[test]
fn rows_have_a_place_in_tables_only_when_channels_were_chosen() {
    let fields: Arc<[Field]> = [Field::new("a", FieldKind::Int)].into();
    for value in [row(&fields, vec![]), odometry(None), Value::Pose(pose())] {
        let sample = sample("c", None, value);
        assert!(
            (sink::csv::CSV.takes)(&sample, Selection::Channels)
                && (sink::jsonl::JSONL.takes)(&sample, Selection::Everything)
        );
        assert!(
            !(sink::csv::CSV.takes)(&sample, Selection::Everything)
                && !(sink::ply::PLY.takes)(&sample, Selection::Channels)
        );
        let mut csv = Csv::new(Vec::new(), Selection::Everything);
        assert_eq!((csv.advice(), put(&mut csv, [sample])), (None, [LeftOut]));
        assert!(csv.advice() == Some(Advice::ChooseChannels));
        assert_eq!(text(csv.into_inner()), "");
    }
}

#[test]
fn clouds_of_kitti_and_xyz_are_numbers_alone() {
    let cloud = |intensity: &[f32]| {
        let (x, y, z) = (vec![1.5, 0.1], vec![-2.0, f32::NAN], vec![3.0, 1e-20]);
        Value::PointCloud(PointCloud { x, y, z, intensity: intensity.to_vec(), ..PointCloud::default() })
    };
    let samples = || {
        let clouds = [&[7.0, 255.0][..], &[]].map(|intensity| sample("p", Some(1), cloud(intensity)));
        [clouds.to_vec(), vec![sample("p", Some(2), Value::Scalar(1.0))]].concat()
    };
    let mut kitti = KittiBin::new(Vec::new());
    assert_eq!(put(&mut kitti, samples().try_into().unwrap()), [Written, Written, LeftOut]);
    let want = [
        [1.5, -2.0, 3.0, 7.0, 0.1, f32::NAN, 1e-20, 255.0],
        [1.5, -2.0, 3.0, 0.0, 0.1, f32::NAN, 1e-20, 0.0],
    ];
    assert_eq!(
        kitti.into_inner().unwrap(),
        want.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()
    );
    let mut xyz = Xyz::new(Vec::new());
    assert_eq!(put(&mut xyz, samples().try_into().unwrap()), [Written, Written, LeftOut]);
    let lines = "1.5 -2 3\n0.1 NaN 0.00000000000000000001\n";
    assert_eq!(text(xyz.into_inner()), lines.repeat(2));
}

#[test]
fn tum_has_eight_fields_and_the_exact_time() {
    let mut tum = Tum::new(Vec::new());
    let took = put(
        &mut tum,
        [
            sample("b", None, Value::Pose(pose())),
            sample("c", Some(0), Value::Scalar(1.0)),
            sample("a", Some(1_726_588_075_299_964_555), Value::Pose(pose())),
            sample("a", Some(-1), odometry(None)),
        ],
    );
    assert_eq!(took, [LeftOut, LeftOut, Written, Written]);
    let want = "1726588075.299964555 1.0 -2.5 1e-7 0.0 0.0 0.7071067811865476 0.7071067811865476\n\
                -0.000000001 1.0 -2.5 1e-7 0.0 0.0 0.7071067811865476 0.7071067811865476\n";
    assert_eq!(text(tum.into_inner()), want);
}

#[test]
fn kitti_has_the_rows_of_the_matrix() {
    let mut kitti = Kitti::new(Vec::new());
    let took =
        put(&mut kitti, [sample("a", None, odometry(None)), sample("a", Some(2), Value::Text("t".into()))]);
    assert_eq!(took, [Written, LeftOut]);
    let line = text(kitti.into_inner());
    let numbers: Vec<f64> = line.trim_end().split(' ').map(|n| n.parse().unwrap()).collect();
    // x forward becomes y, y left becomes -x.
    let want = [0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, -2.5, 0.0, 0.0, 1.0, 1e-7];
    assert_eq!(numbers.len(), 12);
    assert!(numbers.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-15), "{line}");
    assert!(line.ends_with(" 1e-7\n") && line.lines().count() == 1);
}

#[test]
fn times_of_kitti_are_those_of_its_lines() {
    let samples = || {
        [
            sample("a", Some(1_726_588_075_299_964_555), odometry(None)),
            sample("b", Some(1), Value::Text("t".into())),
            sample("a", None, Value::Pose(pose())),
            sample("a", Some(-1), Value::Pose(pose())),
        ]
    };
    let (mut kitti, mut times) = (Kitti::new(Vec::new()), KittiTimes::new(Vec::new()));
    let took = put(&mut times, samples());
    assert_eq!(took, [Written, LeftOut, Written, Written]);
    assert_eq!(took, put(&mut kitti, samples()));
    assert_eq!(text(times.into_inner()), "1726588075.299964555\nnan\n-0.000000001\n");
    assert_eq!(text(kitti.into_inner()).lines().count(), 3);
}

/// A file of one trajectory does not choose among several: the error lists them.
#[test]
fn files_of_one_trajectory_refuse_several() {
    let samples = || {
        [("camera", 1), ("car", 2), ("car", 3)]
            .map(|(channel, ns)| sample(channel, Some(ns), Value::Pose(pose())))
    };
    let sinks: [Box<dyn Sink>; 4] = [
        Box::new(Tum::new(Vec::new())),
        Box::new(Kitti::new(Vec::new())),
        Box::new(KittiTimes::new(Vec::new())),
        Box::new(Euroc::new(Vec::new())),
    ];
    for mut sink in sinks {
        assert_eq!(put(&mut *sink, samples()), [Written, LeftOut, LeftOut]);
        let error = sink.finish().unwrap_err().to_string();
        let list = "2 trajectories, and the target holds one\n  \
                    car (2 poses, 0.0 m)\n  camera (1 poses, 0.0 m)";
        assert_eq!(error, list);
    }
}

#[test]
fn euroc_has_velocities_in_the_frame_of_the_poses() {
    const NAMES: &str =
        "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []";
    let s = "0.7071067811865476";
    let mut plain = Euroc::new(Vec::new());
    let twist = Twist { linear: [3.0, 0.0, -2.0].into(), angular: [0.0, 0.0, 0.0].into() };
    let took = put(
        &mut plain,
        [
            sample("a", None, Value::Pose(pose())),
            sample("a", Some(1_726_588_075_299_964_555), Value::Pose(pose())),
            sample("a", Some(3), odometry(Some(twist))),
        ],
    );
    assert_eq!(took, [LeftOut, Written, Written]);
    let want = format!(
        "{NAMES}\n1726588075299964555,1.0,-2.5,1e-7,{s},0.0,0.0,{s}\n3,1.0,-2.5,1e-7,{s},0.0,0.0,{s}\n"
    );
    assert_eq!(text(plain.into_inner()), want);
    // After a quarter turn to the left, ahead is y.
    let mut moving = Euroc::new(Vec::new());
    put(&mut moving, [sample("a", Some(3), odometry(Some(twist))), sample("a", Some(4), odometry(None))]);
    let lines = text(moving.into_inner());
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], format!("{NAMES},v_RS_R_x [m s^-1],v_RS_R_y [m s^-1],v_RS_R_z [m s^-1]"));
    let velocity: Vec<f64> = lines[1].split(',').skip(8).map(|n| n.parse().unwrap()).collect();
    assert!(velocity.iter().zip([0.0, 3.0, -2.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{velocity:?}");
    assert!(lines[2].ends_with(",NaN,NaN,NaN") && lines.iter().all(|l| l.split(',').count() == 11));
}

#[test]
fn formats_are_known_by_their_names() {
    for target in targets::ALL {
        assert_eq!(&targets::by_name(target.name).unwrap(), target);
        assert!(!target.about.is_empty() && !target.extension().is_empty());
    }
    assert_eq!(targets::by_path("run.1.TUM".as_ref()).unwrap(), &sink::tum::TUM);
    assert!(targets::by_name("abc").is_err());
}
