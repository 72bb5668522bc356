//! Copies of a data set, whole or for a span of time.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter, Read, Write as _},
    ops::Range,
    path::{Path, PathBuf},
};

use robolog_core::{Error, slices::length};

use super::{
    Dataset, Interface, TableFile,
    fault::{Fault, Result},
    feed::series_of,
    name::{Role, role},
    recover::Loss,
    sentence_cut::SentenceCut,
    source::{Lines, Readable},
    span::Span,
    storage::Storage,
};
use crate::table::{LineKind, NmeaDate, TableKind};

/// Counts of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Copied {
    /// Files written.
    pub files: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Rows kept in tables that were cut.
    pub rows: u64,
    /// Rows left out because of their time.
    pub rows_left: u64,
    /// Rows left out because their time cannot be read.
    pub rows_odd: u64,
    /// Images and scans left out.
    pub files_left: u64,
    /// Files copied whole although their contents have times: sentences without a `.dates`, tracks, videos, clock logs.
    pub whole: u64,
    /// Entries that are not read and therefore not copied: see [`Dataset::skipped`].
    pub skipped: u64,
    /// Damaged files, which end before the damage or are left out.
    pub damaged: u64,
}

impl Copied {
    /// Whether everything wanted is in the copy.
    pub fn is_complete(&self) -> bool {
        self.rows_odd == 0 && self.skipped == 0 && self.damaged == 0
    }
}

/// The kept rows of a `.dates`, from the first to the last in the span, and the numbers of their files.
#[derive(Debug, Clone, Copy, Default)]
struct Kept {
    rows: Option<(u64, u64)>,
    numbers: Option<(u64, u64)>,
}

impl Kept {
    fn has(range: Option<(u64, u64)>, value: u64) -> bool {
        range.is_some_and(|(first, last)| (first..=last).contains(&value))
    }
}

impl Dataset {
    /// Writes the same tree to a new folder `out`: everything, byte for byte, or a span of time.
    ///
    /// Tables keep their rows in the span unchanged, with headers and comments. Images and scans keep their names, so
    /// their `.dates` is kept without a gap from its first row in the span to its last; the same holds for NMEA
    /// sentences with a `.dates`, whose offsets then count from the first kept sentence. Files without times to cut by
    /// are copied whole: NMEA sentences without a `.dates`, tracks, videos, `ntpupdate.log`, files of no interface.
    ///
    /// A damaged member of an archive costs itself: tables and sentences end at their last whole line, tracks at their
    /// last point, images and scans are left out. [`Copied::damaged`] counts them.
    ///
    /// The folder appears only when complete: it is written beside its final place under another name, and removed
    /// after an error. Returns an error if `out` exists or lies within the data set.
    pub fn copy(&self, out: impl AsRef<Path>, span: Span) -> Result<Copied> {
        self.staged(out.as_ref(), &mut |staging| self.write(staging, span, &mut Vec::new()))
    }

    /// Makes a folder that appears when `write` has filled it.
    pub(super) fn staged<T>(&self, out: &Path, write: &mut dyn FnMut(&Path) -> Result<T>) -> Result<T> {
        self.check_target(out)?;
        let staging = staging(out)?;
        fs::create_dir(&staging).map_err(|e| Fault::path(&staging, e))?;
        let written = write(&staging).and_then(|copied| {
            if fs::symlink_metadata(out).is_ok() {
                return Err(Fault::path(out, io::ErrorKind::AlreadyExists.into()));
            }
            fs::rename(&staging, out).map_err(|e| Fault::path(out, e))?;
            Ok(copied)
        });
        if written.is_err()
            && let Err(error) = fs::remove_dir_all(&staging)
        {
            tracing::warn!(%error, folder = %staging.display(), "an unfinished copy could not be removed");
        }
        written
    }

    fn check_target(&self, out: &Path) -> Result<()> {
        if fs::symlink_metadata(out).is_ok() {
            return Err(Fault::path(out, io::ErrorKind::AlreadyExists.into()));
        }
        let Storage::Folder(root) = &self.storage else { return Ok(()) };
        let parent = parent(out);
        let canonical = |path: &Path| fs::canonicalize(path).map_err(|e| Fault::path(path, e));
        if canonical(parent)?.starts_with(canonical(root)?) {
            let expected = "a folder outside the data set";
            let error = Error::invalid("target", out.display(), expected, 0);
            return Err(Fault::new(out.display().to_string(), error));
        }
        Ok(())
    }

