//! Point clouds as rows of numbers, and laser scans as clouds.

mod layout;

use robolog_core::{
    Column, LaserScan, PointCloud,
    slices::{Part as _, value_at},
};

use self::layout::{FieldSource, fixed, plain};
pub(crate) use self::layout::{Number, PointField};
use super::stamp::Stamp;
use crate::{options::PointLayout, scan};

/// Rows made at a time: they stay in the cache while their fields are filled.
const BLOCK: usize = 1024;

/// Layout of a cloud's points in rows.
#[derive(Debug, Clone)]
pub(crate) struct Packing<'a> {
    cloud: &'a PointCloud,
    stamp: Stamp,
    fields: Vec<PointField>,
    width: usize,
}

impl<'a> Packing<'a> {
    /// Packs each column that holds values, once.
    pub(crate) fn of(cloud: &'a PointCloud) -> Self {
        let (fields, width) = plain(cloud, false);
        Self { cloud, stamp: Stamp::ZERO, fields, width }
    }

    /// Packs in the layout of a driver; `stamp` is that of the message.
    pub(crate) fn with_layout(cloud: &'a PointCloud, layout: PointLayout, stamp: Stamp) -> Self {
        let (fields, width) = match fixed(layout) {
            Some((fields, width)) => (fields.to_vec(), width),
            None => plain(cloud, true),
        };
        Self { cloud, stamp, fields, width }
    }

    pub(crate) fn fields(&self) -> impl ExactSizeIterator<Item = PointField> + Clone {
        self.fields.iter().copied()
    }

    /// Bytes of a row.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Bytes of all rows.
    pub(crate) fn len(&self) -> usize {
        self.cloud.len() * self.width
    }

    /// Writes all rows to `data`, which has their length and holds zeros.
    pub(crate) fn fill(&self, data: &mut [u8]) {
        for (i, block) in data.chunks_mut(BLOCK * self.width).enumerate() {
            for field in &self.fields {
                let rows = FieldRows { block, width: self.width, at: field.offset, first: i * BLOCK };
                self.field(rows, field.source);
            }
        }
    }

    fn field(&self, mut rows: FieldRows<'_>, source: FieldSource) {
        let cloud = self.cloud;
        let point = |i| Measured::of(cloud, i);
        match source {
            FieldSource::Column(column) => fill(&mut rows, cloud, column),
            FieldSource::Seconds => rows.put(&cloud.time_offset, |ns| seconds(ns.into()).to_le_bytes()),
            FieldSource::StampNanos => rows.each(|i| float(self.nanos(i)).to_le_bytes()),
            FieldSource::StampSeconds => rows.each(|i| (float(self.nanos(i)) * 1e-9).to_le_bytes()),
            FieldSource::RingByte => rows.put(&cloud.ring, |ring| [byte(ring)]),
            FieldSource::IntensityByte => rows.put(&cloud.intensity, |v| [intensity_byte(v)]),
            FieldSource::IntensityWord => rows.put(&cloud.intensity, |v| whole(v).to_le_bytes()),
            FieldSource::ReturnType => rows.each(|i| [return_type(cloud.return_number.get(i).copied())]),
            FieldSource::Azimuth => rows.each(|i| point(i).azimuth().to_le_bytes()),
            FieldSource::Elevation => rows.each(|i| point(i).elevation().to_le_bytes()),
            FieldSource::Distance => rows.each(|i| point(i).distance().to_le_bytes()),
            FieldSource::Millimetres => rows.each(|i| point(i).millimetres().to_le_bytes()),
            FieldSource::Zero => {}
        }
    }

    /// Time of a point, nanoseconds of the stamp's clock.
    fn nanos(&self, i: usize) -> u64 {
        let offset = value_at(&self.cloud.time_offset, i);
        self.stamp.log_time.saturating_add(offset.into())
    }
}

/// A point in its sensor's frame.
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    x: f32,
    y: f32,
    z: f32,
}

impl Measured {
    fn of(cloud: &PointCloud, i: usize) -> Self {
        let of = |column: &[f32]| value_at(column, i);
        Self { x: of(&cloud.x), y: of(&cloud.y), z: of(&cloud.z) }
    }

    /// Angle from x to y, 0 to 2π.
    fn azimuth(self) -> f32 {
        let angle = self.y.atan2(self.x);
        if angle < 0.0 { angle + std::f32::consts::TAU } else { angle }
    }

    /// Angle above the xy plane.
    fn elevation(self) -> f32 {
        self.z.atan2(self.x.hypot(self.y))
    }

