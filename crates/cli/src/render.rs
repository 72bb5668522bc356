//! Messages to people.

mod advice;
mod missing;
mod safe;

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use robolog_convert::{
    Count, Error, Note, Report, Result, TargetSpec, counted, json, op::DropNoReturns, sink::Holds,
};
use robolog_core::{
    slices::length,
    text::{Escaped, is_unsafe},
};

use self::advice::advised;
pub(crate) use self::{advice::take_options, missing::are_missing, safe::Safe};
use crate::screen::Screen;

/// The name of a file, escaped for display.
pub(crate) fn path(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}

/// Whether messages have byte offsets and numbers of system errors.
static DETAILED: AtomicBool = AtomicBool::new(false);

/// Makes all messages say byte offsets and numbers of system errors, as `-v` asks for.
pub(crate) fn say_details() {
    DETAILED.store(true, Ordering::Relaxed);
}

/// Whether messages say byte offsets.
pub(crate) fn is_detailed() -> bool {
    DETAILED.load(Ordering::Relaxed)
}

/// Prints an escaped line on stderr. Errors are ignored: a closed stderr must not end the work.
pub(crate) fn say(line: impl std::fmt::Display) {
    let line = format!("{}\n", in_plain(line.to_string()));
    if crate::call::takes(&line) {
        return;
    }
    // A single write keeps lines of several programs apart.
    let _ = io::stderr().lock().write_all(&printable(line.as_bytes(), Styles::Escaped));
}

/// A message without what only `-v` says: ` (at byte 0x959)` and ` (os error 2)`.
pub(crate) fn in_plain(message: String) -> String {
    if is_detailed() {
        return message;
    }
    robolog_core::text::without_numbers(&message)
}

/// How escape sequences for colours are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Styles {
    /// Kept: they are the program's own.
    Kept,
    Escaped,
}

/// Escapes everything that could control a terminal, except line ends, tabs and the program's own colours. All text for
/// people goes through here, so callers can put text of files into lines.
pub(crate) fn printable(text: &[u8], styles: Styles) -> Cow<'_, [u8]> {
    let is_plain = |b: &u8| (b' '..0x7f).contains(b) || matches!(b, b'\n' | b'\t');
    let is_safe = |text: &str| text.chars().all(|c| !is_unsafe(c) || matches!(c, '\n' | '\t'));
    if text.iter().all(is_plain) || std::str::from_utf8(text).is_ok_and(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.iter().position(|b| matches!(b, b'\n' | b'\t' | b'\x1b')) {
        let (before, from) = rest.split_at(at);
        escape(before, &mut out);
        let kept = match (from.starts_with(b"\x1b"), styles) {
            (true, Styles::Kept) => style_len(from),
            (true, Styles::Escaped) => 0,
            (false, _) => 1,
        };
        let (piece, behind) = from.split_at(kept.max(1));
        if kept == 0 {
            escape(piece, &mut out);
        } else {
            out.extend_from_slice(piece);
        }
        rest = behind;
    }
    escape(rest, &mut out);
    Cow::Owned(out)
}

fn escape(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(Escaped(text).to_string().as_bytes());
}

/// Length of the colour sequence at the start of `text`; 0 if there is none.
fn style_len(text: &[u8]) -> usize {
    let Some(numbers) = text.strip_prefix(b"\x1b[") else { return 0 };
    let len = numbers.iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    if numbers.get(len) == Some(&b'm') { len + 3 } else { 0 }
}

/// A writer that escapes. A character must not be split between writes.
pub(crate) struct Printed<W>(pub(crate) W, pub(crate) Styles);

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(&printable(bytes, self.1))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints `robolog: FILE: ERROR` on stderr.
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
            | Error::FolderTarget(_)
            | Error::TargetDisagrees { .. }
    );
    let error = match error {
        Error::NotBuilt { what, feature } => {
            // Features of the program have the names of targets.
            let feature = feature.strip_prefix("to-").unwrap_or(feature);
            format!("this build has no {what}; build with --features {feature}")
        }
        error => format!("{}{}", advised(error.to_string(), error.advice()), missing::hint(error)),
    };
    match file.filter(|_| !names_file) {
        Some(file) => note(file, error),
        None => say(format_args!("robolog: {error}")),
    }
}

/// Prints `robolog: FILE: message` on stderr.
pub(crate) fn note(file: &Path, message: impl std::fmt::Display) {
    say(format_args!("robolog: {}: {message}", path(file)));
}

/// Standard output for people. It ignores a closed pipe: the command's findings still count for its exit status.
#[derive(Debug)]
pub(crate) struct Findings {
    out: io::StdoutLock<'static>,
    styles: Styles,
    is_left: bool,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self { out: io::stdout().lock(), styles: Styles::Escaped, is_left: false }
    }

    /// The same, keeping the colours of `screen`.
    pub(crate) fn on(screen: Screen) -> Self {
        Self { styles: if screen.has_colors() { Styles::Kept } else { Styles::Escaped }, ..Self::new() }
    }

    fn unless_left(
        &mut self,
        work: impl FnOnce(&mut io::StdoutLock<'static>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.is_left {
            return Ok(());
        }
        match work(&mut self.out) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.is_left = true;
                Ok(())
            }
            outcome => outcome,
        }
    }
}

