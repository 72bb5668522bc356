//! Times of packets with individual arrival times.

use std::collections::VecDeque;

use robolog_core::slices::{InRange as _, Part as _, fitting};

use super::HOUR;
use crate::{Detection, Generation, PACKET_LEN, Packet};

const MICRO: i64 = 1_000;
const MILLI: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;
const HOUR_NANOS: i64 = HOUR * MICRO;

/// Maximum time between consecutive packets, in order or not, for which the sensor's clock is used regardless of
/// arrivals.
const USUAL: i64 = 100 * MILLI;
/// After a pause, the sensor's clock and the arrivals must agree about its length within this.
const AGREED: i64 = 250 * MILLI;
/// Maximum drift between two cheap clocks, as one part in this many. It changes a turn of the head by some 20 µs.
const DRIFT: i64 = 5_000;
/// A larger jump of the arrivals means that the computer's clock was set, and is followed at once.
const SET: i64 = 100 * MILLI;

/// Computes when packets were sent, from the clock inside them and the arrival of each.
///
/// A packet may arrive late by any amount, but never early. So the minimum difference between arrival and clock counts,
/// over the last four seconds and the packets seen by [`look_ahead`](Self::look_ahead); between two packets only the
/// sensor's clock counts. A slow drift between the clocks is followed. One wrong arrival or one damaged clock changes
/// at most the time of its own packet; after the sensor's clock was set, estimation restarts. Memory does not grow with
/// the number of packets.
///
/// Packets without a clock are spaced as their arrivals and the sensor's rate allow.
///
/// ```
/// use velodyne_packet::{Detection, Generation, Model, PACKET_LEN, PacketClock, ReturnMode};
/// let sensor = Detection::assume(Model::Vlp16, ReturnMode::Strongest, Generation::Factory);
/// let mut clock = PacketClock::new(&sensor);
/// // 0, 2 and 4 ms past the hour; the first two arrive late.
/// let packets = [0_u32, 2000, 4000].map(|micros| {
///     let mut packet = [0; PACKET_LEN];
///     packet[1200..1204].copy_from_slice(&micros.to_le_bytes());
///     packet
/// });
/// let mut times = Vec::new();
/// clock.times(&packets, &[9_000_000, 9_000_000, 10_000_000], &mut times);
/// // A packet of a VLP-16 takes 1.327 ms.
/// assert_eq!(times, [4_672_896, 6_672_896, 8_672_896]);
/// ```
#[derive(Debug, Clone)]
pub struct PacketClock {
    generation: Generation,
    /// Nanoseconds from one packet to the next.
    interval: i64,
    last: Option<Last>,
    /// A clock value that does not continue the one before: damaged, or set.
    doubted: Option<u32>,
    least: Least,
    /// Nanoseconds from the sensor's count to the arrival of an undelayed packet.
    shift: Option<i64>,
    /// Count and time of the last packet with an assigned time.
    placed: Option<(i64, i64)>,
}

/// The last packet with an accepted clock.
#[derive(Debug, Clone, Copy)]
struct Last {
    /// Its clock value.
    micros: u32,
    /// The clock in nanoseconds since the first packet, unwrapped across hours.
    count: i64,
    arrival: i64,
    /// Count of the last packet, accepted or not.
    count_now: i64,
}

/// Relation of a clock value to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClockChange {
    /// It continues by this many nanoseconds.
    By(i64),
    /// It does not continue: the clock was set, or this is the first.
    Set,
    /// It does not continue, but only in a single packet.
    Doubted,
}

impl PacketClock {
    /// A clock for packets of this sensor.
    pub fn new(detection: &Detection) -> Self {
        Self {
            generation: detection.generation,
            interval: detection.model.packet_interval(detection.return_mode).into(),
            last: None,
            doubted: None,
            least: Least::default(),
            shift: None,
            placed: None,
        }
    }

    /// Number of packets [`look_ahead`](Self::look_ahead) should see: those of one second, if they have a clock.
    pub fn ahead(&self) -> usize {
        let packets = SECOND.checked_div(self.interval).filter(|_| self.generation.has_clock());
        packets.map_or(0, fitting)
    }

