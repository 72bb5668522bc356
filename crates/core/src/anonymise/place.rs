//! Moving places: exact in any notation of degrees and minutes, so that moving back restores the original numbers.

use crate::slices::{InRange as _, OrZero as _, fitting};

/// An axis of a place on Earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
}

/// Offset units per degree: 0.00005 degrees are 0.003 minutes, so both have few decimals.
const UNITS: i64 = 20_000;

/// How far places are moved. Zeros that mean "no position" are kept: moved, they would reveal the offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset {
    /// Units of 0.00005 degrees.
    latitude: i64,
    longitude: i64,
    /// Decimetres.
    height: i64,
    geoid: i64,
    /// Centimetres in the plane of a simulation.
    plane: [i64; 2],
}

impl Offset {
    /// North or south by 0.3 to 1.5 degrees, so that metres per degree of longitude change by a few per cent at most;
    /// east by any angle; up or down by 20 to 200 m; in a plane by 100 to 800 m each way.
    pub(super) fn new(hash: &impl Fn(&[u8]) -> u64) -> Self {
        let between = |label: &str, least: i64, span: u64| {
            let hash = hash(label.as_bytes());
            let step = fitting::<i64>(hash.rem_or_zero(span));
            let size = least.plus(step);
            // The remainder of small spans does not depend on the top bit.
            if hash >> 63 == 0 { size } else { size.saturating_neg() }
        };
        Self {
            latitude: between("latitude", 6_000, 24_000),
            longitude: between("longitude", 20_000, 3_560_000),
            height: between("height", 200, 1_800),
            geoid: between("geoid", 50, 400),
            plane: [between("x", 10_000, 70_000), between("y", 10_000, 70_000)],
        }
    }

    /// The inverse offset.
    #[must_use]
    pub fn back(self) -> Self {
        let Self { latitude, longitude, height, geoid, plane } = self;
        let [x, y] = plane.map(i64::saturating_neg);
        Self {
            latitude: latitude.saturating_neg(),
            longitude: longitude.saturating_neg(),
            height: height.saturating_neg(),
            geoid: geoid.saturating_neg(),
            plane: [x, y],
        }
    }

    fn along(self, axis: Axis) -> i64 {
        match axis {
            Axis::Latitude => self.latitude,
            Axis::Longitude => self.longitude,
        }
    }

    /// Centimetres along x and y in a simulation's plane.
    #[expect(clippy::cast_precision_loss, reason = "below a million")]
    pub fn plane(self) -> [f64; 2] {
        self.plane.map(|cm| cm as f64)
    }

    /// Moved degrees. `None` if `degrees` is not a valid latitude or longitude, or if the result lies beyond a pole.
    pub fn degrees(self, axis: Axis, degrees: f64) -> Option<f64> {
        if degrees == 0.0 {
            return Some(degrees);
        }
        #[expect(clippy::cast_precision_loss, reason = "below ten million")]
        let moved = degrees + self.along(axis) as f64 / UNITS as f64;
        match axis {
            Axis::Latitude => (degrees.abs() <= 90.0 && moved.abs() <= 90.0).then_some(moved),
            Axis::Longitude if degrees.abs() > 360.0 => None,
            Axis::Longitude if moved > 180.0 => Some(moved - 360.0),
            Axis::Longitude if moved < -180.0 => Some(moved + 360.0),
            Axis::Longitude => Some(moved),
        }
    }

    /// Like [`degrees`](Self::degrees), exactly, for a text such as `-71.0873`. Also `None` if it is not a number.
    pub fn degrees_text(self, axis: Axis, text: &[u8]) -> Option<String> {
        let number = Decimal::parse(text)?;
        if number.units == 0 {
            return std::str::from_utf8(text).ok().map(str::to_owned);
        }
        let number = number.with_decimals(5)?;
        let degree = number.power();
        // A unit has five decimals.
        let offset = i128::from(self.along(axis)).checked_mul(degree)?.checked_div(UNITS.into())?;
        let units = turned(axis, number.units.checked_add(offset)?, degree)?;
        (number.units.checked_abs()? <= degree.checked_mul(360)?)
            .then(|| Decimal { units, ..number }.to_string())
    }

