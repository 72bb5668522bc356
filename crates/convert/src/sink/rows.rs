//! Point clouds as rows of bytes: what PCD and PLY have in common.

use robolog_core::{Column, PointCloud, Timestamp};

use crate::{Error, Result};

/// The fields of a row, decided by the first cloud that has points. Little-endian, packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) list: Vec<Field>,
    pub(super) width: usize,
}

/// A field of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    X,
    Y,
    Z,
    Intensity,
    /// Seconds of the recording's clock, as a double: a quarter of a microsecond for today's unix time.
    Timestamp,
    ReturnNumber,
    Tag,
    Ring,
}

/// Rows are made so many at a time, so that they stay in the first-level cache while their fields are filled in.
const BLOCK: usize = 256;

impl Field {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Intensity => "intensity",
            Self::Timestamp => "timestamp",
            Self::ReturnNumber => "return_number",
            Self::Tag => "tag",
            Self::Ring => "ring",
        }
    }

    pub(super) const fn size(self) -> usize {
        match self {
            Self::X | Self::Y | Self::Z | Self::Intensity => 4,
            Self::Timestamp => 8,
            Self::ReturnNumber | Self::Tag => 1,
            Self::Ring => 2,
        }
    }

    pub(super) const fn is_float(self) -> bool {
        !matches!(self, Self::ReturnNumber | Self::Tag | Self::Ring)
    }
}

impl Fields {
    pub(super) fn of(cloud: &PointCloud, time: Option<Timestamp>) -> Self {
        let has = |column| cloud.column_len(column) > 0;
        let list: Vec<_> = [
            (Field::X, true),
            (Field::Y, true),
            (Field::Z, true),
            (Field::Intensity, has(Column::Intensity)),
            (Field::Timestamp, time.is_some()),
            (Field::ReturnNumber, has(Column::ReturnNumber)),
            (Field::Tag, has(Column::Tag)),
            (Field::Ring, has(Column::Ring)),
        ]
        .into_iter()
        .filter_map(|(field, there)| there.then_some(field))
        .collect();
        let width = list.iter().map(|f| f.size()).sum();
        Self { list, width }
    }

    /// Makes `out` the rows of `cloud`. A field that this cloud lacks is NaN or 0.
    pub(super) fn rows(&self, cloud: &PointCloud, time: Option<Timestamp>, out: &mut Vec<u8>) -> Result<()> {
        check(cloud)?;
        // What is there is overwritten, not cleared first: that would cost as much as the rows.
        out.resize(cloud.len().saturating_mul(self.width), 0);
        if self.list == Self::ALL && self.has_all(cloud) {
            full_rows(cloud, time, out.as_chunks_mut().0);
            return Ok(());
        }
        for (b, block) in out.chunks_mut(BLOCK.saturating_mul(self.width)).enumerate() {
            let first = b.saturating_mul(BLOCK);
            let mut at = 0_usize;
            for field in &self.list {
                let target = Target { block: &mut *block, width: self.width, at };
                match field {
                    Field::X => target.put(tail(&cloud.x, first), f32::NAN, f32::to_le_bytes),
                    Field::Y => target.put(tail(&cloud.y, first), f32::NAN, f32::to_le_bytes),
                    Field::Z => target.put(tail(&cloud.z, first), f32::NAN, f32::to_le_bytes),
                    Field::Intensity => target.put(tail(&cloud.intensity, first), f32::NAN, f32::to_le_bytes),
                    Field::Timestamp => {
                        target.put(tail(&cloud.time_offset, first), 0, |ns| stamp(time, ns).to_le_bytes());
                    }
                    Field::ReturnNumber => target.put(tail(&cloud.return_number, first), 0, u8::to_le_bytes),
                    Field::Tag => target.put(tail(&cloud.tag, first), 0, u8::to_le_bytes),
                    Field::Ring => target.put(tail(&cloud.ring, first), 0, u16::to_le_bytes),
                }
                at = at.saturating_add(field.size());
            }
        }
        Ok(())
    }

    /// Makes `out` one field of all points, as a column.
    pub(super) fn column(
        field: Field,
        cloud: &PointCloud,
        time: Option<Timestamp>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let single = Self { list: vec![field], width: field.size() };
        single.rows(cloud, time, out)
    }

    const ALL: [Field; 8] = [
        Field::X,
        Field::Y,
        Field::Z,
        Field::Intensity,
        Field::Timestamp,
        Field::ReturnNumber,
        Field::Tag,
        Field::Ring,
    ];

    fn has_all(&self, cloud: &PointCloud) -> bool {
        cloud.columns().count() == self.list.len()
    }
}

/// Rows of all eight fields in one pass: what most LiDARs give.
fn full_rows(cloud: &PointCloud, time: Option<Timestamp>, rows: &mut [[u8; 28]]) {
    let xyzi = cloud.x.iter().zip(&cloud.y).zip(&cloud.z).zip(&cloud.intensity);
    let rest = cloud.time_offset.iter().zip(&cloud.return_number).zip(&cloud.tag).zip(&cloud.ring);
    for (row, ((((x, y), z), intensity), (((offset, number), tag), ring))) in
        rows.iter_mut().zip(xyzi.zip(rest))
    {
        row[0..4].copy_from_slice(&x.to_le_bytes());
        row[4..8].copy_from_slice(&y.to_le_bytes());
        row[8..12].copy_from_slice(&z.to_le_bytes());
        row[12..16].copy_from_slice(&intensity.to_le_bytes());
        row[16..24].copy_from_slice(&stamp(time, *offset).to_le_bytes());
        row[24] = *number;
        row[25] = *tag;
        row[26..28].copy_from_slice(&ring.to_le_bytes());
    }
}