    fn distance(self) -> f32 {
        self.x.hypot(self.y).hypot(self.z)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    fn millimetres(self) -> u32 {
        (f64::from(self.distance()) * 1e3).round() as u32
    }
}

/// Type of a return in Autoware's numbering: the strongest of one, the last of several.
const fn return_type(number: Option<u8>) -> u8 {
    const SINGLE_STRONGEST: u8 = 1;
    const SINGLE_LAST: u8 = 2;
    match number {
        None | Some(0 | 1) => SINGLE_STRONGEST,
        Some(_) => SINGLE_LAST,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what drivers have")]
fn seconds(nanos: f64) -> f32 {
    (nanos * 1e-9) as f32
}

#[expect(clippy::cast_precision_loss, reason = "as drivers have it: to a quarter of a microsecond today")]
const fn float(nanos: u64) -> f64 {
    nanos as f64
}

/// Rounds, saturating at 0 and 65535.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn whole(v: f32) -> u16 {
    v.round() as u16
}

/// Saturates at 255.
pub(crate) fn byte(v: u16) -> u8 {
    u8::try_from(v).unwrap_or(u8::MAX)
}

/// An intensity as Livox and Autoware store it.
pub(crate) fn intensity_byte(v: f32) -> u8 {
    byte(whole(v))
}

/// A field of some rows.
struct FieldRows<'a> {
    block: &'a mut [u8],
    width: usize,
    at: usize,
    /// Index of the first row.
    first: usize,
}

impl FieldRows<'_> {
    #[inline]
    fn put<T: Copy, const N: usize>(&mut self, column: &[T], bytes: impl Fn(T) -> [u8; N]) {
        let values = column.part_or_empty(self.first..);
        let end = self.at + N;
        if end > self.width {
            return;
        }
        // `end` is within the row, so that the loop has no checks.
        for (row, value) in self.block.chunks_exact_mut(self.width).zip(values) {
            if let Some(field) = row.get_mut(self.at..end) {
                field.copy_from_slice(&bytes(*value));
            }
        }
    }

    /// Fills the field from the index of each point.
    #[inline]
    fn each<const N: usize>(&mut self, bytes: impl Fn(usize) -> [u8; N]) {
        let end = self.at + N;
        for (i, row) in self.block.chunks_exact_mut(self.width).enumerate() {
            if let Some(field) = row.get_mut(self.at..end) {
                field.copy_from_slice(&bytes(self.first + i));
            }
        }
    }
}

fn fill(rows: &mut FieldRows<'_>, cloud: &PointCloud, column: Column) {
    match column {
        Column::X => rows.put(&cloud.x, f32::to_le_bytes),
        Column::Y => rows.put(&cloud.y, f32::to_le_bytes),
        Column::Z => rows.put(&cloud.z, f32::to_le_bytes),
        Column::Intensity => rows.put(&cloud.intensity, f32::to_le_bytes),
        Column::TimeOffset => rows.put(&cloud.time_offset, u32::to_le_bytes),
        Column::Ring => rows.put(&cloud.ring, u16::to_le_bytes),
        Column::ReturnNumber => rows.put(&cloud.return_number, u8::to_le_bytes),
        Column::Tag => rows.put(&cloud.tag, u8::to_le_bytes),
    }
}

/// Puts the points of a scan's valid ranges into `cloud`.
pub(crate) fn scan_points(scan: &LaserScan, cloud: &mut PointCloud) {
    cloud.clear();
    scan::append(scan, cloud);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_in_rows_across_blocks() {
        let n = 2500_u16;
        let ramp = |from: u16| (0..n).map(|i| f32::from(i) + f32::from(from)).collect::<Vec<_>>();
        let points = PointCloud {
            x: ramp(0),
            y: ramp(1),
            z: ramp(2),
            ring: (0..n).collect(),
            return_number: vec![7; n.into()],
            ..PointCloud::default()
        };
        let packing = Packing::of(&points);
        assert_eq!((packing.width(), packing.len()), (16, 40_000));
        let mut rows = vec![0; packing.len()];
        packing.fill(&mut rows);
        for (i, row) in rows.chunks_exact(16).enumerate() {
            let i = u16::try_from(i).unwrap();
            let want = [
                &f32::from(i).to_le_bytes()[..],
                &f32::from(i + 1).to_le_bytes(),
                &f32::from(i + 2).to_le_bytes(),
                &i.to_le_bytes(),
                &[7, 0],
            ];
            assert_eq!(row, want.concat());
        }
    }

    #[test]
    fn a_scan_becomes_the_points_of_its_valid_ranges() {
        let scan = LaserScan {
            angle_min: 0.0,
            angle_increment: std::f32::consts::FRAC_PI_2,
            time_increment: 0.25,
            range_min: 0.5,
            range_max: 10.0,
            ranges: vec![1.0, 2.0, f32::NAN, 0.25, 11.0, 3.0],
            intensities: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            ..LaserScan::default()
        };
        let mut points = PointCloud { tag: vec![1], ..PointCloud::default() };
        scan_points(&scan, &mut points);
        assert!(points.is_consistent() && points.tag.is_empty());
        let near = |a: &[f32], b: &[f32]| {
            assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} {b:?}");
        };
        near(&points.x, &[1.0, 0.0, 0.0]);
        near(&points.y, &[0.0, 2.0, 3.0]);
        assert_eq!(
            (points.intensity, points.time_offset),
            (vec![1.0, 2.0, 6.0], vec![0, 250_000_000, 1_250_000_000])
        );
        let unlimited = LaserScan { range_min: 0.0, range_max: 0.0, ..scan };
        let mut points = PointCloud::default();
        scan_points(&unlimited, &mut points);
        assert_eq!(points.len(), 5);
    }
}
