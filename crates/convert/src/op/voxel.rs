//! One point of each cell of a grid.

use std::collections::{HashMap, HashSet};

use robolog_core::{PointCloud, Sample};

use super::{Step, cloud};
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
    met: HashMap<String, HashSet<[i32; 3]>>,
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
        cloud.retain_points(|p| {
            let cell = self.cell([p.x, p.y, p.z]);
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