    /// Writes what can be read. `losses` gets the damaged files.
    pub(super) fn write(&self, folder: &Path, span: Span, losses: &mut Vec<Loss>) -> Result<Copied> {
        let tables: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        let kept = if span.is_everything() { HashMap::new() } else { self.kept(&tables, span)? };
        let sentences = if span.is_everything() { HashMap::new() } else { self.sentences(span)? };
        let mut copied = Copied::default();
        // `walk` asks, then shows; files left out are counted when asked for.
        let mut left = 0_u64;
        let mut want = |path: &str, _: u64| {
            let keep = span.is_everything() || wants(&kept, path);
            left += u64::from(!keep);
            keep
        };
        self.storage.walk(&mut want, &mut |path, bytes| {
            let mut target = Target::create(folder, path)?;
            let mut bytes = Readable::new(path, bytes);
            let table = tables.get(path).filter(|_| !span.is_everything());
            match (table, sentences.get(path)) {
                (Some(_), Some(cut)) => cut_dates(path, &mut bytes, cut, &mut target, &mut copied)?,
                (None, Some(cut)) => target.part(&mut bytes, &cut.bytes)?,
                (Some((interface, table)), None) if table.kind.is_cut() => {
                    let by_number = series_of(interface, table).is_some();
                    let rows = kept.get(&key(path)).copied().unwrap_or_default().rows;
                    let rows = if by_number { Chosen::Numbers(rows) } else { Chosen::Times(span) };
                    cut(path, &mut bytes, table.kind, rows, &mut target, &mut copied)?;
                }
                _ => {
                    copied.whole += u64::from(is_of_a_time(path));
                    target.all(&mut bytes)?;
                }
            }
            let len = target.finish()?;
            if bytes.is_torn {
                copied.damaged += 1;
                let loss = self.end_torn(folder, path)?;
                let is_left_out = loss.is_left_out;
                losses.push(loss);
                if is_left_out {
                    return Ok(());
                }
            }
            copied.files += 1;
            copied.bytes += len;
            Ok(())
        })?;
        copied.files_left = left;
        copied.skipped = self.skipped_count;
        Ok(copied)
    }

    /// Sentences in the span, by the path of their file and by that of their `.dates`.
    fn sentences(&self, span: Span) -> Result<HashMap<&str, SentenceCut>> {
        let mut all = HashMap::new();
        for interface in self.interfaces() {
            let Some((path, dates)) = interface.sentences.as_deref().zip(interface.sentence_dates()) else {
                continue;
            };
            let Some(mut bytes) = self.storage.stream(path)? else { continue };
            let bytes = Readable::new(path, &mut bytes);
            let cut = match SentenceCut::find(self, path, bytes, dates, span) {
                Ok(cut) => cut,
                // Copied whole, as far as they can be read.
                Err(fault) => {
                    fault.of_machine()?;
                    continue;
                }
            };
            all.insert(dates.path.as_str(), cut.clone());
            all.insert(path, cut);
        }
        Ok(all)
    }

    /// Rows of `.dates` and numbers in the span, by folder and name of the interface.
    fn kept<'d>(
        &'d self,
        tables: &HashMap<&'d str, (&'d Interface, &'d TableFile)>,
        span: Span,
    ) -> Result<HashMap<(String, String), Kept>> {
        let mut all: HashMap<(String, String), Kept> = HashMap::new();
        let dated = |path: &str| tables.get(path).filter(|(i, t)| series_of(i, t).is_some());
        self.storage.walk(&mut |path, _| dated(path).is_some(), &mut |path, bytes| {
            let Some((interface, table)) = dated(path) else { return Ok(()) };
            let Some((series, _)) = series_of(interface, table) else { return Ok(()) };
            let mut bytes = Readable::new(path, bytes);
            let mut lines = Lines::of(&mut bytes, path, table.kind)?;
            let mut rows: Option<(u64, u64)> = None;
            loop {
                let (rtime, is_row) = match lines.next() {
                    Ok(Some(record)) => (record.rtime(), record.kind() == LineKind::Row),
                    Ok(None) => break,
                    Err(fault) if fault.is_end() => return Err(fault),
                    Err(_) => continue,
                };
                if is_row && rtime.is_some_and(|rtime| span.contains(rtime)) {
                    let row = lines.rows - 1;
                    rows = Some((rows.map_or(row, |(first, _)| first), row));
                }
            }
            let base = series.base(lines.rows);
            let numbers = rows.map(|(a, b)| (base.saturating_add(a), base.saturating_add(b)));
            all.insert((interface.folder.clone(), interface.id.clone()), Kept { rows, numbers });
            Ok(())
        })?;
        Ok(all)
    }
}

/// Folder and name of a file's interface.
fn key(path: &str) -> (String, String) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    (folder.to_owned(), role(name).0.to_owned())
}

/// Whether an image or a scan is kept; any other file is.
fn wants(kept: &HashMap<(String, String), Kept>, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let number = match role(name).1 {
        Role::Image { number, .. } | Role::Scan { number, .. } => number.value,
        _ => return true,
    };
    // Without a `.dates` its time is unknown.
    kept.get(&key(path)).is_none_or(|kept| Kept::has(kept.numbers, number))
}

