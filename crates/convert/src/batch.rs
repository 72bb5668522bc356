//! Samples that were read and are not written yet.

mod fix;
mod words;

use std::{mem, sync::Arc};

use nalgebra::{Quaternion, UnitQuaternion};
use robolog_core::{
    Field, Odometry, PointCloud, Pose, Row, Sample, Timestamp, Twist, Value, format::LentNames,
    slices::fitting,
};
use robolog_sinks::weight;

use self::{
    fix::take_fix,
    words::{Words, time_of, time_words},
};
use crate::{Origin, Result};

/// Maximum bytes of the clouds that a batch keeps beside its samples.
const SPARE: usize = 1 << 20;

/// Maximum number of series, and of lists of columns, that an empty batch keeps.
const SERIES: usize = 1 << 12;

/// Samples of one recording, in its order. A reader fills the batch; then the plan and the sink get its samples one after
/// another.
///
/// What is written here leaves the cache of the other thread. So rows, odometry, fixes and numbers are words end to end,
/// and what samples of a channel share is in the batch once. They are lent from one sample, in the same memory each time.
/// Other values are moved into the batch. Batches are reused with their memory and clouds: fresh memory costs more than filling it.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    words: Words,
    /// Number of samples that were not lent yet.
    len: usize,
    /// Values that are not words, of which the first were lent.
    others: Vec<Value>,
    lent_others: usize,
    /// Values of the previous filling. One is freed for each new value, which takes its memory; if all were freed at once, the
    /// allocator would merge and split their blocks.
    spent: Vec<Value>,
    /// Columns of rows, and child frames of odometry, by the numbers in their words.
    fields: Vec<Arc<[Field]>>,
    children: Vec<Arc<str>>,
    /// The start of the recording as far as known when the last sample was pushed, and when the next one was.
    starts: [Option<Timestamp>; 2],
    series: Vec<Series>,
    /// Places in `series`, each by the address of its channel's name or beside it.
    recent: Vec<u32>,
    lent: Lent,
    /// Position of the reader in the input, bytes.
    pub(crate) position: u64,
    /// The recording; only in its first batch.
    pub(crate) origin: Option<Origin>,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Cleared clouds for the next samples.
    clouds: Vec<PointCloud>,
}

/// The samples that are lent, one for each form, without what is in their series.
#[derive(Debug)]
struct Lent([Sample; 4]);

impl Default for Lent {
    fn default() -> Self {
        Self([(); 4].map(|()| Sample::new(Arc::<str>::default(), Value::Scalar(0.0))))
    }
}

/// How the value of a sample is stored, and which sample lends it.
const ROW: u64 = 0;
const ODOMETRY: u64 = 1;
const OTHER: u64 = 2;
/// Odometry with a twist, a number, and fixes with and without what was measured beside them.
const MOVING: u64 = 3;
const NUMBER: u64 = 4;
const FIX: u64 = 5;
const MEASURED: u64 = 6;

/// Places of what is in the first word of a sample: the form, the clock, whether the start changes, and the series.
const CLOCK: u32 = 8;
const START: u32 = 16;
const OF_SERIES: u32 = 32;

/// What samples of a channel share.
#[derive(Debug)]
struct Series {
    names: LentNames,
    /// Number of the columns of its last row, or of the child frame of its last odometry.
    last: usize,
}

/// Takes a sample that is lent, with the start of its recording as far as known: moves it into the batch, or writes it at
/// once. Returns the error of the consumer.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&mut Batch, &mut Sample, Option<Timestamp>) -> Result<()>;

