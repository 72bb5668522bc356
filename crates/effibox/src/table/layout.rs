//! Rows of each kind of table.
//!
//! Fields are those of the file, in the file's units; methods interpret them. `None` is what the logger writes as 65535
//! or -1.

mod dates;
mod gga;
mod gsv;
mod vehicle;

use robolog_core::{
    Cell, Field, Result,
    format::{ReadColumn, WriteColumn},
};

pub use self::{
    dates::{CameraDate, NmeaDate, RangeDate},
    gga::Gga,
    gsv::{Epoch, Epochs, Gsv, Slot, constellation},
    vehicle::{Acc, DeadReckoned, Direction, Gyro, Impact, Motor, NtpUpdate, Steering, Wheels},
};
use super::{TableKind, payload::Cells};
use crate::number::write_g;

/// A row of a table.
pub trait TableRow: Sized + 'static {
    /// Its columns in order, with the names of the documentation and the units of the file.
    fn columns() -> &'static [Field];

    /// Reads a line without its end, at byte `at` of the file. Returns an error with the column if a cell is invalid,
    /// or if there are too few or too many.
    fn parse(line: &[u8], at: u64) -> Result<Self>;

    /// Appends the row to `out` as the logger prints it, without a line end: 15 significant digits, 12 for satellites,
    /// 6 for scans.
    fn write(&self, out: &mut Vec<u8>);

    /// The cells of its columns.
    fn cells(&self) -> Vec<Cell>;

    /// Overwrites the cells of an earlier row: see [`Columns::put_cells`](robolog_core::Columns::put_cells).
    fn put_cells(&self, cells: &mut [Cell]) {
        cells.iter_mut().zip(self.cells()).for_each(|(cell, value)| *cell = value);
    }

    /// Acquisition time: microseconds since the start of the acquisition, if the row has it. For images and sentences
    /// that is reception plus latency; the other tables have only the reception.
    fn rtime(&self) -> Option<i64>;
}

impl ReadColumn<i64> for Cells<'_> {
    #[inline]
    fn read(&mut self) -> Result<i64> {
        self.int()
    }
}

impl ReadColumn<f64> for Cells<'_> {
    #[inline]
    fn read(&mut self) -> Result<f64> {
        self.float()
    }
}

/// A line as the logger prints it: a blank after each column.
pub(crate) struct Printed<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    /// Significant digits of numbers.
    pub(crate) digits: usize,
}

impl WriteColumn<i64> for Printed<'_> {
    fn write(&mut self, value: &i64) {
        self.out.extend_from_slice(value.to_string().as_bytes());
        self.out.push(b' ');
    }
}

impl WriteColumn<f64> for Printed<'_> {
    fn write(&mut self, value: &f64) {
        write_g(self.out, *value, self.digits);
        self.out.push(b' ');
    }
}

