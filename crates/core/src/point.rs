//! Individual points of a cloud.

use crate::PointCloud;

/// A point of a [`PointCloud`]; `None` for columns that the cloud lacks.
///
/// ```
/// use robolog_core::{Point, PointCloud};
/// let point = Point { intensity: Some(42.0), ..Point::new(3.0, 4.0, 0.0) };
/// assert_eq!(point.range(), 5.0);
/// let mut cloud = PointCloud::default();
/// cloud.push(point);
/// assert_eq!(cloud.point(0), Some(point));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// Forward, metres.
    pub x: f32,
    /// Left, metres.
    pub y: f32,
    /// Up, metres.
    pub z: f32,
    /// Strength of the return in the sensor's own scale, mostly 0 to 255.
    pub intensity: Option<f32>,
    /// Nanoseconds from the sample's time to the moment the point was measured.
    pub time_offset: Option<u32>,
    /// Number of this return within the laser shot, from 1; 0 if the sensor does not report it.
    pub return_number: Option<u8>,
    /// The sensor's own classification of the return, raw.
    pub tag: Option<u8>,
    /// Number of the laser or scan line, from 0.
    pub ring: Option<u16>,
}

impl Point {
    /// A point at this position, without other values.
    pub fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z, ..Self::default() }
    }

    /// Distance from the origin, metres.
    pub fn range(&self) -> f32 {
        self.x.hypot(self.y).hypot(self.z)
    }
}

impl PointCloud {
    /// The point at this index.
    pub fn point(&self, index: usize) -> Option<Point> {
        Some(Point {
            x: *self.x.get(index)?,
            y: *self.y.get(index)?,
            z: *self.z.get(index)?,
            intensity: self.intensity.get(index).copied(),
            time_offset: self.time_offset.get(index).copied(),
            return_number: self.return_number.get(index).copied(),
            tag: self.tag.get(index).copied(),
            ring: self.ring.get(index).copied(),
        })
    }

    /// All points. Code that uses only one or two columns is faster on the columns themselves.
    ///
    /// ```
    /// use robolog_core::{Point, PointCloud};
    /// let mut cloud: PointCloud = [Point::new(3.0, 4.0, 0.0), Point::new(30.0, 40.0, 0.0)].into_iter().collect();
    /// assert_eq!(cloud.points().map(|p| p.range()).collect::<Vec<_>>(), [5.0, 50.0]);
    /// cloud.retain_points(|p| p.range() < 20.0);
    /// assert_eq!(cloud.x, [3.0]);
    /// ```
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.len()).filter_map(|index| self.point(index))
    }

    /// Keeps the points for which `keep` returns true. To select by one column see [`retain`](Self::retain).
    pub fn retain_points(&mut self, mut keep: impl FnMut(Point) -> bool) {
        let kept: Vec<bool> = (0..self.len()).map(|index| self.point(index).is_some_and(&mut keep)).collect();
        self.retain(|index| kept.get(index).copied().unwrap_or(true));
    }

    /// Adds a point. A column starts with the first point that has a value for it; points without one have 0.
    pub fn push(&mut self, point: Point) {
        let len = self.len();
        self.x.push(point.x);
        self.y.push(point.y);
        self.z.push(point.z);
        put(&mut self.intensity, len, point.intensity);
        put(&mut self.time_offset, len, point.time_offset);
        put(&mut self.return_number, len, point.return_number);
        put(&mut self.tag, len, point.tag);
        put(&mut self.ring, len, point.ring);
    }
}

/// Adds a value to a column of a cloud of `len` points.
fn put<T: Clone + Default>(column: &mut Vec<T>, len: usize, value: Option<T>) {
    if value.is_none() && column.is_empty() {
        return;
    }
    column.resize(len, T::default());
    column.push(value.unwrap_or_default());
}

impl Extend<Point> for PointCloud {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        points.into_iter().for_each(|point| self.push(point));
    }
}

impl FromIterator<Point> for PointCloud {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut cloud = Self::default();
        cloud.extend(points);
        cloud
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cloud_of_its_own_points_is_the_cloud() {
        let cloud = PointCloud {
            x: vec![1.0, 2.0],
            y: vec![3.0, 4.0],
            z: vec![5.0, 6.0],
            ring: vec![7, 8],
            ..PointCloud::default()
        };
        assert_eq!(cloud.points().collect::<PointCloud>(), cloud);
    }

    #[test]
    fn a_column_that_begins_late_is_filled_up() {
        let last = Point { tag: Some(9), ..Point::new(1.0, 1.0, 1.0) };
        let cloud: PointCloud = [Point::default(), last, Point::default()].into_iter().collect();
        assert_eq!(cloud.tag, [0, 9, 0]);
        assert!(cloud.is_consistent() && cloud.intensity.is_empty());
    }
}
