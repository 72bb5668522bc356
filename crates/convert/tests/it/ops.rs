//! Steps between recordings and targets, checked against values computed here without them.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use robolog_convert::{
    Destination, Error, Feed, Note, Outcome, Per, Plan, Reason, Report, Result, Selection, SinkOptions,
    convert, convert_into_folder,
    op::{
        Cells, Crop, DropNan, Every, MinIntensity, Mounts, Place, Poses, Range, Returns, Rings, Step, Voxel,
    },
    poses, sink,
    target::Existing,
    targets,
};
use robolog_core::{Clock, GnssFix, Limits, Odometry, PointCloud, Pose, Sample, Timestamp, Transform, Value};

fn sample(time: i64, clock: Clock, cloud: PointCloud) -> Sample {
    let time = Some(Timestamp::new(time, clock));
    let value = Value::PointCloud(cloud);
    Sample::new("lidar/points", value).with_time(time).with_frame("lidar")
}

/// Runs samples through steps and returns the result.
fn run(plan: Plan) -> Result<(Vec<Sample>, Report)> {
    let mut kept = Vec::new();
    let mut keep = sink::from_fn(|sample| {
        kept.push(sample.clone());
        Ok(Outcome::Written)
    });
    let report = convert(plan, &mut keep, &mut |_| {})?;
    Ok((kept, report))
}

/// Adds steps to a plan.
type AddSteps = Box<dyn Fn(Plan) -> Plan>;

fn plan(samples: Vec<Sample>) -> Plan {
    Plan::new(vec![Feed::of_samples(samples)])
}

fn cloud(sample: &Sample) -> &PointCloud {
    let Value::PointCloud(cloud) = &sample.value else { panic!("no cloud") };
    cloud
}

/// Points with their index in every column.
fn numbered(n: u16) -> PointCloud {
    let f = |scale: f32| (0..n).map(|i| f32::from(i) * scale).collect::<Vec<_>>();
    PointCloud {
        x: f(1.0),
        y: f(-1.0),
        z: f(0.5),
        intensity: f(2.0),
        time_offset: (0..u32::from(n)).map(|i| i * 1000).collect(),
        return_number: (0..n).map(|_| 1).collect(),
        tag: (0..n).map(|i| (i % 256) as u8).collect(),
        ring: (0..n).collect(),
        ..PointCloud::default()
    }
}

/// Whether all columns are those of the points with these indices.
fn assert_numbers(cloud: &PointCloud, want: &[u16]) {
    let all = numbered(300);
    assert_eq!(cloud.ring, want);
    for (i, n) in want.iter().enumerate() {
        assert_eq!(cloud.point(i), all.point(usize::from(*n)), "point {i}");
    }
    assert!(cloud.is_consistent());
}

#[test]
fn filters_keep_all_columns_in_step() {
    let cases: [(AddSteps, Vec<u16>); 7] = [
        // |p| = 1.5 i.
        (Box::new(|p| p.with_step("3,6".parse::<Range>().unwrap())), vec![2, 3, 4]),
        (Box::new(|p| p.with_step("2,5,,,,2".parse::<Crop>().unwrap())), vec![2, 3, 4]),
        (Box::new(|p| p.with_step(Every(100.try_into().unwrap()))), vec![0, 100, 200]),
        (Box::new(|p| p.with_step(MinIntensity(594.0))), vec![297, 298, 299]),
        (Box::new(|p| p.with_step("7..9".parse::<Rings>().unwrap())), vec![7, 8]),
        (Box::new(|p| p.with_step(Voxel::new(100.0, Cells::OfCloud, 9))), vec![0, 1, 100, 101, 200, 201]),
        (
            Box::new(|p| p.with_step(Every(2.try_into().unwrap())).with_step(MinIntensity(592.0))),
            vec![296, 298],
        ),
    ];
    for (steps, want) in cases {
        let (kept, report) = run(steps(plan(vec![sample(5, Clock::Unix, numbered(300))]))).unwrap();
        assert_numbers(cloud(&kept[0]), &want);
        let removed: u64 = report.removed.iter().map(|removed| removed.points).sum();
        assert_eq!(removed + want.len() as u64, 300);
        assert_eq!(report.written["point_cloud"].values, want.len() as u64);
        assert!(report.is_complete(), "what was meant to be removed is no loss");
    }
}

