//! Rows of `.dates` files: reception times of images, scans and sentences.

use robolog_core::{Cell, Error, Field, FieldKind, Result, text};

use super::{TableRow, table_row};
use crate::table::payload::Cells;

table_row! {
    /// A row of a camera's `.dates`: the reception time of an image. The first row is of image 1.
    ///
    /// The image was acquired at reception plus latency, by the rule of the documentation.
    CameraDate, digits 15, time |row| row.rtime.checked_add(row.latency);
    /// Reception: microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
    /// Acquisition: reception plus latency, microseconds.
    acquired: i64 = "Rtime+latency" "us",
    /// The camera's latency, microseconds.
    latency: i64 = "latency" "us",
}

impl CameraDate {
    /// Whether the second column is the sum of the others, as the documentation says.
    pub fn adds_up(&self) -> bool {
        self.rtime.checked_add(self.latency) == Some(self.acquired)
    }
}

table_row! {
    /// A row of a range sensor's `.dates`: the reception time of a scan. The first row is of scan 1.
    RangeDate, digits 15, time |row| Some(row.rtime);
    /// Microseconds since the start of the acquisition.
    rtime: i64 = "Rtime" "us",
}

/// A row of a GPS receiver's `.dates`: the reception time and the offset of a sentence.
///
/// Times are `hour:minute:second.fraction` since the start of the acquisition, with one or two colons before the
/// seconds, as the documentation has both. The fraction is decimal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NmeaDate {
    /// `GGA` or `GSV`, or any other type that was logged.
    pub sentence: String,
    /// Number of characters in the file before the sentence. Whether line ends count is unknown: look for the `$`.
    pub offset: i64,
    /// Reception: microseconds since the start of the acquisition.
    pub rtime: i64,
    /// Acquisition: reception plus latency, microseconds.
    pub acquired: i64,
    /// Latency, microseconds.
    pub latency: i64,
}

static COLUMNS: [Field; 5] = [
    Field::new("sentence_type", FieldKind::Text),
    Field::new("numchar", FieldKind::Int),
    Field::new("Rtime'", FieldKind::Int).with_unit("us"),
    Field::new("Rtime'+latency'", FieldKind::Int).with_unit("us"),
    Field::new("latency'", FieldKind::Int).with_unit("us"),
];

impl TableRow for NmeaDate {
    fn columns() -> &'static [Field] {
        &COLUMNS
    }

    fn parse(line: &[u8], at: u64) -> Result<Self> {
        let mut cells = Cells::new(line, at);
        let sentence = cells.text()?;
        let name = std::str::from_utf8(sentence.bytes).unwrap_or_default();
        if name.is_empty() || name.len() > 16 || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'$')
        {
            return Err(sentence.error("the type of a sentence"));
        }
        let row = Self {
            sentence: name.to_owned(),
            offset: cells.int()?,
            rtime: time(&mut cells)?,
            acquired: time(&mut cells)?,
            latency: time(&mut cells)?,
        };
        cells.end()?;
        Ok(row)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let [a, b, c] = [self.rtime, self.acquired, self.latency].map(clock);
        out.extend_from_slice(format!("{} {} {a} {b} {c}", self.sentence, self.offset).as_bytes());
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            self.sentence.as_str().into(),
            self.offset.into(),
            self.rtime.into(),
            self.acquired.into(),
            self.latency.into(),
        ]
    }

    fn rtime(&self) -> Option<i64> {
        self.rtime.checked_add(self.latency)
    }
}

const SECOND: i64 = 1_000_000;

fn time(cells: &mut Cells<'_>) -> Result<i64> {
    let cell = cells.text()?;
    parse_time(cell.bytes).ok_or_else(|| odd(&cell))
}

#[cold]
fn odd(cell: &text::Field<'_>) -> Error {
    cell.error("hours:minutes::seconds.microseconds")
}

/// Microseconds of `h:m:s.f` or `h:m::s.f`; a plain integer is in microseconds.
fn parse_time(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let signed = |micros: i64| if negative { micros.checked_neg() } else { Some(micros) };
    let unsigned = |text: &str| -> Option<i64> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits { text.parse().ok() } else { None }
    };
    let mut parts = text.splitn(3, ':');
    let (Some(hours), Some(minutes), Some(seconds)) = (parts.next(), parts.next(), parts.next()) else {
        return signed(unsigned(text)?);
    };
    let seconds = seconds.strip_prefix(':').unwrap_or(seconds);
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let (hours, minutes, seconds) = (unsigned(hours)?, unsigned(minutes)?, unsigned(seconds)?);
    if minutes > 59 || seconds > 60 || fraction.len() > 18 {
        return None;
    }
    let scale = 10_i64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = i128::from(unsigned(fraction)?).checked_mul(SECOND.into())?.checked_div(scale.into())?;
    let whole = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)?;
    signed(whole.checked_mul(SECOND)?.checked_add(i64::try_from(fraction).ok()?)?)
}

fn clock(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let abs = micros.unsigned_abs();
    let (seconds, fraction) = (abs / 1_000_000, abs % 1_000_000);
    format!("{sign}{}:{}::{}.{fraction:06}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_one_or_two_colons_before_the_seconds() {
        for (text, micros) in [
            ("0:0::0.476121", 476_121),
            ("0:0:0.476121", 476_121),
            ("01:02::03.5", 3_723_500_000),
            ("1:2:3", 3_723_000_000),
            ("-0:0::1.000001", -1_000_001),
            ("476121", 476_121),
        ] {
            assert_eq!(parse_time(text.as_bytes()), Some(micros), "{text}");
        }
        for odd in ["", ":", "::", "1:60::0", "1:2", "1:2:::3", "a:0::0", "0:0::0.", "99999999999999999:0:0"]
        {
            assert_eq!(parse_time(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(clock(3_723_500_000), "1:2::3.500000");
        assert_eq!(clock(-1_000_001), "-0:0::1.000001");
    }
}