    /// Examines the first packets and their arrivals, before any of them is assigned a time.
    pub fn look_ahead<'a>(
        &mut self,
        messages: impl IntoIterator<Item = (&'a [[u8; PACKET_LEN]], &'a [i64])>,
    ) {
        if self.last.is_some() || !self.generation.has_clock() {
            return;
        }
        let mut scout = self.clone();
        let packets = messages.into_iter().flat_map(|(packets, arrivals)| packets.iter().zip(arrivals));
        for (packet, arrival) in packets {
            let micros = scout.micros(packet);
            let step = scout.judge(micros, *arrival);
            if step == ClockChange::Set && scout.last.is_some() {
                break;
            }
            scout.take(step, micros, *arrival);
        }
        self.least = scout.least;
        self.shift = self.least.get();
    }

    /// Computes the time of each packet, which is that of its first shot, in nanoseconds of the clock of `arrivals`. An
    /// undelayed packet arrives when its last shot is fired.
    pub fn times(&mut self, packets: &[[u8; PACKET_LEN]], arrivals: &[i64], times: &mut Vec<i64>) {
        times.clear();
        if !self.generation.has_clock() {
            times.extend(arrivals.iter().take(packets.len()));
            return self.spread(times);
        }
        let mut begun = 0;
        for (packet, arrival) in packets.iter().zip(arrivals) {
            let micros = self.micros(packet);
            let step = self.judge(micros, *arrival);
            if step == ClockChange::Set && self.last.is_some() {
                // Earlier packets use the clock shift from before the change.
                self.place(times.part_mut(begun..));
                begun = times.len();
                (self.least, self.shift) = (Least::default(), None);
            }
            times.push(self.take(step, micros, *arrival));
        }
        self.place(times.part_mut(begun..));
    }

    fn micros(&self, packet: &[u8; PACKET_LEN]) -> u32 {
        Packet::new(packet).trailer(self.generation).clock().unwrap_or(u32::MAX)
    }

    fn judge(&self, micros: u32, arrival: i64) -> ClockChange {
        if i64::from(micros) >= HOUR {
            return ClockChange::Doubted;
        }
        let Some(last) = self.last else { return ClockChange::Set };
        let expected = self.shift.map_or(last.arrival, |shift| last.count.saturating_add(shift));
        match step(last.micros, micros, arrival.saturating_sub(expected)) {
            Some(step) => ClockChange::By(step),
            None if self.doubted.is_some_and(|doubted| step(doubted, micros, 0).is_some()) => {
                ClockChange::Set
            }
            None => ClockChange::Doubted,
        }
    }

    /// Registers a packet, and returns its count.
    fn take(&mut self, step: ClockChange, micros: u32, arrival: i64) -> i64 {
        let guess = self.last.map_or(0, |last| last.count_now.saturating_add(self.interval));
        let count = match (step, &mut self.last) {
            (ClockChange::By(step), Some(last)) => last.count.saturating_add(step),
            (ClockChange::Doubted, last) => {
                self.doubted = Some(micros);
                match last {
                    Some(last) => last.count_now = guess,
                    // The first packet has a time too: its arrival.
                    None => self.least.push(0, arrival),
                }
                return guess;
            }
            _ => guess,
        };
        self.doubted = None;
        self.last = Some(Last { micros, count, arrival, count_now: count });
        self.least.push(count, arrival.saturating_sub(count));
        count
    }

    /// Converts counts to times.
    fn place(&mut self, counts: &mut [i64]) {
        let Some(first) = counts.first().copied() else { return };
        let least = self.least.get().or(self.shift).unwrap_or_default();
        let followed = self.shift.filter(|shift| shift.abs_diff(least) <= SET.unsigned_abs());
        let mut shift = followed.unwrap_or_else(|| {
            // Slightly earlier than the packet before it would be backwards.
            let after = self.placed.map(|(_, time)| time.saturating_add(self.interval.saturating_mul(2)));
            let early = after.map_or(0, |after| after.saturating_sub(first.saturating_add(least)));
            least.saturating_add(if early <= SET { early.max(0) } else { 0 })
        });
        for count in counts {
            let passed = self.placed.map_or(0, |(before, _)| count.saturating_sub(before).max(0));
            let most = passed.wrapping_div(DRIFT);
            shift = shift.saturating_add(least.saturating_sub(shift).clamp(most.saturating_neg(), most));
            let time = count.saturating_add(shift).saturating_sub(self.interval);
            self.placed = Some((*count, time));
            *count = time;
        }
        self.shift = Some(shift);
    }

    /// Computes times from the arrivals of packets without a clock: none is sent later than it arrived, or closer to
    /// the next than the interval.
    fn spread(&mut self, times: &mut [i64]) {
        let mut before = self.placed.map(|(_, time)| time.saturating_add(self.interval));
        // A single arrival far from both neighbours is replaced by the next one.
        for at in 0..times.len() {
            let after = times.get(at.plus(1)).copied();
            let Some(time) = times.get_mut(at) else { break };
            let far = |other: i64| other.abs_diff(*time) > SECOND.unsigned_abs();
            let near = after.is_none_or(|after| {
                before.is_none_or(|before| before.abs_diff(after) <= SECOND.unsigned_abs())
            });
            if near && before.is_some_and(far) && after.is_none_or(far) {
                *time = after.or(before).unwrap_or(*time);
            }
            before = Some(*time);
        }
        let mut next = i64::MAX;
        for time in times.iter_mut().rev() {
            *time = (*time).min(next).saturating_sub(self.interval);
            next = *time;
        }
        for time in times {
            if let Some((_, before)) = self.placed {
                let after = before.saturating_add(self.interval);
                if (1..=SET).contains(&after.saturating_sub(*time)) {
                    *time = after;
                }
            }
            self.placed = Some((0, *time));
        }
    }
}

