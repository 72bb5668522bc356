//! The matrix as text: with all numbers, and as in the README.

use std::fmt::Write as _;

use robolog_convert::{sink::Lacks, source::delivers, targets};

use super::{Cell, How};

/// Kind of laser scans written as point clouds.
pub(crate) const SCANS_AS_POINTS: &str = "laser_scan as points";

/// Name of a format, and its cell for each target in the same order.
pub(crate) type Column = (&'static str, Vec<(&'static str, Cell)>);

/// Names of the kinds of values in the README.
const NAMES: [(&str, &str); 14] = [
    ("point_cloud", "clouds"),
    ("laser_scan", "scans"),
    (SCANS_AS_POINTS, "scans as points"),
    ("image", "images"),
    ("imu", "IMU"),
    ("gnss_fix", "fixes"),
    ("feature", "features"),
    ("satellites", "satellites"),
    ("odometry", "odometry"),
    ("pose", "poses"),
    ("transform", "transforms"),
    ("row", "rows"),
    ("scalar", "numbers"),
    ("text", "texts"),
];

/// Every cell with its counts of samples.
pub(crate) fn counts(columns: &[Column]) -> String {
    let mut text = String::new();
    for (format, cells) in columns {
        let _ = writeln!(text, "{format}: {}", list(cells[0].1.offered.iter()));
        for (target, cell) in cells {
            let (how, outcome) = cell.best();
            let (written, left_out) = (list(outcome.written.iter()), list(outcome.left_out.iter()));
            let files = match outcome.files {
                0 => String::new(),
                1 => format!(", {}, 1 file", how.name()),
                n => format!(", {}, {n} files", how.name()),
            };
            let _ = writeln!(text, "  {target}{files}");
            let _ = writeln!(text, "    written: {written}");
            let _ = writeln!(text, "    left out: {left_out}");
        }
    }
    text
}

fn list<'a>(counts: impl Iterator<Item = (&'a &'static str, &'a u64)>) -> String {
    let words: Vec<String> = counts.map(|(kind, count)| format!("{kind} {count}")).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}

/// Targets down, formats across; targets that take the same share a row.
pub(crate) fn readme(columns: &[Column]) -> String {
    let mut rows: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for (at, (target, _)) in columns[0].1.iter().enumerate() {
        let mut words = vec![how(columns, at).name().to_owned()];
        words.extend(columns.iter().map(|(_, cells)| taken(&cells[at].1)));
        match rows.iter_mut().find(|(_, other)| *other == words) {
            Some((targets, _)) => targets.push(target),
            None => rows.push((vec![target], words)),
        }
    }
    let mut text = String::from("| target | by |");
    for (format, _) in columns {
        let _ = write!(text, " {} |", if *format == "effibox" { "its tables" } else { format });
    }
    let _ = write!(text, "\n|{}\n| *offered* | |", "---|".repeat(columns.len() + 2));
    for (_, cells) in columns {
        let kinds = NAMES.iter().filter(|(kind, _)| cells[0].1.offered.contains_key(kind));
        let _ = write!(text, " *{}* |", kinds.map(|(_, name)| *name).collect::<Vec<_>>().join(", "));
    }
    for (targets, words) in rows {
        let _ = write!(text, "\n| {} | {} |", targets.join(", "), words.join(" | "));
    }
    let of_format = |format: &'static str| (format, delivers(format).expect("each declares it").parts);
    grouped(
        &mut text,
        "| of these, | values may have |",
        columns.iter().map(|(format, _)| of_format(format)),
    );
    let of_targets = targets::ALL.iter().map(|target| (target.name, target.lacks));
    grouped(&mut text, "| of these, | cannot hold |", of_targets);
    text
}

/// A table of names with the same parts of values.
fn grouped(text: &mut String, head: &str, all: impl Iterator<Item = (&'static str, Lacks)>) {
    let _ = write!(text, "\n\n{head}\n|---|---|");
    let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, parts) in all.filter(|(_, parts)| *parts != Lacks::NOTHING) {
        let parts = parts.to_string();
        match rows.iter_mut().find(|(other, _)| *other == parts) {
            Some((_, names)) => names.push(name),
            None => rows.push((parts, vec![name])),
        }
    }
    for (parts, names) in rows {
        let _ = write!(text, "\n| {} | {parts} |", names.join(", "));
    }
}

/// The first way that writes the most of every format.
fn how(columns: &[Column], target: usize) -> How {
    let takes_most = |how: &How| {
        columns.iter().all(|(_, cells)| {
            let cell = &cells[target].1;
            cell.total(*how) == cell.total(cell.best().0)
        })
    };
    How::ALL.into_iter().find(takes_most).expect("one way is best for all formats")
}

/// The kinds written, at least in part.
fn taken(cell: &Cell) -> String {
    let (_, outcome) = cell.best();
    if outcome.written == cell.offered {
        return "all".to_owned();
    }
    let kinds = NAMES.iter().filter(|(kind, _)| outcome.written.contains_key(kind));
    let words: Vec<String> = kinds
        .map(|(kind, name)| {
            let is_part = cell.offered.get(kind).is_some_and(|offered| outcome.written[kind] < *offered);
            if is_part { format!("some {name}") } else { (*name).to_owned() }
        })
        .collect();
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}