#[test]
fn points_that_are_not_finite_are_removed() {
    let mut bad = numbered(5);
    (bad.x[1], bad.z[3]) = (f32::NAN, f32::INFINITY);
    let steps: [AddSteps; 4] = [
        Box::new(|p| p.with_step(DropNan)),
        Box::new(|p| p.with_step(",,,,,".parse::<Crop>().unwrap())),
        Box::new(|p| p.with_step(",".parse::<Range>().unwrap())),
        Box::new(|p| p.with_step(Voxel::new(0.1, Cells::OfCloud, 100))),
    ];
    for step in steps {
        let (kept, _) = run(step(plan(vec![sample(5, Clock::Unix, bad.clone())]))).unwrap();
        assert_numbers(cloud(&kept[0]), &[0, 2, 4]);
    }
}

#[test]
fn clouds_that_become_empty_are_dropped_and_counted() {
    let far = |n| sample(n, Clock::Unix, numbered(3));
    let empty = sample(2, Clock::Unix, PointCloud::default());
    let mut one = numbered(3);
    one.x[0] = 50.0;
    let samples = vec![far(1), empty, sample(3, Clock::Unix, one)];
    let (kept, report) = run(plan(samples).with_step("40,,,,,".parse::<Crop>().unwrap())).unwrap();
    let times: Vec<_> = kept.iter().map(|s| (s.time.unwrap().nanos(), cloud(s).len())).collect();
    assert_eq!(times, [(2, 0), (3, 1)], "a cloud that was empty before goes on");
    assert_eq!((report.removed[0].points, report.removed[0].samples), (5, 1));
    let error = run(plan(vec![far(1)]).with_step("40,,,,,".parse::<Crop>().unwrap())).unwrap_err();
    assert_eq!(error.to_string(), "nothing written: no point is left: removed 3 by crop");
}

#[test]
fn one_return_of_each_shot_is_kept() {
    let shots = |numbers: &[u8]| {
        let n = numbers.len();
        PointCloud {
            x: (0..n as u8).map(f32::from).collect(),
            y: vec![0.0; n],
            z: vec![0.0; n],
            // Shots of 2, 3 and 1 returns; the second of each is the strongest.
            time_offset: vec![0, 0, 7, 7, 7, 9],
            intensity: vec![1.0, 9.0, 3.0, 9.0, 4.0, 1.0],
            return_number: numbers.to_vec(),
            ..PointCloud::default()
        }
    };
    let known = shots(&[1, 2, 1, 2, 3, 1]);
    let unknown = PointCloud { return_number: Vec::new(), ..known.clone() };
    for (which, want, of_unknown) in [
        ("first", vec![0.0, 2.0, 5.0], 6),
        ("last", vec![1.0, 4.0, 5.0], 6),
        ("strongest", vec![1.0, 3.0, 5.0], 6),
        ("1", vec![0.0, 2.0, 5.0], 6),
        ("2", vec![1.0, 3.0], 0),
    ] {
        let step: Returns = which.parse().unwrap();
        let (kept, _) = run(plan(vec![sample(0, Clock::Unix, known.clone())]).with_step(step)).unwrap();
        assert_eq!(cloud(&kept[0]).x, want, "{which}");
        let kept = run(plan(vec![sample(0, Clock::Unix, unknown.clone())]).with_step(step));
        assert_eq!(kept.map_or(0, |(kept, _)| cloud(&kept[0]).len()), of_unknown, "{which}");
    }
}

