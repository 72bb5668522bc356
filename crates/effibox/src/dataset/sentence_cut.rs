//! Sentences of a receiver in a span of time, by the rows of its `.dates`.

use std::{io::Read, ops::Range};

use robolog_core::{
    Event, StreamReader,
    slices::{past, value_at},
};

use super::{
    Dataset, TableFile,
    fault::{Fault, Result},
    sentences::Dates,
    span::Span,
};
use crate::{
    nmea::Nmea,
    table::{NmeaDate, TableRow as _},
};

/// The part of a receiver's sentences in a span, and the rows of its `.dates` for them.
#[derive(Debug, Clone)]
pub(super) struct SentenceCut {
    /// From the first to the last row in the span, counted from 0 among the valid ones.
    pub(super) rows: Option<(u64, u64)>,
    /// Byte range of the sentences: from the end of the previous row's sentence to the end of the last row's. Sentences
    /// after the very last row have its time.
    pub(super) bytes: Range<u64>,
    /// Number of characters before them, as the rows count.
    before: u64,
}

impl SentenceCut {
    /// Finds them in the sentences of `bytes`.
    pub(super) fn find(
        dataset: &Dataset,
        path: &str,
        bytes: impl Read,
        dates: &TableFile,
        span: Span,
    ) -> Result<Self> {
        let mut rows: Option<(u64, u64)> = None;
        let mut count = 0_u64;
        for row in dataset.rows::<NmeaDate>(dates)?.filter_map(std::result::Result::ok) {
            if row.rtime().is_some_and(|rtime| span.contains(rtime)) {
                rows = Some((rows.map_or(count, |(first, _)| first), count));
            }
            count += 1;
        }
        let Some((first, last)) = rows else { return Ok(Self { rows, bytes: 0..0, before: 0 }) };

        let failed = |e| Fault::new(path, e);
        let mut reader = StreamReader::<_, Nmea>::new(bytes).map_err(failed)?;
        let mut sentences =
            Dates::new(Box::new(dataset.rows::<NmeaDate>(dates)?.filter_map(std::result::Result::ok)));
        let (mut kept, mut before) = (0..0, [0; 3]);
        loop {
            match reader.next_event().map_err(failed)? {
                Event::Record(record) => {
                    let end = past(record.offset(), record.bytes().len());
                    let Some(row) = sentences.sentence(&record) else { continue };
                    if row < first {
                        kept = end..end;
                        before = sentences.counted(end);
                    } else if row <= last {
                        kept.end = end;
                    }
                }
                Event::Damage { .. } => {}
                Event::End => break,
            }
        }
        if last + 1 == count {
            kept.end = reader.position();
        }
        let way = sentences.way().unwrap_or(0);
        Ok(Self { rows, bytes: kept, before: value_at(&before, way) })
    }

    /// A row of `.dates` with its offset counted from the first kept sentence; `None` if it is unchanged or invalid.
    pub(super) fn moved(&self, row: &[u8], date: &NmeaDate) -> Option<Vec<u8>> {
        let moved = date.offset.checked_sub(i64::try_from(self.before).ok()?).filter(|_| self.before > 0)?;
        let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
        let name = row.iter().position(|b| !is_blank(b))?;
        let gap = name + row.get(name..)?.iter().position(is_blank)?;
        let number = gap + row.get(gap..)?.iter().position(|b| !is_blank(b))?;
        let end = number + row.get(number..)?.iter().position(is_blank)?;
        Some([row.get(..number)?, moved.to_string().as_bytes(), row.get(end..)?].concat())
    }
}
