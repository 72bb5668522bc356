//! The columns of poses and motion.

use nalgebra::Vector3;

use super::{Datum, Put, frame, parts};
use crate::{Imu, Odometry, Pose, Transform, Twist, Value};

/// Writes the cells of a pose, a transform, odometry or an inertial measurement.
pub(super) fn cells<'a>(value: &'a Value, frame_id: &'a str, put: Put<'_, 'a>) {
    frame(frame_id, put);
    match value {
        Value::Imu(imu) => inertia(imu, put),
        Value::Odometry(Odometry { child_frame_id, pose: place, twist: motion }) => {
            child(child_frame_id, put);
            pose(place, put);
            twist(motion.as_ref(), put);
        }
        Value::Pose(place) => pose(place, put),
        Value::Transform(transform) => {
            child(&transform.child_frame_id, put);
            pose(&transform.pose, put);
        }
        _ => {}
    }
}

/// One value of each kind.
pub(super) fn empty() -> [Value; 4] {
    let (child_frame_id, pose) = (String::new(), Pose::identity());
    [
        Value::Imu(Imu::default()),
        Value::Odometry(Odometry::new(child_frame_id.clone(), pose)),
        Value::Pose(pose),
        Value::Transform(Transform { child_frame_id, pose }),
    ]
}

fn child<'a>(frame_id: &'a str, put: Put<'_, 'a>) {
    put("child_frame_id", "", Datum::Name(frame_id));
}

fn inertia<'a>(imu: &'a Imu, put: Put<'_, 'a>) {
    let Imu { orientation, angular_velocity, linear_acceleration, more: () } = imu;
    let turn = orientation.map(|q| [q.i, q.j, q.k, q.w]);
    for (name, value) in ["qx", "qy", "qz", "qw"].into_iter().zip(parts(turn)) {
        put(name, "", Datum::Float(value));
    }
    angular(angular_velocity.as_ref(), put);
    for (name, value) in ["ax", "ay", "az"].into_iter().zip(parts(linear_acceleration.map(Into::into))) {
        put(name, "m/s^2", Datum::Float(value));
    }
}

fn angular(velocity: Option<&Vector3<f64>>, put: Put<'_, '_>) {
    for (name, value) in ["wx", "wy", "wz"].into_iter().zip(parts(velocity.map(|w| [w.x, w.y, w.z]))) {
        put(name, "rad/s", Datum::Float(value));
    }
}

fn pose<'a>(pose: &'a Pose, put: Put<'_, 'a>) {
    let (p, q) = (pose.position, pose.orientation);
    for (name, value) in [("x", p.x), ("y", p.y), ("z", p.z)] {
        put(name, "m", Datum::Float(Some(value)));
    }
    for (name, value) in [("qx", q.i), ("qy", q.j), ("qz", q.k), ("qw", q.w)] {
        put(name, "", Datum::Float(Some(value)));
    }
}

fn twist<'a>(twist: Option<&'a Twist>, put: Put<'_, 'a>) {
    for (name, value) in ["vx", "vy", "vz"].into_iter().zip(parts(twist.map(|t| t.linear.into()))) {
        put(name, "m/s", Datum::Float(value));
    }
    angular(twist.map(|t| &t.angular), put);
}
