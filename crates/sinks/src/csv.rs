//! CSV: one kind of value, one row each.

use std::{borrow::Cow, io::Write};

use robolog_core::{
    Clock, LaserScan, PointCloud, Sample, Timestamp, Value,
    columns::{self, Column, ColumnKind, Datum},
    slices::value_at,
};

use super::{
    Holds, Lacks, Need, Selection, TargetSpec,
    flat::Shape,
    gather::{Behind, Gather},
    naming::{CHANNEL, named},
    opening::{Channels, Opening},
    options::TimeColumn,
    takes,
    text::{Put, safe},
};
use crate::{Advice, Outcome, Result, Sink};

/// CSV.
pub static CSV: TargetSpec = TargetSpec {
    name: "csv",
    extensions: &["csv"],
    about: "a table of one kind of values, a row a point or a measurement",
    holds: Holds::Table,
    lacks: Lacks::FURTHER_ATTRIBUTES,
    needs: &[Need::Units],
    takes: takes::table,
    instead: takes::no_advice,
    open: |out, opening| {
        Ok(Gather::around(Behind::Rows(Box::new(Csv::of(out, opening))), CSV.takes, opening))
    },
};

/// Writes a table of the kind of value that comes first; if a recording has several kinds, that is point clouds unless
/// channels were selected.
///
/// | kind | columns after `time_ns` and `channel` |
/// |---|---|
/// | `point_cloud` | a row per point: `x, y, z` (m), `intensity, return_number, tag, ring` |
/// | `laser_scan` | a row per beam: `frame_id, beam, angle` (rad), `range` (m), `intensity, scan_time` (s), `range_min, range_max` (m) |
/// | `imu` | `frame_id, qx, qy, qz, qw, wx, wy, wz` (rad/s), `ax, ay, az` (m/s²) |
/// | `gnss_fix` | `frame_id, latitude, longitude` (degrees), `altitude` (m above the ellipsoid), `altitude_msl` (m), `quality, satellites, hdop, vdop, pdop, speed` (m/s), `course` (rad), then whatever was measured with the fixes, such as `heart_rate` |
/// | `satellites` | a row per satellite: `constellation, satellite, elevation, azimuth` (rad), `snr` (dB-Hz), `signal` |
/// | `odometry` | `frame_id, child_frame_id, x, y, z` (m), `qx, qy, qz, qw, vx, vy, vz` (m/s), `wx, wy, wz` (rad/s) |
/// | `pose` | `frame_id, x, y, z` (m), `qx, qy, qz, qw` |
/// | `transform` | `frame_id, child_frame_id, x, y, z` (m), `qx, qy, qz, qw` |
/// | `feature` | `latitude, longitude` (degrees) and `altitude_msl` (m) of the first position, `name, description, symbol, type, link, geometry` (well-known text), then all properties |
/// | `row` | the union of all fields. The sink alone leaves out rows whose fields differ from the first; [`CSV`] gathers rows until all columns are known |
/// | `scalar`, `text` | `value` |
///
/// These are the columns of [`Parquet`](super::parquet::Parquet) without `time`, which repeats `time_ns`, and without
/// the lists of a scan. A scan has a row per beam, ready for data frames to group and plot; `angle` counts
/// counter-clockwise from straight ahead, and `time_ns` is the time of the beam if the scan gives the time between
/// beams. Images are not written.
///
/// Fixes and features share a table, which is then one of features. The column `track` has the name of the track that a
/// sample belongs to, if any has one. The sink alone takes the columns of the first value; [`CSV`] gathers all.
///
/// A position with `quality` `none` is invalid: the receiver had no fix.
///
/// Times are nanoseconds of the recording's clock, for points the time of the point; [`TimeColumn`] lists other forms.
/// Unknown fields are empty; NaN and infinities are `NaN`, `inf`, `-inf`. Text is quoted where necessary; text that a
/// spreadsheet would take for a formula gets a leading apostrophe, see
/// [`TableOptions::csv_safe`](super::TableOptions::csv_safe). Column names carry no units: [`Sink::columns`] returns
/// them, and `robolog convert` writes them to a file beside the table.
pub struct Csv<W> {
    out: W,
    buffer: Vec<u8>,
    opening: Opening,
    /// Start of the recording, for relative times.
    start: Option<Timestamp>,
    /// Whether something left out would fit a table of its own.
    fits_if_chosen: bool,
    table: Option<Table>,
}