#[test]
fn points_without_the_column_are_refused() {
    let bare = PointCloud { x: vec![1.0], y: vec![1.0], z: vec![1.0], ..PointCloud::default() };
    for (step, column) in [(0, "ring"), (1, "intensity")] {
        let plan = plan(vec![sample(0, Clock::Unix, bare.clone())]);
        let plan =
            if step == 0 { plan.with_step(Rings::new(0..5)) } else { plan.with_step(MinIntensity(1.0)) };
        let error = run(plan).unwrap_err().to_string();
        assert!(error.ends_with(&format!("the points of lidar/points have no {column}")), "{error}");
    }
}

#[test]
fn a_voxel_is_of_a_cloud_or_of_a_file() {
    let samples = || (0..3).map(|t| sample(t, Clock::Unix, numbered(10))).collect::<Vec<_>>();
    let points = |cells| {
        let (kept, report) = run(plan(samples()).with_step(Voxel::new(0.25, cells, Voxel::MEMORY))).unwrap();
        (kept.iter().map(|sample| cloud(sample).len()).collect::<Vec<_>>(), report.notes)
    };
    assert_eq!(points(Cells::OfCloud), (vec![10, 10, 10], vec![]));
    assert_eq!(points(Cells::OfFile(None)), (vec![10], vec![]));
}

#[test]
fn a_voxel_forgets_its_cells_before_they_take_more_than_their_memory() {
    const MEMORY: u64 = 2 << 20;
    // Files grow in parallel, in sequence, and alone.
    let orders: [fn(u64) -> u64; 3] = [|n| n % 3, |n| n / 100, |_| 0];
    for order in orders {
        let mut step = Voxel::new(1.0, Cells::OfFile(Some(Per::Channel)), MEMORY);
        let mut kept = 0;
        let took = allocation_counter::measure(|| {
            for n in 0..300 {
                let x = (0..1000_u16).map(f32::from).collect::<Vec<_>>();
                let (y, z) = (vec![f32::from(u16::try_from(n).unwrap()); 1000], vec![0.0; 1000]);
                let mut sample = sample(0, Clock::Unix, PointCloud { x, y, z, ..PointCloud::default() });
                sample.channel = order(n).to_string().into();
                step.apply(&mut sample).unwrap();
                kept += cloud(&sample).len();
            }
        });
        assert_eq!(kept, 300_000, "all are new");
        let most = match step.note() {
            Some(Note::CellsForgotten { most, times: 1.. }) => most,
            other => panic!("{other:?}"),
        };
        assert!(took.bytes_max < MEMORY + (1 << 16), "{} bytes", took.bytes_max);
        assert!(most > 30_000, "{most} cells");
    }
}

