//! Positions: GGA, GNS, RMC, GLL.

use robolog_core::{FixQuality, GnssFix, Timestamp};

use crate::{
    Coordinate, Date, Decimal, Time,
    layout::{Count, Day, Integer, Latitude, Letter, Longitude, Measured, Number, Text, TimeOfDay, sentence},
};

sentence! {
    /// Global positioning system fix data.
    ///
    /// ```
    /// use robolog_nmea::{Gga, Sentence};
    /// let text = b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n";
    /// let gga = Gga::decode(&Sentence::parse(text)?)?;
    /// assert_eq!(gga.latitude.unwrap().degrees(), 45.0 + 45.60946 / 60.0);
    /// assert_eq!((gga.quality, gga.satellites, gga.age), (Some(2), Some(8), None));
    /// assert_eq!(gga.to_sentence("GP")?, text);
    /// # Ok::<(), robolog_nmea::Error>(())
    /// ```
    pub struct Gga<'a>: GGA {
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// North of the equator.
        latitude: Coordinate = Latitude,
        /// East of Greenwich.
        longitude: Coordinate = Longitude,
        /// 0 none, 1 GPS, 2 differential, 3 PPS, 4 RTK, 5 float RTK, 6 estimated, 7 manual, 8 simulated.
        quality: u8 = Integer("quality"),
        /// Satellites used.
        satellites: u16 = Count("satellites used"),
        /// Horizontal dilution of precision.
        hdop: Decimal = Number("hdop"),
        /// Metres above mean sea level.
        altitude: Decimal = Measured("altitude", 'M'),
        /// Height of mean sea level above the ellipsoid, metres.
        separation: Decimal = Measured("geoid separation", 'M'),
        /// Seconds since the last differential correction.
        age: Decimal = Number("age of the correction"),
        /// The correction station.
        station: &'a str = Text("station"),
    }
}

impl Gga<'_> {
    /// A fix as a sentence: minutes with seven decimals, which is 0.2 mm, metres with three. The altitude is that above
    /// mean sea level; it is empty if only the ellipsoidal height is known.
    pub fn from_fix(fix: &GnssFix, time: Option<Timestamp>) -> Self {
        let metres = |value: Option<f64>| Decimal::from_f64(value?, 3);
        let separation = fix.altitude.zip(fix.altitude_msl).map(|(ellipsoid, sea)| ellipsoid - sea);
        Self {
            time: time.and_then(Time::of),
            latitude: Coordinate::latitude(fix.latitude, 7),
            longitude: Coordinate::longitude(fix.longitude, 7),
            quality: fix.quality.gga(),
            satellites: fix.satellites.and_then(|n| u16::try_from(n).ok()),
            hdop: fix.hdop.and_then(|hdop| Decimal::from_f64(hdop, 2)),
            altitude: metres(fix.altitude_msl),
            separation: metres(separation),
            age: None,
            station: None,
        }
    }

    /// The position; `None` if a coordinate is missing.
    ///
    /// The altitude above the ellipsoid is known if the receiver gives the separation of the geoid. Station 0 without
    /// an age means no station.
    pub fn fix(&self) -> Option<GnssFix> {
        let station = self.station.and_then(|text| text.trim().parse().ok());
        Some(GnssFix {
            latitude: self.latitude?.degrees(),
            longitude: self.longitude?.degrees(),
            altitude: self.ellipsoidal_height(),
            altitude_msl: self.altitude.map(Decimal::as_f64),
            quality: self.quality.map_or(FixQuality::Unknown, |n| FixQuality::from_gga(n.into())),
            satellites: self.satellites.map(u32::from),
            hdop: self.hdop.map(Decimal::as_f64),
            age_of_corrections_s: self.age.map(Decimal::as_f64),
            station_id: station.filter(|id| *id != 0 || self.age.is_some()),
            ..GnssFix::default()
        })
    }

    /// Metres above the ellipsoid: the altitude plus the separation of the geoid, if both are given.
    pub fn ellipsoidal_height(&self) -> Option<f64> {
        Some(self.altitude?.as_f64() + self.separation?.as_f64())
    }
}

sentence! {
    /// Fix data of several systems.
    pub struct Gns<'a>: GNS {
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// North of the equator.
        latitude: Coordinate = Latitude,
        /// East of Greenwich.
        longitude: Coordinate = Longitude,
        /// A letter for each system, GPS first: N none, A autonomous, D differential, R RTK, F float RTK and so on.
        mode: &'a str = Text("mode"),
        /// Satellites used.
        satellites: u16 = Count("satellites used"),
        /// Horizontal dilution of precision.
        hdop: Decimal = Number("hdop"),
        /// Metres above mean sea level.
        altitude: Decimal = Number("altitude"),
        /// Height of mean sea level above the ellipsoid, metres.
        separation: Decimal = Number("geoid separation"),
        /// Seconds since the last differential correction.
        age: Decimal = Number("age of the correction"),
        /// The correction station.
        station: &'a str = Text("station"),
    }
    optional {
        /// S safe, C caution, U unsafe, V not valid for navigation; since NMEA 4.1.
        status: char = Letter("status"),
    }
}

impl Gns<'_> {
    /// The best quality among the letters of its mode.
    pub fn quality(&self) -> FixQuality {
        let letters = self.mode.unwrap_or("").chars();
        let best = ['R', 'F', 'P', 'D', 'A', 'E', 'M', 'S', 'N'];
        let rank = |letter: char| best.iter().position(|b| *b == letter).unwrap_or(best.len());
        quality_of_mode(letters.min_by_key(|letter| rank(*letter)))
    }
}

sentence! {
    /// Recommended minimum data.
    pub struct Rmc: RMC {
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// A valid, V warning.
        status: char = Letter("status"),
        /// North of the equator.
        latitude: Coordinate = Latitude,
        /// East of Greenwich.
        longitude: Coordinate = Longitude,
        /// Speed over ground, knots.
        speed: Decimal = Number("speed"),
        /// Course over ground, degrees clockwise from true north.
        course: Decimal = Number("course"),
        /// The day.
        date: Date = Day,
        /// Magnetic variation, degrees, without its sign.
        variation: Decimal = Number("magnetic variation"),
        /// E or W.
        variation_direction: char = Letter("direction of the variation"),
    }
    optional {
        /// A autonomous, D differential, E estimated, F float RTK, M manual, N none, P precise, R RTK, S simulated; since
        /// NMEA 2.3.
        mode: char = Letter("mode"),
        /// S safe, C caution, U unsafe, V not valid for navigation; since NMEA 4.1.
        nav_status: char = Letter("navigational status"),
    }
}

sentence! {
    /// Geographic position.
    pub struct Gll: GLL {
        /// North of the equator.
        latitude: Coordinate = Latitude,
        /// East of Greenwich.
        longitude: Coordinate = Longitude,
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// A valid, V warning.
        status: char = Letter("status"),
    }
    optional {
        /// As in [`Rmc::mode`].
        mode: char = Letter("mode"),
    }
}

/// The quality for a mode letter of RMC, GLL, VTG or GNS.
pub(in super::super) fn quality_of_mode(mode: Option<char>) -> FixQuality {
    match mode {
        Some('A') => FixQuality::Gps,
        Some('D') => FixQuality::Dgps,
        Some('P') => FixQuality::Pps,
        Some('R') => FixQuality::RtkFixed,
        Some('F') => FixQuality::RtkFloat,
        Some('E') => FixQuality::Estimated,
        Some('M') => FixQuality::Manual,
        Some('S') => FixQuality::Simulated,
        Some('N') => FixQuality::None,
        _ => FixQuality::Unknown,
    }
}
