//! Fills rows from samples.

use std::{ops::Range, slice::IterMut, sync::Arc};

use bytes::Bytes;
use robolog_core::{
    Cell, Clock, Geometry, Odometry, PointCloud, Sample, Timestamp, Value,
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

    fn name(&mut self, name: &str, shared: impl FnOnce() -> Arc<str>) {
        self.bytes += if self.spells && self.is_kept() { name.len() } else { 0 };
        if let Some(column) = self.columns.next() {
            column.valid.push(true, 1);
            if let Data::Name(names) = &mut column.data {
                names.push(name, shared, 1);
            }
        }
    }

    /// Counts the bytes that a value adds to its row. Columns and their offsets are limited to 31 bits.
    fn count(&mut self, bytes: usize) -> Result<()> {
        if self.is_kept() { self.add(bytes) } else { Ok(()) }
    }

    /// The same for a value of a column that is kept.
    fn add(&mut self, bytes: usize) -> Result<()> {
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

    /// Adds a shape, written where it stays.
    fn geometry(&mut self, geometry: &Geometry) -> Result<()> {
        let Some(column) = self.columns.next() else { return Ok(()) };
        let Data::Text(shapes) = &mut column.data else {
            column.valid.push(false, 1);
            return Ok(());
        };
        let start = shapes.values.len();
        shapes::well_known_binary(geometry, &mut shapes.values);
        let added = self.add(shapes.values.len() - start);
        if added.is_err() {
            shapes.values.truncate(start);
            return added;
        }
        shapes.end();
        column.valid.push(true, 1);
        Ok(())
    }

    /// Adds a list; an empty one is null.
    fn singles(&mut self, list: &[f32]) -> Result<()> {
        self.count(size_of_val(list))?;
        self.singles_of(Some(list).filter(|list| !list.is_empty()));
        Ok(())
    }

    fn begin(&mut self, time: Option<Timestamp>, channel: Option<&Arc<str>>) {
        self.int(time.map(Timestamp::nanos));
        self.micros(time.and_then(micros));
        if let Some(channel) = channel {
            self.name(channel, || Arc::clone(channel));
        }
    }

    fn cell(&mut self, cell: &Cell) -> Result<()> {
        match cell {
            Cell::Null => {
                if let Some(column) = self.columns.next() {
                    column.valid.push(false, 1);
                }
            }
            Cell::Bool(value) => self.bool(Some(*value)),
            Cell::Int(value) => self.int(Some(*value)),
            Cell::Float(value) => self.float(Some(*value)),
            Cell::Text(text) => self.text(Some(text))?,
        }
        Ok(())
    }

    /// Adds the cells of one row of a value, in the order that core declares. Rows and odometry come by the million, and
    /// are not passed through a function for each cell.
    fn value(&mut self, sample: &Sample, row: usize) -> Result<()> {
        match &sample.value {
            Value::Row(row) => row.cells.iter().take(row.fields.len()).try_for_each(|cell| self.cell(cell)),
            Value::Odometry(odometry) => {
                self.odometry(&sample.frame_id, odometry);
                Ok(())
            }
            value => {
                let mut outcome = Ok(());
                columns::cells(value, &sample.frame_id, row, &mut |_, _, datum| {
                    if outcome.is_ok() {
                        outcome = self.put(datum);
                    }
                });
                outcome
            }
        }
    }

    fn odometry(&mut self, frame_id: &Arc<str>, odometry: &Odometry) {
        let Odometry { child_frame_id, pose, twist, .. } = odometry;
        self.name(frame_id, || Arc::clone(frame_id));
        self.name(child_frame_id, || child_frame_id.as_str().into());
        for number in pose.position.iter().chain(pose.orientation.coords.iter()) {
            self.float(Some(*number));
        }
        for parts in [twist.map(|twist| twist.linear), twist.map(|twist| twist.angular)] {
            let [x, y, z] = parts.map_or([None; 3], |v| [Some(v.x), Some(v.y), Some(v.z)]);
            for number in [x, y, z] {
                self.float(number);
            }
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
            Datum::Name(name) => self.name(name, || name.into()),
            Datum::Bytes(bytes) => {
                self.count(bytes.len())?;
                self.bytes_of(self.is_kept().then(|| bytes.clone()));
            }
            Datum::Float32List(list) => self.singles(list)?,
            Datum::Geometry(geometry) => {
                self.geometry(geometry)?;
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
            cursor.begin(sample.time, has_channel.then_some(&sample.channel));
            cursor.value(sample, row)?;
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
            names.push(&sample.channel, || Arc::clone(&sample.channel), count);
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

#[cfg(test)]
mod tests {
    use robolog_core::{Pose, Twist};

    use super::*;
    use crate::{Opening, columns::Group};

    /// Values in the order of core's declaration and in that of the columns.
    #[test]
    fn odometry_fills_the_columns_that_core_declares() {
        let pose = Pose::from_euler([1.0, 2.0, 3.0], 0.1, 0.2, 0.3);
        let twist = Twist { linear: [4.0, 5.0, 6.0].into(), angular: [7.0, 8.0, 9.0].into() };
        for twist in [Some(twist), None] {
            let odometry = Odometry::new("body", pose).with_twist(twist);
            let sample = Sample::new("poses", Value::Odometry(odometry)).with_frame("map");
            let group = Group { rows: 9, bytes: 1 << 20, spells: false };
            let mut table = Table::of(&sample.value, group, &Opening::default());
            table.fill(&sample).unwrap();
            let mut declared = Vec::new();
            columns::cells(&sample.value, "map", 0, &mut |name, _, datum| declared.push((name, datum)));
            assert_eq!(declared.len(), 15);
            for ((name, datum), column) in declared.iter().zip(&table.columns[3..]) {
                assert_eq!(*name, column.name);
                let is_there = match (datum, &column.data) {
                    (Datum::Float(Some(number)), Data::Float(all)) => *all == [*number],
                    (Datum::Float(None), Data::Float(all)) => all.is_empty(),
                    (Datum::Name(name), Data::Name(all)) => all.names.list[0] == (*name).into(),
                    _ => false,
                };
                assert!(is_there, "{name}");
                assert!(column.valid.iter().eq([(*datum != Datum::Float(None), 1)]), "{name}");
            }
        }
    }
}
