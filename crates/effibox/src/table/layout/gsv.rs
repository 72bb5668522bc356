//! Satellites in view: `_GSV.txt`, a row for each sentence.

use std::sync::LazyLock;

use robolog_core::{
    Cell, Constellation, Field, FieldKind, Result, Satellite, Satellites, format::WriteColumn as _,
    slices::InRange as _,
};

use super::{Printed, TableRow};
use crate::table::payload::Cells;

/// Satellite slots in a row.
const SLOTS: usize = 12;

/// A row of `_GSV.txt`: one GSV sentence. An epoch has several rows: see [`Epochs`].
///
/// In the published rows each sentence of four satellites has lost its fourth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gsv {
    /// Microseconds since the start of the acquisition.
    pub rtime: i64,
    /// Satellites in view, over all sentences of the epoch.
    pub in_view: i64,
    /// By the documentation, the number of satellites with data; 3 in all published rows, as is the number of
    /// sentences.
    pub with_data: i64,
    /// The satellite slots; unused ones are all zero.
    pub slots: [Slot; SLOTS],
}

/// A satellite as in the row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Slot {
    /// Its NMEA number, although the documentation says PRN: 33 to 64 are SBAS, PRN less 87.
    pub id: i64,
    /// Radians above the horizon, although the documentation says degrees.
    pub elevation: f64,
    /// Radians clockwise from north, although the documentation says degrees.
    pub azimuth: f64,
    /// dB-Hz; 65535 if the sentence lacks it.
    pub snr_raw: f64,
}

/// The system of a satellite, from its NMEA number.
pub const fn constellation(id: i64) -> Constellation {
    match id {
        1..=32 => Constellation::Gps,
        33..=64 | 120..=158 => Constellation::Sbas,
        65..=96 => Constellation::Glonass,
        193..=202 => Constellation::Qzss,
        301..=336 => Constellation::Galileo,
        401..=463 => Constellation::Beidou,
        _ => Constellation::Unknown,
    }
}

impl Slot {
    /// Whether it holds a satellite.
    pub fn is_used(&self) -> bool {
        self.id != 0
    }

    /// Degrees above the horizon.
    pub fn elevation_deg(&self) -> f64 {
        self.elevation.to_degrees()
    }

    /// Degrees clockwise from north.
    pub fn azimuth_deg(&self) -> f64 {
        self.azimuth.to_degrees()
    }

    /// Signal to noise ratio in dB-Hz; `None` if the satellite is not tracked.
    pub fn snr(&self) -> Option<f64> {
        (self.snr_raw >= 0.0 && self.snr_raw < 65535.0).then_some(self.snr_raw)
    }

    /// Its system.
    pub fn constellation(&self) -> Constellation {
        constellation(self.id)
    }

    /// Its number in its own system: for SBAS the PRN, 120 and up.
    pub fn prn(&self) -> i64 {
        if (33..=64).contains(&self.id) { self.id.plus(87) } else { self.id }
    }

    /// The satellite; `None` for an unused slot, and for an invalid number.
    pub fn satellite(&self) -> Option<Satellite> {
        Some(Satellite {
            constellation: self.constellation(),
            id: u32::try_from(self.id).ok().filter(|id| *id > 0)?,
            elevation: self.elevation.is_finite().then_some(self.elevation),
            azimuth: self.azimuth.is_finite().then_some(self.azimuth),
            snr: self.snr(),
            signal: None,
        })
    }
}

impl Gsv {
    /// The satellites in the row.
    pub fn satellites(&self) -> impl Iterator<Item = Satellite> + '_ {
        self.slots.iter().filter_map(Slot::satellite)
    }

    /// Whether elevations and azimuths are angles in radians.
    pub(crate) fn is_plausible(&self) -> bool {
        self.rtime >= 0
            && (0..=99).contains(&self.in_view)
            && self.slots.iter().all(|slot| {
                (0..=999).contains(&slot.id) && slot.elevation.abs() < 1.6 && slot.azimuth.abs() < 6.3
            })
    }
}

