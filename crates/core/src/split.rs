//! Parts of a file that are read each by itself, on several cores or several machines.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::{
    Error, Event, FileReader, FileSamples, OptionsOf, Recording, Result, Samples, Sampling, StreamReader,
    Timed as _, Timestamp,
};

/// A part of a recording that can be read by itself. The samples of all splits of a file, one split after another, are
/// the samples of the file.
///
/// A sample belongs to the split of the record that completed it: the last point of a scan, the sentence behind a fix.
///
/// With the feature `serde` a split can be sent to another process or machine that has the file under the same path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Split {
    /// The file.
    pub path: PathBuf,
    /// Offset of the first record; 0 for the first split, whose records begin behind the header.
    pub start: u64,
    /// Offset behind the last record: the start of the next split, or the length of the file.
    pub end: u64,
    /// The time of the first record that has one.
    pub first_time: Option<Timestamp>,
    /// The time of the last record that has one.
    pub last_time: Option<Timestamp>,
    /// Where the records before `start` lie that a sampler has to be shown first, in file order: those that introduce
    /// actors, devices and tracks, and those of a value that is not complete.
    pub carry: Vec<Range<u64>>,
    /// Whether this is the last split. It is read to the end of the file, and delivers what waits for that.
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
            carry: Vec::new(),
            is_last: true,
        }
    }

    /// The error of a reader that is at `found` where the split ends: the file is another than the one that was split.
    #[cold]
    pub fn misplaced(&self, found: u64) -> Error {
        misplaced(found, self.end)
    }

    /// Whether it is the file as a whole.
    pub fn is_whole(&self) -> bool {
        self.start == 0 && self.is_last
    }

    /// The samples of this part of the file. Of `options`, those that say how the file is read are to be those for which
    /// it was split.
    ///
    /// Fails when the file cannot be opened or is not of this format. An item is an error where the file is damaged, and
    /// when its records do not end where the split does: the file is then another than the one that was split.
    pub fn samples<F: Recording>(&self, options: OptionsOf<F>) -> Result<FileSamples<F>> {
        FileReader::<F>::open(&self.path)?.samples_of(self, options)
    }
}

