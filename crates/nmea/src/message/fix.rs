//! Positions: GGA, GNS, RMC, GLL.

use robolog_core::{FixQuality, GnssFix, Result, Timestamp};

use super::super::{Coordinate, Date, Decimal, Sentence, Time, sentence::Builder};
use super::cursor::Cursor;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gga<'a> {
    /// UTC of the position.
    pub time: Option<Time>,
    /// North of the equator.
    pub latitude: Option<Coordinate>,
    /// East of Greenwich.
    pub longitude: Option<Coordinate>,
    /// 0 none, 1 GPS, 2 differential, 3 PPS, 4 RTK, 5 float RTK, 6 estimated, 7 manual, 8 simulated.
    pub quality: Option<u8>,
    /// Satellites used.
    pub satellites: Option<u16>,
    /// Horizontal dilution of precision.
    pub hdop: Option<Decimal>,
    /// Metres above mean sea level.
    pub altitude: Option<Decimal>,
    /// Metres of mean sea level above the ellipsoid.
    pub separation: Option<Decimal>,
    /// Seconds since the last differential correction.
    pub age: Option<Decimal>,
    /// The station that the corrections come from.
    pub station: Option<&'a str>,
}

impl<'a> Gga<'a> {
    /// The fields of a GGA sentence.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'a>) -> Self {
        Self {
            time: c.time(),
            latitude: c.latitude(),
            longitude: c.longitude(),
            quality: c.integer("quality"),
            satellites: c.integer("satellites used"),
            hdop: c.decimal("hdop"),
            altitude: c.with_unit("altitude", b'M'),
            separation: c.with_unit("geoid separation", b'M'),
            age: c.decimal("age of the correction"),
            station: c.text("station"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "GGA");
        b.field(self.time);
        position(&mut b, self.latitude, self.longitude);
        b.field(self.quality).field(self.satellites.map(|n| format!("{n:02}"))).field(self.hdop);
        for metres in [self.altitude, self.separation] {
            b.field(metres).field(metres.map(|_| 'M'));
        }
        b.field(self.age).field(self.station);
        b.finish()
    }

    /// A fix as a sentence: minutes with seven decimals, which is 0.2 mm, metres with three. The altitude is that above the
    /// sea; of one that is known above the ellipsoid alone, nothing is said.
    pub fn from_fix(fix: &GnssFix, time: Option<Timestamp>) -> Self {
        let metres = |value: Option<f64>| Decimal::from_f64(value?, 3);
        let separation = fix.altitude.zip(fix.altitude_msl).map(|(ellipsoid, sea)| ellipsoid - sea);
        let quality = (0..=8_u8).find(|n| FixQuality::from_gga((*n).into()) == fix.quality);
        Self {
            time: time.and_then(Time::of),
            latitude: Coordinate::latitude(fix.latitude, 7),
            longitude: Coordinate::longitude(fix.longitude, 7),
            quality,
            satellites: fix.satellites.and_then(|n| u16::try_from(n).ok()),
            hdop: fix.hdop.and_then(|hdop| Decimal::from_f64(hdop, 2)),
            altitude: metres(fix.altitude_msl),
            separation: metres(separation),
            age: None,
            station: None,
        }
    }

    /// The position that the sentence gives; `None` where a coordinate is missing.
    ///
    /// The altitude above the ellipsoid is known where the receiver gives the separation of the geoid. Station 0 without an
    /// age stands for no station.
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

    /// Metres above the ellipsoid: the altitude and the separation of the geoid, where both are there.
    pub fn ellipsoidal_height(&self) -> Option<f64> {
        Some(self.altitude?.as_f64() + self.separation?.as_f64())
    }
}

/// Fix data of several systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gns<'a> {
    /// UTC of the position.
    pub time: Option<Time>,
    /// North of the equator.
    pub latitude: Option<Coordinate>,
    /// East of Greenwich.
    pub longitude: Option<Coordinate>,
    /// A letter for each system, GPS first: N none, A autonomous, D differential, R RTK, F float RTK and so on.
    pub mode: Option<&'a str>,
    /// Satellites used.
    pub satellites: Option<u16>,
    /// Horizontal dilution of precision.
    pub hdop: Option<Decimal>,
    /// Metres above mean sea level.
    pub altitude: Option<Decimal>,
    /// Metres of mean sea level above the ellipsoid.
    pub separation: Option<Decimal>,
    /// Seconds since the last differential correction.
    pub age: Option<Decimal>,
    /// The station that the corrections come from.
    pub station: Option<&'a str>,
    /// S safe, C caution, U unsafe, V not valid for navigation; since NMEA 4.1.
    pub status: Option<char>,
}