impl Batch {
    /// Copies a sample that is lent into the batch, or moves its value if it is more than a few numbers and texts.
    pub(crate) fn push(&mut self, lent: &mut Sample, start: Option<Timestamp>) {
        self.weight = self.weight.saturating_add(weight::of_value(&lent.value));
        self.len += 1;
        let place = self.series_of(lent);
        let form = match &lent.value {
            Value::Row(_) => ROW,
            Value::Odometry(odometry) => {
                if odometry.twist.is_some() {
                    MOVING
                } else {
                    ODOMETRY
                }
            }
            Value::Scalar(_) => NUMBER,
            Value::GnssFix(fix) => {
                if fix.measured.is_some() {
                    MEASURED
                } else {
                    FIX
                }
            }
            _ => OTHER,
        };
        let has_start = self.starts[0] != start;
        let [clock, nanos] = time_words(lent.time);
        let head = form | clock << CLOCK | u64::from(has_start) << START | (place as u64) << OF_SERIES;
        self.words.put([head, nanos, lent.offset]);
        if has_start {
            self.starts[0] = start;
            self.words.put(time_words(start));
        }
        match &mut lent.value {
            Value::Row(row) => self.push_row(place, row),
            Value::Odometry(odometry) => self.push_odometry(place, odometry),
            Value::Scalar(number) => self.words.put_numbers([*number]),
            Value::GnssFix(fix) => {
                self.words.put_fix(fix);
                if let Some(row) = &fix.measured {
                    self.push_row(place, row);
                }
            }
            value => {
                let taken = value.take();
                if let (Value::PointCloud(_), Some(cloud)) = (&taken, self.clouds.pop()) {
                    *value = Value::PointCloud(cloud);
                }
                self.others.push(taken);
                self.spent.pop();
            }
        }
    }

    fn push_row(&mut self, place: usize, row: &Row) {
        let Some(Series { last, .. }) = self.series.get_mut(place) else { return };
        if !self.fields.get(*last).is_some_and(|known| Arc::ptr_eq(known, &row.fields)) {
            *last = self.fields.len();
            self.fields.push(Arc::clone(&row.fields));
        }
        self.words.put([*last as u64]);
        self.words.put_cells(&row.cells);
    }

    fn push_odometry(&mut self, place: usize, odometry: &Odometry) {
        let Some(Series { last, .. }) = self.series.get_mut(place) else { return };
        let Odometry { child_frame_id, pose: Pose { position: p, orientation: q }, twist, .. } = odometry;
        if self.children.get(*last).is_none_or(|known| **known != **child_frame_id) {
            *last = self.children.len();
            self.children.push(child_frame_id.as_str().into());
        }
        self.words.put([*last as u64]);
        self.words.put_numbers([p.x, p.y, p.z, q.i, q.j, q.k, q.w]);
        if let Some(Twist { linear: v, angular: w }) = twist {
            self.words.put_numbers([v.x, v.y, v.z, w.x, w.y, w.z]);
        }
    }

    /// The place of a sample's series.
    fn series_of(&mut self, sample: &Sample) -> usize {
        let at = recent(&sample.channel);
        for at in [at, at ^ 1] {
            if let Some(place) = self.recent.get(at).and_then(|place| usize::try_from(*place).ok())
                && self.series.get(place).is_some_and(|series| series.names.are_of(sample))
            {
                return place;
            }
        }
        let place = self.series.len();
        self.series.push(Series { names: LentNames::of(sample), last: 0 });
        self.recent.resize(RECENT, 0);
        self.recent.swap(at, at ^ 1);
        if let Some(recent) = self.recent.get_mut(at) {
            *recent = fitting(place);
        }
        place
    }

