//! `robolog events`: what happened in recordings, and when.

use std::{
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use glob::Pattern;
use robolog_convert::{
    Error, Feed, Opening, Reason, Result, Selection, SinkOptions, TargetSpec, convert, deliver, nearest,
    sink::McapSchema, target::Target, targets,
};
use robolog_core::{Cell, Clock, Field, FieldKind, Row, Sample, Timestamp, Value};
use robolog_events::{Event, Found, Kind, Options, Thresholds};

use super::inputs::expand;
use crate::{
    args::{events::EventsArgs, existing},
    progress::Context,
    render::{self, listed},
    status::Status,
};

/// Channel of the rows.
const CHANNEL: &str = "events";

pub(crate) fn run(args: &EventsArgs, context: Context) -> Result<Status> {
    let kinds = kinds(&args.kinds)?;
    let inputs = expand(&args.files, context);
    let files: Vec<&Path> = inputs.files.iter().map(AsRef::as_ref).collect();
    if files.is_empty() {
        return Ok(inputs.status);
    }
    let output = match args.output.as_deref() {
        Some(path) => {
            let target = table(path)?;
            Target::check(path, existing(args.force), &files)?;
            Some((path, target))
        }
        None => None,
    };
    let Found { events, left_out, start, report, .. } =
        find(&files, args.format.name.as_deref(), &args.thresholds.0, context)?;
    let events: Vec<Event> = events.into_iter().filter(|event| kinds.contains(&event.kind)).collect();
    render::losses_of(&files, &report);
    if left_out > 0 {
        render::say(format!("robolog: {} are left out", render::count(left_out, "more event")));
    }
    match output {
        Some((path, target)) => write(&events, path, target, args.force, &files, context)?,
        None => print(&events, start, args.json)?,
    }
    if events.is_empty() && !context.quiet && !args.json {
        render::say("robolog: no events");
    }
    Ok(Status::lossy_if(!report.is_complete() || left_out > 0).max(inputs.status))
}

/// The kinds that match one of the patterns; all without patterns.
pub(super) fn kinds(patterns: &[String]) -> Result<Vec<Kind>> {
    let mut kinds = if patterns.is_empty() { Kind::ALL.to_vec() } else { Vec::new() };
    for text in patterns {
        let pattern = Pattern::new(text).map_err(|e| Error::Target(format!("{text}: {e}").into()))?;
        let before = kinds.len();
        kinds.extend(Kind::ALL.iter().filter(|kind| pattern.matches(kind.name())));
        if kinds.len() == before {
            let names = Kind::ALL.iter().map(|kind| kind.name());
            let advice = nearest(text, names.clone())
                .map_or_else(|| names.collect::<Vec<_>>().join(", "), |name| format!("did you mean {name}?"));
            let message = format!("no kind of event matches '{text}'; {advice}");
            return Err(Error::Target(Reason::Choose(message)));
        }
    }
    Ok(kinds)
}

/// The events of recordings, read as one.
pub(super) fn find(
    files: &[&Path],
    format: Option<&str>,
    limits: &Thresholds,
    context: Context,
) -> Result<Found> {
    let mut len = Some(0_u64);
    for file in files {
        let meta = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file);
        len = len.zip(meta).and_then(|(len, meta)| len.checked_add(meta.len()));
    }
    let mut progress = context.progress(len);
    find_with(files, format, limits, context, &mut |at| progress.set(at))
}

/// The same; `progress` gets the position in the input.
pub(super) fn find_with(
    files: &[&Path],
    format: Option<&str>,
    limits: &Thresholds,
    context: Context,
    progress: &mut dyn FnMut(u64),
) -> Result<Found> {
    let mut options = Options::default();
    options.format = format.map(str::to_owned);
    options.settings.alog.time = context.time;
    options.thresholds = limits.clone();
    let open: Vec<_> = files.iter().map(|file| || context.open(file)).collect();
    robolog_events::events(&open, &options, progress)
}

