//! Fills rows from samples.

use std::{ops::Range, slice::IterMut};

use bytes::Bytes;
use robolog_core::{
    Clock, PointCloud, Sample, Timestamp, Value,
    columns::{self, Datum},
    slices::{Part as _, value_at},
};

use super::{Column, Data, Table, shapes};
use crate::{Error, Reason, Result};

/// Writes the values of a row, column by column.
struct Cursor<'a> {
    columns: IterMut<'a, Column>,
    /// Bytes of variable-length values.
    bytes: usize,
    spells: bool,
}

macro_rules! put {
    ($($name:ident: $variant:ident($value:ty)),+ $(,)?) => {$(
        fn $name(&mut self, value: Option<$value>) {
            if let Some(column) = self.columns.next() {
                column.valid.push(value.is_some(), 1);
                if let (Data::$variant(values), Some(value)) = (&mut column.data, value) {
                    values.push(value);
                }
            }
        }
    )+};
}

impl Cursor<'_> {
    put!(
        bool: Bool(bool),
        int: Int(i64),
        small: Small(i32),
        float: Float(f64),
        single: Single(f32),
        micros: Micros(i64),
        text_of: Text(&[u8]),
        singles_of: Singles(&[f32]),
        bytes_of: Bytes(Bytes),
    );

    /// Whether the values of the next column are kept.
    fn is_kept(&self) -> bool {
        self.columns.as_slice().first().is_none_or(Column::is_kept)
    }

    fn name(&mut self, name: &str) {
        self.bytes += if self.spells && self.is_kept() { name.len() } else { 0 };
        if let Some(column) = self.columns.next() {
            column.valid.push(true, 1);
            if let Data::Name(names) = &mut column.data {
                names.push(name, 1);
            }
        }
    }

    /// Counts the bytes that a value adds to its row. Columns and their offsets are limited to 31 bits.
    fn count(&mut self, bytes: usize) -> Result<()> {
        if !self.is_kept() {
            return Ok(());
        }
        if bytes > MOST {
            return Err(Error::Target(Reason::LongValue { bytes }));
        }
        self.bytes += bytes;
        Ok(())
    }

    fn text(&mut self, text: Option<&str>) -> Result<()> {
        self.count(text.map_or(0, str::len))?;
        self.text_of(text.map(str::as_bytes));
        Ok(())
    }

    /// Adds a list; an empty one is null.
    fn singles(&mut self, list: &[f32]) -> Result<()> {
        self.count(size_of_val(list))?;
        self.singles_of(Some(list).filter(|list| !list.is_empty()));
        Ok(())
    }

    fn begin(&mut self, time: Option<Timestamp>, channel: Option<&str>) {
        self.int(time.map(Timestamp::nanos));
        self.micros(time.and_then(micros));
        if let Some(channel) = channel {
            self.name(channel);
        }
    }

    fn put(&mut self, datum: Datum<'_>) -> Result<()> {
        match datum {
            Datum::Bool(value) => self.bool(value),
            Datum::Int(value) => self.int(value),
            Datum::Int32(value) => self.small(value),
            Datum::Float(value) => self.float(value),
            Datum::Float32(value) => self.single(value),
            Datum::Text(text) => self.text(text)?,
            Datum::Name(name) => self.name(name),
            Datum::Bytes(bytes) => {
                self.count(bytes.len())?;
                self.bytes_of(self.is_kept().then(|| bytes.clone()));
            }
            Datum::Float32List(list) => self.singles(list)?,
            Datum::Geometry(geometry) => {
                let bytes = shapes::well_known_binary(geometry);
                self.count(bytes.len())?;
                self.bytes_of(self.is_kept().then(|| bytes.into()));
            }
            _ => self.text(None)?,
        }
        Ok(())
    }
}

/// Maximum bytes of a value.
const MOST: usize = 1 << 30;

