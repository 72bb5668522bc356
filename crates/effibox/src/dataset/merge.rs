//! The samples of all interfaces in order of time.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    io::Read,
    sync::Arc,
};

use robolog_core::{Error, ErrorKind, Sample, Sampler as _, Timestamp, Value};

use super::{
    Dataset, Interface, Series,
    fault::{Fault, Result},
    interface::TableFile,
    name::{Role, role},
    numbered::{Numbered, show},
    source::Lines,
};
use crate::{
    motion::{MOUNTS, Mount},
    table::{self, Header, Sampler, TableKind},
};

/// What can be chosen for a visit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The moment of `Rtime` zero: the `starting_time` of the documentation, which no file holds. `None` leaves times
    /// relative.
    pub start: Option<Timestamp>,
    /// Leaves out images and scans, so that none of their files is opened.
    pub tables_only: bool,
    /// Begins with where the sensors sit, as transforms from `base_link` on the channel `tf_static`: those of the
    /// interfaces that the calibration page lists.
    pub mounts: bool,
}

impl Options {
    /// With this moment of `Rtime` zero.
    #[must_use]
    pub fn with_start(mut self, start: Timestamp) -> Self {
        self.start = Some(start);
        self
    }

    /// Beginning with where the sensors sit.
    #[must_use]
    pub fn with_mounts(mut self) -> Self {
        self.mounts = true;
        self
    }

    /// Without images and scans.
    #[must_use]
    pub fn with_tables_only(mut self) -> Self {
        self.tables_only = true;
        self
    }
}

/// What a visit meets.
#[derive(Debug)]
pub enum Event<'a> {
    /// A sample, which may be taken out with [`std::mem::replace`].
    Sample(&'a mut Sample),
    /// A row that does not fit, or a file that is not there or cannot be decoded. What follows is read.
    Fault(Fault),
}

/// One interface's table on its way.
struct Feed<'d> {
    lines: Lines,
    kind: FeedKind<'d>,
    pending: VecDeque<Pending>,
    ended: bool,
}

enum FeedKind<'d> {
    Table(Box<Sampler>),
    Series(Numbered<'d>),
}

pub(super) enum Pending {
    Sample(Box<Sample>),
    Fault(Fault),
    /// Files of this number, received at this time.
    Load {
        rtime: i64,
        number: u64,
    },
}

impl Dataset {
    /// Shows every sample, and everything that could not become one, in order of time over all interfaces; samples
    /// without a time first. Of each interface a few rows are held at a time, and one image or scan in all.
    ///
    /// Channels are named after the interface and the table: `Bus_InterfaceCan_can0/motor`, and `/image`, `/scan` or,
    /// where there is more than one layer, `/scan/0`. From a `.tar.gz` the samples come in the order of the archive, in
    /// one pass; only the times of images and scans are held, 8 bytes each.
    ///
    /// Fails when the storage does, and when `visit` fails.
    pub fn visit<E: From<Fault>>(
        &self,
        options: &Options,
        visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if options.mounts {
            for mount in self.mounts() {
                let value = Value::Transform(mount.transform());
                let (channel, frame_id) = ("tf_static".into(), "base_link".into());
                visit(Event::Sample(&mut Sample { time: None, offset: 0, channel, frame_id, value }))?;
            }
        }
        if self.is_random() { self.merge(options, visit) } else { self.sweep(options, visit) }
    }

