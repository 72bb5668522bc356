//! Samples that were read and are not written yet.

use std::{mem, sync::Arc};

use robolog_core::{Attributes, Cell, PointCloud, Row, Sample, Timestamp, Value, slices::fitting};
use robolog_sinks::weight;

use crate::{Origin, Result};

/// Maximum bytes of the clouds that a batch keeps beside its samples.
const SPARE: usize = 1 << 20;

/// Maximum number of series that an empty batch keeps.
const SERIES: usize = 1 << 12;

/// Samples of one recording, in its order. A reader fills the batch, and the plan and the sink work on its samples in place.
///
/// Batches are reused with their samples, clouds and rows: fresh memory costs more than filling it, and what is written
/// here leaves the cache of the other thread. So a row takes the place of a row, and what samples of a channel share is
/// in the batch once.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The samples by what they hold, as numbered in [`place`].
    slots: [Slots; 3],
    /// Where each sample is.
    order: Vec<(u8, u32)>,
    series: Vec<Series>,
    /// Places in `series`, each by the address of its channel's name or beside it.
    recent: Vec<u32>,
    /// Position of the reader in the input, bytes.
    pub(crate) position: u64,
    /// The recording; only in its first batch.
    pub(crate) origin: Option<Origin>,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Cleared clouds for the next samples.
    clouds: Vec<PointCloud>,
}

/// Samples of which the first `len` are filled.
#[derive(Debug, Default)]
struct Slots {
    list: Vec<Slot>,
    len: u32,
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

/// Number of the slots for a value, so that most find one of their kind, whose memory goes back in its place.
const fn place(value: &Value) -> u8 {
    match value {
        Value::Row(_) => 0,
        Value::Odometry(_) => 1,
        _ => OTHERS,
    }
}

const OTHERS: u8 = 2;

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
    /// Moves a sample that is lent into the batch. In place of its value it leaves one that was written, if any is of its
    /// kind.
    pub(crate) fn push(&mut self, lent: &mut Sample, start: Option<Timestamp>) {
        self.weight = self.weight.saturating_add(weight::of_value(&lent.value));
        let series = self.series_of(lent);
        let place = place(&lent.value);
        let Some(slots) = self.slots.get_mut(usize::from(place)) else { return };
        self.order.push((place, slots.len));
        let slot = slots.next();
        (slot.series, slot.start) = (series, start);
        (slot.sample.time, slot.sample.offset) = (lent.time, lent.offset);
        match (&mut slot.sample.value, &mut lent.value) {
            (Value::Row(to), Value::Row(from)) => {
                mem::swap(to, from);
                from.cells.clear();
            }
            (Value::Odometry(to), Value::Odometry(from)) => {
                mem::swap(&mut to.child_frame_id, &mut from.child_frame_id);
                (to.pose, to.twist) = (from.pose, from.twist);
            }
            (to, Value::Scalar(from)) => *to = Value::Scalar(*from),
            (to, from) => {
                *to = from.take();
                if let (Value::PointCloud(_), Some(cloud)) = (to, self.clouds.pop()) {
                    *from = Value::PointCloud(cloud);
                }
            }
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
        self.order.len()
    }

    /// The time of the sample with this number, if it has one.
    pub(crate) fn time(&self, number: usize) -> Option<Timestamp> {
        let (place, number) = self.order.get(number)?;
        self.slots.get(usize::from(*place))?.list.get(*number as usize)?.sample.time
    }

    /// Lends the sample with this number, and the start of its recording; `None` if there is none.
    pub(crate) fn lend<T>(
        &mut self,
        number: usize,
        work: impl FnOnce(&mut Sample, Option<Timestamp>) -> T,
    ) -> Option<T> {
        let (place, number) = self.order.get(number)?;
        let slot = self.slots.get_mut(usize::from(*place))?.list.get_mut(*number as usize)?;
        let Series { shared, lent } = self.series.get_mut(slot.series)?;
        lent.swap(&mut slot.sample);
        let done = work(&mut slot.sample, slot.start);
        if !shared.is_of(&slot.sample) {
            // A step or a sink changed it.
            shared.clone().swap(&mut slot.sample);
        }
        lent.swap(&mut slot.sample);
        if let Value::Row(Row { cells, .. }) = &mut slot.sample.value
            && !cells.iter().any(|cell| matches!(cell, Cell::Text(_)))
        {
            // The reader would fetch them from this core to see that nothing is to be freed.
            cells.clear();
        }
        Some(done)
    }

    /// Lends all samples in order, each with the start of its recording, until there is an error.
    pub(crate) fn each(
        &mut self,
        mut work: impl FnMut(&mut Sample, Option<Timestamp>) -> Result<()>,
    ) -> Result<()> {
        (0..self.len()).try_for_each(|number| self.lend(number, &mut work).unwrap_or(Ok(())))
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all samples, and keeps what the sink has not taken of their clouds, rows and odometry.
    pub(crate) fn clear(&mut self) {
        self.clear_others();
        if self.series.len() > SERIES {
            self.series.clear();
        }
        self.order.clear();
        for slots in &mut self.slots {
            slots.len = 0;
        }
        self.weight = 0;
        self.origin = None;
    }

    fn clear_others(&mut self) {
        let Some(others) = self.slots.get_mut(usize::from(OTHERS)) else { return };
        let mut room = SPARE.saturating_sub(self.clouds.iter().map(weight::of_cloud).sum());
        for Slot { sample, .. } in others.list.iter_mut().take(others.len as usize) {
            match &mut sample.value {
                Value::Scalar(_) => {}
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

impl Slots {
    /// The next slot, which is filled now.
    #[expect(clippy::indexing_slicing, reason = "there is one more slot than are filled")]
    fn next(&mut self) -> &mut Slot {
        let number = self.len as usize;
        if number == self.list.len() {
            let sample = Sample::new(Arc::<str>::default(), Value::Scalar(0.0));
            self.list.push(Slot { sample, series: 0, start: None });
        }
        self.len += 1;
        &mut self.list[number]
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
pub(crate) const RECENT: usize = 1 << 11;

/// A number below [`RECENT`] from the address of a name.
pub(crate) fn recent(name: &Arc<str>) -> usize {
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
