//! Gaps of channels, and clocks that jump.

use std::{cmp::Reverse, collections::BinaryHeap};

use robolog_core::{Timestamp, format::Rhythm};

use crate::{
    Context, Event, Kind, Thresholds,
    names::{Names, at},
    seconds,
};

/// Follows the stamps of each channel.
#[derive(Debug)]
pub(crate) struct Gaps {
    limits: Thresholds,
    context: Context,
    /// By number.
    channels: Vec<Option<Stamps>>,
}

#[derive(Debug)]
struct Stamps {
    first: Timestamp,
    last: Timestamp,
    samples: u64,
    rhythm: Rhythm,
    /// Sum of the intervals without jumps, seconds, and their number.
    intervals: (f64, f64),
    /// A stamp that goes back, and the last one before it: a clock goes back if the next stamp goes on from there.
    back: Option<(Timestamp, Timestamp)>,
    /// The longest intervals, with their starts: the rhythm, which tells which are gaps, is known at the end.
    longest: BinaryHeap<Reverse<(i64, i64)>>,
}

/// Maximum number of gaps of a channel.
const GAPS: usize = 100;
/// Mean intervals that a leap exceeds: a track of a few points a day has none.
const LEAP: f64 = 1000.0;
/// Variables of MOOS that the helm publishes only while it drives.
const OF_HELM: &str = "DESIRED_";
/// Share of its length by which the start and the end of a gap may differ between channels that pause together.
const TOGETHER: f64 = 0.25;

impl Gaps {
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self { limits: limits.clone(), context, channels: Vec::new() }
    }

    /// Takes the next stamp of a channel. `is_event` tells that its samples are texts or rows: programs of a vessel
    /// publish these, and what they wish, when there is a reason to.
    pub(crate) fn push(
        &mut self,
        (number, channel): (usize, &str),
        is_event: bool,
        time: Timestamp,
        found: &mut Vec<Event>,
    ) {
        let is_steady = !self.context.vessels || !is_event && !channel.starts_with(OF_HELM);
        let known = at(&mut self.channels, number);
        let Some(stamps) = known else {
            *known = Some(Stamps::new(time));
            return;
        };
        stamps.samples += 1;
        stamps.first = stamps.first.earlier(time);
        if let Some((back, before)) = stamps.back.take() {
            if seconds(before, time) >= -self.limits.clock_back {
                // One that was late, or published again.
                stamps.last = before;
            } else {
                join(found, jump(channel, back, seconds(before, back)), "jump");
            }
        }
        let length = seconds(stamps.last, time);
        if -length > self.limits.clock_back {
            stamps.back = Some((time, stamps.last));
        } else if length > self.limits.clock_leap.max(LEAP * stamps.mean()) {
            join(found, jump(channel, time, length), "jump");
        } else if let Some(nanos) = time.since(stamps.last).filter(|nanos| *nanos > 0) {
            // Programs of a vessel begin one after the other.
            let has_begun = !self.context.vessels || stamps.samples as f64 > self.limits.gap_samples;
            if is_steady && has_begun && stamps.is_long(nanos) {
                stamps.longest.push(Reverse((nanos, stamps.last.nanos())));
            }
            if stamps.longest.len() > GAPS {
                stamps.longest.pop();
            }
            stamps.rhythm.add(time);
            stamps.intervals = (stamps.intervals.0 + length, stamps.intervals.1 + 1.0);
        }
        stamps.last = time;
    }

    pub(crate) fn finish(&mut self, names: &Names, found: &mut Vec<Event>) {
        let mut gaps: Vec<Event> = Vec::new();
        for number in names.sorted() {
            if let Some(Some(stamps)) = self.channels.get(number) {
                gaps.extend(stamps.gaps(names.get(number), &self.limits));
            }
        }
        gaps.sort_by_key(|gap| gap.time.nanos());
        for gap in gaps {
            join(found, gap, "pause");
        }
    }
}

impl Stamps {
    fn new(time: Timestamp) -> Self {
        let mut rhythm = Rhythm::default();
        rhythm.add(time);
        let longest = BinaryHeap::new();
        Self { first: time, last: time, samples: 1, rhythm, intervals: (0.0, 0.0), back: None, longest }
    }

    /// Whether an interval is one of the longest so far.
    fn is_long(&self, nanos: i64) -> bool {
        self.longest.len() < GAPS || self.longest.peek().is_some_and(|Reverse((least, _))| nanos > *least)
    }

    /// Mean interval, seconds; infinite if there is none.
    fn mean(&self) -> f64 {
        let (sum, intervals) = self.intervals;
        if intervals > 0.0 { sum / intervals } else { f64::INFINITY }
    }

    fn gaps(&self, channel: &str, limits: &Thresholds) -> Vec<Event> {
        let span = self.last.since(self.first).unwrap_or(i64::MAX);
        let Some(median) = self.rhythm.interval(span).filter(|_| self.samples as f64 >= limits.gap_samples)
        else {
            return Vec::new();
        };
        let median = median.as_secs_f64();
        let gap = |Reverse((nanos, start)): &Reverse<(i64, i64)>| {
            let start = Timestamp::new(*start, self.last.clock());
            let end = start.checked_add(*nanos)?;
            let length = seconds(start, end);
            let text = format!("no samples for {length:.3} s, usually every {median:.3} s");
            let event = Event::at(start, Kind::Gap, channel, text).with_value(length).until(end);
            (length > limits.gap_medians * median).then_some(event)
        };
        self.longest.iter().filter_map(gap).collect()
    }
}

fn jump(channel: &str, time: Timestamp, length: f64) -> Event {
    let text = if length < 0.0 { "the clock goes back" } else { "the clock leaps ahead" };
    Event::at(time, Kind::ClockJump, channel, text.to_owned()).with_value(length)
}

/// Adds an event, or counts its channel with the one before if both are the same in several channels.
fn join(found: &mut Vec<Event>, event: Event, verb: &str) {
    let is_same = |other: &&mut Event| {
        let within = TOGETHER * event.value.unwrap_or(0.0).abs();
        other.kind == event.kind
            && other.subject != event.subject
            && seconds(other.time, event.time).abs() <= within
            && seconds(other.end, event.end).abs() <= within
    };
    let Some(other) = found.iter_mut().rev().take(TOGETHER_MOST).find(is_same) else {
        found.push(event);
        return;
    };
    let more = other.other.as_deref().and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let more = more.map_or(1, |more| more.saturating_add(1));
    let words = if more == 1 { format!("channel {verb}s") } else { format!("channels {verb}") };
    other.other = Some(format!("{more} more {words} with it"));
}

/// Number of events before it that an event is compared with.
const TOGETHER_MOST: usize = 64;
