//! The memory that the tables of a conversion share.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Counts the rows that all tables of a conversion hold.
///
/// A table is written when all tables together fill the room, unless it holds less than half of an equal share: thousands
/// of files hold little more than one, and those that are not written to any more leave the others groups of a useful size.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room(Arc<Total>);

#[derive(Debug, Default)]
struct Total {
    bytes: AtomicUsize,
    /// Memory that tables keep after their rows were written.
    kept: AtomicUsize,
    tables: AtomicUsize,
}

impl Room {
    /// Minimum size of a group, however many tables there are.
    const LEAST: usize = 16 << 10;

    /// Takes in an empty table.
    pub(super) fn table(&self) -> Held {
        self.0.tables.fetch_add(1, Relaxed);
        Held { bytes: 0, kept: 0, room: self.clone() }
    }
}

/// What one table holds.
#[derive(Debug)]
pub(super) struct Held {
    bytes: usize,
    kept: usize,
    room: Room,
}

impl Held {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    #[inline]
    pub(super) fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.room.0.bytes.fetch_add(bytes, Relaxed);
    }

    /// Whether the table may add this much before it is written, if the room has `size` bytes.
    #[inline]
    pub(super) fn has_room(&self, size: usize, bytes: usize) -> bool {
        bytes <= self.free(size) || bytes <= self.left_of_share(size)
    }

    /// How much it may add.
    pub(super) fn left(&self, size: usize) -> usize {
        self.free(size).max(self.left_of_share(size))
    }

    #[inline]
    fn free(&self, size: usize) -> usize {
        size.saturating_sub(self.room.0.bytes.load(Relaxed))
    }

    /// What is left of half of an equal share of the room.
    fn left_of_share(&self, size: usize) -> usize {
        let tables = self.room.0.tables.load(Relaxed).saturating_mul(2);
        let share = size.checked_div(tables).unwrap_or(size).max(Room::LEAST);
        share.min(size).saturating_sub(self.bytes)
    }

    /// Removes all rows. Returns whether to keep their memory for the next, because fresh memory costs more than filling it:
    /// all tables together keep as much as the room has.
    pub(super) fn clear(&mut self, size: usize) -> bool {
        let total = &self.room.0;
        total.bytes.fetch_sub(self.bytes, Relaxed);
        total.kept.fetch_sub(self.kept, Relaxed);
        let is_kept = total.kept.load(Relaxed).saturating_add(self.bytes) <= size;
        self.kept = if is_kept { self.bytes } else { 0 };
        total.kept.fetch_add(self.kept, Relaxed);
        self.bytes = 0;
        is_kept
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.clear(0);
        self.room.0.tables.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 32 << 20;

    /// Fills tables in turn, and returns the sizes of the groups written, and the most that all of them held.
    fn fill(tables: &mut [Held], rows: usize) -> (Vec<usize>, usize) {
        let (mut groups, mut most) = (Vec::new(), 0);
        for row in 0..rows {
            let at = row % tables.len();
            let table = &mut tables[at];
            table.add(100);
            most = most.max(table.room.0.bytes.load(Relaxed));
            if !table.has_room(SIZE, 100) {
                groups.push(table.bytes());
                table.clear(SIZE);
            }
        }
        (groups, most)
    }

    #[test]
    fn a_table_alone_fills_the_room() {
        let (groups, most) = fill(&mut [Room::default().table()], 1_000_000);
        assert_eq!(groups, [SIZE / 100 * 100; 2]);
        assert!(most <= SIZE);
    }

    #[test]
    fn tables_in_turn_are_written_in_groups_of_more_than_half_a_share() {
        let room = Room::default();
        let mut tables: Vec<_> = (0..300).map(|_| room.table()).collect();
        let (groups, most) = fill(&mut tables, 2_000_000);
        assert!(groups.len() > 500, "{}", groups.len());
        assert!(groups.iter().all(|group| *group >= SIZE / 600 - 100), "{groups:?}");
        assert!(most <= SIZE + 300 * 100, "{most}");
        drop(tables);
        assert_eq!([&room.0.bytes, &room.0.kept, &room.0.tables].map(|count| count.load(Relaxed)), [0; 3]);
    }

    #[test]
    fn tables_that_rest_leave_the_others_half_a_share() {
        let room = Room::default();
        let mut resting = room.table();
        resting.add(SIZE);
        let mut tables: Vec<_> = (1..50).map(|_| room.table()).collect();
        let (groups, most) = fill(&mut tables, 1_000_000);
        assert!(groups.iter().all(|group| (SIZE / 100 - 100..=SIZE / 100).contains(group)));
        assert!(most <= SIZE * 3 / 2, "{most}");
    }
}
