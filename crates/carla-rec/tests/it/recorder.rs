//! Recordings of trajectories read back as written.

use carla_rec::{
    ActorKind, AttributeList, Axes, Clock, Frames, Header, NewActor, Payload, Pose, Reader, Recorder,
    Release, Scene, StreamReader, Timestamp, Twist,
    layout::{
        Biker, BoundingBox, Collision, Deletion, Door, Parenting, Position, SceneLight, TrafficLightState,
        TrafficLightTimes, VehicleControl, VehicleLights, WalkerSpeed, Weather,
    },
};
use nalgebra::Vector3;
use robolog_core::survey;

/// A recording of three frames for a release.
fn recorded(release: Release) -> Vec<u8> {
    let header = Header::new("Town01", Timestamp::new(1_700_000_000_000_000_000, Clock::Unix), release);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    for i in 0..3_u32 {
        let t = f64::from(i);
        recorder.begin_frame(t * 0.5).unwrap();
        if i == 0 {
            let hero = NewActor::new(25, ActorKind::VEHICLE, "vehicle.tesla.model3")
                .at(&pose(0))
                .attribute("role_name", "hero")
                .attribute("number_of_wheels", "4");
            recorder.add(&hero).unwrap();
            recorder.add(&NewActor::new(26, ActorKind::WALKER, "walker.pedestrian.0001")).unwrap();
            if release >= Release::V0_9_12 {
                recorder.add(&NewActor::new(30, ActorKind::SENSOR, "sensor.other.collision")).unwrap();
                recorder.parent(Parenting { child: 30, parent: 25 }).unwrap();
            }
        }
        recorder.pose(25, &pose(i)).unwrap();
        recorder.position(Position { id: 26, ..Position::default() }).unwrap();
        recorder.traffic_light(TrafficLightState { id: 9, state: 2, ..Default::default() }).unwrap();
        if i == 1 {
            let collision = Collision { sequence: 1, actor1: 25, actor2: 26, hero1: true, hero2: false };
            recorder.collision(collision).unwrap();
        }
        if release >= Release::V0_9_6 {
            recorder
                .control(VehicleControl { id: 25, throttle: 0.5, gear: -1, ..Default::default() })
                .unwrap();
            recorder.walker(WalkerSpeed { id: 26, speed: 150.0 }).unwrap();
        }
        if release >= Release::V0_9_10 {
            recorder.lights(VehicleLights { id: 25, flags: 3 }).unwrap();
            recorder.velocity(25, &twist(i)).unwrap();
            recorder.platform_time(t).unwrap();
            if i == 0 {
                let bounds =
                    BoundingBox { id: 25, extent: [240.0, 100.0, 75.0].into(), ..Default::default() };
                recorder.bounding_box(bounds).unwrap();
                recorder.trigger_volume(BoundingBox { id: 9, ..bounds }).unwrap();
                recorder
                    .traffic_light_times(TrafficLightTimes { id: 9, green: 9.0, ..Default::default() })
                    .unwrap();
                recorder.scene_light(SceneLight { id: -4, on: true, ..Default::default() }).unwrap();
            }
        }
        if release >= Release::V0_9_14 {
            recorder.visual_time(100.0 + t).unwrap();
        }
        if release >= Release::V0_9_15 {
            recorder.biker(Biker { id: 25, speed: 2.0, engine_rotation: 0.5 }).unwrap();
        }
        if release >= Release::Dev2024 {
            recorder.door(Door { id: 25, door: 1, open: i == 1 }).unwrap();
        }
        if release == Release::V0_9_16 && i == 0 {
            recorder.weather(Weather { wetness: 30.0, ..Weather::default() }).unwrap();
        }
        if i == 2 {
            recorder.delete(Deletion { id: 26 }).unwrap();
        }
    }
    recorder.finish().unwrap()
}

fn pose(i: u32) -> Pose {
    let t = f64::from(i);
    Pose::from_euler([1234.5 + t, -67.25 - 3.0 * t, 0.5], 0.01, -0.02 * t, 3.0 - 0.1 * t)
}

fn twist(i: u32) -> Twist {
    let t = f64::from(i);
    Twist { linear: Vector3::new(1.0 + 2.0 * t * t, -0.5, 0.0), angular: Vector3::new(0.1, 0.2, -0.3 * t) }
}

