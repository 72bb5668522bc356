//! Every key of every truth file, from records, survey and samples; none is skipped.

use std::{
    collections::{BTreeMap, BTreeSet},
    f64::consts::{FRAC_PI_2, TAU},
    fs,
    path::Path,
};

use alog::{Decoder, Kind, NodeReport, Reader, Record, Seconds, StreamReader};
use robolog_core::{
    Cell, Event, FixQuality, LaserScan, Odometry, Sample, Value, format::Decoder as _, survey,
};
use serde_json::{Value as Json, json};

/// Compares the keys of a truth file one by one, and keeps track of them.
struct Compare<'t> {
    name: String,
    truth: &'t Json,
    done: BTreeSet<&'static str>,
}

impl<'t> Compare<'t> {
    fn new(name: &str, truth: &'t Json) -> Self {
        Self { name: name.to_owned(), truth, done: BTreeSet::new() }
    }

    fn same(&mut self, key: &'static str, got: impl Into<Json>) {
        let Some(want) = self.truth.get(key) else { return };
        assert_eq!(&got.into(), want, "{}: {key}", self.name);
        self.done.insert(key);
    }

    /// The truth's list under this key.
    fn list(&mut self, key: &'static str) -> Option<&'t [Json]> {
        let list = self.truth.get(key)?.as_array().unwrap();
        self.done.insert(key);
        Some(list)
    }

    fn finish(self) {
        let keys = self.truth.as_object().unwrap().keys();
        let left: Vec<_> = keys.filter(|key| !self.done.contains(key.as_str())).collect();
        assert!(left.is_empty(), "{}: not compared: {left:?}", self.name);
        println!("{}: {} keys equal", self.name, self.done.len());
    }
}

fn near(a: f64, b: &Json, within: f64, what: &str) {
    let b = b.as_f64().unwrap();
    assert!((a - b).abs() <= within, "{what}: {a} is not {b}");
}

/// All records that can be read.
fn records<'a>(reader: &Reader<'a>) -> Vec<Record<'a>> {
    reader.records().filter_map(Result::ok).collect()
}

/// The damaged bytes.
fn lost(file: &[u8]) -> Vec<&[u8]> {
    let mut reader = StreamReader::new(file).unwrap();
    let mut all = Vec::new();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(_) => {}
            Event::Damage { lost, .. } => {
                all.push(&file[usize::try_from(lost.start).unwrap()..usize::try_from(lost.end).unwrap()]);
            }
            Event::End => return all,
        }
    }
}

