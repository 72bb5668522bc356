//! Synchronous logs (`.slog`): a table of numbers with a row at a fixed interval.
//!
//! ```text
//! %%   (2) NAV_X                       the columns, numbered
//! %% TIME              NAV_X           their names again, every thirty rows
//! 0.5701               NaN             a row: NaN where there is no news, and for text
//! ```

use std::{fmt::Display, sync::Arc};

use robolog_core::{
    Error, Result,
    format::Step,
    slices::{Part as _, past, split_once},
    text::Escaped,
};

use crate::{header::Header, layout::COMMENT, time::Seconds};

/// The first column of a synchronous log.
const TIME: &[u8] = b"TIME";

/// The columns of a synchronous log, shared with its header.
#[derive(Debug, Clone)]
pub(crate) struct Listed(Option<Arc<[Vec<u8>]>>);

impl Listed {
    pub(crate) fn new(columns: Option<Arc<[Vec<u8>]>>) -> Self {
        Self(columns)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.as_deref().map(without_time).into_iter().flatten().map(Vec::as_slice)
    }
}

/// All columns, or all but the first if that is the time.
pub(crate) fn without_time(listed: &[Vec<u8>]) -> &[Vec<u8>] {
    match listed.split_first() {
        Some((time, others)) if time == TIME => others,
        _ => listed,
    }
}

/// The name of a column in a line of a synchronous log's list, such as `%%   (2) NAV_X`.
pub(crate) fn listed(line: &[u8]) -> Option<&[u8]> {
    let (number, name) = split_once(line.strip_prefix(COMMENT)?.trim_ascii().strip_prefix(b"(")?, b')')?;
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    Some(name.trim_ascii()).filter(|name| is_number && !name.is_empty())
}

/// A table in memory.
///
/// ```
/// let text = b"%% LOGSTART 1750223317.65\n%% (1) TIME\n%% (2) NAV_X\n%% (3) NAV_Y\n0.25 12.5 NaN\n";
/// let table = alog::slog::Table::new(text)?;
/// assert!(table.columns().any(|name| name == b"NAV_X"));
/// for row in table.rows() {
///     let row = row?;
///     assert_eq!((row.time, row.values), (0.25, vec![Some(12.5), None]));
/// }
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Table<'a> {
    header: Header,
    text: &'a [u8],
    /// Length of the header.
    len: usize,
}

impl<'a> Table<'a> {
    /// Finds the columns. Returns an error if none are listed: the text is not a synchronous log.
    pub fn new(text: &'a [u8]) -> Result<Self> {
        let Step::Ready(header, len) = Header::parse(text, true)? else {
            return Err(Error::truncated(1, 0).within("slog"));
        };
        if !header.is_table() {
            return Err(Error::invalid("header", "no list of columns", "lines such as %% (2) NAV_X", 0)
                .within("slog"));
        }
        Ok(Self { header, text, len })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The names of the columns. Some logs list the time first, others do not: [`Row::values`] are in this order,
    /// without the time.
    pub fn columns(&self) -> impl Iterator<Item = &[u8]> {
        self.header.table().into_iter().flatten().map(Vec::as_slice)
    }

    /// The rows, in file order. A row that does not fit is an error; the next one follows.
    pub fn rows(&self) -> impl Iterator<Item = Result<Row>> + use<'_, 'a> {
        let count = self.columns().count();
        let mut at = past(0, self.len);
        self.text.part(self.len..).split_inclusive(|b| *b == b'\n').filter_map(move |line| {
            let here = at;
            at = past(at, line.len());
            let is_row = !line.starts_with(b"%") && !line.trim_ascii().is_empty();
            is_row.then(|| Row::parse(line, count, here))
        })
    }
}

/// The cells of a line.
pub(crate) fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty())
}

/// The number in a cell, which is NaN without news; `None` for other text.
pub(crate) fn number(cell: &[u8]) -> Option<f64> {
    fast_float2::parse(cell).ok()
}

/// The number in a cell with news.
pub(crate) fn news(cell: &[u8]) -> Option<f64> {
    number(cell).filter(|number| !number.is_nan())
}

/// A time with an exponent, as loggers write it below a ten-thousandth of a second and beyond ten million.
pub(crate) fn seconds(cell: &[u8]) -> Option<Seconds> {
    Seconds::from_f64(news(cell)?)
}

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Seconds since the start of the log.
    pub time: f64,
    /// A number for each column; `None` without news.
    pub values: Vec<Option<f64>>,
}

impl Row {
    /// Returns an error unless there is a time and `count` cells that are numbers or say that there is no news.
    pub(crate) fn parse(line: &[u8], count: usize, at: u64) -> Result<Self> {
        let invalid = |field: &'static str, found: &dyn Display, expected: &dyn Display| {
            Error::invalid(field, found, expected, at).within("slog")
        };
        let mut cells = cells(line);
        let time = cells.next().and_then(number).filter(|time| time.is_finite());
        let time = time.ok_or_else(|| invalid("time", &"no number", &"seconds in the first column"))?;
        let mut values = Vec::with_capacity(count.min(line.len()));
        for cell in cells {
            let text = || invalid("cell", &format_args!("\"{}\"", Escaped(cell)), &"a number or NaN");
            values.push(Some(number(cell).ok_or_else(text)?).filter(|number| !number.is_nan()));
        }
        if values.len() != count {
            return Err(invalid("row", &format_args!("{} values", values.len()), &count));
        }
        Ok(Self { time, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] = b"%%%%%\n%% LOG FILE:       a.slog\n%% LOGSTART           1700000000.5\n%%%%%\n%%\n\
        %%   (1) TIME\n%%   (2) NAV_X\n%%   (3) A_NAME_LONGER_THAN_ITS_COLUMN\n%%%%%\n\
        %% TIME              NAV_X             A_NAME_LONGER_THAN_ITS_COLUMN\n%% TIME [ 0.57]\n\
        0.57              1.5               NaN               \n1.14 NaN -2e3\n1.71 3\nx 1 2\n2 1 x\n";

    #[test]
    fn rows_have_a_number_or_nothing_for_each_column() {
        let table = Table::new(LOG).unwrap();
        let columns: Vec<_> = table.columns().collect();
        assert_eq!(columns, [&b"NAV_X"[..], b"A_NAME_LONGER_THAN_ITS_COLUMN"]);
        assert_eq!(table.header().logstart().unwrap().to_string(), "1700000000.5");
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0].as_ref().unwrap(), &Row { time: 0.57, values: vec![Some(1.5), None] });
        assert_eq!(rows[1].as_ref().unwrap().values, [None, Some(-2000.0)]);
        let short = rows[2].as_ref().unwrap_err();
        assert_eq!(
            LOG.get(usize::try_from(short.offset()).unwrap()..).unwrap().get(..6),
            Some(&b"1.71 3"[..])
        );
        assert!(rows[3].is_err() && rows[4].is_err());
        assert!(Table::new(b"%% LOGSTART 1\n1.0 A pX 1\n").is_err());
    }
}