    /// Like [`degrees`](Self::degrees), for degrees and minutes such as `4807.038` with `N`, `S`, `E` or `W`.
    pub fn minutes_text(self, text: &[u8], hemisphere: u8) -> Option<(String, u8)> {
        let (axis, letters) = match hemisphere.to_ascii_uppercase() {
            b'N' | b'S' => (Axis::Latitude, [b'N', b'S']),
            b'E' | b'W' => (Axis::Longitude, [b'E', b'W']),
            _ => return None,
        };
        let number = Decimal::parse(text)?;
        if number.units == 0 {
            return Some((std::str::from_utf8(text).ok()?.to_owned(), hemisphere));
        }
        let number = number.with_decimals(3)?;
        let minute = number.power();
        let (degrees, minutes) = split(number.units, minute.checked_mul(100)?)?;
        let degree = minute.checked_mul(60)?;
        if minutes >= degree || number.units < 0 {
            return None;
        }
        let size = degrees.checked_mul(degree)?.checked_add(minutes)?;
        let [positive, negative] = letters;
        let signed = if hemisphere.eq_ignore_ascii_case(&negative) { size.checked_neg()? } else { size };
        let offset = i128::from(self.along(axis)).checked_mul(degree)?.checked_div(UNITS.into())?;
        let moved = turned(axis, signed.checked_add(offset)?, degree)?;
        let letter = if moved < 0 { negative } else { positive };
        let (degrees, minutes) = split(moved.checked_abs()?, degree)?;
        let width = if axis == Axis::Latitude { 2 } else { 3 };
        let minutes = Decimal { units: minutes, decimals: number.decimals };
        let minutes = format!("{minutes}");
        let zero = if minutes.find('.').unwrap_or(minutes.len()) < 2 { "0" } else { "" };
        let letter = if hemisphere.is_ascii_lowercase() { letter.to_ascii_lowercase() } else { letter };
        Some((format!("{degrees:0width$}{zero}{minutes}"), letter))
    }

    /// Moved metres above the sea.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    pub fn height(self, metres: f64) -> f64 {
        if metres == 0.0 { metres } else { metres + self.height as f64 / 10.0 }
    }

    /// Moved metres of the geoid above the ellipsoid, which would reveal the place.
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    pub fn geoid(self, metres: f64) -> f64 {
        if metres == 0.0 { metres } else { metres + self.geoid as f64 / 10.0 }
    }

    /// Like [`height`](Self::height), exactly, for a text; `None` if it is not a number.
    pub fn height_text(self, text: &[u8]) -> Option<String> {
        metres(text, self.height)
    }

    /// Like [`geoid`](Self::geoid), exactly, for a text; `None` if it is not a number.
    pub fn geoid_text(self, text: &[u8]) -> Option<String> {
        metres(text, self.geoid)
    }
}

fn metres(text: &[u8], decimetres: i64) -> Option<String> {
    let number = Decimal::parse(text)?;
    if number.units == 0 {
        return std::str::from_utf8(text).ok().map(str::to_owned);
    }
    let number = number.with_decimals(1)?;
    let offset = i128::from(decimetres).checked_mul(number.power())?.checked_div(10)?;
    Some(Decimal { units: number.units.checked_add(offset)?, ..number }.to_string())
}

fn split(number: i128, by: i128) -> Option<(i128, i128)> {
    Some((number.checked_div(by)?, number.checked_rem(by)?))
}

/// A latitude on Earth, or a longitude wrapped to -180 to 180 degrees.
fn turned(axis: Axis, units: i128, degree: i128) -> Option<i128> {
    let half = degree.checked_mul(180)?;
    match axis {
        Axis::Latitude => (units.checked_abs()? <= degree.checked_mul(90)?).then_some(units),
        Axis::Longitude if units > half => units.checked_sub(half.checked_mul(2)?),
        Axis::Longitude if units < half.saturating_neg() => units.checked_add(half.checked_mul(2)?),
        Axis::Longitude => Some(units),
    }
}

/// A decimal number of known precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    units: i128,
    decimals: u32,
}

impl Decimal {
    /// Maximum decimals of a text; doubles have 17 digits.
    const MOST: u32 = 22;

    fn parse(text: &[u8]) -> Option<Self> {
        if text.iter().any(|byte| matches!(byte, b'e' | b'E')) {
            let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
            return Self::parse(format!("{number:.12}").as_bytes());
        }
        let (is_negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] | digits => (false, digits),
        };
        let (mut units, mut decimals, mut count) = (0_i128, None::<u32>, 0_u32);
        for byte in digits {
            match (byte, decimals) {
                (b'.', None) => decimals = Some(0),
                (b'0'..=b'9', _) => {
                    units = units.checked_mul(10)?.checked_add(i128::from(byte.wrapping_sub(b'0')))?;
                    decimals = decimals.map(|n| n.plus(1));
                    count = count.plus(1);
                }
                _ => return None,
            }
        }
        let decimals = decimals.unwrap_or(0);
        let is_number = count > 0 && decimals <= Self::MOST && count <= 30;
        is_number
            .then_some(Self { units: if is_negative { units.saturating_neg() } else { units }, decimals })
    }

    fn power(self) -> i128 {
        10_i128.checked_pow(self.decimals).unwrap_or(i128::MAX)
    }

    /// Extended to at least `least` decimals.
    fn with_decimals(self, least: u32) -> Option<Self> {
        let more = least.saturating_sub(self.decimals);
        let units = self.units.checked_mul(10_i128.checked_pow(more)?)?;
        Some(Self { units, decimals: self.decimals.max(least) })
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let size = self.units.unsigned_abs();
        let power = self.power().unsigned_abs().max(1);
        let (whole, part) = (size.checked_div(power).unwrap_or(0), size.checked_rem(power).unwrap_or(0));
        if self.decimals == 0 {
            return write!(f, "{sign}{whole}");
        }
        write!(f, "{sign}{whole}.{part:0width$}", width = usize::try_from(self.decimals).unwrap_or(0))
    }
}

