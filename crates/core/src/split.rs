//! Parts of a file that can be read independently, on several cores or machines.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::{
    Error, Event, FileReader, FileSamples, Result, Samples, StreamReader, Timestamp,
    format::{Decoder as _, OptionsOf, Recording, Timed as _},
    slices::{InRange as _, length},
};

/// A part of a recording that can be read independently. The samples of all splits of a file, one split after another,
/// are the samples of the file.
///
/// A sample belongs to the split with the record that completed it: the last point of a scan, the sentence after a fix.
///
/// With the `serde` feature a split can be sent to another process or machine that has the file under the same path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Split {
    /// The file.
    pub path: PathBuf,
    /// Offset of the first record; 0 for the first split, whose records begin after the header.
    pub start: u64,
    /// Offset after the last record: the start of the next split, or the length of the file.
    pub end: u64,
    /// Time of the first record that has one.
    pub first_time: Option<Timestamp>,
    /// Time of the last record that has one.
    pub last_time: Option<Timestamp>,
    /// Locations, in file order, of the records before `start` that a decoder must be shown first: those that introduce
    /// actors, devices and tracks, and those of an incomplete value.
    pub prerequisites: Vec<Range<u64>>,
    /// Whether this is the last split. It is read to the end of the file, and delivers everything pending there.
    pub is_last: bool,
}

impl Split {
    /// The file as one split.
    pub fn whole(path: impl Into<PathBuf>, len: u64) -> Self {
        let (first_time, last_time) = (None, None);
        Self {
            path: path.into(),
            start: 0,
            end: len,
            first_time,
            last_time,
            prerequisites: Vec::new(),
            is_last: true,
        }
    }

    /// The error for a reader that is at `found` where the split should end: the file has changed since it was split.
    #[cold]
    pub fn misplaced(&self, found: u64) -> Error {
        misplaced(found, self.end)
    }

    /// Whether the split is the whole file.
    pub fn is_whole(&self) -> bool {
        self.start == 0 && self.is_last
    }

    /// The samples of this part of the file. Options that affect how the file is read must be those used for splitting.
    ///
    /// Returns an error if the file cannot be opened or is not of this format. An item is an error if the file is
    /// damaged, or if its records do not end where the split does: the file has then changed since it was split.
    pub fn samples<F: Recording>(&self, options: OptionsOf<F>) -> Result<FileSamples<F>> {
        FileReader::<F>::open_at_least(&self.path, self.end)?.samples_of(self, options)
    }
}

/// Adds `range`, which starts no earlier than any of `ranges`, and joins it to the last one if they touch.
pub fn push_range(ranges: &mut Vec<Range<u64>>, range: Range<u64>) {
    match ranges.last_mut() {
        Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
        _ => ranges.push(range),
    }
}

/// Sorts `more` and adds each range with [`push_range`].
pub fn extend_ranges<'r>(ranges: &mut Vec<Range<u64>>, more: impl IntoIterator<Item = &'r Range<u64>>) {
    let mut more: Vec<_> = more.into_iter().collect();
    more.sort_unstable_by_key(|range| range.start);
    for range in more {
        push_range(ranges, range.clone());
    }
}

/// Iterator over the splits of a recording, which it reads record by record without decoding payloads. Each split is
/// known once the first record after it has been read.
pub struct Splits<R, F: Recording> {
    reader: StreamReader<R, F>,
    decoder: F::Decoder,
    /// Minimum bytes of a split.
    target_bytes: u64,
    /// The current split; `None` after the last one.
    next: Option<Split>,
    /// Offset of its first record.
    begun: u64,
    tells_times: bool,
    /// Minimum length of a split, as a multiple of what it carries.
    carried: u64,
}

impl<R: io::Read, F: Recording> Splits<R, F> {
    /// The splits of the file at `path`; `reader` must be at the first record. Each but the last has at least
    /// `target_bytes`, extended to the next record where a split can begin. `options` supply what the bytes leave open
    /// about reading.
    pub fn new(
        reader: StreamReader<R, F>,
        path: impl Into<PathBuf>,
        target_bytes: u64,
        options: &OptionsOf<F>,
    ) -> Self {
        let decoder = F::Decoder::new(reader.header(), options.clone());
        let next = Some(Split { is_last: false, ..Split::whole(path, 0) });
        let begun = reader.position();
        Self { reader, decoder, target_bytes, next, begun, tells_times: true, carried: 0 }
    }

