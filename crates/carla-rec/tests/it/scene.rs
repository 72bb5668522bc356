//! Queries of a scene: frames, actors and their tracks.

use std::collections::BTreeMap;

use carla_rec::{
    ActorKind, Axes, Episode, FrameIndex, Frames, Moment, Payload, Reader, Scene, State, StreamReader,
    VelocityFrom,
    layout::{NO_ACTOR, Rotation, Vector},
};
use nalgebra::Vector3;

fn fixture(name: &str) -> Vec<u8> {
    testkit::fixture(&format!("carla-rec/{name}.log"))
}

fn near(a: Vector3<f64>, b: [f64; 3]) -> bool {
    (a - Vector3::from(b)).norm() < 1e-9
}

#[test]
fn frames_are_found_by_number_and_time() {
    let file = fixture("v0_9_12_wheel48");
    let reader = Reader::new(&file).unwrap();
    let frames: Vec<_> = Frames::new(&reader).map(Result::unwrap).collect();
    let index = FrameIndex::scan(&reader).unwrap();
    let streamed = FrameIndex::read(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    assert_eq!(index, streamed);
    let times = [(0.0, 0.0625), (0.0625, 0.125), (0.1875, 0.0625), (0.25, -1.0)];
    assert_eq!(frames.len(), 4);
    let mut at = reader.header_bytes().len() as u64;
    for ((n, (entry, frame)), (elapsed, duration)) in
        (1..).zip(index.entries().iter().zip(&frames)).zip(times)
    {
        assert_eq!((entry.frame, entry.elapsed, entry.duration), (n, elapsed, duration));
        assert_eq!(entry.start(), frame.start());
        assert_eq!((entry.offset, entry.len), (frame.offset(), frame.bytes().len() as u64));
        assert_eq!(frame.offset(), at, "frames lie side by side");
        at += entry.len;
        assert_eq!(entry.platform_time, Some(0.015_625 + (n - 1) as f64 / 8.0));
        assert_eq!(entry.visual_time, None);
        assert_eq!(index.frame(n), Some(entry));
        let again = Frames::from_entry(&reader, entry).next().unwrap().unwrap();
        assert_eq!(again.bytes(), frame.bytes());
        let ids: Vec<_> = frame.packets().map(|p| p.unwrap().id()).collect();
        assert_eq!((ids[0], ids[ids.len() - 1]), (0, 1));
        assert!(matches!(frame.payload(6), Some(Ok(Payload::Position(_)))));
        assert!(frame.payload(77).is_none());
    }
    assert_eq!(at, file.len() as u64);
    let number = |elapsed| index.at(elapsed).map(|entry| entry.frame);
    assert_eq!(
        [-0.1, 0.0, 0.1, 0.187_4, 0.1875, 1e9].map(number),
        [None, Some(1), Some(2), Some(2), Some(3), Some(4)]
    );
    assert_eq!((index.frame(0), index.frame(5)), (None, None));

    let visual = fixture("v0_9_14");
    let index = FrameIndex::scan(&Reader::new(&visual).unwrap()).unwrap();
    assert_eq!(index.entries()[3].visual_time, Some(100.25));
}

/// Frames whose numbers do not run from 1 are found.
#[test]
fn frames_have_the_numbers_that_they_have() {
    let mut file = fixture("one_frame");
    let header = Reader::new(&file).unwrap().header_bytes().len();
    for number in [0_u64, 7, u64::MAX] {
        file[header + 5..header + 13].copy_from_slice(&number.to_le_bytes());
        let index = FrameIndex::scan(&Reader::new(&file).unwrap()).unwrap();
        assert_eq!(index.frame(number), Some(&index.entries()[0]), "{number}");
    }
    let outside = fixture("packets_outside");
    let reader = Reader::new(&outside).unwrap();
    assert_eq!(Frames::new(&reader).count(), 4);
    let damaged = fixture("trunc_in_position");
    let reader = Reader::new(&damaged).unwrap();
    let frames: Vec<_> = Frames::new(&reader).collect();
    assert_eq!(frames.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false]);
    assert!(FrameIndex::scan(&reader).is_err());
    let index = FrameIndex::read(&mut StreamReader::new(&damaged[..]).unwrap()).unwrap();
    assert_eq!(index.entries().len(), 2);
}

