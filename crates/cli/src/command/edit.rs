//! `robolog edit`: changes times, names and channels of a recording.

mod actors;
mod anonymise;

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use glob::Pattern;
use robolog_convert::{
    Bound, Copied, Error, Limit, NoChannel, Result, Rewrite, Settings, nearest,
    robolog_core::{Area, Clock, Edit, Timestamp, format::Verdict},
};

use super::{copy, overview::Overview};
use crate::{
    args::edit::{EditArgs, EditStep},
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &EditArgs, context: Context) -> Result<Status> {
    let EditArgs { file, out, steps, secret, format } = args;
    super::each([file.as_path()], |file| {
        let input = context.open(file)?;
        let out = &out.for_copy(file)?;
        let (len, format) = (input.len(), format.name.as_deref());
        if input.dataset().is_some() {
            return Err(Error::Target("a data set is edited table by table".into()));
        }
        let start = || Overview::new(&input, format, context).span(&Limit::default(), &Settings::default());
        let shift = shift(&steps.0, start)?;
        let names = Arc::new(Mutex::new(Names::new(&steps.0)));
        let mut edit = edit(&steps.0, shift, &names);
        edit.anonymise = anonymise::prepare(&steps.0, secret)?;
        edit.actors = actors::chosen(&steps.0);
        if edit.anonymise.is_some() || edit.actors.is_some() {
            learn(file, format, &mut edit, context)?;
        }
        let frames = actors::life(&steps.0, file, context)?;
        let name = copy::format_of(&input, format)?.to_owned();
        let target = copy::begin(out, &name, &[file])?;
        let mut progress = context.progress(len);
        let progress = &mut |at| Ok(progress.at(at)?);
        let mut limit = Limit::default();
        let edit = Some(&edit);
        let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames, edit, progress };
        let copied = robolog_convert::rewrite(input, format, rewrite)?;
        let Copied { parts, changed, report, .. } = &copied;
        render::losses(file, report);
        if let Some(missing) = names.lock().unwrap_or_else(PoisonError::into_inner).unmatched() {
            return Err(missing.into());
        }
        if *parts == 0 && report.records > 0 {
            return Err(Error::Empty("nothing is left of the recording".into()));
        }
        let is_whole =
            anonymise::check(edit.and_then(|edit| edit.anonymise.as_ref()), secret, file, &copied)?;
        let bytes = std::fs::metadata(target.path()).map_or(0, |meta| meta.len());
        copy::end(target, out, &[file])?;
        copy::say_if_unknown(out, format, &name, context)?;
        if !context.quiet {
            let kept = render::count(*parts, copy::unit(&name));
            render::note(&out.output, format_args!("{kept}, {changed} changed, {}", render::bytes(bytes)));
        }
        Ok(if report.is_complete() && is_whole { Status::Done } else { Status::Lossy })
    })
}

/// Reads the file once to collect what the edit needs from the whole file.
fn learn(file: &Path, format: Option<&str>, edit: &mut Edit, context: Context) -> Result<()> {
    if !std::fs::metadata(file).is_ok_and(|meta| meta.is_file()) {
        let message = "--anonymise and options for actors need a file, which is read twice, not a pipe";
        return Err(Error::Target(message.into()));
    }
    robolog_convert::learn(context.open(file)?, format, edit)?;
    match &edit.actors {
        Some(actors) if actors.kept == 0 && !actors.dropped.is_empty() => {
            Err(Error::Empty("no actor would be left: robolog carla info lists them".into()))
        }
        Some(actors) if actors.kept > 0 && actors.dropped.is_empty() => {
            Err(Error::Empty("no actor to leave out matches: robolog carla info lists them".into()))
        }
        _ => Ok(()),
    }
}

/// The sum of all shifts in nanoseconds. `span` gives the start of the recording for `--start-at`.
fn shift(steps: &[EditStep], span: impl Fn() -> Result<Option<(Timestamp, Timestamp)>>) -> Result<i64> {
    let mut sum = 0_i64;
    for step in steps {
        let next = match step {
            EditStep::Shift(nanos) => sum.checked_add(*nanos),
            EditStep::StartAt(bound) => {
                let Some((start, _)) = span()? else {
                    return Err(Error::Target("--start-at needs a file with times, not a pipe".into()));
                };
                let wanted = match (bound, start.clock()) {
                    (Bound::Unix(nanos), Clock::Unix) => *nanos,
                    (Bound::FromStart(nanos), clock) if clock != Clock::Unix => *nanos,
                    (_, Clock::Unix) => {
                        return Err(Error::Target(
                            "--start-at needs a date such as 2024-09-17T15:47:55Z".into(),
                        ));
                    }
                    (_, clock) => {
                        let message = format!(
                            "the recording has a {} clock, not dates: give --start-at seconds, such as 10s",
                            clock.name()
                        );
                        return Err(Error::Target(message.into()));
                    }
                };
                wanted.checked_sub(start.nanos())
            }
            _ => continue,
        };
        sum = next.ok_or_else(|| Error::Target("the shift is longer than 292 years".into()))?;
    }
    Ok(sum)
}