    /// Where the sensors sit that the data set has something of, each once.
    fn mounts(&self) -> Vec<&'static Mount> {
        let has = |mount: &Mount| {
            self.interfaces.iter().any(|i| match mount.alias {
                "acc" => i.tables.iter().any(|t| t.kind == TableKind::Acc),
                "gyro" => i.tables.iter().any(|t| t.kind == TableKind::Gyro),
                _ => mount.interface == Some(i.id.as_str()),
            })
        };
        MOUNTS.iter().filter(|mount| has(mount)).collect()
    }

    fn merge<E: From<Fault>>(
        &self,
        options: &Options,
        visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut feeds = Vec::new();
        for interface in &self.interfaces {
            self.feeds(interface, options, &mut feeds)?;
            for fault in undated(interface, options) {
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
                    if let FeedKind::Series(numbered) = &feed.kind {
                        numbered.load(self, rtime, number, visit)?;
                    }
                }
            }
            heap.extend(feed.refill().map(|key| Reverse((key, place))));
        }
        Ok(())
    }

    fn feeds<'d>(
        &'d self,
        interface: &'d Interface,
        options: &Options,
        feeds: &mut Vec<Feed<'d>>,
    ) -> Result<()> {
        for table in &interface.tables {
            let header = header(interface, table.kind, options);
            let numbered = match series_of(interface, table) {
                Some(_) if options.tables_only => continue,
                Some((series, is_scan)) => {
                    let base = series.base(self.count_rows(table)?);
                    Some(Numbered { interface, series, is_scan, base, header: header.clone() })
                }
                None => None,
            };
            let kind = match numbered {
                Some(numbered) => FeedKind::Series(numbered),
                None => FeedKind::Table(Box::new(Sampler::new(&header, table::Options::default()))),
            };
            let lines = Lines::open(&self.storage, &table.path, table.kind)?;
            feeds.push(Feed { lines, kind, pending: VecDeque::new(), ended: false });
        }
        Ok(())
    }

    /// Lines of data of a table.
    pub(super) fn count_rows(&self, table: &TableFile) -> Result<u64> {
        let mut lines = Lines::open(&self.storage, &table.path, table.kind)?;
        loop {
            match lines.next() {
                Ok(None) => return Ok(lines.rows),
                // What can be read of it is told by the rows themselves.
                Err(fault) if fault.line() == 0 => return Ok(lines.rows),
                Ok(Some(_)) | Err(_) => {}
            }
        }
    }

    /// Everything in the order of the archive.
    fn sweep<E: From<Fault>>(
        &self,
        options: &Options,
        visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let times = if options.tables_only { HashMap::new() } else { self.times()? };
        let owner: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        for fault in self.interfaces.iter().flat_map(|interface| undated(interface, options)) {
            visit(Event::Fault(fault))?;
        }
        let by_name: HashMap<(&str, &str), &Interface> =
            self.interfaces.iter().map(|i| ((i.folder.as_str(), i.id.as_str()), i)).collect();
        let mut failed = None;
        let walked = self.storage.walk(&mut |_, _| true, &mut |path, bytes| {
            let done = match owner.get(path) {
                Some((interface, table)) if series_of(interface, table).is_none() => {
                    let header = header(interface, table.kind, options);
                    table_samples(path, bytes, &header, visit)
                }
                Some(_) => Ok(()),
                None => self.file_samples(path, bytes, &by_name, &times, options, visit),
            };
            done.map_err(|e| {
                failed = Some(e);
                // Only to end the walk: the other one is told.
                Fault::io(path, std::io::ErrorKind::Interrupted.into())
            })
        });
        match failed {
            Some(e) => Err(e),
            None => Ok(walked?),
        }
    }

    fn file_samples<E: From<Fault>>(
        &self,
        path: &str,
        bytes: &mut dyn Read,
        by_name: &HashMap<(&str, &str), &Interface>,
        times: &HashMap<(&str, &str), Vec<i64>>,
        options: &Options,
        visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (id, role) = role(name);
        let Some(interface) = by_name.get(&(folder, id)) else { return Ok(()) };
        let (number, layer) = match role {
            Role::Image { number, .. } => (number.value, None),
            Role::Scan { number, layer } => (number.value, Some(layer)),
            _ => return Ok(()),
        };
        let series = if layer.is_some() { &interface.scans } else { &interface.images };
        let (Some(series), Some(times)) = (series, times.get(&(folder, id))) else { return Ok(()) };
        let row = number.checked_sub(series.base(times.len() as u64)).and_then(|n| usize::try_from(n).ok());
        let Some(rtime) = row.and_then(|row| times.get(row)).filter(|t| **t != i64::MIN) else {
            return Ok(());
        };
        let header = header(interface, TableKind::Unknown, options);
        let numbered = Numbered { interface, series, is_scan: layer.is_some(), base: 0, header };
        let made = self.whole(path, bytes).and_then(|bytes| numbered.sample(path, *rtime, layer, bytes));
        show(made, visit)
    }

    /// When images and scans were received, by folder and name of the interface; rows without a time hold `i64::MIN`.
    fn times(&self) -> Result<HashMap<(&str, &str), Vec<i64>>> {
        let dated: HashMap<&str, (&Interface, &TableFile)> = self
            .tables()
            .filter(|(i, t)| series_of(i, t).is_some())
            .map(|(i, t)| (t.path.as_str(), (i, t)))
            .collect();
        let mut times = HashMap::new();
        let mut total = 0_usize;
        self.storage.walk(&mut |path, _| dated.contains_key(path), &mut |path, bytes| {
            let Some((interface, table)) = dated.get(path) else { return Ok(()) };
            let mut lines = Lines::of(bytes, path, table.kind)?;
            let mut rows = Vec::new();
            loop {
                match lines.next() {
                    Ok(Some(record)) if record.kind() == table::LineKind::Row => {
                        rows.push(record.rtime().unwrap_or(i64::MIN));
                    }
                    Ok(None) => break,
                    Err(fault) if fault.line() == 0 => break,
                    Ok(Some(_)) | Err(_) => {}
                }
                if rows.len().saturating_add(total) > TIMES {
                    let (len, limit) = (TIMES as u64, TIMES as u64);
                    let kind = ErrorKind::Limit { what: "number of images and scans", len, limit };
                    return Err(Fault::new(path, Error::new(kind, 0)));
                }
            }
            total = total.saturating_add(rows.len());
            times.insert((interface.folder.as_str(), interface.id.as_str()), rows);
            Ok(())
        })?;
        Ok(times)
    }

    /// All bytes of an image or a scan.
    pub(super) fn whole(&self, path: &str, bytes: &mut dyn Read) -> Result<Vec<u8>> {
        let limit = self.limits.file_bytes;
        let mut whole = Vec::new();
        let most = (limit as u64).saturating_add(1);
        bytes.take(most).read_to_end(&mut whole).map_err(|e| Fault::io(path, e))?;
        if whole.len() > limit {
            let kind = ErrorKind::Limit { what: "file", len: whole.len() as u64, limit: limit as u64 };
            return Err(Fault::new(path, Error::new(kind, 0)));
        }
        Ok(whole)
    }
}

