//! Digests of samples, to compare many of them.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, HashSet},
    fmt::{self, Write},
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::Arc,
};

use carla_rec::Release;
use koblenz_log::{AccelerationUnit, QuaternionOrder, SizeCounts};
use robolog_convert::{Input, Settings};
use robolog_core::{Cell, Clock, GnssFix, PointCloud, Sample, Value};

/// Digest of a sample, without its offset.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) channel: Arc<str>,
    pub(super) time: Option<(Clock, i64)>,
    pub(super) kind: &'static str,
    /// Digest of its frame and value.
    digest: u64,
}

/// The result of reading a file.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) format: &'static str,
    pub(super) samples: Vec<Key>,
    /// Number of values per kind: points of clouds, ranges of scans.
    pub(super) values: HashMap<&'static str, u64>,
    /// Points of each channel, whatever their clouds.
    pub(super) points: Points,
    /// The channels with several returns. How far their points lie apart follows from packages on both sides.
    pub(super) duals: HashSet<Arc<str>>,
    /// Errors in place of samples.
    pub(super) faults: Vec<String>,
}

/// How many points each channel has, and sums of their digests, without their times and with them, which are the same
/// in any order.
pub(super) type Points = BTreeMap<Arc<str>, (u64, [u64; 2])>;

/// Error text for a recording without faults that no public code can read.
const CLOSED: &str = "closed codec";

/// Dialect of the records of a file, if inferred from most of them.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    release: Option<Release>,
    sizes: Option<SizeCounts>,
}

impl Dialect {
    /// The dialect of a file. `None` if it matches no release and cannot be named.
    pub(super) fn of(path: &Path, format: &str) -> Option<Self> {
        let mut dialect = Self::default();
        match format {
            "carla-rec" => {
                dialect.release = Some(carla_rec::open(path).ok()?.header().dialect.release()?);
            }
            "koblenz-log" => dialect.sizes = Some(koblenz_log::open(path).ok()?.header().sizes()),
            _ => {}
        }
        Some(dialect)
    }
}

/// The order of quaternions is inferred for each file separately.
fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.koblenz.quaternion = Some(QuaternionOrder::default());
    settings.koblenz.acceleration = Some(AccelerationUnit::default());
    settings
}

impl Reading {
    /// Reads a file with its detected format, or fails like the program.
    pub(super) fn of(path: &Path) -> Result<Self, String> {
        Self::of_input(Input::open(path).map_err(|e| e.to_string())?)
    }

    /// Reads a file in the dialect of the file it comes from.
    pub(super) fn in_dialect(path: &Path, dialect: &Dialect) -> Result<Self, String> {
        let mut settings = settings();
        settings.carla.dialect = dialect.release;
        settings.koblenz.sizes = dialect.sizes;
        Self::with(Input::open(path).map_err(|e| e.to_string())?, &settings)
    }

    pub(super) fn of_input(input: Input) -> Result<Self, String> {
        Self::with(input, &settings())
    }

    fn with(input: Input, settings: &Settings) -> Result<Self, String> {
        let format =
            if input.is_dataset() { "effibox" } else { input.format().map_err(|e| e.to_string())? };
        let mut reading = Self { format, ..Self::default() };
        for sample in input.samples_with(None, settings).map_err(|e| e.to_string())? {
            match sample {
                Ok(sample) => reading.take(&sample),
                Err(error) if error.to_string().contains(CLOSED) => {}
                Err(error) => reading.faults.push(error.to_string()),
            }
        }
        Ok(reading)
    }

    /// Whether a part of it is an entry or two, spoilt so that they do not show that they are a log, or lines of a
    /// table that got into it.
    pub(super) fn is_remnant(&self, part: &Path) -> bool {
        let is_unknown = || Input::open(part).is_ok_and(|part| part.format().is_err());
        let text = || String::from_utf8_lossy(&std::fs::read(part).unwrap()).into_owned();
        let is_row = |line: &&str| !line.trim_ascii().is_empty() && !line.starts_with('%');
        let rows = || text().lines().filter(is_row).count();
        let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
        let is_table =
            || text().lines().filter(is_row).all(|line| is_number(line.split_ascii_whitespace().nth(2)));
        self.format == "alog" && is_unknown() && (!self.faults.is_empty() || rows() < 10 || is_table())
    }

