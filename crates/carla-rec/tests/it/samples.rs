//! Samples have the right axes and units, by numbers worked out by hand.

use std::collections::BTreeMap;

use carla_rec::{
    Axes, Clock, Decoder, Header, Options, Reader, Recorder, Release, Timestamp, layout::Kinematics,
};
use nalgebra::Vector3;
use robolog_core::{Cell, Odometry, Row, Sample, Value, format::Decoder as _};

fn fixture(name: &str) -> Vec<u8> {
    testkit::fixture(&format!("carla-rec/{name}.log"))
}

fn near(a: Vector3<f64>, b: [f64; 3]) -> bool {
    (a - Vector3::from(b)).norm() < 1e-9
}

/// All samples of a fixture by channel.
fn samples(name: &str, axes: Axes) -> BTreeMap<String, Vec<Sample>> {
    samples_of(&fixture(name), axes)
}

fn samples_of(file: &[u8], axes: Axes) -> BTreeMap<String, Vec<Sample>> {
    let reader = Reader::new(file).unwrap();
    let mut options = Options::default();
    options.axes = axes;
    let mut decoder = Decoder::new(reader.header(), options);
    let mut by_channel = BTreeMap::<String, Vec<Sample>>::new();
    let mut sink = |sample: &mut Sample| {
        by_channel.entry(sample.channel.to_string()).or_default().push(sample.clone());
        Ok::<_, carla_rec::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    by_channel
}

fn row(sample: &Sample) -> &Row {
    let Value::Row(row) = &sample.value else { panic!("{sample:?}") };
    row
}

fn number(sample: &Sample, column: &str) -> f64 {
    match row(sample).get(column).unwrap_or_else(|| panic!("no column {column}: {sample:?}")) {
        Cell::Float(v) => *v,
        Cell::Int(v) => *v as f64,
        other => panic!("{column}: {other:?}"),
    }
}

fn odometry(sample: &Sample) -> &Odometry {
    let Value::Odometry(odometry) = &sample.value else { panic!("{sample:?}") };
    odometry
}

fn unit(sample: &Sample, column: &str) -> Option<String> {
    let field = row(sample).fields.iter().find(|f| f.name == column).unwrap();
    field.unit.as_deref().map(str::to_owned)
}

#[test]
fn samples_are_right_handed_metres() {
    let samples = samples("v0_9_12_wheel48", Axes::Ros);
    let poses = &samples["actor_25/poses"];
    assert_eq!(poses.len(), 4);
    let second = odometry(&poses[1]);
    assert_eq!(poses[1].time, Some(Timestamp::new(1_718_193_600_062_500_000, Clock::Unix)));
    assert_eq!((second.child_frame_id.as_str(), &*poses[1].frame_id), ("actor_25", "map"));
    assert_eq!(second.pose.position, Vector3::new(3.0, 0.2425, 0.0625));
    let (roll, pitch, yaw) = second.pose.orientation.euler_angles();
    let want = [0.25_f64, 0.5, 154.0].map(f64::to_radians);
    assert!(near(Vector3::new(roll, pitch, yaw), want), "{roll} {pitch} {yaw}");
    // Its velocity in its own axes.
    let twist = second.twist.unwrap();
    assert!(near(second.pose.orientation.transform_vector(&twist.linear), [8.0, 0.25, 0.0]));
    assert!((twist.linear.norm() - 8.0_f64.hypot(0.25)).abs() < 1e-12);
    let turn = second.pose.orientation.transform_vector(&twist.angular);
    assert!(near(turn, [0.0, 0.0, -45.5_f64.to_radians()]), "{turn:?}");
    assert_eq!(odometry(&samples["actor_31/poses"][0]).twist, None);

    let walker = &samples["actor_27/walkers"];
    assert_eq!(walker.iter().map(|s| number(s, "speed")).collect::<Vec<_>>(), [1.15, 1.16, 1.17]);
    assert_eq!(unit(&walker[0], "speed").as_deref(), Some("m/s"));

    let kinematics = &samples["actor_25/kinematics"];
    let numbers = ["vx", "vy", "vz", "wx", "wy", "wz"].map(|c| number(&kinematics[1], c));
    assert_eq!(numbers, [8.0, 0.25, 0.0, 0.0, 0.0, -45.5_f64.to_radians()]);
    assert_eq!(["ax", "ay", "az"].map(|c| number(&kinematics[1], c)), [0.0; 3]);
    assert_eq!(row(&kinematics[0]).get("ax"), Some(&Cell::Null), "nothing is before the first frame");

    let bounds = &samples["actor_25/bounding_boxes"][0];
    let columns = ["x", "y", "z", "extent_x", "extent_y", "extent_z"];
    assert_eq!(columns.map(|c| number(bounds, c)), [0.0025, 0.0, 0.75, 2.4, 1.005, 0.75]);
    let trigger = &samples["actor_28/trigger_volumes"][0];
    assert_eq!(columns.map(|c| number(trigger, c)), [10.5, -10.0, 1.0, 1.5, 0.875, 1.0]);

    let control = &samples["actor_25/controls"][2];
    assert_eq!(
        ["frame", "steer", "throttle", "brake", "gear"].map(|c| number(control, c)),
        [3.0, 0.25, 0.75, 0.5, 1.0]
    );
    let lights = row(&samples["actor_25/lights"][0]);
    assert_eq!(lights.get("position"), Some(&Cell::Bool(true)));
    assert_eq!(lights.get("brake_light"), Some(&Cell::Bool(true)));
    assert_eq!(lights.get("interior"), Some(&Cell::Bool(true)));
    assert_eq!(lights.get("fog"), Some(&Cell::Bool(false)));
    let light = row(&samples["actor_28/traffic_lights"][2]);
    assert_eq!(
        (light.get("state"), light.get("frozen")),
        (Some(&Cell::Text("green".into())), Some(&Cell::Bool(true)))
    );
    // The centre of mass is in metres in the file too.
    let physics = &samples["actor_25/physics"][0];
    let centre = ["center_of_mass_x", "center_of_mass_y", "center_of_mass_z"].map(|c| number(physics, c));
    assert_eq!(centre, [0.5, 0.0, -0.25]);
    let wheel = &samples["actor_25/physics_wheels"][1];
    assert_eq!(["radius", "x", "y", "z"].map(|c| number(wheel, c)), [0.355, 1.4025, -0.8, 0.355]);
    assert_eq!(number(wheel, "max_steer_angle"), 70.0_f64.to_radians());

    let frames = &samples["frames"];
    assert_eq!(frames.iter().map(|s| number(s, "elapsed")).collect::<Vec<_>>(), [0.0, 0.0625, 0.1875, 0.25]);
    assert_eq!(number(&frames[1], "duration"), 0.125);
    assert_eq!(row(&frames[3]).get("duration"), Some(&Cell::Null), "the file says -1");
    let events: Vec<_> = samples["events"].iter().map(|s| row(s).get("event").cloned().unwrap()).collect();
    let count = |name: &str| events.iter().filter(|e| **e == Cell::Text(name.into())).count();
    assert_eq!([count("create"), count("parent"), count("destroy")], [8, 1, 1]);
    let actors = &samples["actors"];
    assert_eq!(actors.len(), 8);
    let walker = actors.iter().find(|s| number(s, "actor") == 27.0).unwrap();
    assert_eq!(["x", "y", "z", "destroyed_frame"].map(|c| number(walker, c)), [5.0, -2.0, 1.0, 4.0]);
    assert_eq!(number(walker, "yaw"), -90.0_f64.to_radians());
    assert_eq!(samples["attributes"].len(), 14);
    assert_eq!(samples["collisions"].len(), 2);
}

#[test]
fn unreal_axes_are_those_of_the_file() {
    let samples = samples("v0_9_12_wheel48", Axes::Unreal);
    let pose = odometry(&samples["actor_25/poses"][1]).pose;
    assert_eq!(pose.position, Vector3::new(300.0, -24.25, 6.25));
    // Unreal's own quaternion of (roll, pitch, yaw) in degrees, as FRotator::Quaternion has it.
    let [r, p, y] = [0.25_f64, -0.5, -154.0].map(|v| (v / 2.0).to_radians());
    let want = [
        r.cos() * p.sin() * y.sin() - r.sin() * p.cos() * y.cos(),
        -r.cos() * p.sin() * y.cos() - r.sin() * p.cos() * y.sin(),
        r.cos() * p.cos() * y.sin() - r.sin() * p.sin() * y.cos(),
        r.cos() * p.cos() * y.cos() + r.sin() * p.sin() * y.sin(),
    ];
    let q = pose.orientation.coords;
    let same = |sign: f64| (0..4).all(|i| (q[i] - sign * want[i]).abs() < 1e-12);
    assert!(same(1.0) || same(-1.0), "{q:?} {want:?}");
    assert_eq!(number(&samples["actor_27/walkers"][0], "speed"), 115.0);
    assert_eq!(unit(&samples["actor_27/walkers"][0], "speed").as_deref(), Some("cm/s"));
    let kinematics = &samples["actor_25/kinematics"][0];
    assert_eq!(["vx", "vy", "wz"].map(|c| number(kinematics, c)), [8.0, -0.25, 45.5]);
    assert_eq!(unit(kinematics, "wz").as_deref(), Some("deg/s"));
    let wheel = &samples["actor_25/physics_wheels"][1];
    assert_eq!(["radius", "y", "max_steer_angle"].map(|c| number(wheel, c)), [35.5, 80.0, 70.0]);
}

#[test]
fn what_is_no_number_stays_none() {
    for axes in [Axes::Ros, Axes::Unreal] {
        let samples = samples("v0_9_12_wheel48", axes);
        let bounds = &samples["actor_30/bounding_boxes"][0];
        assert!(["x", "y", "z"].iter().all(|c| number(bounds, c).is_nan()));
        assert!(["extent_x", "extent_y", "extent_z"].iter().all(|c| number(bounds, c) == f64::INFINITY));
        let kinematics = &samples["actor_26/kinematics"];
        assert!(number(&kinematics[2], "vx").is_nan() && !number(&kinematics[2], "vy").is_nan());
        assert!(number(&kinematics[2], "ax").is_nan() && number(&kinematics[3], "ax").is_nan());
        let twist = odometry(&samples["actor_26/poses"][2]).twist.unwrap();
        assert!(twist.linear.x.is_nan());
    }
}

/// Attributes count their types from 1 in 0.9.16, and from 0 before.
#[test]
fn descriptions_and_attribute_types_are_in_the_tables() {
    for (name, base) in [("v0_9_15", 0.0), ("v0_9_16", 1.0)] {
        let samples = samples(name, Axes::Ros);
        let text = |sample: &Sample, column: &str| match row(sample).get(column) {
            Some(Cell::Text(text)) => text.clone(),
            other => panic!("{name}: {column} is {other:?}"),
        };
        let typed = |wanted: &str| {
            let found = samples["attributes"].iter().find(|s| text(s, "attribute") == wanted).unwrap();
            (text(found, "type"), number(found, "type_number"))
        };
        assert_eq!(typed("role_name"), ("string".to_owned(), 3.0 + base), "{name}");
        assert_eq!(typed("number_of_wheels"), ("int".to_owned(), 1.0 + base), "{name}");
        let uids: Vec<f64> = samples["actors"].iter().map(|s| number(s, "description_uid")).collect();
        // The truth file's sum of the column.
        let truth = testkit::fixture(&format!("carla-rec/{name}.truth.json"));
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        assert_eq!(truth["sums"]["2"][8], uids.iter().sum::<f64>(), "{name}");
    }
}

/// An acceleration needs a velocity in the previous frame.
#[test]
fn accelerations_are_since_the_frame_before() {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_15);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    let speeds = [Some(1.0), Some(2.0), None, Some(4.0), Some(3.0)];
    let ids = [25, 40_000];
    for (elapsed, speed) in [0.0, 0.5, 1.0, 1.5, 2.0].into_iter().zip(speeds) {
        recorder.begin_frame(elapsed).unwrap();
        for (id, x) in ids.into_iter().filter_map(|id| Some((id, speed?))) {
            let linear_velocity = [x, 0.0, 0.0].into();
            recorder.kinematics(Kinematics { id, linear_velocity, ..Default::default() }).unwrap();
        }
    }
    let samples = samples_of(&recorder.finish().unwrap(), Axes::Ros);
    for id in ids {
        let rows = samples[&format!("actor_{id}/kinematics")].iter();
        let found: Vec<_> = rows.map(|sample| row(sample).get("ax").cloned().unwrap()).collect();
        assert_eq!(found, [Cell::Null, Cell::Float(2.0), Cell::Null, Cell::Float(-2.0)]);
    }
}

/// A frame without its end gives its samples, and an error.
#[test]
fn a_frame_without_an_end_is_an_error() {
    for (name, faults) in [("v0_9_15", 0), ("trunc_after_packet", 1), ("trunc_frame_end_missing", 1)] {
        let samples = testkit::deliveries::<carla_rec::CarlaRec>(&fixture(name)).unwrap();
        assert_eq!(samples.faults.len(), faults, "{name}");
    }
}

testkit::serializes!(carla_rec, "carla-rec/v0_9_15.log", "frames");
