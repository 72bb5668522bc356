//! Messages to people.

use std::{
    io::{self, Write},
    path::Path,
};

use robolog_convert::{Advice, Error, Report, Result, TargetSpec, json, sink::Holds};
use robolog_core::{slices::length, text::Escaped};

/// The name of a file as it can be shown.
pub(crate) fn path(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}

/// A line on stderr. Nobody may be listening: that must not end the work.
pub(crate) fn say(line: impl std::fmt::Display) {
    // One write, so that the lines of several programs do not mix.
    let _ = io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// `robolog: FILE: what is wrong`, on stderr.
pub(crate) fn error(file: Option<&Path>, error: &Error) {
    let names_file = matches!(
        error,
        Error::File { .. }
            | Error::Exists(_)
            | Error::IsInput(_)
            | Error::InInput(_)
            | Error::HoldsInput(_)
            | Error::NotOurs(_)
            | Error::UnknownTarget { .. }
            | Error::TargetDisagrees { .. }
    );
    let error = match error {
        Error::NotBuilt { what, feature } => {
            // Features of the program are named as targets are.
            let feature = feature.strip_prefix("to-").unwrap_or(feature);
            format!("this build has no {what}; build with --features {feature}")
        }
        error => advised(error.to_string(), error.advice()),
    };
    match file.filter(|_| !names_file) {
        Some(file) => note(file, error),
        None => say(format_args!("robolog: {error}")),
    }
}

/// What is wrong, with what to do about it behind its first line.
fn advised(text: String, advice: Option<Advice>) -> String {
    let Some(advice) = advice else { return text };
    let (first, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let between = match advice {
        Advice::Replace => " ",
        Advice::NameTarget | Advice::OneName => "; ",
        _ => ": ",
    };
    format!("{first}{between}{}{rest}", words(advice))
}

/// An advice in options of the command line.
fn words(advice: Advice) -> String {
    match advice {
        Advice::ChooseChannels => {
            "--channel GLOB writes a table of what it chooses, --per kind a folder of tables".into()
        }
        Advice::ScanPoints => "--channel GLOB or --per frame makes points of laser scans".into(),
        Advice::ScanAngles => "--laser-angles FIRST,STEP says where its ranges lie".into(),
        Advice::WriteAs(target) => format!("--to {target}"),
        Advice::CopyJpeg => "a JPEG file that cannot be decoded is copied by --to jpg".into(),
        Advice::FilePerFrame => "--per frame".into(),
        Advice::FilePerChannel => "use --per channel".into(),
        Advice::FilePerGroup => "--hive goes with --per channel or --per kind".into(),
        Advice::FilePerKind => "use --per kind, or --channel".into(),
        Advice::FewerChannels => "--channel GLOB chooses fewer channels".into(),
        Advice::FewerDevices => {
            "--channel GLOB chooses fewer channels, --per channel makes more files".into()
        }
        Advice::OneChannel => "choose with --channel, --hero or --longest".into(),
        Advice::ShorterGap => "use --channel, a lower --rate or a shorter --max-gap".into(),
        Advice::Replace => "(--force replaces it)".into(),
        Advice::OneName => "leave out --to, or give the output another name".into(),
        Advice::NameTarget => format!("choose one with --to: {}", robolog_convert::targets::names()),
        Advice::PlainPcd => "use --pcd-data binary, or --channel".into(),
        Advice::PlainPcdOrFrames => "use --pcd-data binary, or --per frame".into(),
        Advice::PlainLas => "use --to las, or --channel".into(),
        Advice::Las14 => "use --las-version 1.4, or --per frame".into(),
        Advice::Epoch => {
            "--epoch gives those that count from the start of a device or recording a date".into()
        }
        Advice::SayClock => "--epoch or --clock says how they compare".into(),
        Advice::Origin => {
            "it takes GNSS fixes; poses become such by --origin LAT,LON, and go into tum as they are".into()
        }
        Advice::KeepNoFix => {
            "the receiver had no fix (quality 0); --to csv and mcap keep such positions".into()
        }
        Advice::Ros2Messages => "--schema ros2 keeps pixels of 16 bits a colour".into(),
        Advice::Calibration => "--calibration FILE gives it, --calibration builtin says that this is meant".into(),
        Advice::DualReturns => "--dual-returns both writes both".into(),
        Advice::TimeWarp => "--time-warp gives the warp".into(),
        Advice::Plot => "robolog plot draws clouds and scans".into(),
        advice => advice.to_string(),
    }
}

/// `robolog: FILE: message`, on stderr.
pub(crate) fn note(file: &Path, message: impl std::fmt::Display) {
    say(format_args!("robolog: {}: {message}", path(file)));
}

/// Standard output that goes on when its reader leaves: what a command finds out counts, printed or not.
#[derive(Debug)]
pub(crate) struct Findings {
    out: io::StdoutLock<'static>,
    is_left: bool,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self { out: io::stdout().lock(), is_left: false }
    }

    fn unless_left<T>(
        &mut self,
        default: T,
        work: impl FnOnce(&mut io::StdoutLock<'static>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.is_left {
            return Ok(default);
        }
        match work(&mut self.out) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.is_left = true;
                Ok(default)
            }
            outcome => outcome,
        }
    }
}

