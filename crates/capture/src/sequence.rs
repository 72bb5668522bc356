//! The order of the packets of one stream: those that come twice, those that never arrived, and stamps that jump back
//! and forth.

mod pace;
mod sector;
mod tick;

use koblenz_log::{layout::PACKET_LEN, velodyne_packet::POSITION_PACKET_LEN};
use lvx::{
    Version,
    layout::{PackageHeader1, Sdk2Header},
};
use robolog_core::layout::Packed as _;

pub(crate) use self::{pace::Pace, tick::Tick};
use self::{pace::Steps, sector::Gaps};
use crate::{Datagram, payload::Payload};

/// Notices packets that were captured twice.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    digests: [u64; RECENT],
    next: usize,
}

/// A packet is captured twice on its way through the same computer, so the second comes soon.
const RECENT: usize = 16;

impl Recent {
    /// Whether one of the last packets of the sensor was the same.
    pub(crate) fn repeats_payload(&mut self, datagram: &Datagram<'_>, payload: Payload) -> bool {
        stamp_of(payload).is_some_and(|stamp| self.repeats(datagram.payload, stamp))
    }

    /// Whether one of the last packets was the same. Packets whose stamp is zero never are: without one, packets may be
    /// the same by accident.
    pub(crate) fn repeats(&mut self, payload: &[u8], (at, mask): (usize, u64)) -> bool {
        let stamp = word(payload, at);
        if stamp & mask == 0 {
            return false;
        }
        let digest = digest(payload, stamp);
        if self.digests.contains(&digest) {
            return true;
        }
        if let Some(oldest) = self.digests.get_mut(self.next % RECENT) {
            *oldest = digest;
        }
        self.next = self.next.wrapping_add(1);
        false
    }
}

/// Eight bytes with the stamp of a packet: where they are, and which of their bits are the stamp.
const fn stamp_of(payload: Payload) -> Option<(usize, u64)> {
    match payload {
        // Behind the device index that a payload lacks.
        Payload::Points(Version::V1_1) | Payload::Imu(Version::V1_1) => {
            Some((PackageHeader1::LEN - 9, u64::MAX))
        }
        Payload::Points(_) | Payload::Imu(_) | Payload::Spread => Some((Sdk2Header::LEN - 8, u64::MAX)),
        // Four bytes, with two before and two behind.
        Payload::Velodyne => Some((PACKET_LEN - 8, 0xffff_ffff << 16)),
        Payload::Position => Some((198, 0xffff_ffff)),
        Payload::Other => None,
    }
}

#[inline]
fn word(payload: &[u8], at: usize) -> u64 {
    let word = payload.get(at..).and_then(<[u8]>::first_chunk);
    word.map_or(0, |word| u64::from_le_bytes(*word))
}

/// Of the stamp, the counter and some points: packets of points with the same are the same. Of a position packet, whose
/// contents hardly change, everything.
fn digest(payload: &[u8], stamp: u64) -> u64 {
    let mix = |digest: u64, word: u64| (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (len, start) = (payload.len(), mix(0, stamp));
    let words = |digest, at| mix(digest, word(payload, at));
    if len == POSITION_PACKET_LEN {
        return (0..len).step_by(8).fold(start, words);
    }
    [4, len / 2, len / 2 + len / 4].into_iter().fold(start, words)
}

/// Counts the packets of a stream that never arrived.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    /// The last packet that arrived, and one that was sent after it, if any.
    before: Option<Tick>,
    ahead: Option<Tick>,
    packets: u64,
    /// The first packets, until their pace is known.
    waiting: Vec<Tick>,
    pace: Option<Pace>,
    steps: Steps,
    gaps: Gaps,
    lost: Lost,
    /// Packets closer together than one sensor can send them.
    crowded: u64,
    /// Of stamps, and of counters or rotations.
    swings: [Swing; 2],
    /// Whether the counter began again while stamps went on.
    restarts: bool,
    ended: bool,
}

/// The packets that never arrived.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) packets: u64,
    /// Capture times of the packets around each gap, with the number lost in it; the first ones only.
    pub(crate) spans: Vec<(i64, i64, u64)>,
}

/// Maximum number of gaps listed.
pub(crate) const LISTED: usize = 1000;
/// Number of packets whose stamps give the pace.
const FIRST: usize = 64;
/// A longer silence is a sensor that was off, or not captured, unless a counter says otherwise.
const PAUSE: i64 = 2_000_000_000;
/// Stamps that go further back than this do not belong to a late packet.
const LATE: i64 = 100_000_000;
/// A late packet is at most this many behind.
const BEHIND: i64 = 64;
/// A counter or rotation that leaps by more than this has another sender, or packets are missing.
const LEAP: i64 = 1000;
/// Packets of two senders come in runs of at most this many.
const SOON: u64 = 8;
/// Minimum number of leaps back and forth that are no accident.
const SWINGS: u64 = 3;

impl Sequence {
    /// Processes the next packet.
    pub(crate) fn push(&mut self, tick: &Tick) {
        self.packets += 1;
        if self.pace.is_none() {
            self.waiting.push(*tick);
            if self.waiting.len() >= FIRST {
                self.settle();
            }
            return;
        }
        self.take(tick);
    }