#[test]
fn the_world_is_as_of_a_frame() {
    let file = fixture("v0_9_12_wheel48");
    let reader = Reader::new(&file).unwrap();
    let index = FrameIndex::scan(&reader).unwrap();
    let worlds: Vec<_> = index.entries().iter().map(|e| index.world(&reader, e).unwrap()).collect();
    let first = &worlds[0];
    assert_eq!(first.actors.keys().copied().collect::<Vec<_>>(), (24..=31).collect::<Vec<_>>());
    let car = &first.actors[&25];
    assert_eq!((car.type_id.as_str(), car.kind), ("vehicle.tesla.model3", ActorKind::VEHICLE));
    assert_eq!((car.role_name().as_deref(), car.is_hero()), (Some("hero"), true));
    assert_eq!(car.attribute("note").as_deref(), Some("Z\u{fc}rich \u{2713}"));
    assert_eq!(car.location, Vector { x: 250.0, y: -24.0, z: 6.25 });
    assert_eq!(car.rotation, Rotation { roll: 0.0, pitch: 0.0, yaw: 90.0 });
    let bounds = *car.bounding_box.as_deref().unwrap();
    assert_eq!(bounds.origin.to_array(), [0.25, 0.0, 75.0]);
    assert_eq!(bounds.extent.to_array(), [240.0, 100.5, 75.0]);
    let probe = *first.actors[&30].bounding_box.as_deref().unwrap();
    assert!(probe.origin.to_array().iter().all(|v| v.is_nan()));
    assert_eq!(probe.extent.to_array(), [f64::INFINITY; 3]);
    assert_eq!(
        first.actors[&29].trigger_volume.as_deref().unwrap().origin.to_array(),
        [1100.0, 1000.0, 100.0]
    );
    assert_eq!(first.actors[&30].parent, Some(25));
    let times = first.traffic_light_times[&28];
    assert_eq!((times.green, times.yellow, times.red), (10.0, 3.0, 2.25));

    let lit = |i: usize| worlds[i].scene_lights.values().map(|l| (l.id, l.on)).collect::<Vec<_>>();
    assert_eq!(lit(0), [(-1, false), (7, true), (8, true)]);
    for i in 1..4 {
        assert_eq!(lit(i), [(-1, false), (7, false), (8, true)]);
    }
    for (i, world) in worlds.iter().enumerate() {
        assert_eq!(world.frame, Some(index.entries()[i].start()));
        assert_eq!(world.actors.contains_key(&27), i < 3, "the walker leaves in frame 4");
        assert_eq!(world.departed.len(), usize::from(i == 3));
    }
    let walker = &worlds[3].departed[0];
    let at = |frame, elapsed| Moment { frame, elapsed };
    assert_eq!((walker.id, walker.created, walker.destroyed), (27, at(1, 0.0), Some(at(4, 0.25))));
}

#[test]
fn doors_and_weather_are_as_of_a_frame() {
    let file = fixture("dev2026_weather");
    let reader = Reader::new(&file).unwrap();
    let index = FrameIndex::scan(&reader).unwrap();
    let worlds: Vec<_> = index.entries().iter().map(|e| index.world(&reader, e).unwrap()).collect();
    let doors = |i: usize| worlds[i].doors.clone().into_iter().collect::<Vec<_>>();
    assert_eq!(doors(0), []);
    assert_eq!(doors(1), [((25, 0), true), ((31, 6), true)]);
    assert_eq!(doors(3), [((25, 0), false), ((31, 6), true)]);
    let cloudiness = |i: usize| worlds[i].weather.unwrap().cloudiness;
    assert_eq!([0, 1, 2, 3].map(cloudiness), [10.0, 10.0, 12.0, 12.0]);
}