/// Prints a line per event.
fn print(events: &[Event], start: Option<Timestamp>, is_json: bool) -> Result<()> {
    let mut out = render::Safe::new(io::stdout().lock());
    let since = |time: Timestamp| start.and_then(|start| time.since(start));
    let seconds = |time| since(time).map(|nanos| Timestamp::new(nanos, Clock::Relative).as_secs());
    if !is_json && !events.is_empty() {
        writeln!(out, "{:>10} {:>8}  {:<17} {:>9} {:<6} WHAT", "TIME", "LASTS", "KIND", "VALUE", "")?;
    }
    for event in events {
        if is_json {
            writeln!(out, "{}", event.to_json(start))?;
            continue;
        }
        let time = seconds(event.time).map_or_else(|| "-".into(), |t| format!("{t:.3}"));
        let lasts = event.end.since(event.time).filter(|nanos| *nanos > 0);
        let lasts = lasts.map_or_else(String::new, |nanos| {
            format!("{:.3}", Timestamp::new(nanos, Clock::Relative).as_secs())
        });
        let value = event.value.map_or_else(String::new, |value| format!("{value:.2}"));
        let unit = if event.value.is_some() { event.kind.unit() } else { "" };
        let who = whom(event);
        let kind = event.kind.name();
        writeln!(out, "{time:>10} {lasts:>8}  {kind:<17} {value:>9} {unit:<6} {who}: {}", event.text)?;
    }
    Ok(out.flush()?)
}

/// The line of an event in a log panel.
fn log(event: &Event) -> Sample {
    let text = format!("{} {}: {}", event.kind.name(), whom(event), event.text);
    Sample::new("events/log", Value::Text(text)).with_time(event.time)
}

fn whom(event: &Event) -> String {
    match &event.other {
        Some(other) => format!("{}, {other}", event.subject),
        None => event.subject.clone(),
    }
}

/// The target of `path`. Returns an error if it has no place for rows, which events are.
fn table(path: &Path) -> Result<&'static TargetSpec> {
    let target = targets::by_path(path)?;
    let row = Sample::new(CHANNEL, Value::Row(Row::new(columns(), Vec::new())));
    if (target.takes)(&row.clone().with_time(Timestamp::new(0, Clock::Relative)), Selection::Channels) {
        return Ok(target);
    }
    // Those that take rows without a time as well: rows of all kinds, not of their own alone.
    let tables = targets::ALL.iter().filter(|target| (target.takes)(&row, Selection::Channels));
    let names: Vec<&str> = tables.map(|target| target.name).collect();
    let TargetSpec { name, holds, .. } = target;
    let choose = listed(&names, "or");
    Err(Error::Target(Reason::Choose(format!("events are rows, but {name} {holds}; choose {choose}"))))
}

/// The columns of a table of events, beside the time.
fn columns() -> Arc<[Field]> {
    Arc::new([
        Field::new("end_ns", FieldKind::Int).with_unit("ns"),
        Field::new("kind", FieldKind::Text),
        Field::new("subject", FieldKind::Text),
        Field::new("other", FieldKind::Text),
        Field::new("value", FieldKind::Float),
        Field::new("unit", FieldKind::Text),
        Field::new("text", FieldKind::Text),
    ])
}

/// Writes a table of the events.
fn write(
    events: &[Event],
    output: &Path,
    target: &TargetSpec,
    force: bool,
    files: &[&Path],
    context: Context,
) -> Result<()> {
    let fields = columns();
    let sample = |event: &Event| {
        let cells: Vec<Cell> = vec![
            event.end.nanos().into(),
            event.kind.name().into(),
            event.subject.as_str().into(),
            event.other.as_deref().into(),
            event.value.into(),
            event.kind.unit().into(),
            event.text.as_str().into(),
        ];
        Sample::new(CHANNEL, Value::Row(Row::new(Arc::clone(&fields), cells))).with_time(event.time)
    };
    let mut options = SinkOptions::default();
    // Viewers of Foxglove show its log messages beside the other panels.
    options.mcap.schema = McapSchema::Foxglove;
    let out = Target::create(output, existing(force), files)?;
    let mut sink = target.open(out.write_behind()?, &Opening::new(options, Selection::Channels))?;
    let has_log_panel = target.name == "mcap";
    let mut samples: Vec<Sample> = Vec::new();
    for event in events {
        samples.push(sample(event));
        samples.extend(has_log_panel.then(|| log(event)));
    }
    // No events are an answer; events that leave no trace are an error.
    let send = if samples.is_empty() { deliver } else { convert };
    let report = send(vec![Feed::of_samples(samples)], &mut *sink, &mut |_| ())?;
    sink.finish()?;
    out.persist()?;
    if !context.quiet {
        render::written(output, &report, false, false, None);
    }
    Ok(())
}
