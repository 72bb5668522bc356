//! A stable external sort of entries.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use ::alog::Seconds;
use robolog_convert::{Error, Result};

use robolog_core::slices::Part as _;

/// Sorts entries by time; equal times keep their order.
pub(super) struct Sorter<'a> {
    folder: &'a Path,
    memory: usize,
    held: usize,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    runs: Vec<File>,
}

/// An entry in memory: its time, and the range of its bytes.
struct Entry {
    time: i128,
    start: usize,
    end: usize,
}

/// Maximum number of runs merged at once; more are merged in stages.
const RUNS: usize = 64;

impl<'a> Sorter<'a> {
    /// Runs go into unnamed temporary files in `folder`.
    pub(super) fn new(folder: &'a Path, memory: usize) -> Self {
        Self { folder, memory, held: 0, entries: Vec::new(), bytes: Vec::new(), runs: Vec::new() }
    }

    pub(super) fn push(&mut self, time: Seconds, bytes: &[u8]) -> Result<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        // Each entry must end its line.
        if !bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        self.entries.push(Entry { time: time.nanos(), start, end: self.bytes.len() });
        self.held = self.bytes.len() + self.entries.len() * (size_of::<Entry>());
        if self.held >= self.memory { self.spill() } else { Ok(()) }
    }

    /// Writes all entries to `out` in order of time.
    pub(super) fn finish(mut self, out: &mut impl Write) -> Result<()> {
        if self.runs.is_empty() {
            self.entries.sort_by_key(|entry| entry.time);
            for entry in &self.entries {
                out.write_all(self.bytes.part(entry.start..entry.end))?;
            }
            return Ok(());
        }
        self.spill()?;
        while self.runs.len() > RUNS {
            let rest = self.runs.split_off(RUNS);
            let first = std::mem::replace(&mut self.runs, rest);
            let mut merged = BufWriter::new(self.file()?);
            merge(first, &mut |time, bytes| write(&mut merged, time, bytes))?;
            let merged = merged.into_inner().map_err(|e| Error::Write(e.into_error()))?;
            // First, because its entries come before those of later runs.
            self.runs.insert(0, merged);
        }
        merge(self.runs, &mut |_, bytes| Ok(out.write_all(bytes)?))
    }

    fn spill(&mut self) -> Result<()> {
        self.entries.sort_by_key(|entry| entry.time);
        let mut run = BufWriter::with_capacity(1 << 20, self.file()?);
        for entry in &self.entries {
            write(&mut run, entry.time, self.bytes.part(entry.start..entry.end))?;
        }
        let run = run.into_inner().map_err(|e| Error::Write(e.into_error()))?;
        self.runs.push(run);
        self.entries.clear();
        self.bytes.clear();
        Ok(())
    }

    fn file(&self) -> Result<File> {
        tempfile::tempfile_in(self.folder).map_err(|e| Error::file(self.folder, e))
    }
}

/// Writes an entry to a run: time, length, bytes.
fn write(run: &mut impl Write, time: i128, bytes: &[u8]) -> Result<()> {
    run.write_all(&time.to_le_bytes())?;
    run.write_all(&(bytes.len() as u64).to_le_bytes())?;
    Ok(run.write_all(bytes)?)
}

/// Reads the next entry of a run.
fn read(run: &mut impl Read) -> Result<Option<(i128, Vec<u8>)>> {
    let (mut time, mut len) = ([0; 16], [0; 8]);
    match run.read_exact(&mut time) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        outcome => outcome?,
    }
    run.read_exact(&mut len)?;
    let mut bytes = Vec::new();
    run.take(u64::from_le_bytes(len)).read_to_end(&mut bytes)?;
    Ok(Some((i128::from_le_bytes(time), bytes)))
}

fn merge(runs: Vec<File>, each: &mut dyn FnMut(i128, &[u8]) -> Result<()>) -> Result<()> {
    let mut readers = Vec::new();
    let mut heads = BinaryHeap::new();
    for (number, mut run) in runs.into_iter().enumerate() {
        run.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(256 << 10, run);
        if let Some((time, bytes)) = read(&mut reader)? {
            // For equal times, the earlier run comes first.
            heads.push(Reverse((time, number, bytes)));
        }
        readers.push(reader);
    }
    while let Some(Reverse((time, number, bytes))) = heads.pop() {
        each(time, &bytes)?;
        if let Some(reader) = readers.get_mut(number)
            && let Some((time, bytes)) = read(reader)?
        {
            heads.push(Reverse((time, number, bytes)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(memory: usize, times: &[i128]) -> Vec<(i128, usize)> {
        let dir = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(dir.path(), memory);
        for (i, time) in times.iter().enumerate() {
            sorter.push(Seconds::from_nanos(*time), format!("{time} {i}\n").as_bytes()).unwrap();
        }
        let mut out = Vec::new();
        sorter.finish(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let pair = |line: &str| {
            let (time, i) = line.split_once(' ').unwrap();
            (time.parse().unwrap(), i.parse().unwrap())
        };
        text.lines().map(pair).collect()
    }

    #[test]
    fn in_memory_and_through_many_runs_the_order_is_the_same_and_stable() {
        let times: Vec<i128> = (0..5000).map(|i: i128| (i * 7919 % 613) - 300).collect();
        let mut want: Vec<(i128, usize)> = times.iter().copied().zip(0..).collect();
        want.sort_by_key(|(time, _)| *time);
        assert_eq!(sorted(usize::MAX, &times), want);
        // Runs of some twenty entries: more than are merged at once.
        assert_eq!(sorted(1000, &times), want);
        assert_eq!(sorted(1000, &[]), []);
    }
}
