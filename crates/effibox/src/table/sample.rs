//! Rows to samples.
//!
//! | table | channel | value |
//! |---|---|---|
//! | `_GGA_all.txt` | `gga` | GNSS fix: degrees, metres above the ellipsoid |
//! | | `gga/l2e` | row: values that a fix lacks, Lambert coordinates and the time of day |
//! | `_GSV.txt` | `gsv` | satellites, one sample an epoch |
//! | `_Acc.txt` | `acc` | inertial: the acceleration in the sensor's frame |
//! | | `acc/raw` | row: each accelerometer, and its raw value |
//! | `_Gyro.txt` | `gyro` | inertial: the rate about the sensor's z axis, which points up; the other two are NaN |
//! | | `gyro/raw` | row: the temperature, and the raw values |
//! | `_DeadReckoned_Poses*.txt` | `dead-reckoned`, `dead-reckoned2` | odometry of `base_link` in `odom` |
//! | scans | `scan` | laser scan |
//! | all others | their [name](crate::table::TableKind::name) | row, in the file's units |
//!
//! The interface, if known, comes before the name. Frames are `gps` for fixes, `acc` for accelerations, `gyro` for
//! rates, `laser` for scans.

use std::{
    f64::consts::{PI, TAU},
    ops::Range,
    sync::Arc,
};

use nalgebra::Vector3;
use robolog_core::{
    Cell, CellValue as _, Error, Field, FieldKind, Imu, LaserScan, Result, Timestamp, Value,
    format::{Lent, SurveyBuilder, Wanted},
    slices::InRange as _,
};

use super::{
    Details, Epochs, Gga, Header, Impact, Record, Row, Table, TableKind,
    layout::{Epoch, TableRow},
    split::Sweeps,
    survey::Counts,
};

/// Options for samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Options {
    /// The time of `Rtime` zero; `None` uses [`Header::start`], and without that times are relative.
    pub start: Option<Timestamp>,
    /// Reception time of a scan, which its file lacks.
    pub time: Option<Timestamp>,
    /// Kind of the table; by default found from the file's name, its first line or its first row.
    pub kind: Option<TableKind>,
}

/// Makes samples and counts of rows: see [`robolog_core::format::Decoder`].
#[derive(Debug)]
pub struct Decoder {
    header: Header,
    time: Option<Timestamp>,
    values: Lent,
    /// Rows, which are beside the values of some tables.
    rows: Lent,
    fields: Arc<[Field]>,
    epochs: Epochs,
    epoch_offset: u64,
    angles: Vec<f64>,
    ranges: Vec<f32>,
    /// What a survey counts besides samples; `None` until it begins.
    counts: Option<Box<Counts>>,
    /// Whether a survey counts rows alone, because the data set counts the samples.
    counts_rows_alone: bool,
    /// Whether rows were counted without being made.
    has_counted: bool,
    sweeps: Sweeps,
}

/// Maximum number of impacts in a scan.
const IMPACTS: usize = 1 << 20;

static L2E: [Field; 5] = [
    Field::new("easting", FieldKind::Float).with_unit("m"),
    Field::new("northing", FieldKind::Float).with_unit("m"),
    Field::new("alt_l2e", FieldKind::Float).with_unit("m"),
    Field::new("utc_time", FieldKind::Float),
    Field::new("age_corr_diff", FieldKind::Float).with_unit("s"),
];

static ACC_RAW: [Field; 6] = [
    Field::new("acc1", FieldKind::Float).with_unit("m/s^2"),
    Field::new("acc2", FieldKind::Float).with_unit("m/s^2"),
    Field::new("acc3", FieldKind::Float).with_unit("m/s^2"),
    Field::new("raw_acc1", FieldKind::Int),
    Field::new("raw_acc2", FieldKind::Int),
    Field::new("raw_acc3", FieldKind::Int),
];

static GYRO_RAW: [Field; 3] = [
    Field::new("temp", FieldKind::Float).with_unit("degC"),
    Field::new("raw_wz", FieldKind::Int),
    Field::new("raw_temp", FieldKind::Int),
];

