//! Appends points to those of earlier shots.

use super::{Lanes, Row};
use crate::{
    DualReturns, Points,
    packet::RETURNS,
    pick::{Kept, pick},
};

impl Lanes {
    /// Appends the lanes kept.
    pub(crate) fn append(
        &self,
        number: u8,
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
            return_number.extend_from_slice(&[number; RETURNS]);
            return;
        }
        let kept = Kept::new(&self.keep);
        kept.append(&self.x, x);
        kept.append(&self.y, y);
        kept.append(&self.z, z);
        kept.append(&self.intensity, intensity);
        kept.append(rings, ring);
        time_offset.extend(kept.lanes().iter().map(|lane| base.wrapping_add(pick(nanos, *lane))));
        return_number.resize(x.len(), number);
    }

    /// Appends the two returns of each shot next to each other, or one if both are identical or only one is wanted.
    /// Returns the number dropped as identical.
    pub(crate) fn append_pair(
        [last, strongest]: [&Self; 2],
        wanted: DualReturns,
        rings: &Row<u16>,
        nanos: &Row<u32>,
        time: i64,
        points: &mut Points,
    ) -> u64 {
        let base = points.base(time);
        let mut merged = 0_u64;
        for lane in 0..32 {
            let same = pick(&last.ticks, lane) == pick(&strongest.ticks, lane);
            for (lanes, number) in [(last, 2), (strongest, 1)] {
                if pick(&lanes.keep, lane) == 0 {
                    continue;
                }
                let number = match (wanted, number) {
                    (DualReturns::Strongest, 2) | (DualReturns::Last, 1) => continue,
                    (DualReturns::Last, _) if same => 1,
                    (_, 2) if same => {
                        merged = merged.saturating_add(1);
                        continue;
                    }
                    (_, number) => number,
                };
                points.x.push(pick(&lanes.x, lane));
                points.y.push(pick(&lanes.y, lane));
                points.z.push(pick(&lanes.z, lane));
                points.intensity.push(pick(&lanes.intensity, lane));
                points.ring.push(pick(rings, lane));
                points.time_offset.push(base.wrapping_add(pick(nanos, lane)));
                points.return_number.push(number);
            }
        }
        merged
    }
}
