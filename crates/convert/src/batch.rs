//! Samples that were read and are not written yet.

use std::{mem, sync::Arc};

use robolog_core::{Attributes, Odometry, PointCloud, Row, Sample, Timestamp, Value, slices::fitting};
use robolog_sinks::weight;

use crate::{Origin, Result};

/// Maximum bytes of the clouds, and number of the rows and odometry, that a batch keeps beside its samples.
const SPARE: usize = 1 << 20;
const SPARE_ROWS: usize = 1 << 12;

/// Maximum number of series that an empty batch keeps.
const SERIES: usize = 1 << 12;

/// Samples of one recording, in its order. A reader fills the batch, and the plan and the sink work on its samples in place.
///
/// Batches are reused with their samples, clouds and rows: fresh memory costs more than filling it, and what is written
/// here leaves the cache of the other thread. So a row takes the place of a row, and what samples of a channel share is
/// in the batch once.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Of which the first `len` are filled.
    slots: Vec<Slot>,
    len: usize,
    series: Vec<Series>,
    /// Places in `series`, each by the address of its channel's name or beside it.
    recent: Vec<u32>,
    /// Position of the reader in the input, bytes.
    pub(crate) position: u64,
    /// The recording; only in its first batch.
    pub(crate) origin: Option<Origin>,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Whether it has values whose memory is not kept as it is.
    has_others: bool,
    /// Cleared clouds, and rows and odometry, for the next samples.
    clouds: Vec<PointCloud>,
    rows: Vec<Row>,
    odometry: Vec<Odometry>,
}

/// A sample.
#[derive(Debug)]
struct Slot {
    /// Without what is in its series.
    sample: Sample,
    series: usize,
    /// The start of its recording as far as known when it was read.
    start: Option<Timestamp>,
}

/// What samples of a channel share.
#[derive(Debug)]
struct Series {
    shared: Shared,
    /// The same; taken by a sample while it is written.
    lent: Shared,
}

#[derive(Debug, Clone)]
struct Shared {
    channel: Arc<str>,
    frame_id: Arc<str>,
    attributes: Attributes,
}

/// Takes a sample that is lent, with the start of its recording as far as known: moves it into the batch, or writes it at
/// once. Returns the error of the consumer.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&mut Batch, &mut Sample, Option<Timestamp>) -> Result<()>;

impl Batch {
    /// Moves a sample that is lent into the batch. In place of its value it leaves a spare one of its kind, if any.
    pub(crate) fn push(&mut self, lent: &mut Sample, start: Option<Timestamp>) {
        self.weight = self.weight.saturating_add(weight::of_value(&lent.value));
        let series = self.series_of(lent);
        if self.len == self.slots.len() {
            let sample = Sample::new(Arc::<str>::default(), Value::Scalar(0.0));
            self.slots.push(Slot { sample, series, start });
        }
        let Some(slot) = self.slots.get_mut(self.len) else { return };
        self.len += 1;
        (slot.series, slot.start) = (series, start);
        (slot.sample.time, slot.sample.offset) = (lent.time, lent.offset);
        // Only the memory of a value's kind is touched.
        match (&mut slot.sample.value, &mut lent.value) {
            (Value::Scalar(to), Value::Scalar(from)) => *to = *from,
            (Value::Row(to), Value::Row(from)) => mem::swap(to, from),
            (Value::Odometry(to), Value::Odometry(from)) => mem::swap(to, from),
            _ => self.exchange(lent),
        }
        if let Value::Row(row) = &mut lent.value {
            row.cells.clear();
        }
    }

    /// Moves a value to the last sample, which has one of another kind.
    fn exchange(&mut self, lent: &mut Sample) {
        let Self { clouds, rows, odometry, .. } = self;
        let Some(slot) = self.len.checked_sub(1).and_then(|last| self.slots.get_mut(last)) else { return };
        let spare = match &lent.value {
            Value::PointCloud(_) => clouds.pop().map(Value::PointCloud),
            Value::Row(_) => rows.pop().map(Value::Row),
            Value::Odometry(_) => odometry.pop().map(Value::Odometry),
            _ => None,
        };
        self.has_others |= !matches!(lent.value, Value::Row(_) | Value::Odometry(_) | Value::Scalar(_));
        let value = mem::replace(&mut lent.value, spare.unwrap_or(Value::Scalar(0.0)));
        match mem::replace(&mut slot.sample.value, value) {
            Value::Row(row) if rows.len() < SPARE_ROWS => rows.push(row),
            Value::Odometry(one) if odometry.len() < SPARE_ROWS => odometry.push(one),
            _ => {}
        }
    }

    /// The place of a sample's series.
    fn series_of(&mut self, sample: &Sample) -> usize {
        let at = recent(&sample.channel);
        for at in [at, at ^ 1] {
            if let Some(place) = self.recent.get(at).and_then(|place| usize::try_from(*place).ok())
                && self.series.get(place).is_some_and(|series| series.shared.is_of(sample))
            {
                return place;
            }
        }
        let Sample { channel, frame_id, attributes, .. } = sample;
        let (channel, frame_id) = (Arc::clone(channel), Arc::clone(frame_id));
        let shared = Shared { channel, frame_id, attributes: attributes.clone() };
        let place = self.series.len();
        self.series.push(Series { lent: shared.clone(), shared });
        self.recent.resize(RECENT, 0);
        self.recent.swap(at, at ^ 1);
        if let Some(recent) = self.recent.get_mut(at) {
            *recent = fitting(place);
        }
        place
    }