fn is_of_a_time(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let video = [".mpg", ".mpeg", ".avi"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    let role = role(name).1;
    video || matches!(role, Role::Sentences | Role::Track | Role::Video | Role::Table(TableKind::Ntp))
}

impl TableKind {
    /// Whether its rows have times to cut by.
    const fn is_cut(self) -> bool {
        !matches!(self, Self::Unknown | Self::Scan | Self::Ntp)
    }
}

/// Selection of a table's rows.
#[derive(Debug, Clone, Copy)]
enum Chosen {
    /// From the first to the last of these.
    Numbers(Option<(u64, u64)>),
    /// Rows in this span.
    Times(Span),
}

/// Copies the kept lines of a table.
fn cut(
    path: &str,
    bytes: &mut dyn Read,
    kind: TableKind,
    chosen: Chosen,
    target: &mut Target,
    copied: &mut Copied,
) -> Result<()> {
    let mut lines = Lines::of(bytes, path, kind)?;
    let header = lines.reader.header_bytes().to_vec();
    target.put(&header)?;
    let up = |n: &mut u64| *n += 1;
    loop {
        let row = lines.rows;
        let record = match lines.next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(()),
            Err(fault) if fault.is_end() => return Err(fault),
            Err(_) => {
                up(&mut copied.rows_odd);
                continue;
            }
        };
        if record.kind() == LineKind::Row {
            let keep = match (chosen, record.rtime()) {
                (Chosen::Numbers(range), _) => Kept::has(range, row),
                (Chosen::Times(span), Some(rtime)) => span.contains(rtime),
                (Chosen::Times(_), None) => {
                    up(&mut copied.rows_odd);
                    continue;
                }
            };
            up(if keep { &mut copied.rows } else { &mut copied.rows_left });
            if !keep {
                continue;
            }
        }
        target.put(record.bytes())?;
    }
}

/// Copies the rows of the kept sentences.
fn cut_dates(
    path: &str,
    bytes: &mut dyn Read,
    cut: &SentenceCut,
    target: &mut Target,
    copied: &mut Copied,
) -> Result<()> {
    let mut lines = Lines::of(bytes, path, TableKind::NmeaDates)?;
    let header = lines.reader.header_bytes().to_vec();
    target.put(&header)?;
    let up = |n: &mut u64| *n += 1;
    let mut row = 0_u64;
    loop {
        let record = match lines.next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(()),
            Err(fault) if fault.is_end() => return Err(fault),
            Err(_) => {
                up(&mut copied.rows_odd);
                continue;
            }
        };
        match record.read::<NmeaDate>() {
            Ok(Some(date)) => {
                let keep = Kept::has(cut.rows, row);
                up(&mut row);
                up(if keep { &mut copied.rows } else { &mut copied.rows_left });
                if keep {
                    let moved = cut.moved(record.bytes(), &date);
                    target.put(moved.as_deref().unwrap_or(record.bytes()))?;
                }
            }
            Ok(None) => target.put(record.bytes())?,
            Err(_) => up(&mut copied.rows_odd),
        }
    }
}

/// An output file of the copy.
struct Target {
    path: String,
    file: BufWriter<File>,
    len: u64,
}

impl Target {
    fn create(folder: &Path, path: &str) -> Result<Self> {
        let failed = |e| Fault::io(path, e);
        let full = folder.join(path);
        if let Some(parent) = full.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let file = File::create_new(&full).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::with_capacity(1 << 16, file), len: 0 })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|e| Fault::io(&self.path, e))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn all(&mut self, bytes: &mut dyn Read) -> Result<()> {
        let len = io::copy(bytes, &mut self.file).map_err(|e| Fault::io(&self.path, e))?;
        self.len += len;
        Ok(())
    }

    /// Copies a range of the bytes.
    fn part(&mut self, bytes: &mut dyn Read, range: &Range<u64>) -> Result<()> {
        let skipped = io::copy(&mut bytes.take(range.start), &mut io::sink());
        skipped.map_err(|e| Fault::io(&self.path, e))?;
        self.all(&mut bytes.take(length(range)))
    }

    fn finish(mut self) -> Result<u64> {
        self.file.flush().map_err(|e| Fault::io(&self.path, e))?;
        Ok(self.len)
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Temporary name of a folder.
fn staging(out: &Path) -> Result<PathBuf> {
    let Some(name) = out.file_name() else {
        return Err(Fault::path(out, io::ErrorKind::InvalidInput.into()));
    };
    let name = format!(".{}.partial-{}", name.to_string_lossy(), std::process::id());
    Ok(parent(out).join(name))
}
