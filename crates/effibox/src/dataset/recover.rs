//! Copies of what can be read of a damaged data set, which its reader finds sound.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Seek as _, SeekFrom, Write as _},
    ops::Range,
    path::{Path, PathBuf},
};

use robolog_core::{
    Error, ErrorKind, Event, Severity, StreamReader,
    format::{Copier, Format},
    slices::{Part as _, length, past},
};

use super::{
    Copied, Dataset, Interface, Limits, Options, Span, TableFile, event,
    fault::{Fault, Result},
    feed::series_of,
    name::{Role, role},
    numbered::image,
    recording::{self, RecordingKind},
    source::Lines,
    survey::survey_table,
};
use crate::{
    gpx::{self, Utf8Reader},
    kml,
    nmea::Nmea,
    table::{self, LineKind, laser_scan},
};

/// Name of the list of files that a recovered data set lacks: a path, a colon and a reason on each line.
pub(super) const LEFT_OUT: &str = "left_out.txt";

/// Result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Recovered {
    /// Counts of the copy.
    pub copied: Copied,
    /// What it lacks.
    pub losses: Vec<Loss>,
}

/// A file that is missing from a recovered data set, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The path, or the interface.
    pub path: String,
    /// Why, and what is left.
    pub why: String,
    /// Whether the file is missing.
    pub is_left_out: bool,
}

impl Loss {
    fn of(path: &str, why: impl Into<String>, is_left_out: bool) -> Self {
        Self { path: path.to_owned(), why: why.into(), is_left_out }
    }

    fn left_out(path: &str, why: impl Into<String>) -> Self {
        Self::of(path, why, true)
    }
}

const TORN: &str = "it is damaged: ends at its last whole line";
const TORN_TRACK: &str = "it is damaged: ends at its last whole point";
const DAMAGED: &str = "it is damaged: left out";

impl Dataset {
    /// Copies everything that can be read to a new folder, in which a [survey](Self::survey) finds no damage. Undamaged
    /// files are copied byte for byte. Tables and sentences lose damaged lines, scans get the number of their impacts,
    /// tracks are completed, damaged images are left out. A file `left_out.txt` names what is missing; the rows of
    /// `.dates` keep their places, and such a list explains those whose files are missing.
    ///
    /// Returns errors like [`copy`](Self::copy).
    pub fn recover(&self, out: impl AsRef<Path>) -> Result<Recovered> {
        let mut losses = Vec::new();
        let copied = self.staged(out.as_ref(), &mut |staging| {
            let copied = self.write(staging, Span::default(), &mut losses)?;
            let damaged = self.skipped.iter().filter(|skipped| skipped.is_damage);
            for skipped in damaged {
                // One that is torn while it is copied is told already.
                if losses.iter().all(|loss| loss.path != skipped.path) {
                    let is_left_out = !staging.join(&skipped.path).exists();
                    losses.push(Loss::of(&skipped.path, skipped.why, is_left_out));
                }
            }
            let mut mending = Mending { root: staging, limits: self.limits, losses: &mut losses };
            mending.files()?;
            mending.list(0)?;
            let listed = mending.losses.len();
            mending.gaps()?;
            mending.list(listed)?;
            Ok(copied)
        })?;
        Ok(Recovered { copied, losses })
    }

    /// Completes a file that was copied up to its damage.
    pub(super) fn end_torn(&self, folder: &Path, path: &str) -> Result<Loss> {
        let mut losses = Vec::new();
        let mut mending = Mending { root: folder, limits: self.limits, losses: &mut losses };
        let is_empty = fs::metadata(mending.at(path)).map_err(|e| Fault::io(path, e))?.len() == 0;
        match role(path.rsplit('/').next().unwrap_or(path)).1 {
            _ if is_empty => mending.remove(path, DAMAGED)?,
            Role::Image { .. } | Role::Scan { .. } => mending.remove(path, DAMAGED)?,
            Role::Track => mending.track(path, RecordingKind::of_track(path))?,
            _ => {}
        }
        Ok(losses.pop().unwrap_or_else(|| Loss::of(path, TORN, false)))
    }
}

/// A copy whose files are made sound.
struct Mending<'a> {
    root: &'a Path,
    limits: Limits,
    losses: &'a mut Vec<Loss>,
}