    /// Number of samples.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The time of the sample with this number, if it has one.
    pub(crate) fn time(&self, number: usize) -> Option<Timestamp> {
        self.slots.get(number).filter(|_| number < self.len)?.sample.time
    }

    /// Lends the sample with this number, and the start of its recording; `None` if there is none.
    pub(crate) fn lend<T>(
        &mut self,
        number: usize,
        work: impl FnOnce(&mut Sample, Option<Timestamp>) -> T,
    ) -> Option<T> {
        let slot = self.slots.get_mut(number).filter(|_| number < self.len)?;
        let Series { shared, lent } = self.series.get_mut(slot.series)?;
        lent.swap(&mut slot.sample);
        let done = work(&mut slot.sample, slot.start);
        if !shared.is_of(&slot.sample) {
            // A step or a sink changed it.
            shared.clone().swap(&mut slot.sample);
        }
        lent.swap(&mut slot.sample);
        Some(done)
    }

    /// Lends all samples in order, each with the start of its recording, until there is an error.
    pub(crate) fn each(
        &mut self,
        mut work: impl FnMut(&mut Sample, Option<Timestamp>) -> Result<()>,
    ) -> Result<()> {
        (0..self.len).try_for_each(|number| self.lend(number, &mut work).unwrap_or(Ok(())))
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all samples, and keeps what the sink has not taken of their clouds, rows and odometry.
    pub(crate) fn clear(&mut self) {
        if mem::take(&mut self.has_others) {
            self.clear_others();
        }
        if self.series.len() > SERIES {
            self.series.clear();
        }
        self.len = 0;
        self.weight = 0;
        self.origin = None;
    }

    fn clear_others(&mut self) {
        let mut room = SPARE.saturating_sub(self.clouds.iter().map(weight::of_cloud).sum());
        for Slot { sample, .. } in self.slots.iter_mut().take(self.len) {
            match &mut sample.value {
                Value::Row(_) | Value::Odometry(_) | Value::Scalar(_) => {}
                Value::PointCloud(cloud) if has_room(&mut room, weight::of_cloud(cloud)) => {
                    cloud.clear();
                    self.clouds.push(mem::take(cloud));
                    sample.value = Value::Scalar(0.0);
                }
                other => *other = Value::Scalar(0.0),
            }
        }
    }
}

impl Shared {
    /// Whether a sample has the same in memory.
    fn is_of(&self, sample: &Sample) -> bool {
        Arc::ptr_eq(&self.channel, &sample.channel)
            && Arc::ptr_eq(&self.frame_id, &sample.frame_id)
            && self.attributes.is_same(&sample.attributes)
    }

    fn swap(&mut self, sample: &mut Sample) {
        mem::swap(&mut self.channel, &mut sample.channel);
        mem::swap(&mut self.frame_id, &mut sample.frame_id);
        mem::swap(&mut self.attributes, &mut sample.attributes);
    }
}

/// Length of `recent`; even, because entries are searched in pairs.
const RECENT: usize = 1 << 11;

/// A number below [`RECENT`] from the address of a name.
fn recent(name: &Arc<str>) -> usize {
    let address = Arc::as_ptr(name).cast::<u8>().addr() as u64;
    let mixed = (address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    fitting::<usize>(mixed) % RECENT
}

/// Takes the room for `weight` bytes, if they are any and there is enough.
fn has_room(room: &mut usize, weight: usize) -> bool {
    let left = room.checked_sub(weight).filter(|_| weight > 0);
    *room = left.unwrap_or(*room);
    left.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(channel: &Arc<str>, number: f64) -> Sample {
        Sample::new(Arc::clone(channel), Value::Scalar(number)).with_frame("map")
    }

    #[test]
    fn samples_come_back_whole_and_changed_names_do_not_spread() {
        let names: Vec<Arc<str>> = (0..7000).map(|n| format!("channel {n}").into()).collect();
        let mut batch = Batch::default();
        for round in 0..3 {
            for (number, name) in (0..).zip(names.iter().chain(&names)) {
                batch.push(&mut sample(name, f64::from(number)), None);
            }
            let mut seen = Vec::new();
            let outcome = batch.each(|sample, _| {
                seen.push(sample.take());
                sample.channel = "other".into();
                sample.frame_id = Arc::clone(&sample.channel);
                Ok(())
            });
            assert!(outcome.is_ok() && seen.len() == 14_000, "round {round}");
            for ((number, sample), name) in (0..).zip(&seen).zip(names.iter().chain(&names)) {
                assert_eq!((&sample.channel, &*sample.frame_id), (name, "map"));
                assert_eq!(sample.value, Value::Scalar(f64::from(number)));
            }
            batch.clear();
            assert!(batch.len() == 0 && batch.time(0).is_none() && batch.lend(0, |_, _| ()).is_none());
        }
    }

    #[test]
    fn values_that_a_sink_leaves_are_used_again() {
        let mut batch = Batch::default();
        let name: Arc<str> = "a".into();
        let row = Row { fields: Arc::default(), cells: Vec::with_capacity(9) };
        let mut lent = sample(&name, 0.0).with_value(Value::Row(row));
        batch.push(&mut lent, None);
        assert_eq!(lent.value, Value::Scalar(0.0));
        batch.clear();
        lent.value = Value::Row(Row::new(Arc::default(), Vec::new()));
        lent.time = Some(Timestamp::new(7, robolog_core::Clock::Unix));
        batch.push(&mut lent, None);
        assert_eq!(batch.time(0), lent.time);
        assert!(matches!(&lent.value, Value::Row(row) if row.cells.capacity() == 9 && row.cells.is_empty()));
    }
}
