//! Reads the fields of a sentence in order and reports the first invalid one.

use robolog_core::{
    Error, Result,
    slices::fitting,
    text::{count, others_than_digits},
};

use crate::{Coordinate, Date, Decimal, Sentence, Time, sentence::Fields, time::shown};

/// Position in the fields of a sentence. Missing fields at the end count as empty.
pub(crate) struct Cursor<'a> {
    fields: Fields<'a>,
    /// Offset after the last field.
    end: u64,
    /// Error of the first unreadable field, which counts as empty.
    fault: Option<Error>,
    /// Whether numbers are followed by their units.
    has_units: bool,
    satellites: Satellites,
}

/// Which satellites are wanted. The fields of others are checked, but not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Satellites {
    /// All.
    All,
    /// Those in view, not those used.
    InView,
    /// The number of those in view.
    Counted,
}

/// Maximum digits of a field that is passed over.
const SHORT: usize = 4;

impl<'a> Cursor<'a> {
    pub(crate) fn new(sentence: &Sentence<'a>) -> Self {
        Self::with(sentence, Satellites::All)
    }

    pub(crate) fn with(sentence: &Sentence<'a>, satellites: Satellites) -> Self {
        let (fields, end) = (sentence.fields(), sentence.fields_end());
        Self { fields, end, fault: None, has_units: true, satellites }
    }

    pub(crate) fn satellites(&self) -> Satellites {
        self.satellites
    }

    /// The result of `read`; an error if a field cannot be read.
    pub(crate) fn strictly<T>(mut self, read: impl FnOnce(&mut Self) -> T) -> Result<T> {
        let value = read(&mut self);
        self.fault.map_or(Ok(value), Err)
    }

    /// The error of the first unreadable field.
    pub(crate) fn into_fault(self) -> Option<Error> {
        self.fault
    }

