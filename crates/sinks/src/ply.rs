//! PLY 1.0, binary little-endian, as read by CloudCompare, MeshLab and Open3D.

use std::io::{Seek, SeekFrom, Write};

use robolog_core::{Sample, Value};

use super::{
    Channels, Holds, Lacks, Need, Scans, TargetSpec,
    devices::Devices,
    rows::{Dropped, Field, Fields, Origin, device_names, padded},
    takes,
};
use crate::{Advice, Note, Outcome, Result, Sink};

/// Stanford's polygon format.
pub static PLY: TargetSpec = TargetSpec {
    name: "ply",
    extensions: &["ply"],
    about: "point clouds in Stanford's polygon format, binary",
    holds: Holds::Points,
    lacks: Lacks::NOTHING,
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_advice,
    open: |out, opening| {
        let has_device = opening.channels == Channels::Several;
        Ok(Box::new(Ply { has_device, scans: Scans::of(opening), ..Ply::new(out) }))
    },
};

/// Writes all points into one cloud.
///
/// Properties are `x`, `y`, `z` and `intensity` as floats, `timestamp` in seconds as a double, `return_number` and
/// `tag` as bytes and `ring` as a 16-bit number, if the first cloud has them; and `device`, the channel's number from
/// 1. Comments list the channel names that fit.
#[derive(Debug)]
pub struct Ply<W> {
    out: W,
    has_device: bool,
    devices: Devices,
    fields: Option<Fields>,
    points: u64,
    buffer: Vec<u8>,
    scans: Scans,
    dropped: Dropped,
}

impl<W: Write + Seek> Ply<W> {
    /// Creates a file on `out`, which must be at its beginning.
    pub fn new(out: W) -> Self {
        Self {
            out,
            has_device: true,
            devices: Devices::default(),
            fields: None,
            points: 0,
            buffer: Vec::new(),
            scans: Scans::default(),
            dropped: Dropped::default(),
        }
    }

    /// Leaves out the property `device`, for a file of one channel.
    #[must_use]
    pub fn without_device(self) -> Self {
        Self { has_device: false, ..self }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(fields) = &self.fields {
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(header(fields, self.points, &self.devices).as_bytes())?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write + Seek> Sink for Ply<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
        if cloud.is_empty() {
            return Ok(Outcome::Written);
        }
        if self.fields.is_none() {
            let fields = Fields::of(cloud, sample.time, self.has_device);
            self.out.write_all(header(&fields, 0, &self.devices).as_bytes())?;
            self.fields = Some(fields);
        }
        let Some(fields) = &self.fields else { return Ok(Outcome::LeftOut) };
        let Some(device) = self.devices.number(&sample.channel) else { return Ok(Outcome::LeftOut) };
        self.dropped.see(fields, cloud, sample.time);
        fields.write(cloud, Origin { time: sample.time, device }, &mut self.buffer, &mut self.out)?;
        self.points += cloud.len() as u64;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(self.dropped.notes())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

fn header(fields: &Fields, points: u64, devices: &Devices) -> String {
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
    let names = if fields.has_device() { device_names("comment", devices) } else { String::new() };
    padded(points, |points, filling| {
        format!(
            "ply\nformat binary_little_endian 1.0\ncomment written by robolog, metres and seconds{filling}\n\
             {names}element vertex {points}\n{properties}end_header\n"
        )
    })
}
