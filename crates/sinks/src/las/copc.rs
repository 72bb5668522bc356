//! Points in an octree: chunks that readers fetch by place and resolution.

use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use ::laz::{
    LazVlr,
    laszip::{ChunkTable, ChunkTableEntry},
};

use robolog_core::slices::{OrZero as _, fitting};

use robolog_core::slices::value_at;

use super::{
    laz::{begin_chunks, chunk, end_chunks},
    points::{SCALE, Stats},
};
use crate::{
    Result,
    spool::{Spool, Spools},
};

/// Spools records until the cube around them is known.
#[derive(Debug)]
pub(super) struct Records {
    out: BufWriter<Spool>,
    spools: Spools,
    points: u64,
}

/// Records of a cell to be split into nodes.
#[derive(Debug)]
struct Cell {
    key: Key,
    spool: Spool,
    points: u64,
}

/// Level and place of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Key {
    level: u32,
    place: [u32; 3],
}

/// The tree as stored in the file's records.
#[derive(Debug)]
pub(super) struct Tree {
    cube: Cube,
    pages: Vec<u8>,
    times: (f64, f64),
}

/// The cube around all points, in multiples of the scale.
#[derive(Debug, Clone, Copy)]
struct Cube {
    least: [i64; 3],
    side: i64,
}

/// Maximum number of points in a leaf cell. No node holds more than twice as many, unless its points coincide.
const LEAF: usize = 50_000;
/// Cells per axis of the grid that picks a node's points.
const GRID: i64 = 128;
/// Maximum level; what remains there are coinciding points.
const DEEPEST: u32 = 24;
/// Offset of the time in a record of format 6.
const TIME: usize = 22;
/// Bytes of a hierarchy entry.
const ENTRY: usize = 32;
/// Bytes of the COPC info record.
pub(super) const INFO: usize = 160;

impl Records {
    pub(super) fn new(spools: Spools) -> Result<Self> {
        Ok(Self { out: BufWriter::with_capacity(1 << 18, spools.open()?), spools, points: 0 })
    }

    /// Adds records of `width` bytes.
    pub(super) fn push(&mut self, records: &[u8], width: usize) -> Result<()> {
        self.points += records.len().div_or_zero(width) as u64;
        Ok(self.out.write_all(records)?)
    }

    fn cell(self, key: Key) -> Result<Cell> {
        let mut spool = self.out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        spool.seek(SeekFrom::Start(0))?;
        Ok(Cell { key, spool, points: self.points })
    }

    /// Writes all points as chunks after the chunk table's offset, then the table.
    pub(super) fn finish(self, vlr: &LazVlr, stats: &Stats, out: &mut (impl Write + Seek)) -> Result<Tree> {
        let start = begin_chunks(out)?;
        let width = fitting::<usize>(vlr.items_size());
        let tree =
            Tree { cube: Cube::around(stats), pages: Vec::new(), times: (f64::INFINITY, f64::NEG_INFINITY) };
        let mut builder =
            Builder { vlr, width, spools: self.spools, out, tree, table: ChunkTable::default() };
        let mut cells = vec![self.cell(Key::default())?];
        while let Some(cell) = cells.pop() {
            builder.cell(cell, &mut cells)?;
        }
        let Builder { out, tree, table, .. } = builder;
        end_chunks(out, start, &table, vlr)?;
        Ok(tree)
    }
}

impl Cube {
    fn around(stats: &Stats) -> Self {
        let (low, high) = stats.bounds.unwrap_or_default();
        let sides = low.iter().zip(high).map(|(low, high)| i64::from(high) - i64::from(*low));
        // Puts the greatest coordinate inside.
        let side = sides.max().unwrap_or(0) + 1;
        Self { least: low.map(i64::from), side }
    }

    /// The record's place along each axis, at a level of the tree.
    fn places(self, record: &[u8], level: u32) -> [AxisCell; 3] {
        [0, 1, 2].map(|axis| {
            let bytes = record.get(axis * 4..).and_then(|rest| rest.first_chunk());
            let raw = bytes.map_or(0, |bytes| i64::from(i32::from_le_bytes(*bytes)));
            let from = raw - value_at(&self.least, axis);
            AxisCell { from: from.clamp(0, self.side - 1), level }
        })
    }
}

/// Place of a point along an axis of the cube.
#[derive(Debug, Clone, Copy)]
struct AxisCell {
    from: i64,
    level: u32,
}

impl AxisCell {
    /// Number of the cell, with `parts` cells for each cell of the level.
    fn cell(self, side: i64, parts: i64) -> i64 {
        let cells = i128::from(parts) << self.level;
        let cell = (i128::from(self.from) * cells).div_or_zero(side.into());
        fitting::<i64>(cell)
    }
}

/// Builds nodes from cells.
struct Builder<'a, W> {
    vlr: &'a LazVlr,
    width: usize,
    spools: Spools,
    out: &'a mut W,
    tree: Tree,
    table: ChunkTable,
}

