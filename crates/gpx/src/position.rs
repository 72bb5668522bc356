//! The numbers and the time of a point, from its bytes.

use robolog_core::{Error, ErrorKind, FixQuality, GnssFix, Result, Timestamp, text::Escaped, text::number};

use super::{Record, elements::GPX_1_0, parse};
use robolog_xml::{Element, Tag, Token, attribute, local, parse_time, token, unescape};

/// Where a point lies, when it was measured and how well. `None` for what the point does not say.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Position {
    /// Degrees north, WGS 84.
    pub latitude: f64,
    /// Degrees east, WGS 84.
    pub longitude: f64,
    /// `ele`, metres. By custom above mean sea level; see [`Elevation`](super::Elevation).
    pub elevation: Option<f64>,
    /// When it was measured.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub time: Option<Timestamp>,
    /// `magvar`: magnetic declination in degrees.
    pub magnetic_variation: Option<f64>,
    /// Metres that mean sea level lies above the ellipsoid.
    pub geoid_height: Option<f64>,
    /// What kind of fix it is.
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
    /// Number of the station that corrects.
    pub dgps_id: Option<u16>,
    /// Metres per second; an element of GPX 1.0, in 1.1 within `extensions`, there also of Garmin's.
    pub speed: Option<f64>,
    /// Degrees clockwise from true north; an element of GPX 1.0, in 1.1 within `extensions`, there also of Garmin's.
    pub course: Option<f64>,
}

/// What `fix` says.
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

    /// The word that the schema has for it. Of GGA's numbers, 1 is `3d`, or `2d` without an elevation; real-time kinematic
    /// is `dgps`; those from 6 on have no word.
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
    /// A place in degrees, WGS 84.
    pub fn new(latitude: f64, longitude: f64) -> Self {
        Self { latitude, longitude, ..Self::default() }
    }

    /// Whether latitude and longitude are in the ranges that the schema allows.
    pub fn is_on_earth(&self) -> bool {
        (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude)
    }

    /// Takes the text of a child element that has no children. What is no element of this type is passed over.
    pub(crate) fn set(&mut self, name: &[u8], text: &[u8], at: u64, faults: &mut dyn FnMut(Error)) {
        let text = text.trim_ascii();
        if text.is_empty() {
            return;
        }
        let slot = match name {
            b"ele" => &mut self.elevation,
            b"time" => {
                self.time = parse_time(text);
                if self.time.is_none() {
                    faults(bad("a date and time", text, at));
                }
                return;
            }
            b"magvar" => &mut self.magnetic_variation,
            b"geoidheight" => &mut self.geoid_height,
            b"fix" => {
                self.fix = Fix::parse(text);
                if !matches!(self.fix, Some(Fix::None | Fix::TwoD | Fix::ThreeD | Fix::Dgps | Fix::Pps)) {
                    faults(bad("none, 2d, 3d, dgps or pps", text, at));
                }
                return;
            }
            b"sat" => return integer(&mut self.satellites, text, at, faults),
            b"hdop" => &mut self.hdop,
            b"vdop" => &mut self.vdop,
            b"pdop" => &mut self.pdop,
            b"ageofdgpsdata" => &mut self.age_of_dgps_data,
            b"dgpsid" => return integer(&mut self.dgps_id, text, at, faults),
            b"speed" => &mut self.speed,
            b"course" => &mut self.course,
            _ => return,
        };
        *slot = number(text).filter(|n| n.is_finite());
        if slot.is_none() {
            faults(bad("a number", text, at));
        }
    }

    /// Takes latitude and longitude from the start tag; an error when one is missing.
    pub(crate) fn place(&mut self, tag: &[u8], at: u64) -> Result<()> {
        let angle = |key: &'static [u8], what: &'static str| {
            let text = attribute(tag, key).map(<[u8]>::trim_ascii);
            let wrong = || {
                let found = text.map_or("nothing".to_owned(), |text| Escaped(text).to_string());
                Error::invalid(what, found, "a number of degrees", at).within("gpx point")
            };
            let value = |text: &[u8]| {
                let is_escaped = memchr::memchr(b'&', text).is_some();
                let plain = std::str::from_utf8(text).ok().filter(|_| is_escaped).map(unescape);
                number(plain.as_ref().map_or(text, |plain| plain.as_bytes()))
            };
            text.and_then(value).filter(|n| n.is_finite()).ok_or_else(wrong)
        };
        self.latitude = angle(b"lat", "latitude")?;
        self.longitude = angle(b"lon", "longitude")?;
        Ok(())
    }
}

/// Some write counts with decimals.
fn integer<T: TryFrom<u32>>(slot: &mut Option<T>, text: &[u8], at: u64, faults: &mut dyn FnMut(Error)) {
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let whole = text.split(|b| *b == b'.').next().unwrap_or_default();
    let decimals = text.get(whole.len()..).unwrap_or_default().iter().skip(1);
    let number = std::str::from_utf8(whole).ok().and_then(|whole| whole.parse::<u32>().ok());
    let number = number.filter(|_| decimals.clone().all(|b| *b == b'0'));
    *slot = number.and_then(|n| T::try_from(n).ok());
    if slot.is_none() {
        faults(bad("a count", text, at));
    }
}

#[cold]
fn bad(expected: &'static str, text: &[u8], at: u64) -> Error {
    let found = Escaped(text.get(..64).unwrap_or(text)).to_string();
    Error::new(ErrorKind::Text { expected, found, column: 1 }, at).within("gpx point")
}

