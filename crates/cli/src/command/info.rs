//! `robolog info`: the contents of a recording.

mod channels;
mod details;
mod everything;
mod fold;
mod head;
mod list;
mod tables;

use std::{collections::BTreeMap, io::Write as _, path::Path};

use robolog_convert::{Result, Surveyed};
use robolog_core::{Finding, Severity, text::Escaped};
use robolog_events::{Event, Kind, Thresholds};

use super::{
    events,
    inputs::{Inputs, expand},
    summary::{survey, survey_with_journey},
};
use crate::{
    args::{InfoArgs, events::ShowArgs},
    progress::Context,
    render,
    screen::Screen,
    status::Status,
};

pub(crate) fn run(ShowArgs { info: args, events, track }: &ShowArgs, context: Context) -> Result<Status> {
    let inputs = expand(&args.files, context);
    let screen = Screen::stdout(context);
    // One line each, except for a single recording or with `-v`.
    if !args.json && !events && !track && context.verbose == 0 && inputs.files.len() > 1 {
        return table(&inputs, args, screen, context);
    }
    let mut out = render::Findings::on(screen);
    let mut is_first = true;
    inputs.each(|path| {
        let info = survey_with_journey(path, args.format.name.as_deref(), *track, context)?;
        let counts = if *events { Some(count(path, args, context)?) } else { None };
        if args.json {
            let mut json = info.to_json(path);
            if let (Some(json), Some(counts)) = (json.as_object_mut(), counts) {
                json.insert("events".into(), counts.into_iter().map(|(kind, n)| (kind.name(), n)).collect());
            }
            render::json(&mut out, &json)?;
        } else {
            let between = if std::mem::take(&mut is_first) { "" } else { "\n" };
            write!(out, "{between}{}", text(&info, &render::path(path), screen, context.verbose > 0))?;
            if let Some(counts) = counts {
                writeln!(out, "\n{}", screen.paragraph(&in_words(&counts), 4))?;
            }
        }
        out.flush()?;
        let faults = info.summary.findings.iter().filter(|f| f.severity == Severity::Error);
        lines(faults).0.iter().for_each(|fault| render::note(path, fault));
        Ok(status(&info))
    })
}

/// The number of events of each kind that occurs.
fn count(path: &Path, args: &InfoArgs, context: Context) -> Result<BTreeMap<Kind, u64>> {
    let found = events::find(&[path], args.format.name.as_deref(), &Thresholds::default(), context)?;
    Ok(Event::counts(&found.events))
}

fn in_words(counts: &BTreeMap<Kind, u64>) -> String {
    let parts: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} {}", kind.name())).collect();
    if parts.is_empty() { "  no events".into() } else { format!("  events: {}", parts.join(", ")) }
}

/// Prints a line per recording.
fn table(inputs: &Inputs, args: &InfoArgs, screen: Screen, context: Context) -> Result<Status> {
    let mut rows = Vec::new();
    let outcome = inputs.each(|path| {
        let info = survey(context.open(path)?, args.format.name.as_deref(), context)?;
        rows.push(list::Row::new(&render::path(path), &info));
        Ok(status(&info))
    });
    let mut out = render::Findings::on(screen);
    out.write_all(list::table(&rows, screen).as_bytes())?;
    out.flush()?;
    outcome
}

fn status(info: &Surveyed) -> Status {
    if info.is_sound() { Status::Done } else { Status::Lossy }
}

/// Maximum number of finding codes shown; `check` lists all.
const SHOWN: usize = 5;

/// The description of a recording, on one screen if possible; with `everything`, in full.
fn text(info: &Surveyed, name: &str, screen: Screen, everything: bool) -> String {
    let mut out = head::head(info, name, screen);
    let folded = if everything { fold::unfolded(&info.summary) } else { fold::folded(&info.summary) };
    out.push_str(&channels::table(&folded, info.summary.span, screen));
    out.push_str(&details::details(info, screen));
    if everything {
        out.push_str(&tables::tables(info, screen));
        out.push_str(&everything::everything(&info.summary.details));
    }
    out.push_str(&findings(info, screen));
    out
}

/// Warnings and notes; errors go to stderr.
fn findings(info: &Surveyed, screen: Screen) -> String {
    let odd = info.summary.findings.iter().filter(|f| f.severity < Severity::Error);
    let (lines, is_all) = lines(odd);
    let line = |line: &String| format!("{}\n", screen.paragraph(&format!("  {line}"), 4));
    let rest = if is_all { "" } else { "  robolog check lists all\n" };
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n{}{rest}", lines.iter().map(line).collect::<String>())
    }
}

/// A line for the first finding of each code, with their number; and whether these are all findings.
pub(super) fn lines<'f>(findings: impl Iterator<Item = &'f Finding>) -> (Vec<String>, bool) {
    let groups = super::check::by_code(findings);
    let line = |(finding, count): &(&Finding, u64)| {
        let message = Escaped(finding.message.as_bytes());
        let severity = match finding.severity {
            Severity::Error => String::new(),
            severity => format!("{}: ", super::check::word(severity)),
        };
        let remedy = if matches!(finding.code, "limit" | "magic-code") {
            render::remedy(&finding.message)
        } else {
            ""
        };
        match count {
            1 => format!("{severity}{message}{remedy}"),
            count => format!("{severity}{message}{remedy}; {count} of this kind"),
        }
    };
    let is_all = groups.len() <= SHOWN && groups.iter().all(|(_, count)| *count == 1);
    (groups.iter().take(SHOWN).map(line).collect(), is_all)
}
