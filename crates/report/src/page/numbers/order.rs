//! Order of panels: the most active first.

use std::collections::BTreeMap;

use super::{Drawn, Flat, ends, split};
use crate::{
    collect::numbers::{OTHERS, Panel, rank},
    page::Recording,
};

/// Moving objects by channel prefix: metres travelled, and whether it is the hero or, without a hero, the one that
/// travels farthest.
pub(crate) type Movers = BTreeMap<String, (f64, bool)>;

/// Metres below which an actor is parked.
const STANDS: f64 = 1.0;

pub(crate) fn movers(recording: &Recording<'_>) -> Movers {
    let heroes = recording.surveyed.summary.details.get("heroes").and_then(serde_json::Value::as_array);
    let ids = heroes.into_iter().flatten().filter_map(serde_json::Value::as_u64);
    let heroes: Vec<String> = ids.map(|id| format!("actor_{id}/")).collect();
    let actors = recording.kept.tracks.iter().filter_map(|track| {
        let end = track.name.find('/').filter(|_| track.name.starts_with("actor_"))? + 1;
        Some((track.name.get(..end)?.to_owned(), track.length()))
    });
    let mut movers: Movers = actors.map(|(name, length)| (name, (length, false))).collect();
    let most = movers.iter().filter(|(_, mover)| mover.0 >= STANDS).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let first =
        if heroes.is_empty() { most.map(|(name, _)| name.clone()).into_iter().collect() } else { heroes };
    for name in first {
        movers.entry(name).or_insert((0.0, true)).1 = true;
    }
    movers
}

/// Whether all values are noise for their unit: wheels of a parked car turn by a billionth of a degree.
fn is_noise(unit: &str, (least, greatest): (f64, f64)) -> bool {
    let floor = match unit {
        unit if unit.starts_with("m/s") && !unit.starts_with("m/s²") && !unit.starts_with("m/s^2") => 0.02,
        "°" | "deg" | "°/s" | "deg/s" => 0.02,
        _ => 1e-7,
    };
    least.abs().max(greatest.abs()) < floor
}

/// The panels in order of interest, and series without information over time.
pub(crate) fn sorted<'a>(panels: &'a [Panel], movers: &Movers) -> (Vec<Drawn<'a>>, Vec<Flat<'a>>) {
    let mut drawn: Vec<Drawn<'a>> = Vec::new();
    let mut flat = Vec::new();
    let mut shapes: Vec<(Vec<f64>, usize)> = Vec::new();
    let has_first = movers.values().any(|mover| mover.1);
    for panel in panels {
        for (title, lines) in split(panel) {
            let range = lines.iter().map(|(_, series)| series.range()).fold(0.0, f64::max);
            let greatest = lines.iter().map(|(_, series)| series.greatest.abs()).fold(1.0, f64::max);
            // A single moment is not a curve, and tiny values are noise.
            let is_moment = lines.iter().all(|(_, series)| series.is_moment());
            if range <= 1e-9 * greatest || is_moment || is_noise(&panel.unit, ends(&lines)) {
                flat.extend(
                    lines.into_iter().map(|(name, series)| (format!("{title} {name}"), &*panel.unit, series)),
                );
                continue;
            }
            if let [(_, series)] = lines.as_slice() {
                let shape = series.shape(64);
                let twin = shapes
                    .iter()
                    .find(|(known, _)| known.iter().zip(&shape).all(|(a, b)| (a - b).abs() <= 0.005 * range));
                if let Some(twin) = twin.and_then(|(_, at)| drawn.get_mut(*at)) {
                    twin.same.push(title);
                    continue;
                }
                shapes.push((shape, drawn.len()));
            }
            let changes = lines.iter().map(|(_, series)| series.changes).max().unwrap_or(0);
            let is_counter =
                lines.iter().all(|(_, series)| series.is_rising && series.count > 9 && series.changes > 2);
            let is_back = title.to_lowercase().contains("speed") && ends(&lines).0 < -0.05;
            let owner = panel.channel.split_inclusive('/').next().unwrap_or("");
            let mover = movers.get(owner).copied();
            // Values of a hero come before those of others, parked objects last.
            let rank = match mover {
                Some((_, true)) => rank(&title),
                Some((gone, false)) if gone < STANDS => AFTER_HEROES + OTHERS + 2,
                _ if has_first => rank(&title).saturating_add(AFTER_HEROES),
                _ => rank(&title),
            };
            drawn.push(Drawn {
                title,
                unit: &panel.unit,
                lines,
                same: Vec::new(),
                actor: owner.strip_prefix("actor_").and_then(|rest| rest.strip_suffix('/')?.parse().ok()),
                rank,
                is_late: is_counter || is_back || changes < 3,
                moved: crate::axis::cell(mover.map_or(0.0, |mover| mover.0) / 1e6, 10_000_000) as u64,
                changes: changes.min(3000),
            });
        }
    }
    (in_order(drawn), flat)
}

/// Added to the rank of values of others than the hero.
pub(super) const AFTER_HEROES: u8 = 110;
/// Number of panels of one rank before the next rank: of ten cars first three speeds, then three pedals.
const TURN: usize = 3;

/// Sorts by rank; within a rank, the farthest travelled and most active first.
fn in_order(mut drawn: Vec<Drawn<'_>>) -> Vec<Drawn<'_>> {
    use std::cmp::Reverse;
    drawn.sort_by_key(|panel| (panel.rank, panel.is_late, Reverse(panel.moved), Reverse(panel.changes)));
    let mut met: BTreeMap<u8, usize> = BTreeMap::new();
    let mut ordered: Vec<_> = drawn
        .into_iter()
        .map(|panel| {
            let met = met.entry(panel.rank).or_default();
            let turn = *met / TURN;
            *met += 1;
            let base = if panel.rank < AFTER_HEROES { 0 } else { AFTER_HEROES };
            // Unwanted panels come after all wanted ones.
            let is_asked = panel.rank - base < OTHERS;
            let key = (
                panel.is_last(),
                base,
                !is_asked,
                panel.is_late,
                if is_asked { turn } else { 0 },
                panel.rank,
            );
            (key, panel)
        })
        .collect();
    ordered.sort_by_key(|(key, _)| *key);
    ordered.into_iter().map(|(_, panel)| panel).collect()
}
