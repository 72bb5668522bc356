//! PLY 1.0, binary and little-endian, as CloudCompare, MeshLab and Open3D read it.

use std::io::{Seek, SeekFrom, Write};

use robolog_core::{Sample, Value};

use super::rows::{Field, Fields, padded};
use crate::{Result, Sink, Took};

/// Writes all points into one cloud.
///
/// Properties are `x`, `y`, `z` and `intensity` as floats, `timestamp` in seconds as a double, `return_number` and
/// `tag` as bytes and `ring` as a 16-bit number, as far as the first cloud has them.
#[derive(Debug)]
pub struct Ply<W> {
    out: W,
    fields: Option<Fields>,
    points: u64,
    buffer: Vec<u8>,
}

impl<W: Write + Seek> Ply<W> {
    /// A file on `out`, which must be at its beginning.
    pub fn new(out: W) -> Self {
        Self { out, fields: None, points: 0, buffer: Vec::new() }
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(fields) = &self.fields {
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(header(fields, self.points).as_bytes())?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write + Seek> Sink for Ply<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Took::LeftOut) };
        if cloud.is_empty() {
            return Ok(Took::Written);
        }
        if self.fields.is_none() {
            let fields = Fields::of(cloud, sample.time);
            self.out.write_all(header(&fields, 0).as_bytes())?;
            self.fields = Some(fields);
        }
        let Some(fields) = &self.fields else { return Ok(Took::LeftOut) };
        fields.write(cloud, sample.time, &mut self.buffer, &mut self.out)?;
        self.points = self.points.saturating_add(cloud.len() as u64);
        Ok(Took::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

fn header(fields: &Fields, points: u64) -> String {
    let property = |field: &Field| {
        let kind = match (field.is_float(), field.size()) {
            (true, 8) => "double",
            (true, _) => "float",
            (false, 1) => "uchar",
            (false, _) => "ushort",
        };
        format!("property {kind} {}\n", field.name())
    };
    let properties: String = fields.list.iter().map(property).collect();
    padded(points, |points, filling| {
        format!(
            "ply\nformat binary_little_endian 1.0\ncomment written by robolog, metres and seconds{filling}\n\
             element vertex {points}\n{properties}end_header\n"
        )
    })
}
