//! One point of each cell of a grid.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, Hasher, RandomState},
};

use robolog_core::{PointCloud, Sample};

use super::{Step, cloud, keep_places};
use crate::{Note, Per, Result};

/// Among which points one of each cell is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Those of one cloud.
    OfCloud,
    /// Those of all clouds that go into one file: all, or those that [`Per`] puts together.
    OfFile(Option<Per>),
}

/// Keeps the first point of each cell of a grid of cubes; the cell of x is `floor(x / size)`. It is a point that was
/// measured, with its own time, ring and intensity, and no mean of several. Points that are not finite, or 2³¹ cells
/// away, have no cell and are removed.
///
/// The cells of a file are held in memory, up to a number. When there are more, all are forgotten, and a cell that is met
/// again has another point: see [`Note::CellsForgotten`].
#[derive(Debug)]
pub struct Voxel {
    size: f64,
    cells: Cells,
    most: usize,
    met: HashMap<String, HashSet<[i32; 3], Keyed>>,
    held: usize,
    forgotten: u64,
}

impl Voxel {
    /// The cells held by default: about 110 MB, and half as much again while the table grows.
    pub const MOST: usize = 7 << 20;
    /// The smallest size, metres.
    pub const LEAST: f64 = 0.001;
    /// Bytes that the table takes for a cell, when it has just grown.
    const BYTES: u64 = 64;

    /// Cells of `size` metres, at least [`LEAST`](Self::LEAST), of which at most `most` are held.
    pub fn new(size: f64, cells: Cells, most: usize) -> Self {
        let size = if size >= Self::LEAST { size } else { Self::LEAST };
        Self { size, cells, most, met: HashMap::new(), held: 0, forgotten: 0 }
    }

    /// As many cells as this many bytes hold.
    pub fn most_in(bytes: u64) -> usize {
        usize::try_from(bytes.wrapping_div(Self::BYTES)).unwrap_or(usize::MAX).max(1 << 16)
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
            let is_new = met.insert(found);
            self.held += usize::from(is_new);
            if self.held > self.most {
                met.clear();
                self.met.clear();
                met.insert(found);
                self.held = 1;
                self.forgotten += 1;
            }
            is_new
        });
        if self.cells == Cells::OfCloud {
            self.held = 0;
            met.clear();
        }
        self.met.insert(group.to_owned(), met);
    }
}

/// Hashes by folded products with a random key: cells are many, and the standard hash takes longer than the rest of the
/// work. The key keeps a file from choosing cells that collide.
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
