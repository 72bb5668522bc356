//! Rows of the channel table: similar channels share a row.

use std::collections::HashMap;

use robolog_core::{
    Channel, Summary, Timestamp,
    text::{Escaped, is_unsafe},
};
use serde_json::Value as Json;

/// A row of the table: a channel, or several.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// A glob that matches the channels.
    pub(super) name: String,
    /// Number of channels in the row.
    pub(super) channels: usize,
    pub(super) kind: String,
    pub(super) records: u64,
    pub(super) rate_hz: Option<f64>,
    pub(super) span: Option<(Timestamp, Timestamp)>,
}

/// Maximum number of channels shown one by one.
const FEW: usize = 16;
/// Minimum number of similar channels that share a row.
const ALIKE: usize = 3;
/// Rows that fit on a screen.
const SCREEN: usize = 32;
/// Rows of applications.
const APPS: usize = 16;

/// Most wanted MOOS variables: prefixes of names ...
const FIRST: [&str; 3] = ["NAV_", "DESIRED_", "NODE_REPORT"];
/// ... and whole names.
const FIRST_NAMES: [&str; 4] = ["MODE", "DEPLOY", "RETURN", "IVPHELM_STATE"];

/// One row per channel.
pub(super) fn unfolded<D>(summary: &Summary<D>) -> Vec<Row> {
    summary.channels.iter().map(|channel| Row::of(channel, summary.rate_hz(channel))).collect()
}

/// Folds similar channels into rows.
pub(super) fn folded(summary: &Summary<Json>) -> Vec<Row> {
    if summary.channels.len() <= FEW {
        return unfolded(summary);
    }
    let mut shapes: HashMap<(String, &str), usize> = HashMap::new();
    for channel in &summary.channels {
        let n = shapes.entry((shape(&channel.name), channel.kind)).or_default();
        *n += 1;
    }
    let by_app = if summary.channels.len() > SCREEN { apps(&summary.details) } else { HashMap::default() };
    let mut rows: Vec<(Row, Group)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for channel in &summary.channels {
        let shape = shape(&channel.name);
        let row = Row::of(channel, summary.rate_hz(channel));
        let app = by_app.get(&Escaped(channel.name.as_bytes()).to_string());
        let group = match app {
            Some(app) if is_plain(channel) => Group::App(app.clone()),
            _ if shapes.get(&(shape.clone(), channel.kind)).is_some_and(|n| *n >= ALIKE) => {
                Group::Shape(shape)
            }
            _ => Group::Alone,
        };
        let key = match &group {
            Group::App(app) => format!("app {app}"),
            Group::Shape(shape) => format!("shape {shape} {}", channel.kind),
            Group::Alone => {
                rows.push((row, group));
                continue;
            }
        };
        if let Some((first, _)) = places.get(&key).and_then(|at| rows.get_mut(*at)) {
            first.join(&row);
        } else {
            places.insert(key, rows.len());
            rows.push((row, group));
        }
    }
    finish(rows)
}

/// The row of a channel.
#[derive(Debug, Clone, PartialEq)]
enum Group {
    Alone,
    /// Shared with channels that differ only in numbers.
    Shape(String),
    /// Shared with other variables of an application.
    App(String),
}

