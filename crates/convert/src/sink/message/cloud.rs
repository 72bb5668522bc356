//! Point clouds as rows of numbers, and planar scans as clouds.

use robolog_core::{Column, LaserScan, PointCloud};

use crate::scan;

/// The columns as fields, in the order in which each stands at a multiple of its size.
const FIELDS: [(Column, &str); 8] = [
    (Column::X, "x"),
    (Column::Y, "y"),
    (Column::Z, "z"),
    (Column::Intensity, "intensity"),
    (Column::TimeOffset, "t"),
    (Column::Ring, "ring"),
    (Column::ReturnNumber, "return_number"),
    (Column::Tag, "tag"),
];

/// Rows that are made at a time: they stay in the cache while their fields are filled.
const BLOCK: usize = 1024;

/// How the points of a cloud stand in rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packing<'a> {
    cloud: &'a PointCloud,
}

/// One number of each row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointField {
    pub(crate) name: &'static str,
    /// Bytes from the beginning of the row.
    pub(crate) offset: usize,
    pub(crate) column: Column,
}

impl<'a> Packing<'a> {
    pub(crate) fn of(cloud: &'a PointCloud) -> Self {
        Self { cloud }
    }

    /// The fields of the columns that hold values.
    pub(crate) fn fields(self) -> impl Iterator<Item = PointField> + Clone {
        let has = move |column: Column| {
            matches!(column, Column::X | Column::Y | Column::Z) || self.cloud.column_len(column) > 0
        };
        FIELDS.into_iter().filter(move |(column, _)| has(*column)).scan(0_usize, |end, (column, name)| {
            let offset = *end;
            *end += size(column);
            Some(PointField { name, offset, column })
        })
    }

    /// The bytes of a row, padded to a multiple of four.
    pub(crate) fn width(self) -> usize {
        self.fields().map(|field| size(field.column)).sum::<usize>().next_multiple_of(4)
    }

    /// The bytes of all rows.
    pub(crate) fn len(self) -> usize {
        self.cloud.len() * self.width()
    }

    /// All rows into `data`, which is as long as they are and holds zeros.
    pub(crate) fn fill(self, data: &mut [u8]) {
        let width = self.width();
        for (i, block) in data.chunks_mut(BLOCK * width).enumerate() {
            let first = i * BLOCK;
            for field in self.fields() {
                fill(&mut Rows { block, width, at: field.offset, first }, self.cloud, field.column);
            }
        }
    }
}

/// Bytes of a number.
const fn size(column: Column) -> usize {
    match column {
        Column::X | Column::Y | Column::Z | Column::Intensity | Column::TimeOffset => 4,
        Column::Ring => 2,
        Column::ReturnNumber | Column::Tag => 1,
    }
}

/// One field of some rows.
struct Rows<'a> {
    block: &'a mut [u8],
    width: usize,
    at: usize,
    /// The index of the first row.
    first: usize,
}

impl Rows<'_> {
    #[inline]
    fn put<T: Copy, const N: usize>(&mut self, column: &[T], bytes: impl Fn(T) -> [u8; N]) {
        let values = column.get(self.first..).unwrap_or_default();
        let end = self.at + N;
        if end > self.width {
            return;
        }
        // Every row is as wide as that, so the loop has no checks left.
        for (row, value) in self.block.chunks_exact_mut(self.width).zip(values) {
            if let Some(field) = row.get_mut(self.at..end) {
                field.copy_from_slice(&bytes(*value));
            }
        }
    }
}

fn fill(rows: &mut Rows<'_>, cloud: &PointCloud, column: Column) {
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

/// The points of a scan's valid ranges into `cloud`.
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
            time_offset: (0..n.into()).collect(),
            ring: (0..n).collect(),
            tag: vec![7; n.into()],
            ..PointCloud::default()
        };
        let packing = Packing::of(&points);
        assert_eq!((packing.width(), packing.len()), (20, 50_000));
        let mut rows = vec![0; packing.len()];
        packing.fill(&mut rows);
        for (i, row) in rows.chunks_exact(20).enumerate() {
            let i = u16::try_from(i).unwrap();
            let want = [
                &f32::from(i).to_le_bytes()[..],
                &f32::from(i + 1).to_le_bytes(),
                &f32::from(i + 2).to_le_bytes(),
                &u32::from(i).to_le_bytes(),
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
