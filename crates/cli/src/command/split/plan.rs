//! The starts of parts.

use std::{path::Path, rc::Rc};

use robolog_convert::{Error, Result, Settings};
use robolog_core::{Timestamp, slices::OrZero as _};

use crate::{
    args::{cut::Event, parts::SplitBy},
    command::{cut::around, overview::can_be_read_again, summary::survey},
    progress::Context,
};

/// Maximum number of parts in a folder.
pub(super) const MOST_PARTS: u64 = 10_000;

/// How to divide a recording, with the facts needed for it.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) by: By,
    /// Starts of the parts after the first, in order.
    moments: Rc<[i64]>,
    /// Start and end.
    pub(super) span: Option<(Timestamp, Timestamp)>,
    bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Nanoseconds.
    Time(u64),
    /// Bytes of a part.
    Size(u64),
    /// A number of parts.
    Number(u64),
    /// At given times of the recording.
    Moments,
}

impl Plan {
    pub(super) fn new(by: &SplitBy, path: &Path, format: Option<&str>, context: Context) -> Result<Self> {
        let moments: Rc<[i64]> = moments(by, path, format, context)?.into();
        let by = if by.on.is_some() || by.gap.is_some() {
            By::Moments
        } else {
            match (by.every, by.size, by.parts) {
                (Some(every), ..) => By::Time(u64::try_from(every.as_nanos()).unwrap_or(u64::MAX)),
                (_, Some(size), _) => By::Size(size.get()),
                (.., parts) => By::Number(parts.map_or(1, std::num::NonZero::get)),
            }
        };
        let info = survey(context.open(path)?, format, context)?;
        let plan = Self { by, moments, span: info.summary.span, bytes: info.summary.bytes };
        if plan.slots() > MOST_PARTS {
            let (slots, most) = (plan.slots(), MOST_PARTS);
            return Err(Error::Target(
                format!("that makes {slots} parts; at most {most} are written").into(),
            ));
        }
        Ok(plan)
    }

    /// Returns an error if there are no times to divide by.
    pub(super) fn check_times(&self) -> Result<()> {
        if matches!(self.by, By::Time(_) | By::Moments) && self.span.is_none() {
            return Err(Error::Target("the recording has no times: use --size or --parts".into()));
        }
        Ok(())
    }

    /// Adds a time. If no channel has times, as in captures without a sensor, the first one is the start.
    pub(super) fn meet(&mut self, time: Option<Timestamp>) {
        let end = |time: Timestamp| (time, Timestamp::new(i64::MAX, time.clock()));
        self.span = self.span.or(time.map(end));
    }

    /// Decompressed bytes of the recording.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Nanoseconds from start to end.
    pub(super) fn nanos(&self) -> u64 {
        let nanos = self.span.and_then(|(start, end)| end.since(start));
        nanos.and_then(|nanos| u64::try_from(nanos).ok()).unwrap_or_default()
    }

    /// Maximum number of parts.
    pub(super) fn slots(&self) -> u64 {
        match self.by {
            By::Time(nanos) => self.nanos().div_or_zero(nanos).saturating_add(1),
            By::Size(size) => self.bytes.div_ceil(size.max(1)).max(1),
            By::Number(parts) => parts,
            By::Moments => self.moments.len() as u64 + 1,
        }
    }

    /// The start of a part that begins at a given time.
    pub(super) fn moment(&self, slot: u64) -> Option<i64> {
        let before = usize::try_from(slot.checked_sub(1)?).ok()?;
        self.moments.get(before).copied()
    }

    /// The part for a record with this time and offset. `None` if the record has no time, or one outside the recording,
    /// as outliers have.
    pub(super) fn slot(&self, time: Option<Timestamp>, offset: u64) -> Option<u64> {
        match self.by {
            By::Time(nanos) => {
                let (start, end) = self.span?;
                let since = u64::try_from(time.filter(|time| *time <= end)?.since(start)?).ok()?;
                since.checked_div(nanos)
            }
            By::Size(size) => offset.checked_div(size),
            By::Moments => {
                let (start, end) = self.span?;
                let time = time.filter(|time| time.clock() == start.clock() && *time <= end)?;
                Some(self.moments.partition_point(|moment| *moment <= time.nanos()) as u64)
            }
            By::Number(parts) => {
                let slot = (u128::from(offset) * u128::from(parts)).checked_div(self.bytes.into())?;
                u64::try_from(slot).ok().map(|slot| slot.min(parts.saturating_sub(1)))
            }
        }
    }
}