#[test]
fn frames_of_kitti_stay_in_their_own_frame_with_their_pose_beside_them() {
    // A body faces y, and drives 2 m along it in a second; the sensor is a metre ahead.
    let text = "100 1 2 3 0 0 0.5 0.5\n101 1 4 3 0 0 0.5 0.5\n";
    let poses = Poses::from_tum(text.as_bytes(), Limits::default()).unwrap();
    let pose = Pose::from_euler([1.0, 0.0, 0.0], 0.0, 0.0, 0.0);
    let mounted = Value::Transform(Transform { child_frame_id: "lidar".into(), pose });
    let mounted = sample(0, Clock::Unix, numbered(1)).with_frame("base").with_value(mounted);
    let place =
        Place::new(poses, Mounts::new(&[mounted])).with_offset(Some(-100_000_000_000)).in_own_frames();
    let cloud = || PointCloud {
        x: vec![1.0, 1.0],
        y: vec![0.5, 0.5],
        z: vec![0.0, 0.0],
        time_offset: vec![0, 250_000_000],
        ..PointCloud::default()
    };
    let at = |nanos| sample(nanos, Clock::Device, cloud());
    // The last cloud begins after the last pose.
    let plan = plan(vec![at(0), at(500_000_000), at(2_000_000_000)]).with_step(place);
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("scans");
    let to = Destination { path: &folder, existing: Existing::Keep, options: &SinkOptions::default() };
    let target = targets::by_name("kitti-bin").unwrap();
    let report = convert_into_folder(plan, target, Per::Frame, &to, &mut |_| {}).unwrap();
    assert_eq!((report.files, report.removed[0].points, report.removed[0].is_loss), (2, 2, true));

    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let text = |name: &str| String::from_utf8(read(name)).unwrap();
    assert_eq!(text("times.txt"), "0.000000000\n0.500000000\n");
    let lines = text("poses.txt");
    let rows =
        lines.lines().map(|line| line.split(' ').map(|n| n.parse::<f64>().unwrap()).collect::<Vec<_>>());
    let wanted = [3.0, 4.0].map(|y| [0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, y, 0.0, 0.0, 1.0, 3.0]);
    assert_eq!(lines.lines().count(), 2);
    for (found, wanted) in rows.zip(wanted) {
        assert_eq!(found.len(), 12);
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }
    let index = text("_index.csv");
    assert!(index.ends_with("\ntimes.txt,,,0\nposes.txt,,,0\n"), "what is listed may be replaced: {index}");
    // In a quarter of a second the sensor moves half a metre closer.
    for name in ["000000_lidar_points.bin", "000001_lidar_points.bin"] {
        let numbers =
            read(name).chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<_>>();
        assert_eq!(numbers, [1.0, 0.5, 0.0, 0.0, 1.5, 0.5, 0.0, 0.0], "{name}");
    }
}

/// Pose of the sensor at `t` seconds: it drives a bend, and rotates about all axes.
fn truth(t: f64) -> Pose {
    let position = [4.0 * t, (0.7 * t).sin() * 3.0, 0.3 * t];
    Pose::from_euler(position, 0.2 * (1.3 * t).sin(), 0.15 * (0.9 * t).cos(), 0.8 * t)
}

/// A scan of 0.1 s from `start` of the wall x = 40 m, as seen by a sensor with this mount on the body; and its points
/// on the wall.
fn wall(start: f64, mount: &Pose) -> PointCloud {
    let mut cloud = PointCloud::default();
    for i in 0..2000_u32 {
        let ns = i * 50_000;
        let (u, v) = (f64::from(i % 50) * 0.4 - 10.0, f64::from(i / 50) * 0.2 - 4.0);
        let world = nalgebra::Point3::new(40.0, u, v);
        let sensor = truth(start + f64::from(ns) * 1e-9).isometry() * mount.isometry();
        let seen = sensor.inverse_transform_point(&world);
        cloud.x.push(seen.x as f32);
        cloud.y.push(seen.y as f32);
        cloud.z.push(seen.z as f32);
        cloud.time_offset.push(ns);
        cloud.ring.push((i % 50) as u16);
    }
    cloud
}

/// The trajectory as text, 200 poses per second.
fn tum(seconds: std::ops::Range<f64>, epoch: i64) -> String {
    let mut text = "# time x y z qx qy qz qw\n".to_owned();
    for i in 0..=((seconds.end - seconds.start) * 200.0) as i64 {
        let nanos = (seconds.start * 1e9) as i64 + i * 5_000_000;
        let Pose { position: p, orientation: q } = truth(nanos as f64 * 1e-9);
        let total = epoch * 1_000_000_000 + nanos;
        let (whole, rest) = (total / 1_000_000_000, total % 1_000_000_000);
        let (place, turn) = ([p.x, p.y, p.z], [q.i, q.j, q.k, q.w]);
        let numbers: Vec<_> = place.iter().chain(&turn).map(ToString::to_string).collect();
        writeln!(text, "{whole}.{rest:09} {}", numbers.join(" ")).unwrap();
    }
    text
}

