//! The files of a folder.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::BufWriter,
    mem,
    path::Path,
    rc::Rc,
    sync::Arc,
};

use robolog_core::{Pose, Sample, Timestamp, Value, slices::InRange as _, text::file_name};

use super::{
    beside::Beside,
    names::{Names, hive},
    pool::{Pool, buffer_size},
};
use crate::{
    Advice, Error, Note, Origin, Outcome, Per, Result, Sink,
    batch::{RECENT, recent},
    csvw,
    sink::{CHANNEL, Channels, GROUP, Holds, Need, Opening, Scans, TargetSpec},
    target::{INDEX, INDEX_HEADER, UNITS},
};

/// Distributes samples to the files of a folder.
pub(super) struct Files {
    folder: Arc<Path>,
    target: &'static TargetSpec,
    per: Per,
    /// Options for opening the next file.
    opening: Opening,
    /// Start of the recording, as far as known.
    start: Option<Timestamp>,
    /// Recordings that each file names as its origin.
    origins: Vec<Origin>,
    notes: Vec<Note>,
    scans: Scans,
    /// Advice for the first sample left out that another option could keep.
    advice: Option<Advice>,
    index: csv::Writer<File>,
    /// Units of CSV files.
    units: Option<csvw::Group<BufWriter<File>>>,
    /// Times and poses of frames.
    beside: Beside,
    names: Names,
    /// Open files, in the order of their first samples.
    open: Vec<OpenOutput>,
    /// Index of the file of each group, and of the last sample's.
    places: HashMap<String, usize>,
    last: usize,
    /// Index of the file of the latest channels, by the address of their names, which samples share.
    latest: Vec<Option<(Arc<str>, usize)>>,
    pool: Pool,
    samples: u64,
    written: u64,
}

/// An open output file.
struct OpenOutput {
    sink: Box<dyn Sink>,
    group: String,
    /// The file's row in the index: name, time of the first sample, values so far.
    name: Rc<str>,
    time: Option<Timestamp>,
    values: u64,
    /// Whether nothing was written yet.
    is_empty: bool,
}

impl Files {
    /// Begins the index of `folder`, which exists and is empty.
    pub(super) fn new(
        folder: &Path,
        target: &'static TargetSpec,
        per: Per,
        opening: Opening,
    ) -> Result<Self> {
        let mut index = csv::Writer::from_path(folder.join(INDEX))?;
        index.write_record(INDEX_HEADER)?;
        let mut names = Names::default();
        names.take(INDEX);
        names.take(UNITS);
        let units = if target.needs(Need::Units) {
            let path = folder.join(UNITS);
            let file = File::create_new(&path).map_err(|e| Error::file(path, e))?;
            Some(csvw::Group::new(BufWriter::new(file)))
        } else {
            None
        };
        Ok(Self {
            folder: folder.into(),
            target,
            per,
            scans: Scans::of(&opening),
            opening,
            start: None,
            origins: Vec::new(),
            notes: Vec::new(),
            advice: None,
            index,
            units,
            beside: Beside::default(),
            names,
            open: Vec::new(),
            places: HashMap::new(),
            last: 0,
            latest: Vec::new(),
            pool: Pool::default(),
            samples: 0,
            written: 0,
        })
    }

    /// Completes all files and lists them.
    fn close(&mut self) -> Result<()> {
        self.places.clear();
        self.latest.clear();
        for mut open in mem::take(&mut self.open) {
            if open.is_empty {
                // Nothing was written, so remove the file.
                drop(open.sink);
                let path = self.folder.join(&*open.name);
                fs::remove_file(&path).map_err(|e| Error::file(path, e))?;
                continue;
            }
            let columns = open.sink.columns()?;
            self.notes.extend(open.sink.notes()?);
            open.sink.finish()?;
            if let Some(units) = &mut self.units {
                units.push(&open.name, &columns)?;
            }
            if self.per == Per::Frame && self.target.needs(Need::Poses) {
                self.beside.push(&self.folder, &self.opening, open.time)?;
            }
            let time = open.time.map_or_else(String::new, |t| t.nanos().to_string());
            let values = open.values.to_string();
            // File names are safe already.
            let row = [
                open.name.as_bytes(),
                time.as_bytes(),
                &csvw::shown(open.group.as_bytes()),
                values.as_bytes(),
            ];
            self.index.write_record(row)?;
        }
        Ok(())
    }

    /// Creates the file of a group; returns its index.
    fn add(&mut self, group: &str, sample: &Sample) -> Result<usize> {
        let open = self.create(group, sample)?;
        let place = self.open.len();
        self.open.push(open);
        self.places.insert(group.to_owned(), place);
        Ok(place)
    }

    /// Finds the file of a sample, or creates it; returns its index.
    fn place(&mut self, sample: &Sample) -> Result<usize> {
        let address = recent(&sample.channel);
        if let Some(Some((channel, place))) = self.latest.get(address)
            && Arc::ptr_eq(channel, &sample.channel)
        {
            return Ok(*place);
        }
        let group = self.per.group(&sample.channel);
        // Most samples follow one of their group.
        let place = match self.open.get(self.last) {
            Some(open) if open.group == group => Some(self.last),
            _ => self.places.get(group).copied(),
        };
        let place = if let Some(place) = place { place } else { self.add(group, sample)? };
        self.latest.resize(RECENT, None);
        if let Some(latest) = self.latest.get_mut(address) {
            *latest = Some((Arc::clone(&sample.channel), place));
        }
        Ok(place)
    }