#[test]
fn what_is_recorded_is_read_back() {
    for release in Release::ALL {
        let file = recorded(release);
        let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
        // The traffic light was never added, and the walker moves in the frame that deletes it.
        let is_other = |f: &&robolog_core::Finding| f.code != "unknown-actor";
        let others: Vec<_> = summary.findings.iter().filter(is_other).collect();
        assert!(summary.is_ok() && others.is_empty(), "{release}: {others:?}");
        let named = format!("(as {release})");
        assert!(summary.variant.ends_with(&named), "{release}: {}", summary.variant);
        assert_eq!(summary.details.version, release.version());
        assert_eq!(summary.details.date.as_deref(), Some("2023-11-14T22:13:20Z"));
        assert_eq!(summary.details.heroes, [25]);
        testkit::assert_copies::<carla_rec::CarlaRec>(release.name(), &file);

        let reader = Reader::new(&file).unwrap();
        let scene = Scene::read(&reader).unwrap();
        let times: Vec<_> = scene.frames().iter().map(|f| (f.frame, f.elapsed, f.duration)).collect();
        assert_eq!(times, [(1, 0.0, 0.5), (2, 0.5, 0.5), (3, 1.0, -1.0)], "{release}");
        let track = scene.track(25).unwrap();
        let close = |a: Vector3<f64>, b: Vector3<f64>| (a - b).norm() < 1e-4;
        for (i, state) in (0..).zip(&track) {
            let (got, want) = (state.pose.unwrap(), pose(i));
            assert!(close(got.position, want.position), "{release}: {got:?}");
            assert!(got.orientation.angle_to(&want.orientation) < 1e-6, "{release}: {got:?}");
            if release >= Release::V0_9_6 {
                assert_eq!((state.control.unwrap().throttle, state.control.unwrap().gear), (0.5, -1));
            }
            if release >= Release::V0_9_10 {
                assert!(close(state.velocity.unwrap(), twist(i).linear), "{release}");
                assert!(close(state.angular_velocity.unwrap(), twist(i).angular), "{release}");
            }
        }
        if release >= Release::V0_9_10 {
            // From 1 to 3 to 9 m/s in half a second each.
            let accelerations: Vec<_> = track.iter().map(|s| s.acceleration.map(|a| a.x)).collect();
            assert_eq!(accelerations, [None, Some(4.0), Some(12.0)], "{release}");
        }
        assert_eq!(scene.collisions().len(), 1);
        assert_eq!(scene.actor(26).unwrap().destroyed.unwrap().frame, 3);
        let hero = scene.hero().unwrap();
        assert!(close(Axes::Ros.location(hero.location), pose(0).position), "{release}");
        let world = scene.index().world(&reader, &scene.frames()[1]).unwrap();
        assert_eq!(world.doors.get(&(25, 1)).copied(), (release >= Release::Dev2024).then_some(true));
        assert_eq!(world.weather.is_some(), release == Release::V0_9_16);
        assert_eq!(world.scene_lights.contains_key(&-4), release >= Release::V0_9_10);
    }
}

/// CARLA's recorder writes packets in an order by which they can be distinguished.
#[test]
fn actors_keep_their_attributes() {
    let file = recorded(Release::V0_9_15);
    let reader = Reader::new(&file).unwrap();
    let mut actors = Vec::new();
    for record in reader.records() {
        let Ok(Payload::EventAdd(additions)) = record.unwrap().decode() else { continue };
        for addition in additions {
            let addition = addition.unwrap();
            let list = AttributeList::from(addition.attributes);
            let [mut of_actor, mut of_list] = [Vec::new(), Vec::new()];
            addition
                .attributes
                .into_iter()
                .for_each(|attribute| of_actor.push((attribute.id, attribute.value)));
            list.iter().for_each(|attribute| of_list.push((attribute.id, attribute.value)));
            assert_eq!(of_actor, of_list);
            assert_eq!((list.len(), list.is_empty()), (of_list.len(), of_list.is_empty()));
            assert_eq!(
                (addition.attributes.len(), addition.attributes.is_empty()),
                (list.len(), list.is_empty())
            );
            actors.push((addition.id, of_list.len()));
        }
    }
    assert_eq!(actors, [(25, 2), (26, 0), (30, 0)]);
}

