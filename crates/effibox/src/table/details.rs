//! Details of tables.

use std::collections::BTreeMap;

use robolog_core::{Timestamp, geodetic::Bounds};

use super::{KindFrom, TableKind, UtcReading};

/// Details of a table.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The interface of the table, or all of a data set.
    pub interfaces: Vec<Interface>,
    /// The kind of the table.
    pub table: TableKind,
    /// How the kind was found.
    pub kind_from: KindFrom,
    /// The columns, in order.
    pub columns: Vec<String>,
    /// The lines before the rows, as understood.
    pub header: Option<String>,
    /// Data lines, including invalid ones.
    pub rows: u64,
    /// Invalid data lines.
    pub odd_rows: u64,
    /// Lines that begin with `#` or `%`.
    pub comments: u64,
    /// Blank lines.
    pub blank_lines: u64,
    /// `Rtime` of the first row, microseconds.
    pub first_rtime: Option<i64>,
    /// `Rtime` of the last row, microseconds.
    pub last_rtime: Option<i64>,
    /// Rows per second, between the earliest and the latest.
    pub rate_hz: Option<f64>,
    /// Rows that are earlier than the previous one.
    pub out_of_order: u64,
    /// Of `_GGA_all.txt`.
    pub gga: Option<GgaDetails>,
    /// Of `_GSV.txt`.
    pub gsv: Option<GsvDetails>,
    /// Of a scan.
    pub scan: Option<ScanDetails>,
    /// Bounding box of the positions of `_GGA_all.txt`.
    pub extent: Option<Bounds>,
}

/// An interface as `info` lists it.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Interface {
    /// Its name; empty if unknown.
    pub id: String,
    /// Its kind, or the kind of its only table.
    pub kind: String,
    /// Rows in all its tables.
    pub rows: u64,
    /// Number of files.
    pub files: u64,
}

/// Details of positions.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GgaDetails {
    /// Rows by GGA's fix quality.
    pub qualities: BTreeMap<i64, u64>,
    /// How `utc_time` is written.
    pub utc_time: UtcReading,
    /// The time of day in UTC at `Rtime` zero, seconds: from the first row. The date is not in the file.
    pub start_of_day_s: Option<f64>,
    /// Rows without an age of corrections.
    pub without_age: u64,
}

impl GgaDetails {
    /// The time of `Rtime` zero, on the day that begins at `midnight`: the starting time that no file holds.
    #[expect(clippy::cast_possible_truncation, reason = "nanoseconds of a day")]
    pub fn start(&self, midnight: Timestamp) -> Option<Timestamp> {
        midnight.checked_add((self.start_of_day_s? * 1e9).round() as i64)
    }
}

/// Details of rows of satellites.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GsvDetails {
    /// Number of epochs.
    pub epochs: u64,
    /// Satellites listed in rows.
    pub satellites: u64,
    /// Satellites in view that no row lists.
    pub dropped: u64,
    /// Satellites listed without a signal to noise ratio.
    pub not_tracked: u64,
}

/// Details of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ScanDetails {
    /// Number of impacts claimed by the first line.
    pub claimed: Option<i64>,
    /// Number of lines of impacts.
    pub found: u64,
}
