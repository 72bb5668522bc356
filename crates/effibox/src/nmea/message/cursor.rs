//! Reads the fields of a sentence one after another, and says which one is not what it should be.

use std::str::FromStr;

use robolog_core::{Error, Result};

use super::super::{Coordinate, Date, Decimal, Sentence, Time, field::shown, sentence::Fields};

/// Where the reading of a sentence is. Fields that are missing at the end are as good as empty.
pub(super) struct Cursor<'a> {
    fields: Fields<'a>,
    at: u64,
    name: &'static str,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(sentence: &Sentence<'a>, name: &'static str) -> Self {
        Self { fields: sentence.fields(), at: sentence.fields_at(), name }
    }

    /// The next field, and where it is.
    #[inline]
    pub(super) fn next(&mut self) -> &'a [u8] {
        let field = self.fields.next().unwrap_or_default();
        self.at = self.at.saturating_add(field.len() as u64).saturating_add(1);
        field
    }

    /// How many fields follow.
    pub(super) fn left(&self) -> usize {
        self.fields.clone().count()
    }

    /// The next field by `parse`; `None` when it is empty.
    #[inline]
    fn read<T>(
        &mut self,
        what: &'static str,
        expected: &'static str,
        parse: impl Fn(&'a [u8]) -> Option<T>,
    ) -> Result<Option<T>> {
        let field = self.next();
        if field.is_empty() {
            return Ok(None);
        }
        match parse(field) {
            Some(value) => Ok(Some(value)),
            None => self.again(field, what, expected, parse),
        }
    }

    /// Some receivers put blanks around their fields.
    #[cold]
    fn again<T>(
        &self,
        field: &'a [u8],
        what: &'static str,
        expected: &'static str,
        parse: impl Fn(&'a [u8]) -> Option<T>,
    ) -> Result<Option<T>> {
        let trimmed = field.trim_ascii();
        if trimmed.is_empty() {
            return Ok(None);
        }
        parse(trimmed).map(Some).ok_or_else(|| self.error(what, field, expected))
    }

    /// That the field just read is wrong.
    #[cold]
    pub(super) fn error(&self, what: &'static str, field: &[u8], expected: &'static str) -> Error {
        let at = self.at.saturating_sub(field.len() as u64).saturating_sub(1);
        Error::invalid(what, format_args!("{:?}", shown(field)), expected, at).within(self.name)
    }

    #[inline]
    pub(super) fn decimal(&mut self, what: &'static str) -> Result<Option<Decimal>> {
        self.read(what, "a decimal number", Decimal::parse)
    }

    #[inline]
    pub(super) fn integer<T: FromStr>(&mut self, what: &'static str) -> Result<Option<T>> {
        self.read(what, "an integer in range", |text| std::str::from_utf8(text).ok()?.parse().ok())
    }

    /// A hexadecimal digit or two, as signals and systems are numbered by.
    pub(super) fn hex(&mut self, what: &'static str) -> Result<Option<u8>> {
        self.read(what, "a hexadecimal number", |text| {
            u8::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()
        })
    }

    #[inline]
    pub(super) fn letter(&mut self, what: &'static str) -> Result<Option<char>> {
        self.read(what, "a letter", |text| match text {
            [byte @ b' '..=b'~'] => Some(char::from(*byte)),
            _ => None,
        })
    }

    pub(super) fn text(&mut self, what: &'static str) -> Result<Option<&'a str>> {
        self.read(what, "text", |text| std::str::from_utf8(text).ok())
    }

    #[inline]
    pub(super) fn time(&mut self) -> Result<Option<Time>> {
        self.read("time", "hhmmss.ss", Time::parse)
    }

    pub(super) fn date(&mut self) -> Result<Option<Date>> {
        self.read("date", "ddmmyy", Date::parse)
    }

    /// A number that is followed by its unit; the unit may be left out.
    #[inline]
    pub(super) fn with_unit(&mut self, what: &'static str, unit: u8) -> Result<Option<Decimal>> {
        let number = self.decimal(what)?;
        let found = self.next();
        if found == [unit] || found.trim_ascii().is_empty() || found.eq_ignore_ascii_case(&[unit]) {
            return Ok(number);
        }
        Err(self.error("unit", found, "M, N, K or T where its place is"))
    }

    #[inline]
    pub(super) fn latitude(&mut self) -> Result<Option<Coordinate>> {
        self.coordinate("latitude", "ddmm.mm, N or S", *b"NS", 90)
    }

    #[inline]
    pub(super) fn longitude(&mut self) -> Result<Option<Coordinate>> {
        self.coordinate("longitude", "dddmm.mm, E or W", *b"EW", 180)
    }

    #[inline]
    fn coordinate(
        &mut self,
        what: &'static str,
        expected: &'static str,
        [positive, negative]: [u8; 2],
        most: u16,
    ) -> Result<Option<Coordinate>> {
        let number = self.next().trim_ascii();
        let hemisphere = self.next().trim_ascii();
        // Receivers without a fix leave out one or the other.
        if number.is_empty() || hemisphere.is_empty() {
            return Ok(None);
        }
        let is_negative = hemisphere == [negative];
        let coordinate = Coordinate::parse(number, is_negative, most);
        coordinate
            .filter(|_| is_negative || hemisphere == [positive])
            .map(Some)
            .ok_or_else(|| self.error(what, &[number, b",", hemisphere].concat(), expected))
    }
}
