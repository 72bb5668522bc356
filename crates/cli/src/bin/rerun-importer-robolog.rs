//! Lets the Rerun Viewer open what robolog reads: `rerun drive.lvx`.
//!
//! Rerun offers every file that it opens to each program on the path whose name begins with `rerun-importer-`, and takes
//! a recording of its own from the standard output. This one makes an MCAP file and has it converted by `rerun` itself.

use std::{
    env,
    ffi::OsString,
    io::{BufWriter, Write as _},
    path::Path,
    process::{Command, ExitCode},
};

use anyhow::Context as _;
use robolog_convert::{
    Feed, Input, Result, Sink, Took, convert,
    sink::mcap::{Mcap, McapOptions},
};
use robolog_core::{Clock, Sample, Timestamp};

/// What Rerun understands as: not a file for this importer.
const NOT_MINE: u8 = 66;

/// What Rerun says, and `rerun mcap convert` takes too.
const PASSED_ON: [&str; 2] = ["--application-id", "--recording-id"];

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let Some(path) = words.first() else {
        say(format_args!("usage: rerun-importer-robolog FILE: Rerun runs this for files that it opens"));
        return ExitCode::from(2);
    };
    let input = match Input::open(path) {
        Ok(input) if input.dataset().is_some() || input.format().is_ok() => input,
        _ => return ExitCode::from(NOT_MINE),
    };
    match import(input, path, &words) {
        Ok(code) => code,
        Err(error) => {
            say(format_args!("rerun-importer-robolog: {}: {error:#}", Path::new(path).display()));
            ExitCode::FAILURE
        }
    }
}

/// A line on stderr, whether anyone listens or not.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn import(input: Input, path: &OsString, words: &[OsString]) -> anyhow::Result<ExitCode> {
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
        // Else they were shown as moments of 1970.
        rerun.args(["--timeline-type", "duration"]);
    }
    if !words.iter().any(|word| word == "--application-id") {
        rerun.arg("--application-id").arg(Path::new(path).file_name().unwrap_or_default());
    }
    let status = rerun.status().context("cannot run `rerun`, which must be on the path")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Notes what clock the first sample is stamped by.
struct Watched<W: std::io::Write + std::io::Seek> {
    sink: Mcap<W>,
    clock: Option<Clock>,
}

impl<W: std::io::Write + std::io::Seek> Sink for Watched<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.sink.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        self.clock = self.clock.or(sample.time.map(Timestamp::clock));
        self.sink.write(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Box::new(self.sink).finish()
    }
}