/// A [`robolog_core::row!`] of a table, with the digits of its numbers and its time.
macro_rules! table_row {
    (
        $(#[$meta:meta])*
        $name:ident, digits $digits:literal, time $time:expr;
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $column:literal $unit:literal,)+
    ) => {
        robolog_core::row! {
            $(#[$meta])*
            #[derive(Copy, Default)]
            #[cfg_attr(feature = "serde", derive(serde::Serialize))]
            pub struct $name {
                $($(#[$field_meta])* pub $field: $type = $column [$unit],)+
            }
        }

        impl $crate::table::layout::TableRow for $name {
            fn columns() -> &'static [robolog_core::Field] {
                <Self as robolog_core::Columns>::fields()
            }

            #[inline]
            fn parse(line: &[u8], at: u64) -> robolog_core::Result<Self> {
                let mut cells = $crate::table::payload::Cells::new(line, at);
                let row = Self::read_columns(&mut cells)?;
                cells.end()?;
                Ok(row)
            }

            fn write(&self, out: &mut Vec<u8>) {
                self.write_columns(&mut $crate::table::layout::Printed { out, digits: $digits });
                out.pop();
            }

            fn cells(&self) -> Vec<robolog_core::Cell> {
                robolog_core::Columns::into_cells(*self)
            }

            #[inline]
            fn put_cells(&self, cells: &mut [robolog_core::Cell]) {
                robolog_core::Columns::put_cells(*self, cells);
            }

            fn rtime(&self) -> Option<i64> {
                let time: fn(&Self) -> Option<i64> = $time;
                time(self)
            }
        }
    };
}
use table_row;

/// A row of any table.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Row {
    /// Of a camera's `.dates`.
    CameraDate(CameraDate),
    /// Of a range sensor's `.dates`.
    RangeDate(RangeDate),
    /// Of a GPS receiver's `.dates`.
    NmeaDate(NmeaDate),
    /// Of a scan.
    Impact(Impact),
    /// Of `_GGA_all.txt`.
    Gga(Gga),
    /// Of `_GSV.txt`.
    Gsv(Box<Gsv>),
    /// Of `_Motor.txt`.
    Motor(Motor),
    /// Of `_Steering.txt`.
    Steering(Steering),
    /// Of `_Wheels.txt`.
    Wheels(Wheels),
    /// Of `_Acc.txt`.
    Acc(Acc),
    /// Of `_Gyro.txt`.
    Gyro(Gyro),
    /// Of `_DeadReckoned_Poses.txt` and `_DeadReckoned_Poses2.txt`.
    DeadReckoned(DeadReckoned),
    /// Of `ntpupdate.log`.
    Ntp(NtpUpdate),
    /// Of an unknown table.
    Unknown,
}

/// Runs `$do` with `$row` bound to the row of any kind.
macro_rules! each {
    ($self:expr, $row:ident => $do:expr, $unknown:expr) => {
        match $self {
            Row::CameraDate($row) => $do,
            Row::RangeDate($row) => $do,
            Row::NmeaDate($row) => $do,
            Row::Impact($row) => $do,
            Row::Gga($row) => $do,
            Row::Gsv($row) => $do,
            Row::Motor($row) => $do,
            Row::Steering($row) => $do,
            Row::Wheels($row) => $do,
            Row::Acc($row) => $do,
            Row::Gyro($row) => $do,
            Row::DeadReckoned($row) => $do,
            Row::Ntp($row) => $do,
            Row::Unknown => $unknown,
        }
    };
}

impl Row {
    /// Reads a line without its end, at byte `at` of the file, as a row of a table of this kind.
    pub fn parse(kind: TableKind, line: &[u8], at: u64) -> Result<Self> {
        Ok(match kind {
            TableKind::Unknown => Self::Unknown,
            TableKind::CameraDates => Self::CameraDate(CameraDate::parse(line, at)?),
            TableKind::RangeDates => Self::RangeDate(RangeDate::parse(line, at)?),
            TableKind::NmeaDates => Self::NmeaDate(NmeaDate::parse(line, at)?),
            TableKind::Scan => Self::Impact(Impact::parse(line, at)?),
            TableKind::Gga => Self::Gga(Gga::parse(line, at)?),
            TableKind::Gsv => Self::Gsv(Box::new(Gsv::parse(line, at)?)),
            TableKind::Motor => Self::Motor(Motor::parse(line, at)?),
            TableKind::Steering => Self::Steering(Steering::parse(line, at)?),
            TableKind::Wheels => Self::Wheels(Wheels::parse(line, at)?),
            TableKind::Acc => Self::Acc(Acc::parse(line, at)?),
            TableKind::Gyro => Self::Gyro(Gyro::parse(line, at)?),
            TableKind::DeadReckoned | TableKind::DeadReckoned2 => {
                Self::DeadReckoned(DeadReckoned::parse(line, at)?)
            }
            TableKind::Ntp => Self::Ntp(NtpUpdate::parse(line, at)?),
        })
    }

    /// Microseconds since the start of the acquisition, if the row has a time.
    pub fn rtime(&self) -> Option<i64> {
        each!(self, row => row.rtime(), None)
    }

    /// Appends the row to `out` as the logger prints it, without a line end.
    pub fn write(&self, out: &mut Vec<u8>) {
        each!(self, row => row.write(out), ());
    }

    /// The cells of its columns.
    pub fn cells(&self) -> Vec<Cell> {
        each!(self, row => row.cells(), Vec::new())
    }

    /// Overwrites the cells of an earlier row.
    pub(crate) fn put_cells(&self, cells: &mut [Cell]) {
        each!(self, row => row.put_cells(cells), ());
    }
}

/// Whether a line is a row of this kind with plausible values.
pub(crate) fn fits(kind: TableKind, line: &[u8]) -> bool {
    match Row::parse(kind, line, 0) {
        Ok(Row::Gga(row)) => row.is_plausible(),
        Ok(Row::Gsv(row)) => row.is_plausible(),
        Ok(row) => row.rtime().is_none_or(|t| t >= 0),
        Err(_) => false,
    }
}