#[test]
fn parents_change() {
    let file = fixture("reparent");
    let reader = Reader::new(&file).unwrap();
    let index = FrameIndex::scan(&reader).unwrap();
    let parent = |frame: u64, id: u32| {
        let world = index.world(&reader, index.frame(frame).unwrap()).unwrap();
        world.actors[&id].parent
    };
    assert_eq!([1, 2, 3, 4, 6].map(|frame| parent(frame, 40).unwrap()), [25, 26, 26, 0, 0]);
    assert_eq!([3, 4].map(|frame| parent(frame, 41).unwrap()), [25, 4711]);
    assert_eq!([4, 5].map(|frame| parent(frame, 42)), [None, Some(43)]);
    assert_eq!([5, 6].map(|frame| parent(frame, 44)), [None, Some(44)]);
}

#[test]
fn an_actor_that_appears_again_is_another() {
    let file = fixture("duplicate_add");
    let reader = Reader::new(&file).unwrap();
    let scene = Scene::read(&reader).unwrap();
    let cars: Vec<_> = scene.actors().iter().filter(|a| a.id == 25).collect();
    let lives: Vec<_> =
        cars.iter().map(|a| (a.type_id.as_str(), a.created.frame, a.destroyed.map(|m| m.frame))).collect();
    let wanted = [
        ("vehicle.tesla.model3", 1, Some(1)),
        ("vehicle.audi.tt", 1, Some(3)),
        ("vehicle.lincoln.mkz_2017", 3, None),
    ];
    assert_eq!(lives, wanted);
}

