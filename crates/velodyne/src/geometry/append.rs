//! Appends points to those of earlier shots.

use super::{Lanes, Row};
use crate::{
    Points,
    packet::RETURNS,
    pick::{Kept, pick},
};
use robolog_core::slices::InRange as _;

/// Return numbers of the lanes of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Numbers<'a> {
    All(u8),
    Each(&'a Row<u8>),
}

/// The number of a return beside the other one of its shot, as LAS counts: 1 for the nearer, 2 for the farther. A return
/// at distance 0 is none, and two at the same distance are one.
#[inline]
pub(crate) fn number(ticks: u16, other: u16) -> u8 {
    if other != 0 && ticks > other { 2 } else { 1 }
}

impl Lanes {
    /// Appends the lanes kept.
    pub(crate) fn append(
        &self,
        numbers: Numbers<'_>,
        rings: &Row<u16>,
        nanos: &Row<u32>,
        time: i64,
        points: &mut Points,
    ) {
        let base = points.base(time);
        let Points { x, y, z, intensity, time_offset, return_number, ring, .. } = points;
        if self.keep == [1; RETURNS] {
            x.extend_from_slice(&self.x);
            y.extend_from_slice(&self.y);
            z.extend_from_slice(&self.z);
            intensity.extend_from_slice(&self.intensity);
            ring.extend_from_slice(rings);
            time_offset.extend(nanos.iter().map(|nanos| base.wrapping_add(*nanos)));
            match numbers {
                Numbers::All(number) => return_number.extend_from_slice(&[number; RETURNS]),
                Numbers::Each(numbers) => return_number.extend_from_slice(numbers),
            }
            return;
        }
        let kept = Kept::new(&self.keep);
        kept.append(&self.x, x);
        kept.append(&self.y, y);
        kept.append(&self.z, z);
        kept.append(&self.intensity, intensity);
        kept.append(rings, ring);
        time_offset.extend(kept.lanes().iter().map(|lane| base.wrapping_add(pick(nanos, *lane))));
        match numbers {
            Numbers::All(number) => return_number.resize(x.len(), number),
            Numbers::Each(numbers) => kept.append(numbers, return_number),
        }
    }

    /// Appends the two returns of each shot next to each other, or one if both are identical. Returns the number dropped
    /// as identical.
    pub(crate) fn append_pair(
        [last, strongest]: [&Self; 2],
        rings: &Row<u16>,
        nanos: &Row<u32>,
        time: i64,
        points: &mut Points,
    ) -> u64 {
        let base = points.base(time);
        let mut merged = 0_u64;
        for lane in 0..32 {
            let ticks = [pick(&last.ticks, lane), pick(&strongest.ticks, lane)];
            let [of_last, of_strongest] = ticks;
            let both = [(last, of_last, of_strongest), (strongest, of_strongest, of_last)];
            for ((lanes, own, other), is_first) in both.into_iter().zip([true, false]) {
                if pick(&lanes.keep, lane) == 0 {
                    continue;
                }
                if is_first && own == other {
                    merged = merged.plus(1);
                    continue;
                }
                points.x.push(pick(&lanes.x, lane));
                points.y.push(pick(&lanes.y, lane));
                points.z.push(pick(&lanes.z, lane));
                points.intensity.push(pick(&lanes.intensity, lane));
                points.ring.push(pick(rings, lane));
                points.time_offset.push(base.wrapping_add(pick(nanos, lane)));
                points.return_number.push(number(own, other));
            }
        }
        merged
    }
}