impl robolog_core::format::Decoder for Decoder {
    type Format = Table;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = header.clone();
        header.start = options.start.or(header.start);
        let channel = header.channel();
        let (suffix, frame, fields): (_, _, &[Field]) = match header.kind {
            TableKind::Gga => ("l2e", "gps", &L2E),
            TableKind::Gsv => ("", "gps", &[]),
            TableKind::Acc => ("raw", "acc", &ACC_RAW),
            TableKind::Gyro => ("raw", "gyro", &GYRO_RAW),
            TableKind::DeadReckoned | TableKind::DeadReckoned2 => ("", "odom", &[]),
            TableKind::Scan => ("", "laser", &[]),
            kind => ("", "base_link", kind.columns()),
        };
        let rows = if suffix.is_empty() { channel.clone() } else { format!("{channel}/{suffix}") };
        let frame_id: Arc<str> = header.frame.as_deref().unwrap_or(frame).into();
        Self {
            time: options.time,
            rows: Lent::new(rows, Arc::clone(&frame_id)),
            values: Lent::new(channel, frame_id),
            fields: fields.into(),
            epochs: Epochs::default(),
            epoch_offset: 0,
            angles: Vec::new(),
            ranges: Vec::new(),
            counts: None,
            counts_rows_alone: false,
            has_counted: false,
            sweeps: Sweeps::default(),
            header,
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.counts = Some(Box::new(Counts::new(header, notes)));
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if let Some(range) = out.range() {
            self.follow_row(record, range);
            return Ok(());
        }
        let Some(counts) = self.counts.as_deref_mut() else {
            return record.row()?.map_or(Ok(()), |row| self.push_row(record, &row, out));
        };
        let Some(notes) = out.notes() else { return Ok(()) };
        let Some(row) = counts.line(record, notes).filter(|_| !self.counts_rows_alone) else {
            return Ok(());
        };
        // Fails only for a scan with too many impacts, which is cut there.
        self.push_row(record, &row, out).or(Ok(()))
    }

    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        if let Some((counts, notes)) = self.counts.as_deref_mut().zip(out.notes()) {
            counts.finish(notes);
            if self.has_counted {
                notes.columns(self.rows.channel(), &self.fields);
            }
        }
        if self.counts_rows_alone {
            return Ok(());
        }
        if let Some(epoch) = self.epochs.finish() {
            self.epoch(epoch, out)?;
        }
        if self.header.kind == TableKind::Scan && !self.angles.is_empty() {
            let scan = make_scan(&self.angles, std::mem::take(&mut self.ranges));
            self.angles.clear();
            self.values.deliver(self.time, 0, Value::LaserScan(scan), out)?;
        }
        Ok(())
    }

    /// Before any row; before any row of an epoch for satellites; a scan is one split.
    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        match self.header.kind {
            TableKind::Scan => None,
            TableKind::Gsv => Some(self.sweeps.prerequisites()),
            _ => Some(Vec::new()),
        }
    }

    fn details(self, _: &mut SurveyBuilder) -> (String, Details) {
        let details = self.counts.map(|counts| counts.details(&self.header)).unwrap_or_default();
        (format!("Effibox {}", self.header.kind), details)
    }
}

impl Decoder {
    /// A decoder that counts the rows of a table in a data set, which counts the samples itself.
    pub(crate) fn of_rows(header: &Header) -> Self {
        use robolog_core::format::Decoder as _;
        Self { counts_rows_alone: true, ..Self::new(header, Options::default()) }
    }

    /// Remembers the rows of an epoch of satellites; other rows have no effect on later ones.
    fn follow_row(&mut self, record: &Record<'_>, range: Range<u64>) {
        if self.header.kind == TableKind::Gsv
            && let Ok(Some(Row::Gsv(row))) = record.row()
        {
            self.sweeps.push(&row, range);
        }
    }

    /// Delivers the samples of a row.
    fn push_row(&mut self, record: &Record<'_>, row: &Row, out: &mut Wanted<'_>) -> Result<()> {
        let at = record.offset();
        let time = row.rtime().and_then(|rtime| self.header.time(rtime));
        match row {
            Row::Unknown => Ok(()),
            Row::Gga(row) => {
                self.values.deliver(time, at, Value::GnssFix(row.fix()), out)?;
                self.row(time, at, |cells| l2e(row, cells), out)
            }
            Row::Gsv(row) => {
                for epoch in self.epochs.push(row).into_iter().flatten() {
                    self.epoch(epoch, out)?;
                }
                self.epoch_offset = at;
                Ok(())
            }
            Row::Acc(row) => {
                let acceleration = Vector3::new(row.x, row.y, row.z);
                let imu = Imu { linear_acceleration: Some(acceleration), ..Imu::default() };
                self.values.deliver(time, at, Value::Imu(imu), out)?;
                self.row(time, at, |cells| raw(row, 4, cells), out)
            }
            Row::Gyro(row) => {
                let rate = Vector3::new(f64::NAN, f64::NAN, row.wz);
                let imu = Imu { angular_velocity: Some(rate), ..Imu::default() };
                self.values.deliver(time, at, Value::Imu(imu), out)?;
                self.row(time, at, |cells| raw(row, 2, cells), out)
            }
            Row::DeadReckoned(row) => self.values.deliver(time, at, Value::Odometry(row.odometry()), out),
            Row::Impact(row) => {
                if self.angles.len() >= IMPACTS {
                    return Err(too_many(at));
                }
                self.angles.push(row.angle);
                self.ranges.push(range(row.distance));
                Ok(())
            }
            row => {
                let time = if self.header.kind == TableKind::Ntp { record.time() } else { time };
                self.row(time, at, |cells| row.put_cells(cells), out)
            }
        }
    }