    /// Number of samples that were not lent yet.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The time of the next sample, if it has one.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        let [head, nanos] = self.words.peek();
        time_of([head >> CLOCK & 0xff, nanos]).filter(|_| self.len > 0)
    }

    /// Lends the next sample, and the start of its recording; `None` if there is none.
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce(&mut Sample, Option<Timestamp>) -> T) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        let [head, nanos, offset] = self.words.take();
        if head >> START & 1 == 1 {
            self.starts[1] = time_of(self.words.take());
        }
        let form = head & 0xff;
        let Self { lent: Lent([row, odometry, fix, other]), .. } = self;
        let sample = match form {
            ROW => row,
            ODOMETRY | MOVING => odometry,
            FIX | MEASURED => fix,
            _ => other,
        };
        (sample.time, sample.offset) = (time_of([head >> CLOCK & 0xff, nanos]), offset);
        match form {
            ROW => take_row(&mut self.words, &self.fields, &mut sample.value),
            ODOMETRY | MOVING => {
                take_odometry(&mut self.words, &self.children, &mut sample.value, form == MOVING);
            }
            FIX | MEASURED => take_fix(&mut self.words, &self.fields, &mut sample.value, form == MEASURED),
            NUMBER => sample.value = Value::Scalar(self.words.take_numbers::<1>()[0]),
            _ => mem::swap(&mut sample.value, self.others.get_mut(self.lent_others)?),
        }
        let start = self.starts[1];
        let Series { names, .. } = self.series.get_mut(fitting::<usize>(head >> OF_SERIES))?;
        let done = names.lend(sample, |sample| work(sample, start));
        if form == OTHER {
            mem::swap(&mut sample.value, self.others.get_mut(self.lent_others)?);
            self.lent_others += 1;
        }
        Some(done)
    }

    /// Lends all samples in order, each with the start of its recording, until there is an error.
    pub(crate) fn each(
        &mut self,
        mut work: impl FnMut(&mut Sample, Option<Timestamp>) -> Result<()>,
    ) -> Result<()> {
        while let Some(outcome) = self.lend(&mut work) {
            outcome?;
        }
        Ok(())
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all samples, and keeps what the sink has not taken of their clouds.
    pub(crate) fn clear(&mut self) {
        self.clear_others();
        if self.series.len() > SERIES {
            self.series.clear();
        }
        if self.fields.len() > SERIES || self.children.len() > SERIES {
            self.fields.clear();
            self.children.clear();
        }
        self.words.clear();
        self.len = 0;
        self.starts = [None; 2];
        self.weight = 0;
        self.origin = None;
    }

    fn clear_others(&mut self) {
        let mut room = SPARE.saturating_sub(self.clouds.iter().map(weight::of_cloud).sum());
        self.spent.clear();
        for value in self.others.drain(..) {
            match value {
                Value::PointCloud(mut cloud) if has_room(&mut room, weight::of_cloud(&cloud)) => {
                    cloud.clear();
                    self.clouds.push(cloud);
                }
                Value::PointCloud(_) | Value::Image(_) => {}
                value => self.spent.push(value),
            }
        }
        self.lent_others = 0;
    }
}

/// Makes the value the next row, in the same memory if it is one.
fn take_row(words: &mut Words, fields: &[Arc<[Field]>], value: &mut Value) {
    if !matches!(value, Value::Row(_)) {
        *value = Value::Row(no_row());
    }
    if let Value::Row(row) = value {
        row_of(words, fields, row);
    }
}

fn no_row() -> Row {
    Row { fields: Arc::default(), cells: Vec::new() }
}

/// Makes a row the next one.
fn row_of(words: &mut Words, fields: &[Arc<[Field]>], row: &mut Row) {
    let [number] = words.take();
    let Some(fields) = fields.get(fitting::<usize>(number)) else { return };
    if !Arc::ptr_eq(&row.fields, fields) {
        row.fields = Arc::clone(fields);
    }
    words.take_cells(&mut row.cells);
}