/// Set by the first sample.
struct Table {
    shape: Shape,
    /// Columns after time and channel.
    columns: Vec<Column>,
}

/// Bytes gathered before writing.
const BLOCK: usize = 8 << 10;

impl<W: Write> Csv<W> {
    /// Creates a table on `out`.
    pub fn new(out: W, selection: Selection) -> Self {
        Self::of(out, &selection.into())
    }

    /// Creates a table on `out` with the time columns of `opening`.
    pub fn of(out: W, opening: &Opening) -> Self {
        let mut opening = opening.clone();
        let times = &mut opening.options.tables.time_columns;
        if times.is_empty() {
            times.push(TimeColumn::Ns);
        }
        Self { out, buffer: Vec::new(), opening, start: None, fits_if_chosen: false, table: None }
    }

    /// Completes the table and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.write_all(&self.buffer)?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Whether the value belongs in the table; the first one starts it.
    fn belongs(&mut self, value: &Value) -> bool {
        if let Some(table) = &self.table {
            return table.shape.fits(value);
        }
        let columns = if let Value::LaserScan(_) = value { columns::of_beams() } else { columns::of(value) };
        let mut columns = named(columns, &self.opening.options.tables);
        columns.shrink_to_fit();
        for column in &mut columns {
            if let Cow::Owned(name) = safe(&column.name, self.is_safe()) {
                column.name = name;
            }
        }
        for (i, column) in self.first_columns().iter().chain(&columns).enumerate() {
            if i > 0 {
                self.buffer.push(b',');
            }
            column.name.as_str().put(&mut self.buffer);
        }
        self.buffer.push(b'\n');
        self.table = Some(Table { shape: Shape::of(value), columns });
        true
    }

    fn is_safe(&self) -> bool {
        self.opening.options.tables.csv_safe
    }

    /// First columns of every table.
    fn first_columns(&self) -> Vec<Column> {
        let times = self.opening.options.tables.time_columns.iter().map(|time| {
            let (unit, kind) = match time {
                TimeColumn::Ns => (Some("ns"), ColumnKind::Int),
                TimeColumn::Iso => (None, ColumnKind::Text),
                TimeColumn::Relative => (Some("s"), ColumnKind::Float),
            };
            Column { name: time.column().into(), unit: unit.map(Into::into), kind }
        });
        let channel = Column { name: CHANNEL.into(), unit: None, kind: ColumnKind::Name };
        times.chain((self.opening.channels != Channels::Named).then_some(channel)).collect()
    }

