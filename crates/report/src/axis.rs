//! The time axis shared by all pictures.

use std::ops::Range;

use robolog_core::{Channel, Timestamp};

/// Start and end.
pub(crate) type Span = (Timestamp, Timestamp);

/// Number of columns of every picture over time.
pub(crate) const COLUMNS: usize = 300;

/// From the start of a recording to its end, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    start: Option<Timestamp>,
    seconds: f64,
    warp: f64,
}

/// Position of a sample on the time axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AxisPosition {
    /// Seconds from the start.
    At(f64),
    /// The sample has no time.
    Untimed,
    /// The sample has another clock, or is far outside the recording.
    Stray,
}

impl Axis {
    pub(crate) fn new(span: Option<(Timestamp, Timestamp)>) -> Self {
        let seconds = span.and_then(|(start, end)| end.since(start)).map_or(0.0, |nanos| nanos as f64 / 1e9);
        Self { start: span.map(|span| span.0), seconds, warp: 1.0 }
    }

    /// The same for a simulation whose own clock runs `warp` times as fast.
    pub(crate) fn with_warp(self, warp: f64) -> Self {
        let warp = if warp.is_finite() && warp > 0.0 { warp } else { 1.0 };
        Self { warp, ..self }
    }

    /// The same with this length in seconds.
    pub(crate) fn with_seconds(self, seconds: f64) -> Self {
        Self { seconds, ..self }
    }

    /// Simulated seconds per second of the recording; 1 except for simulations.
    pub(crate) fn warp(&self) -> f64 {
        self.warp
    }

    /// Length of the recording in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Start of the recording.
    pub(crate) fn start(&self) -> Option<Timestamp> {
        self.start
    }

    pub(crate) fn place(&self, time: Option<Timestamp>) -> AxisPosition {
        let Some(time) = time else { return AxisPosition::Untimed };
        let Some(nanos) = self.start.and_then(|start| time.since(start)) else { return AxisPosition::Stray };
        let t = nanos as f64 / 1e9;
        // Samples of a frame may have times slightly after the frame itself.
        let slack = 0.01 * self.seconds + 1.0;
        if (-slack..=self.seconds + slack).contains(&t) {
            AxisPosition::At(t.clamp(0.0, self.seconds))
        } else {
            AxisPosition::Stray
        }
    }

    /// Fraction of the recording: 0 at the start, 1 at the end.
    pub(crate) fn fraction(&self, t: f64) -> f64 {
        if self.seconds > 0.0 { (t / self.seconds).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The column, out of `n`, that contains `t`.
    pub(crate) fn column_of(&self, t: f64, n: usize) -> usize {
        cell(self.fraction(t), n)
    }
}

/// The part of a span within a range of nanoseconds of its clock.
pub(crate) fn within((start, end): Span, range: &Range<i64>) -> Span {
    let at = |time: Timestamp| {
        Timestamp::new(time.nanos().clamp(range.start, range.end.max(range.start)), time.clock())
    };
    (at(start), at(end))
}

/// The axes of several recordings, of equal length, and whether they overlap in time: then they share one axis.
/// Otherwise each counts from its own start.
pub(crate) fn shared(spans: &[Option<Span>]) -> (Vec<Axis>, bool) {
    let known: Vec<Span> = spans.iter().copied().flatten().collect();
    let all = known.iter().copied().reduce(|a, b| (a.0.earlier(b.0), a.1.later(b.1)));
    let meets = |(a, b): &Span| {
        let with =
            |other: &Span| a.since(other.1).zip(other.0.since(*b)).is_some_and(|(x, y)| x <= 0 && y <= 0);
        known.iter().filter(|other| with(other)).count() > usize::from(known.len() > 1)
    };
    if let Some(all) = all.filter(|_| known.len() == spans.len() && known.iter().all(meets)) {
        return (vec![Axis::new(Some(all)); spans.len()], true);
    }
    let axes = spans.iter().map(|span| Axis::new(*span));
    let seconds = axes.clone().map(|axis| axis.seconds()).fold(0.0, f64::max);
    (axes.map(|axis| axis.with_seconds(seconds)).collect(), false)
}

/// The span of 99 % of the records, if that is less than half of `span`: otherwise a single early record, such as a
/// mission file, would compress the rest into the last columns.
pub(crate) fn busy(channels: &[Channel], span: (Timestamp, Timestamp)) -> Option<(Timestamp, Timestamp)> {
    let timed =
        channels.iter().filter_map(|channel| channel.span.map(|(from, to)| (from, to, channel.records)));
    busy_part(timed.collect(), span)
}

fn busy_part(
    mut timed: Vec<(Timestamp, Timestamp, u64)>,
    span: (Timestamp, Timestamp),
) -> Option<(Timestamp, Timestamp)> {
    timed.retain(|(from, ..)| from.clock() == span.0.clock());
    let few = timed.iter().map(|channel| channel.2).sum::<u64>() / 200;
    let after_few = |channels: &[(Timestamp, Timestamp, u64)]| {
        let mut passed = 0;
        channels.iter().position(|channel| {
            passed += channel.2;
            passed > few
        })
    };
    timed.sort_by_key(|channel| channel.0.nanos());
    let start = timed.get(after_few(&timed)?)?.0;
    timed.sort_by_key(|channel| std::cmp::Reverse(channel.1.nanos()));
    let end = timed.get(after_few(&timed)?)?.1;
    let (part, all) = (end.since(start)?, span.1.since(span.0)?);
    (part > 0 && part < all / 2).then_some((start, end))
}

/// The cell, out of `n`, that contains a fraction between 0 and 1; the nearest one for other values.
#[inline]
pub(crate) fn cell(fraction: f64, n: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped; NaN becomes 0")]
    let cell = (fraction * n as f64).clamp(0.0, n as f64) as usize;
    cell.min(n.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::Clock;

    #[test]
    fn stamps_far_outside_and_of_other_clocks_are_strays() {
        let at = |ns| Timestamp::new(ns, Clock::Unix);
        let axis = Axis::new(Some((at(0), at(10_000_000_000))));
        assert_eq!(axis.place(Some(at(5_000_000_000))), AxisPosition::At(5.0));
        assert_eq!(axis.place(Some(at(10_500_000_000))), AxisPosition::At(10.0));
        assert_eq!(axis.place(Some(at(20_000_000_000))), AxisPosition::Stray);
        assert_eq!(axis.place(Some(Timestamp::new(0, Clock::Device))), AxisPosition::Stray);
        assert_eq!(axis.place(None), AxisPosition::Untimed);
        assert_eq!((axis.column_of(10.0, COLUMNS), axis.column_of(f64::NAN, 3)), (299, 0));
    }

    #[test]
    fn one_record_long_before_the_others_does_not_stretch_the_axis() {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Unix);
        let all = (at(0), at(100));
        let mission = (at(0), at(0), 1);
        let channels = vec![mission, (at(95), at(100), 500), (at(96), at(99), 500)];
        assert_eq!(busy_part(channels, all), Some((at(95), at(100))));
        assert_eq!(busy_part(vec![mission, (at(20), at(100), 500)], all), None, "most of it is used");
    }

    #[test]
    fn a_recording_without_times_or_of_one_moment_has_an_axis() {
        let axis = Axis::new(None);
        assert_eq!(axis.place(Some(Timestamp::new(0, Clock::Unix))), AxisPosition::Stray);
        let moment = Timestamp::new(7, Clock::Device);
        let axis = Axis::new(Some((moment, moment)));
        assert_eq!(axis.place(Some(moment)), AxisPosition::At(0.0));
        assert_eq!(axis.fraction(0.0), 0.0);
    }
}
