//! Two adjacent cuts contain the same as one cut over both.

use std::collections::BTreeMap;

use robolog_convert::{Bound, Limit};
use robolog_core::{Clock, Timestamp};
use testkit::Rng;

use super::{
    Breach, Holds,
    digest::{self, Key, Reading},
    mutant::Found,
    parts::{hold_records, in_one_dialect, is_guess},
    recovery::copy,
};

const LAW: &str = "cut + cut = cut";

/// `[a, b)` and `[b, c)` contain the samples of `[a, c)`, and `[a, c)` those of the recording in this range.
pub(super) fn add_up(found: &Found<'_>) -> Holds {
    let Some(reading) = found.read() else { return Ok(()) };
    let Some((clock, times)) = times(&reading.samples) else { return Ok(()) };
    // Sentences of one time, and packets that repeat one, may lie on both sides of others that a cut takes out, and
    // are one fix without these; behind a gap a world is told again.
    if matches!(reading.format, "nmea" | "pcap" | "carla-rec") && !is_in_order(&reading.samples) {
        return Ok(());
    }
    let (Some(start), Some(end)) = (times.first().copied(), times.last().copied()) else { return Ok(()) };
    let mut rng = found.mutant.rng.clone();
    let bounds = bounds(&mut rng, &times);
    let cut = |name: &str, from: i64, to: i64| {
        let at = |nanos: i64| Some(Bound::FromStart(nanos.checked_sub(start)?));
        let (Some(from), Some(to)) = (at(from), at(to)) else { return Ok(None) };
        let mut limit = Limit::new(Some(from), Some(to), None);
        limit.begin_at(Timestamp::new(start, clock));
        limit.end_at(Timestamp::new(end, clock));
        let path = found.place(name);
        let copied = copy(&found.path, &path, &mut limit)
            .map_err(|error| Breach::new(LAW, "a cut fails", format!("{name}: {error}")))?;
        if copied.parts == 0 {
            return Ok(Some(Reading { format: reading.format, ..Reading::default() }));
        }
        if reading.is_remnant(&path) {
            return Ok(None);
        }
        let part = Reading::of(&path).map_err(|error| {
            Breach::new(LAW, "a cut does not open", format!("{name} of {} records: {error}", copied.parts))
        })?;
        if part.format != reading.format {
            return Err(Breach::new(LAW, format!("a cut is found as {}", part.format), name));
        }
        Ok(Some(part))
    };
    let [a, b, c] = bounds;
    let (Some(first), Some(second), Some(both)) =
        (cut("cut-1", a, b)?, cut("cut-2", b, c)?, cut("cut", a, c)?)
    else {
        return Ok(());
    };
    // Sentences that changed places belong to another fix where those between them are cut out.
    if reading.format == "nmea" && !found.mutant.changes.is_empty() {
        return Ok(());
    }
    if is_guess(found, reading) {
        let parts = ["cut-1", "cut-2"].map(|name| found.place(name));
        hold_records(&found.place("cut"), &parts, reading.format == "carla-rec")
            .map_err(|detail| Breach::new(LAW, "a record is in neither of two cuts", detail))?;
        return in_one_dialect(&found.place("cut"), &parts, reading.format)
            .map_err(|(what, detail)| Breach::new(LAW, format!("two cuts in one dialect: {what}"), detail));
    }
    let breach = |place: &str, (what, detail): (String, String)| {
        let whence = format!("from {a} to {b} to {c} ns, the recording from {start} to {end}; {detail}");
        Err(Breach::new(LAW, format!("{place}: {what}"), whence))
    };
    digest::parts_hold(&both, &[&first, &second]).or_else(|fault| breach("two cuts", fault))?;
    // Packets are cut by arrival time, and measured earlier.
    if reading.format == "pcap" {
        return Ok(());
    }
    // The samples of the whole in this range, and no others.
    let begin = digest::start(&both.samples);
    let within = |key: &&Key| {
        let is_within = key.time.is_some_and(|(own, nanos)| own == clock && (a..c).contains(&nanos));
        is_within && !key.is_joint(reading.format) && !key.is_state(reading.format, begin, false)
    };
    let there: Vec<Key> = reading.samples.iter().filter(within).cloned().collect();
    let cut: Vec<Key> = both.samples.iter().filter(within).cloned().collect();
    digest::same_by_itself(&there, &cut, reading.format).or_else(|fault| breach("a cut", fault))
}

/// Whether no sample is earlier than one of its channel before it, and no fix at its time.
fn is_in_order(samples: &[Key]) -> bool {
    let mut latest = BTreeMap::new();
    samples.iter().all(|key| {
        // A CARLA frame without a time is in no cut.
        let Some((clock, nanos)) = key.time else { return key.kind != "row" };
        let before = latest.insert((&key.channel, clock.name()), nanos);
        before.is_none_or(|before| before < nanos || before == nanos && key.kind != "gnss_fix")
    })
}

/// The most frequent clock, and its times in order.
fn times(samples: &[Key]) -> Option<(Clock, Vec<i64>)> {
    let mut clocks: BTreeMap<&str, (Clock, Vec<i64>)> = BTreeMap::new();
    for (clock, nanos) in samples.iter().filter_map(|key| key.time) {
        clocks.entry(clock.name()).or_insert((clock, Vec::new())).1.push(nanos);
    }
    let (clock, mut times) = clocks.into_values().max_by_key(|(_, times)| times.len())?;
    times.sort_unstable();
    Some((clock, times))
}

/// Three bounds: mostly the whole and any time between, which is often that of a sample.
fn bounds(rng: &mut Rng, times: &[i64]) -> [i64; 3] {
    let any = |rng: &mut Rng| times[rng.below(times.len())].saturating_add([0, 0, 1][rng.below(3)]);
    let mut bounds = [any(rng), any(rng), any(rng)];
    if rng.below(2) == 0 {
        (bounds[0], bounds[2]) = (times[0], times[times.len() - 1].saturating_add(1));
    }
    bounds.sort_unstable();
    bounds
}