/// Makes the value the next odometry, in the same memory if it is one.
fn take_odometry(words: &mut Words, children: &[Arc<str>], value: &mut Value, is_moving: bool) {
    let [number] = words.take();
    if !matches!(value, Value::Odometry(_)) {
        *value = Value::Odometry(Odometry::new("", Pose::identity()));
    }
    let (Value::Odometry(odometry), Some(child)) = (value, children.get(fitting::<usize>(number))) else {
        return;
    };
    let Odometry { child_frame_id, pose, twist, .. } = odometry;
    child_frame_id.clear();
    child_frame_id.push_str(child);
    let [x, y, z, qx, qy, qz, qw] = words.take_numbers();
    pose.position = [x, y, z].into();
    pose.orientation = UnitQuaternion::new_unchecked(Quaternion::new(qw, qx, qy, qz));
    *twist = is_moving.then(|| {
        let [vx, vy, vz, wx, wy, wz] = words.take_numbers();
        Twist { linear: [vx, vy, vz].into(), angular: [wx, wy, wz].into() }
    });
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
    use robolog_core::{Cell, Clock, FieldKind, GnssFix};

    use super::*;

    fn sample(channel: &Arc<str>, value: Value) -> Sample {
        Sample::new(Arc::clone(channel), value).with_frame("map")
    }

    #[test]
    fn samples_come_back_whole_and_changed_names_do_not_spread() {
        let names: Vec<Arc<str>> = (0..7000).map(|n| format!("channel {n}").into()).collect();
        let mut batch = Batch::default();
        for round in 0..3 {
            for (number, name) in (0..).zip(names.iter().chain(&names)) {
                batch.push(&mut sample(name, Value::Scalar(f64::from(number))), None);
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
            assert!(batch.len() == 0 && batch.time().is_none() && batch.lend(|_, _| ()).is_none());
        }
    }

    /// Rows of any length with cells of any kind, odometry with and without a twist, and others, in turn; the sink takes some.
    #[test]
    fn values_of_all_forms_come_back_with_their_times_and_starts() {
        let (channel, time) = (Arc::from("a"), |n: i64| Timestamp::new(n, Clock::Gps));
        let odometry = |n: u32| {
            let number = f64::from(n);
            let twist =
                Twist { linear: [number, 2.0, 3.0].into(), angular: [4.0, -0.0, f64::INFINITY].into() };
            let pose = Pose::from_euler([number, 1.0, 2.0], 0.1, number, 0.3);
            Odometry::new(format!("child {}", n % 3), pose).with_twist((n.is_multiple_of(2)).then_some(twist))
        };
        let cell = |n: u32| match n % 5 {
            0 => Cell::Null,
            1 => Cell::Bool(n.is_multiple_of(2)),
            2 => Cell::Int(-i64::from(n)),
            3 => Cell::Float(f64::from(n) / 8.0),
            _ => Cell::Text("\u{e9}".repeat(n as usize % 4)),
        };
        let fields: Arc<[Field]> = (0..40).map(|_| Field::new("f", FieldKind::Text)).collect();
        let row =
            |n: u32| Row { fields: Arc::clone(&fields), cells: (0..n % 40).map(|i| cell(n + i)).collect() };
        let value = |n: u32| match n % 6 {
            0 => Value::Row(row(n)),
            1 => Value::Odometry(odometry(n)),
            2 => Value::Text(n.to_string()),
            3 => Value::GnssFix(GnssFix { latitude: n.into(), ..GnssFix::default() }),
            4 => {
                let measured = (!n.is_multiple_of(5)).then(|| Box::new(row(n)));
                Value::GnssFix(GnssFix { measured, ..GnssFix::default() })
            }
            _ => Value::Scalar(n.into()),
        };
        let mut batch = Batch::default();
        let made = |n: u32| {
            let time = (!n.is_multiple_of(7)).then(|| time(n.into()));
            sample(&channel, value(n)).with_time(time).with_offset(n.into())
        };
        let start = |n: u32| (n > 10).then(|| time((n / 100).into()));
        for _ in 0..2 {
            for n in 0..1000 {
                batch.push(&mut made(n), start(n));
            }
            for n in 0..1000 {
                assert_eq!(batch.time(), made(n).time);
                let lent = batch
                    .lend(|sample, start| (if n % 3 == 0 { sample.take() } else { sample.clone() }, start));
                assert_eq!(lent, Some((made(n), start(n))));
            }
            batch.clear();
        }
    }

    #[test]
    fn a_row_is_left_to_the_decoder_and_a_cloud_is_replaced() {
        let (mut batch, name) = (Batch::default(), "a".into());
        let row = Row::new([Field::new("f", FieldKind::Int)].into(), vec![Cell::Int(7)]);
        let mut lent = sample(&name, Value::Row(row.clone()));
        batch.push(&mut lent, None);
        assert_eq!(lent.value, Value::Row(row));
        let cloud = PointCloud { x: Vec::with_capacity(9), ..PointCloud::default() };
        lent.value = Value::PointCloud(cloud);
        batch.push(&mut lent, None);
        batch.clear();
        lent.value = Value::PointCloud(PointCloud::default());
        batch.push(&mut lent, None);
        assert!(matches!(&lent.value, Value::PointCloud(cloud) if cloud.x.capacity() == 9));
    }
}
