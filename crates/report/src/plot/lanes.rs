//! When channels have records, and their states: for recordings without numbers and places.

use super::{
    Side,
    charts::{BELOW, colour, times},
};
use crate::{
    collect::{texts::States, timeline::Timeline},
    sheet::{Anchor, Frame, INK, PALE, PAPER, Sheet, width},
    text::{count, short},
};

/// Height of a lane.
const HIGH: f64 = 26.0;

/// Draws the lanes of all recordings, and returns how many had no space; `None` if there are none.
pub(super) fn draw(sheet: &mut Sheet, frame: &Frame, sides: &[Side]) -> Option<usize> {
    let lanes: Vec<(usize, &Side, &Timeline)> = sides
        .iter()
        .enumerate()
        .flat_map(|(n, side)| side.kept.lanes.iter().map(move |lane| (n, side, lane)))
        .filter(|(.., lane)| lane.samples > 0)
        .collect();
    if lanes.is_empty() {
        return None;
    }
    let seconds = sides.iter().map(|side| side.kept.axis.seconds()).fold(0.0, f64::max);
    let names = (frame.width * 0.28).min(320.0);
    let inner = frame.inside(names, 4.0, 130.0, BELOW);
    let most = crate::axis::cell(inner.height / HIGH / 1000.0, 1000).max(1);
    let used = HIGH * lanes.len().min(most) as f64;
    let inner = Frame::new(inner.x, inner.y, inner.width, used);
    times(sheet, &inner, seconds, true);
    for (k, (n, side, lane)) in lanes.iter().take(most).enumerate() {
        let row = Frame::new(inner.x, (k as f64).mul_add(HIGH, inner.y), inner.width, HIGH);
        let name = if sides.len() > 1 {
            format!("{}: {}", short(&side.name), short(&lane.name))
        } else {
            short(&lane.name)
        };
        sheet.brief((frame.x, row.y + 17.0), (12.0, names - 10.0), INK, &name);
        let records = format!("{} {}", count(lane.samples), lane.kind.replace('_', " "));
        sheet.brief((row.right() + 8.0, row.y + 17.0), (11.0, 122.0), PALE, &records);
        let states =
            side.kept.states.iter().find(|states| states.name == lane.name && !states.runs.is_empty());
        match states {
            Some(states) => ribbon(sheet, &row, states, seconds),
            None => records_of(sheet, &row, lane, *n, seconds),
        }
    }
    Some(lanes.iter().skip(most).len())
}

/// A few records as ticks, many as a bar.
fn records_of(sheet: &mut Sheet, row: &Frame, lane: &Timeline, n: usize, seconds: f64) {
    let Some((from, to)) = lane.span else { return };
    let at = |t: f64| {
        if seconds > 0.0 { (t / seconds).mul_add(row.width, row.x) } else { row.x + row.width / 2.0 }
    };
    let bar = Frame::new(at(from), row.y + 6.0, (at(to) - at(from)).max(2.0), HIGH - 12.0);
    if lane.samples > lane.first.len() as u64 {
        sheet.fill(&bar, colour(n));
        return;
    }
    for t in &lane.first {
        sheet.fill(&Frame::new(at(*t) - 1.0, bar.y, 2.0, bar.height), colour(n));
    }
}

/// States with their words.
fn ribbon(sheet: &mut Sheet, row: &Frame, states: &States, seconds: f64) {
    let at = |t: f64| if seconds > 0.0 { (t / seconds).mul_add(row.width, row.x) } else { row.x };
    let mut words: Vec<&str> = Vec::new();
    let ends = states.runs.iter().skip(1).map(|run| run.0).chain([seconds]);
    for ((from, word), to) in states.runs.iter().zip(ends) {
        let known = words.iter().position(|known| known == word).unwrap_or_else(|| {
            words.push(word);
            words.len() - 1
        });
        let run = Frame::new(at(*from), row.y + 3.0, (at(to) - at(*from)).max(1.0), HIGH - 6.0);
        sheet.fill(&run, colour(known));
        if width(word, 11.0) + 8.0 < run.width {
            sheet.text((run.x + 4.0, row.y + 17.0), Anchor::Start, 11.0, PAPER, word);
        }
    }
}
