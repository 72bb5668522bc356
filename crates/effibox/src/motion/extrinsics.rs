//! Mounts of the sensors on the vehicle and their interfaces: the calibration page's rough values.
//!
//! The vehicle's frame has its origin in the middle of the rear axle, x forward, y left along the axle, z up. Angles
//! are about fixed axes: roll, then pitch, then yaw.
//!
//! # Frames of the lasers
//!
//! The page gives its sensors camera-like frames. Those of the cameras are the usual optical ones: x right, y down, z
//! forward. Those of the lasers have x forward, y down and z left, so that a scan lies in their x-z plane. Samples hold
//! scans as ROS does, in the x-y plane of a frame with x forward, y left and z up. [`Mount::pose`] and
//! [`Mount::transform`] give that frame: the page's rotation, then a quarter turn about x. The horizontal laser's frame
//! then has no rotation at all.
//!
//! No document gives the order of the two angles of the inclined laser, -90 and -20 degrees. About fixed axes, as for
//! the cameras, the second one turns the laser about the vertical and its plane stays level. Read as a turn of 20
//! degrees about the laser's own z axis, the forward beam falls and meets the ground 5.75 m along the beam, which is
//! the purpose of an inclined laser: this reading is used. The opposite turn would raise the beam.

use std::f64::consts::{FRAC_PI_2, PI};

use robolog_core::{Pose, Transform};

/// Mount of a sensor, as on the calibration page.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mount {
    /// The sensor's name on the calibration page.
    pub alias: &'static str,
    /// Its interface, if the page of formats names it.
    pub interface: Option<&'static str>,
    /// Position in the vehicle's frame, metres.
    pub position: [f64; 3],
    /// Roll, pitch and yaw in radians about fixed axes.
    pub rotation: [f64; 3],
}

impl Mount {
    /// The mount of the sensor with this name.
    pub fn of(alias: &str) -> Option<&'static Self> {
        MOUNTS.iter().find(|mount| mount.alias == alias)
    }

    /// The mount of the sensor with this interface.
    pub fn of_interface(id: &str) -> Option<&'static Self> {
        MOUNTS.iter().find(|mount| mount.interface == Some(id))
    }

    /// The pose of the samples' frame in the vehicle's frame: the optical frame of a camera; for a laser the frame of
    /// its scans, x forward, y left and z up (see the [module](self)).
    pub fn pose(&self) -> Pose {
        let [roll, pitch, yaw] = self.rotation;
        if self.is_laser() {
            // Roll and the quarter turn cancel; a turn about the laser's z, which points left, is a pitch.
            return Pose::from_euler(self.position, roll + FRAC_PI_2, pitch - yaw, 0.0);
        }
        Pose::from_euler(self.position, roll, pitch, yaw)
    }

    /// Whether it is a range sensor, whose scans are planar.
    pub fn is_laser(&self) -> bool {
        self.alias.ends_with("-laser")
    }

    /// The pose as a transform from the vehicle's frame, `base_link`.
    pub fn transform(&self) -> Transform {
        Transform { child_frame_id: self.alias.to_owned(), pose: self.pose() }
    }
}

const AHEAD: [f64; 3] = [-FRAC_PI_2, 0.0, -FRAC_PI_2];
const LEVEL: [f64; 3] = [0.0, 0.0, 0.0];

const fn mount(
    alias: &'static str,
    interface: &'static str,
    position: [f64; 3],
    rotation: [f64; 3],
) -> Mount {
    Mount { alias, interface: Some(interface), position, rotation }
}

const CAN: &str = "Bus_InterfaceCan_can0";

