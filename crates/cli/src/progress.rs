//! A progress bar on a terminal for jobs longer than a second.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs::Metadata,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use robolog_convert::{Error, Input, LidarModel, Result, target::is_standard_output};
use robolog_core::{Limits, slices::OrZero as _};

use crate::call::{self, Watch};

/// When to use progress bars or colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    Always,
    Never,
}

/// Global options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) quiet: bool,
    /// Number of `-v` options.
    pub(crate) verbose: u8,
    pub(crate) progress: When,
    pub(crate) color: When,
    /// Limits on a reader's memory.
    pub(crate) limits: Limits,
    /// `--max-memory` in bytes, if given.
    pub(crate) max_memory: Option<u64>,
    /// Which times of MOOS logs to use.
    pub(crate) time: alog::TimeFrom,
    /// The model of LiDARs, if given.
    pub(crate) model: Option<LidarModel>,
}

/// A bar that appears after one second, or the caller's own.
pub(crate) struct Progress {
    started: Instant,
    len: Option<u64>,
    wanted: bool,
    bar: Option<ProgressBar>,
    watch: Option<Watch>,
}

impl Context {
    /// Opens a file or a folder, or standard input for `-`. Returns an error if standard output is appended to the
    /// file.
    pub(crate) fn open(self, path: &Path) -> Result<Input> {
        if is_standard_output(path) {
            return Err(Error::IsInput("standard output".into()));
        }
        if let Some(input) = call::opened(path) {
            return input.map(|input| self.clocked(input));
        }
        let input = if path == Path::new("-") {
            Input::stdin_with(self.limits)
        } else {
            Input::open_again(path, self.limits, known_length(path))
        };
        let input = self.clocked(input?);
        Ok(match call::watch() {
            Some(watch) => input.watched(move || watch(None)),
            None => input,
        })
    }

    /// An input with the `--time` and `--model` options applied.
    pub(crate) fn clocked(self, input: Input) -> Input {
        input.with_times(self.time).with_model(self.model)
    }

    /// The model of Livox LiDARs, if given.
    pub(crate) fn livox(self) -> Option<lvx::Model> {
        self.model.and_then(LidarModel::livox)
    }

    /// A bar for a job over `len` bytes.
    pub(crate) fn progress(self, len: Option<u64>) -> Progress {
        let wanted = match self.progress {
            When::Always => true,
            When::Never => false,
            When::Auto => !self.quiet && io::stderr().is_terminal(),
        };
        Progress { started: Instant::now(), len, wanted, bar: None, watch: call::watch() }
    }
}

/// Length of a file when the command first opened it: what it loses until it is opened again is damage.
fn known_length(path: &Path) -> u64 {
    static LENGTHS: Mutex<BTreeMap<PathBuf, u64>> = Mutex::new(BTreeMap::new());
    let measured = || std::fs::metadata(path).ok().filter(Metadata::is_file).map_or(0, |meta| meta.len());
    if let Some(len) = call::known_length(path, measured) {
        return len;
    }
    let mut lengths = LENGTHS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(len) = lengths.get(path) {
        return *len;
    }
    let len = measured();
    lengths.insert(path.to_owned(), len);
    len
}

impl Progress {
    /// Sets the position, in bytes.
    pub(crate) fn set(&mut self, position: u64) {
        // A caller who stops the work is asked again when the input is read.
        let _ = self.at(position);
    }

    /// Sets the position; an error if the caller stops the work.
    pub(crate) fn at(&mut self, position: u64) -> io::Result<()> {
        self.draw(position);
        self.watch.as_ref().map_or(Ok(()), |watch| watch(Some(position)))
    }

    fn draw(&mut self, position: u64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            let (bar, template) = match self.len {
                Some(len) => {
                    (ProgressBar::new(len), "{wide_bar} {decimal_bytes} of {decimal_total_bytes} {rate}")
                }
                None => (ProgressBar::new_spinner(), "{spinner} {decimal_bytes} {rate}"),
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                let started = self.started;
                let rate = move |state: &ProgressState, out: &mut dyn Write| rate(started, state, out);
                bar.set_style(style.with_key("rate", rate));
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }
}

/// Bytes per second since the job began, and the remaining time at that rate. The bar's own rate counts from when the
/// bar appears, as if everything before had taken no time.
fn rate(started: Instant, state: &ProgressState, out: &mut dyn Write) {
    let (done, elapsed) = (u128::from(state.pos()), started.elapsed().as_nanos());
    let rest = state.len().map_or(0, |len| u128::from(len).saturating_sub(done));
    let of = |bytes: u128, a: u128, b: u128| {
        let scaled = bytes.saturating_mul(a).div_or_zero(b);
        u64::try_from(scaled).unwrap_or(u64::MAX)
    };
    let rate = of(done, 1_000_000_000, elapsed);
    let left = Duration::from_nanos(of(rest, elapsed, done));
    // On a formatting error, the bar is drawn without this part.
    let _ = match state.len() {
        Some(_) => write!(out, "{}/s, {:#} left", DecimalBytes(rate), HumanDuration(left)),
        None => write!(out, "{}/s", DecimalBytes(rate)),
    };
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
