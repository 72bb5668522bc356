//! Rows of the vehicle's own sensors, of dead reckoning, scans and clocks.

use robolog_core::{Odometry, Pose};

use super::table_row;

table_row! {
    /// A row of `_Motor.txt`: the encoder of the motor.
    ///
    /// [`crate::motion::constants`] converts the raw columns.
    Motor, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Time between two readings of the counter, in a unit that the documentation does not give.
    dt_odo: f64 = "dt_odo_motor" "",
    /// Metres per second. Whether it is negative backward is unknown: see [`direction`](Self::direction).
    velocity: f64 = "transl_vel" "m/s",
    /// Metres travelled.
    distance: f64 = "distance_odo" "m",
    /// 0 at rest, 1 forward, 2 backward.
    direction_code: i64 = "direction" "",
    /// Raw value of the motor's odometry.
    raw_speed: i64 = "raw_speed" "",
    /// The counter of the encoder.
    raw_odom: i64 = "raw_odom" "",
}

/// Direction of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Direction {
    /// 0: at rest.
    Rest,
    /// 1: forward.
    Forward,
    /// 2: backward.
    Backward,
}

impl Motor {
    /// Direction of motion; `None` for a number that the documentation does not list.
    pub fn direction(&self) -> Option<Direction> {
        match self.direction_code {
            0 => Some(Direction::Rest),
            1 => Some(Direction::Forward),
            2 => Some(Direction::Backward),
            _ => None,
        }
    }

    /// Metres per second, negative backward, whatever sign the file gives.
    pub fn signed_velocity(&self) -> f64 {
        if self.direction() == Some(Direction::Backward) { -self.velocity.abs() } else { self.velocity }
    }
}

table_row! {
    /// A row of `_Steering.txt`: the encoder of the steering.
    Steering, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Radians.
    angle: f64 = "steering_angle" "rad",
    /// The encoder's value, 16 bits with a sign.
    raw_angle: i64 = "raw_steering_angle" "",
}

table_row! {
    /// A row of `_Wheels.txt`: the encoders of the rear wheels.
    Wheels, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Time between two readings of the right counter, in a unit that the documentation does not give.
    dt_right: f64 = "dt_odo_right" "",
    /// Radians per second by the documentation, whose own constants give metres per second.
    speed_right: f64 = "speed_right" "rad/s",
    /// Metres.
    distance_right: f64 = "dist_right" "m",
    /// Time between two readings of the left counter.
    dt_left: f64 = "dt_odo_left" "",
    /// As [`speed_right`](Self::speed_right).
    speed_left: f64 = "speed_left" "rad/s",
    /// Metres.
    distance_left: f64 = "dist_left" "m",
    /// Raw speed of the right wheel.
    raw_speed_right: i64 = "raw_speed_right" "",
    /// The right counter.
    raw_odo_right: i64 = "raw_odo_right" "",
    /// Raw speed of the left wheel.
    raw_speed_left: i64 = "raw_speed_left" "",
    /// The left counter.
    raw_odo_left: i64 = "raw_odo_left" "",
}

table_row! {
    /// A row of `_Acc.txt`: three accelerometers.
    Acc, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Metres per second squared along the sensor frame's x axis, as in the file. How the three directions are combined
    /// is not published.
    x: f64 = "accX" "m/s^2",
    /// The same along y.
    y: f64 = "accY" "m/s^2",
    /// The same along z.
    z: f64 = "accZ" "m/s^2",
    /// Metres per second squared in the first accelerometer's direction.
    acc1: f64 = "acc1" "m/s^2",
    /// In the direction of the second.
    acc2: f64 = "acc2" "m/s^2",
    /// In the direction of the third.
    acc3: f64 = "acc3" "m/s^2",
    /// Raw value of the first accelerometer, 16 bits.
    raw1: i64 = "raw_acc1" "",
    /// Raw value of the second.
    raw2: i64 = "raw_acc2" "",
    /// Raw value of the third.
    raw3: i64 = "raw_acc3" "",
}

table_row! {
    /// A row of `_Gyro.txt`: the gyrometer.
    Gyro, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Radians per second about the vertical axis.
    wz: f64 = "wz" "rad/s",
    /// Degrees Celsius.
    temperature: f64 = "temp" "degC",
    /// Raw value of the gyrometer, 16 bits.
    raw_wz: i64 = "raw_wz" "",
    /// Raw value of the thermometer, 16 bits.
    raw_temperature: i64 = "raw_temp" "",
}

table_row! {
    /// A row of `_DeadReckoned_Poses.txt` or `_DeadReckoned_Poses2.txt`.
    ///
    /// The frame's origin is the vehicle's start. The heading is arbitrary; it matches no map frame.
    DeadReckoned, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Metres.
    x: f64 = "x" "m",
    /// Metres.
    y: f64 = "y" "m",
    /// Radians, counter-clockwise.
    theta: f64 = "theta" "rad",
}

impl DeadReckoned {
    /// The pose of the middle of the rear axle.
    pub fn odometry(&self) -> Odometry {
        let pose = Pose::from_euler([self.x, self.y, 0.0], 0.0, 0.0, self.theta);
        Odometry::new("base_link", pose)
    }
}

table_row! {
    /// A row of a scan.
    Impact, digits 6, time |_| None;
    /// Radians.
    angle: f64 = "angle" "rad",
    /// Metres.
    distance: f64 = "distance" "m",
}

table_row! {
    /// A row of `ntpupdate.log`.
    NtpUpdate, digits 15, time |_| None;
    /// Time of the clock's adjustment: seconds of unix time, as `ntpdate` has them.
    abs_time: f64 = "AbsTime" "s",
    /// Adjustment, in seconds.
    offset: f64 = "offset" "s",
}
