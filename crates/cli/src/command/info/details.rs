//! The key facts of each format.

mod documents;
mod logs;
mod sensors;

use robolog_core::{Channel, text::Escaped};
use serde_json::Value as Json;

use crate::screen::{Screen, Tone, columns, pad};
use robolog_convert::{Surveyed, journey::Journey};

/// Labelled facts, each a list of parts.
#[derive(Debug, Default)]
pub(super) struct Facts(Vec<(String, Vec<String>)>);

/// Maximum number of list items shown.
const NAMED: usize = 12;
/// Maximum number of actors of one kind that are listed.
const LISTED: usize = 6;
/// Maximum number of different attributes of channels.
const KINDS: usize = 24;
/// Maximum letters of an attribute shown.
const LONG: usize = 60;

/// The facts of a recording as lines; empty if there are none.
pub(super) fn details(info: &Surveyed, screen: Screen) -> String {
    let mut facts = Facts::default();
    let details = &info.summary.details;
    match info.format {
        "alog" => logs::alog(details, &mut facts),
        "carla-rec" => logs::carla_rec(details, &mut facts),
        "koblenz-log" => logs::koblenz_log(details, &mut facts),
        "lvx" => sensors::lvx(info, &mut facts),
        "pcap" => sensors::pcap(details, &mut facts),
        "effibox" => documents::effibox(details, &mut facts),
        "gpx" => documents::gpx(details, &mut facts),
        "kml" => documents::kml(details, &mut facts),
        "nmea" => documents::nmea(details, &mut facts),
        _ => {}
    }
    if let Some(journey) = &info.journey {
        facts.journey(journey);
    }
    facts.attributes(&info.summary.channels);
    facts.lines(screen)
}

impl Facts {
    /// Adds a fact, unless it is empty.
    fn add(&mut self, label: &str, parts: impl IntoIterator<Item = String>) {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() {
            self.0.push((label.to_owned(), parts));
        }
    }

    /// Adds a text from the file, if present.
    fn text(&mut self, label: &str, value: Option<&Json>) {
        self.add(label, value.and_then(text));
    }

    /// Adds counts by name, largest first, after their sum if there are several.
    fn counts(&mut self, label: &str, value: Option<&Json>) {
        let mut all = counts(value);
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let total = all.iter().fold(0_u64, |sum, (_, n)| sum.saturating_add(*n));
        let total = (all.len() > 1).then(|| format!("{total} in all"));
        let parts = all.iter().map(|(name, n)| format!("{n} {name}"));
        self.add(label, few(total.into_iter().chain(parts).collect()));
    }

    /// Adds distance, climb, time in motion and speeds of the track.
    fn journey(&mut self, journey: &Journey) {
        let metres = |value: f64| {
            if value < 1e4 { format!("{value:.1} m") } else { format!("{:.3} km", value / 1e3) }
        };
        let mut parts = vec![format!("{} in plan", metres(journey.distance_m))];
        if let Some((ascent, descent)) = journey.ascent_m.zip(journey.descent_m) {
            let step = journey.climb_step_m;
            parts.push(format!("{} up and {} down in steps of {step} m", metres(ascent), metres(descent)));
        }
        if let Some(moving) = journey.moving_s {
            let above = journey.moving_above_mps * 3.6;
            parts.push(format!("{moving:.1} s in motion above {above:.0} km/h"));
        }
        if let Some((mean, greatest)) = journey.mean_speed_mps.zip(journey.greatest_speed_mps) {
            parts.push(format!("{mean:.2} m/s on average then, {greatest:.2} m/s at most"));
        }
        self.add("path", parts);
    }

    /// Adds the attributes of channels, each list once.
    fn attributes(&mut self, channels: &[Channel]) {
        let mut told: Vec<(&Channel, Vec<&str>)> = Vec::new();
        for channel in channels.iter().filter(|channel| !channel.attributes.is_empty()) {
            match told.iter_mut().find(|(known, _)| known.attributes == channel.attributes) {
                Some((_, owners)) => owners.push(owner(&channel.name)),
                None => told.push((channel, vec![owner(&channel.name)])),
            }
        }
        let is_of_all = match told.as_slice() {
            [(one, _)] => channels.iter().all(|channel| channel.attributes == one.attributes),
            _ => false,
        };
        for (channel, owners) in told.iter_mut().take(KINDS) {
            owners.dedup();
            let part = |(key, value): (&str, &str)| {
                let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
                let shown: String = line.chars().take(LONG).collect();
                let more = if shown.len() < line.len() { "…" } else { "" };
                format!("{}: {}{more}", Escaped(key.as_bytes()), Escaped(shown.as_bytes()))
            };
            let is_one = is_of_all && channels.len() > 1;
            let name = if is_one { "all channels".into() } else { owned(owners) };
            let label = Escaped(name.as_bytes()).to_string();
            self.add(&label, channel.attributes.iter().take(NAMED).map(part));
        }
        if told.len() > KINDS {
            self.add("", ["and the attributes of more channels: --json lists them".to_owned()]);
        }
    }

