//! Lines and columns of byte offsets in text.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Read},
    path::Path,
};

use robolog_core::slices::Part as _;

use super::super::overview::can_be_read_again;
use crate::progress::Context;

/// A place in a text; line and column count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineColumn {
    line: u64,
    /// In bytes.
    column: u64,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            1 => write!(f, "line {}", self.line),
            column => write!(f, "line {}, column {column}", self.line),
        }
    }
}

/// Places of byte offsets.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<u64, LineColumn>);

/// Whether recordings of this format are text.
pub(super) fn has_lines(format: &str) -> bool {
    matches!(format, "alog" | "effibox" | "gpx" | "kml" | "nmea")
}

impl Places {
    /// Reads a file once more, up to the last offset. Pipes, and files that can no longer be read, have no places.
    pub(super) fn find(path: &Path, offsets: Vec<u64>, context: Context) -> Self {
        if offsets.is_empty() || !can_be_read_again(path) {
            return Self::default();
        }
        // Offsets are in the decompressed text, in UTF-8.
        match context.open(path) {
            Ok(input) => Self::read(input.into_stream(), offsets),
            Err(_) => Self::default(),
        }
    }

    fn read(mut text: impl Read, mut offsets: Vec<u64>) -> Self {
        offsets.sort_unstable();
        offsets.dedup();
        let mut places = BTreeMap::new();
        let mut offsets = offsets.into_iter().peekable();
        let mut block = vec![0; 1 << 16];
        let (mut at, mut line, mut line_start) = (0_u64, 1_u64, 0_u64);
        while offsets.peek().is_some() {
            // Offsets before an error keep their places.
            let len = match text.read(&mut block) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(len) => len,
            };
            let end = at + len as u64;
            let mut rest = block.part(..len);
            loop {
                // Up to the next offset in this block, or to its end.
                let next = offsets.next_if(|offset| *offset < end);
                let until = next.unwrap_or(end) - at;
                let (before, behind) =
                    rest.split_at(usize::try_from(until).unwrap_or(rest.len()).min(rest.len()));
                if let Some(last) = before.iter().rposition(|b| *b == b'\n') {
                    line += memchr::memchr_iter(b'\n', before).count() as u64;
                    line_start = at + last as u64 + 1;
                }
                at += before.len() as u64;
                rest = behind;
                let Some(offset) = next else { break };
                let column = offset - line_start + 1;
                places.insert(offset, LineColumn { line, column });
            }
        }
        // After the last byte, where something is missing.
        for offset in offsets.take_while(|offset| *offset == at) {
            let column = at - line_start + 1;
            places.insert(offset, LineColumn { line, column });
        }
        Self(places)
    }

    pub(super) fn of(&self, offset: u64) -> Option<LineColumn> {
        self.0.get(&offset).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_lines_and_columns_however_the_text_is_read() {
        let text: Vec<u8> = (0..20_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        let naive = |offset: usize| {
            let before = &text[..offset];
            let line = before.split(|b| *b == b'\n').count() as u64;
            let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            LineColumn { line, column: (offset - start) as u64 + 1 }
        };
        let offsets = [0, 1, 6, 7, 8, 65_535, 65_536, 65_537, 131_072, 150_000, text.len() - 1, text.len()];
        let wanted: Vec<u64> = offsets.iter().rev().map(|n| *n as u64).chain([u64::MAX]).collect();
        for step in [7, 1 << 20] {
            let places = Places::read(testkit::Drip::new(&text, step), wanted.clone());
            for offset in offsets {
                assert_eq!(places.of(offset as u64), Some(naive(offset)), "{offset}, {step}");
            }
            assert_eq!(places.of(u64::MAX), None);
        }
    }

    #[test]
    fn places_are_told_as_editors_count() {
        assert_eq!(LineColumn { line: 3, column: 1 }.to_string(), "line 3");
        assert_eq!(LineColumn { line: 3, column: 9 }.to_string(), "line 3, column 9");
    }
}
