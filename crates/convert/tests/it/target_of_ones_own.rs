//! A target takes one file, such as this, and one row: [`targets::ALL`](robolog_convert::targets::ALL) has the rows of
//! those that are built in, [`ALL`] has this one's.

use std::{
    fs,
    io::{Cursor, Write},
};

use robolog_convert::{
    Advice, Destination, Error, Feed, Opening, Outcome, Per, Reason, Result, Selection, Sink, SinkOptions,
    TargetSpec, convert, convert_into_folder,
    sink::{self, Holds, Lacks},
    target::Existing,
    targets,
};
use robolog_core::{LaserScan, PointCloud, Sample, Value};

/// Numbers of points.
static TALLY: TargetSpec = TargetSpec {
    name: "tally",
    extensions: &["tally"],
    about: "how many points each cloud has, a line each",
    holds: Holds::Points,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: |sample, _| matches!(sample.value, Value::PointCloud(_)),
    instead: |sample| matches!(sample.value, Value::Text(_)).then_some(Advice::WriteAs("alog")),
    open: |out, opening| Ok(Box::new(Tally { out, channels: opening.channels })),
};

/// The row.
static ALL: &[&TargetSpec] = &[&TALLY];

struct Tally<W> {
    out: W,
    channels: sink::Channels,
}

impl<W: Write> Sink for Tally<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
        if self.channels == sink::Channels::Several {
            write!(self.out, "{} ", sample.channel)?;
        }
        writeln!(self.out, "{}", cloud.len())?;
        Ok(Outcome::Written)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

fn sample(channel: &str, value: Value) -> Sample {
    Sample::new(channel, value).with_frame("f")
}

fn samples() -> Vec<Sample> {
    let cloud = |n| {
        let column = vec![1.0; n];
        let cloud = PointCloud { x: column.clone(), y: column.clone(), z: column, ..PointCloud::default() };
        Value::PointCloud(cloud)
    };
    vec![sample("a", cloud(2)), sample("b", cloud(3)), sample("t", Value::Text("x".into()))]
}

#[test]
fn one_file_takes_what_the_target_takes() {
    let out = tempfile::NamedTempFile::new().unwrap();
    let mut sink = TALLY.open(out.reopen().unwrap(), &Opening::default()).unwrap();
    let report = convert(vec![Feed::of_samples(samples())], &mut *sink, &mut |_| {}).unwrap();
    sink.finish().unwrap();
    assert_eq!(fs::read_to_string(out.path()).unwrap(), "a 2\nb 3\n");
    assert_eq!((report.written["point_cloud"].values, report.left_out["text"].samples), (5, 1));
}

#[test]
fn a_folder_has_files_with_its_extension_and_its_advice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let to = Destination { path: &path, existing: Existing::Keep, options: &SinkOptions::default() };
    let feeds = || vec![Feed::of_samples(samples())];
    convert_into_folder(feeds(), &TALLY, Per::Channel, &to, &mut |_| {}).unwrap();
    assert_eq!(fs::read_to_string(path.join("b.tally")).unwrap(), "3\n");
    assert!(matches!(
        convert_into_folder(feeds(), &TALLY, Per::Channel, &to, &mut |_| {}),
        Err(error @ Error::Exists(_)) if error.advice() == Some(Advice::Replace)
    ));
    let again = Destination { existing: Existing::Replace, ..to };
    let text = vec![Feed::of_samples(samples().split_off(2))];
    let error = convert_into_folder(text, &TALLY, Per::Frame, &again, &mut |_| {}).unwrap_err();
    assert!(matches!(&error, Error::Empty(Reason::NoPlace { kinds, .. }) if kinds == "1 text"));
    assert_eq!(error.advice(), Some(Advice::WriteAs("alog")));
    let scan = sample("l", Value::LaserScan(LaserScan::default()));
    assert_eq!(TALLY.advice(&scan), Some(Advice::ScanPoints), "as every target that holds points");
}

#[test]
fn a_name_and_an_extension_belong_to_one_target() {
    for list in [targets::ALL, ALL] {
        for (i, target) in list.iter().enumerate() {
            assert!(list[..i].iter().all(|other| other.name != target.name), "{}", target.name);
            assert!(!target.about.ends_with('.') && !target.extensions.is_empty(), "{}", target.name);
        }
    }
    assert!(targets::by_name("tally").is_err_and(|e| e.to_string().contains("there is no output format")));
}

#[test]
fn a_closure_is_a_sink_and_may_keep_what_it_is_lent() {
    let mut kept = Vec::new();
    {
        let mut keep = sink::from_fn(|sample| {
            kept.push(sample.value.take());
            Ok(Outcome::Written)
        });
        convert(vec![Feed::of_samples(samples())], &mut keep, &mut |_| {}).unwrap();
    }
    assert!(matches!(&kept[..], [Value::PointCloud(_), Value::PointCloud(_), Value::Text(_)]));
}

#[test]
fn scans_become_points_only_when_asked_for() {
    let scan = || {
        let scan = LaserScan { ranges: vec![1.0, 2.0], angle_increment: 0.1, ..LaserScan::default() };
        sample("l", Value::LaserScan(scan))
    };
    for (selection, took) in
        [(Selection::Everything, Outcome::LeftOut), (Selection::Channels, Outcome::Written)]
    {
        let mut sink = sink::ply::PLY.open(Cursor::new(Vec::new()), &selection.into()).unwrap();
        assert_eq!(sink.write(&mut scan()).unwrap(), took);
        assert_eq!(sink.advice().is_some(), took == Outcome::LeftOut);
    }
}
