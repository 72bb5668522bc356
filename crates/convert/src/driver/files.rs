//! The files of a folder on their way.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::BufWriter,
    path::Path,
    rc::Rc,
    sync::Arc,
};

use robolog_core::{Pose, Sample, Timestamp, Value, text::file_name};

use super::{
    Per,
    beside::Beside,
    names::{Names, hive},
    pool::{Pool, buffer_size},
};
use crate::{
    Advice, Error, Note, Origin, Outcome, Result, Sink, csvw,
    feed::Outlet,
    report::Counts,
    sink::{CHANNEL, Channels, GROUP, Holds, Need, Opening, Scans, TargetSpec},
    target::{INDEX, INDEX_HEADER, UNITS},
};

/// Distributes samples to the files of a folder.
pub(super) struct Files<'a> {
    folder: Arc<Path>,
    target: &'static TargetSpec,
    per: Per,
    /// How the next file is opened.
    opening: Opening,
    progress: &'a mut dyn FnMut(u64),
    /// The recording that each file is said to come from.
    origins: Vec<Origin>,
    notes: Vec<Note>,
    scans: Scans,
    counts: Counts,
    /// How the first that was left out, of those that could have a place, would have one.
    advice: Option<Advice>,
    index: csv::Writer<File>,
    /// The units of CSV files.
    units: Option<csvw::Group<BufWriter<File>>>,
    /// The times and poses of frames.
    beside: Beside,
    names: Names,
    /// By what they hold.
    open: BTreeMap<String, Open>,
    pool: Pool,
    samples: u64,
    written: u64,
}

/// What came of a folder.
#[derive(Debug)]
pub(super) struct Written {
    /// Files with a value in them.
    pub(super) files: u64,
    /// What to do to have a place for what was left out, if anything.
    pub(super) advice: Option<Advice>,
    /// What a user should know of the files.
    pub(super) notes: Vec<Note>,
}

/// A file in the making.
struct Open {
    sink: Box<dyn Sink>,
    /// What the index will say: name, time of the first sample, values so far.
    name: Rc<str>,
    time: Option<Timestamp>,
    values: u64,
    /// Its place in the index.
    number: u64,
    /// Whether nothing was written yet.
    is_empty: bool,
}

impl<'a> Files<'a> {
    /// Begins the index of `folder`, which is there and empty.
    pub(super) fn new(
        folder: &Path,
        target: &'static TargetSpec,
        per: Per,
        opening: Opening,
        progress: &'a mut dyn FnMut(u64),
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
            progress,
            origins: Vec::new(),
            notes: Vec::new(),
            counts: Counts::default(),
            advice: None,
            index,
            units,
            beside: Beside::default(),
            names,
            open: BTreeMap::new(),
            pool: Pool::default(),
            samples: 0,
            written: 0,
        })
    }

    /// Completes files and lists them, in the order in which they were begun.
    fn close(&mut self, files: BTreeMap<String, Open>) -> Result<()> {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|(_, open)| open.number);
        for (group, mut open) in files {
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
            let time = open.time.map(|t| t.nanos().to_string()).unwrap_or_default();
            let values = open.values.to_string();
            // The names of files are ours, and stay what they are.
            let row =
                [open.name.as_bytes(), time.as_bytes(), &csvw::shown(group.as_bytes()), values.as_bytes()];
            self.index.write_record(row)?;
        }
        Ok(())
    }

    fn create(&mut self, group: &str, sample: &Sample) -> Result<Open> {
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
        // What differs in a recording must not become one file because its name was made harmless. A frame's name has a
        // number of its own.
        let mut number = 1_u64;
        while self.per != Per::Frame && !self.names.take(&name(number)) {
            number = number.saturating_add(1);
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
        Ok(Open { sink, name, time: sample.time, values: 0, number: self.samples, is_empty: true })
    }

    /// The name of a group's file. Readers of folders skip tables whose names begin with an underscore.
    fn stem(&self, group: &str) -> String {
        let stem = file_name(group.as_bytes());
        let stem = if self.target.holds == Holds::Columns { stem.trim_start_matches('_') } else { &*stem };
        if group.is_empty() || stem.is_empty() { "unnamed".to_owned() } else { stem.to_owned() }
    }

    /// Completes all files.
    pub(super) fn finish(mut self) -> Result<(Counts, Written)> {
        let files = std::mem::take(&mut self.open);
        self.close(files)?;
        for name in self.beside.finish()? {
            // Values of the recording are in its frames; what is not listed would not be replaced.
            self.index.write_record([name, "", "", "0"])?;
        }
        self.index.flush()?;
        if let Some(units) = self.units {
            units.finish()?;
        }
        Ok((self.counts, Written { files: self.written, advice: self.advice, notes: self.notes }))
    }

    /// What stands at the end of a recording's samples, or of one alone.
    fn leave_out(&mut self, sample: &Sample, advice: Option<Advice>) {
        self.advice = self.advice.or(advice);
        self.counts.add(Outcome::LeftOut, &sample.value);
    }
}

