//! Samples, so that many of them can be compared.

use std::{
    collections::HashMap,
    fmt::{self, Write},
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::Arc,
};

use robolog_convert::Input;
use robolog_core::{Clock, Sample, Value};

/// What one sample is: its place in the file is left out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) channel: Arc<str>,
    pub(super) time: Option<(Clock, i64)>,
    pub(super) kind: &'static str,
    /// Of its frame and its value.
    digest: u64,
}

/// What is read of a file.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) format: &'static str,
    pub(super) samples: Vec<Key>,
    /// How many values the samples of each kind hold: points of clouds, ranges of scans.
    pub(super) values: HashMap<&'static str, u64>,
    /// Errors in the place of samples.
    pub(super) faults: Vec<String>,
}

impl Reading {
    /// Reads a file of the format that its bytes show, or fails as the program does.
    pub(super) fn of(path: &Path) -> Result<Self, String> {
        Self::of_input(Input::open(path).map_err(|e| e.to_string())?)
    }

    pub(super) fn of_input(input: Input) -> Result<Self, String> {
        let format = if input.is_dataset() { "effibox" } else { input.format().map_err(|e| e.to_string())? };
        let mut reading = Self { format, ..Self::default() };
        for sample in input.samples().map_err(|e| e.to_string())? {
            match sample {
                Ok(sample) => reading.take(&sample),
                Err(error) => reading.faults.push(error.to_string()),
            }
        }
        Ok(reading)
    }

    fn take(&mut self, sample: &Sample) {
        let values = match &sample.value {
            Value::PointCloud(cloud) => cloud.len(),
            Value::LaserScan(scan) => scan.ranges.len(),
            _ => 1,
        };
        *self.values.entry(sample.value.kind()).or_default() += values as u64;
        self.samples.push(Key {
            channel: Arc::clone(&sample.channel),
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
                column.iter().for_each(|number| hasher.write_u32(number.to_bits()));
            }
            (&cloud.time_offset, &cloud.return_number, &cloud.tag, &cloud.ring).hash(&mut hasher);
        }
        Value::Image(image) => {
            (image.width, image.height, image.encoding, &image.data[..]).hash(&mut hasher);
        }
        value => write!(Into(&mut hasher), "{value:?}").unwrap(),
    }
    hasher.finish()
}

/// Text into a digest.
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
            Some((clock, nanos)) => write!(f, "{} {} at {nanos} ns {}", self.kind, self.channel, clock.name()),
            None => write!(f, "{} {} without a time", self.kind, self.channel),
        }
    }
}

/// Whether two readings hold the same samples, in whichever order; else what the second lacks or has too much.
pub(super) fn same(whole: &[Key], other: &[Key]) -> Result<(), (String, String)> {
    if whole == other {
        return Ok(());
    }
    hold(whole, &[other])
}

/// Whether parts, one after another, hold the samples of the whole, each once. What a part begins with may be what an
/// earlier one held: the state without which it could not be read.
pub(super) fn hold(whole: &[Key], parts: &[&[Key]]) -> Result<(), (String, String)> {
    let mut left: HashMap<&Key, (u64, u64)> = HashMap::new();
    for key in whole {
        let (left, all) = left.entry(key).or_default();
        (*left, *all) = (*left + 1, *all + 1);
    }
    for (number, part) in parts.iter().enumerate() {
        let mut has_begun = number == 0;
        for key in *part {
            match left.get_mut(key) {
                None => return Err((stranger(whole, key), format!("part {number} of {}: {key}", parts.len()))),
                Some((0, all)) if has_begun && *all == 1 => {
                    return Err((format!("a sample of {} is there twice", key.kind), format!("part {number} of {}: {key}", parts.len())));
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

/// What a sample is that the whole does not hold.
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
        hold(&whole, &parts.iter().map(|part| &part[..]).collect::<Vec<_>>()).map_err(|(what, _)| what)
    };
    assert_eq!(holds(&[&[0, 1, 2], &[3, 4, 5]]), Ok(()));
    assert_eq!(holds(&[&[0, 1, 2], &[1, 3, 4, 5]]), Ok(()), "state");
    assert!(holds(&[&[0, 1, 2], &[3, 1, 4, 5]]).unwrap_err().contains("twice"));
    assert!(holds(&[&[0, 1, 2], &[4, 5]]).unwrap_err().contains("missing"));
    assert!(holds(&[&[0, 1, 2, 7], &[3, 4, 5]]).unwrap_err().contains("another time"));
}
