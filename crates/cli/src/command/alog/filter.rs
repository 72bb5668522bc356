//! Filters of single entries: `grep`, `pare`, `dedup`.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
};

use ::alog::{Kind, Record, Seconds};
use glob::Pattern;
use robolog_convert::{Error, Result, nearest};

use super::{super::inputs::expand, Out, copy, open, records};
use crate::{
    args::{
        OutArgs,
        alog::{DedupArgs, GrepArgs, PareArgs},
        tables::CsvSafe,
    },
    progress::Context,
    render,
    status::Status,
};

/// Names by glob, or by the globs of MOOS-IvP.
struct Names {
    globs: Vec<Pattern>,
    moos: Option<Vec<String>>,
    is_empty: bool,
}

impl Names {
    fn new(patterns: &[String], moos_globs: bool) -> Result<Self> {
        let glob =
            |text: &String| Pattern::new(text).map_err(|e| Error::Target(format!("{text:?}: {e}").into()));
        let globs = patterns.iter().filter(|_| !moos_globs).map(glob).collect::<Result<_>>()?;
        Ok(Self { globs, moos: moos_globs.then(|| patterns.to_vec()), is_empty: patterns.is_empty() })
    }

    fn has(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name);
        match &self.moos {
            Some(patterns) => patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
                Some(part) => name.contains(part),
                None => name == *pattern,
            }),
            None => self.globs.iter().any(|glob| glob.matches(&name)),
        }
    }
}

/// Whether a word is an existing file, or a name with a log's extension.
fn is_log(word: &Path) -> bool {
    let extension = word.extension().and_then(OsStr::to_str).unwrap_or_default();
    word == Path::new("-") || word.exists() || matches!(extension, "alog" | "klog" | "xlog" | "ylog" | "gz")
}

/// Splits words of the command line into logs and variables. A log is the first word, or one that looks like it.
fn sorted(words: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut variables) = (Vec::new(), Vec::new());
    for (number, word) in words.iter().enumerate() {
        if number == 0 || is_log(word) {
            files.push(word.clone());
        } else {
            variables.push(word.to_string_lossy().into_owned());
        }
    }
    (files, variables)
}

/// `rm`: keeps the entries that `grep` would drop.
pub(super) fn remove(args: &GrepArgs, context: Context) -> Result<Status> {
    select(args, !args.invert, context)
}

pub(super) fn grep(args: &GrepArgs, context: Context) -> Result<Status> {
    select(args, args.invert, context)
}

/// What to type where a file is missing: variables stand behind the log.
fn in_order(words: &[PathBuf], files: usize) -> String {
    if files == 1 {
        return "a log comes before its variables".to_owned();
    }
    let (variables, logs): (Vec<_>, Vec<_>) = words.iter().partition(|word| !is_log(word));
    let words = logs.into_iter().chain(variables).map(|word| render::quoted(&word.to_string_lossy()));
    format!("variables stand behind the log: {}", words.collect::<Vec<_>>().join(" "))
}