impl Outlet for Files<'_> {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.origins.push(origin);
        Ok(())
    }

    fn of_feed(&mut self, feed: usize) {
        self.counts.feed = feed;
    }

    fn pose(&mut self, pose: Option<Pose>) {
        self.beside.pose = pose;
    }

    /// Puts the sample into its file.
    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        if self.target.holds.points() && matches!(sample.value, Value::LaserScan(_)) {
            self.scans.resolve(sample);
            if matches!(sample.value, Value::LaserScan(_)) {
                self.leave_out(sample, self.scans.advice());
                return Ok(());
            }
        }
        if !(self.target.takes)(sample, self.opening.selection) {
            self.leave_out(sample, self.target.advice(sample));
            return Ok(());
        }
        let values = if let Value::PointCloud(cloud) = &sample.value { cloud.len() as u64 } else { 1 };
        if values == 0 && !self.target.needs(Need::EmptyClouds) {
            self.counts.add(Outcome::Written, &sample.value);
            return Ok(());
        }
        let group = self.per.group(&sample.channel);
        if !self.open.contains_key(group) {
            let open = self.create(group, sample)?;
            self.open.insert(group.to_owned(), open);
        }
        let Some(open) = self.open.get_mut(group) else { return Ok(()) };
        self.samples = self.samples.saturating_add(1);
        if let Some(start) = start {
            open.sink.begin_at(start);
        }
        let took = open.sink.write(sample)?;
        self.counts.add(took, &sample.value);
        if took == Outcome::LeftOut {
            self.advice = self.advice.or_else(|| open.sink.advice());
        } else {
            let left_out = if let Outcome::Partly { left_out } = took { left_out } else { 0 };
            open.values = open.values.saturating_add(values.saturating_sub(left_out));
            self.written = self.written.saturating_add(u64::from(open.is_empty));
            open.is_empty = false;
        }
        if self.per == Per::Frame {
            let files = std::mem::take(&mut self.open);
            self.close(files)?;
        }
        Ok(())
    }

    fn position(&mut self, position: u64) -> Result<()> {
        (self.progress)(position);
        Ok(())
    }
}

#[cfg(test)]
#[cfg(all(feature = "to-csv", feature = "to-pcd"))]
mod tests {
    use super::*;
    #[cfg(feature = "to-parquet")]
    use crate::sink::parquet::PARQUET;
    use crate::{
        PcdData, Report,
        sink::{Selection, SinkOptions, csv::CSV, pcd::PCD},
    };

    fn scalar(channel: &str, value: f64) -> Sample {
        let (channel, frame_id, value) = (channel.into(), "".into(), Value::Scalar(value));
        Sample { time: None, offset: 0, channel, frame_id, value }
    }

    fn run(
        target: &'static TargetSpec,
        options: &SinkOptions,
        per: Per,
        samples: impl IntoIterator<Item = Sample>,
    ) -> Result<(tempfile::TempDir, Vec<String>, Report)> {
        let dir = tempfile::tempdir().unwrap();
        let opening = Opening::new(options.clone(), per.selection(Selection::Everything));
        let mut nobody = |_| {};
        let mut files = Files::new(dir.path(), target, per, opening, &mut nobody)?;
        for mut sample in samples {
            files.sample(&mut sample, None)?;
        }
        let (counts, written) = files.finish()?;
        let report = Report { files: written.files, ..Report::default().with(counts) };
        let entries = fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        Ok((dir, names, report))
    }

    fn run_csv(
        per: Per,
        samples: impl IntoIterator<Item = Sample>,
    ) -> Result<(tempfile::TempDir, Vec<String>, Report)> {
        run(&CSV, &SinkOptions::default(), per, samples)
    }

