//! Point records of formats 1 and 6, with extra bytes.

use std::collections::HashMap;

use robolog_core::{Clock, Column, PointCloud, Timestamp};

use super::{LasIntensity, LasVersion};
use crate::{
    gps,
    records::{BLOCK, Put, Start, tail},
};

/// Unit of coordinates, metres.
pub(super) const SCALE: f64 = 0.0001;
/// Units per metre.
const PER_METRE: f64 = 10_000.0;
/// Zero of adjusted standard GPS time, seconds of GPS time.
const ADJUSTED: i64 = 1_000_000_000;

/// Meaning of GPS time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// Adjusted standard GPS time.
    Adjusted,
    /// Seconds of a clock without a date.
    Seconds(Clock),
    /// No time.
    Absent,
}

/// The time of a cloud, to which the offsets of its points are added.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base {
    kind: Time,
    start: Start,
}

impl Base {
    pub(super) fn of(time: Option<Timestamp>) -> Self {
        let Some(time) = time else { return Self { kind: Time::Absent, start: Start::new((0, 0)) } };
        let (kind, start) = match gps::time(time) {
            Some((secs, nanos)) => (Time::Adjusted, (secs - ADJUSTED, nanos)),
            None => (Time::Seconds(time.clock()), time.secs_and_nanos()),
        };
        Self { kind, start: Start::new(start) }
    }

    /// Whether seconds in a double still tell the points of a cloud apart: below 2^32 s, to a microsecond.
    pub(super) fn is_exact(self) -> bool {
        self.kind == Time::Absent || self.start.secs.abs() < f64::from(u32::MAX)
    }

    pub(super) fn kind(self) -> Time {
        self.kind
    }

    /// The time of a point in seconds, to the last digit of a double.
    fn after(self, offset: u32) -> f64 {
        match self.kind {
            Time::Absent => 0.0,
            _ => self.start.after(offset),
        }
    }
}

/// Statistics for the header.
#[derive(Debug, Clone, Default)]
pub(super) struct Stats {
    pub(super) points: u64,
    /// Points by return number, from 1.
    pub(super) by_return: [u64; 15],
    /// Minimum and maximum raw coordinates.
    pub(super) bounds: Option<([i32; 3], [i32; 3])>,
}

/// How clouds become records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RecordForm {
    pub(super) version: LasVersion,
    pub(super) time: Time,
    /// Origin of coordinates, metres.
    pub(super) origin: [f64; 3],
    pub(super) ring: bool,
    pub(super) tag: bool,
}

impl RecordForm {
    pub(super) fn of(cloud: &PointCloud, time: Time, version: LasVersion) -> Self {
        let origin = [&cloud.x, &cloud.y, &cloud.z].map(|column| origin(column));
        let has = |column| cloud.column_len(column) > 0;
        Self { version, time, origin, ring: has(Column::Ring), tag: has(Column::Tag) }
    }

    /// Number of extra bytes in a record.
    pub(super) fn extra(self) -> usize {
        usize::from(self.ring) * 2 + usize::from(self.tag)
    }

    /// Bytes of a record.
    pub(super) fn width(self) -> usize {
        let base: usize = match self.version {
            LasVersion::V1_2 => 28,
            LasVersion::V1_4 => 30,
        };
        base + self.extra()
    }

    /// Packs return number and number of returns into a byte.
    fn returns(self, number: u8, count: u8) -> u8 {
        match self.version {
            LasVersion::V1_2 => number | count << 3,
            LasVersion::V1_4 => number | count << 4,
        }
    }

    /// Maximum return number.
    const fn most_returns(self) -> u8 {
        match self.version {
            LasVersion::V1_2 => 5,
            LasVersion::V1_4 => 15,
        }
    }

    /// Number of points that do not fit.
    pub(super) fn unfit(self, cloud: &PointCloud) -> usize {
        (0..cloud.len()).filter(|i| !self.fits(cloud, *i)).count()
    }

    /// Removes points that do not fit.
    pub(super) fn retain_fit(self, cloud: &mut PointCloud) {
        let fits: Vec<bool> = (0..cloud.len()).map(|i| self.fits(cloud, i)).collect();
        cloud.retain(|i| fits.get(i).copied().unwrap_or(false));
    }

    fn fits(self, cloud: &PointCloud, i: usize) -> bool {
        let [x, y, z] = self.origin;
        [(&cloud.x, x), (&cloud.y, y), (&cloud.z, z)].into_iter().all(|(column, origin)| {
            // False for NaN.
            column.get(i).is_some_and(|v| raw(*v, origin).abs() < f64::from(i32::MAX))
        })
    }

