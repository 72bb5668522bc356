//! The files of a folder on their way.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::BufWriter,
    path::Path,
};

use robolog_core::{Sample, Timestamp, Value, text::file_name};

use super::{Per, Report, pool::Pool};
use crate::{
    Error, PcdData, Result, Sink, SinkOptions, TargetFormat, Took,
    sink::{self, CHOOSE},
    target::{INDEX, INDEX_HEADER},
};

/// Distributes samples to the files of a folder.
pub(super) struct Files<'a> {
    folder: &'a Path,
    target: TargetFormat,
    options: SinkOptions,
    per: Per,
    chosen: bool,
    /// Something was left out that would have had a place if channels had been chosen.
    could_choose: bool,
    index: csv::Writer<File>,
    /// In lower case: there are file systems that do not tell capitals apart.
    names: BTreeSet<String>,
    /// By what they hold.
    open: BTreeMap<String, Open>,
    pool: Pool,
    samples: u64,
}

/// A file in the making.
struct Open {
    sink: Box<dyn Sink>,
    /// What the index will say: name, time of the first sample, values so far.
    name: String,
    time: Option<Timestamp>,
    values: u64,
    /// Its place in the index.
    number: u64,
}

/// Each of these keeps eight temporary files open, which are not in the pool.
const MAX_COMPRESSED: usize = 64;

impl<'a> Files<'a> {
    /// Begins the index of `folder`, which is there and empty. `chosen` as in [`sink::takes`].
    pub(super) fn new(
        folder: &'a Path,
        (target, options): (TargetFormat, &SinkOptions),
        per: Per,
        chosen: bool,
    ) -> Result<Self> {
        let mut index = csv::Writer::from_path(folder.join(INDEX))?;
        index.write_record(INDEX_HEADER)?;
        Ok(Self {
            folder,
            target,
            options: options.clone(),
            per,
            chosen,
            could_choose: false,
            index,
            names: BTreeSet::from([INDEX.to_owned()]),
            open: BTreeMap::new(),
            pool: Pool::default(),
            samples: 0,
        })
    }

    /// Puts the sample into its file.
    pub(super) fn take(
        &mut self,
        sample: &mut Sample,
        start: Option<Timestamp>,
        report: &mut Report,
    ) -> Result<()> {
        if !sink::takes(self.target, sample, self.chosen) {
            self.could_choose |= sink::takes(self.target, sample, true);
            report.count(Took::LeftOut, &sample.value);
            return Ok(());
        }
        let values = if let Value::PointCloud(cloud) = &sample.value { cloud.len() as u64 } else { 1 };
        if values == 0 && self.target != TargetFormat::Jsonl {
            report.count(Took::Written, &sample.value);
            return Ok(());
        }
        let group = self.per.group(&sample.channel);
        if !self.open.contains_key(group) {
            report.files = report.files.saturating_add(1);
            let open = self.create(group, sample.time)?;
            self.open.insert(group.to_owned(), open);
        }
        let Some(open) = self.open.get_mut(group) else { return Ok(()) };
        self.samples = self.samples.saturating_add(1);
        if let Some(start) = start {
            open.sink.begin_at(start);
        }
        let took = open.sink.write(sample)?;
        report.count(took, &sample.value);
        if took == Took::Written {
            open.values = open.values.saturating_add(values);
        }
        if self.per == Per::Frame {
            let files = std::mem::take(&mut self.open);
            self.close(files)?;
        }
        Ok(())
    }

    /// Completes files and lists them, in the order in which they were begun.
    fn close(&mut self, files: BTreeMap<String, Open>) -> Result<()> {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|(_, open)| open.number);
        for (group, open) in files {
            open.sink.finish()?;
            let time = open.time.map(|t| t.nanos().to_string()).unwrap_or_default();
            let row = [&open.name, &time, &group, &open.values.to_string()];
            self.index.write_record(row)?;
        }
        Ok(())
    }

    fn create(&mut self, group: &str, time: Option<Timestamp>) -> Result<Open> {
        if self.options.pcd_data == PcdData::BinaryCompressed
            && self.target == TargetFormat::Pcd
            && self.open.len() >= MAX_COMPRESSED
        {
            return Err(Error::Target(format!(
                "more than {MAX_COMPRESSED} PCD files at a time cannot be compressed: use binary, or --channel"
            )));
        }
        let (stem, extension) = (file_name(group.as_bytes()), self.target.name());
        let mut name = match self.per {
            Per::Frame => format!("{:06}_{stem}.{extension}", self.samples),
            Per::Channel | Per::Device | Per::Kind => format!("{stem}.{extension}"),
        };
        // What differs in a recording must not become one file because its name was made harmless.
        let mut number = 2_u64;
        while self.names.contains(&name.to_lowercase()) {
            name = format!("{stem}_{number}.{extension}");
            number = number.saturating_add(1);
        }
        if self.per != Per::Frame {
            self.names.insert(name.to_lowercase());
        }
        let path = self.folder.join(&name);
        let out = self.pool.create(&path).map_err(|e| Error::file(&path, e))?;
        let out = BufWriter::with_capacity(buffer_size(self.open.len()), out);
        let sink = sink::open(self.target, out, &self.options, self.chosen)?;
        Ok(Open { sink, name, time, values: 0, number: self.samples })
    }

    /// Completes all files. Gives what to do to have a place for what was left out, if anything.
    pub(super) fn finish(mut self) -> Result<Option<&'static str>> {
        let files = std::mem::take(&mut self.open);
        self.close(files)?;
        self.index.flush()?;
        Ok(self.could_choose.then_some(CHOOSE))
    }
}