/// Compares the records, without the survey.
fn compare_records(compare: &mut Compare<'_>, file: &[u8]) {
    let reader = Reader::new(file).unwrap();
    let records: Vec<Record<'_>> = records(&reader);
    let entries: Vec<&Record<'_>> = records.iter().filter(|r| r.kind() == Kind::Entry).collect();
    let count = |is: &dyn Fn(&Record<'_>) -> bool| entries.iter().filter(|r| is(r)).count();
    let pairs = |is: &dyn Fn(&Record<'_>, &Record<'_>) -> bool| {
        entries.windows(2).filter(|pair| is(pair[0], pair[1])).count()
    };
    let header = reader.header();
    let comments = header.lines + records.iter().filter(|r| r.kind() == Kind::Comment).count() as u64;
    let continued: u64 = records.iter().map(Record::continuation_lines).sum();
    compare.same("comments", comments);
    compare.same("entries", entries.len());
    compare.same("continuation_lines", continued);
    let lost = lost(file);
    let lost_lines = lost.iter().flat_map(|lost| lost.split_inclusive(|b| *b == b'\n')).count() as u64;
    compare.same("lost_lines", lost_lines);
    compare.same("lines", comments + continued + entries.len() as u64 + lost_lines);
    compare.same("numeric_values", count(&|r| r.value().number().is_some()));
    compare.same("empty_values", count(&|r| r.value().is_empty()));
    compare.same("multi_line_values", count(&|r| r.continuation_lines() > 0));
    compare.same("negative_times", count(&|r| r.seconds().unwrap() < Seconds::default()));
    compare.same("out_of_order", pairs(&|a, b| b.seconds() < a.seconds()));
    compare.same("adjacent_duplicates", pairs(&|a, b| a.bytes() == b.bytes()));
    compare.same("aux_sources", count(&|r| r.auxiliary().is_some()));
    compare.same("marked_numbers", count(&|r| r.value().bytes().starts_with(b"D:")));
    compare.same("marked_strings", count(&|r| r.value().bytes().starts_with(b"S:")));
    assert_eq!(compare.truth["marked_numbers"].is_u64(), header.marks_types, "{}", compare.name);
    if let (None, Some(text)) = (header.logstart(), &header.logstart_text) {
        assert_eq!((compare.name.as_str(), &text[..]), ("logstart_garbage", &b"soon"[..]));
    } else {
        compare.same("logstart", header.logstart_text.clone().map(|t| String::from_utf8(t).unwrap()));
    }

    let times = || entries.iter().map(|r| r.seconds().unwrap());
    let number = |seconds: Option<Seconds>| Json::from(seconds.map(Seconds::as_f64));
    compare.same("first_time", number(times().next()));
    compare.same("last_time", number(times().next_back()));
    compare.same("min_time", number(times().min()));
    compare.same("max_time", number(times().max()));
    let mut variables = BTreeMap::<String, u64>::new();
    for entry in &entries {
        *variables.entry(String::from_utf8_lossy(&entry.name()).into_owned()).or_default() += 1;
    }
    compare.same("variables", variables.len());
    compare.same("sources", entries.iter().map(|r| r.application()).collect::<BTreeSet<_>>().len());
    compare.same("per_variable", json!(variables));
    let texts = records.iter().map(Record::bytes).chain([reader.header_bytes()]).chain(lost);
    let lines = texts.flat_map(|text| text.split(|b| *b == b'\n'));
    compare.same("longest_line", lines.map(<[u8]>::len).max());
    if let Some(warp) = compare.truth.get("warp") {
        near(header.warp().factor(), warp, 0.0, "warp");
        let start = header.time(Seconds::default()).unwrap().as_secs();
        near(start, &compare.truth["start_unix"], 1e-6, "start_unix");
        compare.done.extend(["warp", "start_unix"]);
    }
}

/// Whether a channel is that of a variable, not a derived one.
fn is_variable(channel: &str) -> bool {
    !channel.contains('/') && channel != "tf_static"
}

fn compare_survey(compare: &mut Compare<'_>, file: &[u8]) {
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    let details = &summary.details;
    compare.same("complete", summary.complete);
    compare.same("complete", summary.is_ok());
    let whole = compare.truth["complete"] != false;
    assert_eq!(summary.is_ok(), whole, "{}: {:?}", compare.name, summary.findings);
    compare.same("lost_bytes", summary.lost_bytes);
    compare.same("bytes", summary.bytes);
    compare.same("comments", details.comments);
    compare.same("entries", details.entries);
    compare.same("continuation_lines", details.continuation_lines);
    compare.same("numeric_values", details.numeric_values);
    compare.same("empty_values", details.empty_values);
    compare.same("negative_times", details.negative_times);
    compare.same("out_of_order", details.out_of_order);
    let garbage = summary.findings.iter().any(|f| f.code == "logstart");
    assert_eq!(garbage, compare.name == "logstart_garbage");
    compare.same("logstart", details.logstart.clone().filter(|_| !garbage));
    compare.same("variables", details.variables.len());
    compare.same("sources", details.sources);
    // Names that are not text are escaped here; the truth file has replacement characters.
    if compare.name != "not_utf8" {
        compare.same("per_variable", json!(details.variables));
    }
    // Derived channels have their own names: `channels.rs` compares those.
    let of_variables = summary.channels.iter().filter(|c| is_variable(&c.name));
    let channels: BTreeMap<_, _> = of_variables.map(|c| (&c.name, c.records)).collect();
    compare.same("per_variable", json!(channels));
    let each = || details.per_variable.iter();
    compare.same("sources", each().flat_map(|v| &v.sources).collect::<BTreeSet<_>>().len());
    compare.same("entries", each().map(|v| v.entries).sum::<u64>());
    compare.same("numeric_values", each().map(|v| v.numbers).sum::<u64>());
    compare.same("min_time", each().filter_map(|v| v.first).reduce(f64::min));
    compare.same("max_time", each().filter_map(|v| v.last).reduce(f64::max));
}

fn sampled(file: &[u8]) -> Vec<Sample> {
    let reader = Reader::new(file).unwrap();
    let mut maker = Decoder::new(reader.header(), alog::Options::default());
    let mut samples = Vec::new();
    let mut sink = |sample: &mut Sample| {
        samples.push(sample.clone());
        Ok::<(), alog::Error>(())
    };
    for record in records(&reader) {
        // An entry without an end is delivered and reported; nothing else is wrong.
        if let Err(error) = maker.samples(&record, &mut sink) {
            assert!(error.to_string().contains("end of a line"), "{error}");
        }
    }
    maker.last_samples(&mut sink).unwrap();
    samples
}

fn on_channel<'s>(samples: &'s [Sample], channel: &str) -> Vec<&'s Sample> {
    samples.iter().filter(|s| &*s.channel == channel).collect()
}

