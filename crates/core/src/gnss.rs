//! Positions from satellites.

use crate::Row;

/// A position fix, with the quality reported by the receiver. `None` means not reported.
///
/// ```
/// use robolog_core::{FixQuality, GnssFix, Value};
/// let fix = GnssFix {
///     latitude: 45.76,
///     longitude: 3.11,
///     altitude_msl: Some(411.0),
///     quality: FixQuality::from_gga(4),
///     ..GnssFix::default()
/// };
/// assert_eq!((fix.quality.name(), fix.altitude), ("rtk_fixed", None));
/// assert_eq!(Value::GnssFix(fix).kind(), "gnss_fix");
/// ```
#[derive(Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GnssFix {
    /// Degrees north of the equator, WGS 84.
    pub latitude: f64,
    /// Degrees east of Greenwich, WGS 84.
    pub longitude: f64,
    /// Metres above the WGS 84 ellipsoid.
    pub altitude: Option<f64>,
    /// Metres above mean sea level, as NMEA's GGA gives it.
    pub altitude_msl: Option<f64>,
    /// Kind of fix.
    pub quality: FixQuality,
    /// Satellites used.
    pub satellites: Option<u32>,
    /// Horizontal dilution of precision.
    pub hdop: Option<f64>,
    /// Vertical dilution of precision.
    pub vdop: Option<f64>,
    /// Positional dilution of precision.
    pub pdop: Option<f64>,
    /// Speed over ground, metres per second.
    pub speed: Option<f64>,
    /// Course over ground, radians clockwise from true north.
    pub course: Option<f64>,
    /// Seconds since the last differential correction.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub age_of_corrections_s: Option<f64>,
    /// Number of the reference station that sends the corrections, 0 to 1023.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub station_id: Option<u16>,
    /// Covariance of the position in square metres: rows of east, north and up, as in ROS's `NavSatFix`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub position_covariance: Option<[f64; 9]>,
    /// The talkers of the NMEA sentences behind the fix, such as `GP GL`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub talkers: Option<String>,
    /// Everything else the logger measured with the fix, such as the heart rate and cadence in the extensions of a GPX
    /// point.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", skip_deserializing))]
    pub measured: Option<Box<Row>>,
    /// Makes `..Default::default()` necessary in a literal: a new field breaks nobody's code.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub more: (),
}

debug_without_more!(GnssFix {
    latitude,
    longitude,
    altitude,
    altitude_msl,
    quality,
    satellites,
    hdop,
    vdop,
    pdop,
    speed,
    course,
    age_of_corrections_s,
    station_id,
    position_covariance,
    talkers,
    measured,
});

/// The fix quality of NMEA's GGA sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FixQuality {
    /// The source does not say.
    #[default]
    Unknown,
    /// 0: no fix.
    None,
    /// 1: satellites only.
    Gps,
    /// 2: with differential corrections.
    Dgps,
    /// 3: precise positioning service.
    Pps,
    /// 4: real-time kinematic, integers fixed.
    RtkFixed,
    /// 5: real-time kinematic, float.
    RtkFloat,
    /// 6: dead reckoning.
    Estimated,
    /// 7: entered by hand.
    Manual,
    /// 8: simulated.
    Simulated,
}

impl FixQuality {
    /// Rank among fixes of the same time: higher is better.
    pub const fn rank(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Unknown => 1,
            Self::Simulated => 2,
            Self::Manual => 3,
            Self::Estimated => 4,
            Self::Gps => 5,
            Self::Dgps => 6,
            Self::Pps => 7,
            Self::RtkFloat => 8,
            Self::RtkFixed => 9,
        }
    }

    /// From GGA's number; unknown numbers become [`FixQuality::Unknown`].
    pub const fn from_gga(number: u32) -> Self {
        match number {
            0 => Self::None,
            1 => Self::Gps,
            2 => Self::Dgps,
            3 => Self::Pps,
            4 => Self::RtkFixed,
            5 => Self::RtkFloat,
            6 => Self::Estimated,
            7 => Self::Manual,
            8 => Self::Simulated,
            _ => Self::Unknown,
        }
    }

    /// GGA's number; `None` for [`FixQuality::Unknown`].
    pub const fn gga(self) -> Option<u8> {
        Some(match self {
            Self::Unknown => return None,
            Self::None => 0,
            Self::Gps => 1,
            Self::Dgps => 2,
            Self::Pps => 3,
            Self::RtkFixed => 4,
            Self::RtkFloat => 5,
            Self::Estimated => 6,
            Self::Manual => 7,
            Self::Simulated => 8,
        })
    }

    /// Its name in snake case. `none` means no position: GGA's quality 0.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::None => "none",
            Self::Gps => "gps",
            Self::Dgps => "dgps",
            Self::Pps => "pps",
            Self::RtkFixed => "rtk_fixed",
            Self::RtkFloat => "rtk_float",
            Self::Estimated => "estimated",
            Self::Manual => "manual",
            Self::Simulated => "simulated",
        }
    }
}

/// The satellites in view at one time.
///
/// ```
/// use robolog_core::{Constellation, Satellite, Satellites};
/// let constellation = Constellation::Gps;
/// let satellite = |id, snr| Satellite { constellation, id, elevation: None, azimuth: None, snr, signal: None };
/// let view = Satellites { satellites: vec![satellite(2, Some(41.0)), satellite(12, None)] };
/// let tracked = view.satellites.iter().filter(|satellite| satellite.snr.is_some());
/// assert_eq!(tracked.count(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Satellites {
    /// One entry per satellite.
    pub satellites: Vec<Satellite>,
}

/// A satellite as seen by the receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Satellite {
    /// Its satellite system.
    pub constellation: Constellation,
    /// Its number in NMEA.
    pub id: u32,
    /// Radians above the horizon.
    pub elevation: Option<f64>,
    /// Radians clockwise from true north.
    pub azimuth: Option<f64>,
    /// Signal to noise ratio in dB-Hz; `None` when not tracked.
    pub snr: Option<f64>,
    /// The number of the signal in NMEA 4.1, which has a meaning in each system: 1 is L1 C/A of GPS, 8 its L5. A
    /// satellite is listed once for each signal.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub signal: Option<u8>,
}

/// A satellite navigation system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
#[expect(missing_docs, reason = "their own names")]
pub enum Constellation {
    Gps,
    Glonass,
    Galileo,
    Beidou,
    Qzss,
    Navic,
    Sbas,
    Unknown,
}

impl Constellation {
    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gps => "gps",
            Self::Glonass => "glonass",
            Self::Galileo => "galileo",
            Self::Beidou => "beidou",
            Self::Qzss => "qzss",
            Self::Navic => "navic",
            Self::Sbas => "sbas",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(all(test, feature = "serde"))]
mod serde_tests {
    use super::*;

    #[test]
    fn a_fix_reads_back_from_json() {
        let fix = GnssFix {
            latitude: 45.76,
            longitude: 3.11,
            altitude_msl: Some(460.6),
            quality: FixQuality::RtkFixed,
            talkers: Some("GP GL".into()),
            ..GnssFix::default()
        };
        let text = serde_json::to_string(&fix).unwrap();
        assert_eq!(serde_json::from_str::<GnssFix>(&text).unwrap(), fix);
        let satellites = Satellites {
            satellites: vec![Satellite {
                constellation: Constellation::Galileo,
                id: 3,
                elevation: Some(0.5),
                azimuth: None,
                snr: Some(41.0),
                signal: Some(8),
            }],
        };
        let text = serde_json::to_string(&satellites).unwrap();
        assert_eq!(serde_json::from_str::<Satellites>(&text).unwrap(), satellites);
    }
}
