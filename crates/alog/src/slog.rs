//! Synchronous logs (`.slog`): a table of numbers with a row at a fixed interval.
//!
//! ```text
//! %%   (2) NAV_X                       the columns, numbered
//! %% TIME              NAV_X           their names again, every thirty rows
//! 0.5701               NaN             a row: NaN where there is no news, and for text
//! ```

use robolog_core::{
    Error, Result,
    slices::{past, split_once},
};

use crate::{header::Header, layout::COMMENT};

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
    columns: Vec<&'a [u8]>,
    text: &'a [u8],
}

impl<'a> Table<'a> {
    /// Finds the columns. Returns an error if none are listed: the text is not a synchronous log.
    pub fn new(text: &'a [u8]) -> Result<Self> {
        let robolog_core::Step::Ready(header, _) = Header::parse(text, true)? else {
            return Err(Error::truncated(1, 0).within("slog"));
        };
        let mut columns: Vec<&[u8]> = Vec::new();
        for line in text.split(|b| *b == b'\n').take_while(|line| line.starts_with(b"%")) {
            let listed = line.strip_prefix(COMMENT).unwrap_or_default().trim_ascii();
            let Some(number) = listed.strip_prefix(b"(") else { continue };
            let Some((number, name)) = split_once(number, b')') else { continue };
            let name = name.trim_ascii();
            if number.trim_ascii().iter().all(u8::is_ascii_digit) && !name.is_empty() {
                columns.push(name);
            }
        }
        if columns.is_empty() {
            return Err(Error::invalid("header", "no list of columns", "lines such as %% (2) NAV_X", 0)
                .within("slog"));
        }
        Ok(Self { header, columns, text })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The names of the columns. Some logs list the time first, others do not: [`Row::values`] are in this order,
    /// without the time.
    pub fn columns(&self) -> impl Iterator<Item = &'a [u8]> + use<'_, 'a> {
        self.columns.iter().copied().filter(|name| *name != b"TIME")
    }

    /// The rows, in file order. A row that does not fit is an error; the next one follows.
    pub fn rows(&self) -> impl Iterator<Item = Result<Row>> + use<'_, 'a> {
        let count = self.columns().count();
        let mut at = 0_u64;
        self.text.split_inclusive(|b| *b == b'\n').filter_map(move |line| {
            let here = at;
            at = past(at, line.len());
            let is_row = !line.starts_with(b"%") && !line.trim_ascii().is_empty();
            is_row.then(|| Row::parse(line, count, here))
        })
    }
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
    fn parse(line: &[u8], count: usize, at: u64) -> Result<Self> {
        let mut cells = line.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty());
        let number = |cell: &[u8]| fast_float2::parse::<f64, _>(cell).ok();
        let time = cells.next().and_then(number).ok_or_else(|| {
            Error::invalid("time", "no number", "seconds in the first column", at).within("slog")
        })?;
        let values: Vec<_> = cells.map(|cell| number(cell).filter(|n| !n.is_nan())).collect();
        if values.len() != count {
            return Err(
                Error::invalid("row", values.len(), format_args!("{count} values"), at).within("slog")
            );
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
        0.57              1.5               NaN               \n1.14 NaN -2e3\n1.71 3\nx 1 2\n";

    #[test]
    fn rows_have_a_number_or_nothing_for_each_column() {
        let table = Table::new(LOG).unwrap();
        let columns: Vec<_> = table.columns().collect();
        assert_eq!(columns, [&b"NAV_X"[..], b"A_NAME_LONGER_THAN_ITS_COLUMN"]);
        assert_eq!(table.header().logstart().unwrap().to_string(), "1700000000.5");
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[0].as_ref().unwrap(), &Row { time: 0.57, values: vec![Some(1.5), None] });
        assert_eq!(rows[1].as_ref().unwrap().values, [None, Some(-2000.0)]);
        let short = rows[2].as_ref().unwrap_err();
        assert_eq!(
            LOG.get(usize::try_from(short.offset()).unwrap()..).unwrap().get(..6),
            Some(&b"1.71 3"[..])
        );
        assert!(rows[3].is_err());
        assert!(Table::new(b"%% LOGSTART 1\n1.0 A pX 1\n").is_err());
    }
}
