//! Changes of modes and states, and warnings of programs.

use std::collections::{BTreeMap, BTreeSet};

use robolog_core::Timestamp;

use crate::{
    Event, Kind, Thresholds,
    names::{Names, at},
};

/// Variables of MOOS that are modes, whatever their values.
const MODES: [&str; 4] = ["DEPLOY", "IVPHELM_ALLSTOP", "IVPHELM_STATE", "MODE"];
/// Parts of the names of others.
const LIKE_MODES: [&str; 5] = ["MODE", "STATE", "STATUS", "DEPLOY", "RETURN"];
const WARNINGS: [&str; 2] = ["BHV_WARNING", "BHV_ERROR"];
/// Maximum number of different warnings, and of changes of a variable.
const MOST: usize = 5000;

/// Follows the variables that take few short values.
#[derive(Debug)]
pub(crate) struct Modes {
    limits: Thresholds,
    /// By the number of the channel.
    variables: Vec<Variable>,
    /// The warnings of each source, and their number.
    warned: BTreeMap<String, BTreeSet<String>>,
    warnings: usize,
}

/// What the texts of a variable are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    Warnings,
    /// Reports of an application, with its warnings.
    Reports,
    Modes,
    /// Modes, if they are few and short.
    Like,
    Others,
}

impl Texts {
    /// By the name of the variable.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            name if WARNINGS.contains(&name) => Self::Warnings,
            "APPCAST" => Self::Reports,
            name if MODES.contains(&name) => Self::Modes,
            name if LIKE_MODES.iter().any(|part| name.contains(part)) => Self::Like,
            _ => Self::Others,
        }
    }
}

#[derive(Debug, Default)]
struct Variable {
    value: Option<String>,
    values: BTreeSet<String>,
    /// Changes, as long as there are few values.
    changes: Vec<Event>,
    /// Whether it has too many values, or too long ones.
    is_other: bool,
}

impl Modes {
    pub(crate) fn new(limits: &Thresholds) -> Self {
        Self { limits: limits.clone(), variables: Vec::new(), warned: BTreeMap::new(), warnings: 0 }
    }

    /// Takes the next text of a channel.
    pub(crate) fn push(
        &mut self,
        (number, channel): (usize, &str),
        (texts, text): (Texts, &str),
        time: Timestamp,
        found: &mut Vec<Event>,
    ) {
        match texts {
            Texts::Warnings => self.warns(time, channel, text.trim(), found),
            Texts::Reports => {
                for (source, warning) in run_warnings(text) {
                    self.warns(time, source, warning, found);
                }
            }
            Texts::Modes => self.mode((number, channel), time, text.trim(), true),
            Texts::Like => self.mode((number, channel), time, text.trim(), false),
            Texts::Others => {}
        }
    }

    /// The first occurrence of a warning of a source.
    fn warns(&mut self, time: Timestamp, source: &str, warning: &str, found: &mut Vec<Event>) {
        let is_known = self.warned.get(source).is_some_and(|known| known.contains(warning));
        if is_known || self.warnings >= MOST {
            return;
        }
        self.warned.entry(source.to_owned()).or_default().insert(warning.to_owned());
        self.warnings += 1;
        found.push(Event::at(time, Kind::Warning, source, warning.to_owned()));
    }

    fn mode(&mut self, (number, channel): (usize, &str), time: Timestamp, text: &str, named: bool) {
        let variable = at(&mut self.variables, number);
        if variable.is_other || variable.value.as_deref() == Some(text) {
            return;
        }
        let few = (variable.values.len() as f64) < self.limits.mode_values || variable.values.contains(text);
        if !named && (text.chars().count() as f64 > self.limits.mode_length || !few) {
            *variable = Variable { is_other: true, ..Variable::default() };
            return;
        }
        if !named {
            variable.values.insert(text.to_owned());
        }
        if let Some(before) = variable.value.replace(text.to_owned()) {
            if variable.changes.len() >= MOST {
                return;
            }
            let words = format!("{before} to {text}");
            variable.changes.push(Event::at(time, Kind::Mode, channel, words));
        }
    }

    pub(crate) fn finish(&mut self, names: &Names, found: &mut Vec<Event>) {
        for number in names.sorted() {
            if let Some(variable) = self.variables.get_mut(number) {
                found.append(&mut variable.changes);
            }
        }
    }
}

/// The warnings in an application's report, with the application: `run_warnings=3:text!@1:another`.
fn run_warnings(report: &str) -> impl Iterator<Item = (&str, &str)> {
    let field = |name: &str| {
        // The parts are separated by `!@#`.
        report.split('#').find_map(|part| part.trim_end_matches("!@").strip_prefix(name))
    };
    let source = field("proc=").unwrap_or("APPCAST");
    let warnings = field("run_warnings=");
    warnings.into_iter().flat_map(|warnings| warnings.split("!@")).filter_map(move |warning| {
        let (count, text) = warning.split_once(':')?;
        let is_counted = !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
        is_counted.then_some((source, text.trim()))
    })
}

#[test]
fn run_warnings_are_counted_lines() {
    let report = "proc=pHelmIvP!@#iter=1!@#messages=x!@y!@#run_warnings=9:BHV_WARNING: avd: no!@2:other !@#run_warning_total=2!@#";
    let found: Vec<_> = run_warnings(report).collect();
    assert_eq!(found, [("pHelmIvP", "BHV_WARNING: avd: no"), ("pHelmIvP", "other")]);
    assert_eq!(run_warnings("proc=a!@#run_warning_total=0!@#").count(), 0);
}