fn assert_time(sample: &Sample, want: &Json, zero: f64) {
    near(sample.time.unwrap().as_secs() - zero, want, 1e-6, &sample.channel);
}

fn odometry(sample: &Sample) -> &Odometry {
    let Value::Odometry(odometry) = &sample.value else { panic!("no odometry: {sample:?}") };
    odometry
}

fn scan(sample: &Sample) -> Option<&LaserScan> {
    if let Value::LaserScan(scan) = &sample.value { Some(scan) } else { None }
}

fn yaw(odometry: &Odometry) -> f64 {
    odometry.pose.orientation.euler_angles().2
}

/// Angles that differ by whole turns are the same.
fn same_angle(a: f64, b: f64) -> bool {
    let turn = (a - b).rem_euclid(TAU);
    turn.min(TAU - turn) < 2e-5
}

/// Rows of time, x, y and yaw. The y axis of New College's vehicle points ahead, and simulators have yaw zero in the
/// north: both differ by a quarter turn from x, which is ahead and east here.
fn compare_poses(samples: &[&Sample], want: &[Json], zero: f64) {
    assert_eq!(samples.len(), want.len());
    for (sample, row) in samples.iter().zip(want) {
        assert_time(sample, &row[0], zero);
        let position = odometry(sample).pose.position;
        assert_eq!(json!([position.x, position.y]), json!([row[1], row[2]]));
        let (got, want) = (yaw(odometry(sample)), row[3].as_f64().unwrap() + FRAC_PI_2);
        assert!(same_angle(got, want), "{got} is not {want}");
    }
}

fn compare_samples(compare: &mut Compare<'_>, file: &[u8]) {
    let samples = sampled(file);
    // Every entry is on its own channel, once.
    let mut own = BTreeMap::<String, u64>::new();
    for sample in samples.iter().filter(|s| is_variable(&s.channel)) {
        *own.entry(sample.channel.to_string()).or_default() += 1;
    }
    compare.same("per_variable", json!(own));

    if let Some(want) = compare.list("poses") {
        if compare.name == "nav" {
            let start = Reader::new(file).unwrap().header().logstart().unwrap().as_f64();
            compare_poses(&on_channel(&samples, "NAV/odometry"), want, start);
            assert_eq!(on_channel(&samples, "NAV/fix").len(), want.len());
        } else {
            compare_poses(&on_channel(&samples, "ODOMETRY_POSE"), want, 0.0);
        }
    }
    if let Some(want) = compare.list("raw_poses") {
        compare_poses(&on_channel(&samples, "RAW_ODOMETRY_POSE"), want, 0.0);
    }
    if let Some(want) = compare.list("fixes") {
        let got = on_channel(&samples, "GPS");
        assert_eq!(got.len(), want.len());
        for (sample, want) in got.iter().zip(want) {
            let Value::Row(row) = &sample.value else { panic!("no row: {sample:?}") };
            assert_time(sample, &want[0], 0.0);
            for (i, key) in ["time", "N", "E", "X", "Y", "Sats"].iter().enumerate() {
                assert_eq!(row.get(key), Some(&Cell::Float(want[i].as_f64().unwrap())), "{key}");
            }
        }
    }
    if let Some(want) = compare.list("gga") {
        compare_gga(&samples, want);
    }
    if let Some(want) = compare.list("scans") {
        let scans: Vec<_> = samples.iter().filter(|s| scan(s).is_some()).collect();
        assert_eq!(scans.len(), want.len());
        for (sample, want) in scans.iter().zip(want) {
            compare_scan(sample, want, file);
        }
    }
}