    fn create(&mut self, group: &str, sample: &Sample) -> Result<OpenOutput> {
        let extension = self.target.extension_of(sample);
        let hive_key = if !self.opening.options.tables.hive || self.target.holds != Holds::Columns {
            None
        } else {
            match self.per {
                Per::Channel => Some(CHANNEL),
                Per::Name => Some(GROUP),
                Per::Frame | Per::Device => None,
            }
        };
        let stem = self.stem(group);
        let name = |number: u64| match hive_key {
            Some(key) => hive(sample, (key, group), number, extension),
            None if number > 1 => format!("{stem}_{number}.{extension}"),
            None if self.per == Per::Frame => format!("{:06}_{stem}.{extension}", self.samples),
            None => format!("{stem}.{extension}"),
        };
        // Different channels must not share a file because their sanitised names are equal. The name of a frame
        // contains its number.
        let mut number = 1_u64;
        while self.per != Per::Frame && !self.names.take(&name(number)) {
            number += 1;
        }
        let name: Rc<str> = name(number).into();
        let path = self.folder.join(&*name);
        if hive_key.is_some()
            && let Some(parent) = path.parent()
        {
            fs::create_dir_all(parent).map_err(|e| Error::file(parent, e))?;
        }
        let gathered = buffer_size(self.open.len());
        let out = self.pool.create(&self.folder, &name, gathered).map_err(|e| Error::file(&path, e))?;
        self.opening.others = self.open.len();
        self.opening.channels = match self.per {
            Per::Channel if hive_key.is_some() => Channels::Named,
            Per::Channel | Per::Frame => Channels::One,
            Per::Device | Per::Name => Channels::Several,
        };
        let mut sink = self.target.open(out, &self.opening)?;
        for origin in &self.origins {
            sink.origin(origin)?;
        }
        let group = group.to_owned();
        Ok(OpenOutput { sink, group, name, time: sample.time, values: 0, is_empty: true })
    }

    /// File name of a group. Readers of folders skip tables whose names begin with an underscore or a dot.
    fn stem(&self, group: &str) -> String {
        let stem = file_name(group.as_bytes());
        let stem =
            if self.target.holds == Holds::Columns { stem.trim_start_matches(['_', '.']) } else { &*stem };
        // What is left can be the name of a device.
        if group.is_empty() || stem.is_empty() { "unnamed".to_owned() } else { file_name(stem.as_bytes()) }
    }

    /// Number of files with a value in them.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    fn leave_out(&mut self, advice: Option<Advice>) -> Outcome {
        self.advice = self.advice.or(advice);
        Outcome::LeftOut
    }
}

impl Sink for Files {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.origins.push(origin.clone());
        Ok(())
    }

    fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    fn pose(&mut self, pose: Option<Pose>) {
        self.beside.pose = pose;
    }

    /// Puts the sample into its file.
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        if self.target.holds.points() && matches!(sample.value, Value::LaserScan(_)) {
            self.scans.resolve(sample);
            if matches!(sample.value, Value::LaserScan(_)) {
                return Ok(self.leave_out(self.scans.advice()));
            }
        }
        if !(self.target.takes)(sample, self.opening.selection) {
            return Ok(self.leave_out(self.target.advice(sample)));
        }
        let values = if let Value::PointCloud(cloud) = &sample.value { cloud.len() as u64 } else { 1 };
        if values == 0 && !self.target.needs(Need::EmptyClouds) {
            return Ok(Outcome::Written);
        }
        self.last = self.place(sample)?;
        let Some(open) = self.open.get_mut(self.last) else { return Ok(Outcome::LeftOut) };
        self.samples += 1;
        if let Some(start) = self.start {
            open.sink.begin_at(start);
        }
        let outcome = open.sink.write(sample)?;
        if outcome == Outcome::LeftOut {
            self.advice = self.advice.or_else(|| open.sink.advice());
        } else {
            let left_out = if let Outcome::Partly { left_out } = outcome { left_out } else { 0 };
            open.values += values.minus(left_out);
            self.written += u64::from(open.is_empty);
            open.is_empty = false;
        }
        if self.per == Per::Frame {
            self.close()?;
        }
        Ok(outcome)
    }

    fn advice(&self) -> Option<Advice> {
        self.advice
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.close()?;
        Ok(Note::sums(mem::take(&mut self.notes)))
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.close()?;
        for name in self.beside.finish()? {
            // Values of the recording are in its frames; a file that is not listed would not be replaced.
            self.index.write_record([name, "", "", "0"])?;
        }
        self.index.flush()?;
        self.units.map_or(Ok(()), csvw::Group::finish)
    }
}

#[cfg(test)]
#[cfg(all(feature = "to-csv", feature = "to-pcd"))]
mod tests;
