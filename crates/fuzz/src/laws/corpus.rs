//! Subjects: fixtures, and recordings of a data folder.

use std::{
    cell::OnceCell,
    collections::HashSet,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use robolog_convert::{
    Bound, Input, Limit, Rewrite, Source, Visit, rewrite,
    source::Stream,
    survey,
    target::{Existing, Target},
};
use robolog_core::{Event, Severity, StreamReader};
use testkit::{Fnv, Rng};

use crate::memory;

/// A recording to mutate.
#[derive(Debug)]
pub(super) struct Subject {
    /// Its path relative to its folder.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) format: &'static str,
    shape: OnceCell<Shape>,
}

/// Facts about a complete recording.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Whether it has no findings at all.
    pub(super) is_sound: bool,
    /// Bytes of its header.
    pub(super) header: usize,
    /// Ranges of its records.
    pub(super) records: Vec<Range<usize>>,
}

/// Maximum bytes of a subject; longer ones are cut.
const LONGEST: u64 = 160 << 10;
/// Subjects of more bytes than this take their share of the time, not of the turns.
const LONG: usize = 12 << 10;

/// All subjects, by name.
pub(super) fn load(data: Option<&Path>, only: &str) -> Vec<Subject> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("testdata");
    let mut seen = HashSet::new();
    let mut subjects = Vec::new();
    for root in [Some(&*testdata), data].into_iter().flatten() {
        let mut files = Vec::new();
        walk(root, &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            if !name.contains(only) {
                continue;
            }
            for (suffix, bytes) in pieces(&file) {
                let mut hash = Fnv::default();
                hash.text(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>());
                let Some(format) = format(&file, &bytes) else { continue };
                if seen.insert((hash.finish(), format)) {
                    let name = format!("{name}{suffix}");
                    subjects.push(Subject { name, bytes, format, shape: OnceCell::new() });
                }
            }
        }
    }
    subjects
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_none_or(|extension| extension != "json" && extension != "md") {
            found.push(path);
        }
    }
}

/// The bytes of a file; for a long one, its beginning and its middle, each as a recording.
fn pieces(path: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let len = fs::metadata(path).map_or(0, |meta| meta.len());
    if len <= LONGEST {
        return fs::read(path).map(|bytes| ("", bytes)).into_iter().collect();
    }
    let Some(nanos) = duration(path) else { return Vec::new() };
    let beginning = piece(path, Limit::default);
    let middle = piece(path, || Limit::new(Some(Bound::FromStart(nanos / 2)), None, None));
    [("#beginning", beginning), ("#middle", middle)]
        .into_iter()
        .filter_map(|(suffix, bytes)| Some((suffix, bytes?)))
        .collect()
}

fn duration(path: &Path) -> Option<i64> {
    let (start, end) = survey(Input::open(path).ok()?, None, &mut |_| {}).ok()?.summary.span?;
    end.since(start)
}

/// As many records as make a file that is not long.
fn piece(path: &Path, limit: impl Fn() -> Limit) -> Option<Vec<u8>> {
    let folder = memory::folder();
    let mut most = 4000;
    while most > 0 {
        let target = Target::create(&folder.path().join("piece"), Existing::Replace, &[]).ok()?;
        let mut limit = limit().with_most(Some(most));
        let how = Rewrite {
            out: target.writer().ok()?,
            limit: &mut limit,
            frames: None,
            edit: None,
            progress: &mut |_| Ok(()),
        };
        rewrite(Input::open(path).ok()?, None, how).ok()?;
        let bytes = fs::read(target.path()).ok()?;
        if bytes.len() as u64 <= LONGEST {
            return Some(bytes);
        }
        most /= 3;
    }
    None
}

/// The format of a subject, of which more than a summary can be read.
fn format(path: &Path, bytes: &[u8]) -> Option<&'static str> {
    let folder = memory::folder();
    let at = folder.path().join(path.file_name()?);
    fs::write(&at, bytes).ok()?;
    let input = Input::open(&at).ok()?;
    let format = (!input.is_dataset()).then(|| input.format().ok()).flatten()?;
    // The program does not write a copy named like another format.
    let says = at.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    (!matches!(says, "gpx" | "kml") || says == format).then_some(format)
}

impl Subject {
    /// The name of its file.
    pub(super) fn file_name(&self) -> &str {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        name.split('#').next().unwrap_or_default()
    }

    /// Whether it consists of lines.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.format, "alog" | "nmea" | "gpx" | "kml" | "effibox")
    }

    /// Whether its bytes are the recording itself, not compressed.
    pub(super) fn is_plain(&self) -> bool {
        !self.bytes.starts_with(&[0x1f, 0x8b]) && !self.bytes.starts_with(b"PK")
    }

    /// Facts about it.
    pub(super) fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| {
            let folder = memory::folder();
            let path = folder.path().join(self.file_name());
            fs::write(&path, &self.bytes).unwrap();
            let open = || Input::open(&path);
            let shape = open().and_then(|input| input.visit(None, Outline)).unwrap_or_default();
            let is_sound = open().and_then(|input| survey(input, None, &mut |_| {})).is_ok_and(|surveyed| {
                let summary = surveyed.summary;
                summary.is_ok() && summary.findings.iter().all(|finding| finding.severity == Severity::Note)
            });
            Shape { is_sound, ..shape }
        })
    }
}

/// One of the subjects; long ones less often.
pub(super) fn choose<'a>(subjects: &'a [Subject], rng: &mut Rng) -> &'a Subject {
    let mut subject = &subjects[rng.below(subjects.len())];
    for _ in 0..3 {
        if subject.bytes.len() <= LONG || rng.below(8) == 0 {
            break;
        }
        subject = &subjects[rng.below(subjects.len())];
    }
    subject
}

/// Ranges of the records of a file, and its decoded bytes.
pub(super) fn records(path: &Path) -> Option<Vec<Vec<u8>>> {
    let bytes = fs::read(path).ok()?;
    let shape = Input::open(path).ok()?.visit(None, Outline).ok()?;
    Some(shape.records.into_iter().filter_map(|range| bytes.get(range).map(<[u8]>::to_vec)).collect())
}

/// Collects the ranges of records.
struct Outline;

impl Visit for Outline {
    type Output = Shape;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Shape {
        let header = reader.header_bytes().len();
        let mut records = Vec::new();
        let mut at = reader.position();
        loop {
            let is_record = match reader.next_event() {
                Ok(Event::Record(_)) => true,
                Ok(Event::Damage { .. }) => false,
                Ok(Event::End) | Err(_) => break,
            };
            let end = reader.position();
            if is_record && let (Ok(at), Ok(end)) = (usize::try_from(at), usize::try_from(end)) {
                records.push(at..end);
            }
            at = end;
        }
        Shape { is_sound: false, header, records }
    }
}