/// All sentences as text, and those with a right checksum also as fixes.
fn compare_gga(samples: &[Sample], want: &[Json]) {
    let texts = on_channel(samples, "GPS_RAW");
    assert_eq!(texts.len(), want.len());
    for sample in texts {
        assert!(matches!(&sample.value, Value::Text(text) if text.starts_with("$GPGGA,")));
    }
    let want: Vec<_> = want.iter().filter(|want| want["checksum_ok"] == true).collect();
    let fixes = on_channel(samples, "GPS_RAW/gnss_fix");
    assert_eq!(fixes.len(), want.len());
    for (sample, want) in fixes.iter().zip(want) {
        let Value::GnssFix(fix) = &sample.value else { panic!("no fix: {sample:?}") };
        assert_eq!((&*sample.frame_id, &want["quality"]), ("gps", &json!(2)));
        assert_eq!(fix.quality, FixQuality::Dgps);
        near(fix.latitude, &want["latitude_deg"], 1e-9, "latitude");
        near(fix.longitude, &want["longitude_deg"], 1e-9, "longitude");
        assert_eq!(json!(fix.satellites), want["satellites"]);
        assert_eq!(json!(fix.hdop), want["hdop"]);
        assert_eq!(json!(fix.altitude_msl), want["altitude_m"]);
        near(fix.altitude.unwrap() - fix.altitude_msl.unwrap(), &want["geoid_m"], 1e-9, "geoid");
    }
}

/// A scan's sums from the sample, and its error codes from the value.
fn compare_scan(sample: &Sample, want: &Json, file: &[u8]) {
    assert_eq!(&*sample.channel, want["name"].as_str().unwrap());
    assert_time(sample, &want["time"], 0.0);
    let scan = scan(sample).unwrap();
    let valid: Vec<f64> = scan.ranges.iter().filter(|r| !r.is_nan()).map(|r| f64::from(*r)).collect();
    assert_eq!(json!(valid.len()), want["valid"]);
    near(valid.iter().sum(), &want["ranges"], 1e-3, "ranges");
    assert_eq!(json!(scan.intensities.iter().map(|v| f64::from(*v)).sum::<f64>()), want["reflectances"]);
    assert_eq!((scan.ranges.len(), scan.intensities.len()), (181, 181));
    let degrees = |angle: f32| f64::from(angle).to_degrees() + 90.0;
    near(degrees(scan.angle(0)), &want["angle_min_deg"], 1e-4, "first angle");
    near(degrees(scan.angle(180)), &want["angle_max_deg"], 1e-4, "last angle");
    near(f64::from(scan.angle_increment).to_degrees(), &want["angle_step_deg"], 1e-6, "step");

    let reader = Reader::new(file).unwrap();
    let value = reader.records_from(sample.offset).next().unwrap().unwrap().value();
    near(value.get_number("ID").unwrap(), &want["id"], 0.0, "ID");
    near(value.get_number("scanCount").unwrap(), &want["scan_count"], 0.0, "scanCount");
    let ranges = value.get_matrix("Range").unwrap().to_vec().unwrap();
    let count = |code: f64| ranges.iter().filter(|r| **r == code).count();
    assert_eq!(json!([count(-1.0), count(-6.0)]), json!([want["minus_one"], want["minus_six"]]));
    for (range, sampled) in ranges.iter().zip(&scan.ranges) {
        assert_eq!(*range < 0.0, sampled.is_nan(), "an error code is no range");
    }
}