static COLUMNS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let mut columns = vec![
        Field::new("Rtime", FieldKind::Int).with_unit("us"),
        Field::new("nb_sat", FieldKind::Int),
        Field::new("nb_sat_data", FieldKind::Int),
    ];
    for slot in 1..=SLOTS {
        let parts = [
            ("idcanal", FieldKind::Int, ""),
            ("el", FieldKind::Float, "rad"),
            ("az", FieldKind::Float, "rad"),
            ("SNR", FieldKind::Float, "dB-Hz"),
        ];
        columns.extend(parts.map(|(name, kind, unit)| Field {
            name: format!("{name}_{slot}").into(),
            unit: (!unit.is_empty()).then_some(unit.into()),
            kind,
        }));
    }
    columns
});

impl TableRow for Gsv {
    fn columns() -> &'static [Field] {
        &COLUMNS
    }

    fn parse(line: &[u8], at: u64) -> Result<Self> {
        let mut cells = Cells::new(line, at);
        let mut row = Self {
            rtime: cells.int()?,
            in_view: cells.int()?,
            with_data: cells.int()?,
            slots: [Slot::default(); SLOTS],
        };
        for slot in &mut row.slots {
            *slot = Slot {
                id: cells.int()?,
                elevation: cells.float()?,
                azimuth: cells.float()?,
                snr_raw: cells.float()?,
            };
        }
        cells.end()?;
        Ok(row)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let mut line = Printed { out, digits: 12 };
        for number in [self.rtime, self.in_view, self.with_data] {
            line.write(&number);
        }
        for slot in &self.slots {
            line.write(&slot.id);
            for number in [slot.elevation, slot.azimuth, slot.snr_raw] {
                line.write(&number);
            }
        }
        out.pop();
    }

    fn cells(&self) -> Vec<Cell> {
        let head = [self.rtime, self.in_view, self.with_data].map(Cell::Int);
        let slots = self.slots.iter().flat_map(|s| {
            [Cell::Int(s.id), Cell::Float(s.elevation), Cell::Float(s.azimuth), Cell::Float(s.snr_raw)]
        });
        head.into_iter().chain(slots).collect()
    }

    fn rtime(&self) -> Option<i64> {
        Some(self.rtime)
    }
}

/// Minimum interval between rows of two epochs, microseconds.
const APART: i64 = 600_000;

/// Merges rows into epochs: the rows of one sweep of GSV sentences.
///
/// An epoch ends with the row that completes it, if that is known: a sentence lists four satellites, so `n` in view
/// take `n / 4` sentences, rounded up. It also ends before a row that repeats a satellite, has another number in view,
/// or comes more than 0.6 s after the first.
#[derive(Debug, Clone, Default)]
pub struct Epochs {
    first: Option<Gsv>,
    rows: i64,
    satellites: Vec<Satellite>,
}

/// The satellites in view at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Epoch {
    /// Reception of the first row, microseconds since the start of the acquisition.
    pub rtime: i64,
    /// Satellites in view, as counted by the receiver.
    pub in_view: i64,
    /// Satellites listed in the rows.
    pub satellites: Satellites,
}

impl Epoch {
    /// Satellites in view that no row lists.
    pub fn dropped(&self) -> u64 {
        let listed = i64::try_from(self.satellites.satellites.len()).unwrap_or(i64::MAX);
        self.in_view.saturating_sub(listed).max(0).unsigned_abs()
    }
}

impl Epochs {
    /// Adds the next row, and returns the epochs that are complete: the one before the row, and the one that the row
    /// completes.
    pub fn push(&mut self, row: &Gsv) -> [Option<Epoch>; 2] {
        let continues = self.first.is_some_and(|first| {
            let after = row.rtime.saturating_sub(first.rtime);
            first.in_view == row.in_view
                && (0..=APART).contains(&after)
                && !row.satellites().any(|s| self.satellites.iter().any(|other| other.id == s.id))
        });
        let before = if continues { None } else { self.finish() };
        self.first.get_or_insert(*row);
        self.rows = self.rows.plus(1);
        self.satellites.extend(row.satellites());
        let sentences = row.in_view.saturating_add(3).div_euclid(4).clamp(1, 25);
        let whole = if self.rows >= sentences { self.finish() } else { None };
        [before, whole]
    }

    /// The incomplete epoch, if there is one.
    pub fn finish(&mut self) -> Option<Epoch> {
        let first = self.first.take()?;
        self.rows = 0;
        let satellites = Satellites { satellites: std::mem::take(&mut self.satellites) };
        Some(Epoch { rtime: first.rtime, in_view: first.in_view, satellites })
    }
}