impl Write for Findings {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = printable(bytes, self.styles);
        self.unless_left(|out| out.write_all(&text))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_left(Write::flush)
    }
}

/// What to do about the limit that a fault names, if the user can set it.
pub(crate) fn remedy(fault: &str) -> &'static str {
    let names = |what: &[&str]| what.iter().any(|what| fault.contains(&format!("{what} of ")));
    match fault.contains("exceeds the limit") {
        true if names(&["expansion factor"]) => "; --max-expand allows more",
        true if names(&["record", "document", "archive"]) => "; --max-memory allows more",
        _ if fault.starts_with("wrong magic code") => "; robolog convert FILE -o NEW.lvx writes it anew",
        _ => "",
    }
}

/// Prints a fault of a recording and the bytes lost.
pub(crate) fn damage(file: &Path, error: &robolog_core::Error, lost: &std::ops::Range<u64>) {
    let error = error.to_string();
    let error = format!("{error}{}", remedy(&error));
    match length(lost) {
        0 => note(file, error),
        n => {
            let n = count(n, "byte");
            let place =
                if is_detailed() { format!(", {:#x} to {:#x}", lost.start, lost.end) } else { String::new() };
            note(file, format_args!("{error}; {n} lost{place}"));
        }
    }
}

/// Prints the damage found and the samples left out.
pub(crate) fn losses(file: &Path, report: &Report) {
    losses_of(&[file], report);
}

/// The same for several recordings converted together.
pub(crate) fn losses_of(files: &[&Path], report: &Report) {
    crate::call::take_report(report);
    let Some(file) = files.first() else { return };
    let is_of_points = |note: &&Note| matches!(note, Note::Lacking { of: "point_cloud", .. });
    let lacking = || report.notes.iter().filter(|note| note.is_lacking());
    let (points, others): (Vec<_>, Vec<_>) = lacking().partition(is_of_points);
    for (target, notes) in [("geojson", others), ("pcd", points)] {
        let notes: Vec<_> = notes.into_iter().map(Note::to_string).collect();
        if !notes.is_empty() {
            note(file, format_args!("left out: {}; --to {target} keeps them", notes.join(", ")));
        }
    }
    let is_told = |note: &&Note| !matches!(note, Note::WideRows { .. }) && !note.is_lacking();
    for told in report.notes.iter().filter(is_told) {
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
        note(
            file,
            format_args!("left out {} whose time cannot be compared with the limits", count(n, "part")),
        );
    }
    for (kind, count) in report.lost() {
        let what = match count.samples {
            0 => values(kind, count.values),
            samples => counted(samples, kind),
        };
        note(file, format_args!("left out {what}: the target cannot hold them"));
    }
}

/// Prints the contents of an output. A table has a row per value of its samples; `columns` is the file that describes
/// its columns.
pub(crate) fn written(
    output: &Path,
    report: &Report,
    is_folder: bool,
    is_table: bool,
    columns: Option<&Path>,
) {
    let is_one_kind = report.written.len() == 1;
    let of = |(kind, n): (&&str, &Count)| {
        let samples = counted(n.samples, kind);
        // In a table of one kind, the rows are the values.
        if n.values == n.samples || is_table && is_one_kind && !is_folder {
            samples
        } else {
            format!("{samples} ({})", values(kind, n.values))
        }
    };
    let samples = report.written.iter().map(of).collect::<Vec<_>>().join(", ");
    let rows: u64 = report.written.values().map(|n| n.values).sum();
    let described = columns
        .and_then(Path::file_name)
        .map_or_else(String::new, |name| format!("; columns and units in {}", path(Path::new(name))));
    let wide = report.notes.iter().find_map(|note| match note {
        Note::WideRows { rows, columns } => Some((*rows, *columns)),
        _ => None,
    });
    if let Some((rows, columns)) = wide {
        let size = (count(rows, "row"), count(columns, "column"));
        note(output, format_args!("{} and {} of {samples}{described}", size.0, size.1));
    } else if is_folder {
        note(output, format_args!("{samples} in {}", count(report.files, "file")));
    } else if is_table {
        let is_sample_a_row = report.written.values().all(|n| n.values == n.samples);
        let of = if is_one_kind && is_sample_a_row { String::new() } else { format!(" of {samples}") };
        note(output, format_args!("{}{of}{described}", count(rows, "row")));
    } else {
        note(output, samples);
    }
}

