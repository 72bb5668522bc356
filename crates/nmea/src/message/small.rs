//! VTG, ZDA, GST, HDT, DTM.

use robolog_core::{Result, Timestamp};

use super::super::{Date, Decimal, Sentence, Time, sentence::Builder};
use super::cursor::Cursor;

/// Course and speed over ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Vtg {
    /// Degrees clockwise from true north.
    pub course: Option<Decimal>,
    /// Degrees clockwise from magnetic north.
    pub magnetic_course: Option<Decimal>,
    /// Knots.
    pub speed: Option<Decimal>,
    /// Kilometres an hour.
    pub speed_kmh: Option<Decimal>,
    /// As in [`Rmc::mode`](super::Rmc::mode).
    pub mode: Option<char>,
}

impl Vtg {
    /// The fields of a VTG sentence; those of before NMEA 2, without units, too.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        let is_number = |field: &[u8]| Decimal::parse(field).is_some();
        if c.left() <= 4 && c.peek(1).is_none_or(|f| f.is_empty() || is_number(f)) {
            return Self {
                course: c.decimal("course"),
                magnetic_course: c.decimal("magnetic course"),
                speed: c.decimal("speed"),
                speed_kmh: c.decimal("speed"),
                mode: None,
            };
        }
        Self {
            course: c.with_unit("course", b'T'),
            magnetic_course: c.with_unit("magnetic course", b'M'),
            speed: c.with_unit("speed", b'N'),
            speed_kmh: c.with_unit("speed", b'K'),
            mode: c.letter("mode"),
        }
    }

    /// The text of the sentence, with units.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "VTG");
        b.field(self.course).field(Some('T')).field(self.magnetic_course).field(Some('M'));
        b.field(self.speed).field(Some('N')).field(self.speed_kmh).field(Some('K'));
        if self.mode.is_some() {
            b.field(self.mode);
        }
        b.finish()
    }
}

/// Date and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Zda {
    /// UTC.
    pub time: Option<Time>,
    /// The day; `None` as well for one that there never was.
    pub date: Option<Date>,
    /// Hours to be added to local time for UTC, with a sign.
    pub zone_hours: Option<i8>,
    /// Minutes with the same sign, which is not written.
    pub zone_minutes: Option<i8>,
}

impl Zda {
    /// The fields of a ZDA sentence.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        let time = c.time();
        let (day, month) = (c.integer("day"), c.integer("month"));
        let year: Option<u16> = c.integer("year");
        let date = year.zip(month).zip(day).and_then(|((year, month), day)| Date::new(year, month, day));
        let (zone_hours, zone_minutes) = (c.integer("zone, hours"), c.integer("zone, minutes"));
        Self { time, date, zone_hours, zone_minutes }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "ZDA");
        let zone = |n: i8| format!("{}{:02}", if n < 0 { "-" } else { "" }, n.unsigned_abs());
        b.field(self.time);
        b.field(self.date.map(|d| format!("{:02}", d.day)))
            .field(self.date.map(|d| format!("{:02}", d.month)));
        b.field(self.date.map(|d| format!("{:04}", d.year)));
        b.field(self.zone_hours.map(zone)).field(self.zone_minutes.map(zone));
        b.finish()
    }

    /// The moment.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.date?.midnight()?.checked_add(self.time?.since_midnight())
    }
}

/// Statistics of the position's error; metres, one sigma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gst {
    /// UTC of the position.
    pub time: Option<Time>,
    /// Root mean square of the ranges' residuals.
    pub rms: Option<Decimal>,
    /// Semi-major axis of the error ellipse.
    pub semi_major: Option<Decimal>,
    /// Semi-minor axis of the error ellipse.
    pub semi_minor: Option<Decimal>,
    /// Where the semi-major axis points, degrees from true north.
    pub orientation: Option<Decimal>,
    /// Error of the latitude.
    pub latitude: Option<Decimal>,
    /// Error of the longitude.
    pub longitude: Option<Decimal>,
    /// Error of the altitude.
    pub altitude: Option<Decimal>,
}

impl Gst {
    /// The fields of a GST sentence.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        Self {
            time: c.time(),
            rms: c.decimal("rms"),
            semi_major: c.decimal("semi-major axis"),
            semi_minor: c.decimal("semi-minor axis"),
            orientation: c.decimal("orientation"),
            latitude: c.decimal("error of the latitude"),
            longitude: c.decimal("error of the longitude"),
            altitude: c.decimal("error of the altitude"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "GST");
        b.field(self.time);
        for value in [self.rms, self.semi_major, self.semi_minor, self.orientation] {
            b.field(value);
        }
        b.field(self.latitude).field(self.longitude).field(self.altitude);
        b.finish()
    }
}

/// True heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Hdt {
    /// Degrees clockwise from true north.
    pub heading: Option<Decimal>,
}

impl Hdt {
    /// The fields of an HDT sentence.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        Self { heading: c.with_unit("heading", b'T') }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "HDT");
        b.field(self.heading).field(Some('T'));
        b.finish()
    }
}

/// The datum that positions refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Dtm<'a> {
    /// The local datum: W84 for WGS 84.
    pub local: Option<&'a str>,
    /// Its subdivision.
    pub subdivision: Option<&'a str>,
    /// Minutes of latitude to be added, with N or S.
    pub latitude_offset: Option<Decimal>,
    /// N or S.
    pub latitude_direction: Option<char>,
    /// Minutes of longitude to be added, with E or W.
    pub longitude_offset: Option<Decimal>,
    /// E or W.
    pub longitude_direction: Option<char>,
    /// Metres of altitude to be added.
    pub altitude_offset: Option<Decimal>,
    /// The datum that the offsets refer to.
    pub reference: Option<&'a str>,
}

impl<'a> Dtm<'a> {
    /// The fields of a DTM sentence.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'a>) -> Self {
        Self {
            local: c.text("datum"),
            subdivision: c.text("subdivision"),
            latitude_offset: c.decimal("offset of the latitude"),
            latitude_direction: c.letter("direction of the latitude"),
            longitude_offset: c.decimal("offset of the longitude"),
            longitude_direction: c.letter("direction of the longitude"),
            altitude_offset: c.decimal("offset of the altitude"),
            reference: c.text("reference datum"),
        }
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, "DTM");
        b.field(self.local).field(self.subdivision);
        b.field(self.latitude_offset).field(self.latitude_direction);
        b.field(self.longitude_offset).field(self.longitude_direction);
        b.field(self.altitude_offset).field(self.reference);
        b.finish()
    }
}
