//! PCD 0.7, as read by the Point Cloud Library, CloudCompare and Open3D.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use robolog_core::{
    PointCloud, Sample, Timestamp, Value,
    slices::{fitting, value_at},
};

use super::{
    Channels, Holds, Lacks, Need, PcdData, Scans, TargetSpec,
    devices::Devices,
    rows::{Dropped, Field, Fields, Origin, device_names, padded, start},
    takes,
};
use crate::{
    Advice, Error, Note, Outcome, Reason, Result, Sink,
    spool::{Spool, Spools},
};

/// Point Cloud Library's PCD 0.7.
pub static PCD: TargetSpec = TargetSpec {
    name: "pcd",
    extensions: &["pcd"],
    about: "point clouds of the Point Cloud Library, PCD 0.7",
    holds: Holds::Points,
    lacks: Lacks::NOTHING,
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_advice,
    open: |out, opening| {
        let data = opening.options.pcd.data;
        if data == PcdData::BinaryCompressed && opening.others >= MOST_COMPRESSED {
            return Err(Error::Target(Reason::TooManyFiles {
                what: "PCD",
                most: MOST_COMPRESSED,
                problem: "cannot be compressed",
                advice: Advice::PlainPcd,
            }));
        }
        let has_device = opening.channels == Channels::Several;
        Ok(Box::new(Pcd {
            has_device,
            scans: Scans::of(opening),
            spools: opening.options.spools,
            ..Pcd::new(out, data)
        }))
    },
};

/// Maximum number of compressed files open at a time: each keeps eight temporary files open.
const MOST_COMPRESSED: usize = 64;

/// Writes all points into one cloud of height 1.
///
/// Fields are `x`, `y`, `z` and `intensity` as floats, `timestamp` in seconds as a double, `return_number` and `tag` as
/// bytes and `ring` as a 16-bit number, if the first cloud has them; and `device`, the channel's number from 1.
/// Comments list the channel names that fit.
///
/// Compressed data is stored column by column, so columns are kept in temporary files until the end.
#[derive(Debug)]
pub struct Pcd<W> {
    out: W,
    data: PcdData,
    has_device: bool,
    devices: Devices,
    fields: Option<Fields>,
    points: u64,
    buffer: Vec<u8>,
    columns: Vec<BufWriter<Spool>>,
    spools: Spools,
    scans: Scans,
    dropped: Dropped,
}

impl<W: Write + Seek> Pcd<W> {
    /// Creates a file on `out`, which must be at its beginning.
    pub fn new(out: W, data: PcdData) -> Self {
        Self {
            out,
            data,
            has_device: true,
            devices: Devices::default(),
            fields: None,
            points: 0,
            buffer: Vec::new(),
            columns: Vec::new(),
            spools: Spools::default(),
            scans: Scans::default(),
            dropped: Dropped::default(),
        }
    }

