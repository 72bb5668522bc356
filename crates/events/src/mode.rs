//! Changes of modes and states, and warnings of programs.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use robolog_core::{Sample, Value};

use crate::{Context, Detector, Event, FOLLOWED, Kind, Thresholds};

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
    context: Context,
    variables: BTreeMap<Arc<str>, Variable>,
    warned: BTreeSet<(String, String)>,
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
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self { limits: limits.clone(), context, variables: BTreeMap::new(), warned: BTreeSet::new() }
    }

    /// The first occurrence of a warning of a source.
    fn warns(&mut self, sample: &Sample, source: &str, warning: &str, found: &mut Vec<Event>) {
        let Some(time) = sample.time else { return };
        let key = (source.to_owned(), warning.to_owned());
        if self.warned.len() < MOST && self.warned.insert(key) {
            found.push(Event::at(time, Kind::Warning, source, warning.to_owned()));
        }
    }

    fn mode(&mut self, sample: &Sample, text: &str) {
        let Some(time) = sample.time else { return };
        let named = MODES.contains(&&*sample.channel);
        if !named && !LIKE_MODES.iter().any(|part| sample.channel.contains(part)) {
            return;
        }
        if self.variables.len() >= FOLLOWED && !self.variables.contains_key(&sample.channel) {
            return;
        }
        let variable = self.variables.entry(Arc::clone(&sample.channel)).or_default();
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
            variable.changes.push(Event::at(time, Kind::Mode, &sample.channel, words));
        }
    }
}

impl Detector for Modes {
    fn push(&mut self, sample: &Sample, found: &mut Vec<Event>) {
        let Value::Text(text) = &sample.value else { return };
        if !self.context.vessels {
            return;
        }
        let channel = &*sample.channel;
        if WARNINGS.contains(&channel) {
            self.warns(sample, channel, text.trim(), found);
        } else if channel == "APPCAST" {
            for (source, warning) in run_warnings(text) {
                self.warns(sample, source, warning, found);
            }
        } else {
            self.mode(sample, text.trim());
        }
    }

    fn finish(&mut self, found: &mut Vec<Event>) {
        for variable in self.variables.values_mut() {
            found.append(&mut variable.changes);
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
    let warnings = field("run_warnings=").unwrap_or_default();
    warnings.split("!@").filter_map(move |warning| {
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
