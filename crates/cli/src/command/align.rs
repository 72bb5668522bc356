//! `robolog align`: the clock offset between two recordings.

#![allow(
    clippy::cast_precision_loss,
    reason = "differences of times in nanoseconds: a double holds 104 days of them"
)]

mod fit;
mod signals;

use std::{fmt, io::Write as _, time::Duration};

use robolog_convert::{Aligned, Error, Reason, Result, Settings, nearest};
use robolog_core::{Clock, Timestamp};
use serde_json::json;

pub(super) use self::signals::Signals;
use self::{
    fit::{Fit, Unclear, fit},
    signals::Signal,
};
use super::edit;
use crate::{
    args::{
        AlignArgs, FormatArg, OutArgs,
        edit::{EditArgs, EditStep, EditSteps, SecretArgs},
    },
    call,
    progress::Context,
    render,
    status::Status,
};

/// Maximum number of signal pairs tried.
const PAIRS: usize = 24;

/// A pair of signals and its fit.
struct Tried<'a> {
    names: [&'a str; 2],
    /// Time of the first sample of the second, in nanoseconds.
    start: i64,
    fit: Result<Fit, Unclear>,
}

/// How to move a recording to the clock of another.
pub(super) struct Found {
    names: [String; 2],
    fit: Fit,
    /// Nanoseconds to add to the time of the second signal's first sample.
    nanos: i128,
    /// The clock of the first recording, and of the second.
    clocks: [Clock; 2],
    /// Time of that sample, in nanoseconds.
    start: i64,
}

pub(crate) fn run(args: &AlignArgs, context: Context) -> Result<Status> {
    let [a_file, b_file] = args.files.as_slice() else {
        return Err(Error::Target("give two recordings, A and B".into()));
    };
    let format = args.format.name.as_deref();
    let read = |file| Signals::read(file, format, &Settings::default(), context).map_err(|e| e.at(file));
    let (a, b) = (read(a_file)?, read(b_file)?);
    for (file, damaged) in [(a_file, a.damaged), (b_file, b.damaged)] {
        if damaged > 0 {
            render::note(file, format_args!("{} damaged", render::count(damaged, "place")));
        }
    }
    let status = Status::lossy_if(a.damaged + b.damaged > 0);
    let found = find(&a, &b, &args.by, args.within)?;
    say(args, &found)?;
    if let (true, Some(output)) = (args.apply, &args.output) {
        if found.fit.drift.abs() > 0.0 {
            let message = "the clocks drift apart, and --apply shifts all times by one offset: align parts of B one by \
                           one, or let convert --merge --align follow the drift";
            return Err(Error::Target(message.into()));
        }
        let edit = EditArgs {
            file: b_file.clone(),
            out: OutArgs::new(output.clone(), args.force),
            steps: EditSteps(vec![EditStep::Shift(found.shift()?)]),
            secret: SecretArgs::default(),
            format: FormatArg { name: args.format.name.clone() },
        };
        return Ok(edit::run(&edit, context)?.max(status));
    }
    Ok(status)
}

/// Finds the offset from `b` to `a`, by signals with these names or of the same quantity.
///
/// Returns an error if it is not clear.
pub(super) fn find(a: &Signals, b: &Signals, by: &[(String, String)], within: Duration) -> Result<Found> {
    // Times on different clocks count from the start of each.
    let bases = if a.clock == b.clock { [a.span.0, a.span.0] } else { [a.span.0, b.span.0] };
    let pairs = if by.is_empty() { alike(a, b) } else { chosen(by, a, b)? };
    if pairs.is_empty() {
        let message =
            "the recordings share no speed, yaw rate or number of the same name: choose numbers with --by";
        return Err(Error::Target(Reason::Choose(message.to_owned())));
    }
    let within = within.as_secs_f64();
    let mut tried: Vec<Tried<'_>> = pairs
        .into_iter()
        .map(|(names, a, b)| Tried {
            names,
            start: b.values.first().map_or(0, |(time, _)| *time),
            fit: fit(&seconds(a, bases[0]), &seconds(b, bases[1]), within),
        })
        .collect();
    // A number of the same quantity under another name may lag.
    let is_same = |tried: &Tried<'_>| tried.names[0] == tried.names[1];
    if by.is_empty() && tried.iter().any(|tried| is_same(tried) && tried.fit.is_ok()) {
        tried.retain(is_same);
    }
    let sure = |tried: &&Tried<'_>| tried.fit.is_ok();
    let best = tried.iter().filter(sure).max_by(|x, y| worth(x).total_cmp(&worth(y)));
    let Some((best, found)) = best.and_then(|best| Some((best, best.fit.ok()?))) else {
        let why: Vec<String> = tried
            .iter()
            .filter_map(|tried| {
                Some(format!("{} and {}: {}", tried.names[0], tried.names[1], tried.fit.err()?))
            })
            .take(4)
            .collect();
        return Err(Error::Target(format!("no clear offset: {}", why.join("; ")).into()));
    };
    let names = best.names.map(str::to_owned);
    if let Some(other) = tried.iter().find(|other| other.fit.is_ok_and(|other| differ(&found, &other))) {
        let [x, y] = other.names;
        let message =
            format!("{} and {} give another offset than {x} and {y}: choose with --by", names[0], names[1]);
        return Err(Error::Target(Reason::Choose(message)));
    }
    let starts = i128::from(bases[0]) - i128::from(bases[1]);
    #[expect(clippy::cast_possible_truncation, reason = "at most some years")]
    let nanos = starts + (found.offset * 1e9).round() as i128;
    Ok(Found { names, fit: found, nanos, clocks: [a.clock, b.clock], start: best.start })
}

