//! `robolog info`: what a recording contains.

mod channels;
mod details;
mod everything;
mod fold;
mod head;
mod list;

use std::io::Write as _;

use robolog_convert::{Result, Surveyed};
use robolog_core::{Finding, Severity, text::Escaped};

use super::{
    inputs::{Inputs, expand},
    summary::survey,
};
use crate::{Status, args::InfoArgs, progress::Context, render, screen::Screen};

pub(crate) fn run(args: &InfoArgs, context: Context) -> Result<Status> {
    let inputs = expand(&args.files, context);
    let screen = Screen::stdout(context);
    // One line each, but for a single recording, and where more is asked for.
    if !args.json && context.verbose == 0 && inputs.files.len() > 1 {
        return table(&inputs, args, screen, context);
    }
    let mut out = render::Findings::new();
    let mut is_first = true;
    inputs.each(|path| {
        let info = survey(context.open(path)?, args.format.name.as_deref(), context)?;
        if args.json {
            render::json(&mut out, &info.to_json(path))?;
        } else {
            let between = if std::mem::take(&mut is_first) { "" } else { "\n" };
            write!(out, "{between}{}", text(&info, &render::path(path), screen, context.verbose > 0))?;
        }
        out.flush()?;
        let faults = || info.summary.findings.iter().filter(|f| f.severity == Severity::Error);
        for fault in faults().take(SHOWN) {
            render::note(path, Escaped(fault.message.as_bytes()));
        }
        if let more @ 1.. = faults().count().saturating_sub(SHOWN) {
            render::note(path, format_args!("{more} more faults: see robolog check"));
        }
        Ok(status(&info))
    })
}

/// A line for each recording.
fn table(inputs: &Inputs, args: &InfoArgs, screen: Screen, context: Context) -> Result<Status> {
    let mut rows = Vec::new();
    let outcome = inputs.each(|path| {
        let info = survey(context.open(path)?, args.format.name.as_deref(), context)?;
        rows.push(list::Row::new(&render::path(path), &info));
        Ok(status(&info))
    });
    let mut out = render::Findings::new();
    out.write_all(list::table(&rows, screen).as_bytes())?;
    out.flush()?;
    outcome
}

fn status(info: &Surveyed) -> Status {
    if info.summary.is_ok() { Status::Done } else { Status::Lossy }
}

/// How many findings are shown: `check` lists them.
const SHOWN: usize = 5;

/// What is known of one recording, on a screen where that can be; with `everything` all of it.
fn text(info: &Surveyed, name: &str, screen: Screen, everything: bool) -> String {
    let mut out = head::head(info, name, screen);
    let folded = if everything { fold::unfolded(&info.summary) } else { fold::folded(&info.summary) };
    out.push_str(&channels::table(&folded, info.summary.span, screen));
    out.push_str(&details::details(info, screen));
    if everything {
        out.push_str(&everything::everything(&info.summary.details));
    }
    out.push_str(&findings(info));
    out
}

/// What is odd but no error: errors go to stderr.
fn findings(info: &Surveyed) -> String {
    let odd: Vec<_> = info.summary.findings.iter().filter(|f| f.severity < Severity::Error).collect();
    let line = |finding: &&Finding| {
        let (severity, message) = (super::check::word(finding.severity), Escaped(finding.message.as_bytes()));
        format!("  {severity}: {message}\n")
    };
    let mut lines: Vec<_> = odd.iter().take(SHOWN).map(line).collect();
    if let more @ 1.. = odd.len().saturating_sub(SHOWN) {
        lines.push(format!("  and {more} more: see robolog check\n"));
    }
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) }
}