/// Copies matching entries, or the others if `invert`.
fn select(args: &GrepArgs, inverted: bool, context: Context) -> Result<Status> {
    let (files, variables) = sorted(&args.words);
    // Nothing is printed before a mistake.
    if render::are_missing(&files, |_| in_order(&args.words, files.len())) {
        return Ok(Status::Failed);
    }
    let asked = variables.clone();
    let inputs = expand(&files, context);
    let files: Vec<&Path> = inputs.files.iter().map(AsRef::as_ref).collect();
    let variables = Names::new(&variables, args.moos_globs)?;
    let sources = Names::new(&args.sources, args.moos_globs)?;
    let mut met: HashSet<Vec<u8>> = HashSet::new();
    let wanted = |record: &Record<'_>| {
        let variable = variables.is_empty || variables.has(&record.name());
        let source = sources.is_empty || sources.has(&record.application());
        record.kind() == Kind::Entry && (variable && source) != inverted
    };
    let is_table = args.csv || !args.keys.is_empty();
    let is_one = files.len() == 1;
    let mut name = files.first().and_then(|file| file.file_name()).map_or_else(PathBuf::new, PathBuf::from);
    if is_table {
        name.set_extension("csv");
    }
    let first = files.first().copied().unwrap_or(Path::new(""));
    let output = args.output.clone().map(|output| OutArgs::new(output, args.force).inside(first, &name));
    let output = output.transpose()?;
    let output = output.as_ref().map(|out| out.output.as_path());
    let mut out = Out::new(output, crate::args::existing(args.force), &files)?;
    let table = Table { keys: &args.keys, names_file: !is_one, safe: args.csv_safe };
    let (mut number, mut is_begun) = (0_u64, false);
    let status = inputs.each(|file| {
        let mut reader = open(file, context)?;
        let header = if !is_table && is_one { reader.header_bytes().to_vec() } else { Vec::new() };
        let mut begin = |out: &mut Out| -> Result<()> {
            if !std::mem::replace(&mut is_begun, true) {
                out.write_all(&header)?;
                if is_table {
                    table.head(out)?;
                }
            }
            Ok(())
        };
        let name = render::path(file);
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let mut last: HashMap<Vec<u8>, (u64, Vec<u8>)> = HashMap::new();
        let report = records(&mut reader, &mut |record| {
            let variable = record.name();
            if record.kind() == Kind::Entry && met.len() < VARIABLES && !met.contains(variable.bytes()) {
                met.insert(variable.to_vec());
            }
            if !wanted(record) || args.first && !seen.insert(record.name().to_vec()) {
                return Ok(());
            }
            number += 1;
            let mut line = Vec::new();
            if is_table {
                table.row(&name, record, &mut line)?;
            } else {
                if !is_one {
                    line.extend_from_slice(name.as_bytes());
                    line.push(b':');
                }
                line.extend_from_slice(record.bytes());
                if !is_one && !line.ends_with(b"\n") {
                    line.push(b'\n');
                }
            }
            if args.final_ {
                last.insert(record.name().to_vec(), (number, line));
                return Ok(());
            }
            begin(&mut out)?;
            Ok(out.write_all(&line)?)
        })?;
        let mut last: Vec<_> = last.into_values().collect();
        last.sort_by_key(|(number, _)| *number);
        for (_, line) in last {
            begin(&mut out)?;
            out.write_all(&line)?;
        }
        render::losses(file, &report);
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })?;
    let absent = if args.moos_globs { Vec::new() } else { absent(&asked, &met)? };
    if number > 0 && !context.quiet {
        for name in &absent {
            render::note(first, format_args!("note: {name}"));
        }
    }
    if number == 0 && status != Status::Failed {
        let why = absent.first().cloned().unwrap_or_else(|| "no entry matches".to_owned());
        let error = Error::Empty(why.into());
        render::error(files.first().copied().filter(|_| is_one), &error);
        return Ok(Status::of(&error));
    }
    if status != Status::Failed || !is_one {
        out.finish()?;
    }
    Ok(status)
}

/// Variables remembered, to name those that do not occur.
const VARIABLES: usize = 1 << 16;

/// A sentence for each pattern that no variable of those met matches.
fn absent(patterns: &[String], met: &HashSet<Vec<u8>>) -> Result<Vec<String>> {
    let mut names: Vec<_> = met.iter().map(|name| String::from_utf8_lossy(name)).collect();
    names.sort_unstable();
    let mut out = Vec::new();
    for pattern in patterns.iter().filter(|_| met.len() < VARIABLES) {
        let glob = Names::new(std::slice::from_ref(pattern), false)?;
        if !met.iter().any(|name| glob.has(name)) {
            let near = nearest(pattern, names.iter().map(|name| &**name));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            out.push(format!("no variable matches '{pattern}'{near}"));
        }
    }
    Ok(out)
}

/// Entries as rows of a table.
struct Table<'a> {
    keys: &'a [String],
    /// Whether the first column is the name of the log.
    names_file: bool,
    safe: CsvSafe,
}

