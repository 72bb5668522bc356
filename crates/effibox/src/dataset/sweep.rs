//! The samples of an archive that can only be read from its start, in its own order.

use std::{collections::HashMap, io::Read};

use robolog_core::{Error, ErrorKind};

use super::{
    Dataset, Event, Interface, Options,
    event::Visit,
    fault::{Fault, Result},
    feed::{Clocks, drain, header, series_of, table_feed},
    interface::TableFile,
    name::{Role, role},
    numbered::{Numbered, Row, Seen, show},
    recording,
    sentences::Dates,
    source::Lines,
};
use crate::table::{self, NmeaDate, TableKind};

impl Dataset {
    /// Visits everything in the order of the archive.
    pub(super) fn sweep<E: From<Fault>>(
        &self,
        options: &Options,
        clocks: Clocks,
        visit: Visit<'_, E>,
    ) -> Result<(), E> {
        let mut times = self.times(options)?;
        let owner: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        let by_name: HashMap<(&str, &str), &Interface> =
            self.interfaces.iter().map(|i| ((i.folder.as_str(), i.id.as_str()), i)).collect();
        let mut failed = None;
        let walked = self.storage.walk(&mut |_, _| true, &mut |path, bytes| {
            let done = match owner.get(path) {
                Some((interface, table)) if series_of(interface, table).is_none() => {
                    let header = header(interface, table.kind, options);
                    match Lines::of(bytes, path, table.kind) {
                        Ok(lines) => drain(&mut table_feed(lines, &header), visit),
                        Err(fault) if fault.error().is_of_machine() => Err(fault.into()),
                        Err(fault) => visit(Event::Fault(fault)),
                    }
                }
                Some(_) => Ok(()),
                None => self.file_samples(path, bytes, &by_name, &mut times, options, clocks, visit),
            };
            done.map_err(|e| {
                failed = Some(e);
                // Only ends the walk: `failed` is reported.
                Fault::io(path, std::io::ErrorKind::Interrupted.into())
            })
        });
        if let Some(e) = failed {
            return Err(e);
        }
        walked?;
        for interface in &self.interfaces {
            let Some(seen) = times.series.get(&(interface.folder.as_str(), interface.id.as_str())) else {
                continue;
            };
            for fault in unseen(interface, seen, options) {
                visit(Event::Fault(fault))?;
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "what a file of an archive may need")]
    fn file_samples<'d, E: From<Fault>>(
        &'d self,
        path: &str,
        bytes: &mut dyn Read,
        by_name: &HashMap<(&str, &str), &'d Interface>,
        times: &mut Times<'d>,
        options: &Options,
        clocks: Clocks,
        visit: Visit<'_, E>,
    ) -> Result<(), E> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (id, role) = role(name);
        let Some(interface) = by_name.get(&(folder, id)).copied() else { return Ok(()) };
        let key = (interface.folder.as_str(), interface.id.as_str());
        let (number, layer) = match role {
            Role::Image { number, .. } => (number, None),
            Role::Scan { number, layer } => (number, Some(layer)),
            Role::Track | Role::Sentences => {
                let found = recording::of_interface(interface).find(|(other, _)| *other == path);
                let Some(recording) = found else { return Ok(()) };
                // A track may come before the sentences.
                let is_dated = recording.1 == recording::RecordingKind::Sentences;
                let dates = is_dated.then(|| times.sentences.remove(&key)).flatten();
                let dates = dates.map(|rows| Dates::new(Box::new(rows.into_iter())));
                return match recording::open(self, interface, recording, bytes, dates, clocks) {
                    Ok(mut steps) => drain(&mut *steps, visit),
                    Err(fault) => visit(Event::Fault(fault)),
                };
            }
            _ => return Ok(()),
        };
        let series = if layer.is_some() { &interface.scans } else { &interface.images };
        let (Some(series), Some(seen)) = (series, times.series.get_mut(&key)) else { return Ok(()) };
        let base = series.base(seen.rows.len() as u64);
        let header = header(interface, TableKind::Unknown, options);
        let numbered = Numbered { interface, series, is_scan: layer.is_some(), base, header, found: 0 };
        // Files with other names are reported as a number.
        if numbered.interface.path_of(series, number.value, layer) != path {
            return Ok(());
        }
        let Some(rtime) = seen.take(number.value, base) else { return Ok(()) };
        let made = self.whole(path, bytes).and_then(|bytes| numbered.sample(path, rtime, layer, bytes));
        show(made, visit)
    }

    /// Acquisition times of images, scans and sentences.
    fn times(&self, options: &Options) -> Result<Times<'_>> {
        let wanted = |(i, t): &(&Interface, &TableFile)| {
            (series_of(i, t).is_some() && !options.tables_only) || t.kind == TableKind::NmeaDates
        };
        let dated: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().filter(wanted).map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        let mut times = Times::default();
        let mut total = 0_usize;
        self.storage.walk(&mut |path, _| dated.contains_key(path), &mut |path, bytes| {
            let Some((interface, table)) = dated.get(path) else { return Ok(()) };
            let key = (interface.folder.as_str(), interface.id.as_str());
            let mut lines = match Lines::of(bytes, path, table.kind) {
                Ok(lines) => lines,
                // Reading the table reports it.
                Err(fault) => return fault.of_machine(),
            };
            let (mut rows, mut sentences) = (Vec::new(), Vec::new());
            loop {
                match lines.next() {
                    Ok(Some(record)) if record.kind() != table::LineKind::Row => {}
                    Ok(Some(record)) if table.kind == TableKind::NmeaDates => {
                        sentences.extend(record.read::<NmeaDate>().ok().flatten());
                    }
                    // An invalid row is reported when it is read.
                    Ok(Some(record)) => {
                        let rtime = record.row().ok().flatten().and_then(|row| row.rtime());
                        rows.push(Row { rtime, is_seen: false });
                    }
                    Ok(None) => break,
                    Err(fault) if fault.is_end() => break,
                    Err(_) => {}
                }
                if rows.len() + sentences.len() + total > TIMES {
                    let (len, limit) = (TIMES as u64, TIMES as u64);
                    let what = "number of images, scans and sentences";
                    return Err(Fault::new(path, Error::new(ErrorKind::Limit { what, len, limit }, 0)));
                }
            }
            total += rows.len() + sentences.len();
            if table.kind == TableKind::NmeaDates {
                times.sentences.insert(key, sentences);
            } else {
                times.series.insert(key, Seen { rows, found: 0 });
            }
            Ok(())
        })?;
        Ok(times)
    }
}

/// Faults of rows without files, and of files without rows.
fn unseen(interface: &Interface, seen: &Seen, options: &Options) -> Vec<Fault> {
    let series = interface.dates().and_then(|dates| series_of(interface, dates));
    let Some((series, is_scan)) = series.filter(|_| !options.tables_only) else { return Vec::new() };
    let (rows, base) = (seen.rows.len() as u64, series.base(seen.rows.len() as u64));
    let header = header(interface, TableKind::Unknown, options);
    let numbered = Numbered { interface, series, is_scan, base, header, found: seen.found };
    let absent = seen.rows.iter().zip(base..).filter(|(row, _)| !row.is_seen && row.rtime.is_some());
    absent.map(|(_, number)| numbered.missing(number)).chain(numbered.orphans(rows)).collect()
}

/// Rows of the `.dates` files of a `.tar.gz`, by folder and name of the interface.
#[derive(Default)]
struct Times<'d> {
    series: HashMap<(&'d str, &'d str), Seen>,
    sentences: HashMap<(&'d str, &'d str), Vec<NmeaDate>>,
}

/// Maximum number of images, scans and sentences of a `.tar.gz` whose times are held.
const TIMES: usize = 1 << 24;