fn check(cloud: &PointCloud) -> Result<()> {
    if cloud.is_consistent() {
        return Ok(());
    }
    Err(Error::Target("a point cloud has columns of different lengths".into()))
}

fn tail<T>(column: &[T], first: usize) -> &[T] {
    column.get(first..).unwrap_or_default()
}

/// The moment of a point, in seconds. The nanoseconds are added as integers first: no digit is lost before the last.
pub(super) fn stamp(time: Option<Timestamp>, offset: u32) -> f64 {
    time.and_then(|t| t.checked_add(offset.into())).map_or(f64::NAN, Timestamp::as_secs)
}

/// Where a field goes: rows of `width` bytes, `at` bytes into each.
struct Target<'a> {
    block: &'a mut [u8],
    width: usize,
    at: usize,
}

impl Target<'_> {
    /// Fills the field of each row from `column`, and from `absent` where it ends.
    fn put<T: Copy, const N: usize>(self, column: &[T], absent: T, bytes: impl Fn(T) -> [u8; N]) {
        let end = self.at.saturating_add(N);
        let values = column.iter().copied().chain(std::iter::repeat(absent));
        for (row, value) in self.block.chunks_exact_mut(self.width).zip(values) {
            if let Some(field) = row.get_mut(self.at..end) {
                field.copy_from_slice(&bytes(value));
            }
        }
    }
}

/// A header of fixed length whose numbers are known only at the end: `header` makes it from a count and a filling of
/// that many blanks, and the filling shrinks as the count grows.
pub(super) fn padded(points: u64, header: impl Fn(u64, &str) -> String) -> String {
    let len = |points| header(points, "").len();
    let filling = len(u64::MAX).saturating_sub(len(points));
    header(points, &" ".repeat(filling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::Clock;

    fn cloud(n: u16) -> PointCloud {
        let ramp = || (0..n).map(f32::from).collect::<Vec<_>>();
        PointCloud {
            x: ramp(),
            y: ramp(),
            z: ramp(),
            ring: (0..n).collect(),
            time_offset: (0..u32::from(n)).collect(),
            ..PointCloud::default()
        }
    }

    #[test]
    fn rows_hold_the_columns_side_by_side_across_blocks() {
        let time = Some(Timestamp::new(1_000_000_000, Clock::Unix));
        let cloud = cloud(600);
        let fields = Fields::of(&cloud, time);
        assert_eq!(fields.width, 12 + 8 + 2);
        let mut out = vec![9];
        fields.rows(&cloud, time, &mut out).unwrap();
        assert_eq!(out.len(), 600 * 22);
        for (i, row) in out.chunks_exact(22).enumerate() {
            let i = u16::try_from(i).unwrap();
            assert_eq!(row[4..8], f32::from(i).to_le_bytes());
            assert_eq!(row[12..20], (1.0 + f64::from(i) * 1e-9).to_le_bytes());
            assert_eq!(row[20..], i.to_le_bytes());
        }
    }

    #[test]
    fn the_pass_for_all_fields_gives_the_same_rows() {
        let time = Some(Timestamp::new(1_700_000_000_123_456_789, Clock::Unix));
        let mut cloud = cloud(700);
        cloud.intensity = vec![1.5; 700];
        cloud.return_number = (0..700).map(|i| u8::try_from(i % 3).unwrap()).collect();
        cloud.tag = (0..700).map(|i| u8::try_from(i % 251).unwrap()).collect();
        let fields = Fields::of(&cloud, time);
        assert_eq!((fields.width, fields.list.as_slice()), (28, &Fields::ALL[..]));
        let mut fast = Vec::new();
        fields.rows(&cloud, time, &mut fast).unwrap();
        let mut columns = vec![vec![]; 8];
        for (field, column) in fields.list.iter().zip(&mut columns) {
            Fields::column(*field, &cloud, time, column).unwrap();
        }
        for (i, row) in fast.chunks_exact(28).enumerate() {
            let want: Vec<u8> = fields
                .list
                .iter()
                .zip(&columns)
                .flat_map(|(f, c)| c[i * f.size()..(i + 1) * f.size()].to_vec())
                .collect();
            assert_eq!(row, want, "{i}");
        }
    }

    #[test]
    fn a_later_cloud_without_a_field_is_filled() {
        let fields = Fields::of(&cloud(1), None);
        let bare = PointCloud { ring: vec![], ..cloud(3) };
        let mut out = Vec::new();
        fields.rows(&bare, None, &mut out).unwrap();
        assert_eq!(out.len(), 3 * 14);
        assert!(out.chunks_exact(14).all(|row| row[12..] == [0, 0]));
        assert!(fields.rows(&PointCloud { ring: vec![1], ..cloud(3) }, None, &mut out).is_err());
    }

    #[test]
    fn padded_headers_keep_their_length() {
        let header = |points: u64, filling: &str| format!("comment{filling}\nelement vertex {points}\n");
        let lens: Vec<_> = [0, 9, 10, u64::MAX].map(|n| padded(n, header).len()).to_vec();
        assert!(lens.iter().all(|l| *l == lens[0]));
        assert_eq!(padded(u64::MAX, header), header(u64::MAX, ""));
    }
}