const EPOCH: i64 = 1_700_000_000;

fn walls(mount: &Pose) -> Vec<Sample> {
    let of = |start: f64| {
        sample((EPOCH as f64 * 1e9) as i64 + (start * 1e9) as i64, Clock::Unix, wall(start, mount))
    };
    [0.2, 0.5, 0.9, 1.4].map(of).to_vec()
}

fn far_from_wall(samples: &[Sample]) -> f64 {
    let off = |x: &f32| (f64::from(*x) - 40.0).abs();
    samples.iter().flat_map(|sample| &cloud(sample).x).map(off).fold(0.0, f64::max)
}

#[test]
fn a_wall_from_a_turning_car_is_flat_with_its_trajectory_alone() {
    let mount = Pose::from_euler([1.2, -0.3, 0.8], 0.02, -0.1, 1.5);
    let transform = Transform { child_frame_id: "lidar".into(), pose: mount };
    let mounted =
        walls(&mount)[0].clone().with_time(None).with_frame("base").with_value(Value::Transform(transform));
    let poses = Poses::from_tum(tum(0.0..2.0, EPOCH).as_bytes(), Limits::default()).unwrap();
    let place = Place::new(poses.clone(), Mounts::new(&[mounted]));
    let (kept, report) = run(plan(walls(&mount)).with_step(place)).unwrap();
    assert!(far_from_wall(&kept) < 1e-3, "{} m off", far_from_wall(&kept));
    assert!(kept.iter().all(|sample| &*sample.frame_id == "map" && cloud(sample).ring.len() == 2000));
    assert!(report.is_complete() && report.removed.is_empty());
    // Along the wall too: the first point is at y = -10, z = -4, and the second 0.4 m to the left.
    let first = cloud(&kept[2]).point(0).unwrap();
    assert!((first.y + 10.0).abs() < 1e-3 && (first.z + 4.0).abs() < 1e-3, "{first:?}");
    let (raw, _) = run(plan(walls(&mount))).unwrap();
    assert!(far_from_wall(&raw) > 1.0, "without a trajectory it is no plane");
    let unmounted = Place::new(poses.clone(), Mounts::default());
    let (kept, _) = run(plan(walls(&mount)).with_step(unmounted)).unwrap();
    assert!(far_from_wall(&kept) > 0.1, "the mounting counts");
    // Without times, all points of a cloud are moved by one pose, which does not undo the motion.
    let mut still = walls(&mount);
    for sample in &mut still {
        let Value::PointCloud(cloud) = &mut sample.value else { continue };
        cloud.time_offset.clear();
    }
    let (kept, _) = run(plan(still).with_step(Place::new(poses, Mounts::default()))).unwrap();
    assert!(far_from_wall(&kept) > 0.1);
}

#[test]
fn points_without_a_pose_are_a_loss_and_never_guessed() {
    let mount = Pose::identity();
    // The poses end within the second cloud: at 0.55 s of 0.5 to 0.6 s.
    let short = Poses::from_tum(tum(0.0..0.55, EPOCH).as_bytes(), Limits::default()).unwrap();
    let (kept, report) = run(plan(walls(&mount)).with_step(Place::new(short, Mounts::default()))).unwrap();
    let sizes: Vec<_> = kept.iter().map(|sample| cloud(sample).len()).collect();
    // 0 to 50 ms, both included, in steps of 50 µs.
    assert_eq!(sizes, [2000, 1001]);
    assert_eq!((report.removed[0].points, report.removed[0].samples), (999 + 4000, 2));
    assert!(report.removed[0].is_loss && !report.is_complete());
    assert!(far_from_wall(&kept) < 1e-3);
    // A gap of 0.2 s between poses: no point is placed in it, unless allowed.
    let text = tum(0.0..2.0, EPOCH);
    let lines = text.lines().enumerate().filter(|(i, _)| !(100..140).contains(i));
    let with_gap = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    let poses = Poses::from_tum(with_gap.as_bytes(), Limits::default()).unwrap();
    for (gap, placed) in [(100_000_000, 6000), (300_000_000, 8000)] {
        let place = Place::new(poses.clone(), Mounts::default()).with_gap(gap);
        let (kept, _) = run(plan(walls(&mount)).with_step(place)).unwrap();
        let n: usize = kept.iter().map(|sample| cloud(sample).len()).sum();
        assert!(n.abs_diff(placed) <= 200, "{n} points over a gap up to {gap}");
    }
}