    fn take(&mut self, sample: &Sample) {
        let values = match &sample.value {
            Value::PointCloud(cloud) => cloud.len(),
            Value::LaserScan(scan) => scan.ranges.len(),
            _ => 1,
        };
        *self.values.entry(sample.value.kind()).or_default() += values as u64;
        let channel = match self.format {
            // A table by itself is called as its file is, and so are its parts.
            "effibox" => sample.channel.rsplit('/').next().unwrap_or_default().into(),
            // Lines and tracks are numbered in each file anew.
            "kml" => sample.channel.trim_end_matches(|c: char| c.is_ascii_digit()).into(),
            _ => Arc::clone(&sample.channel),
        };
        if let Value::PointCloud(cloud) = &sample.value {
            if cloud.return_number.iter().any(|number| *number > 0) {
                self.duals.insert(Arc::clone(&channel));
            }
            let points = points(cloud, sample.time.map_or(0, robolog_core::Timestamp::nanos));
            add(&mut self.points, &channel, (cloud.len() as u64, points));
        }
        self.samples.push(Key {
            channel,
            time: sample.time.map(|time| (time.clock(), time.nanos())),
            kind: sample.value.kind(),
            digest: digest(sample),
        });
    }
}

fn digest(sample: &Sample) -> u64 {
    let mut hasher = DefaultHasher::new();
    sample.frame_id.hash(&mut hasher);
    match &sample.value {
        Value::PointCloud(cloud) => {
            for column in [&cloud.x, &cloud.y, &cloud.z, &cloud.intensity] {
                column.len().hash(&mut hasher);
                for number in column {
                    hasher.write_u32(number.to_bits());
                }
            }
            (&cloud.time_offset, &cloud.return_number, &cloud.tag, &cloud.ring).hash(&mut hasher);
        }
        Value::Image(image) => {
            (image.width, image.height, image.encoding, &image.data[..]).hash(&mut hasher);
        }
        // A part of a track has no column of values that none of its places has.
        Value::GnssFix(fix) => {
            let cells = fix.measured.iter().flat_map(|row| row.iter());
            let cells = cells.filter(|(_, cell)| **cell != Cell::Null);
            let cells: Vec<_> = cells.map(|(field, cell)| (&field.name, cell)).collect();
            let fix = GnssFix { measured: None, ..fix.clone() };
            write!(Into(&mut hasher), "{fix:?} {cells:?}").unwrap();
        }
        value => write!(Into(&mut hasher), "{value:?}").unwrap(),
    }
    hasher.finish()
}

/// The sums of the digests of all points: where each is and what it is, and the same with when it was measured.
fn points(cloud: &PointCloud, start: i64) -> [u64; 2] {
    let mut sums = [0_u64; 2];
    for at in 0..cloud.len() {
        let mut hasher = DefaultHasher::new();
        for column in [&cloud.x, &cloud.y, &cloud.z, &cloud.intensity] {
            column.get(at).map(|number| number.to_bits()).hash(&mut hasher);
        }
        (cloud.return_number.get(at), cloud.tag.get(at), cloud.ring.get(at)).hash(&mut hasher);
        sums[0] = sums[0].wrapping_add(hasher.finish());
        let offset = cloud.time_offset.get(at).map_or(0, |offset| i64::from(*offset));
        start.wrapping_add(offset).hash(&mut hasher);
        sums[1] = sums[1].wrapping_add(hasher.finish());
    }
    sums
}

fn add(points: &mut Points, channel: &Arc<str>, (count, sums): (u64, [u64; 2])) {
    let (all, together) = points.entry(Arc::clone(channel)).or_default();
    *all += count;
    together.iter_mut().zip(sums).for_each(|(all, sum)| *all = all.wrapping_add(sum));
}

/// Adds text to a digest.
struct Into<'a>(&'a mut DefaultHasher);

