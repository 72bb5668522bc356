//! The samples of all interfaces in order of time.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    io::Read,
};

use robolog_core::{Error, ErrorKind, Sample, Sampling, Timestamp, Value};

use super::{
    Dataset, Interface, Series,
    fault::{Fault, Result},
    feed::{self, Clocks, Feed, FeedKind, Pending, Steps},
    inertial::Joining,
    interface::TableFile,
    numbered::Numbered,
    recording,
    sentences::Dates,
    source::Lines,
};
use crate::{
    motion::{MOUNTS, Mount},
    table::{self, Header, NmeaDate, Sampler, TableKind},
};

/// What can be chosen for a visit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The moment of `Rtime` zero: the `starting_time` of the documentation, which no file holds;
    /// [`Dataset::epoch`] estimates it. `None` leaves times relative.
    pub start: Option<Timestamp>,
    /// Leaves out images and scans, so that none of their files is opened.
    pub tables_only: bool,
    /// Begins with where the sensors sit, as transforms from `base_link` on the channel `tf_static`: those of the
    /// interfaces that the calibration page lists.
    pub mounts: bool,
    /// Gives the accelerations and rates of a vehicle that has both as one channel, `imu`, as bags have them: an
    /// acceleration and a rate within 5 ms are one sample, in the gyrometer's frame, whose axes the accelerometer shares. What
    /// is alone stays so. Not from a `.tar.gz`, which gives one table after the other.
    pub joined_imu: bool,
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

    /// With accelerations and rates as one channel.
    #[must_use]
    pub fn with_joined_imu(mut self) -> Self {
        self.joined_imu = true;
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
    /// A sample, which may be taken out with [`Sample::take`].
    Sample(&'a mut Sample),
    /// A row that does not fit; a file that is not there, cannot be decoded or has no time. What follows is read.
    Fault(Fault),
}

/// Takes what a visit meets.
pub(super) type Visit<'a, E> = &'a mut dyn FnMut(Event<'_>) -> Result<(), E>;

impl Dataset {
    /// Shows every sample, and everything that could not become one, in order of time over all interfaces; samples
    /// without a time first. Of each interface a few rows are held at a time, and one image or scan in all.
    ///
    /// Channels are named after the interface and what they come from:
    ///
    /// | file | channel | time |
    /// |---|---|---|
    /// | a table | `Bus_InterfaceCan_can0/motor` | reception |
    /// | images | `/image` | acquisition: reception plus latency |
    /// | scans | `/scan`, or `/scan/0` where there are several layers | reception |
    /// | sentences | `/nmea/fix` and all others of [`nmea::Sampler`](crate::nmea::Sampler) | the row of `.dates` |
    /// | tracks | `/gpx/track1`, `/kml/linestring1` and so on | the point's own, where it has one |
    ///
    /// All times are on one clock: that of [`Options::start`], else relative to the beginning of the acquisition.
    /// Tracks have absolute times; without a start they are counted from [`epoch`](Self::epoch), and are left out where
    /// that moment is not known. So are those of `ntpupdate.log`, which covers hours around a drive of minutes: its rows
    /// hold them. Altitudes in tracks count from the ellipsoid, as in the tables.
    ///
    /// From a `.tar.gz` the samples come in the order of the archive, in one pass; only the times of images, scans and
    /// sentences are held, some ten bytes each.
    ///
    /// Fails when the storage does, and when `visit` fails.
    pub fn visit<E: From<Fault>>(&self, options: &Options, visit: Visit<'_, E>) -> Result<(), E> {
        if options.mounts {
            for mount in self.mounts() {
                let value = Value::Transform(mount.transform());
                let (channel, frame_id) = ("tf_static".into(), "base_link".into());
                visit(Event::Sample(&mut Sample { time: None, offset: 0, channel, frame_id, value }))?;
            }
        }
        let mut clocks = Clocks { start: options.start, zero: None };
        if clocks.start.is_none() && self.interfaces.iter().any(has_absolute_times) {
            clocks.zero = self.epoch()?.map(|epoch| epoch.start);
        }
        for fault in self.damages().chain(self.interfaces.iter().flat_map(|i| unread(i, options))) {
            visit(Event::Fault(fault))?;
        }
        if !self.is_random() {
            return self.sweep(options, clocks, visit);
        }
        if !options.joined_imu {
            return self.merge(options, clocks, visit);
        }
        let mut joining = Joining::new(&self.interfaces);
        self.merge(options, clocks, &mut |event| joining.push(event, visit))?;
        joining.finish(visit)
    }

    /// Where the sensors sit that the data set has something of, each once.
    pub(super) fn mounts(&self) -> Vec<&'static Mount> {
        let has = |mount: &Mount| {
            self.interfaces.iter().any(|i| match mount.alias {
                "acc" => i.tables.iter().any(|t| t.kind == TableKind::Acc),
                "gyro" => i.tables.iter().any(|t| t.kind == TableKind::Gyro),
                _ => mount.interface == Some(i.id.as_str()),
            })
        };
        MOUNTS.iter().filter(|mount| has(mount)).collect()
    }

    /// Files that an archive lists and cannot give.
    fn damages(&self) -> impl Iterator<Item = Fault> {
        self.skipped.iter().filter(|skipped| skipped.is_damage).map(|skipped| {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, skipped.why);
            Fault::io(&skipped.path, error)
        })
    }

    fn merge<E: From<Fault>>(&self, options: &Options, clocks: Clocks, visit: Visit<'_, E>) -> Result<(), E> {
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
        for table in &interface.tables {
            let header = header(interface, table.kind, options);
            let numbered = match series_of(interface, table) {
                Some(_) if options.tables_only => continue,
                Some((series, is_scan)) => {
                    let base = series.base(self.count_rows(table)?);
                    Some(Numbered { interface, series, is_scan, base, header: header.clone(), found: 0 })
                }
                None => None,
            };
            let lines = Lines::open(&self.storage, &table.path, table.kind)?;
            let kind = match numbered {
                Some(numbered) => FeedKind::Series(Box::new(lines), Box::new(numbered)),
                None => FeedKind::Table(Box::new(table_feed(lines, &header))),
            };
            feeds.push(Feed::new(kind, clocks));
        }
        for recording in recording::of_interface(interface) {
            let (path, kind) = recording;
            let Some(bytes) = self.storage.stream(path)? else { continue };
            let dates = match interface.sentence_dates() {
                Some(table) if kind == recording::Kind::Sentences => {
                    Some(Dates::new(Box::new(self.rows::<NmeaDate>(table)?.filter_map(Result::ok))))
                }
                _ => None,
            };
            match recording::open(self, interface, recording, bytes, dates, clocks) {
                Ok(steps) => feeds.push(Feed::new(FeedKind::Table(steps), clocks)),
                Err(fault) => faults.push(fault),
            }
        }
        Ok(faults)
    }

    /// Number of data lines of a table.
    pub(super) fn count_rows(&self, table: &TableFile) -> Result<u64> {
        let mut lines = Lines::open(&self.storage, &table.path, table.kind)?;
        loop {
            match lines.next() {
                Ok(None) => return Ok(lines.rows),
                // Reading the rows reports this error.
                Err(fault) if fault.line() == 0 => return Ok(lines.rows),
                Ok(Some(_)) | Err(_) => {}
            }
        }
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

/// What stands before the rows of an interface's table, by its name.
pub(super) fn header(interface: &Interface, kind: TableKind, options: &Options) -> Header {
    let mut header = Header::new(kind);
    header.interface.clone_from(&interface.label);
    header.start = options.start;
    header.frame = interface.mount().map(|mount| mount.alias.to_owned());
    header
}

/// The images or scans whose times a table holds, and whether they are scans.
pub(super) fn series_of<'d>(interface: &'d Interface, table: &TableFile) -> Option<(&'d Series, bool)> {
    let series = match table.kind {
        TableKind::CameraDates => interface.images.as_ref().map(|s| (s, false)),
        TableKind::RangeDates => interface.scans.as_ref().map(|s| (s, true)),
        _ => None,
    };
    series.filter(|_| interface.dates().is_some_and(|dates| dates.path == table.path))
}

/// Whether a file of the interface may count from 1970, and not from the beginning of the acquisition.
fn has_absolute_times(interface: &Interface) -> bool {
    !interface.tracks.is_empty() || interface.sentences.is_some()
}

/// Faults for files that make no samples: images and scans without a `.dates` or with names of another kind, videos.
fn unread<'d>(interface: &'d Interface, options: &Options) -> impl Iterator<Item = Fault> + use<'d> {
    let series = [
        (&interface.images, TableKind::CameraDates, "images"),
        (&interface.scans, TableKind::RangeDates, "scans"),
    ];
    let wanted = !options.tables_only;
    let series = series.into_iter().filter(move |_| wanted).flat_map(move |(series, kind, what)| {
        let fault = |found: String, expected: &str| {
            Fault::new(&interface.label, Error::invalid(what, found, expected, 0))
        };
        let dates = interface.tables.iter().any(|t| t.kind == kind && t.bytes > 0);
        let Some(series) = series else {
            let none = dates && interface.videos.is_empty();
            return [none.then(|| fault("no file".into(), "one for each row of .dates")), None];
        };
        let undated = (!dates).then(|| {
            fault(format!("{} files", series.files), "a .dates file that says when they were received")
        });
        let odd = (series.odd > 0).then(|| {
            fault(format!("{} with other names", series.odd), "names like the others', which are read")
        });
        [undated, odd]
    });
    let images = interface.images.is_some();
    let videos = interface.videos.iter().filter(move |_| wanted && !images).map(|path| {
        let (what, why) = (
            "video",
            "images are read from files: ffmpeg -i ID.mpg -fps_mode passthrough \
            -start_number 1 ID-%010d.pgm (.ppm for colour) writes them, where ID is the interface",
        );
        Fault::new(path, Error::new(ErrorKind::Unsupported { what, why }, 0))
    });
    series.flatten().chain(videos)
}

pub(super) fn table_feed<R: Read>(lines: Lines<R>, header: &Header) -> feed::Table<R> {
    let sampler = Box::new(Sampler::new(header, table::Options::default()));
    feed::Table { lines, sampler, is_untimed: header.kind == TableKind::Ntp }
}

/// Shows all that comes of a file.
pub(super) fn drain<E: From<Fault>>(steps: &mut dyn Steps, visit: Visit<'_, E>) -> Result<(), E> {
    let mut pending = VecDeque::new();
    loop {
        let more = steps.step(&mut pending);
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