fn compare_values(compare: &mut Compare<'_>, fixture: &Path, file: &[u8]) {
    let reader = Reader::new(file).unwrap();
    let records = records(&reader);
    if let Some(want) = compare.list("numbers") {
        let numbers: Vec<_> = records.iter().filter_map(|r| r.value().number()).collect();
        assert_eq!(json!(numbers), json!(want));
        assert!(records.iter().all(|r| r.value().number().is_some() == (r.name() == b"NUMBER")));
        let scalar = |s: &Sample| if let Value::Scalar(n) = s.value { Some(n) } else { None };
        assert_eq!(sampled(file).iter().filter_map(scalar).collect::<Vec<_>>(), numbers);
    }
    if let Some(want) = compare.list("matrices") {
        let whole: Vec<_> = records.iter().filter(|r| r.name() == b"MATRIX").collect();
        assert_eq!(whole.len(), want.len());
        for (record, want) in whole.iter().zip(want) {
            let name = want[0].as_str().unwrap();
            let matrix = record.value().get_matrix(name).unwrap_or_else(|| panic!("{name}: {record:?}"));
            let numbers: Vec<_> = matrix.values().collect();
            assert_eq!(json!([name, matrix.rows, matrix.columns, numbers]), *want);
            assert_eq!(matrix.to_vec().is_none(), ["FEW", "MANY"].contains(&name), "{name}");
        }
        for record in records.iter().filter(|r| r.name() == b"BROKEN") {
            let numbers = record.value().get_matrix("A").and_then(|m| m.to_vec());
            let unread = numbers.is_none_or(|n| n.iter().any(|n| n.is_nan()));
            // Without its last brace it still has all its numbers.
            assert!(unread || record.time_text() == b"10.25000", "{record:?}");
        }
    }
    if let Some(want) = compare.list("binaries") {
        let blog = fs::read(fixture.with_extension("blog")).unwrap();
        compare.same("blog_bytes", blog.len());
        let pointers = records.iter().filter_map(|r| Some((r.name(), r.value().binary()?)));
        let payload = |(name, (file, offset, len)): (alog::RawText<'_>, (&[u8], u64, u64))| {
            assert_eq!(file, b"binary.blog");
            let from = usize::try_from(offset).unwrap();
            let bytes = &blog[from..from + usize::try_from(len).unwrap()];
            json!({"name": std::str::from_utf8(&name).unwrap(), "offset": offset, "bytes": bytes})
        };
        assert_eq!(pointers.map(payload).collect::<Vec<_>>(), want);
    }
    if let Some(want) = compare.list("node_reports") {
        let records = records.iter().filter(|r| r.name() == b"NODE_REPORT");
        let reports: Vec<_> = records.map(|r| NodeReport::parse(r.value())).collect();
        assert_eq!(reports.len(), want.len());
        let samples = sampled(file);
        let odometries = on_channel(&samples, "NODE_REPORT/odometry");
        assert_eq!(odometries.len(), reports.iter().filter(|r| r.x.is_some()).count());
        let fixes = on_channel(&samples, "NODE_REPORT/fix");
        assert_eq!(fixes.len(), reports.iter().filter(|r| r.latitude.is_some()).count());
        for (report, want) in reports.iter().zip(want) {
            assert_eq!(json!(report.time.map(|t| t.to_string())), want[0]);
            let place = [report.x, report.y, report.speed, report.heading, report.depth];
            let numbers = place.into_iter().chain([report.latitude, report.longitude]);
            assert!(numbers.eq((1..8).map(|i| want[i].as_f64())), "{report:?} is not {want}");
            if let Some(odometry) = report.odometry() {
                assert!(same_angle(yaw(&odometry), FRAC_PI_2 - report.heading.unwrap().to_radians()));
            }
        }
        for (sample, report) in odometries.iter().zip(&reports) {
            assert_time(sample, &json!(report.time.unwrap().as_f64()), 0.0);
        }
    }
}

