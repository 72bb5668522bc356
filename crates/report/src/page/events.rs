//! Texts and events; equal ones share a row.

use std::fmt::Write as _;

use super::{Recording, Section, open_table, plural, put, table};
use crate::text::{Esc, count, short};

/// Channels whose events come first.
const FIRST: [&str; 9] = [
    "collisions",
    "events",
    "DB_EVENT",
    "PROC_WATCH_EVENT",
    "BHV_WARNING",
    "BHV_ERROR",
    "IVPHELM_LIFE_EVENT",
    "MOOS_DEBUG",
    "waypoints",
];

const HEADS: &str = "First, s|Last, s|Count|Channel|Text";
/// Number of open rows.
const OPEN: usize = 60;

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let events = &recording.kept.events;
    if events.rows.is_empty() {
        return None;
    }
    let name = |channel: usize| events.counts.get(channel).map_or("", |channel| &*channel.0);
    let rank = |channel: usize| FIRST.iter().position(|first| *first == name(channel)).unwrap_or(FIRST.len());
    let mut rows: Vec<_> = events.rows.iter().collect();
    rows.sort_by_key(|row| (rank(row.channel), row.channel));
    let (mut html, mut more) = (String::new(), String::new());
    for (n, row) in rows.into_iter().enumerate() {
        let time = |t: Option<f64>| t.map_or_else(|| "–".into(), |t| format!("{t:.3}"));
        let last = if row.times > 1 { time(row.last) } else { String::new() };
        put!(
            if n < OPEN { &mut html } else { &mut more },
            "<tr><td>{}</td><td>{last}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            time(row.first),
            count(row.times),
            Esc(&short(name(row.channel))),
            Esc(&row.text)
        );
    }
    let mut body = String::from(
        "<p class=\"scripted\"><label>Search <input id=\"find\" type=\"search\" autocomplete=\"off\"></label> \
         <output id=\"found\"></output></p><div id=\"events-table\">",
    );
    open_table(&mut body, HEADS, &html);
    if let left @ 1.. = events.rows.iter().skip(OPEN).len() {
        body.push_str(&table(&format!("{} more", plural(left, "row")), HEADS, &more));
    }
    body.push_str("</div>");
    let mut rows = String::new();
    for (name, texts, beyond) in events.counts.iter().take(1000) {
        put!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            Esc(&short(name)),
            count(*texts),
            count(*beyond)
        );
    }
    body.push_str(&table("Counts by channel", "Channel|Texts|Not listed above", &rows));
    let beyond: u64 = events.counts.iter().map(|channel| channel.2).sum();
    let mut lead = String::from("Equal texts of a channel are one row with their count.");
    if beyond > 0 {
        put!(lead, " {} texts of frequent channels are not listed.", count(beyond));
    }
    Some(Section { id: "events", title: "Texts and events", lead, body })
}