    /// Puts at most [`BLOCK`] records from point `first` on into `out`.
    pub(super) fn encode(
        self,
        (cloud, counts, first, base): (&PointCloud, &[u8], usize, Base),
        (source, intensity): (u16, LasIntensity),
        stats: &mut Stats,
        out: &mut Vec<u8>,
    ) {
        let count = (cloud.len() - first).min(BLOCK);
        // Overwritten without clearing, which would cost as much as the records.
        out.resize(count * self.width(), 0);
        self.coordinates(cloud, first, stats, out);
        let factor = if intensity == LasIntensity::Normalized { 256.0 } else { 1.0 };
        let mut put = Put { block: out, width: self.width(), at: 12 };
        put.field(tail(&cloud.intensity, first), 0.0, |v: f32| whole(v * factor).to_le_bytes());
        let mut counts = tail(counts, first).iter();
        put.field(tail(&cloud.return_number, first), 0, |number| {
            let number = number.clamp(1, self.most_returns());
            if let Some(n) = stats.by_return.get_mut(usize::from(number) - 1) {
                *n += 1;
            }
            let count = counts.next().map_or(number, |count| number.max(*count).min(self.most_returns()));
            [self.returns(number, count)]
        });
        match self.version {
            // Class, scan angle and user data.
            LasVersion::V1_2 => put.field(&[], 0, |_: u8| [0; 3]),
            // Flags, class, user data, and two bytes of scan angle.
            LasVersion::V1_4 => put.field(&[], 0, |_: u8| [0; 5]),
        }
        put.field(&[], source, u16::to_le_bytes);
        put.field(tail(&cloud.time_offset, first), 0, |ns| base.after(ns).to_le_bytes());
        if self.ring {
            put.field(tail(&cloud.ring, first), 0, u16::to_le_bytes);
        }
        if self.tag {
            put.field(tail(&cloud.tag, first), 0, u8::to_le_bytes);
        }
        stats.points += count as u64;
    }

    /// Marks points at the origin of their cloud as withheld.
    pub(super) fn withhold(self, cloud: &PointCloud, first: usize, out: &mut [u8]) {
        // The byte of class or flags is at the same place in both formats.
        let bit = match self.version {
            LasVersion::V1_2 => 0x80,
            LasVersion::V1_4 => 0x04,
        };
        let places = cloud.x.iter().zip(&cloud.y).zip(&cloud.z).skip(first);
        for (record, ((x, y), z)) in out.chunks_mut(self.width()).zip(places) {
            if let Some(flags) = record.get_mut(15).filter(|_| *x == 0.0 && *y == 0.0 && *z == 0.0) {
                *flags |= bit;
            }
        }
    }

    fn coordinates(self, cloud: &PointCloud, first: usize, stats: &mut Stats, out: &mut [u8]) {
        let (mut low, mut high) = stats.bounds.unwrap_or(([i32::MAX; 3], [i32::MIN; 3]));
        let [x, y, z] = self.origin;
        for (axis, (column, origin)) in [(&cloud.x, x), (&cloud.y, y), (&cloud.z, z)].into_iter().enumerate()
        {
            let (mut least, mut greatest) = (i32::MAX, i32::MIN);
            let mut put = Put { block: &mut *out, width: self.width(), at: axis * 4 };
            put.field(tail(column, first), 0.0, |v| {
                let v = nearest(raw(v, origin));
                least = least.min(v);
                greatest = greatest.max(v);
                v.to_le_bytes()
            });
            if let (Some(low), Some(high)) = (low.get_mut(axis), high.get_mut(axis)) {
                *low = least.min(*low);
                *high = greatest.max(*high);
            }
        }
        stats.bounds = Some((low, high));
    }
}

/// Number of returns of each point's shot. Points of a shot share time and ring; the list is empty without times, and
/// if no point is a second return.
pub(super) fn counts(cloud: &PointCloud) -> Vec<u8> {
    if cloud.time_offset.is_empty() || cloud.return_number.iter().all(|number| *number < 2) {
        return Vec::new();
    }
    let rings = cloud.ring.iter().copied().chain(std::iter::repeat(0));
    let shots = || cloud.time_offset.iter().copied().zip(rings.clone());
    let mut most: HashMap<(u32, u16), u8> = HashMap::with_capacity(cloud.len());
    for (shot, number) in shots().zip(&cloud.return_number) {
        let most = most.entry(shot).or_default();
        *most = (*most).max(*number);
    }
    shots().map(|shot| most.get(&shot).copied().unwrap_or_default()).collect()
}

/// Origin for these coordinates: 0 if possible, otherwise their median in whole kilometres, which a few outliers do not
/// move.
fn origin(column: &[f32]) -> f64 {
    let mut finite: Vec<f32> = column.iter().copied().filter(|v| v.is_finite()).collect();
    let half = finite.len() / 2;
    if half >= finite.len() {
        return 0.0;
    }
    let median = f64::from(*finite.select_nth_unstable_by(half, f32::total_cmp).1);
    if median.abs() < 100_000.0 { 0.0 } else { (median / 1000.0).round() * 1000.0 }
}