impl Write for Findings {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_left(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_left((), Write::flush)
    }
}

/// A fault of a recording, and what it cost.
pub(crate) fn damage(file: &Path, error: &robolog_core::Error, lost: &std::ops::Range<u64>) {
    match length(lost) {
        0 => note(file, error),
        n => {
            let n = count(n, "byte");
            note(file, format_args!("{error}; {n} lost, {:#x} to {:#x}", lost.start, lost.end));
        }
    }
}

/// The damage that was met, and what was left out.
pub(crate) fn losses(file: &Path, report: &Report) {
    losses_of(&[file], report);
}

/// The same of several recordings that were converted together.
pub(crate) fn losses_of(files: &[&Path], report: &Report) {
    let Some(file) = files.first() else { return };
    for told in &report.notes {
        note(file, format_args!("note: {}", advised(told.to_string(), told.advice())));
    }
    for found in &report.damage {
        damage(files.get(found.feed).unwrap_or(file), &found.error, &found.lost);
    }
    for fault in &report.faults {
        note(file, fault);
    }
    let told = (report.damage.len() + report.faults.len()) as u64;
    if let more @ 1.. = report.damages.saturating_sub(told) {
        note(file, format_args!("{} more", count(more, "fault")));
    }
    if let n @ 1.. = report.unjudged {
        note(file, format_args!("left out {} whose time does not compare with the limits", count(n, "part")));
    }
    for (kind, count) in report.lost() {
        let what = match count.samples {
            0 => format!("{} values of {kind}", count.values),
            samples => format!("{samples} {kind}"),
        };
        note(file, format_args!("left out {what}: the target has no place for them"));
    }
}

/// How tables hold several kinds.
const TABLES: &str = ", and --per kind writes one of each";

/// What a target holds, as a reason why it has no place for something else.
pub(crate) fn holds(target: &TargetSpec) -> String {
    let (name, holds) = (target.name, target.holds);
    let more = if matches!(holds, Holds::Table | Holds::Columns) { TABLES } else { "" };
    format!("{name} {holds}{more}")
}

/// The kinds of samples that the target has no place for, why, and where they would go.
pub(crate) fn skipped(file: &Path, report: &Report, why: &str) {
    for (kind, count) in report.skipped() {
        let samples = self::count(count.samples, &format!("{} sample", kind_name(kind)));
        note(file, format_args!("note: skipped {samples}: {why}; --to mcap keeps them"));
    }
}

/// A kind of values as people name it.
fn kind_name(kind: &str) -> String {
    match kind {
        "imu" => "IMU".into(),
        "gnss_fix" => "GNSS fix".into(),
        kind => kind.replace('_', " "),
    }
}

/// A number of things: `1 byte`, `2 bytes`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A line of JSON.
pub(crate) fn json(out: &mut impl Write, value: &impl serde::Serialize) -> Result<()> {
    json::json(out, value)?;
    Ok(out.write_all(b"\n")?)
}

/// Text from files, safe to print: lines and tabs are kept, what else could command a terminal is escaped.
#[derive(Debug)]
pub(crate) struct Safe<W: Write> {
    out: W,
    /// A part of a line.
    held: Vec<u8>,
}

impl<W: Write> Safe<W> {
    /// So much of a line is held.
    const MOST: usize = 1 << 16;

    pub(crate) fn new(out: W) -> Self {
        Self { out, held: Vec::new() }
    }

    fn write_held(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for (i, line) in self.held.split(|b| *b == b'\n').enumerate() {
            text.push_str(if i > 0 { "\n" } else { "" });
            for (i, cell) in line.split(|b| *b == b'\t').enumerate() {
                text.push_str(if i > 0 { "\t" } else { "" });
                text.push_str(&Escaped(cell).to_string());
            }
        }
        self.held.clear();
        self.out.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character is not cut in two: all up to the end of the last line, and the rest of it later.
        let (whole, rest) = match bytes.iter().rposition(|b| *b == b'\n') {
            Some(end) => bytes.split_at(end + 1),
            None => (&[][..], bytes),
        };
        self.held.extend_from_slice(whole);
        if !whole.is_empty() && self.held.len() >= Self::MOST || self.held.len() >= Self::MOST * 16 {
            self.write_held()?;
        }
        self.held.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_held()?;
        self.out.flush()
    }
}

/// Bytes in a unit that a person reads.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} bytes"),
        10_000..10_000_000 => format!("{} kB", n / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", n / 1_000_000),
        _ => format!("{} GB", n / 1_000_000_000),
    }
}
