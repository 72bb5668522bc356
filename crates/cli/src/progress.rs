//! A bar for jobs that take longer than a second, on a terminal.

use std::{
    io::IsTerminal as _,
    path::Path,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use robolog_convert::{Input, Result};
use robolog_core::Limits;

/// Whether to do something that only a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    Always,
    Never,
}

/// What holds for every command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) quiet: bool,
    /// How often `-v` was given.
    pub(crate) verbose: u8,
    pub(crate) progress: When,
    pub(crate) color: When,
    /// What a reader may hold in memory.
    pub(crate) limits: Limits,
}

/// A bar that appears when the job has gone on for a second.
#[derive(Debug)]
pub(crate) struct Progress {
    started: Instant,
    len: Option<u64>,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Context {
    /// Opens a file or a folder, or standard input for `-`.
    pub(crate) fn open(self, path: &Path) -> Result<Input> {
        if path == Path::new("-") {
            Input::stdin_with(self.limits)
        } else {
            Input::open_with(path, self.limits)
        }
    }

    /// For a job over `len` bytes.
    pub(crate) fn progress(self, len: Option<u64>) -> Progress {
        let wanted = match self.progress {
            When::Always => true,
            When::Never => false,
            When::Auto => !self.quiet && std::io::stderr().is_terminal(),
        };
        Progress { started: Instant::now(), len, wanted, bar: None }
    }
}

impl Progress {
    /// The job has come so far.
    pub(crate) fn set(&mut self, position: u64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            let (bar, template) = match self.len {
                Some(len) => (ProgressBar::new(len), "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}"),
                None => (ProgressBar::new_spinner(), "{spinner} {bytes} {bytes_per_sec}"),
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