#[test]
fn scenes_answer_what_metrics_logs_answer() {
    let file = fixture("v0_9_12_wheel48");
    let reader = Reader::new(&file).unwrap();
    let scene = Scene::read(&reader).unwrap();
    assert_eq!(scene.frames().len(), 4);
    assert_eq!(scene.hero().unwrap().id, 25);
    assert_eq!(scene.actors().iter().map(|a| a.id).collect::<Vec<_>>(), (24..=31).collect::<Vec<_>>());
    assert_eq!(scene.actor(27).unwrap().destroyed.unwrap().frame, 4);
    assert_eq!(scene.actor(25).unwrap().destroyed, None);
    let moment = Moment { frame: 2, elapsed: 0.0625 };
    let episode = Episode { actor1: 25, actor2: 26, first: moment, last: moment, records: 2, hero: true };
    assert_eq!(scene.collisions(), [episode]);

    // The car: half a metre a frame, a quarter of a centimetre to the left.
    let track = scene.track(25).unwrap();
    assert_eq!(track.iter().map(|s| s.moment.frame).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for (i, state) in track.iter().enumerate() {
        let t = i as f64;
        let pose = state.pose.unwrap();
        assert!(near(pose.position, [2.5 + 0.5 * t, 0.24 + 0.0025 * t, 0.0625]), "{pose:?}");
        let (roll, pitch, yaw) = pose.orientation.euler_angles();
        let want = [0.25_f64, 0.5, 155.0 - t].map(f64::to_radians);
        assert!(near(Vector3::new(roll, pitch, yaw), want), "{roll} {pitch} {yaw}");
        assert!(near(state.velocity.unwrap(), [8.0, 0.25, 0.0]));
        assert!(near(state.angular_velocity.unwrap(), [0.0, 0.0, -45.5_f64.to_radians()]));
        // It keeps its speed.
        assert_eq!(state.acceleration, (i > 0).then(Vector3::zeros));
        let control = state.control.unwrap();
        assert_eq!((control.steer, control.throttle, control.gear), (0.25, 0.75, 1));
        assert_eq!(state.lights.unwrap().flags, 0x109);
        assert_eq!((state.walker, state.biker, state.traffic_light), (None, None, None));
    }
    // Its velocity is NaN in frame 3, and so are the changes before and after.
    let bicycle = scene.track(26).unwrap();
    let is_nan = |i: usize| bicycle[i].acceleration.map(|a| a.x.is_nan());
    assert_eq!([0, 1, 2, 3].map(is_nan), [None, Some(false), Some(true), Some(true)]);

    let walker = scene.track(27).unwrap();
    assert_eq!(walker.iter().map(|s| s.walker.unwrap().speed).collect::<Vec<_>>(), [115.0, 116.0, 117.0]);
    let light = scene.track(28).unwrap();
    let states: Vec<_> = light.iter().map(|s| s.traffic_light.unwrap()).collect();
    assert_eq!(
        states.iter().map(|s| (s.state, s.frozen)).collect::<Vec<_>>(),
        [(0, false), (1, false), (2, true), (3, false)]
    );
    assert!(scene.track(4711).unwrap().is_empty());

    // The states of one frame match those of all frames.
    let mut tracks: BTreeMap<u32, Vec<State>> = BTreeMap::new();
    for entry in scene.frames() {
        for (id, state) in scene.states(entry).unwrap() {
            tracks.entry(id).or_default().push(state);
        }
    }
    assert_eq!(tracks.keys().copied().collect::<Vec<_>>(), [24, 25, 26, 27, 28, 31]);
    for (id, states) in tracks {
        // As text: NaN differs from itself.
        assert_eq!(format!("{states:?}"), format!("{:?}", scene.track(id).unwrap()), "{id}");
    }

    let physics = |id| scene.physics(id).unwrap();
    let (car, bicycle) = (physics(25).unwrap(), physics(26).unwrap());
    assert_eq!((car.scalars.mass, car.forward_gears.len(), car.wheels.iter().count()), (1525.0, 5, 4));
    assert_eq!((bicycle.scalars.mass, bicycle.forward_gears.len()), (1526.0, 1));
    let wheel = car.wheels.iter().next().unwrap();
    assert_eq!((wheel.radius, wheel.lateral_stiffness_max_load, wheel.x), (35.5, 17.0, 140.25));
    assert!(physics(31).is_none());

    let unreal = Scene::read(&reader).unwrap().with_axes(Axes::Unreal);
    let state = &unreal.track(25).unwrap()[1];
    assert_eq!(state.pose.unwrap().position, Vector3::new(300.0, -24.25, 6.25));
    assert_eq!(state.velocity, Some(Vector3::new(8.0, -0.25, 0.0)));
    assert_eq!(state.angular_velocity, Some(Vector3::new(0.0, 0.0, 45.5)));
}

#[test]
fn collisions_are_merged_into_episodes() {
    let file = fixture("collisions");
    let reader = Reader::new(&file).unwrap();
    let scene = Scene::read(&reader).unwrap();
    let episode = |a: u32, b: u32| {
        let of = |e: &&Episode| (e.actor1, e.actor2) == (a, b);
        let list = scene.collisions().iter().filter(of);
        list.map(|e| (e.first.frame, e.last.frame, e.records, e.hero)).collect::<Vec<_>>()
    };
    // Reported twice from both sides, and once from one.
    assert_eq!(episode(25, 26), [(2, 4, 5, true), (6, 6, 1, true), (10, 10, 1, true)]);
    assert_eq!(episode(25, NO_ACTOR), [(3, 3, 1, true), (5, 5, 1, true)]);
    assert_eq!(episode(29, 31), [(5, 6, 2, false)]);
    assert_eq!(episode(25, 27), [(7, 8, 3, true)]);
    assert_eq!(scene.collisions().len(), 10);
    assert!(scene.collisions().is_sorted_by_key(|e| e.first.frame));
    assert_eq!(scene.collisions()[0].first.elapsed, 0.0625);
}

/// Recordings without additional data hold no velocities: they are derived from the poses, and marked so.
#[test]
fn velocities_follow_from_poses_where_there_are_none() {
    let file = fixture("v0_9_6");
    let reader = Reader::new(&file).unwrap();
    // Centimetres and seconds, as in the packets.
    let mut places = Vec::new();
    for frame in Frames::new(&reader).map(Result::unwrap) {
        let Some(Ok(Payload::Position(rows))) = frame.payload(6) else { panic!("no positions") };
        places.push((frame.start().elapsed, rows.of(25).unwrap().location));
    }
    for axes in [Axes::Ros, Axes::Unreal] {
        let sign = if axes == Axes::Ros { -1.0 } else { 1.0 };
        let scene = Scene::read(&reader).unwrap().with_axes(axes);
        let track = scene.track(25).unwrap();
        assert_eq!((track[0].velocity, track[0].velocity_from), (None, None));
        let (mut last, mut made) = (None, 0);
        for (state, pair) in track[1..].iter().zip(places.windows(2)) {
            let [(t, a), (u, b)] = [pair[0], pair[1]];
            let metres = [b.x - a.x, sign * (b.y - a.y), b.z - a.z].map(|v| v / 100.0 / (u - t));
            // In a longer frame actors move by as much as in 0.1 s.
            if u - t > 0.1 {
                assert_eq!((state.velocity, state.velocity_from, state.acceleration), (None, None, None));
                last = None;
                continue;
            }
            let velocity = state.velocity.unwrap();
            assert!(near(velocity, metres), "{velocity:?} {metres:?}");
            assert_eq!(state.velocity_from, Some(VelocityFrom::Poses));
            let change = last.map(|last: Vector3<f64>| (velocity - last) / (u - t));
            assert_eq!(state.acceleration.is_some(), change.is_some());
            assert!(state.acceleration.zip(change).is_none_or(|(a, b)| (a - b).norm() < 1e-9));
            (last, made) = (Some(velocity), made + 1);
        }
        assert_eq!(made, 2, "of frames of 1/16, 1/8 and 1/16 s");
        assert!(track.iter().filter_map(|state| state.velocity).any(|v| v.norm() > 3.0));
        for (state, entry) in track.iter().zip(scene.frames()) {
            assert_eq!(scene.states(entry).unwrap()[&25], *state, "frame {}", entry.frame);
        }
    }
    let file = fixture("v0_9_12_wheel48");
    let reader = Reader::new(&file).unwrap();
    let track = Scene::read(&reader).unwrap().track(25).unwrap();
    assert!(track.iter().all(|state| state.velocity_from == Some(VelocityFrom::Kinematics)));
}

/// The median relative change of speed of moving actors between frames.
fn usual_change(speeds: impl Iterator<Item = Option<f64>>) -> (f64, usize) {
    let speeds: Vec<Option<f64>> = speeds.collect();
    let pairs = speeds.windows(2).filter_map(|pair| Some((pair[0]?, pair[1]?)));
    let mut changes: Vec<f64> =
        pairs.filter(|(a, b)| *a > 2.0 && *b > 2.0).map(|(a, b)| (a - b).abs() / a).collect();
    changes.sort_by(f64::total_cmp);
    (changes.get(changes.len() / 2).copied().unwrap_or_default(), changes.len())
}

/// A car does not go from 17.7 to 5.4 m/s within a frame: poses of the recorder of 0.9.6 are those of the previous
/// frame.
#[test]
fn derived_speeds_are_of_the_interval_in_which_the_way_was_driven() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    for (name, is_late) in
        [("2762.rec", true), ("DistanceToLaneCenter_2020-09.log", false), ("crash.log", false)]
    {
        let Ok(file) = std::fs::read(dir.join(name)) else { continue };
        let reader = Reader::new(&file).unwrap();
        let scene = Scene::read(&reader).unwrap();
        assert_eq!(scene.has_late_poses(), is_late, "{name}");
        let mut compared = 0;
        let vehicles: Vec<_> = scene.actors().iter().filter(|a| a.kind == ActorKind::VEHICLE).collect();
        for actor in vehicles {
            let track = scene.track(actor.id).unwrap();
            let (change, n) = usual_change(track.iter().map(|state| state.velocity.map(|v| v.norm())));
            assert!(n < 20 || change < 0.05, "{name}, actor {}: {change}", actor.id);
            compared += n;
            if let Some(state) = track.get(30) {
                let entry = scene.frames().iter().find(|entry| entry.frame == state.moment.frame).unwrap();
                let again = scene.states(entry).unwrap()[&actor.id];
                assert_eq!(
                    (again.velocity, again.acceleration),
                    (state.velocity, state.acceleration),
                    "{name}"
                );
            }
        }
        println!("{name}: {compared} changes of speed");
        assert!(compared > 100, "{name}: {compared}");
    }
}
