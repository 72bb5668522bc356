//! A merge of the samples of all interfaces by time.

use std::{cmp::Reverse, collections::BinaryHeap, io::Read};

use robolog_core::{Error, ErrorKind, format::read_one_over};

use super::{
    Dataset, Event, Interface, Options,
    event::{Pending, Visit},
    fault::{Fault, Result},
    feed::{Clocks, Feed, FeedKind, header, series_of, table_feed},
    interface::TableFile,
    numbered::Numbered,
    recording,
    sentences::Dates,
    source::Lines,
};
use crate::table::NmeaDate;

impl Dataset {
    /// Merges the samples of all files by time.
    pub(super) fn merge<E: From<Fault>>(
        &self,
        options: &Options,
        clocks: Clocks,
        visit: Visit<'_, E>,
    ) -> Result<(), E> {
        let mut feeds = Vec::new();
        for interface in &self.interfaces {
            for fault in self.feeds(interface, options, clocks, &mut feeds)? {
                visit(Event::Fault(fault))?;
            }
        }
        let mut heap = BinaryHeap::new();
        for (place, feed) in feeds.iter_mut().enumerate() {
            heap.extend(feed.refill().map(|key| Reverse((key, place))));
        }
        while let Some(Reverse((_, place))) = heap.pop() {
            let Some(feed) = feeds.get_mut(place) else { continue };
            match feed.pending.pop_front() {
                None => {}
                Some(Pending::Sample(mut sample)) => visit(Event::Sample(&mut sample))?,
                Some(Pending::Fault(fault)) => visit(Event::Fault(fault))?,
                Some(Pending::Load { rtime, number }) => {
                    if let FeedKind::Series(_, numbered) = &mut feed.kind {
                        numbered.load(self, rtime, number, visit)?;
                    }
                }
            }
            heap.extend(feed.refill().map(|key| Reverse((key, place))));
        }
        for feed in &feeds {
            if let FeedKind::Series(lines, numbered) = &feed.kind
                && let Some(fault) = numbered.orphans(lines.rows)
            {
                visit(Event::Fault(fault))?;
            }
        }
        Ok(())
    }

    /// Opens all files of an interface; returns faults of those that are not what their names say.
    fn feeds<'d>(
        &'d self,
        interface: &'d Interface,
        options: &Options,
        clocks: Clocks,
        feeds: &mut Vec<Feed<'d>>,
    ) -> Result<Vec<Fault>> {
        let mut faults = Vec::new();
        let tables = interface.tables.iter().map(|table| self.of_table(interface, table, options));
        let recordings = recording::of_interface(interface);
        let recordings = recordings.map(|recording| self.of_recording(interface, recording, clocks));
        for opened in tables.chain(recordings) {
            match opened {
                Ok(kind) => feeds.extend(kind.map(|kind| Feed::new(kind, clocks))),
                Err(fault) if fault.error().is_of_machine() => return Err(fault),
                Err(fault) => faults.push(fault),
            }
        }
        Ok(faults)
    }

    fn of_table<'d>(
        &'d self,
        interface: &'d Interface,
        table: &'d TableFile,
        options: &Options,
    ) -> Result<Option<FeedKind<'d>>> {
        let header = header(interface, table.kind, options);
        let numbered = match series_of(interface, table) {
            Some(_) if options.tables_only => return Ok(None),
            Some((series, is_scan)) => {
                let base = series.base(self.count_rows(table)?);
                Some(Numbered { interface, series, is_scan, base, header: header.clone(), found: 0 })
            }
            None => None,
        };
        let lines = Lines::open(&self.storage, &table.path, table.kind)?;
        Ok(Some(match numbered {
            Some(numbered) => FeedKind::Series(Box::new(lines), Box::new(numbered)),
            None => FeedKind::Table(Box::new(table_feed(lines, &header))),
        }))
    }

    fn of_recording<'d>(
        &'d self,
        interface: &'d Interface,
        recording: (&'d str, recording::RecordingKind),
        clocks: Clocks,
    ) -> Result<Option<FeedKind<'d>>> {
        let (path, kind) = recording;
        let Some(bytes) = self.storage.stream(path)? else { return Ok(None) };
        let dates = match interface.sentence_dates() {
            Some(table) if kind == recording::RecordingKind::Sentences => {
                Some(Dates::new(Box::new(self.rows::<NmeaDate>(table)?.filter_map(Result::ok))))
            }
            _ => None,
        };
        recording::open(self, interface, recording, bytes, dates, clocks)
            .map(|steps| Some(FeedKind::Table(steps)))
    }

    /// Number of data lines of a table.
    pub(super) fn count_rows(&self, table: &TableFile) -> Result<u64> {
        let mut lines = Lines::open(&self.storage, &table.path, table.kind)?;
        loop {
            match lines.next() {
                Ok(None) => return Ok(lines.rows),
                // Reading the rows reports this error.
                Err(fault) if fault.is_end() => return Ok(lines.rows),
                Ok(Some(_)) | Err(_) => {}
            }
        }
    }

    /// All bytes of an image or a scan.
    pub(super) fn whole(&self, path: &str, bytes: &mut dyn Read) -> Result<Vec<u8>> {
        let limit = self.limits.file_bytes;
        let mut whole = Vec::new();
        read_one_over(bytes, limit, &mut whole).map_err(|e| Fault::io(path, e))?;
        if whole.len() > limit {
            let kind = ErrorKind::Limit { what: "file", len: whole.len() as u64, limit: limit as u64 };
            return Err(Fault::new(path, Error::new(kind, 0)));
        }
        Ok(whole)
    }
}
