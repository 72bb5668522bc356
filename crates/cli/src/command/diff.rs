//! `robolog diff`: compares the contents of two recordings.
//!
//! Both are surveyed first: channels, counts and spans. Then samples of common channels are compared one by one,
//! channel by channel. Samples wait for their counterparts up to a memory limit; beyond it, the channel with most
//! waiting samples is left for another pass, which bounds memory for any order of samples. Each pass completes at least
//! one channel.
//!
//! Shifts of all times and renamed channels are found from the surveys, and undone before samples are compared.

mod channels;
mod pairs;
mod values;

use std::io::{self, BufWriter, Write};

use robolog_convert::{Error, Result};
use robolog_core::{Severity, Timestamp};
use serde_json::{Value as Json, json};

use self::{
    channels::{Change, changes, renames, shift},
    pairs::{Difference, Pairs},
};
use super::{spool::Spooled, summary::survey};
use crate::{args::parts::DiffArgs, progress::Context, render, status::Status};

pub(crate) fn run(args: &DiffArgs, context: Context) -> Result<Status> {
    let spooled = args.files.iter().map(|file| Spooled::new(file)).collect::<Result<Vec<_>>>()?;
    let ([first, second], [a, b]) = (spooled.as_slice(), args.files.as_slice()) else {
        return Err(Error::Target("give two recordings".into()));
    };
    let format = args.format.name.as_deref();
    let limit = args.limit.with(&crate::args::TimeArgs::default());
    let look = |path: &Spooled, file| {
        let surveyed = context.open(path.path()).and_then(|input| survey(input, format, context));
        let mut summary = surveyed.map_err(|e| e.at(file))?.summary;
        let mut limit = limit.clone();
        limit.know_channels(&summary.channels)?;
        summary.channels.retain(|channel| limit.wants(&channel.name, None));
        Ok::<_, Error>(summary)
    };
    let summaries = [look(first, a)?, look(second, b)?];
    limit.check_channels()?;
    let mut is_damaged = false;
    for (summary, file) in summaries.iter().zip([a, b]).filter(|(summary, _)| !summary.is_ok()) {
        is_damaged = true;
        let losses = summary.findings.iter().filter(|found| found.severity == Severity::Error).count();
        let faults = render::count(losses.max(1) as u64, "fault");
        render::note(file, format_args!("damaged, {faults}: comparing what can be read"));
    }
    let shift = shift(&summaries, args.tolerance);
    let mut renames = renames(&summaries, shift.unwrap_or(0), args.tolerance);
    let shared: Vec<String> = summaries[0]
        .channels
        .iter()
        .filter(|channel| summaries[1].channels.iter().any(|other| other.name == channel.name))
        .map(|channel| channel.name.clone())
        .collect();
    let compare = |renames: &[[String; 2]]| {
        let (paths, tolerance) = ([first.path(), second.path()], args.tolerance);
        let shift = shift.unwrap_or(0);
        let first_names = renames.iter().map(|names| names[0].clone());
        let channels: Vec<String> = shared.iter().cloned().chain(first_names).collect();
        Pairs { paths, format, context, tolerance, shift, renames }.compare(&channels)
    };
    let mut outcome = compare(&renames)?;
    // A channel with other samples is a different channel.
    if outcome.difference.as_ref().is_some_and(|one| renames.iter().any(|names| names[0] == one.channel())) {
        renames.clear();
        outcome = compare(&renames)?;
    }
    let changes = changes(&summaries, shift, &renames, args.tolerance);
    let is_same = changes.is_empty() && outcome.difference.is_none();
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        let changes: Vec<Json> = changes.iter().map(Change::to_json).collect();
        let difference = outcome.difference.as_ref().map(Difference::to_json);
        let object = json!({
            "same": is_same,
            "compared": outcome.compared,
            "changes": changes,
            "difference": difference,
        });
        render::json(&mut out, &object)?;
    } else {
        let mut out = render::Safe::new(&mut out);
        for change in &changes {
            writeln!(out, "{change}")?;
        }
        if let Some(difference) = &outcome.difference {
            writeln!(out, "{difference}")?;
        }
        out.flush()?;
        if is_same && !context.quiet {
            let samples = render::count(outcome.compared, "sample");
            render::say(format_args!(
                "robolog: the same: {samples} in {}",
                render::count(shared.len() as u64, "channel")
            ));
        }
    }
    out.flush()?;
    Ok(if is_same { Status::lossy_if(is_damaged) } else { Status::Failed })
}

/// A time for display; `no time` if there is none.
fn shown(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "no time".into(), |time| time.to_string())
}