    /// The reader, positioned after the first record of the next split.
    pub fn reader(&self) -> &StreamReader<R, F> {
        &self.reader
    }

    /// Omits the times of the splits, which is faster in some formats.
    #[must_use]
    pub fn without_times(self) -> Self {
        Self { tells_times: false, ..self }
    }

    /// Makes each split also at least `times` as long as the records it carries, so that reading all splits takes
    /// little longer than reading the file.
    #[must_use]
    pub fn with_carried(self, times: u64) -> Self {
        Self { carried: times, ..self }
    }

    fn next_split(&mut self) -> Result<Option<Split>> {
        let Some(split) = &mut self.next else { return Ok(None) };
        let carried: u64 = split.prerequisites.iter().map(length).sum();
        let least = self.target_bytes.max(carried.saturating_mul(self.carried)).max(1);
        loop {
            let start = self.reader.position();
            let (record, end) = match self.reader.next_event_and_end()? {
                (Event::Record(record), end) => (record, end),
                (Event::Damage { .. }, _) => continue,
                (Event::End, end) => {
                    (split.end, split.is_last) = (end, true);
                    return Ok(self.next.take());
                }
            };
            let is_enough = start.minus(self.begun) >= least;
            let carry = if is_enough { self.decoder.prerequisites(&record) } else { None };
            self.decoder.follow(&record, start..end);
            let time = if self.tells_times { record.time() } else { None };
            if let Some(carry) = carry {
                let next = Split {
                    path: split.path.clone(),
                    start,
                    end: start,
                    first_time: time,
                    last_time: time,
                    prerequisites: carry,
                    is_last: false,
                };
                self.begun = start;
                let mut done = std::mem::replace(split, next);
                done.end = start;
                return Ok(Some(done));
            }
            split.first_time = split.first_time.or(time);
            split.last_time = time.or(split.last_time);
        }
    }
}

impl<R: io::Read, F: Recording> Iterator for Splits<R, F> {
    type Item = Result<Split>;

    fn next(&mut self) -> Option<Self::Item> {
        let outcome = self.next_split();
        if outcome.is_err() {
            self.next = None;
        }
        outcome.transpose()
    }
}

impl<R, F: Recording> std::fmt::Debug for Splits<R, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Splits")
            .field("format", &F::NAME)
            .field("target_bytes", &self.target_bytes)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl<R: io::Read + io::Seek, F: Recording> StreamReader<R, F> {
    /// The samples of a part of the recording: see [`Split::samples`]. The stream must start with the recording.
    pub fn samples_of(mut self, split: &Split, options: OptionsOf<F>) -> Result<Samples<R, F>> {
        F::apply_options(self.header_mut(), &options);
        let mut decoder = F::Decoder::new(self.header(), options);
        self.carry_to(split, &mut decoder)?;
        Ok(Samples::within(self, decoder, (!split.is_last).then_some(split.end)))
    }

    /// Goes to the first record of a split, and shows the decoder the records it carries.
    ///
    /// Returns stream errors.
    pub fn carry_to(&mut self, split: &Split, decoder: &mut F::Decoder) -> Result<()> {
        for range in &split.prerequisites {
            self.seek(range.start)?;
            while self.position() < range.end {
                match self.next_event()? {
                    // Its faults were reported where it was first read.
                    Event::Record(record) => drop(decoder.pass(&record)),
                    Event::Damage { .. } => {}
                    Event::End => break,
                }
            }
        }
        self.seek(split.start.max(self.header_bytes().len() as u64))
    }
}

/// The splits of the file at `path`: see [`Splits::new`]. `options` supply what the bytes leave open.
pub fn splits<F: Recording>(
    path: impl AsRef<Path>,
    target_bytes: u64,
    options: &OptionsOf<F>,
) -> Result<Vec<Split>> {
    let path = path.as_ref();
    let mut reader = FileReader::<F>::open(path)?;
    F::apply_options(reader.header_mut(), options);
    Splits::new(reader, path, target_bytes, options).collect()
}

/// The error for a split whose last record does not end with it.
#[cold]
pub(crate) fn misplaced(found: u64, end: u64) -> Error {
    Error::invalid("end of a record", found, format_args!("{end}, where the split ends"), end)
}
