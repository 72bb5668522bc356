//! Parquet: tables for query engines and data frames.

mod encode;
pub mod nested;
mod schema;

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use parquet::{
    column::writer::{ColumnCloseResult, get_column_writer},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::WriterPropertiesPtr,
        writer::{SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite},
    },
    schema::types::{ColumnDescPtr, Type as Node},
};
use robolog_core::Sample;

use self::{
    encode::{give_back, put},
    schema::{node, properties},
};
use super::{
    Holds, Lacks, Opening, TargetSpec,
    columns::{Column, Filling, Group, Table, Type},
    gather::{self, Behind, BlockRows, ColumnSink, Gather},
    takes,
};
use crate::{
    Advice, Error, Outcome, Reason, Result, Sink,
    parallel::{cores, in_order},
};

/// Apache Parquet.
pub static PARQUET: TargetSpec = TargetSpec {
    name: "parquet",
    extensions: &["parquet"],
    about: "a table of one kind of values in columns, Apache Parquet",
    holds: Holds::Columns,
    lacks: Lacks::FURTHER_ATTRIBUTES,
    needs: &[],
    takes: takes::columns,
    instead: takes::no_advice,
    open: |out, opening| {
        gather::check_room(PARQUET.name, opening)?;
        Ok(Gather::around(Behind::Columns(Box::new(Parquet::new(out, opening))), PARQUET.takes, opening))
    },
};

/// Writes a table of the kind of value that comes first; if a recording has several kinds, that is point clouds unless
/// channels were selected.
///
/// | kind | columns after `time_ns`, `time` and `channel` |
/// |---|---|
/// | `point_cloud` | a row per point: `x, y, z` (m), `intensity` as 32-bit floats, `return_number, tag, ring` |
/// | `image` | `frame_id, encoding, width, height, data`: the encoded file, or rows of pixels from the top |
/// | `laser_scan` | a row per scan: `frame_id, angle_min, angle_increment` (rad), `time_increment, scan_time` (s), `range_min, range_max` (m) as 32-bit floats, and the lists `ranges` (m), `intensities` |
/// | `imu` | `frame_id, qx, qy, qz, qw, wx, wy, wz` (rad/s), `ax, ay, az` (m/s²) |
/// | `gnss_fix` | `frame_id, latitude, longitude` (degrees), `altitude` (m above the ellipsoid), `altitude_msl` (m), `quality, satellites, hdop, vdop, pdop, speed` (m/s), `course` (rad), then whatever was measured with the fixes, such as `heart_rate` |
/// | `satellites` | a row per satellite: `constellation, satellite, elevation, azimuth` (rad), `snr` (dB-Hz), `signal` |
/// | `odometry` | `frame_id, child_frame_id, x, y, z` (m), `qx, qy, qz, qw, vx, vy, vz` (m/s), `wx, wy, wz` (rad/s) |
/// | `pose` | `frame_id, x, y, z, qx, qy, qz, qw` |
/// | `transform` | `frame_id, child_frame_id, x, y, z, qx, qy, qz, qw` |
/// | `feature` | `latitude, longitude` (degrees) and `altitude_msl` (m) of the first position, `name, description, symbol, type, link, geometry`, then all properties |
/// | `row` | the union of all fields; a duplicate name, ignoring case, ends in `_2` |
/// | `scalar`, `text` | `value` |
///
/// `time_ns` is nanoseconds of the recording's clock, for points the time of the point. `time` is the same as a UTC
/// timestamp, rounded down to microseconds; null if the clock is not Unix time. The file's metadata lists the clocks
/// (`robolog.clock`) and the kind of values (`robolog.kind`).
///
/// Fixes and features share a table, which is then one of features: `GeoParquet` 1.1, with shapes as well-known binary. The
/// column `track` has the name of the track that a sample belongs to, if any has one.
///
/// Unknown values are null in every column; NaN and infinities are kept. Integers are signed. The file's metadata
/// `robolog.units` has the units as a JSON object by column. With the feature `to-arrow` the file also stores its Arrow
/// schema, so that Arrow readers show a column's unit in its metadata, under `unit`.
///
/// Values of other kinds are left out. The sink alone takes rows with the fields of the first, and cells of their
/// field's type; [`PARQUET`] gathers rows until all columns are known, so that none is left out. Row groups hold 524
/// 288 rows or 32 MiB in memory, whichever is less, compressed by Snappy. The files of a folder share these 32 MiB: each
/// group but the last has at least half of an equal share, and 16 KiB. Memory holds the groups, as much again of encoded
/// columns, and about 10 KiB of metadata per written group. Columns of large groups are encoded on all cores; the bytes are
/// the same.
pub struct Parquet<W> {
    out: W,
    filling: Filling,
    writer: Option<Writer>,
}

const GROUP: Group = Group { rows: 1 << 19, bytes: 32 << 20, spells: false };

impl<W: Write> Parquet<W> {
    /// Creates a table on `out`.
    pub fn new(out: W, opening: &Opening) -> Self {
        Self { out, filling: Filling::new(GROUP, opening), writer: None }
    }

    /// Completes the file and returns the target. Writes nothing if there was no sample.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(mut table) = self.filling.table {
            let writer = begun(&mut self.writer, &table)?;
            if table.rows > 0 {
                writer.group(&mut table, &mut self.out)?;
            }
            writer.finish(&table, &mut self.out)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for Parquet<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.filling.write(sample, |table| begun(&mut self.writer, table)?.group(table, &mut self.out))
    }

    fn advice(&self) -> Option<Advice> {
        self.filling.advice()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write> ColumnSink for Parquet<W> {
    fn take_rows(&mut self, rows: BlockRows<'_>) -> bool {
        self.filling.take_rows(rows)
    }
}

impl<W> std::fmt::Debug for Parquet<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parquet").field("kind", &self.filling.kind()).finish_non_exhaustive()
    }
}

