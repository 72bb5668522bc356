//! The header and the records that describe the points.

use std::{fmt::Write as _, io};

use ::las::{
    Version,
    raw::{
        Header, Vlr,
        header::{Evlr, LargeFile},
        vlr::RecordLength,
    },
};
use ::laz::{LazVlr, LazVlrBuilder};
use robolog_core::{PointCloud, slices::fitting, text::Escaped};

use super::{
    LasData, LasOptions, LasVersion,
    copc::{INFO, Tree},
    crs::Crs,
    points::{RecordForm, SCALE, Stats, Time},
};
use crate::{Error, Result, devices::Devices, options::Day};

/// Flag of compressed points in the point format.
const COMPRESSED: u8 = 0x80;
/// Global encoding: GPS time is adjusted standard GPS time.
const ADJUSTED: u16 = 1;
/// Global encoding: the coordinate system, if any, is WKT, as format 6 requires.
const WKT: u16 = 1 << 4;
/// Points of a chunk, as in all LAZ files.
const CHUNK: u32 = 50_000;
/// Bytes of a record's header.
const VLR_HEADER: usize = 54;
/// Bytes of an extended record's header.
const EVLR_HEADER: u64 = 60;
/// User ID of the octree's records.
const COPC: &str = "copc";
/// Bytes reserved for channel names in LAS 1.2, which has no extended records.
const CHANNELS: usize = 4096;

/// Set by the first cloud.
#[derive(Debug)]
pub(super) struct Head {
    rows: RecordForm,
    data: LasData,
    /// Offset added to all coordinates.
    offset: [f64; 3],
    created: Option<Day>,
    vlrs: Vec<Vlr>,
}

impl Head {
    pub(super) fn of(
        cloud: &PointCloud,
        time: Time,
        data: LasData,
        (options, crs, offset): (&LasOptions, Option<Crs>, [f64; 3]),
    ) -> Result<Self> {
        let rows = RecordForm::of(cloud, time, options.version);
        let mut head = Self { rows, data, offset, created: options.created, vlrs: Vec::new() };
        if data == LasData::Octree {
            // Must be the first record.
            head.vlrs.push(record(COPC, 1, "COPC info", vec![0; INFO], false));
        }
        if let Some(crs) = crs {
            head.vlrs.push(match options.version {
                LasVersion::V1_2 => record("LASF_Projection", 34735, "GeoTIFF keys", crs.keys(), false),
                LasVersion::V1_4 => record("LASF_Projection", 2112, "OGC WKT", crs.wkt(), false),
            });
        }
        let mut extra = Vec::new();
        if head.rows.ring {
            extra.extend(descriptor(3, "ring", "laser or scan line, from 0"));
        }
        if head.rows.tag {
            extra.extend(descriptor(1, "tag", "the sensor's own class"));
        }
        if !extra.is_empty() {
            head.vlrs.push(record("LASF_Spec", 4, "extra bytes", extra, false));
        }
        if data != LasData::Plain {
            let mut items = Vec::new();
            head.laz()?.write_to(&mut items)?;
            let id = LazVlr::RECORD_ID;
            head.vlrs.push(record(LazVlr::USER_ID, id, LazVlr::DESCRIPTION, items, false));
        }
        Ok(head)
    }

    pub(super) fn rows(&self) -> RecordForm {
        self.rows
    }

    /// Point data format with GPS time and without colours.
    fn format(&self) -> u8 {
        match self.rows.version {
            LasVersion::V1_2 => 1,
            LasVersion::V1_4 => 6,
        }
    }

    /// Compression parameters.
    pub(super) fn laz(&self) -> Result<LazVlr> {
        let extra = fitting::<u16>(self.rows.extra());
        let builder = LazVlrBuilder::default().with_point_format(self.format(), extra);
        let builder = builder.map_err(|e| Error::library("LAZ", e))?;
        Ok(match self.data {
            LasData::Octree => builder.with_variable_chunk_size().build(),
            _ => builder.with_fixed_chunk_size(CHUNK).build(),
        })
    }