/// Whether a key such as `NAV_LAT`, `latitude` or `LatOrigin` names a latitude.
pub fn is_latitude(key: &str) -> bool {
    is_of(key, &["lat", "latitude", "latorigin", "latdeg", "originlat", "lats"])
}

/// Whether a key such as `NAV_LONG`, `lon` or `LongOrigin` names a longitude.
pub fn is_longitude(key: &str) -> bool {
    let names =
        ["lon", "long", "lng", "longitude", "longorigin", "lonorigin", "londeg", "originlon", "originlong"];
    is_of(key, &names)
}

/// Whether one of the words of a key is in `names`.
fn is_of(key: &str, names: &[&str]) -> bool {
    let is_name = |word: &str| names.contains(&word.to_ascii_lowercase().as_str());
    let parts = key.split(|c: char| !c.is_ascii_alphabetic());
    parts.filter(|part| !part.is_empty()).any(|part| is_name(part) || humps(part).any(is_name))
}

/// The words of a camel-case name such as `LatOrigin`.
fn humps(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    std::iter::from_fn(move || {
        let is_hump = |(at, c): (usize, char)| (at > 0 && c.is_ascii_uppercase()).then_some(at);
        let end = rest.char_indices().find_map(is_hump).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end)?;
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 degree and one unit south, 100.5 degrees east.
    const OFFSET: Offset =
        Offset { latitude: -20_001, longitude: 2_010_000, height: 123, geoid: -45, plane: [1, 2] };

    #[test]
    fn texts_move_exactly_and_back() {
        let degrees = |axis, text: &str| OFFSET.degrees_text(axis, text.as_bytes()).unwrap();
        assert_eq!(degrees(Axis::Latitude, "42.358436"), "41.358386");
        assert_eq!(degrees(Axis::Latitude, "0.5"), "-0.50005");
        assert_eq!(degrees(Axis::Longitude, "-71.08745"), "29.41255");
        assert_eq!(degrees(Axis::Longitude, "120"), "-139.50000");
        assert_eq!(degrees(Axis::Longitude, "0.000"), "0.000");
        assert_eq!(OFFSET.degrees_text(Axis::Latitude, b"-89.5"), None);
        assert_eq!(OFFSET.degrees_text(Axis::Latitude, b"4x"), None);
        for (axis, text) in [(Axis::Latitude, "42.35843600"), (Axis::Longitude, "-171.08745")] {
            assert_eq!(OFFSET.back().degrees_text(axis, degrees(axis, text).as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn minutes_move_as_degrees_do() {
        let minutes = |text: &str, letter| OFFSET.minutes_text(text.as_bytes(), letter).unwrap();
        // 48 degrees 7.038 minutes minus 1 degree 0.003 minutes.
        assert_eq!(minutes("4807.038", b'N'), ("4707.035".into(), b'N'));
        assert_eq!(minutes("0030.0000", b'N'), ("0030.0030".into(), b'S'));
        assert_eq!(minutes("01131.000", b'E'), ("11201.000".into(), b'E'));
        assert_eq!(minutes("08500.5", b'E'), ("17429.500".into(), b'W'));
        assert_eq!(minutes("10100.25", b'W'), ("00030.250".into(), b'W'));
        let back = OFFSET.back().minutes_text(b"4707.035", b'N').unwrap();
        assert_eq!(back, ("4807.038".into(), b'N'));
        assert_eq!(OFFSET.minutes_text(b"4875.0", b'N'), None);
    }

    #[test]
    fn heights_move_and_zeros_stay() {
        assert_eq!(OFFSET.height_text(b"545.4").unwrap(), "557.7");
        assert_eq!(OFFSET.height_text(b"5").unwrap(), "17.3");
        assert_eq!(OFFSET.height_text(b"0.0").unwrap(), "0.0");
        assert_eq!(OFFSET.geoid_text(b"46.9").unwrap(), "42.4");
    }

    #[test]
    fn keys_say_what_they_are() {
        for key in ["NAV_LAT", "latitude", "LatOrigin", "LAT_ORIGIN", "gps.lat", "GPS_LATITUDE_2"] {
            assert!(is_latitude(key) && !is_longitude(key), "{key}");
        }
        for key in ["NAV_LONG", "lon", "LongOrigin", "LONGITUDE"] {
            assert!(is_longitude(key) && !is_latitude(key), "{key}");
        }
        for key in ["LATENCY", "PLATFORM", "LATERAL_ERROR", "FLAT", "LONGEST"] {
            assert!(!is_latitude(key) && !is_longitude(key), "{key}");
        }
    }

    #[test]
    fn an_offset_is_as_far_as_it_says() {
        for seed in 0..200_u64 {
            let hash = |label: &[u8]| {
                label.iter().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |h, b| {
                    (h ^ u64::from(*b)).wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(23)
                })
            };
            let offset = Offset::new(&hash);
            assert!(
                (6_000..30_000).contains(&offset.latitude.abs())
                    && (20_000..=3_580_000).contains(&offset.longitude.abs())
            );
            let there = offset.degrees(Axis::Longitude, 3.25).unwrap();
            assert!((offset.back().degrees(Axis::Longitude, there).unwrap() - 3.25).abs() < 1e-12);
        }
    }
}
