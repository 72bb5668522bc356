//! `robolog catalog`: a table of recordings, one row each.

mod file;
mod journal;
mod row;

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use robolog_convert::{
    Error, Result, recordings_but,
    target::{Existing, Target},
};

use robolog_events::{Event, Thresholds};

use self::{
    file::{Row, Writer, copies, rows},
    journal::Journal,
    row::{Identity, Known, row, way},
};
use super::events::find_with;
use crate::{
    args::catalog::{CatalogArgs, Form},
    progress::Context,
    render,
    status::Status,
};

/// A file changed this shortly before the catalogue was written may have changed since with the same modification time,
/// on file systems with coarse times.
const FRESH: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &CatalogArgs, context: Context) -> Result<Status> {
    args.check()?;
    let output = args.output()?;
    let form = args.form(&output)?;
    let way = way(&(&args.format.name, format!("{:?}", (context.time, context.limits, args.events))));
    let mut run = Run {
        old: Catalogue::open(form, &output, args)?,
        journal: Journal::open(&output, args.force)?,
        way,
        output,
        args,
        context,
    };
    let (mut entries, status) = run.find()?;
    if entries.is_empty() {
        return Ok(status);
    }
    run.read(&mut entries)?;
    let mut tally = Tally::default();
    for entry in &entries {
        tally.add(&entry.state, run.known(entry));
    }
    if tally.changed > 0 || run.old.rows.len() != entries.len() {
        run.write(form, &entries)?;
    }
    run.journal.remove()?;
    if !context.quiet {
        render::note(&run.output, tally.text());
    }
    Ok(Status::lossy_if(tally.damaged > 0 || status != Status::Done))
}

/// A recording and the source of its row.
#[derive(Debug)]
struct Entry {
    path: String,
    file: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Unchanged row of the catalogue.
    Kept,
    /// Row of the catalogue; the file has a new modification time but the same content.
    Touched(Identity),
    /// Row of the journal of an interrupted run.
    Journaled,
    /// To be surveyed; its row goes into the journal.
    Read,
}

/// The existing catalogue.
#[derive(Debug, Default)]
struct Catalogue {
    rows: HashMap<String, Known>,
    modified: Option<SystemTime>,
}

impl Catalogue {
    /// Reads the catalogue; no rows if it does not exist, or with `--force`.
    fn open(form: Form, output: &Path, args: &CatalogArgs) -> Result<Self> {
        let mut catalogue = Self::default();
        let Some(meta) = fs::metadata(output).ok().filter(Metadata::is_file) else { return Ok(catalogue) };
        if args.force || output == Path::new("-") {
            return Ok(catalogue);
        }
        catalogue.modified = meta.modified().ok();
        let mut last = String::new();
        let outcome = rows(form, output, &Known::COLUMNS, |row| {
            let row = Known::of(&row).filter(|(path, _)| *path > last);
            let (path, known) =
                row.ok_or_else(|| Error::Target("a row that is not of a catalogue".into()))?;
            last.clone_from(&path);
            catalogue.rows.insert(path, known);
            Ok(())
        });
        match outcome {
            Ok(()) => Ok(catalogue),
            Err(error) if error.is_of_machine() => Err(error),
            Err(error) => {
                let why = format!("not a catalogue of this version: {error} (--force replaces it)");
                Err(Error::file(output, io::Error::other(why)))
            }
        }
    }
}

/// Counts of rows for the summary line.
#[derive(Debug, Default)]
struct Tally {
    kept: u64,
    read: u64,
    damaged: u64,
    changed: u64,
}

impl Tally {
    fn add(&mut self, state: &State, known: Option<&Known>) {
        *(if matches!(state, State::Read) { &mut self.read } else { &mut self.kept }) += 1;
        self.changed += u64::from(!matches!(state, State::Kept));
        self.damaged += u64::from(known.is_none_or(|known| !known.sound));
    }

    fn text(&self) -> String {
        let Self { kept, read, damaged, .. } = self;
        let all = render::count(kept + read, "recording");
        let damaged = if *damaged > 0 { format!(", {damaged} damaged") } else { String::new() };
        format!("{all}: kept {kept}, read {read}{damaged}")
    }
}