    fn lines(&self, screen: Screen) -> String {
        let label = self.0.iter().map(|(label, _)| columns(label)).fold(0, usize::max);
        let mut out = String::new();
        for (name, parts) in &self.0 {
            let lines = screen.wrap(&format!("  {}  ", pad(name, label)), parts);
            out.push_str(&lines.replacen(name.as_str(), &screen.paint(Tone::Dim, name), 1));
        }
        if out.is_empty() { out } else { format!("\n{out}") }
    }
}

/// The actor or track of a channel, else the channel.
fn owner(channel: &str) -> &str {
    let name = channel.rsplit_once("/segment").map_or(channel, |(track, _)| track);
    let actor = name.split_once('/').filter(|(actor, _)| actor.starts_with("actor_"));
    actor.map_or(name, |(actor, _)| actor)
}

/// Actors of equal attributes, by number, such as `actor_190, 192`; else the first channel.
fn owned(owners: &[&str]) -> String {
    let numbers: Vec<&str> = owners.iter().filter_map(|owner| owner.strip_prefix("actor_")).collect();
    match numbers.as_slice() {
        [] => owners.first().map_or_else(String::new, |first| (*first).to_owned()),
        few if few.len() <= LISTED => format!("actor_{}", few.join(", ")),
        [first, others @ ..] => format!("actor_{first} and {} like it", others.len()),
    }
}

/// The first items, with the number of the others.
fn few(mut parts: Vec<String>) -> Vec<String> {
    let most = NAMED + 1;
    if let more @ 1.. = parts.iter().skip(most).len() {
        parts.truncate(most);
        parts.push(format!("and {more} more"));
    }
    parts
}

/// A text of the file, escaped for display; `None` if empty.
fn text(value: &Json) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(|text| Escaped(text.as_bytes()).to_string())
}

/// Counts by name.
fn counts(value: Option<&Json>) -> Vec<(String, u64)> {
    let all = value.and_then(Json::as_object).into_iter().flatten();
    all.filter_map(|(name, n)| Some((Escaped(name.as_bytes()).to_string(), n.as_u64()?))).collect()
}

fn number(details: &Json, key: &str) -> u64 {
    details.get(key).and_then(Json::as_u64).unwrap_or(0)
}

/// `1 track`, `3 tracks`, `3 files of no interface`; empty for 0.
fn several(n: u64, what: &str) -> String {
    let words = [" of ", " with", " before ", " out "];
    let end = words.iter().filter_map(|word| what.find(word)).min().unwrap_or(what.len());
    let (noun, rest) = what.split_at(end);
    match (n, noun) {
        (0, _) => String::new(),
        (1, _) => format!("1 {what}"),
        (n, "entry") => format!("{n} entries{rest}"),
        (n, _) => format!("{n} {noun}s{rest}"),
    }
}

/// The same for a number in the details.
fn several_of(details: &Json, key: &str, what: &str) -> String {
    several(number(details, key), what)
}

/// Items of a list.
fn items<'j>(details: &'j Json, key: &str) -> impl Iterator<Item = &'j Json> {
    details.get(key).and_then(Json::as_array).into_iter().flatten()
}

/// A number with at most `decimals` decimals, without zeros at its end.
fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_listed_by_size_with_their_sum_and_the_rest_is_counted() {
        let mut facts = Facts::default();
        facts.counts("types", Some(&json!({ "GGA": 3, "GSV": 9 })));
        let many: serde_json::Map<String, Json> = (0..20).map(|n| (format!("V{n:02}"), json!(1))).collect();
        facts.counts("many", Some(&Json::Object(many)));
        facts.counts("none", Some(&json!({})));
        assert_eq!(facts.0.len(), 2);
        assert_eq!(facts.0[0].1, ["12 in all", "9 GSV", "3 GGA"]);
        assert_eq!(facts.0[1].1.last().unwrap(), "and 8 more");
    }

    #[test]
    fn texts_of_the_file_are_escaped() {
        let mut facts = Facts::default();
        facts.text("map", Some(&json!("Town\u{1b}[31m")));
        facts.text("empty", Some(&json!("")));
        assert_eq!(facts.lines(Screen::pipe()), "\n  map  Town\\u{1b}[31m\n");
    }

    #[test]
    fn nouns_have_their_plural() {
        let all =
            [(0, "track"), (1, "entry out of order"), (2, "entry out of order"), (3, "file of no interface")];
        let told = all.map(|(n, what)| several(n, what));
        assert_eq!(told, ["", "1 entry out of order", "2 entries out of order", "3 files of no interface"]);
    }

    #[test]
    fn numbers_lose_zeros_alone() {
        assert_eq!([10.0, 0.5, -0.0001, 100.25].map(|n| short(n, 2)), ["10", "0.5", "0", "100.25"]);
    }
}