    #[test]
    fn channels_whose_names_become_the_same_keep_files_of_their_own() {
        let samples = ["a/b", "a_b", "A b", "index", "a/b"].map(|channel| scalar(channel, 1.0));
        let (dir, names, report) = run_csv(Per::Channel, samples).unwrap();
        assert_eq!(
            names,
            ["A_b_3.csv", "_csv-metadata.json", "_index.csv", "a_b.csv", "a_b_2.csv", "index.csv"]
        );
        assert_eq!((report.files, report.written["scalar"].samples), (4, 5));
        assert_eq!(fs::read_to_string(dir.path().join("a_b.csv")).unwrap().lines().count(), 1 + 2);
    }

    #[test]
    fn a_kind_is_what_stands_behind_the_last_slash() {
        let samples = ["174/poses", "frames", "a/175/poses", "x/"].map(|channel| scalar(channel, 1.0));
        let (dir, names, _) = run_csv(Per::Name, samples).unwrap();
        assert_eq!(names, ["_csv-metadata.json", "_index.csv", "frames.csv", "poses.csv", "unnamed.csv"]);
        let poses = fs::read_to_string(dir.path().join("poses.csv")).unwrap();
        assert_eq!(poses, "time_ns,channel,value\n,174/poses,1.0\n,a/175/poses,1.0\n");
    }

    #[test]
    fn what_has_no_place_in_its_file_is_counted_and_not_in_the_index() {
        let text = Sample { value: Value::Text("t".into()), ..scalar("b/x", 0.0) };
        let (dir, _, report) = run_csv(Per::Name, [scalar("a/x", 1.0), text]).unwrap();
        assert_eq!((report.written["scalar"].samples, report.left_out["text"].samples), (1, 1));
        let index = fs::read_to_string(dir.path().join(INDEX)).unwrap();
        assert_eq!(index, "file,time_ns,channel,values\nx.csv,,x,1\n");
    }

