//! Files of nothing but points, cloud after cloud.

use std::{io::Write, marker::PhantomData};

use robolog_core::{PointCloud, Sample, Value};

use super::{Opening, Scans};
use crate::{Advice, Outcome, Result, Sink};

/// Writes point clouds one after another; `E` is the encoding of points.
#[derive(Debug)]
pub struct Clouds<W, E> {
    out: W,
    buffer: Vec<u8>,
    scans: Scans,
    encoding: PhantomData<E>,
}

/// Encoding of points.
pub trait Encoding {
    /// Appends the points of a cloud.
    fn put(cloud: &PointCloud, out: &mut Vec<u8>);
}

impl<W: Write, E: Encoding> Clouds<W, E> {
    /// Creates a file on `out`.
    pub fn new(out: W) -> Self {
        Self { out, buffer: Vec::new(), scans: Scans::default(), encoding: PhantomData }
    }

    pub(super) fn of(out: W, opening: &Opening) -> Self {
        Self { scans: Scans::of(opening), ..Self::new(out) }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write, E: Encoding> Sink for Clouds<W, E> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
        self.buffer.clear();
        E::put(cloud, &mut self.buffer);
        self.out.write_all(&self.buffer)?;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
