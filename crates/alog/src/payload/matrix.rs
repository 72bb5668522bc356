//! Matrices: `[181]{1.0,2.0,...}`, `[3x1]{...}`, `[2x8]{...}`.

use robolog_core::{
    slices::{Part as _, split_once},
    text::short_number,
};

use super::{Strictness, number};

/// The numbers of a [`Matrix`].
#[derive(Debug, Clone)]
pub struct Values<'a> {
    rest: &'a [u8],
}

impl Iterator for Values<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        // Most numbers are short, and a comma follows.
        if let Some((number, len)) = short_number(self.rest) {
            self.rest = self.rest.part(len + 1..);
            return Some(number);
        }
        let text = self.rest.trim_ascii_start();
        let first = text.first()?;
        if first.is_ascii_digit() || matches!(first, b'-' | b'.') {
            // Parse first, then check for a comma: faster than the reverse.
            if let Ok((number, len)) = fast_float2::parse_partial::<f64, _>(text) {
                match text.get(len..) {
                    Some([b',', rest @ ..]) => {
                        self.rest = rest;
                        // Another comma means an empty number.
                        return Some(number);
                    }
                    Some([]) | None => {
                        self.rest = &[];
                        return Some(number);
                    }
                    Some(_) => {}
                }
            }
        }
        let (item, rest) = split_once(text, b',').unwrap_or((text, &[]));
        self.rest = rest;
        Some(number(item.trim_ascii(), Strictness::Ours).unwrap_or(f64::NAN))
    }
}

/// A matrix, row by row. Its numbers are parsed on request.
///
/// ```
/// use alog::Matrix;
/// let matrix = Matrix::parse(b"[2x2]{1,0,0,1}").expect("it is one");
/// assert_eq!((matrix.rows, matrix.columns), (2, 2));
/// assert_eq!(matrix.to_vec(), Some(vec![1.0, 0.0, 0.0, 1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matrix<'a> {
    /// Rows.
    pub rows: usize,
    /// Columns; 1 if only rows are stated.
    pub columns: usize,
    numbers: &'a [u8],
}

impl<'a> Matrix<'a> {
    /// Reads `[n]{...}`, `[nxm]{...}` and the same with the multiplication sign. `None` for other text; the text
    /// between the braces is parsed by [`values`](Self::values).
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let size = text.trim_ascii().strip_prefix(b"[")?;
        let (size, rest) = split_once(size, b']')?;
        let rest = rest.trim_ascii().strip_prefix(b"{")?;
        let close = memchr::memrchr(b'}', rest).unwrap_or(rest.len());
        let size = std::str::from_utf8(size).ok()?;
        let mut sides = size.split(['x', 'X', '\u{d7}']).map(|side| side.trim().parse::<usize>().ok());
        let rows = sides.next()??;
        let columns = sides.next().unwrap_or(Some(1))?;
        if sides.next().is_some() {
            return None;
        }
        Some(Self { rows, columns, numbers: rest.get(..close)? })
    }

    /// The numbers, row by row; NaN for other text. A comma after the last one adds none.
    pub fn values(&self) -> Values<'a> {
        let text = self.numbers.trim_ascii_end();
        Values { rest: text.strip_suffix(b",").unwrap_or(text) }
    }

    /// Count of numbers that [`values`](Self::values) yields, without parsing them.
    pub fn count(&self) -> usize {
        let text = self.values().rest;
        let tail = memchr::memrchr(b',', text).map_or(text, |at| text.part(at..));
        let last = usize::from(tail.iter().any(|b| *b != b',' && !b.is_ascii_whitespace()));
        memchr::memchr_iter(b',', text).count() + last
    }

    /// The stated count of numbers; `None` on overflow.
    pub fn len(&self) -> Option<usize> {
        self.rows.checked_mul(self.columns)
    }

    /// Whether the stated count is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// All numbers, if their count equals the stated size.
    pub fn to_vec(&self) -> Option<Vec<f64>> {
        // The stated size is not trusted: the numbers are counted.
        let values: Vec<f64> = self.values().collect();
        (Some(values.len()) == self.len()).then_some(values)
    }
}
