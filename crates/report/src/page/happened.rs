//! What happened, on a line over time: each event is a link to its moment.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_events::{Event, Kind};

use super::{
    Recording, Section, actors, numbers::powers, open_table, own::Actor, plural, put, table, time_axis,
};
use crate::{
    axis::{Axis, AxisPosition},
    text::{Esc, digits, short},
};

/// Maximum number of events drawn of a kind, of open rows, and of rows.
const DRAWN: usize = 200;
const OPEN: usize = 20;
const LISTED: usize = 1000;
/// Least width of an event, per cent of the line.
const LEAST: f64 = 0.4;

const HEADS: &str = "At, s|Lasts, s|Kind|Value|Whom|What";

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let (axis, happened) = (&recording.kept.axis, &recording.kept.happened);
    // Without a time axis there is no moment to go to.
    let events: Vec<(f64, &Event)> =
        happened.iter().filter_map(|event| Some((at(event, axis)?, event))).collect();
    if events.is_empty() || axis.seconds() <= 0.0 {
        return None;
    }
    let mut kinds: BTreeMap<Kind, Vec<(f64, &Event)>> = BTreeMap::new();
    for (t, event) in &events {
        kinds.entry(event.kind).or_default().push((*t, event));
    }
    let actors = actors(recording.kept);
    let mut body = String::from("<div class=\"lanes\">");
    for (kind, events) in &kinds {
        lane(&mut body, *kind, events, (axis, &actors));
    }
    put!(body, "<div class=\"lane axis\"><span></span>{}<span></span></div></div>", time_axis(axis, 5.0));
    let rows: Vec<String> = events.iter().take(LISTED).map(|(t, event)| row(*t, event, &actors)).collect();
    let (open, more) = rows.split_at(rows.len().min(OPEN));
    open_table(&mut body, HEADS, &open.concat());
    if !more.is_empty() {
        body.push_str(&table(&format!("{} more", plural(more.len(), "event")), HEADS, &more.concat()));
    }
    let mut lead = String::from("Each is a link to its moment.");
    if let beyond @ 1.. = events.iter().skip(LISTED).len() {
        put!(lead, " {} more are listed by <code>robolog events</code>.", plural(beyond, "event"));
    }
    Some(Section { id: "happened", title: "What happened", lead, body })
}

/// Contacts found from boxes, in words, as HTML: each a link to its moment.
pub(super) fn contacts(recording: &Recording<'_>) -> Vec<String> {
    let actors = actors(recording.kept);
    let contacts = recording.kept.happened.iter().filter(|event| event.kind == Kind::Contact);
    let words = contacts.filter_map(|event| {
        let t = at(event, &recording.kept.axis)?;
        let whom = whom(event, &actors);
        Some(format!(
            "Content: the boxes of {} overlap from <a href=\"#t={t:.3}\">{t:.3} s</a>.",
            Esc(&short(&whom.replace(", ", " and ")))
        ))
    });
    words.collect()
}

/// The actors of a simulation by number.
type Actors = BTreeMap<i64, Actor>;

fn lane(body: &mut String, kind: Kind, events: &[(f64, &Event)], (axis, actors): (&Axis, &Actors)) {
    put!(body, "<div class=\"lane\">{}", super::lanes::name_of(kind.name(), ""));
    body.push_str("<div class=\"tx seglane\"><div class=\"in\">");
    for (t, event) in events.iter().take(DRAWN) {
        let end = t + lasts(event);
        let (left, right) = (100.0 * axis.fraction(*t), 100.0 * axis.fraction(end));
        let left = left.min(100.0 - LEAST);
        put!(
            body,
            "<a class=\"seg s{}\" href=\"#t={t:.3}\" style=\"left:{left:.2}%;width:{:.2}%\" title=\"{t:.3} s, {}: {}\"></a>",
            colour(kind),
            (right - left).max(LEAST),
            Esc(&whom(event, actors)),
            Esc(&short(&powers(&event.text)))
        );
    }
    put!(body, "</div></div><span class=\"st\">{}</span></div>\n", plural(events.len(), "event"));
}

fn row(t: f64, event: &Event, actors: &Actors) -> String {
    let unit = powers(event.kind.unit());
    let value = event.value.map_or_else(String::new, |value| format!("{} {unit}", digits(value, 3)));
    let lasts = Some(lasts(event))
        .filter(|lasts| *lasts > 0.0)
        .map_or_else(String::new, |lasts| format!("{lasts:.3}"));
    format!(
        "<tr><td><a href=\"#t={t:.3}\">{t:.3}</a></td><td>{lasts}</td><td>{}</td><td>{value}</td><td>{}</td><td>{}</td></tr>\n",
        event.kind.name(),
        Esc(&short(&whom(event, actors))),
        Esc(&short(&powers(&event.text)))
    )
}

/// Seconds from the start of the recording.
fn at(event: &Event, axis: &Axis) -> Option<f64> {
    if let AxisPosition::At(t) = axis.place(Some(event.time)) { Some(t) } else { None }
}

fn lasts(event: &Event) -> f64 {
    event.end.since(event.time).map_or(0.0, |nanos| nanos.max(0) as f64 / 1e9)
}

/// Names of whom it is about, as on the map.
fn whom(event: &Event, actors: &Actors) -> String {
    let named = |name: &str| {
        let number = name.strip_prefix("actor_").and_then(|number| number.parse().ok());
        number
            .and_then(|number| actors.get(&number))
            .map_or_else(|| name.to_owned(), |actor| actor.name.clone())
    };
    match &event.other {
        Some(other) => format!("{}, {}", named(&event.subject), named(other)),
        None => named(&event.subject),
    }
}

/// Harm is red, what nearly was or is missing orange, what a vehicle does blue, its modes green.
pub(crate) fn colour(kind: Kind) -> u8 {
    match kind {
        Kind::Contact | Kind::Collision => 1,
        Kind::Stop | Kind::Start | Kind::ClosestApproach => 4,
        Kind::Mode | Kind::FixQuality | Kind::GnssBack => 2,
        Kind::HardAcceleration | Kind::HardBraking | Kind::HardTurn => 0,
        _ => 5,
    }
}