impl Table<'_> {
    fn head(&self, out: &mut impl Write) -> Result<()> {
        let value = [String::from("value")];
        let columns = if self.keys.is_empty() { &value } else { self.keys };
        let fixed = ["file", "time", "variable", "source"].into_iter().skip(usize::from(!self.names_file));
        self.line(out, fixed.chain(columns.iter().map(String::as_str)).map(str::as_bytes))
    }

    fn row(&self, file: &str, record: &Record<'_>, out: &mut impl Write) -> Result<()> {
        let value = record.value();
        let fixed = [file.as_bytes(), record.time_text(), record.name().bytes(), record.source().bytes()];
        let fixed = fixed.into_iter().skip(usize::from(!self.names_file));
        if self.keys.is_empty() {
            return self.line(out, fixed.chain([value.trimmed()]));
        }
        let picked = self.keys.iter().map(|key| value.get(key).map_or(&b""[..], |value| value.trimmed()));
        self.line(out, fixed.chain(picked))
    }

    fn line<'b>(&self, out: &mut impl Write, cells: impl IntoIterator<Item = &'b [u8]>) -> Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
        writer.write_record(cells.into_iter().map(|cell| self.safe.cell(cell)))?;
        Ok(writer.flush()?)
    }
}

pub(super) fn pare(args: &PareArgs, context: Context) -> Result<Status> {
    let drop = Names::new(&args.drop, false)?;
    let only = Names::new(&args.only, false)?;
    let period = match args.rate {
        Some(rate) if rate > 0.0 && rate.is_finite() => Some(1.0 / rate),
        Some(_) => return Err(Error::Target("--rate takes a number above 0".into())),
        None => None,
    };
    if args.window.is_nan() || args.window < 0.0 {
        return Err(Error::Target("--window takes a number of seconds".into()));
    }
    let marks = Marks::of(args, context)?;
    let mut kept: HashMap<Vec<u8>, Seconds> = HashMap::new();
    copy(&args.file, &args.out, context, &mut |record| {
        if !drop.is_empty && drop.has(&record.name()) {
            return false;
        }
        let Some(time) = record.seconds() else { return true };
        if !only.is_empty && !only.has(&record.name()) {
            return true;
        }
        let is_near = marks.as_ref().map(|marks| marks.has_near(time.as_f64(), args.window));
        match (is_near, period) {
            (None, None) | (Some(true), _) => return true,
            (Some(false), None) => return false,
            (None | Some(false), Some(period)) => {
                // An earlier time is kept, too: logs are not in order.
                let last = kept.get(record.name().bytes()).and_then(|last| time.minus(*last));
                if last.map(Seconds::as_f64).is_some_and(|since| (0.0..period).contains(&since)) {
                    return false;
                }
            }
        }
        kept.insert(record.name().to_vec(), time);
        true
    })
}

/// The times of events, in seconds of the log, sorted.
struct Marks(Vec<f64>);

impl Marks {
    /// Reads the log for the entries of the mark variables; `None` if there are no such variables.
    fn of(args: &PareArgs, context: Context) -> Result<Option<Self>> {
        let marks = Names::new(&args.mark, false)?;
        if marks.is_empty {
            return Ok(None);
        }
        if args.file == Path::new("-") {
            return Err(Error::Target(
                "--mark reads the log twice, and standard input can be read once".into(),
            ));
        }
        let mut times = Vec::new();
        records(&mut open(&args.file, context)?, &mut |record| {
            if record.kind() == Kind::Entry && marks.has(&record.name()) {
                times.extend(record.seconds().map(Seconds::as_f64));
            }
            Ok(())
        })?;
        times.sort_by(f64::total_cmp);
        Ok(Some(Self(times)))
    }

    /// Whether there is an event within the window around a time.
    fn has_near(&self, time: f64, window: f64) -> bool {
        let first = self.0.partition_point(|mark| *mark < time - window);
        self.0.get(first).is_some_and(|mark| *mark <= time + window)
    }
}

pub(super) fn dedup(args: &DedupArgs, context: Context) -> Result<Status> {
    let mut before: Vec<u8> = Vec::new();
    let mut values: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    copy(&args.file, &args.out, context, &mut |record| {
        if args.values {
            let value = record.value().bytes();
            if values.get(record.name().bytes()).is_some_and(|last| last == value) {
                return false;
            }
            values.insert(record.name().to_vec(), value.to_vec());
            return true;
        }
        let same = before == record.bytes();
        if !same {
            before.clear();
            before.extend_from_slice(record.bytes());
        }
        !same
    })
}