/// The edit for these steps.
fn edit(steps: &[EditStep], shift: i64, names: &Arc<Mutex<Names>>) -> Edit {
    let mut edit = Edit { shift, ..Edit::default() };
    for step in steps {
        match step {
            EditStep::MapName(name) => edit.map_name = Some(name.clone()),
            EditStep::Rename(_) | EditStep::Prefix(_) => edit.renames = true,
            EditStep::CropArea(rings) => edit.area = Some(Area::new(rings.clone())),
            EditStep::SetOrigin(origin) => edit.origin = Some(*origin),
            _ => {}
        }
    }
    let is_of_names = |step: &EditStep| {
        matches!(step, EditStep::Rename(_) | EditStep::Prefix(_) | EditStep::Drop(_) | EditStep::Keep(_))
    };
    if steps.iter().any(is_of_names) {
        let names = Arc::clone(names);
        edit.names = Some(Box::new(move |channel| {
            names.lock().unwrap_or_else(PoisonError::into_inner).verdict(channel)
        }));
    }
    edit
}

/// Maximum number of channels with a cached verdict.
const CHANNELS: usize = 1 << 16;

/// Renames and drops channels.
struct Names {
    steps: Vec<EditStep>,
    /// Whether each step has matched a channel.
    met: Vec<bool>,
    verdicts: HashMap<String, Verdict>,
}

impl Names {
    fn new(steps: &[EditStep]) -> Self {
        Self { steps: steps.to_vec(), met: vec![false; steps.len()], verdicts: HashMap::new() }
    }

    fn verdict(&mut self, channel: &str) -> Verdict {
        if let Some(verdict) = self.verdicts.get(channel) {
            return verdict.clone();
        }
        let verdict = match self.apply(channel) {
            None => Verdict::Dropped,
            Some(name) if name == channel => Verdict::Same,
            Some(name) => Verdict::Renamed(name.into()),
        };
        if self.verdicts.len() < CHANNELS {
            self.verdicts.insert(channel.to_owned(), verdict.clone());
        }
        verdict
    }

    /// The name of a channel after all steps; `None` if it is left out.
    fn apply(&mut self, channel: &str) -> Option<String> {
        let mut name = channel.to_owned();
        // Consecutive globs to keep are one step.
        let mut kept = None;
        for (step, met) in self.steps.iter().zip(&mut self.met) {
            let is_kept = matches!(step, EditStep::Keep(_));
            if !is_kept && kept.take() == Some(false) {
                return None;
            }
            let found = match step {
                EditStep::Keep(glob) => {
                    let is_match = glob.matches(&name);
                    kept = Some(is_match || kept == Some(true));
                    is_match
                }
                EditStep::Drop(glob) if glob.matches(&name) => {
                    *met = true;
                    return None;
                }
                EditStep::Rename(rename) => match rename.apply(&name) {
                    Some(new) => {
                        name = new;
                        true
                    }
                    None => false,
                },
                EditStep::Prefix(prefix) => {
                    name.insert_str(0, prefix);
                    true
                }
                _ => false,
            };
            *met |= found;
        }
        (kept != Some(false)).then_some(name)
    }

    /// The first glob that matched no channel.
    fn unmatched(&self) -> Option<NoChannel> {
        let mut idle = self.steps.iter().zip(&self.met).filter(|(_, met)| !**met);
        let glob = idle.find_map(|(step, _)| glob_of(step))?;
        let mut names: Vec<&str> = self.verdicts.keys().map(String::as_str).collect();
        names.sort_unstable();
        let nearest = nearest(glob.as_str(), names.iter().copied()).map(str::to_owned);
        let met = names.iter().take(8).map(|name| (*name).to_owned()).collect();
        Some(NoChannel { pattern: glob.as_str().to_owned(), nearest, met })
    }
}

fn glob_of(step: &EditStep) -> Option<&Pattern> {
    match step {
        EditStep::Drop(glob) | EditStep::Keep(glob) => Some(glob),
        EditStep::Rename(rename) => Some(&rename.glob),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(steps: &[EditStep], channels: &[&str]) -> Vec<Option<String>> {
        let mut names = Names::new(steps);
        channels.iter().map(|channel| names.apply(channel)).collect()
    }

    #[test]
    fn names_change_in_the_order_of_the_steps() {
        let glob = |text: &str| Pattern::new(text).unwrap();
        let steps = [
            EditStep::Prefix("A_".into()),
            EditStep::Drop(glob("A_X")),
            EditStep::Keep(glob("A_Y")),
            EditStep::Keep(glob("A_Z")),
        ];
        let names = verdicts(&steps, &["X", "Y", "Z", "A_X", "W"]);
        assert_eq!(names, [None, Some("A_Y".into()), Some("A_Z".into()), None, None]);
        let steps = [EditStep::Keep(glob("Y")), EditStep::Prefix("A_".into()), EditStep::Keep(glob("Z"))];
        assert_eq!(verdicts(&steps, &["Y", "Z"]), [None, None]);
    }

    #[test]
    fn a_start_replaces_earlier_shifts_and_later_ones_add_to_it() {
        let start = Timestamp::new(100, Clock::Unix);
        let span = || Ok(Some((start, start)));
        let steps = [EditStep::Shift(7), EditStep::StartAt(Bound::Unix(130)), EditStep::Shift(5)];
        assert_eq!(shift(&steps, span).unwrap(), 35);
        assert!(shift(&[EditStep::StartAt(Bound::FromStart(1))], span).is_err());
        let relative = || Ok(Some((Timestamp::new(4, Clock::Relative), Timestamp::new(9, Clock::Relative))));
        assert_eq!(shift(&[EditStep::StartAt(Bound::FromStart(1))], relative).unwrap(), -3);
        assert!(shift(&[EditStep::StartAt(Bound::Unix(1))], relative).is_err());
        assert!(shift(&[EditStep::Shift(i64::MAX), EditStep::Shift(1)], relative).is_err());
    }
}