/// Names the rows, puts those of applications last, and drops rows that do not fit on a screen.
fn finish(rows: Vec<(Row, Group)>) -> Vec<Row> {
    let (mut of_apps, mut named) = (Vec::new(), Vec::new());
    for (row, group) in rows {
        match group {
            Group::App(app) => of_apps.push((app, row)),
            Group::Shape(shape) => named.push(Row { name: shape, ..row }),
            Group::Alone => named.push(row),
        }
    }
    of_apps.sort_by_key(|(_, row)| std::cmp::Reverse(row.records));
    let rest = of_apps.split_off(APPS.min(of_apps.len()));
    let variables = |n: usize| if n == 1 { "1 variable".to_owned() } else { format!("{n} variables") };
    let rows = of_apps.into_iter().map(|(app, row)| {
        let name = if row.channels > 1 { format!("{} of {app}", variables(row.channels)) } else { row.name };
        Row { name, channels: 1, ..row }
    });
    named.extend(rows.collect::<Vec<_>>());
    let apps = rest.len();
    let others = rest.into_iter().map(|(_, row)| row);
    named.extend(sum(others).map(|row| Row {
        name: format!("{} of {apps} more applications", variables(row.channels)),
        channels: 1,
        ..row
    }));
    let most = SCREEN + APPS;
    if named.len() > most {
        let left_out = sum(named.drain(SCREEN..));
        named.extend(left_out.map(|row| Row {
            name: format!("{} more: -v lists them", row.channels),
            channels: 1,
            ..row
        }));
    }
    named
}

fn sum(rows: impl Iterator<Item = Row>) -> Option<Row> {
    rows.reduce(|mut first, row| {
        first.join(&row);
        first
    })
}

/// Numbers and texts that are not among the most wanted.
fn is_plain(channel: &Channel) -> bool {
    let is_first = FIRST.iter().any(|first| channel.name.starts_with(first))
        || FIRST_NAMES.contains(&channel.name.as_str());
    matches!(channel.kind, "scalar" | "text") && !is_first
}

/// The application of each variable of a MOOS log, by the variable's escaped name.
fn apps(details: &Json) -> HashMap<String, String> {
    let variables = details.get("per_variable").and_then(Json::as_array);
    let app = |variable: &Json| {
        let name = variable.get("name")?.as_str()?.to_owned();
        let sources = variable.get("sources")?.as_array()?;
        let app = match sources.as_slice() {
            [one] => one.as_str()?.to_owned(),
            _ => "several applications".to_owned(),
        };
        Some((name, app))
    };
    variables.into_iter().flatten().filter_map(app).collect()
}

impl Row {
    fn of(channel: &Channel, rate_hz: Option<f64>) -> Self {
        Self {
            name: glob(&channel.name),
            channels: 1,
            kind: channel.kind.to_owned(),
            records: channel.records,
            rate_hz,
            span: channel.span,
        }
    }

    /// Adds another row. Rates that differ by more than a tenth give no rate.
    fn join(&mut self, other: &Self) {
        self.channels += other.channels;
        if !self.kind.split(", ").any(|kind| kind == other.kind) {
            self.kind = if self.kind == "several" || self.kind.contains(", ") {
                "several".into()
            } else {
                format!("{}, {}", self.kind, other.kind)
            };
        }
        self.records += other.records;
        let alike = self.rate_hz.zip(other.rate_hz).filter(|(a, b)| (a - b).abs() <= 0.1 * a.max(*b));
        self.rate_hz = alike.map(|(a, b)| a.max(b));
        self.span = match (self.span, other.span) {
            (Some((a, b)), Some((c, d))) => Some((a.earlier(c), b.later(d))),
            (a, b) => a.or(b),
        };
    }
}

/// A glob that matches the name: wildcards are in brackets, and characters that could control a terminal become
/// question marks.
fn glob(name: &str) -> String {
    let mut glob = String::new();
    for c in name.chars() {
        match c {
            c if is_unsafe(c) => glob.push('?'),
            '*' | '?' | '[' | ']' => glob.extend(['[', c, ']']),
            c => glob.push(c),
        }
    }
    glob
}