    #[test]
    fn thousands_of_channels_in_turn() {
        let count = 1500_u16;
        let samples = (0..20).flat_map(|round| (0..count).map(move |n| (round, n)));
        let long = |round| Value::Text(format!("{round} {}", "x".repeat(1000)));
        let samples =
            samples.map(|(round, n)| Sample { value: long(round), ..scalar(&format!("{n}/v"), 0.0) });
        let (dir, names, report) = run_csv(Per::Channel, samples).unwrap();
        assert_eq!((names.len(), report.files), (1500 + 2, 1500));
        for n in 0..count {
            let text = fs::read_to_string(dir.path().join(format!("{n}_v.csv"))).unwrap();
            let rounds = text.lines().skip(1).map(|line| line.rsplit([',', ' ']).nth(1).unwrap().to_owned());
            assert_eq!(rounds.collect::<Vec<_>>(), (0..20).map(|r: u8| r.to_string()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn headers_are_mended_in_files_that_were_closed_meanwhile() {
        let cloud = |n: u8| {
            let x = vec![f32::from(n)];
            let cloud = robolog_core::PointCloud { y: x.clone(), z: x.clone(), x, ..Default::default() };
            Sample { value: Value::PointCloud(cloud), ..scalar(&format!("{n}/points"), 0.0) }
        };
        let samples = || (0..=200).chain(0..=200).map(cloud);
        let mut options = SinkOptions::default();
        options.pcd.data = PcdData::Ascii;
        let (dir, ..) = run(&PCD, &options, Per::Channel, samples()).unwrap();
        for n in 0..=200 {
            let text = fs::read_to_string(dir.path().join(format!("{n}_points.pcd"))).unwrap();
            assert!(text.contains("\nPOINTS 2\n") && text.ends_with(&format!("\n{n} {n} {n}\n")), "{text}");
        }
        options.pcd.data = PcdData::BinaryCompressed;
        let outcome = run(&PCD, &options, Per::Channel, samples());
        assert!(outcome.is_err_and(|e| e.advice() == Some(Advice::PlainPcd)));
    }

    #[cfg(feature = "to-parquet")]
    #[test]
    fn tables_of_many_channels_share_their_memory_until_they_are_too_many() {
        use parquet::file::reader::{FileReader as _, SerializedFileReader};

        let samples = |count: u16| {
            (0..8_u8).flat_map(move |round| (0..count).map(move |n| (round, n))).map(|(round, n)| {
                let text = Value::Text(format!("{round} {}", "x".repeat(4000)));
                Sample { value: text, ..scalar(&format!("{n}/v"), 0.0) }
            })
        };
        let (dir, names, report) =
            run(&PARQUET, &SinkOptions::default(), Per::Channel, samples(600)).unwrap();
        assert_eq!((names.len(), report.files, report.written["text"].samples), (601, 600, 4800));
        for n in [0, 599] {
            let path = dir.path().join(format!("{n}_v.parquet"));
            let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
            let meta = file.metadata();
            assert_eq!(meta.file_metadata().num_rows(), 8);
            assert_eq!(meta.num_row_groups(), if n == 0 { 1 } else { 2 });
        }
        let error = run(&PARQUET, &SinkOptions::default(), Per::Channel, samples(2049)).unwrap_err();
        assert_eq!(error.advice(), Some(Advice::FilePerKind));
    }

    #[test]
    fn names_of_hive_hold_kind_and_channel() {
        let name = |channel| hive(&scalar(channel, 1.0), (CHANNEL, channel), 1, "parquet");
        assert_eq!(name("174/poses"), "kind=scalar/channel=174%2Fposes/part-0.parquet");
        assert_eq!(name("../a b=ü"), "kind=scalar/channel=..%2Fa%20b%3D%C3%BC/part-0.parquet");
        assert_eq!(
            hive(&scalar("", 1.0), (CHANNEL, "a/B"), 2, "arrow"),
            "kind=scalar/channel=%61%2F%42/part-0.arrow"
        );
        assert_eq!(name(""), "kind=scalar/channel=__HIVE_DEFAULT_PARTITION__/part-0.parquet");
    }

    #[test]
    fn long_channels_have_names_that_file_systems_take() {
        let long = ["字".repeat(100), "字".repeat(101), "n".repeat(300), "n".repeat(301)];
        let samples = || long.iter().map(|channel| scalar(channel, 1.0));
        let (.., report) = run_csv(Per::Channel, samples()).unwrap();
        assert_eq!(report.files, 4);
        for number in 1..4 {
            for channel in &long {
                let name = hive(&scalar(channel, 1.0), (CHANNEL, channel), number, "parquet");
                assert!(name.split('/').all(|part| part.len() <= 255), "{name}");
            }
        }
        let name = |number| hive(&scalar("", 1.0), (CHANNEL, &long[2]), number, "parquet");
        assert_ne!(name(2), name(3));
    }

    #[cfg(feature = "to-parquet")]
    #[test]
    fn hive_names_folders_by_kind_of_channel_too() {
        let dir = tempfile::tempdir().unwrap();
        let mut options = SinkOptions::default();
        options.tables.hive = true;
        let opening = Opening::new(options, Selection::Channels);
        let mut nobody = |_| {};
        let mut files = Files::new(dir.path(), &PARQUET, Per::Name, opening, &mut nobody).unwrap();
        let fields: Arc<[robolog_core::Field]> =
            ["Kind", "group"].map(|name| robolog_core::Field::new(name, robolog_core::FieldKind::Int)).into();
        let row = Value::Row(robolog_core::Row::new(fields, vec![1.into(), 2.into()]));
        let row = Sample { value: row, ..scalar("7/poses", 0.0) };
        for mut sample in [scalar("1/x", 1.0), scalar("2/x", 2.0), row] {
            files.sample(&mut sample, None).unwrap();
        }
        files.finish().unwrap();
        let columns = |name: &str| {
            let file = File::open(dir.path().join(name)).unwrap();
            let file = parquet::file::reader::SerializedFileReader::new(file).unwrap();
            let schema = parquet::file::reader::FileReader::metadata(&file).file_metadata().schema_descr();
            let names = schema.columns().iter().map(|c| c.name().to_owned()).collect::<Vec<_>>();
            names.join(" ")
        };
        // The channel is a column, for a file holds several; kind and group are columns that readers make.
        assert_eq!(columns("kind=scalar/group=x/part-0.parquet"), "time_ns time channel value");
        assert_eq!(columns("kind=row/group=poses/part-0.parquet"), "time_ns time channel Kind_2 group_2");
        let visible =
            fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut visible: Vec<_> = visible.filter(|name| !name.starts_with(['_', '.'])).collect();
        visible.sort();
        assert_eq!(visible, ["kind=row", "kind=scalar"], "Spark and PyArrow read everything else as a table");
    }

    #[cfg(feature = "to-parquet")]
    #[test]
    fn no_table_has_a_name_that_readers_of_folders_skip() {
        let samples = ["/fix", "fix", "_", ""].map(|channel| scalar(channel, 1.0));
        let (_, names, _) = run(&PARQUET, &SinkOptions::default(), Per::Channel, samples).unwrap();
        let want = ["_index.csv", "fix.parquet", "fix_2.parquet", "unnamed.parquet", "unnamed_2.parquet"];
        assert_eq!(names, want);
    }
}