/// Nanoseconds from one clock value to the next, for packets that arrived `elapsed` apart; `None` if they are
/// inconsistent.
fn step(before: u32, now: u32, elapsed: i64) -> Option<i64> {
    let ahead = i64::from(now).minus(i64::from(before)).rem_euclid(HOUR).times(MICRO);
    let back = ahead.minus(HOUR_NANOS);
    if ahead <= USUAL {
        return Some(ahead);
    }
    if back >= -USUAL {
        return Some(back);
    }
    // A pause, possibly of hours.
    let hours = elapsed.saturating_sub(ahead).saturating_add(HOUR_NANOS / 2).div_euclid(HOUR_NANOS);
    let whole = ahead.saturating_add(hours.saturating_mul(HOUR_NANOS));
    (hours >= 0 && whole.abs_diff(elapsed) <= AGREED.unsigned_abs()).then_some(whole)
}

/// The minimum difference between arrival and count over the last seconds.
#[derive(Debug, Clone, Default)]
struct Least {
    slots: VecDeque<Slot>,
}

/// A slot of these seconds: its number, and its smallest differences.
#[derive(Debug, Clone, Copy)]
struct Slot {
    number: i64,
    least: [i64; KEPT],
}

/// Length of a slot, nanoseconds.
const SLOT: i64 = 500 * MILLI;
const SLOTS: i64 = 8;
const KEPT: usize = 4;
/// This many differences this close together are trusted.
const TRUSTED: usize = 3;
const NEAR: u64 = 5 * MILLI.unsigned_abs();

impl Least {
    fn push(&mut self, count: i64, difference: i64) {
        let number = count.div_euclid(SLOT);
        if self.slots.back().is_none_or(|slot| slot.number < number) {
            self.slots.push_back(Slot { number, least: [i64::MAX; KEPT] });
            while self.slots.front().is_some_and(|slot| slot.number <= number.minus(SLOTS)) {
                self.slots.pop_front();
            }
        }
        let Some(Slot { least, .. }) = self.slots.back_mut() else { return };
        let mut greater = difference;
        for kept in least {
            if greater < *kept {
                std::mem::swap(kept, &mut greater);
            }
        }
    }

    /// The smallest trusted difference.
    fn get(&self) -> Option<i64> {
        let mut all: Vec<i64> =
            self.slots.iter().flat_map(|slot| slot.least).filter(|least| *least != i64::MAX).collect();
        all.sort_unstable();
        let near = |some: &&[i64]| matches!(some, [first, .., last] if last.abs_diff(*first) <= NEAR);
        match all.windows(TRUSTED).find(near) {
            Some(some) => some.first().copied(),
            // A wrong one comes alone.
            None => all.get(usize::from(all.len() >= TRUSTED)).copied(),
        }
    }
}
