//! Point clouds as rows of bytes, shared by PCD and PLY.

mod header;

use std::io::Write;

use robolog_core::{Column, PointCloud, Timestamp};

pub(super) use self::header::{device_names, padded};
use super::records::{BLOCK, Put, Start, tail};
use crate::{Error, Note, Reason, Result};

/// Fields of a row, set by the first cloud with points. Little-endian, packed.
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
    /// Seconds of the recording's clock, as a double: exact to a quarter of a microsecond for today's Unix time.
    Timestamp,
    ReturnNumber,
    Tag,
    Ring,
    /// The number of the point's channel, from 1.
    Device,
}

/// Time of a cloud and number of its channel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) time: Option<Timestamp>,
    pub(super) device: u16,
}

/// Fields of later clouds that the first cloud, which sets those of the file, does not have.
#[derive(Debug, Default)]
pub(super) struct Dropped(Vec<(Field, u64)>);

impl Dropped {
    pub(super) fn see(&mut self, fields: &Fields, cloud: &PointCloud, time: Option<Timestamp>) {
        let of_cloud = Fields::of(cloud, time, false).list;
        for field in of_cloud.into_iter().filter(|field| !fields.list.contains(field)) {
            match self.0.iter_mut().find(|(dropped, _)| *dropped == field) {
                Some((_, points)) => *points += cloud.len() as u64,
                None => self.0.push((field, cloud.len() as u64)),
            }
        }
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let why = "the first cloud has none, and sets the fields of the file";
        self.0.iter().filter_map(|(field, points)| Note::unfit(*points, field.name(), why)).collect()
    }
}

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
            Self::Device => "device",
        }
    }

    pub(super) const fn size(self) -> usize {
        match self {
            Self::X | Self::Y | Self::Z | Self::Intensity => 4,
            Self::Timestamp => 8,
            Self::ReturnNumber | Self::Tag => 1,
            Self::Ring | Self::Device => 2,
        }
    }

    pub(super) const fn is_float(self) -> bool {
        !matches!(self, Self::ReturnNumber | Self::Tag | Self::Ring | Self::Device)
    }
}

impl Fields {
    /// Fields of the cloud; `has_device` says whether rows name their channel.
    pub(super) fn of(cloud: &PointCloud, time: Option<Timestamp>, has_device: bool) -> Self {
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
            (Field::Device, has_device),
        ]
        .into_iter()
        .filter_map(|(field, there)| there.then_some(field))
        .collect();
        let width = list.iter().map(|f| f.size()).sum();
        Self { list, width }
    }

    /// Writes the rows of `cloud` to `out` through `buffer`. A field that this cloud lacks is NaN or 0.
    pub(super) fn write(
        &self,
        cloud: &PointCloud,
        from: Origin,
        buffer: &mut Vec<u8>,
        out: &mut impl Write,
    ) -> Result<()> {
        if !cloud.is_consistent() {
            return Err(Error::Target(Reason::UnevenCloud));
        }
        let start = start(from.time);
        let is_whole = cloud.columns().count() == Column::ALL.len();
        let behind_all = self.list.strip_prefix(&Self::ALL).filter(|_| is_whole);
        let source = (start, from.device);
        for first in (0..cloud.len()).step_by(BLOCK) {
            let rows = (cloud.len() - first).min(BLOCK);
            // Overwritten without clearing, which would cost as much as the rows.
            buffer.resize(rows * self.width, 0);
            match behind_all {
                Some([]) => full_rows::<28>(cloud, first, source, buffer.as_chunks_mut().0),
                Some([Field::Device]) => full_rows::<30>(cloud, first, source, buffer.as_chunks_mut().0),
                _ => self.block(cloud, first, source, buffer),
            }
            out.write_all(buffer)?;
        }
        Ok(())
    }

    /// Writes the rows from `first` on, field by field.
    fn block(&self, cloud: &PointCloud, first: usize, (start, device): (Start, u16), block: &mut [u8]) {
        let mut put = Put { block, width: self.width, at: 0 };
        for field in &self.list {
            match field {
                Field::X => put.field(tail(&cloud.x, first), f32::NAN, f32::to_le_bytes),
                Field::Y => put.field(tail(&cloud.y, first), f32::NAN, f32::to_le_bytes),
                Field::Z => put.field(tail(&cloud.z, first), f32::NAN, f32::to_le_bytes),
                Field::Intensity => put.field(tail(&cloud.intensity, first), f32::NAN, f32::to_le_bytes),
                Field::Timestamp => {
                    put.field(tail(&cloud.time_offset, first), 0, |ns| start.after(ns).to_le_bytes());
                }
                Field::ReturnNumber => put.field(tail(&cloud.return_number, first), 0, u8::to_le_bytes),
                Field::Tag => put.field(tail(&cloud.tag, first), 0, u8::to_le_bytes),
                Field::Ring => put.field(tail(&cloud.ring, first), 0, u16::to_le_bytes),
                Field::Device => put.field(&[], device, u16::to_le_bytes),
            }
        }
    }

    /// Whether rows name their channel.
    pub(super) fn has_device(&self) -> bool {
        self.list.contains(&Field::Device)
    }

    /// A single field, for columns.
    #[cfg(any(test, feature = "to-pcd"))]
    pub(super) fn single(field: Field) -> Self {
        Self { list: vec![field], width: field.size() }
    }

    /// All fields of a cloud, in the order of [`Fields::of`].
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
}

