//! Accelerations and rates of one vehicle on one channel.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{Imu, Sample, Value};

use super::{Event, Interface, event::Visit};
use crate::table::TableKind;

/// Joins accelerations and rates of an interface that are within [`NEAR`] of each other.
pub(super) struct Joining {
    pairs: HashMap<String, Pair>,
}

/// The channel of an interface that has both, and the sample that waits for the other.
struct Pair {
    channel: Arc<str>,
    frame_id: Arc<str>,
    waiting: Option<Sample>,
}

/// Nanoseconds: a quarter of the 20 ms period of both.
const NEAR: i64 = 5_000_000;

impl Joining {
    pub(super) fn new(interfaces: &[Interface]) -> Self {
        let has = |i: &Interface, kind| i.tables.iter().any(|table| table.kind == kind);
        let both = interfaces.iter().filter(|i| has(i, TableKind::Acc) && has(i, TableKind::Gyro));
        let pairs = both.map(|interface| {
            let pair = Pair {
                channel: format!("{}/imu", interface.label).into(),
                frame_id: TableKind::Gyro.name().into(),
                waiting: None,
            };
            (interface.label.clone(), pair)
        });
        Self { pairs: pairs.collect() }
    }

    pub(super) fn push<E>(&mut self, event: Event<'_>, visit: Visit<'_, E>) -> Result<(), E> {
        let Event::Sample(sample) = event else { return visit(event) };
        // Samples too far away to be joined are not held back.
        for pair in self.pairs.values_mut().filter(|pair| pair.is_past(sample)) {
            pair.end(visit)?;
        }
        let of = sample.channel.rsplit_once('/').map(|(label, _)| label);
        let Some(pair) = of.and_then(|label| self.pairs.get_mut(label)) else {
            return visit(Event::Sample(sample));
        };
        let (Value::Imu(imu), Some(_)) = (&mut sample.value, sample.time) else {
            return visit(Event::Sample(sample));
        };
        if let Some(Sample { value: Value::Imu(first), .. }) = &pair.waiting
            && let Some(joined) = join(first, imu)
        {
            *imu = joined;
            pair.waiting = None;
            return pair.give(sample, visit);
        }
        pair.end(visit)?;
        pair.waiting = Some(sample.take());
        Ok(())
    }

    pub(super) fn finish<E>(&mut self, visit: Visit<'_, E>) -> Result<(), E> {
        self.pairs.values_mut().try_for_each(|pair| pair.end(visit))
    }
}

impl Pair {
    /// Whether the waiting sample is too early to be joined with one at the time of this sample.
    fn is_past(&self, sample: &Sample) -> bool {
        let times = self.waiting.as_ref().and_then(|waiting| waiting.time).zip(sample.time);
        times.and_then(|(waiting, time)| time.since(waiting)).is_some_and(|nanos| nanos > NEAR)
    }

    /// Delivers the waiting sample alone.
    fn end<E>(&mut self, visit: Visit<'_, E>) -> Result<(), E> {
        match self.waiting.take() {
            Some(mut sample) => self.give(&mut sample, visit),
            None => Ok(()),
        }
    }

    fn give<E>(&self, sample: &mut Sample, visit: Visit<'_, E>) -> Result<(), E> {
        sample.channel = Arc::clone(&self.channel);
        sample.frame_id = Arc::clone(&self.frame_id);
        visit(Event::Sample(sample))
    }
}

/// A sample with the rate of one and the acceleration of the other; `None` unless each has one of them.
fn join(first: &Imu, second: &Imu) -> Option<Imu> {
    let is_one = first.angular_velocity.is_some() != second.angular_velocity.is_some()
        && first.linear_acceleration.is_some() != second.linear_acceleration.is_some();
    is_one.then(|| Imu {
        orientation: None,
        angular_velocity: first.angular_velocity.or(second.angular_velocity),
        linear_acceleration: first.linear_acceleration.or(second.linear_acceleration),
        ..Imu::default()
    })
}
