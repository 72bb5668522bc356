//! Point clouds as text, three numbers per line.

use std::io::Write;

use robolog_core::{PointCloud, Sample, Value};

use super::{Holds, Need, Scans, TargetSpec, takes};
use crate::{Advice, Outcome, Result, Sink};

/// Coordinates as text.
pub static XYZ: TargetSpec = TargetSpec {
    name: "xyz",
    extensions: &["xyz"],
    about: "coordinates of points as text, three numbers a line",
    holds: Holds::Points,
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_way,
    open: |out, opening| Ok(Box::new(Xyz { scans: Scans::of(opening), ..Xyz::new(out) })),
};

/// Writes x, y and z of each point (m), separated by spaces, one point per line, as read by CloudCompare, MeshLab,
/// Open3D and CAD programs. Numbers have the fewest digits that read back exactly.
///
/// CSV has all other columns: times, intensities, returns and channels.
#[derive(Debug)]
pub struct Xyz<W> {
    out: W,
    buffer: Vec<u8>,
    scans: Scans,
}

impl<W: Write> Xyz<W> {
    /// Points into `out`.
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
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            writeln!(self.buffer, "{x} {y} {z}")?;
        }
        Ok(self.out.write_all(&self.buffer)?)
    }
}

impl<W: Write> Sink for Xyz<W> {
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
