//! Points thinned to one per grid cell, so that distant and isolated ones stay.

use robolog_core::slices::fitting;

/// One point per cell: the first one, and the number of points. The grid grows coarser when there are too many cells.
///
/// Memory is fixed: a hash table with few probes, so that no input makes it slow.
#[derive(Debug)]
pub(crate) struct Voxels {
    slots: Vec<Slot>,
    used: usize,
    most: usize,
    cell: f32,
    kind: CellShape,
    /// Number of points added.
    pub(crate) points: u64,
}

/// Kinds of grid cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellShape {
    /// Cubes; the first point of each stays.
    Cubes,
    /// Squares over the first two coordinates; the point with the smallest third one stays.
    Least,
}

/// A cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot {
    key: u64,
    pub(crate) at: [f32; 3],
    pub(crate) more: More,
    /// Number of points in the cell.
    pub(crate) count: u32,
}

/// Attributes of a point.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct More {
    pub(crate) intensity: f32,
    /// Number of the laser, capped at the maximum.
    pub(crate) ring: u8,
    /// Measurement time, from 0 at the start of the shown points to 255 at their end.
    pub(crate) time: u8,
}

/// A point and its attributes.
pub(crate) type Point = ([f32; 3], More);

/// Number of probes for an entry.
const PROBES: usize = 24;
/// Marks a slot in use: coordinates fill 63 bits.
const USED: u64 = 1 << 63;

impl Voxels {
    /// Creates a grid of at most `most` cells, at first `cell` wide.
    pub(crate) fn new(most: usize, cell: f32, kind: CellShape) -> Self {
        Self::in_table(most * 3 / 2, most, cell, kind)
    }

    /// The same with a table of twice the size, whose grid grows coarser later.
    pub(crate) fn roomy(most: usize, cell: f32, kind: CellShape) -> Self {
        Self::in_table(most * 3, most, cell, kind)
    }

    fn in_table(slots: usize, most: usize, cell: f32, kind: CellShape) -> Self {
        let slots = slots.next_power_of_two().max(64);
        Self { slots: vec![Slot::default(); slots], used: 0, most, cell, kind, points: 0 }
    }

    /// Width of a cell.
    pub(crate) fn cell(&self) -> f32 {
        self.cell
    }

    /// The cells.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.key != 0)
    }

    /// Number of cells with points.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// Adds a point with finite coordinates.
    pub(crate) fn add(&mut self, at: [f32; 3], more: More) {
        self.points += 1;
        let slot = Slot { key: 0, at, more, count: 1 };
        // The grid grows coarser each time; a thousand kilometres is coarse enough for anything.
        while !self.put(slot) && self.cell < 1e6 {
            self.coarsen();
        }
    }

    /// Adds points with finite coordinates, and clears `points`.
    ///
    /// The table is larger than the caches. Reading all entries first lets the processor fetch several at once, which
    /// saves a quarter of the time.
    pub(crate) fn add_all(&mut self, points: &mut Vec<Point>) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut keys = 0;
        for (at, _) in &*points {
            keys ^= self.slots.get(hash(self.key(*at)) & mask).map_or(0, |slot| slot.key);
        }
        std::hint::black_box(keys);
        for (at, more) in points.drain(..) {
            self.add(at, more);
        }
    }

    fn put(&mut self, mut slot: Slot) -> bool {
        slot.key = self.key(slot.at);
        let mask = self.slots.len().wrapping_sub(1);
        let home = hash(slot.key);
        for probe in 0..PROBES {
            let Some(there) = self.slots.get_mut(home.wrapping_add(probe) & mask) else { return false };
            if there.key == slot.key {
                there.count = there.count.saturating_add(slot.count);
                if self.kind == CellShape::Least && slot.at[2] < there.at[2] {
                    there.at = slot.at;
                }
                return true;
            }
            if there.key == 0 {
                if self.used >= self.most {
                    return false;
                }
                *there = slot;
                self.used += 1;
                return true;
            }
        }
        false
    }

    fn coarsen(&mut self) {
        let empty = vec![Slot::default(); self.slots.len()];
        let old = std::mem::replace(&mut self.slots, empty);
        self.cell *= 1.4;
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.key != 0) {
            // If the table is crowded, merge points of neighbouring cells: the next grid is coarser.
            self.put(slot);
        }
    }

    #[inline]
    fn key(&self, at: [f32; 3]) -> u64 {
        let part = |v: f32| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 21 bits")]
            let n = ((v / self.cell).floor().clamp(-1_048_576.0, 1_048_575.0) + 1_048_576.0) as u64;
            n
        };
        let [x, y, z] = at;
        let z = if self.kind == CellShape::Cubes { part(z) } else { 0 };
        USED | part(x) << 42 | part(y) << 21 | z
    }
}

/// Mixes all bits of a key into the low ones, so that neighbouring cells are apart in the table.
#[inline]
fn hash(key: u64) -> usize {
    let mixed = (key ^ (key >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    fitting(mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_and_lonely_points_stay_while_the_near_ones_are_thinned() {
        let mut voxels = Voxels::new(1000, 0.01, CellShape::Cubes);
        for n in 0..200_000_u32 {
            let at = |k: u32| ((n / k) % 60) as f32 / 60.0;
            voxels.add([at(1), at(60), at(3600)], More::default());
        }
        voxels.add([250.0, -90.0, 3.0], More::default());
        assert!(voxels.len() <= 1000 && voxels.len() > 300, "{}", voxels.len());
        assert!(voxels.iter().any(|slot| slot.at[0] == 250.0));
        let total: u64 = voxels.iter().map(|slot| u64::from(slot.count)).sum();
        assert!(total <= voxels.points && voxels.points == 200_001);
    }

    #[test]
    fn the_nearest_point_of_a_direction_stays() {
        let mut voxels = Voxels::new(100, 1.0, CellShape::Least);
        voxels.add([0.5, 0.5, 9.0], More::default());
        voxels.add([0.6, 0.4, 2.0], More::default());
        voxels.add([0.5, 0.5, 5.0], More::default());
        let cells: Vec<_> = voxels.iter().map(|slot| (slot.at[2], slot.count)).collect();
        assert_eq!(cells, [(2.0, 3)]);
    }

    #[test]
    fn points_at_the_ends_of_the_numbers_do_no_harm() {
        let mut voxels = Voxels::new(10, 0.01, CellShape::Cubes);
        for n in 0..1000_u16 {
            voxels.add([f32::MAX, f32::MIN, f32::from(n) * 1e30], More::default());
        }
        assert!(voxels.len() <= 10);
    }
}
