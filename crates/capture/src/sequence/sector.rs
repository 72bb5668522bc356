//! Gaps between the packets of a head that turns: in the sector where it does not measure, none are lost.

use koblenz_log::velodyne_packet::ROTATION_STEPS;

use super::{
    Lost,
    tick::{Turn, between},
};

/// The gaps of a head that turns.
#[derive(Debug)]
pub(super) struct Gaps {
    /// Degrees at which the head measured.
    covered: [bool; 360],
    /// Number of others.
    dark: u16,
    /// Number of turns, and the last rotation.
    turns: u64,
    before: Option<u16>,
    /// Rotations between which it does not measure, as seen inside a packet.
    skipped: Option<(u16, u16)>,
    wide: Vec<Gap>,
}

/// A gap: the rotations around it, and the capture times around it with the number of packets missing.
#[derive(Debug, Clone, Copy)]
struct Gap {
    /// Of the first block of the packet before it, and of its last.
    first: u16,
    from: u16,
    to: u16,
    /// Hundredths of a degree from the first block before it to the first behind it, with whole turns.
    turned: i64,
    span: (i64, i64, u64),
}

/// Narrower sectors are packets lost.
const NARROW: u16 = 1000;
/// Maximum number of wide gaps held.
const HELD: usize = 1 << 14;
/// Number of gaps tried as the sector.
const TRIED: usize = 32;

impl Default for Gaps {
    fn default() -> Self {
        Self { covered: [false; 360], dark: 360, turns: 0, before: None, skipped: None, wide: Vec::new() }
    }
}

impl Gaps {
    /// Notes where the head measured.
    pub(super) fn cover(&mut self, turn: Option<Turn>) {
        let Some(turn) = turn else { return };
        if self.before.replace(turn.first).is_some_and(|before| turn.first < before) {
            self.turns += 1;
        }
        match turn.skipped {
            None => self.mark(turn.first, turn.last),
            Some((from, to)) => {
                self.skipped = self.skipped.or(turn.skipped);
                self.mark(turn.first, from);
                self.mark(to, turn.last);
            }
        }
    }

    fn mark(&mut self, from: u16, to: u16) {
        // As soon as a head has turned once, unless it skips a sector.
        if self.dark == 0 {
            return;
        }
        let (mut degree, last) =
            (usize::from(from % ROTATION_STEPS / 100), usize::from(to % ROTATION_STEPS / 100));
        for _ in 0..self.covered.len() {
            if let Some(covered) = self.covered.get_mut(degree)
                && !std::mem::replace(covered, true)
            {
                self.dark -= 1;
            }
            if degree == last {
                return;
            }
            degree = if degree == 359 { 0 } else { degree + 1 };
        }
    }

    /// A gap after the packet with `before`, in which the head turned by `turned`: at once lost, if it is no sector.
    pub(super) fn push(
        &mut self,
        before: Turn,
        now: Turn,
        turned: i64,
        span: (i64, i64, u64),
        lost: &mut Lost,
    ) {
        let is_narrow = turned < NARROW.into();
        if is_narrow || before.skipped.is_some() || self.wide.len() >= HELD {
            lost.add(span);
        } else {
            self.wide.push(Gap { first: before.first, from: before.last, to: now.first, turned, span });
        }
    }

    /// A packet of the last gap came late. False if there was another one at `since` or later.
    pub(super) fn found(&mut self, since: i64) -> bool {
        let Some(last) = self.wide.last_mut().filter(|gap| gap.span.1 > since) else { return false };
        last.span.2 = last.span.2.saturating_sub(1);
        true
    }

    /// The gaps, without the packets that a head which turns by `travel` from packet to packet would have sent from the
    /// sector.
    pub(super) fn without_sector(&self, travel: i64, narrow: &Lost, received: u64) -> Vec<(i64, i64, u64)> {
        let found = self.sector(travel, narrow, received).filter(|_| self.skipped.is_none());
        let spans = self.wide.iter().map(|gap| {
            let (from, to, missing) = gap.span;
            // Edges of a sector that lie between two packets are not exact.
            let is_sector = found.is_some_and(|sector| gap.is_like(sector, travel));
            let missing = match self.skipped.or(found) {
                Some(_) if is_sector => 0,
                Some(sector) => gap.missing(sector, travel).unwrap_or(missing),
                None => missing,
            };
            (from, to, missing)
        });
        spans.filter(|span| span.2 > 0).collect()
    }

    /// The rotations between which the head never measured: what the gaps of nearly all turns have in common.
    fn sector(&self, travel: i64, narrow: &Lost, received: u64) -> Option<(u16, u16)> {
        let least = (self.turns * 3).div_ceil(5).max(2);
        let is_sector = |sector: &(u16, u16)| {
            let passes = self.wide.iter().filter(|gap| gap.contains(*sector)).count() as u64;
            between(sector.0, sector.1) >= NARROW
                && passes >= least
                && self.is_dark(*sector, travel)
                && !self.is_chance(*sector, travel, narrow, received)
        };
        let all = self.wide.iter().take(TRIED).filter_map(|gap| self.common(*gap)).filter(is_sector);
        all.max_by_key(|(from, to)| between(*from, *to))
    }