impl Mending<'_> {
    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn open(&self, path: &str) -> Result<File> {
        File::open(self.at(path)).map_err(|e| Fault::io(path, e))
    }

    fn remove(&mut self, path: &str, why: &str) -> Result<()> {
        fs::remove_file(self.at(path)).map_err(|e| Fault::io(path, e))?;
        self.losses.push(Loss::left_out(path, why));
        Ok(())
    }

    fn files(&mut self) -> Result<()> {
        let dataset = Dataset::with_limits(self.root, self.limits)?;
        for interface in dataset.interfaces() {
            for table in &interface.tables {
                self.table(interface, table)?;
            }
            for (path, kind) in recording::of_interface(interface) {
                let found = recording::survey(&dataset, (path, kind), &mut self.open(path)?);
                match found {
                    Err(fault) if fault.error().is_of_machine() => return Err(fault),
                    Ok(found) if found.iter().all(|finding| finding.severity != Severity::Error) => {}
                    _ if kind == RecordingKind::Sentences => self.sentences(path)?,
                    _ => self.track(path, kind)?,
                }
            }
        }
        let is_numbered = |path: &str| {
            let role = role(path.rsplit('/').next().unwrap_or(path)).1;
            matches!(role, Role::Image { .. } | Role::Scan { .. })
                .then_some(matches!(role, Role::Scan { .. }))
        };
        dataset.storage.walk(&mut |path, _| is_numbered(path).is_some(), &mut |path, bytes| match dataset
            .whole(path, bytes)
        {
            Ok(bytes) if is_numbered(path) == Some(true) => self.scan(path, &bytes),
            Ok(bytes) => image(bytes).map_or_else(|_| self.remove(path, DAMAGED), |_| Ok(())),
            Err(fault) if matches!(fault.error().kind(), ErrorKind::Limit { .. }) => Ok(()),
            Err(fault) => Err(fault),
        })
    }

    /// Leaves out invalid rows. The rows of images and scans are counted, so that only the last can be left out.
    fn table(&mut self, interface: &Interface, table: &TableFile) -> Result<()> {
        let path = table.path.as_str();
        let is_sound = match survey_table(interface, table, &mut self.open(path)?) {
            Ok(summary) => summary.is_ok(),
            Err(fault) => {
                fault.of_machine()?;
                return self.remove(path, DAMAGED);
            }
        };
        if is_sound {
            return Ok(());
        }
        if series_of(interface, table).is_some() {
            return self.shorten(table);
        }
        let header = |header: &mut table::Header| {
            (header.kind, header.kind_from) = (table.kind, table::KindFrom::Name);
        };
        let bytes = self.open(path)?;
        self.rewrite::<table::Copier<_>>(path, bytes, &header)?;
        self.losses.push(Loss::of(path, "rows that cannot be read are left out", false));
        Ok(())
    }

    /// Ends a table after its last valid row, if all rows before it are valid.
    fn shorten(&mut self, table: &TableFile) -> Result<()> {
        let path = table.path.as_str();
        let mut lines = Lines::of(self.open(path)?, path, table.kind)?;
        let (mut end, mut odd) = (lines.reader.header_bytes().len() as u64, false);
        loop {
            match lines.next() {
                Ok(Some(record)) if record.kind() == LineKind::Row && record.row().is_err() => odd = true,
                Ok(Some(_)) if odd => {
                    self.losses.push(Loss::of(path, "rows that cannot be read stay in their places", false));
                    return Ok(());
                }
                Ok(Some(record)) => end = past(record.offset(), record.bytes().len()),
                Ok(None) => break,
                Err(fault) if fault.is_end() => return Err(fault),
                Err(_) => odd = true,
            }
        }
        let file = File::options().write(true).open(self.at(path));
        file.and_then(|file| file.set_len(end)).map_err(|e| Fault::io(path, e))?;
        self.losses.push(Loss::of(path, TORN, false));
        Ok(())
    }

    /// Completes a document.
    fn track(&mut self, path: &str, kind: RecordingKind) -> Result<()> {
        let bytes = Utf8Reader::new(self.open(path)?);
        let written = match kind {
            RecordingKind::Gpx => self.rewrite::<gpx::Copier<_>>(path, bytes, &|_| {}),
            RecordingKind::Kml => self.rewrite::<kml::Copier<_>>(path, bytes, &|_| {}),
            RecordingKind::Kmz | RecordingKind::Sentences => return self.remove(path, DAMAGED),
        };
        match written {
            Ok(()) => self.losses.push(Loss::of(path, TORN_TRACK, false)),
            Err(fault) => {
                fault.of_machine()?;
                self.remove(path, DAMAGED)?;
            }
        }
        Ok(())
    }

    /// Copies the intact records of a file over it.
    fn rewrite<R>(
        &self,
        path: &str,
        bytes: impl Read,
        settle: &dyn Fn(&mut <R::Format as Format>::Header),
    ) -> Result<()>
    where
        R: Copier<BufWriter<File>>,
    {
        let failed = |e| Fault::new(path, e);
        let mut reader = StreamReader::<_, R::Format>::new(bytes).map_err(failed)?;
        settle(reader.header_mut());
        let name = self.at(path);
        let new = name.with_extension("partial");
        let out = BufWriter::new(File::create(&new).map_err(|e| Fault::io(path, e))?);
        let header = reader.header_bytes().to_vec();
        let copied = R::new(out, reader.header(), &header).and_then(|mut copy| {
            loop {
                match reader.next_event()? {
                    Event::Record(record) => match copy.copy(&record, &mut |_, _| true) {
                        Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error),
                        // Left out.
                        Ok(_) | Err(_) => {}
                    },
                    Event::Damage { .. } => {}
                    Event::End => break,
                }
            }
            copy.finish()?.flush().map_err(|e| Error::io(e, 0))
        });
        if let Err(error) = copied {
            // It is removed with the folder otherwise.
            let _ = fs::remove_file(&new);
            return Err(failed(error));
        }
        fs::rename(&new, &name).map_err(|e| Fault::io(path, e))
    }

    /// Puts blanks in place of damaged sentences: `.dates` counts the characters before each.
    fn sentences(&mut self, path: &str) -> Result<()> {
        let failed = |e| Fault::new(path, e);
        let mut damaged: Vec<Range<u64>> = Vec::new();
        let mut reader = match StreamReader::<_, Nmea>::new(self.open(path)?) {
            Ok(reader) => reader,
            Err(error) => {
                failed(error).of_machine()?;
                return self.remove(path, DAMAGED);
            }
        };
        loop {
            match reader.next_event().map_err(failed)? {
                Event::Record(record) if recording::is_damaged(&record) => {
                    damaged.push(record.offset()..past(record.offset(), record.bytes().len()));
                }
                Event::Record(_) => {}
                Event::Damage { lost, .. } => damaged.push(lost),
                Event::End => break,
            }
        }
        let count = damaged.len();
        blank(&self.at(path), damaged).map_err(|e| Fault::io(path, e))?;
        self.losses.push(Loss::of(path, format!("{count} damaged sentences are blank"), false));
        Ok(())
    }

    /// Corrects the number of impacts in the first line.
    fn scan(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        let Ok((scan, wrong)) = laser_scan(bytes) else { return self.remove(path, DAMAGED) };
        let Some(wrong) = wrong else { return Ok(()) };
        let mut lines = Lines::of(bytes, path, table::TableKind::Scan)?;
        let mut new = lines.reader.header_bytes().to_vec();
        while let Some(record) = lines.next()? {
            if record.kind() == LineKind::Count {
                new.extend_from_slice(scan.ranges.len().to_string().as_bytes());
                new.extend_from_slice(record.bytes().part(record.line().len()..));
            } else {
                new.extend_from_slice(record.bytes());
            }
        }
        drop(lines);
        fs::write(self.at(path), new).map_err(|e| Fault::io(path, e))?;
        self.losses.push(Loss::of(path, wrong.to_string(), false));
        Ok(())
    }

    /// Images and scans without a row, and rows without a file.
    fn gaps(&mut self) -> Result<()> {
        let dataset = Dataset::with_limits(self.root, self.limits)?;
        dataset.visit::<Fault>(&Options::default(), &mut |event| {
            if let event::Event::Fault(fault) = event
                && fault.is_gap()
                && !self.losses.iter().any(|loss| loss.is_left_out && loss.path == fault.file())
            {
                self.losses.push(Loss::left_out(fault.file(), fault.error().to_string()));
            }
            Ok(())
        })
    }

    /// Writes the list of what is missing, after an earlier one, from the loss with this number on.
    fn list(&self, from: usize) -> Result<()> {
        let losses = self.losses.part(from..);
        if losses.is_empty() {
            return Ok(());
        }
        let failed = |e| Fault::io(LEFT_OUT, e);
        let file = File::options().append(true).create(true).open(self.at(LEFT_OUT)).map_err(failed)?;
        let mut out = BufWriter::new(file);
        for Loss { path, why, .. } in losses {
            writeln!(out, "{path}: {why}").map_err(failed)?;
        }
        out.flush().map_err(failed)
    }
}

/// Overwrites ranges of a file with blanks, but for line ends.
fn blank(path: &Path, ranges: Vec<Range<u64>>) -> io::Result<()> {
    let mut file = File::options().read(true).write(true).open(path)?;
    for range in ranges {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(range.start))?;
        Read::by_ref(&mut file).take(length(&range)).read_to_end(&mut bytes)?;
        for byte in &mut bytes {
            if !matches!(byte, b'\r' | b'\n') {
                *byte = b' ';
            }
        }
        file.seek(SeekFrom::Start(range.start))?;
        file.write_all(&bytes)?;
    }
    Ok(())
}
