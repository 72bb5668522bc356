//! Point clouds as columns.

/// A point cloud, one column per quantity.
///
/// `x`, `y` and `z` are always present; every other column is either as long as they are, or empty if the source lacks
/// the quantity. Columns are plain vectors: decoders extend them, [`clear`](Self::clear) keeps their memory for the
/// next cloud, and readers borrow them as slices.
///
/// ```
/// use robolog_core::PointCloud;
/// let mut cloud = PointCloud::default();
/// cloud.x.extend([1.0, 2.0]);
/// cloud.y.extend([0.0, 0.0]);
/// cloud.z.extend([0.5, 0.5]);
/// cloud.intensity.extend([17.0, 255.0]);
/// assert_eq!(cloud.len(), 2);
/// assert!(cloud.is_consistent());
/// assert_eq!(cloud.bounds(), Some(([1.0, 0.0, 0.5], [2.0, 0.0, 0.5])));
/// ```
#[derive(Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PointCloud {
    /// Forward, metres.
    pub x: Vec<f32>,
    /// Left, metres.
    pub y: Vec<f32>,
    /// Up, metres.
    pub z: Vec<f32>,
    /// Strength of the return in the sensor's own scale, mostly 0 to 255.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub intensity: Vec<f32>,
    /// Nanoseconds from the sample's time to the moment the point was measured.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub time_offset: Vec<u32>,
    /// Number of this return within the laser shot, from 1; 0 if the sensor does not report it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub return_number: Vec<u8>,
    /// The sensor's own classification of the return, raw.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub tag: Vec<u8>,
    /// Number of the laser or scan line, from 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub ring: Vec<u16>,
    /// Makes `..Default::default()` necessary in a literal: a new field breaks nobody's code.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub more: (),
}

debug_without_more!(PointCloud { x, y, z, intensity, time_offset, return_number, tag, ring });

/// The columns of a [`PointCloud`].
///
/// ```
/// use robolog_core::{Column, Point, PointCloud};
/// let cloud: PointCloud = [Point { ring: Some(3), ..Point::new(1.0, 0.0, 0.5) }].into_iter().collect();
/// let names: Vec<_> = cloud.columns().map(Column::name).collect();
/// assert_eq!(names, ["x", "y", "z", "ring"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the fields of PointCloud, which say what they are")]
pub enum Column {
    X,
    Y,
    Z,
    Intensity,
    TimeOffset,
    ReturnNumber,
    Tag,
    Ring,
}

impl Column {
    /// All columns, in file order.
    pub const ALL: [Self; 8] = [
        Self::X,
        Self::Y,
        Self::Z,
        Self::Intensity,
        Self::TimeOffset,
        Self::ReturnNumber,
        Self::Tag,
        Self::Ring,
    ];

    /// The column's field name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Intensity => "intensity",
            Self::TimeOffset => "time_offset",
            Self::ReturnNumber => "return_number",
            Self::Tag => "tag",
            Self::Ring => "ring",
        }
    }
}

impl PointCloud {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether the cloud has no points.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Number of values in a column: [`len`](Self::len), or 0 if it is absent.
    pub fn column_len(&self, column: Column) -> usize {
        match column {
            Column::X => self.x.len(),
            Column::Y => self.y.len(),
            Column::Z => self.z.len(),
            Column::Intensity => self.intensity.len(),
            Column::TimeOffset => self.time_offset.len(),
            Column::ReturnNumber => self.return_number.len(),
            Column::Tag => self.tag.len(),
            Column::Ring => self.ring.len(),
        }
    }

    /// The columns with values.
    pub fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        Column::ALL.into_iter().filter(|c| self.column_len(*c) > 0)
    }

    /// Whether every column is absent or as long as `x`.
    pub fn is_consistent(&self) -> bool {
        self.y.len() == self.len()
            && self.z.len() == self.len()
            && self.columns().all(|c| self.column_len(c) == self.len())
    }

    /// Empties all columns, keeping their memory.
    pub fn clear(&mut self) {
        let Self { x, y, z, intensity, time_offset, return_number, tag, ring, more: () } = self;
        for column in [x, y, z, intensity] {
            column.clear();
        }
        time_offset.clear();
        return_number.clear();
        tag.clear();
        ring.clear();
    }

    /// Keeps the points for whose index `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let keep: Vec<bool> = (0..self.len()).map(&mut keep).collect();
        let Self { x, y, z, intensity, time_offset, return_number, tag, ring, more: () } = self;
        for column in [x, y, z, intensity] {
            apply(column, &keep);
        }
        apply(time_offset, &keep);
        apply(return_number, &keep);
        apply(tag, &keep);
        apply(ring, &keep);
    }

    /// The minimum and maximum coordinates; `None` for an empty cloud. Ignores points that are not finite.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        let finite = |column: &[f32]| {
            column
                .iter()
                .filter(|v| v.is_finite())
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), v| (lo.min(*v), hi.max(*v)))
        };
        let (x, y, z) = (finite(&self.x), finite(&self.y), finite(&self.z));
        (x.0 <= x.1 && y.0 <= y.1 && z.0 <= z.1).then_some(([x.0, y.0, z.0], [x.1, y.1, z.1]))
    }
}

fn apply<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    column.retain(|_| keep.next().copied().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> PointCloud {
        PointCloud {
            x: vec![1.0, 2.0, f32::NAN],
            y: vec![0.0, 5.0, 1.0],
            z: vec![0.0, -1.0, 1.0],
            tag: vec![1, 2, 3],
            ..PointCloud::default()
        }
    }

    #[test]
    fn absent_columns_are_empty_and_short_ones_are_seen() {
        let mut cloud = three();
        assert!(cloud.is_consistent());
        assert_eq!(cloud.columns().collect::<Vec<_>>(), [Column::X, Column::Y, Column::Z, Column::Tag]);
        cloud.ring.push(1);
        assert!(!cloud.is_consistent());
    }

    #[test]
    fn retain_keeps_the_columns_in_step() {
        let mut cloud = three();
        cloud.retain(|i| i != 0);
        assert_eq!((cloud.len(), &cloud.tag[..], cloud.y[0]), (2, &[2u8, 3][..], 5.0));
        assert!(cloud.ring.is_empty() && cloud.is_consistent());
    }

    #[test]
    fn bounds_leave_out_what_is_not_finite() {
        assert_eq!(three().bounds(), Some(([1.0, 0.0, -1.0], [2.0, 5.0, 1.0])));
        assert_eq!(PointCloud::default().bounds(), None);
    }
}