impl Write for Into<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            Some((clock, nanos)) => {
                write!(f, "{} {} at {nanos} ns {}", self.kind, self.channel, clock.name())
            }
            None => write!(f, "{} {} without a time", self.kind, self.channel),
        }
    }
}

/// Whether two readings hold the same samples, but for what no part need hold.
pub(super) fn same_by_itself(whole: &[Key], other: &[Key], format: &str) -> Result<(), (String, String)> {
    let [whole, other] =
        [whole, other].map(|keys| keys.iter().map(|key| key.by_itself(format)).collect::<Vec<_>>());
    same(&whole, &other)
}

/// Whether two readings hold the same samples, in whichever order; else what the second lacks or has too much.
pub(super) fn same(whole: &[Key], other: &[Key]) -> Result<(), (String, String)> {
    if whole == other {
        return Ok(());
    }
    hold(whole, &[other], "")
}

impl Key {
    /// Whether it tells how things stand where a part begins: what is there already is introduced again. A receiver
    /// repeats its last sentence until it has another, and a placemark is whole but for the places of its tracks.
    pub(super) fn is_state(&self, format: &str, start: Option<(Clock, i64)>, is_first: bool) -> bool {
        (self.kind == "transform" && self.time.is_none())
            || (format == "pcap" && self.channel.contains("/gps/") && is_first)
            || (format == "kml" && self.time.is_none())
            || (format == "carla-rec" && self.kind == "row" && self.time == start)
    }

    /// Whether it is put together of records that a border may take apart, so that no part need hold the same.
    pub(super) fn is_joint(&self, format: &str) -> bool {
        match format {
            "alog" => self.channel.starts_with("NAV/"),
            "carla-rec" => &*self.channel == "actors",
            "effibox" | "nmea" => self.kind == "satellites",
            _ => self.kind == "point_cloud",
        }
    }

    /// The same without what follows from records before it: a difference, a place in a count. Those may lie in
    /// another part.
    fn by_itself(&self, format: &str) -> Self {
        let is_derived = match format {
            "alog" => self.kind == "odometry" && self.channel.ends_with("/odometry"),
            "carla-rec" => self.channel.ends_with("/kinematics") || &*self.channel == "collisions",
            _ => false,
        };
        Self { digest: if is_derived { 0 } else { self.digest }, ..self.clone() }
    }
}

/// Start of a part.
pub(super) fn start(samples: &[Key]) -> Option<(Clock, i64)> {
    samples.iter().find_map(|key| key.time)
}

/// Points in a packet of a Velodyne.
const FIRINGS: u64 = 384;

/// Whether parts, one after another, hold the samples of the whole, each once, and the points of its clouds. What a
/// part begins with may be what an earlier one held: the state without which it could not be read.
pub(super) fn parts_hold(whole: &Reading, parts: &[&Reading]) -> Result<(), (String, String)> {
    let single = |reading: &Reading| -> Vec<Key> {
        let single = reading.samples.iter().filter(|key| !key.is_joint(reading.format));
        single.map(|key| key.by_itself(reading.format)).collect()
    };
    let singles: Vec<_> = parts.iter().map(|part| single(part)).collect();
    hold(&single(whole), &singles.iter().map(Vec::as_slice).collect::<Vec<_>>(), whole.format)?;
    let mut points = Points::new();
    for (channel, of_part) in parts.iter().flat_map(|part| &part.points) {
        add(&mut points, channel, *of_part);
    }
    // Where a Velodyne's firings point and when they were is known from packets on both sides: at a border one may be
    // lost.
    let lost = (parts.len() as u64).saturating_sub(1) * u64::from(whole.format != "lvx") * FIRINGS;
    let is_exact = whole.format == "lvx";
    if !is_exact && !whole.faults.is_empty() {
        return Ok(());
    }
    for (channel, of_whole) in &whole.points {
        let of_parts = points.remove(channel).unwrap_or_default();
        let what = match of_parts.0.cmp(&of_whole.0) {
            Ordering::Less if of_parts.0 + lost >= of_whole.0 => continue,
            Ordering::Greater if of_whole.0 + lost >= of_parts.0 => continue,
            Ordering::Less => "points are missing",
            Ordering::Greater => "there are points too many",
            Ordering::Equal if of_parts.1[0] != of_whole.1[0] && is_exact => "other points",
            Ordering::Equal
                if of_parts.1[1] != of_whole.1[1] && is_exact && !whole.duals.contains(channel) =>
            {
                "points of other times"
            }
            Ordering::Equal => continue,
        };
        return Err((what.into(), format!("{} of {channel}, and {} in parts", of_whole.0, of_parts.0)));
    }
    match points.into_iter().find(|(_, (count, _))| *count > lost) {
        Some((channel, (count, _))) => {
            Err(("points of another channel".into(), format!("{count} of {channel}")))
        }
        None => Ok(()),
    }
}

