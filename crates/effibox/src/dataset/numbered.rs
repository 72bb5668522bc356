//! Images and scans: the files whose times are in `.dates`.

use std::collections::VecDeque;

use robolog_core::{Encoding, Error, Image, Sample, Value};

use super::{
    Dataset, Interface, Series,
    fault::{Fault, Result},
    merge::{Event, Pending},
    source::Lines,
};
use crate::{
    pnm::Pnm,
    table::{self, Header, laser_scan},
};

/// Images or scans, whose times are in `.dates`.
pub(super) struct Numbered<'d> {
    pub(super) interface: &'d Interface,
    pub(super) series: &'d Series,
    pub(super) is_scan: bool,
    pub(super) base: u64,
    pub(super) header: Header,
}

impl Numbered<'_> {
    pub(super) fn step(&self, lines: &mut Lines, pending: &mut VecDeque<Pending>) -> bool {
        let failed = match lines.next() {
            Ok(Some(record)) if record.kind() != table::LineKind::Row => return true,
            Ok(Some(record)) => match record.row() {
                Ok(row) => {
                    let rtime = row.and_then(|row| row.rtime()).unwrap_or_default();
                    let number = self.base.saturating_add(lines.rows.saturating_sub(1));
                    pending.push_back(Pending::Load { rtime, number });
                    return true;
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
        &self,
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
            let Some(mut stream) = dataset.storage.stream(&path)? else {
                // A layer may be missing, but not all.
                if !found && place.saturating_add(1) == layers.len() {
                    visit(Event::Fault(Fault::io(path, std::io::ErrorKind::NotFound.into())))?;
                }
                continue;
            };
            found = true;
            let made =
                dataset.whole(&path, &mut stream).and_then(|bytes| self.sample(&path, rtime, *layer, bytes));
            show(made, visit)?;
        }
        Ok(())
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
        let sample = Sample {
            time: self.header.time(rtime),
            offset: 0,
            channel: channel.into(),
            frame_id: self.interface.mount().map_or(id.as_str(), |mount| mount.alias).into(),
            value,
        };
        Ok((sample, wrong))
    }
}

/// A sample of a file, and what is wrong with it all the same.
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

fn image(bytes: Vec<u8>) -> Result<Image, Error> {
    let encoding = match bytes.get(..4) {
        Some([0xff, 0xd8, 0xff, _]) => Encoding::Jpeg,
        Some([0x89, b'P', b'N', b'G']) => Encoding::Png,
        _ => return Ok(Pnm::read(&bytes)?.to_image()),
    };
    Ok(Image { width: 0, height: 0, encoding, data: bytes.into() })
}