/// Decodes what is usual by itself, and leaves the rest to quick-xml.
#[inline]
pub(crate) fn decode(record: &Record<'_>, faults: &mut dyn FnMut(Error)) -> Result<Position> {
    let mut met = Vec::new();
    match lean(record, &mut |fault| met.push(fault))? {
        Some(position) => {
            met.into_iter().for_each(faults);
            Ok(position)
        }
        None => thorough(record, faults),
    }
}

/// By quick-xml.
#[cold]
pub(crate) fn thorough(record: &Record<'_>, faults: &mut dyn FnMut(Error)) -> Result<Position> {
    let source = String::from_utf8_lossy(record.markup());
    let element = Element::parse(&source, record.markup_offset())?;
    parse::position(&element, record.markup_offset(), faults)
}

/// By tags and the text between them; `None` where a value is more than plain text.
pub(crate) fn lean(record: &Record<'_>, faults: &mut dyn FnMut(Error)) -> Result<Option<Position>> {
    let mut position = Position::default();
    let (inner, markup) = match record.tag() {
        Tag::Start(inner) => (inner, record.markup()),
        Tag::Empty(inner) => (inner, &[][..]),
        _ => return Ok(None),
    };
    position.place(inner, record.markup_offset())?;
    let name = record.tag().name();
    let prefix = name.get(..name.len().saturating_sub(local(name).len())).unwrap_or_default();
    let mut at = inner.len().saturating_add(2);
    let mut depth = 0_usize;
    let mut in_extensions = false;
    let mut in_garmin = false;
    while let Some(next) = memchr::memchr(b'<', markup.get(at..).unwrap_or_default()) {
        at = at.saturating_add(next);
        let rest = markup.get(at..).unwrap_or_default();
        let Token::Whole(tag, len) = token(rest) else { return Ok(None) };
        at = at.saturating_add(len);
        match tag {
            Tag::Start(inner) => {
                let name = tag.name();
                let is_motion = match depth {
                    1 => in_extensions && is_motion(inner),
                    2 => in_garmin && is_garmin_motion(inner),
                    _ => false,
                };
                if !is_motion && (depth > 0 || !is_value(name, prefix)) {
                    if depth == 0 {
                        let is_own = name.strip_prefix(prefix) == Some(b"extensions");
                        in_extensions = is_own && attribute(inner, b"xmlns").is_none();
                    } else if depth == 1 {
                        in_garmin = in_extensions && local(name) == GARMIN.as_bytes();
                    }
                    depth = depth.saturating_add(1);
                    continue;
                }
                if !is_motion && inner.len() != name.len() {
                    return Ok(None);
                }
                // The value, and the end tag right behind it.
                let rest = rest.get(len..).unwrap_or_default();
                let Some(end) = memchr::memchr(b'<', rest) else { return Ok(None) };
                let (text, tail) = rest.split_at_checked(end).unwrap_or_default();
                let behind = tail.strip_prefix(b"</").and_then(|tail| tail.strip_prefix(name));
                if !behind.is_some_and(|tail| tail.starts_with(b">")) || memchr::memchr(b'&', text).is_some()
                {
                    return Ok(None);
                }
                let place = record.markup_offset().saturating_add(at as u64);
                position.set(local(name), text, place, faults);
                at = at.saturating_add(end).saturating_add(name.len()).saturating_add(3);
            }
            Tag::End(_) => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            Tag::Empty(_) | Tag::Other => {}
        }
    }
    Ok(Some(position))
}

/// Whether it is the start tag of a speed or a course of GPX 1.0, as an extension of GPX 1.1.
pub(super) fn is_motion(tag: &[u8]) -> bool {
    matches!(Tag::Start(tag).name(), b"speed" | b"course")
        && attribute(tag, b"xmlns") == Some(GPX_1_0.as_bytes())
}

/// Garmin's element in `extensions`, of which version 2 has a speed and a course.
pub(super) const GARMIN: &str = "TrackPointExtension";

/// Whether it is the start tag of a speed or a course in Garmin's element, in metres per second and in degrees.
pub(super) fn is_garmin_motion(tag: &[u8]) -> bool {
    let name = Tag::Start(tag).name();
    matches!(local(name), b"speed" | b"course") && name.len() == tag.len()
}

/// Whether it is an element with a value that is read here, with the prefix of the point.
#[inline]
fn is_value(name: &[u8], prefix: &[u8]) -> bool {
    matches!(
        name.strip_prefix(prefix).unwrap_or_default(),
        b"ele"
            | b"time"
            | b"magvar"
            | b"geoidheight"
            | b"fix"
            | b"sat"
            | b"hdop"
            | b"vdop"
            | b"pdop"
            | b"ageofdgpsdata"
            | b"dgpsid"
            | b"speed"
            | b"course"
    )
}

/// A fix, as a sink gets it. The height above mean sea level is the elevation where there is one, else that above the
/// ellipsoid is, which nothing in GPX can say: it is read again by [`Elevation::Ellipsoid`](super::Elevation). With both
/// heights their difference is the geoid's.
impl From<&GnssFix> for Position {
    fn from(fix: &GnssFix) -> Self {
        let geoid_height = fix.altitude.zip(fix.altitude_msl).map(|(ellipsoid, sea)| ellipsoid - sea);
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
