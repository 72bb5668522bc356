//! A visit of a data set: its samples and faults, in order of time if the storage allows it.

use robolog_core::{Error, ErrorKind, Sample, Value};

use super::{
    Dataset, Event, Interface, Options,
    event::Visit,
    fault::{Fault, Result},
    feed::Clocks,
    inertial::Joining,
    interface::TableFile,
    name::{Role, role},
    source::Lines,
};
use crate::{
    motion::{MOUNTS, Mount},
    table::TableKind,
};

impl Dataset {
    /// Passes every sample, and a fault for everything that cannot become one, to `visit`, in order of time over all
    /// interfaces; samples without a time come first. Holds a few rows of each interface at a time, and a single image
    /// or scan.
    ///
    /// Channels are named after the interface and the file:
    ///
    /// | file | channel | time |
    /// |---|---|---|
    /// | a table | `Bus_InterfaceCan_can0/motor` | reception |
    /// | images | `/image` | acquisition: reception plus latency |
    /// | scans | `/scan`, or `/scan/0` if there are several layers | reception |
    /// | sentences | `/nmea/fix` and all others of [`nmea::Decoder`](crate::nmea::Decoder) | the row of `.dates` |
    /// | tracks | `/gpx/track1`, `/kml/linestring1` and so on | of the point, if it has one |
    ///
    /// All times are on one clock: that of [`Options::start`], else relative to the start of the acquisition. Tracks
    /// have absolute times; without a start they count from [`epoch`](Self::epoch), and are left out if that is
    /// unknown. Times of `ntpupdate.log` are left out without a start, as it covers hours around a drive of minutes: its
    /// rows hold them. Altitudes in tracks are above the ellipsoid, as in the tables.
    ///
    /// From a `.tar.gz` the samples come in the order of the archive, in one pass; only the times of images, scans and
    /// sentences are held, some ten bytes each.
    ///
    /// Images and scans without a row, and rows without a file, are no faults if a list names them that
    /// [`recover`](Self::recover) wrote.
    ///
    /// Returns errors of the storage and of `visit`.
    pub fn visit<E: From<Fault>>(&self, options: &Options, visit: Visit<'_, E>) -> Result<(), E> {
        if self.left_out.is_empty() {
            return self.visit_all(options, visit);
        }
        self.visit_all(options, &mut |event| match event {
            Event::Fault(fault) if fault.is_explained() && self.left_out.contains(fault.file()) => Ok(()),
            event => visit(event),
        })
    }

    fn visit_all<E: From<Fault>>(&self, options: &Options, visit: Visit<'_, E>) -> Result<(), E> {
        if options.mounts {
            for mount in self.mounts() {
                let value = Value::Transform(mount.transform());
                visit(Event::Sample(&mut Sample::new("tf_static", value).with_frame("base_link")))?;
            }
        }
        let mut clocks = Clocks { start: options.start, zero: None };
        if clocks.start.is_none() && self.interfaces.iter().any(has_absolute_times) {
            clocks.zero = self.epoch()?.map(|epoch| epoch.start);
        }
        for fault in self.damages().chain(self.interfaces.iter().flat_map(|i| self.unread(i, options))) {
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

    /// The mounts of the sensors in the data set, each once.
    pub(super) fn mounts(&self) -> Vec<&'static Mount> {
        // Sensors of which nothing can be read are mounted all the same.
        let missing = self.missing().map(|path| role(path.rsplit('/').next().unwrap_or(path)));
        let missing: Vec<_> = missing.collect();
        let has_table = |kind| {
            let mut tables = self.interfaces.iter().flat_map(|i| &i.tables);
            tables.any(|t| t.kind == kind) || missing.iter().any(|(_, role)| *role == Role::Table(kind))
        };
        let has = |mount: &Mount| match mount.alias {
            "acc" => has_table(TableKind::Acc),
            "gyro" => has_table(TableKind::Gyro),
            _ => {
                let is_it = |id: &str| mount.interface == Some(id);
                self.interfaces.iter().any(|i| is_it(&i.id)) || missing.iter().any(|(id, _)| is_it(id))
            }
        };
        MOUNTS.iter().filter(|mount| has(mount)).collect()
    }

    /// Faults of members that an archive lists but cannot give.
    fn damages(&self) -> impl Iterator<Item = Fault> {
        self.skipped.iter().filter(|skipped| skipped.is_damage).map(|skipped| {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, skipped.why);
            Fault::io(&skipped.path, error)
        })
    }

    /// Faults of files that give no samples: images and scans without a `.dates` or with other kinds of names, videos.
    fn unread<'d>(
        &'d self,
        interface: &'d Interface,
        options: &Options,
    ) -> impl Iterator<Item = Fault> + use<'d> {
        let series = [
            (&interface.images, TableKind::CameraDates, "images"),
            (&interface.scans, TableKind::RangeDates, "scans"),
        ];
        let wanted = !options.tables_only;
        let series = series.into_iter().filter(move |_| wanted).flat_map(move |(series, kind, what)| {
            let fault = |found: String, expected: &str| {
                Fault::new(&interface.label, Error::invalid(what, found, expected, 0))
            };
            let dates = interface.tables.iter().any(|t| t.kind == kind && self.has_rows(t));
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

    fn has_rows(&self, table: &TableFile) -> bool {
        table.bytes > 0
            && Lines::open(&self.storage, &table.path, table.kind).is_ok_and(|mut lines| lines.has_rows())
    }
}

/// Whether a file of the interface may have absolute times.
fn has_absolute_times(interface: &Interface) -> bool {
    !interface.tracks.is_empty() || interface.sentences.is_some()
}