fn raw(v: f32, origin: f64) -> f64 {
    (f64::from(v) - origin) * PER_METRE
}

/// Rounds by an addition and a cast, which is fast on all targets.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and what does not fit was left out")]
fn nearest(v: f64) -> i32 {
    (v + 0.5_f64.copysign(v)) as i32
}

/// An intensity in 16 bits; 0 for NaN.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as it is meant to")]
fn whole(v: f32) -> u16 {
    (v + 0.5) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_whole_tenths_of_a_millimetre() {
        for (metres, origin, want) in [
            (1.2345_f32, 0.0, 12_345),
            (-0.00006, 0.0, -1),
            (0.00004, 0.0, 0),
            (214_748.0, 0.0, 2_147_480_000),
            (5_000_000.0, 5_000_000.0, 0),
        ] {
            assert_eq!(nearest(raw(metres, origin)), want, "{metres}");
        }
    }

    #[test]
    fn the_origin_is_far_only_for_what_is_far() {
        for (column, want) in [
            (&[-300.0, 900.0][..], 0.0),
            (&[5_413_400.0, 5_412_400.0, 1e30], 5_413_000.0),
            (&[f32::MAX, 1.0, -2.0], 0.0),
            (&[f32::NAN], 0.0),
            (&[], 0.0),
        ] {
            assert_eq!(origin(column).to_bits(), f64::to_bits(want), "{column:?}");
        }
    }

    #[test]
    fn shots_count_their_returns() {
        let cloud = |time_offset: &[u32], ring: &[u16], return_number: &[u8]| {
            let x = vec![0.0; return_number.len()];
            let (time_offset, ring) = (time_offset.to_vec(), ring.to_vec());
            let return_number = return_number.to_vec();
            PointCloud {
                y: x.clone(),
                z: x.clone(),
                x,
                time_offset,
                ring,
                return_number,
                ..PointCloud::default()
            }
        };
        // A Livox in dual mode: returns of a shot are adjacent, and the last one lacks its first return.
        let livox = cloud(&[0, 0, 5, 10, 10, 15], &[0; 6], &[1, 2, 1, 1, 2, 2]);
        assert_eq!(counts(&livox), [2, 2, 1, 2, 2, 2]);
        // A Velodyne: one block per return, at the same times.
        let velodyne = cloud(&[0, 0, 0, 0], &[0, 1, 0, 1], &[1, 1, 2, 2]);
        assert_eq!(counts(&velodyne), [2, 2, 2, 2]);
        assert!(counts(&cloud(&[0, 5], &[], &[1, 0])).is_empty());
        assert!(counts(&cloud(&[], &[], &[1, 2])).is_empty());
    }

    #[test]
    fn points_at_the_origin_are_withheld() {
        let (x, y, z) = (vec![0.0, 1.0, 0.0], vec![0.0; 3], vec![0.0, 0.0, 2.0]);
        let cloud = PointCloud { x, y, z, ..PointCloud::default() };
        for (version, bit) in [(LasVersion::V1_2, 0x80), (LasVersion::V1_4, 0x04)] {
            let rows = RecordForm::of(&cloud, Time::Absent, version);
            let mut out = vec![0; 3 * rows.width()];
            rows.withhold(&cloud, 0, &mut out);
            let flags: Vec<u8> = out.chunks(rows.width()).map(|record| record[15]).collect();
            assert_eq!(flags, [bit, 0, 0], "{version:?}");
        }
    }

    #[test]
    fn intensities_stay_in_sixteen_bits() {
        assert_eq!(
            [0.0, 254.6, 255.0, -3.0, 1e9, f32::NAN, f32::INFINITY].map(whole),
            [0, 255, 255, 0, u16::MAX, 0, u16::MAX]
        );
    }

    #[test]
    fn times_are_as_near_as_a_double_comes() {
        let device = Base::of(Some(Timestamp::new(12_000_000_001, Clock::Device)));
        assert_eq!((device.kind(), device.after(4)), (Time::Seconds(Clock::Device), 12.000_000_005));
        assert_eq!(Base::of(None).after(7).to_bits(), 0);
        // 2024-09-17 15:47:55 UTC is 410 623 290 seconds of UTC after the zero of adjusted time.
        let unix = Base::of(Timestamp::from_utc(2024, 9, 17, 15, 47, 55, 500_000_000));
        assert_eq!(unix.kind(), Time::Adjusted);
        let zero = Timestamp::from_utc(2011, 9, 14, 1, 46, 25, 0).unwrap();
        let since =
            Timestamp::from_utc(2024, 9, 17, 15, 47, 55, 0).unwrap().since(zero).unwrap() / 1_000_000_000;
        // Three leap seconds came after that zero: 2012, 2015 and 2017.
        let since = f64::from(u32::try_from(since).unwrap()) + 3.0;
        assert!((unix.after(250_000_000) - since - 0.75).abs() < 1e-7);
    }
}
