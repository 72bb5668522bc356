//! Point clouds of the KITTI data sets.

use std::io::Write;

use robolog_core::{PointCloud, Sample, Value};

use super::{Holds, Need, Scans, TargetSpec, takes};
use crate::{Advice, Outcome, Result, Sink};

/// KITTI point clouds.
pub static KITTI_BIN: TargetSpec = TargetSpec {
    name: "kitti-bin",
    extensions: &["bin"],
    about: "point clouds of KITTI, four floats a point",
    holds: Holds::Points,
    needs: &[Need::OneFrame, Need::Poses],
    takes: takes::points,
    instead: takes::no_way,
    open: |out, opening| Ok(Box::new(KittiBin { scans: Scans::of(opening), ..KittiBin::new(out) })),
};

/// Writes x, y, z (m) and intensity of each point as little-endian 32-bit floats, cloud after cloud: a single file
/// holds all clouds, and a folder with a file per frame is what KISS-ICP and most KITTI learners read.
///
/// Intensities are the sensor's own; KITTI's range from 0 to 1. Missing intensities are 0. The format has no times: a
/// folder also gets `times.txt`, as written by [`KittiTimes`](super::kitti_times::KittiTimes), with a line per file in
/// order of names, and `poses.txt`, as written by [`Kitti`](super::kitti::Kitti), if
/// [`Place::in_own_frames`](crate::op::Place::in_own_frames) gives poses.
#[derive(Debug)]
pub struct KittiBin<W> {
    out: W,
    buffer: Vec<u8>,
    scans: Scans,
}

impl<W: Write> KittiBin<W> {
    /// Clouds into `out`.
    pub fn new(out: W) -> Self {
        Self { out, buffer: Vec::new(), scans: Scans::default() }
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn cloud(&mut self, cloud: &PointCloud) -> Result<()> {
        self.buffer.clear();
        let intensities = cloud.intensity.iter().copied().chain(std::iter::repeat(0.0));
        for (((x, y), z), intensity) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z).zip(intensities) {
            for value in [*x, *y, *z, intensity] {
                self.buffer.extend_from_slice(&value.to_le_bytes());
            }
        }
        Ok(self.out.write_all(&self.buffer)?)
    }
}

impl<W: Write> Sink for KittiBin<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
        self.cloud(cloud)?;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