#[test]
fn clocks_that_do_not_compare_are_refused_unless_an_offset_is_given() {
    let cloud = || {
        sample(
            3_000_000_000,
            Clock::Device,
            PointCloud { x: vec![1.0], y: vec![0.0], z: vec![0.0], ..PointCloud::default() },
        )
    };
    let unix = Poses::from_tum(tum(0.0..2.0, EPOCH).as_bytes(), Limits::default()).unwrap();
    let short = Poses::from_tum(tum(0.0..4.0, 0).as_bytes(), Limits::default()).unwrap();
    for (poses, clock) in [(&unix, Some(Clock::Unix)), (&short, None)] {
        assert_eq!(poses.clock(), clock);
        let error =
            run(plan(vec![cloud()]).with_step(Place::new(poses.clone(), Mounts::default()))).unwrap_err();
        assert!(matches!(error, Error::Target(Reason::TrajectoryClock { .. })), "{error}");
    }
    // 3 s of the device are 1 s after the epoch.
    let place = Place::new(unix, Mounts::default()).with_offset(Some(2_000_000_000 - EPOCH * 1_000_000_000));
    let (kept, _) = run(plan(vec![cloud()]).with_step(place)).unwrap();
    let want = truth(1.0).isometry() * nalgebra::Point3::new(1.0, 0.0, 0.0);
    assert!((f64::from(self::cloud(&kept[0]).x[0]) - want.x).abs() < 1e-6);
    let (kept, _) =
        run(plan(vec![cloud()]).with_step(Place::new(short, Mounts::default()).with_offset(Some(0))))
            .unwrap();
    let want = truth(3.0).isometry() * nalgebra::Point3::new(1.0, 0.0, 0.0);
    assert!((f64::from(self::cloud(&kept[0]).y[0]) - want.y).abs() < 1e-6);
}