    /// The header's bytes. `evlr` is the position of the first extended record, if any.
    pub(super) fn header(&self, stats: &Stats, evlr: Option<u64>) -> Result<Vec<u8>> {
        let is_old = self.rows.version == LasVersion::V1_2;
        let version = Version::new(1, if is_old { 2 } else { 4 });
        let size = version.header_size();
        let channels = is_old.then_some(CHANNELS);
        let vlrs = self.vlrs.iter().map(|vlr| vlr.data.len()).chain(channels);
        let vlrs = vlrs.map(|len| len + VLR_HEADER);
        let offset = usize::from(size) + vlrs.clone().sum::<usize>();
        let ([x0, y0, z0], [x1, y1, z1]) = stats.bounds.unwrap_or_default();
        let ([x, y, z], [east, north, up]) = (self.rows.origin, self.offset);
        let [x, y, z] = [x + east, y + north, z + up];
        let in_32_bits = |n: u64| u32::try_from(n).unwrap_or(0);
        let (mut points, mut by_return) = (0, [0; 5]);
        if is_old {
            points = in_32_bits(stats.points);
            by_return.iter_mut().zip(stats.by_return).for_each(|(old, n)| *old = in_32_bits(n));
        }
        let metres = |raw: i32, origin: f64| f64::from(raw) * SCALE + origin;
        let header = Header {
            version,
            header_size: size,
            global_encoding: if is_old { 0 } else { WKT }
                | if self.rows.time == Time::Adjusted { ADJUSTED } else { 0 },
            system_identifier: ascii("OTHER"),
            generating_software: ascii("robolog"),
            offset_to_point_data: fitting::<u32>(offset),
            number_of_variable_length_records: fitting::<u32>(vlrs.count()),
            file_creation_day_of_year: self.created.map_or(0, |day| day.day_of_year),
            file_creation_year: self.created.map_or(0, |day| day.year),
            point_data_record_format: match self.data {
                LasData::Plain => self.format(),
                LasData::Compressed | LasData::Octree => self.format() | COMPRESSED,
            },
            number_of_point_records: points,
            number_of_points_by_return: by_return,
            point_data_record_length: fitting::<u16>(self.rows.width()),
            x_scale_factor: SCALE,
            y_scale_factor: SCALE,
            z_scale_factor: SCALE,
            x_offset: x,
            y_offset: y,
            z_offset: z,
            min_x: metres(x0, x),
            max_x: metres(x1, x),
            min_y: metres(y0, y),
            max_y: metres(y1, y),
            min_z: metres(z0, z),
            max_z: metres(z1, z),
            evlr: evlr.map(|at| Evlr {
                start_of_first_evlr: at,
                number_of_evlrs: if self.data == LasData::Octree { 2 } else { 1 },
            }),
            large_file: Some(LargeFile {
                number_of_point_records: stats.points,
                number_of_points_by_return: stats.by_return,
            }),
            ..Header::default()
        };
        let mut bytes = Vec::with_capacity(usize::from(size));
        header.write_to(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// The records between the header and the points.
    pub(super) fn records(&self, devices: &Devices) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for vlr in &self.vlrs {
            vlr.write_to(&mut bytes).map_err(failed)?;
        }
        if self.rows.version == LasVersion::V1_2 {
            let mut text = self.sources(devices).into_bytes();
            // At least one zero ends the text.
            text.truncate(CHANNELS - 1);
            text.resize(CHANNELS, 0);
            record("LASF_Spec", 3, "channels", text, false).write_to(&mut bytes).map_err(failed)?;
        }
        Ok(bytes)
    }

    /// Fills in the COPC info; the hierarchy is the extended record at `evlr`.
    pub(super) fn set_tree(&mut self, tree: &Tree, evlr: u64) {
        let ([x, y, z], [east, north, up]) = (self.rows.origin, self.offset);
        let info = tree.info([x + east, y + north, z + up], evlr + EVLR_HEADER);
        if let Some(first) = self.vlrs.first_mut() {
            first.data = info;
        }
    }

    /// The extended records after the points; none in LAS 1.2.
    pub(super) fn tail(&self, devices: &Devices, tree: Option<&Tree>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(tree) = tree {
            let pages = record(COPC, 1000, "COPC hierarchy", tree.pages().to_vec(), true);
            pages.write_to(&mut bytes).map_err(failed)?;
        }
        if self.rows.version == LasVersion::V1_4 {
            let text = self.sources(devices).into_bytes();
            record("LASF_Spec", 3, "channels", text, true).write_to(&mut bytes).map_err(failed)?;
        }
        Ok(bytes)
    }

    /// Text with the meaning of GPS time and the numbers of the channels.
    fn sources(&self, devices: &Devices) -> String {
        let mut text = String::new();
        let _ = match self.rows.time {
            Time::Adjusted => writeln!(text, "gps_time: adjusted standard GPS time, seconds"),
            Time::Seconds(clock) => writeln!(text, "gps_time: seconds of the {clock} clock"),
            Time::Absent => writeln!(text, "gps_time: none"),
        };
        for (id, name) in devices.list() {
            let _ = writeln!(text, "point_source_id {id}: {}", Escaped(name.as_bytes()));
        }
        text
    }
}

fn failed(error: ::las::Error) -> Error {
    Error::Write(io::Error::other(error))
}

/// ASCII padded with zeros.
fn ascii<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(text.bytes()) {
        *to = from;
    }
    bytes
}

fn record(user: &str, id: u16, description: &str, data: Vec<u8>, extended: bool) -> Vlr {
    let length = match u16::try_from(data.len()) {
        Ok(len) if !extended => RecordLength::Vlr(len),
        _ => RecordLength::Evlr(data.len() as u64),
    };
    Vlr {
        reserved: 0,
        user_id: ascii(user),
        record_id: id,
        record_length_after_header: length,
        description: ascii(description),
        data,
    }
}

/// Describes a field of the extra bytes: a data type of the specification's table 24, a name and a description.
fn descriptor(data_type: u8, name: &str, description: &str) -> [u8; 192] {
    let mut bytes = [0; 192];
    bytes[2] = data_type;
    bytes[4..36].copy_from_slice(&ascii::<32>(name));
    bytes[160..192].copy_from_slice(&ascii::<32>(description));
    bytes
}
