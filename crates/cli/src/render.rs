//! Messages to people.

use std::path::Path;

use robolog_convert::{Error, Report};
use robolog_core::text::Escaped;

/// The name of a file as it can be shown.
pub(crate) fn path(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}

/// `robolog: FILE: what is wrong`, on stderr.
#[expect(clippy::print_stderr, reason = "where messages belong")]
pub(crate) fn error(file: Option<&Path>, error: &Error) {
    match file {
        // Some errors name their file already.
        Some(file) if !matches!(error, Error::File { .. } | Error::Exists(_) | Error::IsInput(_)) => {
            eprintln!("robolog: {}: {error}", path(file));
        }
        _ => eprintln!("robolog: {error}"),
    }
}

/// `robolog: FILE: message`, on stderr.
#[expect(clippy::print_stderr, reason = "where messages belong")]
pub(crate) fn note(file: &Path, message: impl std::fmt::Display) {
    eprintln!("robolog: {}: {message}", path(file));
}

/// A fault of a recording, and what it cost.
pub(crate) fn damage(file: &Path, error: &robolog_core::Error, lost: &std::ops::Range<u64>) {
    match lost.end.saturating_sub(lost.start) {
        0 => note(file, error),
        n => note(file, format_args!("{error}; {n} bytes lost, {:#x} to {:#x}", lost.start, lost.end)),
    }
}

/// The damage that was met, and what was left out.
pub(crate) fn losses(file: &Path, report: &Report) {
    losses_of(&[file], report);
}

/// The same of several recordings that were converted together.
pub(crate) fn losses_of(files: &[&Path], report: &Report) {
    let Some(file) = files.first() else { return };
    for text in &report.notes {
        note(file, format_args!("note: {text}"));
    }
    for found in &report.damage {
        damage(files.get(found.feed).unwrap_or(file), &found.error, &found.lost);
    }
    for fault in &report.faults {
        note(file, fault);
    }
    let told = report.damage.len().saturating_add(report.faults.len()) as u64;
    if let more @ 1.. = report.damages.saturating_sub(told) {
        note(file, format_args!("{more} more faults"));
    }
    if let n @ 1.. = report.unjudged {
        note(file, format_args!("left out {n} parts whose time does not compare with the limits"));
    }
    for (kind, count) in &report.left_out {
        match count.samples {
            0 => {
                let values = count.values;
                note(
                    file,
                    format_args!("left out {values} values of {kind}: the target has no place for them"),
                );
            }
            samples => {
                note(file, format_args!("left out {samples} {kind}: the target has no place for them"));
            }
        }
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
