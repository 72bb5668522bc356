//! Channels with a few short values, as ribbons with the word in them.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Recording, Section, plural, put, table, time_axis};
use crate::{
    collect::texts::States,
    text::{Esc, short, span},
};

/// Maximum number of ribbons, and of rows of the table.
const DRAWN: usize = 12;
const LISTED: usize = 600;

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let axis = &recording.kept.axis;
    let drawn: Vec<&States> = recording.kept.states.iter().filter(|states| states.is_drawn()).collect();
    // Lights of one group change together and share a ribbon.
    let mut ribbons: Vec<(&States, usize)> = Vec::new();
    for states in &drawn {
        match ribbons.iter_mut().find(|(ribbon, _)| ribbon.runs == states.runs) {
            Some((_, alike)) => *alike += 1,
            None => ribbons.push((states, 0)),
        }
    }
    if ribbons.is_empty() {
        return None;
    }
    ribbons.sort_by_key(|(states, _)| std::cmp::Reverse(states.runs.len()));
    let colours = colours(ribbons.iter().flat_map(|(states, _)| states.runs.iter().map(|run| &*run.1)));
    let mut body = String::from("<div class=\"lanes\">");
    for (states, alike) in ribbons.iter().take(DRAWN) {
        let name = short(&states.name);
        let more = if *alike > 0 { format!(" + {alike} alike") } else { String::new() };
        put!(body, "<div class=\"lane\">{}", super::lanes::name_of(&name, &more));
        body.push_str("<div class=\"tx seglane\"><div class=\"in\">");
        for (from, to, word) in runs(states, axis.seconds()) {
            let (left, right) = (100.0 * axis.fraction(from), 100.0 * axis.fraction(to));
            let colour = colours.get(&word.to_lowercase()).copied().unwrap_or(6);
            put!(
                body,
                "<span class=\"seg s{colour}\" style=\"left:{left:.2}%;width:{:.2}%\" title=\"{1}: {2} to {3}\">{1}</span>",
                right - left,
                Esc(word),
                span(from),
                span(to)
            );
        }
        put!(
            body,
            "</div></div><span class=\"st\">{}</span></div>\n",
            plural(states.runs.len() - 1, "change")
        );
    }
    put!(body, "<div class=\"lane axis\"><span></span>{}<span></span></div></div>", time_axis(axis, 5.0));
    let mut rows = String::new();
    let all = drawn.iter().flat_map(|states| runs(states, axis.seconds()).map(|run| (&states.name, run)));
    for (name, (from, to, word)) in all.take(LISTED) {
        put!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{from:.3}</td><td>{to:.3}</td></tr>\n",
            Esc(&short(name)),
            Esc(word)
        );
    }
    body.push_str(&table("All states as a table", "Channel|State|From, s|To, s", &rows));
    let mut lead = String::from("Channels with a few short values. A state holds until the next record.");
    if let more @ 1.. = ribbons.iter().skip(DRAWN).len() {
        put!(lead, " The table has {more} more.");
    }
    Some(Section { id: "states", title: "States", lead, body })
}

/// Start, end and word.
fn runs(states: &States, end: f64) -> impl Iterator<Item = (f64, f64, &str)> {
    let ends = states.runs.iter().skip(1).map(|run| run.0).chain([end]);
    states.runs.iter().zip(ends).map(|((from, word), to)| (*from, to.max(*from), &**word))
}

/// One colour per word on the whole page; traffic lights have their own.
fn colours<'a>(words: impl Iterator<Item = &'a str>) -> BTreeMap<String, u8> {
    const OWN: [(&str, u8); 10] = [
        ("red", 1),
        ("yellow", 5),
        ("green", 2),
        ("true", 2),
        ("yes", 2),
        ("false", 6),
        ("no", 6),
        ("none", 6),
        ("off", 6),
        ("", 6),
    ];
    let mut colours: BTreeMap<String, u8> = words.map(|word| (word.to_lowercase(), u8::MAX)).collect();
    let mut free = [0, 4, 3, 5, 2, 1].into_iter().cycle();
    for (word, colour) in &mut colours {
        let own = OWN.iter().find(|own| own.0 == word).map(|own| own.1);
        *colour = own.or_else(|| free.next()).unwrap_or(6);
    }
    colours
}
