//! Channels that only one has, and their counts and spans.

use std::fmt;

use robolog_core::{Channel, Summary, Timestamp};
use serde_json::{Value as Json, json};

use super::shown;

/// In what two recordings differ as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// A channel that only the first has, or only the second.
    Only { first: bool, channel: String, records: u64 },
    /// Another kind of values.
    Kind { channel: String, kinds: [&'static str; 2] },
    /// Another number of records.
    Count { channel: String, records: [u64; 2] },
    /// Another start.
    Start { channel: String, times: [Option<Timestamp>; 2] },
    /// Another end.
    End { channel: String, times: [Option<Timestamp>; 2] },
}

/// What differs between two surveys, by channel.
pub(super) fn changes<D>(summaries: &[Summary<D>; 2], tolerance: f64) -> Vec<Change> {
    let [a, b] = summaries;
    let find =
        |channels: &[Channel], name: &str| channels.iter().find(|channel| channel.name == name).cloned();
    let mut changes = Vec::new();
    for first in &a.channels {
        let channel = first.name.clone();
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
        let starts = [first.span.map(|s| s.0), second.span.map(|s| s.0)];
        if !is_same_time(starts, tolerance) {
            changes.push(Change::Start { channel: channel.clone(), times: starts });
        }
        let ends = [first.span.map(|s| s.1), second.span.map(|s| s.1)];
        if !is_same_time(ends, tolerance) {
            changes.push(Change::End { channel, times: ends });
        }
    }
    for second in b.channels.iter().filter(|second| find(&a.channels, &second.name).is_none()) {
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
            Self::Only { first, channel, records } => {
                let which = if *first { "first" } else { "second" };
                write!(f, "{channel}: only in the {which}, {records} samples")
            }
            Self::Kind { channel, kinds: [a, b] } => write!(f, "{channel}: kind {a}, {b}"),
            Self::Count { channel, records: [a, b] } => write!(f, "{channel}: {a} samples, {b} samples"),
            Self::Start { channel, times: [a, b] } => {
                write!(f, "{channel}: starts at {}, {}", shown(*a), shown(*b))
            }
            Self::End { channel, times: [a, b] } => {
                write!(f, "{channel}: ends at {}, {}", shown(*a), shown(*b))
            }
        }
    }
}