/// Writes rows of all fields in one pass, the case of most LiDARs: 28 bytes, or 30 with the device.
fn full_rows<const WIDTH: usize>(
    cloud: &PointCloud,
    first: usize,
    (start, device): (Start, u16),
    rows: &mut [[u8; WIDTH]],
) {
    let xyz = tail(&cloud.x, first).iter().zip(tail(&cloud.y, first)).zip(tail(&cloud.z, first));
    let xyzi = xyz.zip(tail(&cloud.intensity, first));
    let rest = tail(&cloud.time_offset, first).iter().zip(tail(&cloud.return_number, first));
    let rest = rest.zip(tail(&cloud.tag, first)).zip(tail(&cloud.ring, first));
    for (row, ((((x, y), z), intensity), (((offset, number), tag), ring))) in
        rows.iter_mut().zip(xyzi.zip(rest))
    {
        let Some((row, end)) = row.split_first_chunk_mut::<28>() else { return };
        if let Some(end) = end.first_chunk_mut() {
            *end = device.to_le_bytes();
        }
        let xy = u64::from(x.to_bits()) | u64::from(y.to_bits()) << 32;
        let zi = u64::from(z.to_bits()) | u64::from(intensity.to_bits()) << 32;
        row[0..8].copy_from_slice(&xy.to_le_bytes());
        row[8..16].copy_from_slice(&zi.to_le_bytes());
        row[16..24].copy_from_slice(&start.after(*offset).to_le_bytes());
        // One store for three fields: stores limit the speed of this loop.
        let [low, high] = ring.to_le_bytes();
        row[24..28].copy_from_slice(&u32::from_le_bytes([*number, *tag, low, high]).to_le_bytes());
    }
}

