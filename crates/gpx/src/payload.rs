//! The numbers and the time of a point.

mod decode;

use robolog_core::{FixQuality, GnssFix, Timestamp};

pub(crate) use self::decode::{Read, by_events, decode, time};

/// Position, time and accuracy of a point. `None` for missing elements.
///
/// ```
/// use robolog_gpx::{Elevation, Fix, Position};
/// let position = Position { elevation: Some(411.0), fix: Some(Fix::ThreeD), ..Position::new(45.76, 3.11) };
/// let fix = position.to_fix(Elevation::SeaLevel);
/// assert_eq!((fix.altitude_msl, fix.altitude), (Some(411.0), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Position {
    /// Degrees north, WGS 84.
    pub latitude: f64,
    /// Degrees east, WGS 84; some programs count from 0 to 360.
    pub longitude: f64,
    /// `ele`, metres: above mean sea level by custom; see [`Elevation`](super::Elevation).
    pub elevation: Option<f64>,
    /// When it was measured.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub time: Option<Timestamp>,
    /// `magvar`: magnetic declination in degrees.
    pub magnetic_variation: Option<f64>,
    /// Height of mean sea level above the ellipsoid, metres.
    pub geoid_height: Option<f64>,
    /// Kind of fix.
    pub fix: Option<Fix>,
    /// Satellites used.
    pub satellites: Option<u32>,
    /// Horizontal dilution of precision.
    pub hdop: Option<f64>,
    /// Vertical dilution of precision.
    pub vdop: Option<f64>,
    /// Positional dilution of precision.
    pub pdop: Option<f64>,
    /// Seconds since the last differential correction; some loggers write -1 for none.
    pub age_of_dgps_data: Option<f64>,
    /// Number of the correction station.
    pub dgps_id: Option<u16>,
    /// Metres per second; an element of GPX 1.0, in 1.1 within `extensions`, there also of Garmin's.
    pub speed: Option<f64>,
    /// Degrees clockwise from true north; an element of GPX 1.0, in 1.1 within `extensions`, there also of Garmin's.
    pub course: Option<f64>,
}

/// Kind of fix: `fix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Fix {
    /// No fix.
    None,
    /// Latitude and longitude.
    #[cfg_attr(feature = "serde", serde(rename = "2d"))]
    TwoD,
    /// With altitude.
    #[cfg_attr(feature = "serde", serde(rename = "3d"))]
    ThreeD,
    /// With differential corrections.
    Dgps,
    /// By the precise positioning service.
    Pps,
    /// The number of NMEA's GGA, which the schema does not allow.
    Quality(u8),
}

impl Fix {
    /// From the text of the element. `single` of RTKLIB is the first quality of GGA.
    pub fn parse(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"none" => Self::None,
            b"2d" => Self::TwoD,
            b"3d" => Self::ThreeD,
            b"dgps" => Self::Dgps,
            b"pps" => Self::Pps,
            b"single" => Self::Quality(1),
            [digit @ b'0'..=b'9'] => Self::Quality(digit.wrapping_sub(b'0')),
            _ => return None,
        })
    }

    /// The quality that GGA would give.
    pub const fn quality(self) -> FixQuality {
        match self {
            Self::None => FixQuality::None,
            Self::TwoD | Self::ThreeD => FixQuality::Gps,
            Self::Dgps => FixQuality::Dgps,
            Self::Pps => FixQuality::Pps,
            Self::Quality(number) => FixQuality::from_gga(number as u32),
        }
    }

    /// The schema's word for it. Of GGA's numbers, 1 is `3d`, or `2d` without an elevation; real-time kinematic is
    /// `dgps`; 6 and above have no word.
    pub const fn word(self, has_elevation: bool) -> Option<&'static str> {
        Some(match self {
            Self::None | Self::Quality(0) => "none",
            Self::Quality(1) if has_elevation => "3d",
            Self::TwoD | Self::Quality(1) => "2d",
            Self::ThreeD => "3d",
            Self::Dgps | Self::Quality(2 | 4 | 5) => "dgps",
            Self::Pps | Self::Quality(3) => "pps",
            Self::Quality(_) => return None,
        })
    }
}

impl Position {
    /// A position in degrees, WGS 84.
    pub fn new(latitude: f64, longitude: f64) -> Self {
        Self { latitude, longitude, ..Self::default() }
    }

    /// Whether latitude and longitude are in the ranges that the schema allows.
    pub fn is_on_earth(&self) -> bool {
        (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude)
    }
}

/// Converts a fix. The elevation is the height above mean sea level if known, else that above the ellipsoid. GPX cannot
/// tell these apart: read the latter with [`Elevation::Ellipsoid`](super::Elevation). With both heights, their
/// difference is the geoid height.
impl From<&GnssFix> for Position {
    fn from(fix: &GnssFix) -> Self {
        let geoid_height =
            fix.altitude.zip(fix.altitude_msl).map(|(ellipsoid, sea)| difference(ellipsoid, sea));
        Self {
            latitude: fix.latitude,
            longitude: fix.longitude,
            elevation: fix.altitude_msl.or(fix.altitude),
            geoid_height,
            fix: match fix.quality {
                FixQuality::None => Some(Fix::None),
                FixQuality::Gps => Some(Fix::Quality(1)),
                FixQuality::Dgps => Some(Fix::Dgps),
                FixQuality::Pps => Some(Fix::Pps),
                FixQuality::RtkFixed => Some(Fix::Quality(4)),
                FixQuality::RtkFloat => Some(Fix::Quality(5)),
                _ => None,
            },
            satellites: fix.satellites,
            hdop: fix.hdop,
            vdop: fix.vdop,
            pdop: fix.pdop,
            speed: fix.speed,
            course: fix.course.map(f64::to_degrees),
            age_of_dgps_data: fix.age_of_corrections_s,
            dgps_id: fix.station_id,
            ..Self::default()
        }
    }
}

/// The difference of two decimal numbers, with no more decimals than they have.
fn difference(a: f64, b: f64) -> f64 {
    let decimals = |number: f64| number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let most = decimals(a).max(decimals(b));
    // With more decimals than an `f64` has digits, there is nothing to round.
    if most > 15 { a - b } else { format!("{:.most$}", a - b).parse().unwrap_or(a - b) }
}