impl Found {
    /// Seconds to add to the time of B's first sample.
    fn offset(&self) -> f64 {
        self.nanos as f64 / 1e9
    }

    fn shift(&self) -> Result<i64> {
        i64::try_from(self.nanos).map_err(|_| Error::Target("the offset is longer than 292 years".into()))
    }

    /// The conversion of B's times to the clock of A.
    pub(super) fn aligned(&self) -> Result<Aligned> {
        let [a, b] = self.clocks;
        let from = Timestamp::new(self.start, b);
        let to = self.start.checked_add(self.shift()?).map(|nanos| Timestamp::new(nanos, a));
        let to = to.ok_or_else(|| Error::Target("the offset is longer than 292 years".into()))?;
        Ok(Aligned { from, to, drift: self.fit.drift })
    }
}

/// One line.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names: [a, b], fit, .. } = self;
        write!(
            f,
            "aligned by {a} and {b}: {:+.4} s (standard deviation {:.4} s)",
            self.offset(),
            fit.offset_sd
        )?;
        if fit.drift.abs() > 0.0 {
            write!(f, ", drift {:+.4} %", fit.drift * 100.0)?;
        }
        Ok(())
    }
}

fn say(args: &AlignArgs, found: &Found) -> Result<()> {
    let Found { names, fit, .. } = found;
    let mut out = call::stdout();
    if args.json {
        let object = json!({
            "offset_s": found.offset(),
            "offset_sd_s": fit.offset_sd,
            "drift": fit.drift,
            "drift_sd": fit.drift_sd,
            "by": names,
            "correlation": fit.correlation,
            "next_correlation": fit.next,
        });
        return render::json(&mut out, &object);
    }
    let mut out = render::Safe::new(&mut out);
    let (offset, sd) = (found.offset(), fit.offset_sd);
    writeln!(out, "offset  {offset:+.4} s, standard deviation {sd:.4} s, to be added to the times of B")?;
    if fit.drift.abs() > 0.0 {
        let (percent, sd) = (fit.drift * 100.0, fit.drift_sd * 100.0);
        writeln!(
            out,
            "drift   {percent:+.4} %, standard deviation {sd:.4} %; the offset is that of B's first sample"
        )?;
    }
    let (best, next) = (fit.correlation, fit.next);
    writeln!(
        out,
        "by      {} and {}: correlation {best:.2}, elsewhere {next:.2} at most",
        names[0], names[1]
    )?;
    out.flush()?;
    Ok(())
}

/// The weight of a fit: more for a smaller standard deviation.
fn worth(tried: &Tried<'_>) -> f64 {
    tried.fit.map_or(0.0, |fit| 1.0 / fit.offset_sd.max(1e-9))
}

/// Whether two fits differ by more than their errors explain.
fn differ(a: &Fit, b: &Fit) -> bool {
    (a.offset - b.offset).abs() > 6.0 * a.offset_sd.hypot(b.offset_sd) + 0.1
}

/// Two signals with their names.
type Pair<'a> = ([&'a str; 2], &'a Signal, &'a Signal);

/// Pairs of signals of the same quantity.
fn alike<'a>(a: &'a Signals, b: &'a Signals) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'a>> = Vec::new();
    for (a_name, x) in &a.by_name {
        for (b_name, y) in b.by_name.iter().filter(|(_, y)| y.quantity == x.quantity) {
            pairs.push(([a_name, b_name], x, y));
        }
    }
    // Prefer motion.
    pairs.sort_by_key(|(_, x, _)| !matches!(x.quantity.as_str(), "speed" | "yaw rate"));
    if let Some(motion) = pairs
        .iter()
        .position(|(_, x, _)| !matches!(x.quantity.as_str(), "speed" | "yaw rate"))
        .filter(|n| *n > 0)
    {
        pairs.truncate(motion);
    }
    pairs.truncate(PAIRS);
    pairs
}

/// Pairs of signals by name: CHANNEL for a channel of one number, else CHANNEL:FIELD.
fn chosen<'a>(by: &'a [(String, String)], a: &'a Signals, b: &'a Signals) -> Result<Vec<Pair<'a>>> {
    let find = |signals: &'a Signals, name: &'a str| {
        signals.by_name.get(name).ok_or_else(|| {
            let near = nearest(name, signals.by_name.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            Error::Target(Reason::Choose(format!("no number is called {name}{near}")))
        })
    };
    by.iter().map(|(x, y)| Ok(([x.as_str(), y.as_str()], find(a, x)?, find(b, y)?))).collect()
}

/// Values with times in seconds since `base`, which is in nanoseconds.
fn seconds(signal: &Signal, base: i64) -> Vec<(f64, f64)> {
    let from = |time: i64| (i128::from(time) - i128::from(base)) as f64 / 1e9;
    signal.values.iter().map(|(time, value)| (from(*time), *value)).collect()
}