    fn points(&mut self, time: Option<Timestamp>, channel: &str, cloud: &PointCloud) -> Result<()> {
        let name = quoted(channel, self.is_safe());
        for (i, ((x, y), z)) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z).enumerate() {
            let offset = value_at(&cloud.time_offset, i);
            self.begin(time.and_then(|t| t.checked_add(offset.into())), &name);
            let out = &mut self.buffer;
            for value in [x, y, z] {
                out.push(b',');
                value.put(out);
            }
            out.push(b',');
            cloud.intensity.get(i).copied().put(out);
            out.push(b',');
            cloud.return_number.get(i).copied().put(out);
            out.push(b',');
            cloud.tag.get(i).copied().put(out);
            out.push(b',');
            cloud.ring.get(i).copied().put(out);
            out.push(b'\n');
            self.write_full()?;
        }
        Ok(())
    }

    /// Writes a row per beam.
    fn beams(&mut self, sample: &Sample, scan: &LaserScan) -> Result<()> {
        let step = if scan.time_increment.is_finite() { f64::from(scan.time_increment) } else { 0.0 };
        let is_safe = self.is_safe();
        let name = quoted(&sample.channel, is_safe);
        for i in 0..scan.ranges.len().max(scan.intensities.len()) {
            let time = sample.time.and_then(|time| time.checked_add(after(i, step)));
            self.begin(time, &name);
            let buffer = &mut self.buffer;
            columns::beam(scan, &sample.frame_id, i, &mut |_, _, datum| cell(&datum, is_safe, buffer));
            self.end()?;
        }
        Ok(())
    }

    fn begin(&mut self, time: Option<Timestamp>, channel: &[u8]) {
        let (start, out) = (self.start.or(time), &mut self.buffer);
        self.start = start;
        for (i, column) in self.opening.options.tables.time_columns.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            match column {
                TimeColumn::Ns => time.map(Timestamp::nanos).put(out),
                TimeColumn::Iso => {
                    if let Some(time) = time.filter(|time| time.clock() == Clock::Unix) {
                        // Writing to a buffer cannot fail.
                        let _ = write!(out, "{time}");
                    }
                }
                TimeColumn::Relative => {
                    let since = time.zip(start).and_then(|(time, start)| time.since(start));
                    since.map(|ns| Timestamp::new(ns, Clock::Relative).as_secs()).put(out);
                }
            }
        }
        if self.opening.channels != Channels::Named {
            out.push(b',');
            out.extend_from_slice(channel);
        }
    }

    fn end(&mut self) -> Result<()> {
        self.buffer.push(b'\n');
        self.write_full()
    }

    /// Writes the buffer once it is full.
    fn write_full(&mut self) -> Result<()> {
        if self.buffer.len() >= BLOCK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// A name as a CSV cell.
fn quoted(name: &str, is_safe: bool) -> Vec<u8> {
    let mut cell = Vec::new();
    safe(name, is_safe).put(&mut cell);
    cell
}

/// Nanoseconds since the first beam of a scan.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "casts stop at the greatest number"
)]
fn after(beam: usize, step: f64) -> i64 {
    (beam as f64 * step * 1e9).round() as i64
}

/// Appends a comma and a cell.
fn cell(datum: &Datum<'_>, is_safe: bool, out: &mut Vec<u8>) {
    out.push(b',');
    match datum {
        Datum::Bool(value) => value.put(out),
        Datum::Int(value) => value.put(out),
        Datum::Int32(value) => value.map(i64::from).put(out),
        Datum::Float(value) => value.put(out),
        Datum::Float32(value) => value.put(out),
        Datum::Text(Some(text)) => safe(text, is_safe).put(out),
        Datum::Name(name) => safe(name, is_safe).put(out),
        Datum::Geometry(geometry) => geometry.to_string().as_str().put(out),
        // Bytes and lists do not fit a text table.
        _ => {}
    }
}

impl<W: Write> Sink for Csv<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        if !takes::table(sample, self.opening.selection) {
            self.fits_if_chosen |= takes::table(sample, Selection::Channels);
            return Ok(Outcome::LeftOut);
        }
        if !self.belongs(&sample.value) {
            return Ok(Outcome::LeftOut);
        }
        match &sample.value {
            Value::PointCloud(cloud) => self.points(sample.time, &sample.channel, cloud)?,
            Value::LaserScan(scan) => self.beams(sample, scan)?,
            value => {
                let is_safe = self.is_safe();
                let name = quoted(&sample.channel, is_safe);
                for row in 0..columns::rows(value) {
                    self.begin(sample.time, &name);
                    let buffer = &mut self.buffer;
                    columns::cells(value, &sample.frame_id, row, &mut |_, _, datum| {
                        cell(&datum, is_safe, buffer);
                    });
                    self.end()?;
                }
            }
        }
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.fits_if_chosen.then_some(Advice::ChooseChannels)
    }

    fn columns(&mut self) -> Result<Vec<Column>> {
        let Some(table) = &self.table else { return Ok(Vec::new()) };
        Ok(self.first_columns().into_iter().chain(table.columns.iter().cloned()).collect())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W> std::fmt::Debug for Csv<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.table.as_ref().map(|table| table.shape.kind);
        f.debug_struct("Csv").field("kind", &kind).finish_non_exhaustive()
    }
}
