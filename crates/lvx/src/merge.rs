//! Merges recordings into one.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

mod join;

use std::{
    io::{Read, Write},
    ops::Range,
};

use robolog_core::{Clock, Error, Event, Finding, Result, Timestamp, format::RawRecord, slices::length};

use self::join::{Indices, Join, Route, warning};
use crate::{Device, DeviceId, Header, Record, StreamReader, Version, Writer, time::Unwrap};

/// Merges recordings of one version into one on `out`.
///
/// - The frames of all inputs are ordered by the time of their first package; those without a time follow their
///   predecessor. They are renumbered from 0, and the offsets are chained; LVX3 is merged in whole frames.
/// - The lists of devices are joined. Devices with the same serial number and equal settings are one device. In 1.x,
///   devices of later inputs whose index is taken get another one, also in their packages. In LVX2 and LVX3 packages
///   keep their address: an address with two serial numbers is an error.
/// - The magic code is set to its right value; the frame duration is that of the first input.
///
/// Damaged parts of an input are left out and listed in the report. Memory does not grow with the recordings: one frame
/// of each is held. Returns an error if there is no input, if versions differ, if there are more than 255 devices, or
/// if an input or `out` fails.
///
/// ```
/// # let (left, right) = (lvx::doc::recording(), lvx::doc::recording());
/// let inputs = vec![lvx::StreamReader::new(&left[..])?, lvx::StreamReader::new(&right[..])?];
/// let (file, report) = lvx::merge(inputs, Vec::new())?;
/// assert!(report.is_whole());
/// assert_eq!(lvx::Reader::new(&file)?.records().count(), 2);
/// # Ok::<(), lvx::Error>(())
/// ```
pub fn merge<R: Read, W: Write>(inputs: Vec<StreamReader<R>>, out: W) -> Result<(W, MergeReport)> {
    let headers: Vec<&Header> = inputs.iter().map(StreamReader::header).collect();
    let mut join = Join::of(&headers)?;
    let version = join.version;
    let mut writer = Writer::with_header_bytes(out, version, &join.header_bytes()?)?;
    let mut open: Vec<MergeInput<R>> = inputs.into_iter().zip(join.routes).map(MergeInput::new).collect();
    for input in &mut open {
        input.advance()?;
    }
    // For equal times, the input named first comes first.
    while let Some(input) = open.iter_mut().filter(|input| !input.over).min_by_key(|input| input.time) {
        input.copy(&mut writer, &mut join.indices)?;
        input.advance()?;
    }
    let mut clocks = open.iter().flat_map(|input| input.clocks.iter());
    if let Some(first) = clocks.next()
        && let Some(other) = clocks.find(|c| *c != first)
    {
        let message =
            format!("times are on the {first} and the {other} clock; frames are ordered by the raw numbers");
        join.findings.push(warning("clock-change", message));
    }
    let report =
        MergeReport { inputs: open.into_iter().map(|input| input.report).collect(), findings: join.findings };
    Ok((writer.finish()?, report))
}

/// The result of [`merge`].
#[derive(Debug)]
pub struct MergeReport {
    /// The result for each input, in the given order.
    pub inputs: Vec<InputReport>,
    /// Differences between the inputs.
    pub findings: Vec<Finding>,
}

impl MergeReport {
    /// Whether the output contains everything in the inputs.
    pub fn is_whole(&self) -> bool {
        self.inputs.iter().all(|input| input.faults == 0)
    }

    /// Frames in the output.
    pub fn frames(&self) -> u64 {
        self.inputs.iter().map(|input| input.frames).sum()
    }
}

/// The result for one input of a merge.
#[derive(Debug, Default)]
pub struct InputReport {
    /// Frames copied, including incomplete ones.
    pub frames: u64,
    /// Packages copied.
    pub packages: u64,
    /// Bytes that belong to no complete package.
    pub lost_bytes: u64,
    /// Number of damaged places.
    pub faults: u64,
    /// The damaged places; at most [`InputReport::KEPT`].
    pub damage: Vec<Damage>,
}