    /// The field at this index after the current position.
    pub(crate) fn peek(&self, index: usize) -> Option<&'a [u8]> {
        self.fields.clone().nth(index)
    }

    /// The last field after the current position.
    pub(crate) fn last(&self) -> Option<&'a [u8]> {
        self.fields.rest()?.rsplit(|b| *b == b',').next()
    }

    /// Passes over `count` fields, each empty or of at most four digits, and calls `each` with the places of
    /// the numbers among them. Missing fields count as empty. Where a field is another, it consumes nothing and
    /// returns false.
    #[inline]
    pub(crate) fn skim(&mut self, count: usize, mut each: impl FnMut(usize)) -> bool {
        let Some(rest) = self.fields.rest().filter(|_| count > 0) else { return true };
        let (mut done, mut from) = (0, 0);
        // What is no digit ends a field.
        for (place, byte) in others_than_digits(rest) {
            let len = place.saturating_sub(from);
            if byte != b',' || len > SHORT {
                return false;
            }
            if len > 0 {
                each(done);
            }
            (done, from) = (done + 1, place + 1);
            if done == count {
                self.fields.pass(place);
                return true;
            }
        }
        let len = rest.len() - from;
        if len > SHORT {
            return false;
        }
        if len > 0 {
            each(done);
        }
        self.fields.pass(rest.len());
        true
    }

    /// The next field.
    #[inline]
    pub(crate) fn next(&mut self) -> &'a [u8] {
        self.fields.next().unwrap_or_default()
    }

    /// Number of fields left.
    pub(crate) fn left(&self) -> usize {
        self.fields.rest().map_or(0, |rest| count(b',', rest) + 1)
    }

    /// The next field if it is a plain number or empty; its end is found on the way. Otherwise consumes nothing.
    #[inline]
    fn plain(&mut self) -> Plain {
        let Some(rest) = self.fields.rest() else { return Plain::Empty };
        let Some((value, len)) = Decimal::parse_field(rest) else { return Plain::Other };
        self.fields.pass(len);
        value.map_or(Plain::Empty, Plain::Number)
    }

    /// Whether the next field is this one character; consumes it if so.
    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let is_there = match self.fields.rest() {
            Some([first] | [first, b',', ..]) => *first == byte,
            _ => false,
        };
        if is_there {
            self.fields.pass(1);
        }
        is_there
    }

    /// The next field, read by `parse`; `None` if empty.
    #[inline]
    fn read<T>(
        &mut self,
        what: &'static str,
        expected: &'static str,
        parse: impl Fn(&'a [u8]) -> Option<T>,
    ) -> Option<T> {
        let field = self.next();
        if field.is_empty() {
            return None;
        }
        match parse(field) {
            Some(value) => Some(value),
            None => self.again(field, what, expected, parse),
        }
    }

    /// Some receivers put blanks around their fields.
    #[cold]
    fn again<T>(
        &mut self,
        field: &'a [u8],
        what: &'static str,
        expected: &'static str,
        parse: impl Fn(&'a [u8]) -> Option<T>,
    ) -> Option<T> {
        let trimmed = field.trim_ascii();
        if trimmed.is_empty() {
            return None;
        }
        match parse(trimmed) {
            Some(value) => Some(value),
            None => self.wrong(what, field, expected),
        }
    }

    /// Records that the field just read is invalid.
    #[cold]
    pub(crate) fn wrong<T>(&mut self, what: &'static str, field: &[u8], expected: &'static str) -> Option<T> {
        let behind = self.fields.rest().map_or(0, |rest| rest.len() + 1);
        let at = self.end.saturating_sub((behind + field.len()) as u64);
        if self.fault.is_none() {
            let error = Error::invalid(what, format_args!("{:?}", shown(field)), expected, at);
            self.fault = Some(error.within("nmea"));
        }
        None
    }

    #[inline]
    pub(crate) fn decimal(&mut self, what: &'static str) -> Option<Decimal> {
        match self.plain() {
            Plain::Number(value) => Some(value),
            Plain::Empty => None,
            Plain::Other => self.read(what, "a decimal number", Decimal::parse),
        }
    }

    #[inline]
    pub(crate) fn integer<T: TryFrom<i64>>(&mut self, what: &'static str) -> Option<T> {
        let rest = self.fields.clone();
        if let Some((number, len)) = rest.rest().and_then(Decimal::short_integer) {
            self.fields.pass(len);
            if len == 0 {
                return None;
            }
            if let Some(number) = i64::try_from(number).ok().and_then(|number| T::try_from(number).ok()) {
                return Some(number);
            }
            self.fields = rest.clone();
        }
        match self.plain() {
            Plain::Empty => return None,
            Plain::Number(value) => {
                if let Some(value) = value.integer().and_then(|n| T::try_from(n).ok()) {
                    return Some(value);
                }
                self.fields = rest;
            }
            Plain::Other => {}
        }
        let parse = |text: &[u8]| Decimal::parse(text)?.integer().and_then(|n| T::try_from(n).ok());
        self.read(what, "an integer in range", parse)
    }

    /// One or two hexadecimal digits: the number of a signal or system.
    pub(crate) fn hex(&mut self, what: &'static str) -> Option<u8> {
        self.read(what, "a hexadecimal number", |text| {
            u8::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()
        })
    }

    #[inline]
    pub(crate) fn letter(&mut self, what: &'static str) -> Option<char> {
        if let Some([byte @ b'A'..=b'Z', b',', ..]) = self.fields.rest() {
            self.fields.pass(1);
            return Some(char::from(*byte));
        }
        self.read(what, "a letter", |text| match text {
            [byte @ b' '..=b'~'] => Some(char::from(*byte)),
            _ => None,
        })
    }

    pub(crate) fn text(&mut self, what: &'static str) -> Option<&'a str> {
        self.read(what, "text", |text| std::str::from_utf8(text).ok())
    }

    #[inline]
    pub(crate) fn time(&mut self) -> Option<Time> {
        self.read("time", "hhmmss.ss", Time::parse)
    }

    pub(crate) fn date(&mut self) -> Option<Date> {
        self.read("date", "ddmmyy", Date::parse)
    }

    /// Detects whether units follow the next numbers, of which there are at most four: a number or nothing in place of
    /// the first unit means that they do not.
    pub(crate) fn look_for_units(&mut self) {
        let is_number = |field: &[u8]| field.is_empty() || Decimal::parse(field).is_some();
        self.has_units = self.left() > 4 || self.peek(1).is_some_and(|field| !is_number(field));
    }

    /// A number followed by its unit, which may be missing.
    #[inline]
    pub(crate) fn with_unit(&mut self, what: &'static str, unit: char) -> Option<Decimal> {
        let number = self.decimal(what);
        let unit = fitting::<u8>(unit);
        if !self.has_units || self.take(unit) {
            return number;
        }
        let found = self.next();
        if found == [unit] || found.trim_ascii().is_empty() || found.eq_ignore_ascii_case(&[unit]) {
            return number;
        }
        self.wrong("unit", found, "M, N, K or T, each in its place")
    }

    #[inline]
    pub(crate) fn latitude(&mut self) -> Option<Coordinate> {
        self.coordinate("latitude", "ddmm.mm, N or S", *b"NS", 90)
    }

    #[inline]
    pub(crate) fn longitude(&mut self) -> Option<Coordinate> {
        self.coordinate("longitude", "dddmm.mm, E or W", *b"EW", 180)
    }

    #[inline]
    fn coordinate(
        &mut self,
        what: &'static str,
        expected: &'static str,
        [positive, negative]: [u8; 2],
        most: u16,
    ) -> Option<Coordinate> {
        let fields = self.fields.clone();
        if let Plain::Number(number) = self.plain() {
            let is_negative = self.take(negative);
            let is_told = is_negative || self.take(positive);
            if let Some(coordinate) = Coordinate::new(number, is_negative, most).filter(|_| is_told) {
                return Some(coordinate);
            }
        }
        self.fields = fields;
        let number = self.next().trim_ascii();
        let hemisphere = self.next().trim_ascii();
        // Receivers without a fix omit one or the other.
        if number.is_empty() || hemisphere.is_empty() {
            return None;
        }
        let is_negative = hemisphere == [negative];
        let coordinate = Decimal::parse(number).and_then(|number| Coordinate::new(number, is_negative, most));
        match coordinate.filter(|_| is_negative || hemisphere == [positive]) {
            Some(coordinate) => Some(coordinate),
            None => self.wrong(what, &[number, b",", hemisphere].concat(), expected),
        }
    }
}

/// The common form of a field.
enum Plain {
    Number(Decimal),
    Empty,
    Other,
}