#[test]
fn recorded_packets_stand_in_the_order_of_the_simulator() {
    let wanted: [(Release, &[u8]); 5] = [
        (Release::V0_9_4, &[0, 2, 3, 4, 5, 6, 7, 1]),
        (Release::V0_9_6, &[0, 2, 3, 4, 5, 6, 7, 8, 9, 1]),
        (Release::V0_9_15, &[0, 20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 12, 13, 17, 14, 16, 1]),
        (Release::Dev2024, &[0, 20, 2, 3, 4, 5, 21, 6, 7, 8, 9, 10, 11, 23, 12, 13, 17, 14, 16, 1]),
        (Release::V0_9_16, &[0, 20, 2, 3, 4, 5, 23, 6, 7, 8, 9, 10, 11, 22, 24, 12, 13, 17, 14, 16, 1]),
    ];
    for (release, wanted) in wanted {
        let file = recorded(release);
        let reader = Reader::new(&file).unwrap();
        let first = Frames::new(&reader).next().unwrap().unwrap();
        assert_eq!(first.packets().map(|p| p.unwrap().id()).collect::<Vec<_>>(), wanted, "{release}");
    }
}

fn recorder(release: Release) -> Recorder<Vec<u8>> {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), release);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    recorder.begin_frame(0.0).unwrap();
    recorder
}

/// A refused record leaves the recording before it intact.
fn assert_refused(mut recorder: Recorder<Vec<u8>>, what: &str) {
    let error = recorder.begin_frame(0.5).expect_err(what);
    assert!(error.to_string().contains(what), "{error}");
    let file = recorder.finish().unwrap();
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    assert!(summary.is_ok() && summary.details.frames == 0, "{what}: {:?}", summary.findings);
}

#[test]
fn what_a_release_does_not_know_is_refused() {
    for release in [Release::V0_9_4, Release::V0_9_14, Release::V0_9_15] {
        let mut recorder = recorder(release);
        recorder.door(Door::default()).unwrap();
        assert_refused(recorder, "VehicleDoor");
    }
    for release in [Release::V0_9_4, Release::V0_9_6, Release::V0_9_10, Release::V0_9_14] {
        let mut recorder = recorder(release);
        recorder.biker(Biker::default()).unwrap();
        assert_refused(recorder, "AnimBiker");
    }
    for release in [Release::V0_9_15, Release::Dev2024, Release::Ue5] {
        let mut recorder = recorder(release);
        recorder.weather(Weather::default()).unwrap();
        assert_refused(recorder, "Weather");
    }
    let mut old = recorder(Release::V0_9_6);
    old.lights(VehicleLights::default()).unwrap();
    assert_refused(old, "lights");
    let mut old = recorder(Release::V0_9_4);
    old.velocity(1, &twist(1)).unwrap();
    assert_refused(old, "additional data");
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut full = recorder(Release::V0_9_15);
    for id in 0..65_535 {
        full.position(Position { id, ..Position::default() }).unwrap();
        full.add(&NewActor::new(id, ActorKind::OTHER, "")).unwrap();
    }
    assert!(full.add(&NewActor::new(1 << 20, ActorKind::OTHER, "")).is_err(), "65536 actors");
    let file = full.finish().unwrap();
    let reader = Reader::new(&file).unwrap();
    let frame = Frames::new(&reader).next().unwrap().unwrap();
    let Some(Ok(Payload::Position(rows))) = frame.payload(6) else { panic!("no positions") };
    assert_eq!((rows.len(), rows.ids().last()), (65_535, Some(65_534)));

    let mut many = recorder(Release::V0_9_15);
    for id in 0..=65_535 {
        many.position(Position { id, ..Position::default() }).unwrap();
    }
    assert_refused(many, "65536");

    let mut recorder = recorder(Release::V0_9_15);
    for elapsed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(recorder.begin_frame(elapsed).is_err(), "{elapsed}");
    }
    recorder.begin_frame(0.25).unwrap();
    let long = "x".repeat(65_536);
    assert!(recorder.add(&NewActor::new(1, ActorKind::OTHER, long.clone())).is_err());
    assert!(recorder.add(&NewActor::new(1, ActorKind::OTHER, "x").attribute("y", long)).is_err());
    let file = recorder.finish().unwrap();
    let reader = Reader::new(&file).unwrap();
    let frames: Vec<_> = Frames::new(&reader).map(|f| f.unwrap().start()).collect();
    assert_eq!(frames.iter().map(|f| f.duration).collect::<Vec<_>>(), [0.25, -1.0]);

    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_15);
    let mut early = Recorder::new(Vec::new(), &header).unwrap();
    assert!(early.pose(1, &pose(1)).is_err(), "before the first frame");
}
