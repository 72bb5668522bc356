//! `robolog import-for-rerun`, hidden: lets the Rerun Viewer open recordings, as in `rerun drive.lvx`.
//!
//! Rerun offers every file it opens to each program on the PATH whose name begins with `rerun-importer-`, and reads a
//! recording in its own format from standard output. `rerun-importer-robolog` runs this command, which writes an MCAP
//! file and lets `rerun` convert it.

use std::{
    ffi::OsString,
    io::{BufWriter, Seek, Write},
    path::Path,
    process::{Command, ExitCode},
};

use robolog_convert::{
    Error, Feed, Input, Outcome, Result, Sink, convert,
    sink::mcap::{Mcap, McapOptions},
};
use robolog_core::{Clock, Sample, Timestamp};

use crate::{render, status::Status};

/// Exit status that Rerun reads as: not a file for this importer.
const NOT_MINE: u8 = 66;

/// Options of Rerun that `rerun mcap convert` also takes.
const PASSED_ON: [&str; 2] = ["--application-id", "--recording-id"];

pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let Some(path) = words.first() else {
        render::say("usage: rerun-importer-robolog FILE: Rerun runs this for files that it opens");
        return Status::Usage.into();
    };
    let input = match Input::open(path) {
        Ok(input) if input.dataset().is_some() || input.format().is_ok() => input,
        _ => return ExitCode::from(NOT_MINE),
    };
    let path = Path::new(path);
    match import(input, path, words) {
        Ok(status) => status.into(),
        Err(error) => {
            render::error(Some(path), &error);
            Status::of(&error).into()
        }
    }
}

fn import(input: Input, path: &Path, words: &[OsString]) -> Result<Status> {
    let file = tempfile::Builder::new().prefix("robolog-").suffix(".mcap").tempfile()?;
    let mut watched =
        Watched { sink: Mcap::new(BufWriter::new(file.reopen()?), McapOptions::default())?, clock: None };
    convert(vec![Feed::new(input)], &mut watched, &mut |_| {})?;
    watched.sink.into_inner()?.flush()?;
    let mut rerun = Command::new("rerun");
    rerun.args(["mcap", "convert"]).arg(file.path());
    for pair in words.windows(2) {
        if let [name, value] = pair
            && PASSED_ON.iter().any(|passed| name == passed)
        {
            rerun.arg(name).arg(value);
        }
    }
    if watched.clock.is_some_and(|clock| clock != Clock::Unix) {
        // Otherwise Rerun shows them as dates in 1970.
        rerun.args(["--timeline-type", "duration"]);
    }
    if !words.iter().any(|word| word == "--application-id") {
        rerun.arg("--application-id").arg(path.file_name().unwrap_or_default());
    }
    let missing = |e| Error::Target(format!("cannot run `rerun`, which must be on the PATH: {e}").into());
    Ok(if rerun.status().map_err(missing)?.success() { Status::Done } else { Status::Failed })
}

/// Notes the clock of the first stamp.
struct Watched<W: Write + Seek> {
    sink: Mcap<W>,
    clock: Option<Clock>,
}

impl<W: Write + Seek> Sink for Watched<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.sink.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.clock = self.clock.or(sample.time.map(Timestamp::clock));
        self.sink.write(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Box::new(self.sink).finish()
    }
}