impl Table {
    fn cursor(&mut self) -> Cursor<'_> {
        Cursor { columns: self.columns.iter_mut(), bytes: 0, spells: self.group.spells }
    }

    /// Adds the rows of any value but a cloud. Returns their number and the bytes of variable-length values.
    pub(super) fn fill(&mut self, sample: &Sample) -> Result<(usize, usize)> {
        let (has_channel, rows) = (self.has_channel, columns::rows(&sample.value));
        if let Value::Feature(feature) = &sample.value {
            self.shapes.add(&feature.geometry);
        }
        let mut bytes = 0_usize;
        for row in 0..rows {
            let mut cursor = self.cursor();
            cursor.begin(sample.time, has_channel.then_some(&*sample.channel));
            let mut outcome = Ok(());
            columns::cells(&sample.value, &sample.frame_id, row, &mut |_, _, datum| {
                if outcome.is_ok() {
                    outcome = cursor.put(datum);
                }
            });
            outcome?;
            bytes += cursor.bytes;
        }
        Ok((rows, bytes))
    }

    /// Adds a range of points of a cloud.
    pub(super) fn fill_points(&mut self, sample: &Sample, cloud: &PointCloud, points: Range<usize>) {
        let count = points.len();
        let offsets = cloud.time_offset.part_or_empty(points.clone());
        let mut columns = self.columns.iter_mut();
        let (Some(time_ns), Some(time)) = (columns.next(), columns.next()) else { return };
        times(time_ns, time, sample.time, offsets, count);
        if self.has_channel
            && let Some(channel) = columns.next()
            && let Data::Name(names) = &mut channel.data
        {
            names.push(&sample.channel, count);
            channel.valid.push(true, count);
        }
        let [x, y, z, intensity, return_number, tag, ring] = columns.into_slice() else { return };
        for (column, values) in [(x, &cloud.x), (y, &cloud.y), (z, &cloud.z), (intensity, &cloud.intensity)] {
            let values = values.part_or_empty(points.clone());
            column.valid.push(!values.is_empty(), count);
            if let Data::Single(all) = &mut column.data {
                all.extend_from_slice(values);
            }
        }
        extend(return_number, cloud.return_number.get(points.clone()), count);
        extend(tag, cloud.tag.get(points.clone()), count);
        extend(ring, cloud.ring.get(points), count);
    }
}

fn extend<T: Copy + Into<i32>>(column: &mut Column, values: Option<&[T]>, count: usize) {
    let values = values.unwrap_or_default();
    column.valid.push(!values.is_empty(), count);
    if let Data::Small(all) = &mut column.data {
        all.extend(values.iter().map(|value| (*value).into()));
    }
}

/// Fills the times of `count` points at `offsets` from `start`, or all at `start` without offsets.
fn times(time_ns: &mut Column, time: &mut Column, start: Option<Timestamp>, offsets: &[u32], count: usize) {
    let (is_ns_kept, is_time_kept) = (time_ns.is_kept(), time.is_kept());
    if !is_ns_kept && !is_time_kept {
        return;
    }
    // A column may be needed for the other one without being kept.
    let mut unkept = (Vec::new(), Vec::new());
    let all = if let Data::Int(all) = &mut time_ns.data { all } else { &mut unkept.0 };
    let all_micros = if let Data::Micros(all) = &mut time.data { all } else { &mut unkept.1 };
    let is_unix = start.is_some_and(|start| start.clock() == Clock::Unix);
    // If the latest possible time fits, all do.
    let Some(nanos) = start.and_then(|t| t.checked_add(u32::MAX.into()).and(Some(t.nanos()))) else {
        for i in 0..count {
            let offset = value_at(offsets, i);
            let moment = start.and_then(|start| start.checked_add(offset.into()));
            time_ns.valid.push(moment.is_some(), 1);
            all.extend(moment.map(Timestamp::nanos));
            let micros = moment.and_then(micros);
            time.valid.push(micros.is_some(), 1);
            all_micros.extend(micros);
        }
        return;
    };
    let first = all.len();
    if offsets.is_empty() {
        all.resize(first + count, nanos);
    } else {
        all.extend(offsets.iter().map(|offset| nanos.saturating_add(i64::from(*offset))));
    }
    time_ns.valid.push(true, count);
    time.valid.push(is_unix, count);
    if is_unix && is_time_kept {
        let added = all.part(first..);
        all_micros.extend(added.iter().map(|nanos| nanos.div_euclid(1000)));
    }
}

/// Unix time in microseconds, rounded down; `None` for other clocks.
fn micros(time: Timestamp) -> Option<i64> {
    (time.clock() == Clock::Unix).then(|| time.nanos().div_euclid(1000))
}