/// Finds out where a recording can be split: see [`Recording::splitting`]. It is shown every record that can be decoded
/// as far as its envelope, in file order.
pub trait Splitting<F: Recording> {
    /// The records that a sampler must be shown before `record`, the next one, in order to deliver the same from there on
    /// as one that was shown all of them. `None` where no such records are known: no split begins there.
    ///
    /// Ranges are in file order and hold whole records.
    fn carry(&mut self, record: &F::Record<'_>) -> Option<Vec<Range<u64>>>;

    /// Takes in a record, which lies at `range`.
    fn push(&mut self, record: &F::Record<'_>, range: Range<u64>);
}

/// For formats whose recordings are one split.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unsplit;

impl<F: Recording> Splitting<F> for Unsplit {
    fn carry(&mut self, _: &F::Record<'_>) -> Option<Vec<Range<u64>>> {
        None
    }

    fn push(&mut self, _: &F::Record<'_>, _: Range<u64>) {}
}

/// For formats in which no record leaves anything for the next.
#[derive(Debug, Clone, Copy, Default)]
pub struct Independent;

impl<F: Recording> Splitting<F> for Independent {
    fn carry(&mut self, _: &F::Record<'_>) -> Option<Vec<Range<u64>>> {
        Some(Vec::new())
    }

    fn push(&mut self, _: &F::Record<'_>, _: Range<u64>) {}
}

/// Adds `range`, which starts no earlier than any of `ranges`, and joins it to the last of them where they touch.
pub fn push_range(ranges: &mut Vec<Range<u64>>, range: Range<u64>) {
    match ranges.last_mut() {
        Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
        _ => ranges.push(range),
    }
}

/// Adds ranges in file order, whatever order they come in, and joins those that touch: see [`push_range`].
pub fn extend_ranges<'r>(ranges: &mut Vec<Range<u64>>, more: impl IntoIterator<Item = &'r Range<u64>>) {
    let mut more: Vec<_> = more.into_iter().collect();
    more.sort_unstable_by_key(|range| range.start);
    for range in more {
        push_range(ranges, range.clone());
    }
}

/// Iterator over the splits of a recording, which it reads record by record without decoding payloads. Each is known
/// as soon as the first record behind it is.
pub struct Splits<R, F: Recording> {
    reader: StreamReader<R, F>,
    splitting: Box<dyn Splitting<F> + Send>,
    /// The least bytes of a split.
    target_bytes: u64,
    /// The split at hand; `None` behind the last one.
    next: Option<Split>,
    /// Where its first record lies.
    begun: u64,
    tells_times: bool,
    /// The least length of a split, as a multiple of what it carries.
    carried: u64,
}

impl<R: io::Read, F: Recording> Splits<R, F> {
    /// The splits of the file at `path`, of which `reader` is at the first record. Each but the last has `target_bytes` or
    /// more: as many as it takes to come to a record with which a split can begin. `options` say of the reading what the
    /// bytes leave open.
    pub fn new(
        reader: StreamReader<R, F>,
        path: impl Into<PathBuf>,
        target_bytes: u64,
        options: &OptionsOf<F>,
    ) -> Self {
        let splitting = F::splitting(reader.header(), options);
        let next = Some(Split { is_last: false, ..Split::whole(path, 0) });
        let begun = reader.position();
        Self { reader, splitting, target_bytes, next, begun, tells_times: true, carried: 0 }
    }

    /// The reader, which is behind the first record of the next split.
    pub fn reader(&self) -> &StreamReader<R, F> {
        &self.reader
    }

    /// The same without the times of the splits, which takes less time in some formats.
    #[must_use]
    pub fn without_times(self) -> Self {
        Self { tells_times: false, ..self }
    }

    /// The same with splits that have also `times` the bytes of the records that they carry: so reading all splits takes
    /// little longer than reading the file.
    #[must_use]
    pub fn with_carried(self, times: u64) -> Self {
        Self { carried: times, ..self }
    }

    fn next_split(&mut self) -> Result<Option<Split>> {
        let Some(split) = &mut self.next else { return Ok(None) };
        let carried: u64 = split.carry.iter().map(|range| range.end.saturating_sub(range.start)).sum();
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
            let is_enough = start.saturating_sub(self.begun) >= least;
            let carry = if is_enough { self.splitting.carry(&record) } else { None };
            self.splitting.push(&record, start..end);
            let time = if self.tells_times { record.time() } else { None };
            if let Some(carry) = carry {
                let next = Split {
                    path: split.path.clone(),
                    start,
                    end: start,
                    first_time: time,
                    last_time: time,
                    carry,
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
    /// The samples of a part of the recording: see [`Split::samples`]. The recording begins with the stream.
    pub fn samples_of(mut self, split: &Split, options: OptionsOf<F>) -> Result<Samples<R, F>> {
        F::apply_options(self.header_mut(), &options);
        let mut sampler = F::Sampler::new(self.header(), options);
        self.carry_to(split, &mut sampler)?;
        Ok(Samples::within(self, sampler, (!split.is_last).then_some(split.end)))
    }

    /// Goes to the first record of a split, and shows the sampler what it must have seen by then.
    ///
    /// Fails when the stream does.
    pub fn carry_to(&mut self, split: &Split, sampler: &mut F::Sampler) -> Result<()> {
        for range in &split.carry {
            self.seek(range.start)?;
            while self.position() < range.end {
                match self.next_event()? {
                    // What is wrong with it was reported where it stands.
                    Event::Record(record) => drop(sampler.pass(&record)),
                    Event::Damage { .. } => {}
                    Event::End => break,
                }
            }
        }
        self.seek(split.start.max(self.header_bytes().len() as u64))
    }
}

/// The splits of the file at `path`: see [`Splits::new`]. `options` say of its reading what its bytes leave open.
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

/// The error of a split whose last record does not end with it.
#[cold]
pub(crate) fn misplaced(found: u64, end: u64) -> Error {
    Error::invalid("end of a record", found, format_args!("{end}, where the split ends"), end)
}