/// What to buffer for a file beside `others`: a megabyte for few, so little for many that a thousand take 27 MiB.
fn buffer_size(others: usize) -> usize {
    (4_usize << 20).checked_div(others).unwrap_or(usize::MAX).clamp(4 << 10, 1 << 20)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn scalar(channel: &str, value: f64) -> Sample {
        let (channel, frame_id, value) = (channel.into(), "".into(), Value::Scalar(value));
        Sample { time: None, offset: 0, channel, frame_id, value }
    }

    fn run(
        what: (TargetFormat, PcdData),
        per: Per,
        samples: impl IntoIterator<Item = Sample>,
    ) -> Result<(tempfile::TempDir, Vec<String>, Report)> {
        let dir = tempfile::tempdir().unwrap();
        let options = SinkOptions { pcd_data: what.1, ..Default::default() };
        let mut files = Files::new(dir.path(), (what.0, &options), per, per.chooses_channels())?;
        let mut report = Report::default();
        for mut sample in samples {
            files.take(&mut sample, None, &mut report)?;
        }
        files.finish()?;
        let entries = fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        Ok((dir, names, report))
    }

    const CSV: (TargetFormat, PcdData) = (TargetFormat::Csv, PcdData::Binary);

    #[test]
    fn channels_whose_names_become_the_same_keep_files_of_their_own() {
        let samples = ["a/b", "a_b", "A b", "index", "a/b"].map(|channel| scalar(channel, 1.0));
        let (dir, names, report) = run(CSV, Per::Channel, samples).unwrap();
        assert_eq!(names, ["A_b_3.csv", "a_b.csv", "a_b_2.csv", "index.csv", "index_2.csv"]);
        assert_eq!((report.files, report.written["scalar"].samples), (4, 5));
        assert_eq!(fs::read_to_string(dir.path().join("a_b.csv")).unwrap().lines().count(), 1 + 2);
    }

    #[test]
    fn a_kind_is_what_stands_behind_the_last_slash() {
        let samples = ["174/poses", "frames", "a/175/poses", "x/"].map(|channel| scalar(channel, 1.0));
        let (dir, names, _) = run(CSV, Per::Kind, samples).unwrap();
        assert_eq!(names, ["_.csv", "frames.csv", "index.csv", "poses.csv"]);
        let poses = fs::read_to_string(dir.path().join("poses.csv")).unwrap();
        assert_eq!(poses, "time_ns,channel,value\n,174/poses,1.0\n,a/175/poses,1.0\n");
    }

    #[test]
    fn what_has_no_place_in_its_file_is_counted_and_not_in_the_index() {
        let text = Sample { value: Value::Text("t".into()), ..scalar("b/x", 0.0) };
        let (dir, _, report) = run(CSV, Per::Kind, [scalar("a/x", 1.0), text]).unwrap();
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
        let (dir, names, report) = run(CSV, Per::Channel, samples).unwrap();
        assert_eq!((names.len(), report.files), (1500 + 1, 1500));
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
        let (dir, ..) = run((TargetFormat::Pcd, PcdData::Ascii), Per::Channel, samples()).unwrap();
        for n in 0..=200 {
            let text = fs::read_to_string(dir.path().join(format!("{n}_points.pcd"))).unwrap();
            assert!(text.contains("\nPOINTS 2\n") && text.ends_with(&format!("\n{n} {n} {n}\n")), "{text}");
        }
        let compressed = (TargetFormat::Pcd, PcdData::BinaryCompressed);
        assert!(
            run(compressed, Per::Channel, samples()).is_err_and(|e| e.to_string().contains("use binary"))
        );
    }

    #[test]
    fn many_buffers_are_small() {
        assert_eq!([0, 4, 5, 5000].map(buffer_size), [1 << 20, 1 << 20, 838_860, 4 << 10]);
        assert!((0..1000).map(buffer_size).sum::<usize>() <= 27 << 20);
    }
}
