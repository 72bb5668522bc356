//! `scan`, `clip` and `iter`, after `alogscan`, `alogclip` and `alogiter` of MOOS-IvP.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write as _},
};

use ::alog::{Kind, Seconds};
use robolog_convert::{Error, Result};
use robolog_core::text::Escaped;
use serde_json::json;

use super::{copy, open, records};
use crate::{
    args::alog::{ClipArgs, ScanArgs},
    progress::Context,
    render,
    status::Status,
};

/// Maximum number of variables, and of sources per variable.
const VARIABLES: usize = 1 << 16;
const SOURCES: usize = 64;

/// Statistics of a variable.
#[derive(Default)]
struct Variable {
    lines: u64,
    chars: u64,
    /// Earliest and latest time, in seconds.
    span: Option<(f64, f64)>,
    sources: BTreeSet<String>,
}

pub(super) fn scan(args: &ScanArgs, context: Context) -> Result<Status> {
    let mut variables: BTreeMap<String, Variable> = BTreeMap::new();
    let mut reader = open(&args.file, context)?;
    let report = records(&mut reader, &mut |record| {
        let name = Escaped(&record.name()).to_string();
        if record.kind() != Kind::Entry || (variables.len() >= VARIABLES && !variables.contains_key(&name)) {
            return Ok(());
        }
        let variable = variables.entry(name).or_default();
        variable.lines += 1;
        variable.chars += record.value().len() as u64;
        if let Some(time) = record.seconds().map(Seconds::as_f64) {
            let (from, to) = variable.span.unwrap_or((time, time));
            variable.span = Some((from.min(time), to.max(time)));
        }
        if variable.sources.len() < SOURCES {
            variable.sources.insert(Escaped(&record.application()).to_string());
        }
        Ok(())
    })?;
    let mut out = io::stdout().lock();
    if args.json {
        let row = |(name, v): (&String, &Variable)| {
            json!({"variable": name, "lines": v.lines, "chars": v.chars, "start_s": v.span.map(|s| s.0),
                   "stop_s": v.span.map(|s| s.1), "sources": v.sources})
        };
        let rows: Vec<_> = variables.iter().map(row).collect();
        render::json(&mut out, &json!({"variables": rows, "entries": report.records}))?;
    } else {
        let width = variables.keys().map(String::len).max().unwrap_or(0).max("variable".len());
        writeln!(
            out,
            "{:width$}  {:>8}  {:>10}  {:>10}  {:>10}  sources",
            "variable", "lines", "chars", "start", "stop"
        )?;
        for (name, Variable { lines, chars, span, sources }) in &variables {
            let (from, to) =
                span.map_or_else(Default::default, |(from, to)| (format!("{from:.2}"), format!("{to:.2}")));
            let sources = sources.iter().map(String::as_str).collect::<Vec<_>>().join(",");
            writeln!(out, "{name:width$}  {lines:>8}  {chars:>10}  {from:>10}  {to:>10}  {sources}")?;
        }
    }
    render::losses(&args.file, &report);
    Ok(Status::lossy_if(!report.is_complete()))
}

pub(super) fn clip(args: &ClipArgs, context: Context) -> Result<Status> {
    if args.from.is_nan() || args.to.is_nan() || args.from > args.to {
        return Err(Error::Target(format!("from {} to {} s is not a range", args.from, args.to).into()));
    }
    copy(&args.file, &args.out, context, &mut |record| {
        record.seconds().map(Seconds::as_f64).is_some_and(|time| time >= args.from && time <= args.to)
    })
}

/// Statistics of a variable's numbers.
#[derive(Default)]
struct Numbers {
    count: u64,
    sum: f64,
    most: f64,
    /// Numbers above 1.25, 1.5 and 2.
    above: [u64; 3],
}

pub(super) fn iterations(args: &ScanArgs, context: Context) -> Result<Status> {
    const ABOVE: [f64; 3] = [1.25, 1.5, 2.0];
    let mut all: BTreeMap<String, Numbers> = BTreeMap::new();
    let mut reader = open(&args.file, context)?;
    let report = records(&mut reader, &mut |record| {
        let name = record.name();
        let is_meant =
            record.kind() == Kind::Entry && (name.ends_with(b"_ITER_GAP") || name.ends_with(b"_ITER_LEN"));
        let Some(number) = record.value().number().filter(|_| is_meant) else { return Ok(()) };
        let name = Escaped(&name).to_string();
        if all.len() < VARIABLES || all.contains_key(&name) {
            let numbers = all.entry(name).or_default();
            numbers.count += 1;
            numbers.sum += number;
            numbers.most = numbers.most.max(number);
            for (count, least) in numbers.above.iter_mut().zip(ABOVE) {
                *count += u64::from(number >= least);
            }
        }
        Ok(())
    })?;
    if all.is_empty() {
        return Err(Error::Empty("no variable ends in _ITER_GAP or _ITER_LEN".into()));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of entries")]
    let mean = |numbers: &Numbers| numbers.sum / numbers.count as f64;
    let mut out = io::stdout().lock();
    if args.json {
        let row = |(name, n): (&String, &Numbers)| {
            json!({"variable": name, "count": n.count, "mean": mean(n), "max": n.most, "from_1.25": n.above[0],
                   "from_1.5": n.above[1], "from_2": n.above[2]})
        };
        render::json(&mut out, &json!({ "variables": all.iter().map(row).collect::<Vec<_>>() }))?;
    } else {
        let width = all.keys().map(String::len).max().unwrap_or(0).max("variable".len());
        writeln!(
            out,
            "{:width$}  {:>8}  {:>8}  {:>8}  {:>7}  {:>7}  {:>7}",
            "variable", "count", "mean", "max", ">=1.25", ">=1.5", ">=2"
        )?;
        for (name, numbers) in &all {
            let [a, b, c] = numbers.above;
            let Numbers { count, most, .. } = numbers;
            writeln!(
                out,
                "{name:width$}  {count:>8}  {:>8.3}  {most:>8.3}  {a:>7}  {b:>7}  {c:>7}",
                mean(numbers)
            )?;
        }
    }
    render::losses(&args.file, &report);
    Ok(Status::lossy_if(!report.is_complete()))
}
