//! Folders of files, written without a recording.

use super::*;
#[cfg(feature = "to-parquet")]
use crate::sink::parquet::PARQUET;
use crate::{
    PcdData, Report,
    report::Counts,
    sink::{Selection, SinkOptions, csv::CSV, pcd::PCD},
};

fn scalar(channel: &str, value: f64) -> Sample {
    let value = Value::Scalar(value);
    Sample::new(channel, value)
}

fn run(
    target: &'static TargetSpec,
    options: &SinkOptions,
    per: Per,
    samples: impl IntoIterator<Item = Sample>,
) -> Result<(tempfile::TempDir, Vec<String>, Report)> {
    let dir = tempfile::tempdir().unwrap();
    let opening = Opening::new(options.clone(), per.selection(Selection::Everything));
    let mut files = Files::new(dir.path(), target, per, opening)?;
    let mut counts = Counts::default();
    for mut sample in samples {
        let outcome = files.write(&mut sample)?;
        counts.add(outcome, &sample.value);
    }
    let report = Report { files: files.written(), ..Report::default().with(counts) };
    Box::new(files).finish()?;
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
    assert_eq!(names, ["A_b_3.csv", "_csv-metadata.json", "_index.csv", "a_b.csv", "a_b_2.csv", "index.csv"]);
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
    let text = scalar("b/x", 0.0).with_value(Value::Text("t".into()));
    let (dir, _, report) = run_csv(Per::Name, [scalar("a/x", 1.0), text]).unwrap();
    assert_eq!((report.written["scalar"].samples, report.left_out["text"].samples), (1, 1));
    let index = fs::read_to_string(dir.path().join(INDEX)).unwrap();
    assert_eq!(index, "file,time_ns,channel,values\nx.csv,,x,1\n");
}

#[test]
fn thousands_of_channels_in_turn() {
    let count = testkit::bound(600, 1500_u16);
    let samples = (0..20).flat_map(|round| (0..count).map(move |n| (round, n)));
    let long = |round| Value::Text(format!("{round} {}", "x".repeat(1000)));
    let samples = samples.map(|(round, n)| scalar(&format!("{n}/v"), 0.0).with_value(long(round)));
    let (dir, names, report) = run_csv(Per::Channel, samples).unwrap();
    assert_eq!((names.len(), report.files), (usize::from(count) + 2, count.into()));
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
        scalar(&format!("{n}/points"), 0.0).with_value(Value::PointCloud(cloud))
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
        (0..16_u8).flat_map(move |round| (0..count).map(move |n| (round, n))).map(|(round, n)| {
            let text = Value::Text(format!("{round} {}", "x".repeat(4000)));
            scalar(&format!("{n}/v"), 0.0).with_value(text)
        })
    };
    let (dir, names, report) = run(&PARQUET, &SinkOptions::default(), Per::Channel, samples(600)).unwrap();
    assert_eq!((names.len(), report.files, report.written["text"].samples), (601, 600, 9600));
    let mut groups = 0;
    for n in 0..600 {
        let path = dir.path().join(format!("{n}_v.parquet"));
        let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let meta = file.metadata();
        assert_eq!(meta.file_metadata().num_rows(), 16);
        groups += meta.num_row_groups();
    }
    // The first 8320 rows fill the room. After that, every 14th or 15th row ends a group, and its file goes on with another,
    // unless it was the last row of the file.
    assert!((640..660).contains(&groups), "{groups}");
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
    assert_eq!(name("a.b.."), "kind=scalar/channel=a.b.%2E/part-0.parquet", "Windows drops the last dot");
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
    let mut files = Files::new(dir.path(), &PARQUET, Per::Name, opening).unwrap();
    let fields: Arc<[robolog_core::Field]> =
        ["Kind", "group"].map(|name| robolog_core::Field::new(name, robolog_core::FieldKind::Int)).into();
    let row = Value::Row(robolog_core::Row::new(fields, vec![1.into(), 2.into()]));
    let row = scalar("7/poses", 0.0).with_value(row);
    for mut sample in [scalar("1/x", 1.0), scalar("2/x", 2.0), row] {
        files.write(&mut sample).unwrap();
    }
    Box::new(files).finish().unwrap();
    let columns = |name: &str| {
        let file = File::open(dir.path().join(name)).unwrap();
        let file = parquet::file::reader::SerializedFileReader::new(file).unwrap();
        let schema = parquet::file::reader::FileReader::metadata(&file).file_metadata().schema_descr();
        let names = schema.columns().iter().map(|c| c.name().to_owned()).collect::<Vec<_>>();
        names.join(" ")
    };
    // The file holds several channels, so the channel is a column; readers add the columns kind and group.
    assert_eq!(columns("kind=scalar/group=x/part-0.parquet"), "time_ns time channel value");
    assert_eq!(columns("kind=row/group=poses/part-0.parquet"), "time_ns time channel Kind_2 group_2");
    let visible = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut visible: Vec<_> = visible.filter(|name| !name.starts_with(['_', '.'])).collect();
    visible.sort();
    assert_eq!(visible, ["kind=row", "kind=scalar"], "Spark and PyArrow read everything else as a table");
}

#[cfg(feature = "to-parquet")]
#[test]
fn no_table_has_a_name_that_readers_of_folders_skip() {
    let samples = ["/fix", "fix", "_", "", "con", "_con", "_._x"].map(|channel| scalar(channel, 1.0));
    let (_, names, _) = run(&PARQUET, &SinkOptions::default(), Per::Channel, samples).unwrap();
    // No name is a device of Windows either.
    let want = [
        "_index.csv",
        "con_.parquet",
        "con__2.parquet",
        "fix.parquet",
        "fix_2.parquet",
        "unnamed.parquet",
        "unnamed_2.parquet",
        "x.parquet",
    ];
    assert_eq!(names, want);
}