/// A pose is a time and seven numbers of 64 bits.
#[test]
fn a_trajectory_takes_no_more_memory_than_a_record_may() {
    let text = tum(0.0..0.1, EPOCH);
    let lines = text.lines().skip(1).map(|line| line.replace(' ', ","));
    let table = format!("timestamp,x,y,z,qx,qy,qz,qw\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let poses = Poses::from_tum(text.as_bytes(), Limits::default()).unwrap().len();
    let odometry = |i: i64| {
        sample(EPOCH * 1_000_000_000 + i, Clock::Unix, PointCloud::default())
            .with_value(Value::Odometry(Odometry::new("base", truth(0.0))))
    };
    let feed = || vec![Feed::of_samples((0..).map(odometry).take(poses).collect())];
    let all = |limits: Limits| {
        [
            Poses::from_tum(text.as_bytes(), limits),
            Poses::from_csv(table.as_bytes(), limits),
            robolog_convert::poses(feed(), limits).map(|(poses, _)| poses),
        ]
    };
    for held in all(Limits::default().with_record(poses * 64)) {
        assert_eq!(held.unwrap().len(), poses);
    }
    for refused in all(Limits::default().with_record(poses * 64 - 1)) {
        let error = refused.unwrap_err();
        let Error::Target(Reason::TooManyPoses { most }) = error else { panic!("{error}") };
        assert_eq!(most, poses - 1);
    }
}

#[test]
fn trajectories_come_from_tables_and_channels_too() {
    let text = tum(0.0..0.1, EPOCH);
    let want = Poses::from_tum(text.as_bytes(), Limits::default()).unwrap();
    let lines = text.lines().skip(1).map(|line| line.replace(' ', ","));
    let table = format!("timestamp,x,y,z,qx,qy,qz,qw\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let same = |poses: &Poses| assert_eq!(format!("{poses:?}"), format!("{want:?}"));
    same(&Poses::from_csv(table.as_bytes(), Limits::default()).unwrap());
    let odometry = |i: i64, channel: &str| {
        let nanos = i * 5_000_000;
        let odometry = Odometry::new("base", truth(nanos as f64 * 1e-9));
        Sample::new(channel, Value::Odometry(odometry))
            .with_time(Timestamp::new(EPOCH * 1_000_000_000 + nanos, Clock::Unix))
            .with_frame("odom")
    };
    let from = |samples: Vec<Sample>| poses(vec![Feed::of_samples(samples)], Limits::default());
    let (channel, report) = from((0..=20).map(|i| odometry(i, "a")).collect()).unwrap();
    assert_eq!((channel.len(), channel.frame_id(), channel.body()), (want.len(), "odom", Some("base")));
    assert!(report.is_complete());
    // Poses without a time or a valid place are skipped and counted.
    let untimed = odometry(1, "a").with_time(None);
    let mut nowhere = odometry(2, "a");
    if let Value::Odometry(odometry) = &mut nowhere.value {
        odometry.pose.position.y = f64::NAN;
    }
    let (channel, report) = from(vec![odometry(0, "a"), untimed, nowhere, odometry(3, "a")]).unwrap();
    assert_eq!((channel.len(), report.is_complete()), (2, false));
    assert!(matches!(report.notes[..], [Note::Unfit { count: 2, what: "pose", .. }]), "{:?}", report.notes);
    let two = from(vec![odometry(0, "a"), odometry(1, "b")]);
    assert!(two.unwrap_err().to_string().contains("name one:\n  a (1 poses"));
    let fix = odometry(0, "a").with_value(Value::GnssFix(GnssFix::default()));
    assert!(from(vec![fix]).unwrap_err().to_string().contains("GNSS fixes only"));
    for (text, wrong) in [
        ("1 2 3\n", "line 1"),
        ("# a\n1 0 0 0 0 0 0 0\n", "line 2"),
        ("# none\n", "no pose"),
        ("1 a 0 0 0 0 0 1\n", "line 1"),
    ] {
        assert!(
            Poses::from_tum(text.as_bytes(), Limits::default()).unwrap_err().to_string().contains(wrong),
            "{text}"
        );
    }
    for text in [
        "x,y\n1,2\n",
        "time_ns,x,y,z,qx,qy,qz,qw\n1,0,0,0,0,0,0,q\n",
        "time_ns,channel,x,y,z,qx,qy,qz,qw\n1,a,0,0,0,0,0,0,1\n2,b,0,0,0,0,0,0,1\n",
    ] {
        assert!(Poses::from_csv(text.as_bytes(), Limits::default()).is_err(), "{text}");
    }
}

#[test]
fn a_sensor_without_a_mounting_among_others_is_refused() {
    let lies = |child: &str, parent: &str| {
        let value = Value::Transform(Transform { child_frame_id: child.into(), pose: Pose::identity() });
        sample(0, Clock::Unix, PointCloud::default()).with_frame(parent).with_value(value)
    };
    let mount = Pose::identity();
    let poses = || Poses::from_tum(tum(0.0..2.0, EPOCH).as_bytes(), Limits::default()).unwrap();
    for transforms in [vec![lies("camera", "base")], vec![lies("lidar", "a"), lies("a", "lidar")]] {
        let place = Place::new(poses(), Mounts::new(&transforms));
        let error = run(plan(walls(&mount)).with_step(place)).unwrap_err();
        assert!(matches!(error, Error::Target(Reason::NoMount { .. })), "{error}");
    }
    let place = Place::new(poses(), Mounts::new(&[lies("lidar", "mast"), lies("mast", "base")]));
    assert!(far_from_wall(&run(plan(walls(&mount)).with_step(place)).unwrap().0) < 1e-3);
}

/// UTM coordinates do not fit 32-bit floats: they count from whole kilometres, which LAS adds back.
#[test]
fn far_trajectories_keep_their_millimetres() {
    let at = |i: i64| format!("{} 400123.25 5578321.5 100 0 0 0 1\n", EPOCH + i);
    let poses = Poses::from_tum((at(0) + &at(1)).as_bytes(), Limits::default()).unwrap();
    let place = Place::new(poses, Mounts::default());
    assert_eq!(place.shift(), [400_000.0, 5_578_000.0, 0.0]);
    let mut options = SinkOptions::default();
    (options.las.shift, options.las.crs) = (Some(place.shift()), Some(sink::Epsg(32632)));
    let one = PointCloud { x: vec![1.5], y: vec![0.25], z: vec![-0.125], ..PointCloud::default() };
    let out = Shared::default();
    let opening = robolog_convert::Opening::new(options, Selection::Everything);
    let mut las = targets::by_name("las").unwrap().open(out.clone(), &opening).unwrap();
    let plan = plan(vec![sample(EPOCH * 1_000_000_000, Clock::Unix, one)]).with_step(place);
    let report = convert(plan, &mut *las, &mut |_| {}).unwrap();
    las.finish().unwrap();
    assert!(report.notes.contains(&Note::Shifted { by: [400_000, 5_578_000, 0] }) && report.is_complete());
    let bytes = out.0.lock().unwrap().get_ref().clone();
    // Minimum and maximum coordinates in the header, after the LAS 1.4 specification: max x at 179, y at 195, z at 211.
    let double = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let max = [179, 195, 211].map(double);
    for (got, want) in max.into_iter().zip([400_124.75, 5_578_321.75, 99.875]) {
        assert!((got - want).abs() < 1e-4, "{max:?}");
    }
    assert!(String::from_utf8_lossy(&bytes).contains("AUTHORITY[\"EPSG\",\"32632\"]]"));
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<std::io::Cursor<Vec<u8>>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl std::io::Seek for Shared {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.lock().unwrap().seek(to)
    }
}

#[test]
fn wrong_values_show_an_example() {
    let wrong = [
        "1,2,3".parse::<Crop>().map(drop),
        "5,1,,,,".parse::<Crop>().map(drop),
        "1;2".parse::<Range>().map(drop),
        "-1,2".parse::<Range>().map(drop),
        "9..3".parse::<Rings>().map(drop),
        "0".parse::<Returns>().map(drop),
    ];
    assert!(
        wrong
            .iter()
            .all(|outcome| outcome.as_ref().is_err_and(|e| e.contains("like") || e.contains("such as"))),
        "{wrong:?}"
    );
}

/// Every step passes samples other than clouds.
#[test]
fn other_samples_pass() {
    let fix = sample(1, Clock::Unix, PointCloud::default()).with_value(Value::GnssFix(GnssFix::default()));
    let poses = Poses::from_tum(tum(0.0..2.0, EPOCH).as_bytes(), Limits::default()).unwrap();
    let steps: [Box<dyn Step>; 5] = [
        Box::new(DropNan),
        Box::new(MinIntensity(3.0)),
        Box::new(Returns::Strongest),
        Box::new(Voxel::new(1.0, Cells::OfFile(None), 1)),
        Box::new(Place::new(poses, Mounts::default())),
    ];
    for mut step in steps {
        let mut passed = fix.clone();
        assert!(step.apply(&mut passed).unwrap() && passed == fix, "{}", step.name());
    }
}