#[test]
fn of_fixtures() {
    let (mut files, mut refused) = (0, 0);
    for extension in ["alog", "xlog", "klog"] {
        for fixture in testkit::fixtures("alog", extension) {
            let truth = fs::read(fixture.path.with_extension("truth.json")).unwrap();
            let truth: Json = serde_json::from_slice(&truth).unwrap();
            let mut compare = Compare::new(&fixture.name, &truth);
            let file = &fixture.bytes;
            compare.same("file", format!("{}.{extension}", fixture.name));
            compare.same("bytes", file.len());
            files += 1;
            if truth["refused"] == true {
                refused += 1;
                assert!(!alog::detect(file), "{}: is taken for a log", fixture.name);
            } else {
                assert!(alog::detect(file), "{}: is not taken for a log", fixture.name);
                compare.same("refused", Reader::new(file).is_err());
                compare.same("refused", StreamReader::new(&file[..]).is_err());
                compare_records(&mut compare, file);
                compare_survey(&mut compare, file);
                compare_samples(&mut compare, file);
                compare_values(&mut compare, &fixture.path, file);
            }
            compare.same("refused", !alog::detect(file));
            compare.finish();
        }
    }
    println!("{files} files, {refused} of them refused");
    assert!(files >= 46 && refused == 3, "{files} files, {refused} refused");
}

#[test]
fn of_real_logs() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let truth: Json = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let truth = truth.as_object().unwrap();
    for (path, truth) in truth {
        let file = fs::read(dir.join(path)).unwrap();
        let mut compare = Compare::new(path, truth);
        assert!(alog::detect(&file[..file.len().min(4096)]), "{path}");
        compare_records(&mut compare, &file);
        compare_survey(&mut compare, &file);
        compare_samples(&mut compare, &file);
        compare.finish();
    }
    assert_eq!(truth.len(), 16);
}

/// Counts that an independent script found in the New College excerpt, and that the vehicle moves where it looks.
#[test]
fn of_new_college() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let file = fs::read(dir.join("new_college/QuadTree_Alog.alog")).unwrap();
    let samples = sampled(&file);
    let scans: Vec<_> = samples.iter().filter_map(scan).collect();
    assert_eq!(scans.len(), 263 + 255);
    let ranges = || scans.iter().flat_map(|scan| scan.ranges.iter().copied());
    assert_eq!((ranges().count(), ranges().filter(|r| !r.is_nan()).count()), (93_758, 70_672));
    assert_eq!(ranges().filter(|r| !r.is_nan()).fold(0.0, f32::max), 28.512);
    assert!(scans.iter().all(|scan| scan.intensities.len() == 181));

    let reader = Reader::new(&file).unwrap();
    let (mut codes, mut without_blank) = ([0_u64; 2], 0);
    for record in reader.records().map(Result::unwrap) {
        for range in record.value().get_matrix("Range").iter().flat_map(alog::Matrix::values) {
            codes[0] += u64::from(range == -1.0);
            codes[1] += u64::from(range == -6.0);
        }
        let is_entry = record.kind() == Kind::Entry;
        without_blank += u32::from(is_entry && !record.bytes().ends_with(b" \n"));
    }
    assert_eq!((codes, without_blank), ([11_893, 11_193], 98));

    for channel in ["ODOMETRY_POSE", "RAW_ODOMETRY_POSE"] {
        let poses: Vec<_> = on_channel(&samples, channel).into_iter().map(|s| odometry(s).pose).collect();
        assert_eq!(poses.len(), 98);
        for pair in poses.windows(20) {
            let moved = pair[0].orientation.inverse() * (pair[19].position - pair[0].position);
            assert!(moved.norm() > 0.1 && moved.x > 0.9 * moved.norm(), "{channel}: {moved:?}");
        }
    }
}