impl<W: Write + Seek> Builder<'_, W> {
    /// Writes the node of a cell and pushes the child cells with the other points.
    fn cell(&mut self, cell: Cell, cells: &mut Vec<Cell>) -> Result<()> {
        let is_leaf = cell.points <= LEAF as u64 || cell.key.level >= DEEPEST;
        let mut records = BufReader::with_capacity(1 << 18, cell.spool);
        let mut node = Vec::new();
        let mut record = vec![0; self.width];
        let mut taken = Taken::default();
        let mut children: [Option<Records>; 8] = Default::default();
        for _ in 0..cell.points {
            records.read_exact(&mut record)?;
            if cell.key.level == 0 {
                self.tree.time(&record);
            }
            let places = self.tree.cube.places(&record, cell.key.level);
            let side = self.tree.cube.side;
            if is_leaf
                || taken.take(places.map(|place| place.cell(side, GRID) % GRID), node.len() / self.width)
            {
                node.extend_from_slice(&record);
                continue;
            }
            let octant = places
                .iter()
                .enumerate()
                .map(|(axis, place)| fitting::<usize>(place.cell(side, 2) % 2) << axis);
            let Some(child) = children.get_mut(octant.sum::<usize>()) else { continue };
            if child.is_none() {
                *child = Some(Records::new(self.spools)?);
            }
            if let Some(child) = child {
                child.push(&record, self.width)?;
            }
        }
        self.node(cell.key, &node)?;
        // The first child is popped first.
        for (octant, child) in (0..8_u32).zip(children).rev() {
            if let Some(child) = child {
                cells.push(child.cell(cell.key.child(octant))?);
            }
        }
        Ok(())
    }

    fn node(&mut self, key: Key, records: &[u8]) -> Result<()> {
        let offset = self.out.stream_position()?;
        let (entry, bytes) = chunk(records, self.vlr)?;
        self.out.write_all(&bytes)?;
        self.tree.entry(key, offset, entry);
        self.table.push(entry);
        Ok(())
    }
}

/// Occupied cells of a node's grid.
#[derive(Debug, Default)]
struct Taken(Vec<u64>);

impl Taken {
    /// Whether the node, which has `points` points, takes a point in this cell.
    fn take(&mut self, [x, y, z]: [i64; 3], points: usize) -> bool {
        if points >= 2 * LEAF {
            return false;
        }
        let cell = fitting::<usize>((z * GRID + y) * GRID + x);
        if self.0.is_empty() {
            self.0.resize(fitting::<usize>(GRID * GRID * GRID / 64), 0);
        }
        let (word, bit) = (cell / 64, 1 << (cell % 64));
        let Some(word) = self.0.get_mut(word) else { return false };
        let is_free = *word & bit == 0;
        *word |= bit;
        is_free
    }
}

impl Key {
    fn child(self, octant: u32) -> Self {
        let [x, y, z] = self.place;
        let bit = |axis: u32| octant >> axis & 1;
        Self { level: self.level + 1, place: [2 * x + bit(0), 2 * y + bit(1), 2 * z + bit(2)] }
    }
}

impl Tree {
    fn time(&mut self, record: &[u8]) {
        let Some(bytes) = record.get(TIME..).and_then(|rest| rest.first_chunk()) else { return };
        let time = f64::from_le_bytes(*bytes);
        self.times = (self.times.0.min(time), self.times.1.max(time));
    }

    fn entry(&mut self, key: Key, offset: u64, entry: ChunkTableEntry) {
        self.pages.extend_from_slice(&key.level.to_le_bytes());
        for place in key.place {
            self.pages.extend_from_slice(&place.to_le_bytes());
        }
        self.pages.extend_from_slice(&offset.to_le_bytes());
        for number in [entry.byte_count, entry.point_count] {
            self.pages.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
    }

    /// Hierarchy entries of all nodes.
    pub(super) fn pages(&self) -> &[u8] {
        &self.pages
    }

    /// The COPC info record: cube, spacing of the root's points, position of the hierarchy, and times. `origin` is
    /// added to all coordinates; `at` is the position of the first hierarchy entry.
    #[expect(clippy::cast_precision_loss, reason = "32 bits of coordinates")]
    pub(super) fn info(&self, origin: [f64; 3], at: u64) -> Vec<u8> {
        let half = self.cube.side as f64 * SCALE / 2.0;
        let centre =
            self.cube.least.iter().zip(origin).map(|(least, origin)| *least as f64 * SCALE + origin + half);
        let spacing = 2.0 * half / GRID as f64;
        let numbers = centre.chain([half, spacing]).flat_map(f64::to_le_bytes);
        let mut info: Vec<u8> = numbers.collect();
        let len = (self.pages.len() / ENTRY * ENTRY) as u64;
        info.extend([at, len].into_iter().flat_map(u64::to_le_bytes));
        info.extend([self.times.0, self.times.1].into_iter().flat_map(f64::to_le_bytes));
        info.resize(INFO, 0);
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_children_lie_in_those_of_their_parents() {
        let stats = Stats { bounds: Some(([-7, 0, 5], [1_000_000, 10, 5])), ..Stats::default() };
        let cube = Cube::around(&stats);
        assert_eq!(cube.side, 1_000_008);
        for raw in [[-7, 0, 5], [1_000_000, 10, 5], [499_996, 3, 5], [499_997, 3, 5]] {
            let record: Vec<u8> = raw.iter().flat_map(|v: &i32| v.to_le_bytes()).collect();
            let mut key = Key::default();
            for level in 0..10 {
                let places = cube.places(&record, level);
                assert_eq!(
                    places.map(|p| p.cell(cube.side, 1)),
                    key.place.map(i64::from),
                    "{raw:?} at {level}"
                );
                let octant = places.map(|p| p.cell(cube.side, 2) % 2);
                let number = octant[0] | octant[1] << 1 | octant[2] << 2;
                key = key.child(u32::try_from(number).unwrap());
            }
        }
    }

    #[test]
    fn a_grid_takes_one_point_a_cell() {
        let mut taken = Taken::default();
        assert!(taken.take([0, 0, 0], 0) && !taken.take([0, 0, 0], 1) && taken.take([127, 127, 127], 1));
        assert!(!taken.take([1, 0, 0], 2 * LEAF), "full");
    }
}
