//! Images and scans: files with times in `.dates`.

use std::collections::VecDeque;

use robolog_core::{Encoding, Error, Image, Sample, Value};

use super::{
    Dataset, Event, Interface, Series,
    event::Pending,
    fault::{Fault, Result},
    source::Lines,
};
use crate::{
    pnm::Pnm,
    table::{self, Header, laser_scan},
};

/// Images or scans, with times in `.dates`.
pub(super) struct Numbered<'d> {
    pub(super) interface: &'d Interface,
    pub(super) series: &'d Series,
    pub(super) is_scan: bool,
    pub(super) base: u64,
    pub(super) header: Header,
    /// Number of files named by rows so far.
    pub(super) found: u64,
}

/// The rows of a `.dates`, in memory.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) rows: Vec<Row>,
    /// Number of files named by rows.
    pub(super) found: u64,
}

/// Acquisition time of an image or a scan, and whether its file was seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Microseconds; `None` if the row is invalid.
    pub(super) rtime: Option<i64>,
    pub(super) is_seen: bool,
}

impl Seen {
    /// The time of the file of this number, with `base` as the number of the first row.
    pub(super) fn take(&mut self, number: u64, base: u64) -> Option<i64> {
        let row = usize::try_from(number.checked_sub(base)?).ok()?;
        let row = self.rows.get_mut(row)?;
        row.is_seen = true;
        self.found += u64::from(row.rtime.is_some());
        row.rtime
    }
}

impl Numbered<'_> {
    pub(super) fn step(&self, lines: &mut Lines, pending: &mut VecDeque<Pending>) -> bool {
        let failed = match lines.next() {
            Ok(Some(record)) if record.kind() != table::LineKind::Row => return true,
            Ok(Some(record)) => match record.row() {
                Ok(row) => {
                    let at = record.offset();
                    let number = self.base.saturating_add(lines.rows - 1);
                    if let Some(rtime) = row.and_then(|row| row.rtime()) {
                        pending.push_back(Pending::Load { rtime, number });
                        return true;
                    }
                    let expected = "a sum with the reception that 64 bits can hold";
                    let error = Error::invalid("latency", "a number too large", expected, at);
                    Fault::at_line(&lines.path, lines.line, error)
                }
                Err(e) => Fault::at_line(&lines.path, lines.line, e),
            },
            Ok(None) => return false,
            Err(fault) => fault,
        };
        let more = failed.line() > 0;
        pending.push_back(Pending::Fault(failed));
        more
    }

    /// Reads the files of a number.
    pub(super) fn load<E: From<Fault>>(
        &mut self,
        dataset: &Dataset,
        rtime: i64,
        number: u64,
        visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let layers: Vec<Option<u32>> =
            if self.is_scan { self.series.layers.iter().copied().map(Some).collect() } else { vec![None] };
        let mut found = false;
        for (place, layer) in layers.iter().enumerate() {
            let path = self.interface.path_of(self.series, number, *layer);
            let stream = match dataset.storage.stream(&path) {
                Ok(stream) => stream,
                Err(fault) if fault.error().is_of_machine() => return Err(fault.into()),
                Err(fault) => {
                    found = true;
                    visit(Event::Fault(fault))?;
                    continue;
                }
            };
            let Some(mut stream) = stream else {
                // Some layers may be missing, but not all.
                if !found && place + 1 == layers.len() {
                    visit(Event::Fault(self.missing(number)))?;
                }
                continue;
            };
            found = true;
            self.found += 1;
            let made =
                dataset.whole(&path, &mut stream).and_then(|bytes| self.sample(&path, rtime, *layer, bytes));
            show(made, visit)?;
        }
        Ok(())
    }

    /// The fault of a row without a file.
    pub(super) fn missing(&self, number: u64) -> Fault {
        let layer = if self.is_scan { self.series.layers.first().copied() } else { None };
        let path = self.interface.path_of(self.series, number, layer);
        Fault::io(path, std::io::ErrorKind::NotFound.into())
    }

    /// The fault of files without a row among `rows` rows.
    pub(super) fn orphans(&self, rows: u64) -> Option<Fault> {
        let more = self.series.files.checked_sub(self.found).filter(|more| *more > 0)?;
        let Series { first, last, .. } = *self.series;
        let number = if first < self.base { first } else { last };
        let layer = if self.is_scan { self.series.layers.first().copied() } else { None };
        let what = if self.is_scan { "scans" } else { "images" };
        let expected = format_args!("a row of .dates for each; {rows} rows are there");
        let error = Error::invalid(what, format_args!("{more} files without a row that fits"), expected, 0);
        Some(Fault::new(self.interface.path_of(self.series, number, layer), error))
    }

    pub(super) fn sample(&self, path: &str, rtime: i64, layer: Option<u32>, bytes: Vec<u8>) -> Result<Made> {
        let failed = |e| Fault::new(path, e);
        let mut wrong = None;
        let (value, what) = if self.is_scan {
            let (scan, error) = laser_scan(&bytes).map_err(failed)?;
            wrong = error.map(failed);
            (Value::LaserScan(scan), "scan")
        } else {
            (Value::Image(image(bytes).map_err(failed)?), "image")
        };
        let id = &self.interface.label;
        let channel = match layer {
            Some(layer) if self.series.layers.len() > 1 => format!("{id}/{what}/{layer}"),
            _ => format!("{id}/{what}"),
        };
        let sample = Sample::new(channel, value)
            .with_time(self.header.time(rtime))
            .with_frame(self.interface.mount().map_or(id.as_str(), |mount| mount.alias));
        Ok((sample, wrong))
    }
}

/// The sample of a file, and a fault that does not prevent it.
pub(super) type Made = (Sample, Option<Fault>);

pub(super) fn show<E: From<Fault>>(
    made: Result<Made>,
    visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let fault = match made {
        Ok((mut sample, fault)) => {
            visit(Event::Sample(&mut sample))?;
            fault
        }
        Err(fault) => Some(fault),
    };
    fault.map_or(Ok(()), |fault| visit(Event::Fault(fault)))
}

pub(super) fn image(bytes: Vec<u8>) -> Result<Image, Error> {
    let encoding = match bytes.get(..4) {
        Some([0xff, 0xd8, 0xff, _]) => Encoding::Jpeg,
        Some([0x89, b'P', b'N', b'G']) => Encoding::Png,
        _ => return Ok(Pnm::read(&bytes)?.to_image()),
    };
    Ok(Image { width: 0, height: 0, encoding, data: bytes.into() })
}
