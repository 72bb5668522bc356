//! Differences between surveys: missing and renamed channels, counts and spans, the header.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
};

use robolog_core::{Channel, Summary, Timestamp};
use serde_json::{Value as Json, json};

use super::shown;
use crate::render::count;

/// A difference between two surveys.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// All times of the second are later by this many nanoseconds.
    Shift(i64),
    /// A field of the header.
    Header { field: &'static str, values: [String; 2] },
    /// A channel of the first that has another name in the second.
    Renamed { names: [String; 2], records: u64 },
    /// A channel in only one recording.
    Only { first: bool, channel: String, records: u64 },
    /// Different kinds of values.
    Kind { channel: String, kinds: [&'static str; 2] },
    /// Different numbers of records.
    Count { channel: String, records: [u64; 2] },
    /// Different starts.
    Start { channel: String, times: [Option<Timestamp>; 2] },
    /// Different ends.
    End { channel: String, times: [Option<Timestamp>; 2] },
}

/// Header fields that are not in samples.
const FIELDS: [&str; 1] = ["map"];
/// Maximum number of pairs searched for renamed channels.
const PAIRS: usize = 1 << 20;

/// Nanoseconds by which all times of common channels are later in the second.
pub(super) fn shift<D>(summaries: &[Summary<D>; 2], tolerance: f64) -> Option<i64> {
    let [a, b] = summaries;
    let of = |channels: &[Channel]| -> BTreeMap<String, (Timestamp, Timestamp)> {
        channels.iter().filter_map(|channel| Some((channel.name.clone(), channel.span?))).collect()
    };
    let (first, second) = (of(&a.channels), of(&b.channels));
    let mut shift = None;
    for (name, (start, end)) in &first {
        let Some((other_start, other_end)) = second.get(name) else { continue };
        for nanos in [other_start.since(*start)?, other_end.since(*end)?] {
            if *shift.get_or_insert(nanos) != nanos {
                return None;
            }
        }
    }
    shift.filter(|nanos| seconds(*nanos) > tolerance)
}

/// Pairs of a channel only in the first and one only in the second, with equal kind, count and shifted span. Among
/// several candidates, the most similar name wins.
pub(super) fn renames<D>(summaries: &[Summary<D>; 2], shift: i64, tolerance: f64) -> Vec<[String; 2]> {
    let [a, b] = summaries;
    let only = |channels: &[Channel], others: &[Channel]| -> Vec<Channel> {
        let others: HashSet<&str> = others.iter().map(|other| other.name.as_str()).collect();
        channels.iter().filter(|channel| !others.contains(channel.name.as_str())).cloned().collect()
    };
    let (gone, mut new) = (only(&a.channels, &b.channels), only(&b.channels, &a.channels));
    if gone.len().saturating_mul(new.len()) > PAIRS {
        return Vec::new();
    }
    let mut renames = Vec::new();
    for old in gone {
        let fits = |other: &Channel| {
            let times = |of: fn((Timestamp, Timestamp)) -> Timestamp| {
                [old.span.and_then(|span| of(span).checked_add(shift)), other.span.map(of)]
            };
            other.kind == old.kind
                && other.records == old.records
                && is_same_time(times(|span| span.0), tolerance)
                && is_same_time(times(|span| span.1), tolerance)
        };
        let alike = |other: &Channel| {
            let same = |(a, b): &(u8, u8)| a == b;
            let (a, b) = (old.name.bytes(), other.name.bytes());
            a.clone()
                .rev()
                .zip(b.clone().rev())
                .take_while(same)
                .count()
                .max(a.zip(b).take_while(same).count())
        };
        let best =
            new.iter().enumerate().filter(|(_, other)| fits(other)).max_by_key(|(_, other)| alike(other));
        if let Some((place, _)) = best {
            renames.push([old.name, new.swap_remove(place).name]);
        }
    }
    renames
}

/// The differences between two surveys.
pub(super) fn changes(
    summaries: &[Summary<Json>; 2],
    shift: Option<i64>,
    renames: &[[String; 2]],
    tolerance: f64,
) -> Vec<Change> {
    let [a, b] = summaries;
    let find =
        |channels: &[Channel], name: &str| channels.iter().find(|channel| channel.name == name).cloned();
    let mut changes: Vec<Change> = shift.map(Change::Shift).into_iter().collect();
    for field in FIELDS {
        let text = |summary: &Summary<Json>| Some(summary.details.get(field)?.as_str()?.to_owned());
        if let (Some(x), Some(y)) = (text(a), text(b))
            && x != y
        {
            changes.push(Change::Header { field, values: [x, y] });
        }
    }
    for first in &a.channels {
        let channel = first.name.clone();
        if let Some(names) = renames.iter().find(|names| names[0] == channel) {
            changes.push(Change::Renamed { names: names.clone(), records: first.records });
            continue;
        }
        let Some(second) = find(&b.channels, &channel) else {
            changes.push(Change::Only { first: true, channel, records: first.records });
            continue;
        };
        if first.kind != second.kind {
            let kinds = [first.kind, second.kind];
            changes.push(Change::Kind { channel: channel.clone(), kinds });
        }
        if first.records != second.records {
            let records = [first.records, second.records];
            changes.push(Change::Count { channel: channel.clone(), records });
        }
        let moved = |time: Timestamp| time.checked_add(shift.unwrap_or(0)).unwrap_or(time);
        let starts = [first.span.map(|s| moved(s.0)), second.span.map(|s| s.0)];
        if !is_same_time(starts, tolerance) {
            changes.push(Change::Start { channel: channel.clone(), times: starts });
        }
        let ends = [first.span.map(|s| moved(s.1)), second.span.map(|s| s.1)];
        if !is_same_time(ends, tolerance) {
            changes.push(Change::End { channel, times: ends });
        }
    }
    let is_new = |name: &str| renames.iter().any(|names| names[1] == name);
    for second in b.channels.iter().filter(|b| find(&a.channels, &b.name).is_none() && !is_new(&b.name)) {
        let (channel, records) = (second.name.clone(), second.records);
        changes.push(Change::Only { first: false, channel, records });
    }
    changes
}

/// Whether two times differ by at most `tolerance` seconds.
pub(super) fn is_same_time(times: [Option<Timestamp>; 2], tolerance: f64) -> bool {
    match times {
        [None, None] => true,
        [Some(a), Some(b)] => a == b || a.since(b).is_some_and(|nanos| seconds(nanos) <= tolerance),
        _ => false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a difference that is compared with a tolerance")]
fn seconds(nanos: i64) -> f64 {
    nanos.unsigned_abs() as f64 / 1e9
}

impl Change {
    pub(super) fn to_json(&self) -> Json {
        let nanos = |times: &[Option<Timestamp>; 2]| times.map(|time| time.map(Timestamp::nanos));
        match self {
            Self::Shift(nanos) => json!({ "what": "shift_ns", "value": nanos }),
            Self::Header { field, values } => json!({ "what": "header", "field": field, "values": values }),
            Self::Renamed { names, records } => {
                json!({ "what": "renamed", "channel": names[0], "values": names, "records": records })
            }
            Self::Only { first, channel, records } => {
                json!({ "what": "only", "in": if *first { "first" } else { "second" }, "channel": channel, "records": records })
            }
            Self::Kind { channel, kinds } => json!({ "what": "kind", "channel": channel, "values": kinds }),
            Self::Count { channel, records } => {
                json!({ "what": "count", "channel": channel, "values": records })
            }
            Self::Start { channel, times } => {
                json!({ "what": "start_ns", "channel": channel, "values": nanos(times) })
            }
            Self::End { channel, times } => {
                json!({ "what": "end_ns", "channel": channel, "values": nanos(times) })
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shift(nanos) => {
                let (sign, nanos) = (if *nanos < 0 { '-' } else { '+' }, nanos.unsigned_abs());
                let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
                write!(f, "all times: {sign}{whole}.{rest:09} s in the second")
            }
            Self::Header { field, values: [a, b] } => write!(f, "{field} (header): {a}, {b}"),
            Self::Renamed { names: [a, b], records } => {
                write!(f, "{a}: called {b} in the second, {}", count(*records, "sample"))
            }
            Self::Only { first, channel, records } => {
                let which = if *first { "first" } else { "second" };
                write!(f, "{channel}: only in the {which}, {}", count(*records, "sample"))
            }
            Self::Kind { channel, kinds: [a, b] } => write!(f, "{channel}: kind {a}, {b}"),
            Self::Count { channel, records: [a, b] } => {
                write!(f, "{channel}: {}, {}", count(*a, "sample"), count(*b, "sample"))
            }
            Self::Start { channel, times: [a, b] } => {
                write!(f, "{channel}: starts at {}, {}", shown(*a), shown(*b))
            }
            Self::End { channel, times: [a, b] } => {
                write!(f, "{channel}: ends at {}, {}", shown(*a), shown(*b))
            }
        }
    }
}
