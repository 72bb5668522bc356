//! Planar laser scanners: the type determines what the log omits.

use std::f64::consts::TAU;

use robolog_core::LaserScan;

use crate::LaserData;

/// A scanner's beams and range, as specified by the manufacturer.
///
/// ```
/// use koblenz_log::LaserModel;
/// let model = LaserModel::URG_04LX;
/// assert_eq!(model.angle(model.front_step), 0.0);
/// let scan = model.geometry(682); // all steps
/// assert_eq!(scan.angle_min.to_degrees().round(), -120.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaserModel {
    /// Its name.
    pub name: &'static str,
    /// Steps per full turn.
    pub steps_per_turn: u32,
    /// The first step measured.
    pub first_step: u32,
    /// The last step measured.
    pub last_step: u32,
    /// The step that points forward.
    pub front_step: u32,
    /// Minimum range, millimetres: numbers below it are error codes.
    pub least: u32,
    /// Maximum range, millimetres.
    pub greatest: u32,
    /// Microseconds per turn; one scan per turn.
    pub turn_us: u32,
}

impl LaserModel {
    /// Hokuyo URG-04LX. From the sensor's answer to the SCIP command `PP`: `DMIN:20`, `DMAX:5600`, where the data sheet
    /// (Hokuyo C-42-3389) guarantees 4 m, and `SCAN:600` turns per minute, 100 ms per scan.
    pub const URG_04LX: Self = Self {
        name: "URG-04LX",
        steps_per_turn: 1024,
        first_step: 44,
        last_step: 725,
        front_step: 384,
        least: 20,
        greatest: 5600,
        turn_us: 100_000,
    };

    /// Hokuyo UTM-30LX. From its data sheet (Hokuyo C-42-3615): 25 ms per scan.
    pub const UTM_30LX: Self = Self {
        name: "UTM-30LX",
        steps_per_turn: 1440,
        first_step: 0,
        last_step: 1080,
        front_step: 540,
        least: 23,
        greatest: 60_000,
        turn_us: 25_000,
    };

    /// The model named by a sensor's type, such as `Hokuyo URG 04LX`.
    pub fn from_type(sensor_type: &[u8]) -> Option<Self> {
        let plain: Vec<u8> =
            sensor_type.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_uppercase).collect();
        [Self::URG_04LX, Self::UTM_30LX].into_iter().find(|model| {
            let name: Vec<u8> = model.name.bytes().filter(u8::is_ascii_alphanumeric).collect();
            plain.windows(name.len()).any(|window| window == name)
        })
    }

    /// The step of the first of `beams` beams, and whether it is known. A scan of all steps, or all but the last,
    /// begins at the first step; one with a beam for each step from 0 to the last begins at 0; for any other number the
    /// beams are assumed to be centred on the front.
    pub fn first_step_of(self, beams: usize) -> (u32, bool) {
        let beams = u32::try_from(beams).unwrap_or(u32::MAX);
        let all = self.last_step.saturating_sub(self.first_step).saturating_add(1);
        if beams == all || beams.checked_add(1) == Some(all) {
            return (self.first_step, true);
        }
        if self.last_step.checked_add(1) == Some(beams) {
            return (0, true);
        }
        (self.front_step.saturating_sub(beams / 2), false)
    }

    /// Angle of a step, radians counter-clockwise from forward.
    pub fn angle(self, step: u32) -> f64 {
        (f64::from(step) - f64::from(self.front_step)) * TAU / f64::from(self.steps_per_turn)
    }

    /// The angles of a scan of `beams` beams.
    pub fn geometry(self, beams: usize) -> LaserGeometry {
        LaserGeometry {
            angle_min: self.angle(self.first_step_of(beams).0),
            angle_increment: TAU / f64::from(self.steps_per_turn),
            range_min: f64::from(self.least) / 1000.0,
            range_max: f64::from(self.greatest) / 1000.0,
            time_increment: f64::from(self.turn_us) / f64::from(self.steps_per_turn) / 1e6,
            scan_time: f64::from(self.turn_us) / 1e6,
        }
    }
}

/// Angles, ranges and times of a scanner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaserGeometry {
    /// Angle of the first beam, radians counter-clockwise from forward.
    pub angle_min: f64,
    /// Angle between neighbouring beams, radians.
    pub angle_increment: f64,
    /// Metres; smaller values are not ranges.
    pub range_min: f64,
    /// Metres.
    pub range_max: f64,
    /// Seconds between neighbouring beams; 0 if unknown.
    pub time_increment: f64,
    /// Seconds between scans; 0 if unknown.
    pub scan_time: f64,
}

impl LaserGeometry {
    /// A scanner of unknown type: it has ranges, but their directions and limits are NaN.
    pub const UNKNOWN: Self = Self {
        angle_min: f64::NAN,
        angle_increment: f64::NAN,
        range_min: f64::NAN,
        range_max: f64::NAN,
        time_increment: 0.0,
        scan_time: 0.0,
    };
}

impl LaserData<'_> {
    /// Writes the ranges to `scan`: metres, NaN for values below the minimum range unless `keep_codes`.
    #[expect(clippy::cast_possible_truncation, reason = "LaserScan holds single precision")]
    pub fn scan_into(&self, geometry: LaserGeometry, keep_codes: bool, scan: &mut LaserScan) {
        scan.angle_min = geometry.angle_min as f32;
        scan.angle_increment = geometry.angle_increment as f32;
        scan.range_min = geometry.range_min as f32;
        scan.range_max = geometry.range_max as f32;
        scan.time_increment = geometry.time_increment as f32;
        scan.scan_time = geometry.scan_time as f32;
        let metres = |millimetres: u32| {
            let metres = f64::from(millimetres) / 1000.0;
            if metres < geometry.range_min && !keep_codes { f32::NAN } else { metres as f32 }
        };
        scan.ranges.clear();
        scan.ranges.extend(self.distances().map(metres));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_follow_from_the_type_and_the_number_of_beams() {
        let urg = LaserModel::from_type(b"Hokuyo URG 04LX").unwrap();
        assert_eq!(urg, LaserModel::URG_04LX);
        assert_eq!(LaserModel::from_type(b"hokuyo utm-30lx-ew").unwrap().name, "UTM-30LX");
        assert_eq!(LaserModel::from_type(b"SICK LMS 200"), None);
        for (beams, first, known) in
            [(682, 44, true), (681, 44, true), (726, 0, true), (512, 128, false), (100, 334, false)]
        {
            assert_eq!(urg.first_step_of(beams), (first, known), "{beams}");
        }
        assert_eq!(LaserModel::UTM_30LX.first_step_of(1081), (0, true));
        // 100 ms per turn of 1024 steps.
        let scan = urg.geometry(682);
        assert_eq!((scan.scan_time, scan.time_increment), (0.1, 0.1 / 1024.0));
        assert_eq!((scan.range_min, scan.range_max), (0.02, 5.6));
        // As in ROS's driver: 681 beams, 2.0862 rad to either side.
        assert!((urg.geometry(681).angle_min + 2.0862).abs() < 1e-4);
        assert!((urg.angle(724) - 2.0862).abs() < 1e-4);
    }
}