    fn epoch(&mut self, epoch: Epoch, out: &mut Wanted<'_>) -> Result<()> {
        let time = self.header.time(epoch.rtime);
        self.values.deliver(time, self.epoch_offset, Value::Satellites(epoch.satellites), out)
    }

    /// Delivers a row, whose cells `put` writes.
    fn row(
        &mut self,
        time: Option<Timestamp>,
        offset: u64,
        put: impl FnOnce(&mut [Cell]),
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        if out.count(self.rows.channel(), "row", 1, time) {
            self.has_counted = true;
            return Ok(());
        }
        self.rows.deliver_row(time, offset, &self.fields, put, out)
    }
}

fn too_many(at: u64) -> Error {
    Error::unexpected(format_args!("more than {IMPACTS} impacts in a scan"), at)
}

fn l2e(row: &Gga, cells: &mut [Cell]) {
    let numbers =
        [Some(row.easting), Some(row.northing), Some(row.altitude_l2e), Some(row.utc_time), row.age()];
    for (cell, number) in cells.iter_mut().zip(numbers) {
        number.put(cell);
    }
}

/// Writes the cells after those that are a sample of their own.
fn raw(row: &impl TableRow, columns: usize, cells: &mut [Cell]) {
    for (cell, value) in cells.iter_mut().zip(row.cells().into_iter().skip(columns)) {
        *cell = value;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "scans hold single precision")]
fn range(distance: f64) -> f32 {
    if distance < 0.0 { f32::NAN } else { distance as f32 }
}

/// A scan of impacts at even angles: the first and the last give the step. A distance of zero is no return.
///
/// 541 impacts over 270 degrees, 50 times a second by their `.dates`, from port 2112, are those of a SICK `LMS1xx`: its
/// data sheet gives the time of a turn, and the 50 m range of the farthest-reaching model (LMS151). Files of other
/// scanners say nothing more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "scans hold single precision and thousands of impacts"
)]
fn make_scan(angles: &[f64], ranges: Vec<f32>) -> LaserScan {
    let (first, last) = angles.first().zip(angles.last()).map_or((0.0, 0.0), |(a, b)| (*a, *b));
    let steps = angles.len().max(2).minus(1);
    let step = (last - first) / steps as f64;
    let is_lms1xx = angles.len() == 541 && (last - first - 1.5 * PI).abs() < step / 2.0;
    let (scan_time, range_max) = if is_lms1xx { (0.02, 50.0) } else { (0.0, f32::INFINITY) };
    LaserScan {
        angle_min: first as f32,
        angle_increment: step as f32,
        time_increment: (step / TAU * scan_time) as f32,
        scan_time: scan_time as f32,
        range_min: 0.001,
        range_max,
        ranges,
        intensities: Vec::new(),
    }
}

/// The scan in a file of impacts, and an error if its first line claims another number of them. Fails at the first
/// invalid line.
pub(crate) fn laser_scan(bytes: &[u8]) -> Result<(LaserScan, Option<Error>)> {
    let mut claimed = None;
    let (mut angles, mut ranges) = (Vec::new(), Vec::new());
    let mut reader = super::Reader::new(bytes)?;
    reader.header_mut().kind = TableKind::Scan;
    for record in reader.records() {
        let record = record?;
        claimed = claimed.or_else(|| record.count());
        if let Some(impact) = record.read::<Impact>()? {
            if angles.len() >= IMPACTS {
                return Err(too_many(record.offset()));
            }
            angles.push(impact.angle);
            ranges.push(range(impact.distance));
        }
    }
    let found = angles.len();
    let wrong = claimed.filter(|claimed| usize::try_from(*claimed) != Ok(found)).map(|claimed| {
        Error::invalid("number of impacts", claimed, format_args!("{found}, as there are"), 0)
    });
    Ok((make_scan(&angles, ranges), wrong))
}