    /// Determines the pace from the first packets.
    fn settle(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.pace = Some(Pace::of(&waiting));
        for tick in &waiting {
            self.take(tick);
        }
    }

    /// The packets that never arrived, after the last one; `None` if they cannot be counted.
    pub(crate) fn finish(&mut self) -> Option<&Lost> {
        if !std::mem::replace(&mut self.ended, true) {
            self.settle_rest();
        }
        (self.lost.packets > 0 && !self.is_mixed()).then_some(&self.lost)
    }

    fn settle_rest(&mut self) {
        if self.pace.is_none() {
            self.settle();
        }
        let travel = self.pace.as_ref().map_or(0, Pace::travel);
        for gap in self.gaps.without_sector(travel, &self.lost, self.packets) {
            self.lost.add(gap);
        }
        self.lost.spans.sort_unstable();
    }

    /// Whether packets of several sensors alternate.
    pub(crate) fn is_mixed(&self) -> bool {
        let often = |times: u64| times >= SWINGS && times * 50 >= self.packets;
        self.swings.iter().any(|swing| often(swing.back_and_forth.max(swing.back)))
            || often(self.crowded) && self.crowded * 4 >= self.packets
    }

    /// How often stamps, counters or rotations jumped back and forth.
    pub(crate) fn jumps(&self) -> u64 {
        self.swings.iter().map(|swing| swing.back_and_forth.max(swing.back)).fold(0, u64::max)
    }

    fn take(&mut self, tick: &Tick) {
        let Self { before: known, ahead, pace, steps, gaps, lost, swings, crowded, restarts, .. } = self;
        gaps.cover(tick.turn);
        let Some(before) = known else {
            *known = Some(*tick);
            return;
        };
        let step = before.step_to(tick);
        let [stamps, others] = swings;
        stamps.push(step, LATE);
        others.push(before.leap_to(tick).unwrap_or_default(), LEAP);
        if tick.least > 0 && (0..tick.least).contains(&step) {
            *crowded += 1;
        }
        let late = ahead.take();
        let last = late.as_ref().unwrap_or(before);
        let step = if late.is_some() { last.step_to(tick) } else { step };
        let missing = pace.as_mut().and_then(|pace| missing(last, tick, step, (steps, pace, restarts)));
        match missing {
            Some(missing @ 1..) => {
                let span = (last.arrival, tick.arrival, missing.unsigned_abs());
                match (tick.turn.zip(last.turn), &*pace) {
                    (Some((now, before)), Some(pace)) => {
                        let turned = pace.turned_between(before, now, step);
                        gaps.push(before, now, turned, span, lost);
                    }
                    _ => lost.add(span),
                }
            }
            // It was missed before.
            Some(-1) => {
                let since = lost.spans.last().map_or(i64::MIN, |(_, to, _)| *to);
                if !gaps.found(since) {
                    lost.found();
                }
                if step < 0 {
                    *ahead = Some(*last);
                }
            }
            _ => {}
        }
        *before = *tick;
    }
}

/// Number of packets missing between two, `step` apart; -1 if the second came late.
fn missing(
    last: &Tick,
    tick: &Tick,
    step: i64,
    (steps, pace, restarts): (&mut Steps, &mut Pace, &mut bool),
) -> Option<i64> {
    if last.is_other(tick) {
        return None;
    }
    let passed = tick.arrival.saturating_sub(last.arrival);
    match tick.counter.zip(last.counter) {
        Some((now, before)) if now != before => {
            let ahead = i64::from(now.wrapping_sub(before).cast_signed());
            Steps::counted(ahead, step, passed, pace, restarts)
        }
        _ => steps.paced(last, tick, step, passed, pace),
    }
}

impl Lost {
    fn add(&mut self, span: (i64, i64, u64)) {
        self.packets = self.packets.saturating_add(span.2);
        if self.spans.len() < LISTED {
            self.spans.push(span);
        }
    }

    /// A packet came late.
    fn found(&mut self) {
        self.packets = self.packets.saturating_sub(1);
        if let Some(last) = self.spans.last_mut() {
            last.2 = last.2.saturating_sub(1);
            if last.2 == 0 {
                self.spans.pop();
            }
        }
    }
}

/// Leaps of a number, which come back if two sensors count in turn.
#[derive(Debug, Default)]
struct Swing {
    last: i64,
    /// Number of packets since then.
    since: u64,
    back: u64,
    back_and_forth: u64,
}

impl Swing {
    fn push(&mut self, step: i64, least: i64) {
        self.since += 1;
        if step.saturating_abs() <= least {
            return;
        }
        if least == LATE && step < 0 {
            self.back += 1;
        }
        let sum = self.last.saturating_add(step).saturating_abs();
        // A sector of half a turn gives leaps to either side, but one per turn.
        let is_soon = std::mem::take(&mut self.since) <= SOON;
        let is_opposite = self.last != 0 && (self.last < 0) != (step < 0);
        if is_soon && is_opposite && sum <= self.last.saturating_abs() / 8 + least {
            self.back_and_forth += 1;
        }
        self.last = step;
    }
}

#[cfg(test)]
mod tests;
