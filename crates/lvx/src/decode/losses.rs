//! Packages of points that never arrived: by the stamps and the points of those that did, and by their counter in LVX2.

use robolog_core::{
    Severity, Timestamp,
    format::SurveyBuilder,
    slices::{InRange as _, OrZero as _},
};

use crate::{DeviceDetails, DeviceId, Package};

/// Gaps that show a device's pace, and the fewest that do.
const LEARNED: usize = 256;
const FEWEST: usize = 10;
/// A longer gap is a pause: the device was switched off, or recordings were joined.
const PAUSE: i64 = 1_000_000_000;
/// Larger steps of the counter go back.
const FORWARD: u16 = i16::MAX.unsigned_abs();
/// Maximum number of gaps listed.
const LISTED: usize = 1000;
/// With more lost for each that arrived, the device was not measuring all the time.
const MOST: u64 = 3;

/// Counts the lost packages of one device.
#[derive(Debug, Default)]
pub(super) struct Losses {
    last: Option<Last>,
    /// Gaps before the pace is known.
    waiting: Vec<Gap>,
    /// Nanoseconds per shot, from one package to the next.
    pace: Option<f64>,
    arrived: u64,
    lost: u64,
    first: Option<Gap>,
    /// The gaps, with the number lost in each.
    gaps: Vec<(i64, i64, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    time: Timestamp,
    shots: usize,
    counter: Option<u16>,
}

/// From one package to the next.
#[derive(Debug, Clone, Copy)]
struct Gap {
    nanos: f64,
    /// Shots of the first package.
    shots: f64,
    /// Step of the counter.
    step: Option<u16>,
    /// The package after the gap, and the time of the one before.
    offset: u64,
    since: Timestamp,
    /// Its stamp in nanoseconds.
    until: i64,
}

impl Losses {
    pub(super) fn count(&mut self, package: &Package<'_>, time: Option<Timestamp>) {
        let points = package.points();
        let Some(time) = time.filter(|_| !points.is_empty()) else { return };
        let shots = points.len().div_or_zero(points.returns());
        self.arrived = self.arrived.plus(1);
        let counter = package.udp_counter();
        let last = self.last.replace(Last { time, shots, counter });
        let Some((last, nanos)) = last.and_then(|last| Some((last, time.since(last.time)?))) else { return };
        if nanos == 0 {
            // A packet in two packages.
            self.last = Some(Last { time, shots: shots.plus(last.shots), counter });
        }
        if !(1..PAUSE).contains(&nanos) {
            return;
        }
        let step = counter.zip(last.counter).map(|(counter, before)| counter.wrapping_sub(before));
        #[expect(clippy::cast_precision_loss, reason = "below a second, and of one package")]
        let (nanos, shots) = (nanos as f64, last.shots as f64);
        let gap = Gap { nanos, shots, step, offset: package.offset(), since: last.time, until: time.nanos() };
        match self.pace {
            Some(pace) => self.add(gap, pace),
            None => self.waiting.push(gap),
        }
        if self.waiting.len() >= LEARNED {
            self.learn();
        }
    }

    /// Takes the median for the pace: most packages arrive.
    fn learn(&mut self) {
        let mut paces: Vec<f64> = self.waiting.iter().map(|gap| gap.nanos / gap.shots).collect();
        paces.sort_unstable_by(f64::total_cmp);
        let middle = paces.len().checked_div(2).and_then(|at| paces.get(at)).copied();
        self.pace = middle;
        for gap in std::mem::take(&mut self.waiting) {
            self.add(gap, middle.unwrap_or(f64::INFINITY));
        }
    }

    fn add(&mut self, gap: Gap, pace: f64) {
        let packages = gap.nanos / (gap.shots * pace);
        // A counter that restarts with each frame, or stands still, does not agree with the times.
        let agrees = |step: u16| (f64::from(step) - packages).abs() <= (f64::from(step) * 0.2).max(1.5);
        let step = gap.step.filter(|step| (1..=FORWARD).contains(step) && agrees(*step));
        let lost = match step {
            Some(step) => u64::from(step).minus(1),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a gap is below a second"
            )]
            None if packages > 1.7 => (packages.round() as u64).minus(1),
            None => 0,
        };
        if lost > 0 {
            self.lost = self.lost.saturating_add(lost);
            self.first.get_or_insert(gap);
            if self.gaps.len() < LISTED {
                self.gaps.push((gap.since.nanos(), gap.until, lost));
            }
        }
    }

    /// Reports the losses.
    pub(super) fn tell(mut self, id: DeviceId, details: &mut DeviceDetails, notes: &mut SurveyBuilder) {
        if self.pace.is_none() && self.waiting.len() >= FEWEST {
            self.learn();
        }
        let Self { arrived, lost, first, gaps, .. } = self;
        let Some(first) = first.filter(|_| lost <= arrived.saturating_mul(MOST)) else { return };
        let all = arrived.saturating_add(lost);
        let percent = lost.saturating_mul(1000).div_or_zero(all);
        let (whole, tenth) = (percent / 10, percent % 10);
        (details.lost_packages, details.first_lost_ns) = (lost, Some(first.since.nanos()));
        details.lost_gaps = gaps;
        let message = format_args!(
            "{id}: {lost} of {all} packages ({whole}.{tenth} %) never arrived, the first after {}",
            first.since
        );
        notes.find(Severity::Warning, "packet-loss", first.offset, message);
    }
}