impl<'a> Gns<'a> {
    /// The fields of a GNS sentence.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'a>) -> Self {
        Self {
            time: c.time(),
            latitude: c.latitude(),
            longitude: c.longitude(),
            mode: c.text("mode"),
            satellites: c.integer("satellites used"),
            hdop: c.decimal("hdop"),
            altitude: c.decimal("altitude"),
            separation: c.decimal("geoid separation"),
            age: c.decimal("age of the correction"),
            station: c.text("station"),
            status: c.letter("status"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "GNS");
        b.field(self.time);
        position(&mut b, self.latitude, self.longitude);
        b.field(self.mode).field(self.satellites.map(|n| format!("{n:02}"))).field(self.hdop);
        b.field(self.altitude).field(self.separation).field(self.age).field(self.station);
        if self.status.is_some() {
            b.field(self.status);
        }
        b.finish()
    }

    /// The best of the letters of its mode.
    pub fn quality(&self) -> FixQuality {
        let letters = self.mode.unwrap_or_default().chars();
        let best = ['R', 'F', 'P', 'D', 'A', 'E', 'M', 'S', 'N'];
        let rank = |letter: char| best.iter().position(|b| *b == letter).unwrap_or(best.len());
        quality_of_mode(letters.min_by_key(|letter| rank(*letter)))
    }
}

/// Recommended minimum data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rmc {
    /// UTC of the position.
    pub time: Option<Time>,
    /// A valid, V warning.
    pub status: Option<char>,
    /// North of the equator.
    pub latitude: Option<Coordinate>,
    /// East of Greenwich.
    pub longitude: Option<Coordinate>,
    /// Speed over ground, knots.
    pub speed: Option<Decimal>,
    /// Course over ground, degrees clockwise from true north.
    pub course: Option<Decimal>,
    /// The day.
    pub date: Option<Date>,
    /// Magnetic variation, degrees, without its sign.
    pub variation: Option<Decimal>,
    /// E or W.
    pub variation_direction: Option<char>,
    /// A autonomous, D differential, E estimated, F float RTK, M manual, N none, P precise, R RTK, S simulated; since
    /// NMEA 2.3.
    pub mode: Option<char>,
    /// S safe, C caution, U unsafe, V not valid for navigation; since NMEA 4.1.
    pub nav_status: Option<char>,
}

impl Rmc {
    /// The fields of an RMC sentence.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        Self {
            time: c.time(),
            status: c.letter("status"),
            latitude: c.latitude(),
            longitude: c.longitude(),
            speed: c.decimal("speed"),
            course: c.decimal("course"),
            date: c.date(),
            variation: c.decimal("magnetic variation"),
            variation_direction: c.letter("direction of the variation"),
            mode: c.letter("mode"),
            nav_status: c.letter("navigational status"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "RMC");
        b.field(self.time).field(self.status);
        position(&mut b, self.latitude, self.longitude);
        b.field(self.speed).field(self.course).field(self.date.map(Date::short));
        b.field(self.variation).field(self.variation_direction);
        if self.mode.or(self.nav_status).is_some() {
            b.field(self.mode);
        }
        if self.nav_status.is_some() {
            b.field(self.nav_status);
        }
        b.finish()
    }
}

/// Geographic position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gll {
    /// North of the equator.
    pub latitude: Option<Coordinate>,
    /// East of Greenwich.
    pub longitude: Option<Coordinate>,
    /// UTC of the position.
    pub time: Option<Time>,
    /// A valid, V warning.
    pub status: Option<char>,
    /// As in [`Rmc::mode`].
    pub mode: Option<char>,
}

impl Gll {
    /// The fields of a GLL sentence.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        Self {
            latitude: c.latitude(),
            longitude: c.longitude(),
            time: c.time(),
            status: c.letter("status"),
            mode: c.letter("mode"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "GLL");
        position(&mut b, self.latitude, self.longitude);
        b.field(self.time).field(self.status);
        if self.mode.is_some() {
            b.field(self.mode);
        }
        b.finish()
    }
}

/// What a letter of RMC, GLL, VTG or GNS says of the fix.
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

/// Four fields.
fn position(b: &mut Builder, latitude: Option<Coordinate>, longitude: Option<Coordinate>) {
    for (coordinate, [positive, negative]) in [(latitude, ['N', 'S']), (longitude, ['E', 'W'])] {
        let hemisphere = coordinate.map(|c| if c.is_negative() { negative } else { positive });
        b.field(coordinate.map(Coordinate::text)).field(hemisphere);
    }
}
