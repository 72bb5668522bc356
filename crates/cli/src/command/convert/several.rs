//! Several inputs: one output each, in a folder.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use robolog_convert::{Error, Reason, Result, partition, targets};

use super::{
    Done, idle,
    manifest::{Job, Manifest},
};
use crate::{
    args::{ConvertArgs, check_named},
    progress::Context,
    render,
    status::Status,
};

/// A recording, and the folder argument it was found in, if any.
pub(super) type Found = (PathBuf, Option<PathBuf>);

/// Counts of inputs and samples for the summary line.
#[derive(Debug, Default)]
struct Tally {
    converted: u64,
    there: u64,
    failed: u64,
    samples: u64,
    written: u64,
    /// Options that had nothing to do for any of them.
    idle: Option<Vec<idle::Idle>>,
}

/// Converts each input. A failure does not stop the others.
pub(super) fn run(files: &[Found], args: &ConvertArgs, context: Context) -> Result<Status> {
    let jobs = jobs(files, args)?;
    let folder = args.out.output.as_path();
    fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
    let outcome = all(&jobs, folder, args, context);
    // Only if it is empty.
    let _ = fs::remove_dir(folder);
    outcome
}

fn all(jobs: &[Job], folder: &Path, args: &ConvertArgs, context: Context) -> Result<Status> {
    let mut manifest = Manifest::read(folder, args)?;
    let (mut tally, mut worst, mut failure) = (Tally::default(), Status::Done, Status::Done);
    for (number, job) in jobs.iter().enumerate() {
        if let Some(entry) = manifest.made(job).filter(|_| args.resume) {
            tally.there += 1;
            tally.add(entry.samples, entry.written);
            worst = worst.max(Status::lossy_if(entry.lossy));
            continue;
        }
        match one(job, number, folder, args, context) {
            Ok(done) => {
                manifest.add(job, &done)?;
                tally.converted += 1;
                tally.add(done.samples, done.written);
                tally.idle(done.idle);
                worst = worst.max(Status::lossy_if(done.lossy));
            }
            Err(error) if error.is_broken_pipe() => return Err(error),
            Err(error) => {
                render::error(Some(&job.file), &error);
                tally.failed += 1;
                failure = failure.max(Status::of(&error));
            }
        }
    }
    if !context.quiet {
        idle::say(folder, tally.idle.as_deref().unwrap_or(&[]));
        render::note(folder, tally.text());
    }
    Ok(match tally {
        Tally { failed: 0, .. } => worst,
        // All failed.
        Tally { converted: 0, there: 0, .. } => failure,
        _ => Status::Lossy,
    })
}

/// Converts one input into a folder; the output is named after the input.
pub(super) fn into_folder(file: &Path, args: &ConvertArgs, context: Context) -> Result<Done> {
    let folder = args.out.output.as_path();
    if args.to.is_none() {
        return Err(Error::FolderTarget(folder.to_owned()));
    }
    let is_new = !folder.is_dir();
    let mut outcome = Ok(Done::default());
    for job in jobs(&[(file.to_owned(), None)], args)? {
        fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
        outcome = one(&job, 0, folder, args, context);
    }
    if is_new {
        // Only if it is empty.
        let _ = fs::remove_dir(folder);
    }
    outcome
}

fn one(job: &Job, number: usize, folder: &Path, args: &ConvertArgs, context: Context) -> Result<Done> {
    let output = folder.join(&job.name);
    if let Some(parent) = output.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::file(parent, e))?;
    }
    let outcome = super::job(&[job.file.as_path()], number, &output, args, context);
    let mut parent = output.parent();
    while let Some(empty) = parent.filter(|parent| outcome.is_err() && parent.starts_with(folder)) {
        // Remove empty folders that this input created; others are not empty.
        if empty == folder || fs::remove_dir(empty).is_err() {
            break;
        }
        parent = empty.parent();
    }
    outcome
}

impl Tally {
    fn add(&mut self, samples: u64, written: u64) {
        self.samples += samples;
        self.written += written;
    }

    /// Keeps the options that had nothing to do for any recording.
    fn idle(&mut self, idle: Vec<idle::Idle>) {
        match &mut self.idle {
            Some(all) => all.retain(|one| idle.contains(one)),
            none => *none = Some(idle),
        }
    }

    fn text(&self) -> String {
        let Self { converted, there, failed, samples, written, .. } = *self;
        let all = converted + there + failed;
        let part = |n: u64, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
        let (there, failed) = (part(there, "already there"), part(failed, "failed"));
        let left_out = match samples - written {
            0 => String::new(),
            left_out => format!(", {left_out} left out"),
        };
        let done = if converted == all { "converted".to_owned() } else { format!("{converted} converted") };
        let between = if converted == all { " " } else { ": " };
        format!(
            "{}{between}{done}{there}{failed}; {} written{left_out}",
            render::count(all, "recording"),
            render::count(written, "sample")
        )
    }
}

/// The name of each output: that of its input, in the same subfolders.
fn jobs(files: &[Found], args: &ConvertArgs) -> Result<Vec<Job>> {
    let Some(to) = &args.to else {
        let how = "choose a format with --to, or write one file with --merge";
        return Err(match files {
            [(_, Some(folder)), rest @ ..]
                if rest.iter().all(|(_, below)| below.as_ref() == Some(folder)) =>
            {
                let (folder, n) = (render::path(folder), files.len() as u64);
                let n = render::count(n, "recording");
                Error::Target(Reason::Choose(format!("{folder} holds {n}: {how}, or name the files")))
            }
            _ => Error::Target(Reason::Choose(format!("several inputs: {how}"))),
        });
    };
    // Formats of captures are not targets elsewhere.
    let extension = match targets::by_name(to) {
        Ok(target) => target.extension(),
        Err(_) => to,
    };
    let is_file = args.per().is_none() && !args.rosbag2_dir;
    let naming = Naming { extension: is_file.then_some(extension), is_lake: args.tables.hive };
    let folded = |path: &Path| path.to_string_lossy().to_lowercase();
    let mut taken = HashSet::new();
    let mut jobs = Vec::new();
    for (file, below) in files {
        check_named(file, &args.out.output)?;
        // Some file systems ignore case.
        let mut name = naming.name(file, below.as_deref(), file.file_stem());
        if taken.contains(&folded(&name)) {
            name = naming.name(file, below.as_deref(), file.file_name());
        }
        if !taken.insert(folded(&name)) {
            let output = args.out.output.join(name);
            let message = format!("two inputs would become {}", render::path(&output));
            return Err(Error::Target(message.into()));
        }
        jobs.push(Job { file: file.clone(), name });
    }
    Ok(jobs)
}

/// Naming of outputs.
struct Naming<'a> {
    /// Extension of files; folders have none.
    extension: Option<&'a str>,
    /// Whether folders are Hive partitions, which readers show as a column with the recording.
    is_lake: bool,
}

impl Naming<'_> {
    /// The name of the output of `file`, found below a folder; `last` is its last component.
    fn name(&self, file: &Path, below: Option<&Path>, last: Option<&OsStr>) -> PathBuf {
        let parent = below.and_then(|below| file.parent()?.strip_prefix(below).ok()).unwrap_or(Path::new(""));
        // The name is kept whole: text after another dot is not an extension to replace.
        let mut name = last.unwrap_or(file.as_os_str()).to_owned();
        if self.is_lake {
            return partition("recording", &parent.join(name).to_string_lossy()).into();
        }
        if let Some(extension) = self.extension {
            name.push(".");
            name.push(extension);
        }
        parent.join(name)
    }
}