/// A damaged place of an input.
#[derive(Debug)]
pub struct Damage {
    /// The fault.
    pub error: Error,
    /// The bytes lost.
    pub lost: Range<u64>,
}

impl InputReport {
    /// Maximum number of damaged places kept; further ones are only counted.
    pub const KEPT: usize = 100;

    fn damaged(&mut self, error: Error, lost: Range<u64>) {
        self.faults += 1;
        self.lost_bytes += length(&lost);
        if self.damage.len() < Self::KEPT {
            self.damage.push(Damage { error, lost });
        }
    }
}

/// One input with its next frame.
struct MergeInput<R> {
    reader: StreamReader<R>,
    frame: Vec<u8>,
    offset: u64,
    over: bool,
    /// The listed devices, and whether a second recording began that has others.
    devices: Vec<Device>,
    is_other: bool,
    /// Time of the next frame, unwrapped. Frames without a time come before all others, that is, directly after their
    /// predecessor.
    time: Option<i64>,
    unwrap: Unwrap,
    clocks: Vec<Clock>,
    route: Route,
    report: InputReport,
}

impl<R: Read> MergeInput<R> {
    fn new((reader, route): (StreamReader<R>, Route)) -> Self {
        Self {
            devices: reader.header().devices().to_vec(),
            reader,
            frame: Vec::new(),
            offset: 0,
            over: false,
            is_other: false,
            time: None,
            unwrap: Unwrap::default(),
            clocks: Vec::new(),
            route,
            report: InputReport::default(),
        }
    }

    /// Reads the next frame.
    fn advance(&mut self) -> Result<()> {
        loop {
            match self.reader.next_event()? {
                Event::Record(record) => {
                    if let Some(second) = record.header() {
                        self.is_other = second.devices() != self.devices;
                    }
                    if self.is_other {
                        let error = Error::invalid(
                            "frame",
                            "a second recording with other devices",
                            "those of the first: split the file",
                            record.offset(),
                        );
                        let lost = record.offset()..record.raw.end();
                        self.report.damaged(error.within("lvx"), lost);
                        continue;
                    }
                    if record.is_header() {
                        continue;
                    }
                    self.frame.clear();
                    self.frame.extend_from_slice(record.bytes());
                    self.offset = record.offset();
                    let mut packages = record.packages().map_while(Result::ok);
                    let first = packages.find_map(|p| Some((p.timestamp_type(), p.time()?)));
                    let time = first.map(|(kind, time)| self.unwrap.apply(kind, time));
                    self.time = time.map(Timestamp::nanos);
                    if let Some(clock) = time.map(Timestamp::clock)
                        && !self.clocks.contains(&clock)
                    {
                        self.clocks.push(clock);
                    }
                    return Ok(());
                }
                Event::Damage { error, lost } => self.report.damaged(error, lost),
                Event::End => {
                    self.over = true;
                    return Ok(());
                }
            }
        }
    }

    /// Writes the current frame.
    fn copy<W: Write>(&mut self, writer: &mut Writer<W>, indices: &mut Indices) -> Result<()> {
        let version = self.reader.header().version();
        let record = Record::new(RawRecord { offset: self.offset, bytes: &self.frame }, version)?;
        let end = record.raw.end();
        let mut packages = record.packages();
        if version == Version::V2_4 {
            match record.count_closed() {
                Ok(packages) => {
                    self.report.packages += packages;
                    self.report.frames += 1;
                    return writer.write(&record);
                }
                Err(error) => {
                    self.report.damaged(error, self.offset..end);
                    return Ok(());
                }
            }
        }
        writer.begin_frame()?;
        while let Some(package) = packages.next() {
            match package {
                Ok(package) => {
                    match package.device() {
                        DeviceId::Index(index) => {
                            writer.package_as(self.route.of(index, indices)?, package.bytes())?;
                        }
                        DeviceId::Lidar(_) => writer.package(package.bytes())?,
                    }
                    self.report.packages += 1;
                }
                Err(error) => self.report.damaged(error, packages.offset()..end),
            }
        }
        self.report.frames += 1;
        writer.end_frame()
    }
}
