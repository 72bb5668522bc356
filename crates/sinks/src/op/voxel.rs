//! One point of each cell of a grid.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, Hasher, RandomState},
};

use robolog_core::{PointCloud, Sample};

use super::{Step, cloud, keep_places};
use crate::{Note, Per, Result};

/// Scope in which one point of each cell is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Each cloud.
    OfCloud,
    /// All clouds of one file: all clouds, or those that [`Per`] groups.
    OfFile(Option<Per>),
}

/// Keeps the first point of each cell of a grid of cubes; the cell of x is `floor(x / size)`. Keeps the measured point
/// with its time, ring and intensity, not a mean. Removes points that are not finite, or 2³¹ cells away.
///
/// The occupied cells of a file are held in memory, up to a number of bytes. Above it all are forgotten, and a cell can
/// get a second point: see [`Note::CellsForgotten`].
#[derive(Debug)]
pub struct Voxel {
    size: f64,
    cells: Cells,
    memory: u64,
    met: HashMap<String, Table>,
    /// Bytes of all tables.
    held: u64,
    most: usize,
    forgotten: u64,
}

/// Occupied cells of a file.
type Table = HashSet<[i32; 3], Keyed>;

impl Voxel {
    /// Minimum size, metres.
    pub const LEAST: f64 = 0.001;
    /// Default bytes of memory. They hold 7.3 million cells of one file: a table of 110 MB, and half as much while it
    /// grows.
    pub const MEMORY: u64 = 160 << 20;
    /// Bytes of a table per cell of its capacity: 12, one for the table, and an eighth free.
    const BYTES: u64 = 15;

    /// Cells of `size` metres, at least [`LEAST`](Self::LEAST), which take at most about `memory` bytes.
    pub fn new(size: f64, cells: Cells, memory: u64) -> Self {
        let size = if size >= Self::LEAST { size } else { Self::LEAST };
        Self { size, cells, memory, met: HashMap::new(), held: 0, most: 0, forgotten: 0 }
    }

    fn bytes(table: &Table) -> u64 {
        Self::BYTES * table.capacity() as u64
    }

    /// Whether a cell of this table is new.
    fn insert(&mut self, met: &mut Table, cell: [i32; 3]) -> bool {
        if met.len() < met.capacity() {
            return met.insert(cell);
        }
        if met.contains(&cell) {
            return false;
        }
        // A table doubles when it grows, and the old one still exists meanwhile.
        if self.held + 2 * Self::bytes(met) > self.memory && self.held > 0 {
            self.forget(met);
        }
        let before = Self::bytes(met);
        met.insert(cell);
        self.held = self.held - before + Self::bytes(met);
        true
    }

    fn forget(&mut self, met: &mut Table) {
        let held = met.len() + self.met.values().map(HashSet::len).sum::<usize>();
        self.most = self.most.max(held);
        self.forgotten += 1;
        // A single table will grow to the same size again.
        if self.held > Self::bytes(met) {
            *met = Table::default();
        }
        met.clear();
        self.met.clear();
        self.held = Self::bytes(met);
    }

    #[expect(clippy::cast_possible_truncation, reason = "within the range of 32 bits, as is checked")]
    fn cell(&self, point: [f32; 3]) -> Option<[i32; 3]> {
        let cell = point.map(|v| (f64::from(v) / self.size).floor());
        let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
        cell.iter().all(|v| range.contains(v)).then(|| cell.map(|v| v as i32))
    }

    fn thin(&mut self, cloud: &mut PointCloud, group: &str) {
        let mut met = self.met.remove(group).unwrap_or_default();
        let mut last = None;
        keep_places(cloud, |point| {
            let cell = self.cell(point);
            let Some(found) = cell.filter(|_| cell != last) else { return false };
            last = cell;
            self.insert(&mut met, found)
        });
        if self.cells == Cells::OfCloud {
            met.clear();
        }
        self.met.insert(group.to_owned(), met);
    }
}

/// Hashes by folded products with a random key: the standard hash would take longer than all other work. The key
/// prevents files with chosen cells that collide.
#[derive(Debug, Clone)]
struct Keyed {
    key: u64,
    state: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        let random = RandomState::new();
        Self { key: random.hash_one(1) | 1, state: random.hash_one(2) }
    }
}

impl BuildHasher for Keyed {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        self.clone()
    }
}

impl Hasher for Keyed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
            let product = u128::from(self.state ^ word).wrapping_mul(u128::from(self.key));
            #[expect(clippy::cast_possible_truncation, reason = "halves of 128 bits")]
            let [low, high] = [product, product >> 64].map(|half| (half & u128::from(u64::MAX)) as u64);
            self.state = low ^ high;
        }
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

impl Step for Voxel {
    fn name(&self) -> &'static str {
        "voxel"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        let group = match self.cells {
            Cells::OfFile(Some(per)) => per.group(&sample.channel).to_owned(),
            Cells::OfFile(None) | Cells::OfCloud => String::new(),
        };
        if let Some(cloud) = cloud(sample) {
            self.thin(cloud, &group);
        }
        Ok(true)
    }

    fn note(&self) -> Option<Note> {
        (self.forgotten > 0).then_some(Note::CellsForgotten { most: self.most, times: self.forgotten })
    }
}