/// All sensors on the calibration page.
pub static MOUNTS: [Mount; 13] = [
    mount("f-l-cam", "Bus_InterfaceCamera_2672909685359666", [1.525, 0.25, 1.665], AHEAD),
    mount("f-r-cam", "Bus_InterfaceCamera_2672909685359667", [1.525, -0.25, 1.665], AHEAD),
    mount("b-cam", "Bus_InterfaceCamera_2672909685359670", [-0.325, 0.1, 1.67], [FRAC_PI_2, 0.0, -FRAC_PI_2]),
    mount("f-m-cam", "Bus_InterfaceCamera_2892819404705840", [1.5, 0.0, 1.665], AHEAD),
    mount("cata-cam", "Bus_InterfaceCamera_13602058368439990", [0.595, -0.05, 3.04], [-FRAC_PI_2, 0.0, 0.0]),
    mount("fe-cam", "Bus_InterfaceCamera_13602058368474999", [1.505, 0.1, 1.84], AHEAD),
    mount("web-cam", "Bus_InterfaceCamera__dev_video0", [1.55, 0.0, 1.80], AHEAD),
    mount(
        "hz-laser",
        "Bus_InterfaceRangefinder_172_27_30_21_2112",
        [1.595, 0.0, 0.22],
        [-FRAC_PI_2, 0.0, 0.0],
    ),
    mount(
        "incl-laser",
        "Bus_InterfaceRangefinder_172_27_30_31_2112",
        [1.505, 0.1, 1.965],
        [-FRAC_PI_2, 0.0, -20.0 * PI / 180.0],
    ),
    mount("rtk-gps", "Bus_InterfaceGps__dev_ttyM0", [0.0, 0.0, 1.81], LEVEL),
    mount("lc-gps", "Bus_InterfaceGps__dev_ttyACM0", [0.0, 0.1, 1.81], LEVEL),
    mount("acc", CAN, [0.0, 0.0, 0.56], [PI, PI, 0.0]),
    Mount { alias: "gyro", interface: None, position: [0.0, 0.0, 0.56], rotation: [PI, PI, 0.0] },
];

/// The calibrated forward left camera; the others have rough values.
pub const FORWARD_LEFT_CAMERA_REFINED: Mount = mount(
    "f-l-cam",
    "Bus_InterfaceCamera_2672909685359666",
    [1.6252, 0.2450, 1.7100],
    [-1.5534, 0.0002, -1.5890],
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of a beam, in the vehicle's frame.
    fn beam(alias: &str, degrees: f64, range: f64) -> [f64; 3] {
        let angle = degrees.to_radians();
        let end = nalgebra::Point3::new(range * angle.cos(), range * angle.sin(), 0.0);
        Mount::of(alias).unwrap().pose().isometry().transform_point(&end).coords.into()
    }

    fn assert_near(found: [f64; 3], want: [f64; 3]) {
        assert!(found.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} is not {want:?}");
    }

    // The positions are from xtask/interop/mounts.py, which multiplies plain matrices of the page's values.
    #[test]
    fn the_horizontal_laser_scans_a_horizontal_plane() {
        assert_near(beam("hz-laser", 0.0, 5.0), [6.595, 0.0, 0.22]);
        assert_near(beam("hz-laser", 90.0, 5.0), [1.595, 5.0, 0.22]);
        assert_near(beam("hz-laser", -30.0, 2.0), [3.327_050_807_568_877_3, -1.0, 0.22]);
    }

    #[test]
    fn the_inclined_laser_meets_the_ground_ahead() {
        let along = 5.745_275_646_320_467;
        assert_near(beam("incl-laser", 0.0, along), [6.903_793_129_228_333, 0.1, 0.0]);
        assert_near(beam("incl-laser", 90.0, 5.0), [1.505, 5.1, 1.965]);
        assert_near(beam("incl-laser", -90.0, 5.0), [1.505, -4.9, 1.965]);
    }

    #[test]
    fn a_forward_camera_looks_ahead() {
        let pose = Mount::of("f-m-cam").unwrap().pose();
        // The optical axis is z, x points to the right of the picture and y down.
        let axis = pose.isometry().rotation * nalgebra::Vector3::z();
        assert!((axis - nalgebra::Vector3::x()).norm() < 1e-12, "{axis}");
        let back = Mount::of("b-cam").unwrap().pose().isometry().rotation * nalgebra::Vector3::z();
        assert!((back + nalgebra::Vector3::x()).norm() < 1e-12, "{back}");
        assert_eq!(Mount::of_interface("Bus_InterfaceGps__dev_ttyACM0").unwrap().alias, "lc-gps");
        let refined = FORWARD_LEFT_CAMERA_REFINED.pose().isometry().rotation * nalgebra::Vector3::z();
        assert!((refined - nalgebra::Vector3::x()).norm() < 0.03, "{refined}");
    }
}