/// The time of a cloud; NaN without one.
pub(super) fn start(time: Option<Timestamp>) -> Start {
    time.map_or(Start { secs: f64::NAN, nanos: 0.0 }, |time| Start::new(time.secs_and_nanos()))
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

    fn rows(fields: &Fields, cloud: &PointCloud, time: Option<Timestamp>) -> Vec<u8> {
        let mut out = Vec::new();
        fields.write(cloud, Origin { time, device: 258 }, &mut vec![9], &mut out).unwrap();
        out
    }

    #[test]
    fn rows_hold_the_columns_side_by_side_across_blocks() {
        let time = Some(Timestamp::new(1_000_000_000, Clock::Unix));
        let cloud = cloud(2600);
        let fields = Fields::of(&cloud, time, true);
        assert_eq!(fields.width, 12 + 8 + 2 + 2);
        let out = rows(&fields, &cloud, time);
        assert_eq!(out.len(), 2600 * 24);
        for (i, row) in out.chunks_exact(24).enumerate() {
            let i = u16::try_from(i).unwrap();
            assert_eq!(row[4..8], f32::from(i).to_le_bytes());
            assert_eq!(row[12..20], (1.0 + f64::from(i) * 1e-9).to_le_bytes());
            assert_eq!(row[20..22], i.to_le_bytes());
            assert_eq!(row[22..], [2, 1]);
        }
    }

    #[test]
    fn the_pass_for_all_fields_gives_the_same_rows() {
        let time = Some(Timestamp::new(1_700_000_000_123_456_789, Clock::Unix));
        let mut cloud = cloud(2700);
        cloud.intensity = vec![1.5; 2700];
        cloud.return_number = (0..2700).map(|i| u8::try_from(i % 3).unwrap()).collect();
        cloud.tag = (0..2700).map(|i| u8::try_from(i % 251).unwrap()).collect();
        for (has_device, width) in [(false, 28), (true, 30)] {
            let fields = Fields::of(&cloud, time, has_device);
            assert_eq!((fields.width, fields.list.len()), (width, 8 + usize::from(has_device)));
            let fast = rows(&fields, &cloud, time);
            let columns: Vec<_> =
                fields.list.iter().map(|f| rows(&Fields::single(*f), &cloud, time)).collect();
            for (i, row) in fast.chunks_exact(width).enumerate() {
                let want: Vec<u8> = fields
                    .list
                    .iter()
                    .zip(&columns)
                    .flat_map(|(f, c)| c[i * f.size()..(i + 1) * f.size()].to_vec())
                    .collect();
                assert_eq!(row, want, "{i}");
            }
        }
    }

    #[test]
    fn moments_are_as_near_as_a_double_comes() {
        for nanos in [0, 1_726_588_075_299_964_555, -1_500_000_001, i64::MAX - (1 << 33)] {
            let time = Timestamp::new(nanos, Clock::Unix);
            for offset in [0, 1, 4167, 49_999_999, u32::MAX] {
                let exact = time.checked_add(offset.into()).unwrap().as_secs();
                let got = start(Some(time)).after(offset);
                assert!(
                    (got - exact).abs() <= exact.abs() * f64::EPSILON,
                    "{nanos} {offset}: {got}, not {exact}"
                );
            }
        }
        assert!(start(None).after(1).is_nan());
    }

    #[test]
    fn a_field_that_only_later_clouds_have_is_told() {
        let bare = PointCloud { ring: vec![], ..cloud(3) };
        let (fields, mut dropped) = (Fields::of(&bare, None, false), Dropped::default());
        dropped.see(&fields, &bare, None);
        assert!(dropped.notes().is_empty());
        dropped.see(&fields, &cloud(2), None);
        dropped.see(&fields, &cloud(3), None);
        assert!(matches!(dropped.notes()[..], [Note::Unfit { count: 5, what: "ring", .. }]));
    }

    #[test]
    fn a_later_cloud_without_a_field_is_filled() {
        let fields = Fields::of(&cloud(1), None, false);
        let bare = PointCloud { ring: vec![], ..cloud(3) };
        let out = rows(&fields, &bare, None);
        assert_eq!(out.len(), 3 * 14);
        assert!(out.chunks_exact(14).all(|row| row[12..] == [0, 0]));
        let uneven = PointCloud { ring: vec![1], ..cloud(3) };
        let from = Origin { time: None, device: 1 };
        assert!(fields.write(&uneven, from, &mut Vec::new(), &mut std::io::sink()).is_err());
    }
}
