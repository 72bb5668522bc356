//! Positions: `_GGA_all.txt`.

use robolog_core::{FixQuality, GnssFix};

use super::table_row;
use crate::{
    lambert::{Geodetic, Lambert},
    nmea,
};

table_row! {
    /// A row of `_GGA_all.txt`: a GGA sentence, with its position in two systems.
    ///
    /// The documentation calls the easting `lat_l2e` and the northing `lng_l2e`, and does not say that latitude and
    /// longitude are in radians and the altitude is above the ellipsoid: the published rows show it.
    Gga, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Easting in Lambert II étendu, metres.
    easting: f64 = "lat_l2e" "m",
    /// Northing in Lambert II étendu, metres.
    northing: f64 = "lng_l2e" "m",
    /// Metres; in the published rows a copy of [`altitude`](Self::altitude), not the height above the NTF ellipsoid.
    altitude_l2e: f64 = "alt_l2e" "m",
    /// Radians north of the equator, WGS 84.
    latitude: f64 = "lat_wgs" "rad",
    /// Radians east of Greenwich, WGS 84.
    longitude: f64 = "lng_wgs" "rad",
    /// Metres above the WGS 84 ellipsoid: the sum of GGA's altitude and geoid separation.
    altitude: f64 = "alt_wgs" "m",
    /// Number of satellites used.
    satellites: i64 = "nb_sat" "",
    /// The time of day in UTC, as seconds or as `hhmmss`: see [`crate::table::UtcReading`].
    utc_time: f64 = "utc_time" "",
    /// GGA's fix quality, 0 to 8.
    quality_code: i64 = "fix_quality" "",
    /// Horizontal dilution of precision.
    hdop: f64 = "HDOP" "",
    /// Age of the differential corrections in seconds; -1 if the sentence lacks it.
    age_raw: f64 = "age_corr_diff" "s",
}

impl Gga {
    /// Degrees north of the equator, WGS 84.
    pub fn latitude_deg(&self) -> f64 {
        self.latitude.to_degrees()
    }

    /// Degrees east of Greenwich, WGS 84.
    pub fn longitude_deg(&self) -> f64 {
        self.longitude.to_degrees()
    }

    /// Age of the differential corrections in seconds, if the sentence has it.
    pub fn age(&self) -> Option<f64> {
        (self.age_raw >= 0.0).then_some(self.age_raw)
    }

    /// Quality of the fix.
    pub fn quality(&self) -> FixQuality {
        u32::try_from(self.quality_code).map_or(FixQuality::Unknown, FixQuality::from_gga)
    }

    /// The position in degrees, with the altitude above the ellipsoid.
    pub fn fix(&self) -> GnssFix {
        GnssFix {
            latitude: self.latitude_deg(),
            longitude: self.longitude_deg(),
            altitude: Some(self.altitude),
            quality: self.quality(),
            satellites: u32::try_from(self.satellites).ok(),
            hdop: (self.hdop >= 0.0).then_some(self.hdop),
            age_of_corrections_s: self.age(),
            ..GnssFix::default()
        }
    }

    /// The row that the data set's logger writes for a GGA sentence received at `rtime`, to the last digit; `None` for
    /// a sentence without a position or a time.
    ///
    /// The altitude is rounded to single precision, the separation of the geoid is not; the time is in seconds of the
    /// day, the likely reading of the published rows.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "as the logger does")]
    pub fn from_nmea(rtime: i64, gga: &nmea::Gga<'_>) -> Option<Self> {
        let radians = |c: nmea::Coordinate| c.degrees().to_radians();
        let (latitude, longitude) = (radians(gga.latitude?), radians(gga.longitude?));
        let single = |d: nmea::Decimal| f64::from(d.as_f64() as f32);
        let height = single(gga.altitude?) + gga.separation.map_or(0.0, nmea::Decimal::as_f64);
        let plane = Lambert::DATA_SET.forward(Geodetic { latitude, longitude, height });
        Some(Self {
            rtime,
            easting: plane.easting,
            northing: plane.northing,
            altitude_l2e: height,
            latitude,
            longitude,
            altitude: height,
            satellites: gga.satellites.unwrap_or_default().into(),
            utc_time: gga.time?.since_midnight() as f64 / 1e9,
            quality_code: gga.quality.unwrap_or_default().into(),
            hdop: gga.hdop.map_or(0.0, single),
            age_raw: gga.age.map_or(-1.0, nmea::Decimal::as_f64),
        })
    }

    /// Whether latitude and longitude are angles and the counts are plausible.
    pub(crate) fn is_plausible(&self) -> bool {
        self.rtime >= 0
            && self.latitude.abs() <= std::f64::consts::FRAC_PI_2
            && self.longitude.abs() <= 6.3
            && (0..=99).contains(&self.satellites)
            && (0..=9).contains(&self.quality_code)
            && (0.0..=240_000.0).contains(&self.utc_time)
    }
}