fn hold(whole: &[Key], parts: &[&[Key]], format: &str) -> Result<(), (String, String)> {
    let mut left: HashMap<&Key, (u64, u64)> = HashMap::new();
    for key in whole {
        let (left, all) = left.entry(key).or_default();
        (*left, *all) = (*left + 1, *all + 1);
    }
    for (number, part) in parts.iter().enumerate() {
        let (mut has_begun, start) = (number == 0, start(part));
        let mut channels = HashSet::new();
        for key in *part {
            let is_first = channels.insert(&key.channel);
            match left.get_mut(key) {
                None | Some((0, _)) if key.is_state(format, start, is_first) => {}
                None => {
                    return Err((stranger(whole, key), format!("part {number} of {}: {key}", parts.len())));
                }
                Some((0, all)) if has_begun && *all == 1 => {
                    return Err((
                        format!("a sample of {} is there twice", key.kind),
                        format!("part {number} of {}: {key}", parts.len()),
                    ));
                }
                Some((0, _)) => {}
                Some((left, _)) => {
                    *left -= 1;
                    has_begun = true;
                }
            }
        }
    }
    let missing: Vec<_> = whole.iter().filter(|key| left[key].0 > 0).collect();
    match missing.first() {
        None => Ok(()),
        Some(first) => Err((
            format!("samples of {} are missing", first.kind),
            format!("{} of {}, first {first}", missing.len(), whole.len()),
        )),
    }
}

/// Describes a sample that the whole does not have.
fn stranger(whole: &[Key], key: &Key) -> String {
    let is_like = |other: &&Key| other.channel == key.channel && other.kind == key.kind;
    let what = if whole.iter().filter(is_like).any(|other| other.time == key.time) {
        "another value"
    } else if whole.iter().filter(is_like).any(|other| other.digest == key.digest) {
        "another time"
    } else if whole.iter().any(|other| is_like(&other)) {
        "another value and time"
    } else {
        "a channel that was not there"
    };
    format!("a sample of {} has {what}", key.kind)
}

#[test]
fn parts_hold_the_whole_and_begin_with_state() {
    let key = |n: i64| Key { channel: "a".into(), time: Some((Clock::Unix, n)), kind: "row", digest: 0 };
    let whole: Vec<Key> = (0..6).map(key).collect();
    let part = |numbers: &[i64]| numbers.iter().map(|n| key(*n)).collect::<Vec<_>>();
    let holds = |parts: &[&[i64]]| {
        let parts: Vec<_> = parts.iter().map(|numbers| part(numbers)).collect();
        hold(&whole, &parts.iter().map(|part| &part[..]).collect::<Vec<_>>(), "").map_err(|(what, _)| what)
    };
    assert_eq!(holds(&[&[0, 1, 2], &[3, 4, 5]]), Ok(()));
    assert_eq!(holds(&[&[0, 1, 2], &[1, 3, 4, 5]]), Ok(()), "state");
    assert!(holds(&[&[0, 1, 2], &[3, 1, 4, 5]]).unwrap_err().contains("twice"));
    assert!(holds(&[&[0, 1, 2], &[4, 5]]).unwrap_err().contains("missing"));
    assert!(holds(&[&[0, 1, 2, 7], &[3, 4, 5]]).unwrap_err().contains("another time"));
}
