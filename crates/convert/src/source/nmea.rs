//! NMEA sentences for the converters, beyond samples.

use std::{borrow::Cow, io::Read as _, path::Path};

use robolog_core::{StreamReader, text::name_of};
use robolog_nmea::{Date, Nmea};

use super::{How, Source, Stream, plain};
use crate::{Error, Foreign, Settings};

impl Source for Nmea {
    fn options(settings: &Settings) -> robolog_nmea::Options {
        settings.nmea
    }

    fn raw(record: &robolog_nmea::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn open(stream: Stream, path: Option<&Path>, how: &How) -> crate::Result<StreamReader<Stream, Self>> {
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        let name = path.map_or(Cow::Borrowed(""), name_of);
        if let Some(date) = date_in(name.as_bytes()) {
            reader.header_mut().set_named(date);
        }
        Ok(reader)
    }
}

/// Bytes searched for sentences in a file of an unknown format.
const FAR: usize = 1 << 20;

/// The error for an input of an unknown format that has sentences among other data; `more` opens it again.
pub(super) fn among_others(start: &[u8], more: Option<&plain::Reopen>) -> Option<Error> {
    let far = more.and_then(|open| {
        let mut far = Vec::new();
        open().ok()?.take(FAR as u64).read_to_end(&mut far).ok()?;
        Some(far)
    });
    let view = far.as_deref().unwrap_or(start);
    robolog_nmea::has_sentences(view).then_some(Error::Foreign(Foreign {
        name: "other data with NMEA sentences in it",
        advice: Some("`--format nmea` reads the sentences"),
    }))
}

/// A date such as `20231019`, `2023-10-19` or `2023_10_19` in a name.
fn date_in(name: &[u8]) -> Option<Date> {
    let digit =
        |at: usize| name.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| u16::from(byte & 15));
    let number = |at: usize, len: usize| {
        (at..at.checked_add(len)?).try_fold(0_u16, |sum, at| sum.checked_mul(10)?.checked_add(digit(at)?))
    };
    let read = |at: usize, gap: usize| {
        let (month, day) =
            (at.checked_add(4)?.checked_add(gap)?, at.checked_add(6)?.checked_add(gap.checked_mul(2)?)?);
        let year = number(at, 4).filter(|year| (1990..2100).contains(year))?;
        let pair = |at: usize| u8::try_from(number(at, 2)?).ok();
        let is_apart = at.checked_sub(1).and_then(digit).is_none() && digit(day.checked_add(2)?).is_none();
        let [first, second] = [month.checked_sub(gap)?, day.checked_sub(gap)?].map(|at| name.get(at));
        let are_marks = gap == 0 || (first == second && matches!(first, Some(b'-' | b'_' | b'.')));
        Date::new(year, pair(month)?, pair(day)?).filter(|_| is_apart && are_marks)
    };
    (0..name.len()).find_map(|at| read(at, 0).or_else(|| read(at, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_logs_have_dates() {
        for (name, date) in [
            ("log_20231019_1200.nmea", Some((2023, 10, 19))),
            ("2023-10-19T12.txt", Some((2023, 10, 19))),
            ("gps.2023_10_19", Some((2023, 10, 19))),
            ("120231019.nmea", None),
            ("2023-1019.nmea", None),
            ("20231319", None),
            ("", None),
        ] {
            let want = date.and_then(|(year, month, day)| Date::new(year, month, day));
            assert_eq!(date_in(name.as_bytes()), want, "{name}");
        }
    }
}
