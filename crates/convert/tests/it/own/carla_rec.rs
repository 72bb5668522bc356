//! CARLA actors.

use robolog_convert::{
    Outcome::{LeftOut, Written},
    Sink as _,
    sink::carla_rec::{CarlaOptions, CarlaRec},
};
use robolog_core::{Clock, Pose, Value};

use super::{MS, T, near, odometry, on, put, read, sample};

#[test]
fn trajectories_are_actors_in_unreals_axes() {
    let mut sink = CarlaRec::new(Vec::new(), CarlaOptions::default());
    let half = std::f64::consts::FRAC_PI_2;
    let took = put(
        &mut sink,
        [
            sample("robot", Some(T), odometry([1.5, 2.0, 0.25], half, [3.0, 0.0, 0.0])),
            sample("actor_7/poses", Some(T), Value::Pose(Pose::from_euler([-10.0, 0.0, 0.0], 0.0, 0.1, 0.0))),
            sample("robot", Some(T), odometry([9.0, 9.0, 9.0], 0.0, [0.0; 3])),
            sample("robot", Some(T + 100 * MS), odometry([1.5, 2.3, 0.25], half, [3.0, 0.0, 0.0])),
            sample("actor_7/poses", Some(T + 50 * MS), Value::Pose(Pose::identity())),
            sample("robot", None, Value::Pose(Pose::identity())),
            on(Clock::Device, "robot", Some(T + 200 * MS), Value::Pose(Pose::identity())),
            sample(
                "robot",
                Some(T + 200 * MS),
                Value::Pose(Pose::from_euler([f64::NAN, 0.0, 0.0], 0.0, 0.0, 0.0)),
            ),
            sample("robot", Some(T + 200 * MS), Value::Text("no pose".into())),
        ],
    );
    assert_eq!(took, [Written, Written, LeftOut, Written, LeftOut, LeftOut, LeftOut, LeftOut, LeftOut]);
    assert!(sink.advice().is_some());
    let file = sink.into_inner().unwrap().unwrap();
    // Version, length and text of the magic, date, length and name of the map.
    assert_eq!(file[..18], *b"\x01\0\x0e\0CARLA_RECORDER");
    assert_eq!(file[18..31], [&1_767_323_045_i64.to_le_bytes()[..], b"\x03\0map"].concat());
    let mut at = 31;
    let mut packets = Vec::new();
    while at < file.len() {
        let size = usize::try_from(u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap())).unwrap();
        packets.push((file[at], &file[at + 5..at + 5 + size]));
        at += 5 + size;
    }
    let starts: Vec<_> = packets.iter().filter(|(id, _)| *id == 0).map(|(_, body)| *body).collect();
    let double = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
    assert_eq!(starts.len(), 2);
    assert!(
        near(double(&starts[0][16..24]), 0.006_007_008, 1e-12) && near(double(&starts[0][8..16]), 0.1, 1e-9)
    );
    let positions = packets.iter().find(|(id, _)| *id == 6).unwrap().1;
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    // Centimetres, y to the right; roll, pitch, yaw in degrees, and positive pitch lifts the nose.
    assert_eq!(positions[..2], [2, 0]);
    assert_eq!(positions[2..6], 1_u32.to_le_bytes());
    let first = floats(&positions[6..30]);
    let want = [150.0, -200.0, 25.0, 0.0, 0.0, -90.0];
    assert!(first.iter().zip(want).all(|(a, b)| near((*a).into(), b, 1e-4)), "{first:?}");
    assert_eq!(positions[30..34], 7_u32.to_le_bytes());
    let second = floats(&positions[34..58]);
    let want = [-1000.0, 0.0, 0.0, 0.0, -0.1_f64.to_degrees(), 0.0];
    assert!(second.iter().zip(want).all(|(a, b)| near((*a).into(), b, 1e-4)), "{second:?}");
    let back = read::<::carla_rec::CarlaRec>(&file);
    let poses: Vec<_> = back.iter().filter(|sample| matches!(sample.value, Value::Odometry(_))).collect();
    assert_eq!(
        (poses.len(), &*poses[0].channel, poses[2].time.unwrap().nanos()),
        (3, "actor_1/poses", T + 100 * MS)
    );
    let Value::Odometry(odometry) = &poses[2].value else { panic!() };
    let (p, v) = (odometry.pose.position, odometry.twist.unwrap().linear);
    assert!(near(p.y, 2.3, 1e-6) && near(v.x, 3.0, 1e-5) && near(v.y, 0.0, 1e-5), "{odometry:?}");
    assert!(file.windows(9).any(|w| w == b"role_name") && file.windows(5).any(|w| w == b"robot"));
}