/// A name with each number replaced by a star.
fn shape(name: &str) -> String {
    let mut shape = String::new();
    for part in name.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let text = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if text.len() < part.len() {
            shape.push('*');
        }
        shape.push_str(&glob(text));
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::{Clock, format::SurveyBuilder};

    fn info(channels: &[(&str, &'static str, u64)], details: Json) -> Summary<Json> {
        let mut notes = SurveyBuilder::default();
        for (name, kind, records) in channels {
            let time = Timestamp::new(i64::try_from(*records).unwrap(), Clock::Relative);
            notes.tally(name, kind, *records, *records, Some((time, time)));
        }
        notes.into_summary("test".into(), 1, 1, details)
    }

    fn names(rows: &[Row]) -> Vec<(&str, usize, u64)> {
        rows.iter().map(|row| (row.name.as_str(), row.channels, row.records)).collect()
    }

    #[test]
    fn every_name_is_a_glob_that_matches_its_channel_alone() {
        for name in ["actor_87/poses", "a[0]", "{x,y}", r"back\slash", "star*", "what?", "NAV_X", "ü/β", "]["]
        {
            let pattern = glob::Pattern::new(&glob(name)).unwrap();
            assert!(pattern.matches(name), "{name}");
            assert!(!pattern.matches("star") && !pattern.matches("a0") && !pattern.matches("x"), "{name}");
            let shape = glob::Pattern::new(&shape(name)).unwrap();
            assert!(shape.matches(name), "{name}");
        }
        let evil = "N\u{1b}[31m\u{202e}";
        assert_eq!(glob(evil), "N?[[]31m?");
        assert!(glob::Pattern::new(&glob(evil)).unwrap().matches(evil));
    }

    #[test]
    fn channels_that_differ_in_numbers_alone_are_one_row_where_there_are_many() {
        let actors: Vec<String> = (0..20).map(|n| format!("actor_{n}/poses")).collect();
        let mut channels: Vec<_> = actors.iter().map(|name| (name.as_str(), "odometry", 10)).collect();
        channels.push(("frames", "row", 7));
        let info = info(&channels, Json::Null);
        assert_eq!(names(&folded(&info)), [("actor_*/poses", 20, 200), ("frames", 1, 7)]);
        assert_eq!(unfolded(&info).len(), 21);
    }

    #[test]
    fn few_channels_are_shown_one_by_one() {
        let info = info(&[("a1", "imu", 1), ("a2", "imu", 2), ("a3", "imu", 3)], Json::Null);
        assert_eq!(folded(&info).len(), 3);
    }

    #[test]
    fn variables_that_nobody_asks_for_first_are_a_row_an_application() {
        let mut named: Vec<(String, &str)> = Vec::new();
        let letters = |n: u32| char::from_u32(u32::from('A') + n).unwrap();
        for n in 0..26 {
            named.push((format!("NAV_{}", letters(n)), "pNav"));
            named.push((format!("HELM_{}", letters(n)), "pHelm"));
            named.push((format!("MISC_{}", letters(n)), if n < 13 { "pA" } else { "pB" }));
        }
        let channels: Vec<_> = named.iter().map(|(name, _)| (name.as_str(), "scalar", 2)).collect();
        let variables: Vec<_> =
            named.iter().map(|(name, app)| serde_json::json!({ "name": name, "sources": [app] })).collect();
        let info = info(&channels, serde_json::json!({ "per_variable": variables }));
        let rows = folded(&info);
        let tail = names(&rows).split_off(26);
        assert_eq!(
            tail,
            [("26 variables of pHelm", 1, 52), ("13 variables of pA", 1, 26), ("13 variables of pB", 1, 26)]
        );
        assert!(rows.iter().take(26).all(|row| row.name.starts_with("NAV_")));
    }

    #[test]
    fn a_hundred_thousand_channels_fit_on_a_screen_and_take_no_longer_than_their_sum() {
        let names: Vec<String> = (0..100_000_u32)
            .map(|n| (0..6).map(|i| char::from(b'a' + u8::try_from(n >> (4 * i) & 15).unwrap())).collect())
            .collect();
        let channels: Vec<_> = names.iter().map(|name| (name.as_str(), "text", 1)).collect();
        // A linear search per channel would take minutes.
        let rows = folded(&info(&channels, Json::Null));
        assert_eq!(rows.len(), SCREEN + 1);
        assert_eq!(rows.last().unwrap().records, 100_000 - SCREEN as u64);
    }
}