/// Returns the writer, created with the first group.
fn begun<'a>(writer: &'a mut Option<Writer>, table: &Table) -> Result<&'a mut Writer> {
    if writer.is_none() {
        *writer = Some(Writer::new(table)?);
    }
    writer.as_mut().ok_or_else(|| Error::Target(Reason::Lost("Parquet")))
}

/// Output of the Parquet writer until it is taken: the writer needs a target that is `Send`, which ours need not be.
#[derive(Debug, Default, Clone)]
struct Spool(Arc<Mutex<Vec<u8>>>);

/// Maximum bytes of memory that an empty spool keeps: fresh memory for each column costs more than filling it.
const KEPT: usize = 8 << 20;

impl Spool {
    fn drain(&self, out: &mut impl Write) -> Result<()> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&bytes)?;
        bytes.clear();
        // A single value may be far longer than a group.
        bytes.shrink_to(KEPT);
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Writer {
    file: SerializedFileWriter<Spool>,
    spool: Spool,
    threads: usize,
}

impl Writer {
    fn new(table: &Table) -> Result<Self> {
        let columns = table.columns.iter().map(|column| node(column).map(Arc::new));
        let columns = columns.collect::<Result<_, _>>().map_err(failed)?;
        let schema = Node::group_type_builder("schema").with_fields(columns).build().map_err(failed)?;
        let spool = Spool::default();
        let file = SerializedFileWriter::new(spool.clone(), Arc::new(schema), Arc::new(properties(table)));
        let threads = cores();
        Ok(Self { file: file.map_err(failed)?, spool, threads })
    }

    /// Writes the rows of the table and clears it.
    fn group(&mut self, table: &mut Table, out: &mut impl Write) -> Result<()> {
        let descriptions = self.file.schema_descr().columns().to_vec();
        let properties = Arc::clone(self.file.properties());
        let mut group = self.file.next_row_group().map_err(failed)?;
        let threads = if table.bytes() < FOR_THREADS { 1 } else { self.threads.min(table.columns.len()) };
        let columns = descriptions.into_iter().zip(&mut table.columns);
        in_order(
            threads,
            columns,
            |(description, column)| encode(description, &properties, column),
            |encoded| append(&mut group, &self.spool, encoded.map_err(failed)?, out),
        )?;
        group.close().map_err(failed)?;
        table.clear();
        self.spool.drain(out)
    }

    fn finish(&mut self, table: &Table, out: &mut impl Write) -> Result<()> {
        let clocks = KeyValue::new("robolog.clock".to_owned(), table.clocks());
        self.file.append_key_value_metadata(clocks);
        if let Some(column) = table.columns.iter().find(|column| column.kind == Type::Geometry) {
            let geo = table.shapes.geoparquet(&column.name);
            self.file.append_key_value_metadata(KeyValue::new("geo".to_owned(), geo));
        }
        self.file.finish().map_err(failed)?;
        self.spool.drain(out)
    }
}

/// Minimum bytes in memory for which threads pay off.
const FOR_THREADS: usize = 1 << 20;

/// An encoded column: its pages and their metadata.
type Encoded = (Vec<u8>, ColumnCloseResult);

/// Encodes the pages of a column.
fn encode(
    description: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    column: &mut Column,
) -> Result<Encoded, ParquetError> {
    let mut pages = TrackedWrite::new(Vec::new());
    let to = Box::new(SerializedPageWriter::new(&mut pages));
    let mut writer = get_column_writer(description, Arc::clone(properties), to);
    let taken = put(&mut writer, column)?;
    let known = writer.close()?;
    give_back(taken, &mut column.data);
    Ok((pages.into_inner()?, known))
}

/// Appends an encoded column to its group and writes the output to `out`.
fn append(
    group: &mut SerializedRowGroupWriter<'_, Spool>,
    spool: &Spool,
    (pages, known): Encoded,
    out: &mut impl Write,
) -> Result<()> {
    group.append_column(&bytes::Bytes::from(pages), known).map_err(failed)?;
    spool.drain(out)
}

fn failed(error: ParquetError) -> Error {
    Error::library("Parquet", error)
}

#[cfg(test)]
mod tests {
    use robolog_core::{PointCloud, Timestamp, Value};

    use super::*;

    fn bytes(threads: usize) -> Vec<u8> {
        let column = |factor: u16| (0..40_000).map(|i: u16| f32::from(i.wrapping_mul(factor))).collect();
        let cloud = PointCloud { x: column(1), y: column(77), z: column(4099), ..PointCloud::default() };
        let mut sample = Sample::new("c", Value::PointCloud(cloud))
            .with_time(Timestamp::new(5, robolog_core::Clock::Unix))
            .with_frame("f");
        let mut sink = Parquet::new(Vec::new(), &Opening::default());
        sink.write(&mut sample).unwrap();
        let table = sink.filling.table.as_ref().unwrap();
        assert!(table.bytes() >= FOR_THREADS);
        begun(&mut sink.writer, table).unwrap().threads = threads;
        sink.into_inner().unwrap()
    }

    #[test]
    fn the_bytes_do_not_depend_on_the_number_of_threads() {
        let one = bytes(1);
        assert!(one.len() > 100_000);
        for threads in 2..5 {
            assert!(bytes(threads) == one, "{threads} threads");
        }
    }
}