    /// Leaves out the field `device`, for a file of one channel.
    #[must_use]
    pub fn without_device(self) -> Self {
        Self { has_device: false, ..self }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        if self.fields.is_some() && self.data == PcdData::BinaryCompressed {
            self.compress()?;
        }
        if let Some(fields) = &self.fields {
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(header(fields, self.data, self.points, &self.devices).as_bytes())?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn begin(&mut self, cloud: &PointCloud, time: Option<Timestamp>) -> Result<()> {
        if self.fields.is_none() {
            let fields = Fields::of(cloud, time, self.has_device);
            self.out.write_all(header(&fields, self.data, 0, &self.devices).as_bytes())?;
            if self.data == PcdData::BinaryCompressed {
                let columns = fields.list.iter().map(|_| Ok(BufWriter::new(self.spools.open()?)));
                self.columns = columns.collect::<io::Result<_>>()?;
            }
            self.fields = Some(fields);
        }
        Ok(())
    }

    /// Writes the sizes, then the columns as one LZF stream, block by block: LZF streams can be concatenated.
    fn compress(&mut self) -> Result<()> {
        let start = self.out.stream_position()?;
        self.out.write_all(&[0; 8])?;
        let (mut compressed, mut plain) = (0_u64, 0_u64);
        let mut block = Vec::with_capacity(LZF_BLOCK);
        for column in self.columns.drain(..) {
            let mut file = column.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(0))?;
            let mut file = BufReader::new(file);
            loop {
                block.clear();
                let n = file.by_ref().take(LZF_BLOCK as u64).read_to_end(&mut block)?;
                if n == 0 {
                    break;
                }
                self.buffer.clear();
                lzf_block(&block, &mut self.buffer);
                self.out.write_all(&self.buffer)?;
                plain += n as u64;
                compressed += self.buffer.len() as u64;
            }
        }
        let (Ok(compressed), Ok(plain)) = (u32::try_from(compressed), u32::try_from(plain)) else {
            return Err(Error::Target(Reason::PcdSize { bytes: plain }));
        };
        self.out.seek(SeekFrom::Start(start))?;
        self.out.write_all(&compressed.to_le_bytes())?;
        self.out.write_all(&plain.to_le_bytes())?;
        Ok(())
    }
}

const LZF_BLOCK: usize = 64 << 10;

/// Compresses a block, or stores it as runs of up to 32 literal bytes if that is shorter.
fn lzf_block(block: &[u8], out: &mut Vec<u8>) {
    if let Ok(compressed) = lzf::compress(block) {
        out.extend_from_slice(&compressed);
        return;
    }
    for run in block.chunks(32) {
        out.push(fitting::<u8>(run.len() - 1));
        out.extend_from_slice(run);
    }
}

impl<W: Write + Seek> Sink for Pcd<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
        if cloud.is_empty() {
            return Ok(Outcome::Written);
        }
        self.begin(cloud, sample.time)?;
        let Some(fields) = &self.fields else { return Ok(Outcome::LeftOut) };
        let Some(device) = self.devices.number(&sample.channel) else { return Ok(Outcome::LeftOut) };
        self.dropped.see(fields, cloud, sample.time);
        let from = Origin { time: sample.time, device };
        match self.data {
            PcdData::Binary => fields.write(cloud, from, &mut self.buffer, &mut self.out)?,
            PcdData::Ascii => {
                self.buffer.clear();
                ascii(fields, cloud, from, &mut self.buffer)?;
                self.out.write_all(&self.buffer)?;
            }
            PcdData::BinaryCompressed => {
                for (field, column) in fields.list.iter().zip(&mut self.columns) {
                    Fields::single(*field).write(cloud, from, &mut self.buffer, column)?;
                }
            }
        }
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

fn ascii(fields: &Fields, cloud: &PointCloud, from: Origin, out: &mut Vec<u8>) -> Result<()> {
    let start = start(from.time);
    let value = |column: &[f32], i: usize| column.get(i).copied().unwrap_or(f32::NAN);
    for i in 0..cloud.len() {
        for (n, field) in fields.list.iter().enumerate() {
            if n > 0 {
                out.push(b' ');
            }
            match field {
                Field::X => write!(out, "{}", value(&cloud.x, i))?,
                Field::Y => write!(out, "{}", value(&cloud.y, i))?,
                Field::Z => write!(out, "{}", value(&cloud.z, i))?,
                Field::Intensity => write!(out, "{}", value(&cloud.intensity, i))?,
                Field::Timestamp => {
                    write!(out, "{}", start.after(value_at(&cloud.time_offset, i)))?;
                }
                Field::ReturnNumber => write!(out, "{}", cloud.return_number.get(i).unwrap_or(&0))?,
                Field::Tag => write!(out, "{}", cloud.tag.get(i).unwrap_or(&0))?,
                Field::Ring => write!(out, "{}", cloud.ring.get(i).unwrap_or(&0))?,
                Field::Device => write!(out, "{}", from.device)?,
            }
        }
        out.push(b'\n');
    }
    Ok(())
}

fn header(fields: &Fields, data: PcdData, points: u64, devices: &Devices) -> String {
    let list = |each: &dyn Fn(&Field) -> String| fields.list.iter().map(each).collect::<Vec<_>>().join(" ");
    let names = list(&|f| f.name().to_owned());
    let sizes = list(&|f| f.size().to_string());
    let types = list(&|f| if f.is_float() { "F" } else { "U" }.to_owned());
    let counts = list(&|_| "1".to_owned());
    let devices = if fields.has_device() { device_names("#", devices) } else { String::new() };
    padded(points, |points, filling| {
        format!(
            "# .PCD v0.7 - Point Cloud Data file format{filling}\n{devices}VERSION 0.7\nFIELDS {names}\nSIZE {sizes}\n\
             TYPE {types}\nCOUNT {counts}\nWIDTH {points}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {points}\n\
             DATA {data}\n"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_do_not_shrink_become_literals() {
        let noise: Vec<u8> = (0..1000_u32).map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        let mut out = Vec::new();
        lzf_block(&noise, &mut out);
        lzf_block(&[7; 5000], &mut out);
        lzf_block(b"x", &mut out);
        let plain = lzf::decompress(&out, 6001).unwrap();
        assert_eq!((&plain[..1000], &plain[1000..6000], plain[6000]), (&noise[..], &[7; 5000][..], b'x'));
    }
}
