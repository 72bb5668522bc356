//! Samples that were read and are not written yet.

use std::{mem, sync::Arc};

use robolog_core::{Cell, PointCloud, Row, Sample, Timestamp, Value};
use robolog_sinks::weight;

use crate::{Origin, Result};

/// Maximum bytes of the clouds, and of the rows, that a batch keeps for reuse.
const SPARE: usize = 1 << 20;

/// Samples of one recording, in its order. A reader fills the batch, and the plan and the sink work on its samples in place.
///
/// Batches are reused with their clouds and rows: fresh memory costs more than filling it.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Each sample, with the start of its recording as far as known when it was read.
    pub(crate) samples: Vec<(Sample, Option<Timestamp>)>,
    /// Position of the reader in the input, bytes.
    pub(crate) position: u64,
    /// The recording; only in its first batch.
    pub(crate) origin: Option<Origin>,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Cleared clouds and cells of rows for the next samples.
    clouds: Vec<PointCloud>,
    rows: Vec<Vec<Cell>>,
}

/// Takes a sample that is lent, with the start of its recording as far as known: moves it into the batch, or writes it at
/// once. Returns the error of the consumer.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&mut Batch, &mut Sample, Option<Timestamp>) -> Result<()>;

impl Batch {
    /// Moves a sample that is lent into the batch. In place of a cloud or a row it leaves a spare one, if any.
    pub(crate) fn push(&mut self, lent: &mut Sample, start: Option<Timestamp>) {
        let spare = match &lent.value {
            Value::PointCloud(_) => self.clouds.pop().map(Value::PointCloud),
            Value::Row(Row { fields, .. }) => {
                self.rows.pop().map(|cells| Value::Row(Row { fields: Arc::clone(fields), cells }))
            }
            _ => None,
        };
        self.weight = self.weight.saturating_add(weight::of_value(&lent.value));
        self.samples.push((lent.take(), start));
        if let Some(spare) = spare {
            lent.value = spare;
        }
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all samples, and keeps clouds and rows that the sink has not taken.
    pub(crate) fn clear(&mut self) {
        let (clouds, rows) = (&mut self.clouds, &mut self.rows);
        let mut room = SPARE.saturating_sub(clouds.iter().map(weight::of_cloud).sum());
        let mut room_for_rows = SPARE.saturating_sub(rows.iter().map(of_cells).sum());
        for (sample, _) in &mut self.samples {
            match &mut sample.value {
                Value::PointCloud(cloud) if has_room(&mut room, weight::of_cloud(cloud)) => {
                    cloud.clear();
                    clouds.push(mem::take(cloud));
                }
                Value::Row(row) if has_room(&mut room_for_rows, of_cells(&row.cells)) => {
                    row.cells.clear();
                    rows.push(mem::take(&mut row.cells));
                }
                _ => {}
            }
        }
        self.samples.clear();
        self.weight = 0;
        self.origin = None;
    }
}

/// Bytes allocated by the cells of a row, without texts.
fn of_cells(cells: &Vec<Cell>) -> usize {
    cells.capacity().saturating_mul(size_of::<Cell>())
}

/// Takes the room for `weight` bytes, if they are any and there is enough.
fn has_room(room: &mut usize, weight: usize) -> bool {
    let left = room.checked_sub(weight).filter(|_| weight > 0);
    *room = left.unwrap_or(*room);
    left.is_some()
}
