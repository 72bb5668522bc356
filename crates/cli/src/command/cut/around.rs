//! The part of a recording around an event.

use std::path::Path;

use robolog_convert::{Bound, Error, Result, Settings};
use robolog_core::{Cell, Clock, Sample, Timestamp, Value};
use robolog_events::Thresholds;

use crate::{
    args::cut::{AroundArgs, Event},
    command::{events, overview::can_be_read_again},
    progress::Context,
};

/// Maximum number of times that an error lists.
const LISTED: usize = 8;

/// Start and end of the part, in nanoseconds on the recording's clock.
struct Window {
    from: i64,
    to: i64,
    /// The first event in it.
    event: Timestamp,
}

/// The bounds of the part around the event; `start` gives the start of the recording.
///
/// Returns an error if the event does not occur, or if it occurs more than once without `--nth`.
pub(super) fn bounds(
    args: &AroundArgs,
    event: &Event,
    file: &Path,
    format: Option<&str>,
    context: Context,
    start: impl FnOnce() -> Result<Option<Timestamp>>,
) -> Result<(Bound, Bound)> {
    if !can_be_read_again(file) {
        return Err(Error::Target("--around needs a file, which is read twice, not a pipe".into()));
    }
    let moments = match event {
        Event::Kind(kind) => of_kind(kind, file, format, context)?,
        event => moments(event, context.open(file)?.samples_with(format, &Settings::default())?)?,
    };
    let windows = windows(&moments, args);
    let nth = args.nth.map(|n| n.get() - 1);
    let window = match (windows.as_slice(), nth) {
        ([], _) => {
            return Err(Error::Empty("the event of --around does not occur in the recording".into()));
        }
        ([window], None) => window,
        (windows, None) => {
            let list: Vec<String> =
                windows.iter().take(LISTED).map(|window| window.event.to_string()).collect();
            let more = if windows.len() > LISTED { ", ..." } else { "" };
            let (n, list) = (windows.len(), list.join(", "));
            let message = format!("the event occurs {n} times, at {list}{more}: choose one with --nth");
            return Err(Error::Target(message.into()));
        }
        (windows, Some(n)) => windows.get(n).ok_or_else(|| {
            Error::Target(format!("no --nth {}: the event occurs {} times", n + 1, windows.len()).into())
        })?,
    };
    if window.event.clock() == Clock::Unix {
        return Ok((Bound::Unix(window.from), Bound::Unix(window.to)));
    }
    let start = start()?.map_or(0, Timestamp::nanos);
    Ok((
        Bound::FromStart(window.from.saturating_sub(start)),
        Bound::FromStart(window.to.saturating_sub(start)),
    ))
}

/// When events of a kind that `robolog events` finds begin.
pub(in crate::command) fn of_kind(
    kind: &str,
    file: &Path,
    format: Option<&str>,
    context: Context,
) -> Result<Vec<Timestamp>> {
    let kinds = events::kinds(&[kind.to_owned()])?;
    let found = events::find(&[file], format, &Thresholds::default(), context)?;
    Ok(found.events.iter().filter(|event| kinds.contains(&event.kind)).map(|event| event.time).collect())
}

/// Times of the event, in order.
pub(in crate::command) fn moments(
    event: &Event,
    samples: impl Iterator<Item = Result<Sample>>,
) -> Result<Vec<Timestamp>> {
    let mut found: Vec<Timestamp> = Vec::new();
    let (mut was, mut last) = (false, None);
    for sample in samples {
        let sample = match sample {
            Ok(sample) => sample,
            Err(error) if error.is_of_machine() => return Err(error),
            // Skip damage; `cut` reports it.
            Err(_) => continue,
        };
        let Some(time) = sample.time else { continue };
        let happens = match event {
            Event::Collision => sample.channel.rsplit('/').next() == Some("collisions"),
            Event::Offset(offset) => {
                if sample.offset > *offset {
                    break;
                }
                last = Some(time);
                false
            }
            Event::Value { channel, field, value } if *sample.channel == **channel => {
                let before = was;
                was = holds(&sample.value, field.as_deref(), value);
                was && !before
            }
            Event::Value { .. } | Event::Kind(_) => false,
        };
        if happens {
            found.push(time);
        }
    }
    found.extend(last);
    found.sort_by_key(|time| time.nanos());
    Ok(found)
}

/// Whether a sample, or a field of it, has this value.
fn holds(sample: &Value, field: Option<&str>, wanted: &str) -> bool {
    let is_number = |x: f64| wanted.parse::<f64>().is_ok_and(|wanted| wanted.total_cmp(&x).is_eq());
    let is_cell = |cell: &Cell| match cell {
        Cell::Bool(is) => wanted.parse() == Ok(*is),
        Cell::Int(n) => wanted.parse() == Ok(*n),
        Cell::Float(x) => is_number(*x),
        Cell::Text(text) => text == wanted,
        Cell::Null => false,
    };
    match (sample, field) {
        (Value::Text(text), None) => text == wanted,
        (Value::Scalar(x), None) => is_number(*x),
        (Value::Row(row), Some(field)) => row.get(field).is_some_and(is_cell),
        (Value::Row(row), None) => matches!(row.cells.as_slice(), [cell] if is_cell(cell)),
        _ => false,
    }
}

/// The windows around the times; overlapping ones are joined.
fn windows(moments: &[Timestamp], args: &AroundArgs) -> Vec<Window> {
    let nanos = |span: std::time::Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    let (before, after) = (nanos(args.before), nanos(args.after));
    let mut windows: Vec<Window> = Vec::new();
    for event in moments {
        let (from, to) = (event.nanos().saturating_sub(before), event.nanos().saturating_add(after));
        match windows.last_mut().filter(|last| last.to >= from) {
            Some(last) => last.to = to,
            None => windows.push(Window { from, to, event: *event }),
        }
    }
    windows
}