/// Prints the points that steps removed: losses, and unless `quiet`, intended removals.
pub(crate) fn removed(output: &Path, report: &Report, quiet: bool) {
    for removed in report.removed.iter().filter(|removed| removed.is_loss || !quiet) {
        if removed.step == DropNoReturns::NAME {
            if removed.points > 0 {
                let points = count(removed.points, "point");
                note(
                    output,
                    format_args!("left out {points} of shots without a return; --keep-no-returns keeps them"),
                );
            }
            continue;
        }
        let points = count(removed.points, "point");
        let emptied = match removed.samples {
            0 => String::new(),
            samples => format!(", emptying {}", count(samples, "cloud")),
        };
        let why = if removed.is_loss {
            ": no pose at their time, or in a gap longer than --trajectory-gap"
        } else {
            ""
        };
        let verb = if removed.is_loss { "left out" } else { "removed" };
        note(output, format_args!("--{} {verb} {points}{emptied}{why}", removed.step));
    }
}

/// How to write several kinds as tables.
const TABLES: &str = " (--per name writes one for each)";

/// The kinds that a target holds, as the reason for skipping others.
pub(crate) fn holds(target: &TargetSpec) -> String {
    let (name, holds) = (target.name, target.holds);
    let more = if matches!(holds, Holds::Table | Holds::Columns) { TABLES } else { "" };
    format!("{name} {holds}{more}")
}

/// Maximum number of kinds named in a line, and of recordings with a line.
const NAMED: usize = 4;

/// Prints a line per recording with the samples that the target cannot hold, why, and which target can. `everything`
/// lists all kinds of all recordings.
pub(crate) fn skipped(files: &[&Path], report: &Report, why: &str, everything: bool) {
    let most = if everything { usize::MAX } else { NAMED };
    let mut of_files = report.skipped_of().filter_map(|(feed, kinds)| Some((files.get(feed)?, kinds)));
    for (file, kinds) in of_files.by_ref().take(most) {
        note(file, format_args!("note: skipped {}: {why}; --to mcap keeps them", samples(kinds, most)));
    }
    let others = of_files.count() as u64;
    if let (1.., Some(file)) = (others, files.first()) {
        let others = count(others, "other recording");
        note(file, format_args!("note: skipped samples of {others} too (-v names them)"));
    }
}

/// Numbers of samples by kind, largest first: `12 scalars and 3 IMU samples`.
fn samples(mut kinds: Vec<(&str, u64)>, most: usize) -> String {
    kinds.sort_by_key(|(_, samples)| std::cmp::Reverse(*samples));
    let named = if kinds.len() > most { most.saturating_sub(1) } else { kinds.len() };
    let mut words: Vec<_> = kinds.iter().take(named).map(|(kind, samples)| counted(*samples, kind)).collect();
    let rest: u64 = kinds.iter().skip(named).map(|(_, samples)| samples).sum();
    if rest > 0 {
        words.push(count(rest, "other"));
    }
    let last = words.pop().unwrap_or_default();
    let all_words = if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) };
    let hint = if rest > 0 { " (-v names them)" } else { "" };
    format!("{all_words}{hint}")
}

/// A number of values in words: points of clouds, ranges of scans.
fn values(kind: &str, n: u64) -> String {
    count(
        n,
        match kind {
            "point_cloud" => "point",
            "laser_scan" => "range",
            _ => "value",
        },
    )
}

/// `a, b and c`, with this word before the last.
pub(crate) fn listed(names: &[&str], word: &str) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// A number and a noun: `1 byte`, `2 bytes`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Writes a line of JSON.
pub(crate) fn json(out: &mut impl Write, value: &impl serde::Serialize) -> Result<()> {
    json::json(out, value)?;
    Ok(out.write_all(b"\n")?)
}

/// A name quoted for a shell.
pub(crate) fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

/// A number of bytes in a readable unit.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} bytes"),
        10_000..1_000_000 => format!("{} kB", n / 1000),
        1_000_000..10_000_000 => format!("{}.{} MB", n / 1_000_000, n / 100_000 % 10),
        10_000_000..1_000_000_000 => format!("{} MB", n / 1_000_000),
        1_000_000_000..10_000_000_000 => format!("{}.{} GB", n / 1_000_000_000, n / 100_000_000 % 10),
        _ => format!("{} GB", n / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_our_colours_are_kept_and_all_else_is_escaped() {
        let text = "a\tb\n\x1b[1mhead\x1b[0m \x1b]0;t\x07 \u{9b}2J \u{202e}\u{feff}\r 字";
        let kept = "a\tb\n\x1b[1mhead\x1b[0m \\u{1b}]0;t\\u{7} \\u{9b}2J \\u{202e}\\u{feff}\\u{d} 字";
        let shown = |styles| String::from_utf8(printable(text.as_bytes(), styles).into_owned()).unwrap();
        assert_eq!(shown(Styles::Kept), kept);
        assert_eq!(shown(Styles::Escaped), kept.replace('\x1b', "\\u{1b}"));
        assert_eq!(&*printable(b"\x1b[2J\xff", Styles::Kept), br"\u{1b}[2J\xff");
        assert!(matches!(printable("plain ü\n".as_bytes(), Styles::Escaped), Cow::Borrowed(_)));
    }
}