/// What stands before the rows of an interface's table, as its name tells it.
pub(super) fn header(interface: &Interface, kind: TableKind, options: &Options) -> Header {
    let mut header = Header::new(kind);
    header.interface.clone_from(&interface.label);
    header.start = options.start;
    header.frame = interface.mount().map(|mount| mount.alias.to_owned());
    header
}

/// Images and scans whose times are held at most, of a `.tar.gz`.
const TIMES: usize = 1 << 24;

/// The images or scans whose times a table holds, and whether they are scans.
pub(super) fn series_of<'d>(interface: &'d Interface, table: &TableFile) -> Option<(&'d Series, bool)> {
    let series = match table.kind {
        TableKind::CameraDates => interface.images.as_ref().map(|s| (s, false)),
        TableKind::RangeDates => interface.scans.as_ref().map(|s| (s, true)),
        _ => None,
    };
    series.filter(|_| interface.dates().is_some_and(|dates| dates.path == table.path))
}

/// A fault for images or scans without a `.dates`.
fn undated<'d>(interface: &'d Interface, options: &Options) -> impl Iterator<Item = Fault> + use<'d> {
    let series = [
        (&interface.images, TableKind::CameraDates, "images"),
        (&interface.scans, TableKind::RangeDates, "scans"),
    ];
    let wanted = !options.tables_only;
    series.into_iter().filter_map(move |(series, kind, what)| {
        let files = series.as_ref().filter(|_| wanted)?.files;
        if interface.tables.iter().any(|t| t.kind == kind) {
            return None;
        }
        let expected = "a .dates file that says when they were received";
        Some(Fault::new(&interface.id, Error::invalid(what, format_args!("{files} files"), expected, 0)))
    })
}

fn table_samples<E: From<Fault>>(
    path: &str,
    bytes: &mut dyn Read,
    header: &Header,
    visit: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = Lines::of(bytes, path, header.kind)?;
    let mut sampler = Sampler::new(header, table::Options::default());
    let mut pending = VecDeque::new();
    loop {
        let more = step(&mut lines, &mut sampler, &mut pending);
        for event in pending.drain(..) {
            match event {
                Pending::Sample(mut sample) => visit(Event::Sample(&mut sample))?,
                Pending::Fault(fault) => visit(Event::Fault(fault))?,
                Pending::Load { .. } => {}
            }
        }
        if !more {
            return Ok(());
        }
    }
}

/// Makes samples of the next line; false at the end.
fn step<R: Read>(lines: &mut Lines<R>, sampler: &mut Sampler, pending: &mut VecDeque<Pending>) -> bool {
    let mut take = |sample: &mut Sample| {
        let (channel, frame_id) = (Arc::clone(&sample.channel), Arc::clone(&sample.frame_id));
        let value = std::mem::replace(&mut sample.value, Value::Scalar(0.0));
        let (time, offset) = (sample.time, sample.offset);
        pending.push_back(Pending::Sample(Box::new(Sample { time, offset, channel, frame_id, value })));
        Ok::<(), Error>(())
    };
    let failed = match lines.next() {
        Ok(Some(record)) => match sampler.push(&record, &mut take) {
            Ok(()) => return true,
            Err(e) => Fault::at_line(&lines.path, lines.line, e),
        },
        Ok(None) => match sampler.finish(&mut take) {
            Ok(()) => return false,
            Err(e) => Fault::new(&lines.path, e),
        },
        Err(fault) => fault,
    };
    let more = failed.line() > 0;
    pending.push_back(Pending::Fault(failed));
    more
}

impl Feed<'_> {
    /// Sees to it that something is pending; says for when. `None` at the end.
    fn refill(&mut self) -> Option<i64> {
        while self.pending.is_empty() && !self.ended {
            let more = match &mut self.kind {
                FeedKind::Table(sampler) => step(&mut self.lines, sampler, &mut self.pending),
                FeedKind::Series(numbered) => numbered.step(&mut self.lines, &mut self.pending),
            };
            self.ended = !more;
        }
        Some(match self.pending.front()? {
            Pending::Load { rtime, .. } => rtime.saturating_mul(1000),
            // On the clock of the acquisition, whichever is asked for.
            Pending::Sample(sample) => sample.time.map_or(i64::MIN, |time| match &self.kind {
                FeedKind::Table(sampler) => sampler.relative(time),
                FeedKind::Series(_) => time.nanos(),
            }),
            Pending::Fault(_) => i64::MIN,
        })
    }
}