    /// What a gap has in common with all that lie around its middle.
    fn common(&self, gap: Gap) -> Option<(u16, u16)> {
        let middle = gap.middle()?;
        let around = || self.wide.iter().filter(|gap| gap.contains((middle, middle)) && !gap.is_turn());
        let from = around().map(|gap| gap.from).min_by_key(|from| between(*from, middle))?;
        let to = around().map(|gap| gap.to).min_by_key(|to| between(middle, *to))?;
        Some((from, to))
    }

    /// Whether losses alone are likely to leave out this sector in every turn, somewhere in the circle: if many packets
    /// are missing elsewhere, and the turns are few.
    #[expect(clippy::cast_precision_loss, reason = "a probability")]
    fn is_chance(&self, sector: (u16, u16), travel: i64, narrow: &Lost, received: u64) -> bool {
        /// How many such sectors losses may leave out, on average.
        const LIKELY: f64 = 0.001;
        let beside = |gap: &Gap| match gap.missing(sector, travel) {
            _ if gap.is_like(sector, travel) => 0,
            Some(missing) => missing,
            None => gap.span.2,
        };
        let losses = self.wide.iter().map(beside).filter(|missing| *missing > 0);
        let (gaps, missing) = losses.fold((narrow.spans.len(), narrow.packets), |(gaps, sum), missing| {
            (gaps + 1, sum.saturating_add(missing))
        });
        if missing == 0 || travel <= 0 {
            return false;
        }
        let rate = missing as f64 / received.saturating_add(missing) as f64;
        // Packets of a burst are lost together.
        let burst = missing as f64 / gaps.max(1) as f64;
        let packets = f64::from(between(sector.0, sector.1)) / travel as f64;
        let times = (packets / burst).ceil().max(1.0) * self.turns as f64;
        let places = f64::from(ROTATION_STEPS) / travel as f64;
        places * rate.powf(times) > LIKELY
    }

    /// Whether the head never measured between these rotations, but for their edges.
    fn is_dark(&self, (from, to): (u16, u16), travel: i64) -> bool {
        let edge = edge(travel);
        let width = between(from, to);
        let degrees = (edge..width.saturating_sub(edge)).step_by(100);
        let mut dark = degrees.map(|ahead| {
            let at = (u32::from(from) + u32::from(ahead)) % u32::from(ROTATION_STEPS);
            usize::try_from(at / 100).ok().and_then(|degree| self.covered.get(degree)) == Some(&false)
        });
        dark.all(|is_dark| is_dark)
    }
}

/// How far the edges of a sector may lie apart: a packet begins anywhere.
fn edge(travel: i64) -> u16 {
    u16::try_from(travel).unwrap_or(u16::MAX).saturating_add(100).min(NARROW)
}

fn is_close(a: u16, b: u16, travel: i64) -> bool {
    between(a, b).min(between(b, a)) <= edge(travel)
}

impl Gap {
    /// Whether the head turned once or more in it.
    fn is_turn(self) -> bool {
        self.turned >= ROTATION_STEPS.into()
    }

    /// The rotation in the middle.
    fn middle(self) -> Option<u16> {
        let half = between(self.from, self.to) / 2;
        (!self.is_turn()).then(|| self.from.wrapping_add(half) % ROTATION_STEPS)
    }

    /// Whether these rotations lie in it.
    fn contains(self, (from, to): (u16, u16)) -> bool {
        let width = between(self.from, self.to);
        self.is_turn() || between(self.from, from).max(between(self.from, to)) <= width
    }

    /// Whether it lies between these rotations.
    fn is_like(self, (from, to): (u16, u16), travel: i64) -> bool {
        is_close(self.from, from, travel) && is_close(self.to, to, travel)
    }

    /// The number of packets missing from a head that does not send between these rotations; `None` if they do not lie
    /// in the gap.
    fn missing(self, (from, to): (u16, u16), travel: i64) -> Option<u64> {
        let until = i64::from(between(self.first, from));
        let turn = i64::from(ROTATION_STEPS);
        let passed = self.turned.saturating_sub(until);
        // How often the head came through the sector, to its end.
        let width = i64::from(between(from, to));
        let times = passed.saturating_sub(width / 2).saturating_add(turn).div_euclid(turn).max(0);
        let measured = self.turned.saturating_sub(times.saturating_mul(width));
        let packets = measured.saturating_add(travel / 2).checked_div(travel)?;
        (times > 0).then(|| packets.max(1).unsigned_abs() - 1)
    }
}