/// Times of an event, or of the first record after each gap; without the start, where the first part begins anyway.
///
/// Returns an error if there are none.
fn moments(by: &SplitBy, path: &Path, format: Option<&str>, context: Context) -> Result<Vec<i64>> {
    if by.on.is_none() && by.gap.is_none() {
        return Ok(Vec::new());
    }
    if !can_be_read_again(path) {
        return Err(Error::Target("--on and --gap need a file, which is read twice, not a pipe".into()));
    }
    let mut first = None;
    let mut moments: Vec<i64> = if let Some(Event::Kind(kind)) = &by.on {
        first = robolog_convert::start(context.open(path)?, format, &Settings::default())?;
        around::of_kind(kind, path, format, context)?.into_iter().map(Timestamp::nanos).collect()
    } else {
        let samples = context.open(path)?.samples_with(format, &Settings::default())?;
        let samples = samples.inspect(|sample| {
            if let Ok(sample) = sample {
                first = first.or(sample.time);
            }
        });
        match (&by.on, by.gap) {
            (Some(event), _) => around::moments(event, samples)?.into_iter().map(Timestamp::nanos).collect(),
            (None, gap) => {
                let gap = gap.map_or(i64::MAX, |gap| i64::try_from(gap.as_nanos()).unwrap_or(i64::MAX));
                let times = samples.filter_map(|sample| sample.ok()?.time).map(Timestamp::nanos);
                let mut latest = None;
                times
                    .filter(|time| {
                        let is_late = latest.is_some_and(|latest: i64| time.saturating_sub(latest) > gap);
                        latest = latest.max(Some(*time));
                        is_late
                    })
                    .collect()
            }
        }
    };
    if moments.is_empty() {
        let what =
            if by.on.is_some() { "the event of --on does not occur in it" } else { "it has no such gap" };
        return Err(Error::Empty(what.into()));
    }
    moments.sort_unstable();
    moments.dedup();
    moments.retain(|moment| first.is_none_or(|first| *moment > first.nanos()));
    Ok(moments)
}

#[cfg(test)]
mod tests {
    use robolog_core::Clock;

    use super::*;

    #[test]
    fn parts_by_time_count_from_the_start_and_outliers_belong_to_none() {
        let at = |ns| Timestamp::new(ns, Clock::Device);
        let plan = Plan { by: By::Time(10), moments: [].into(), span: Some((at(100), at(125))), bytes: 0 };
        let slots = [100, 109, 110, 125, 126, 99].map(|ns| plan.slot(Some(at(ns)), 0));
        assert_eq!(slots, [Some(0), Some(0), Some(1), Some(2), None, None]);
        assert_eq!((plan.slots(), plan.slot(None, 0)), (3, None));
    }

    #[test]
    fn parts_by_number_share_the_bytes() {
        let plan = Plan { by: By::Number(3), moments: [].into(), span: None, bytes: 100 };
        assert_eq!(
            [0, 33, 34, 66, 67, 99, 100].map(|at| plan.slot(None, at).unwrap()),
            [0, 0, 1, 1, 2, 2, 2]
        );
    }

    #[test]
    fn a_part_begins_at_its_moment() {
        let at = |ns| Timestamp::new(ns, Clock::Device);
        let plan = Plan { by: By::Moments, moments: [5, 9].into(), span: Some((at(0), at(12))), bytes: 0 };
        let slots = [0, 4, 5, 8, 9, 12, 13].map(|ns| plan.slot(Some(at(ns)), 0));
        assert_eq!(slots, [Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), None]);
        assert_eq!(plan.slots(), 3);
    }
}