struct Run<'a> {
    old: Catalogue,
    journal: Journal,
    way: String,
    output: PathBuf,
    args: &'a CatalogArgs,
    context: Context,
}

impl Run<'_> {
    /// Finds the recordings, sorted by path without duplicates. The status is `Failed` if an argument has none.
    fn find(&self) -> Result<(Vec<Entry>, Status)> {
        // Unchanged files found in folders, to ask for their metadata once only.
        let kept = RefCell::new(HashSet::new());
        let is_known = |path: &Path, meta: &Metadata| {
            let Some(name) = path.to_str() else { return false };
            let (old, journaled) = (self.old.rows.get_key_value(name), self.journal.get(name));
            let Some(known) = old.map(|(_, known)| known).or(journaled) else { return false };
            if known.identity.digest.is_none() || !is_alike(&known.identity, path, meta) {
                return false;
            }
            if let (Some((name, known)), None) = (old, journaled)
                && self.is_unchanged(&known.identity, meta, self.old.modified)
            {
                kept.borrow_mut().insert(name.as_str());
            }
            true
        };
        let (mut files, mut status) = (Vec::new(), Status::Done);
        for argument in &self.args.files {
            let found = fs::metadata(argument)
                .map_err(|e| Error::file(argument, e))
                .and_then(|_| recordings_but(argument, self.context.limits, &is_known));
            match found {
                Ok(mut found) => {
                    files.append(&mut found.take_unreadable());
                    if let (Some(skipped), false) = (found.skipped(), self.context.quiet) {
                        render::note(argument, format_args!("note: skipped {skipped}"));
                    }
                    files.extend(found.files);
                }
                Err(error) if error.is_of_machine() => return Err(error),
                Err(error) => {
                    render::error(Some(argument), &error);
                    status = Status::Failed;
                }
            }
        }
        let named = |file: PathBuf| (file.to_string_lossy().into_owned(), file);
        let mut files: Vec<_> = files.into_iter().map(named).collect();
        files.sort();
        files.dedup_by(|a, b| a.0 == b.0);
        let kept = kept.into_inner();
        let entries = files.into_iter().map(|(path, file)| {
            let state = if kept.contains(&*path) { State::Kept } else { self.state(&path, &file) };
            Entry { path, file, state }
        });
        Ok((entries.collect(), status))
    }

    fn state(&self, path: &str, file: &Path) -> State {
        if let Some(known) = self.journal.get(path) {
            let same = self.same(&known.identity, file, self.journal.modified).ok().flatten();
            if same.is_some_and(|now| now == known.identity) {
                return State::Journaled;
            }
        }
        let known = self.old.rows.get(path);
        let same = known.and_then(|known| self.same(&known.identity, file, self.old.modified).ok().flatten());
        match (same, known) {
            (Some(now), Some(known)) if now == known.identity => State::Kept,
            (Some(now), _) => State::Touched(now),
            (None, _) => State::Read,
        }
    }

    /// The current identity of the file at `path`, if its content is unchanged since its row was written.
    fn same(
        &self,
        known: &Identity,
        path: &Path,
        written: Option<SystemTime>,
    ) -> io::Result<Option<Identity>> {
        let (Some(digest), meta) = (self.digest(known), fs::metadata(path)?) else { return Ok(None) };
        let now = Identity::of(path, &meta)?;
        if now.bytes != known.bytes {
            return Ok(None);
        }
        if meta.is_file() && self.is_unchanged(known, &meta, written) && now.modified == known.modified {
            return Ok(Some(known.clone()));
        }
        let now = now.with_digest(path, &meta, &self.way)?;
        Ok(Some(now).filter(|now| now.digest.as_ref() == Some(digest)))
    }

    /// The digest, if the recording was read with the same options.
    fn digest<'a>(&self, known: &'a Identity) -> Option<&'a String> {
        known.digest.as_ref().filter(|digest| digest.starts_with(&self.way))
    }

    /// Whether the row of a file with equal size and time is still valid.
    fn is_unchanged(&self, known: &Identity, meta: &Metadata, written: Option<SystemTime>) -> bool {
        let old = written.and_then(|written| written.checked_sub(FRESH));
        let is_old = old.is_some_and(|old| meta.modified().is_ok_and(|modified| modified < old));
        is_old && self.digest(known).is_some()
    }

    /// Surveys new and changed recordings.
    fn read(&mut self, entries: &mut [Entry]) -> Result<()> {
        let wanted = || entries.iter().filter(|entry| matches!(entry.state, State::Read));
        let size = |entry: &Entry| fs::metadata(&entry.file).map_or(0, |meta| meta.len());
        let mut progress = self.context.progress(Some(wanted().map(size).sum()));
        let mut done = 0;
        for entry in wanted() {
            let identity = self.identity(&entry.file);
            let surveyed = match &identity {
                Ok(_) => self.context.open(&entry.file).and_then(|input| {
                    let format = self.args.format.name.as_deref();
                    robolog_convert::survey(input, format, &mut |at| progress.set(done + at))
                }),
                Err(error) => Err(Error::file(&entry.file, io::Error::new(error.kind(), error.to_string()))),
            };
            if let Err(error) = &surveyed
                && error.is_of_machine()
            {
                return surveyed.map(drop);
            }
            let events = match &surveyed {
                Ok(_) if self.args.events => Some(self.events(&entry.file)?),
                _ => None,
            };
            let identity = identity.unwrap_or_default();
            self.journal.add(&row(&entry.path, &identity, &surveyed, events.as_deref()))?;
            done += size(entry);
        }
        Ok(())
    }

    /// What happened in a recording; nothing, if its samples cannot be read.
    fn events(&self, file: &Path) -> Result<Vec<Event>> {
        let (format, limits) = (self.args.format.name.as_deref(), Thresholds::default());
        match find_with(&[file], format, &limits, self.context, &mut |_| {}) {
            Ok(found) => Ok(found.events),
            Err(error) if error.is_of_machine() => Err(error),
            Err(_) => Ok(Vec::new()),
        }
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        let meta = fs::metadata(path)?;
        Identity::of(path, &meta)?.with_digest(path, &meta, &self.way)
    }

    fn known(&self, entry: &Entry) -> Option<&Known> {
        match entry.state {
            State::Kept | State::Touched(_) => self.old.rows.get(&entry.path),
            State::Journaled | State::Read => self.journal.get(&entry.path),
        }
    }

    /// Writes old and new rows in order of path.
    fn write(&mut self, form: Form, entries: &[Entry]) -> Result<()> {
        let output = self.output.as_path();
        let is_ours = !self.old.rows.is_empty() || self.args.force;
        let existing = if is_ours { Existing::Replace } else { Existing::Keep };
        // Inputs with the name of the output could be the output itself.
        let named = entries.iter().map(|entry| entry.file.as_path());
        let inputs: Vec<&Path> = named.filter(|file| file.file_name() == output.file_name()).collect();
        let target = Target::create(output, existing, &inputs)?;
        let mut writer = Writer::new(form, target.writer()?)?;
        let mut entries = entries.iter().peekable();
        let mut put = |writer: &mut Writer, entry: &Entry, old: Option<Row<'_>>| match (&entry.state, old) {
            (State::Kept, Some(row)) => writer.copy(row, None),
            (State::Touched(now), Some(row)) => writer.copy(row, Some(&now.modified.clone().into())),
            _ => writer.write(&self.journal.row(&entry.path)?),
        };
        if !self.old.rows.is_empty() {
            copies(form, output, |row| {
                let path = row.path().unwrap_or_default();
                while let Some(entry) = entries.next_if(|entry| *entry.path < *path) {
                    put(&mut writer, entry, None)?;
                }
                match entries.next_if(|entry| entry.path == path) {
                    Some(entry) => put(&mut writer, entry, Some(row)),
                    None => Ok(()),
                }
            })?;
        }
        entries.try_for_each(|entry| put(&mut writer, entry, None))?;
        writer.finish()?;
        target.persist()
    }
}

/// Whether size and modification time are equal.
fn is_alike(known: &Identity, path: &Path, meta: &Metadata) -> bool {
    Identity::of(path, meta).is_ok_and(|now| now.bytes == known.bytes && now.modified == known.modified)
}
