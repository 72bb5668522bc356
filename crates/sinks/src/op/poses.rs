//! Poses of a body over time, by which points are placed.

mod collected;

use std::{
    io::{BufRead, Read},
    sync::Arc,
};

use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use robolog_core::{Clock, Limits, Timestamp};

pub use self::collected::Collected;
use crate::{Error, Reason, Result, text::decimal};

/// Poses of a body in order of time.
///
/// ```
/// use robolog_sinks::op::Poses;
/// let text = "# time x y z qx qy qz qw\n1700000000.5 1 2 3 0 0 0 1\n";
/// let poses = Poses::from_tum(text.as_bytes(), Default::default())?;
/// assert_eq!((poses.len(), poses.frame_id()), (1, "map"));
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Poses {
    clock: Option<Clock>,
    pub(super) list: Vec<(i64, Isometry3<f64>)>,
    frame_id: Arc<str>,
    body: Option<String>,
}

/// Bytes of a pose in memory.
const BYTES: usize = size_of::<(i64, Isometry3<f64>)>();
/// Maximum length of a line of eight numbers.
const LONGEST: u64 = 4096;
/// Seconds from which times without a clock are taken as Unix time: 2001-09-09. No device has been on that long.
const UNIX_FROM: i64 = 1_000_000_000;

impl Poses {
    /// Reads the text format of `evo` and the TUM benchmark: `time x y z qx qy qz qw` per line, seconds and metres.
    ///
    /// Returns an error for any other line, a zero quaternion, and more poses than fit into the maximum size of a
    /// record in `limits`: four million by default.
    pub fn from_tum(mut text: impl BufRead, limits: Limits) -> Result<Self> {
        let (mut found, mut line, mut number) = (Found::new(limits), String::new(), 0_u64);
        loop {
            line.clear();
            number += 1;
            if text.by_ref().take(LONGEST).read_line(&mut line)? == 0 {
                break;
            }
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = || invalid(format!("line {number} is not like `1700000000.5 1 2 3 0 0 0 1`"));
            let mut parts = line.split_whitespace();
            let time = parts.next().and_then(seconds).ok_or_else(wrong)?;
            let numbers: Vec<f64> = parts.filter_map(|part| part.parse().ok()).collect();
            let isometry = <[f64; 7]>::try_from(numbers).ok().and_then(isometry).ok_or_else(wrong)?;
            found.push(time, isometry)?;
        }
        Self::of(found.list, None, "map".into(), None)
    }

    /// Reads a table with a header, as robolog writes poses: `time_ns` or `timestamp` (seconds), `x`, `y`, `z`, `qx`,
    /// `qy`, `qz`, `qw`, and other columns. Returns the errors of [`from_tum`](Self::from_tum), and one for poses of
    /// several channels.
    pub fn from_csv(text: impl Read, limits: Limits) -> Result<Self> {
        let mut reader = csv::Reader::from_reader(text);
        let header = reader.headers().map_err(|e| invalid(e.to_string()))?.clone();
        let place = |name: &str| header.iter().position(|column| column.trim() == name);
        let nanos = place("time_ns");
        let (Some(time), [Some(x), Some(y), Some(z), Some(qx), Some(qy), Some(qz), Some(qw)]) =
            (nanos.or_else(|| place("timestamp")), ["x", "y", "z", "qx", "qy", "qz", "qw"].map(place))
        else {
            return Err(invalid("it has no columns time_ns or timestamp, x, y, z, qx, qy, qz, qw".into()));
        };
        let (mut found, channel) = (Found::new(limits), place("channel"));
        let mut frame_id: Arc<str> = "map".into();
        let (mut first, mut record) = (None, csv::StringRecord::new());
        while reader.read_record(&mut record).map_err(|e| invalid(e.to_string()))? {
            let line = record.position().map_or(0, csv::Position::line);
            let text = |i: usize| record.get(i).unwrap_or("").trim();
            let wrong = || invalid(format!("line {line} is no pose with a time"));
            let time = if nanos.is_some() { text(time).parse().ok() } else { seconds(text(time)) };
            let numbers = [x, y, z, qx, qy, qz, qw].map(|i| text(i).parse().unwrap_or(f64::NAN));
            if let Some(channel) = channel {
                let first = first.get_or_insert_with(|| text(channel).to_owned());
                if *first != text(channel) {
                    let both = format!("poses of several channels, {first} and {}", text(channel));
                    return Err(invalid(both));
                }
            }
            if let Some(i) = place("frame_id").filter(|i| found.list.is_empty() && !text(*i).is_empty()) {
                frame_id = text(i).into();
            }
            let isometry = isometry(numbers).ok_or_else(wrong)?;
            found.push(time.ok_or_else(wrong)?, isometry)?;
        }
        Self::of(found.list, None, frame_id, None)
    }

    fn of(
        mut list: Vec<(i64, Isometry3<f64>)>,
        clock: Option<Clock>,
        frame_id: Arc<str>,
        body: Option<String>,
    ) -> Result<Self> {
        list.sort_by_key(|(time, _)| *time);
        list.dedup_by_key(|(time, _)| *time);
        let (first, _) = list.first().ok_or_else(|| invalid("it has no pose with a time".into()))?;
        let is_dated = *first >= UNIX_FROM * 1_000_000_000;
        let clock = clock.or(is_dated.then_some(Clock::Unix));
        Ok(Self { clock, list, frame_id, body })
    }

    /// Number of poses, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Clock of the times, if known. Text formats name none; seconds from 10⁹ are taken as Unix time.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Reference frame; `map` if it has no name.
    pub fn frame_id(&self) -> &str {
        &self.frame_id
    }

    pub(super) fn frame(&self) -> Arc<str> {
        Arc::clone(&self.frame_id)
    }

    /// Frame of the moving body, if it has a name.
    pub fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }

    /// The pose at a time, interpolated between two that are at most `gap` nanoseconds apart. `at` is the index of the
    /// last pose found.
    #[expect(clippy::cast_precision_loss, reason = "a gap in nanoseconds; a double holds 104 days of them")]
    pub(super) fn at(&self, time: i64, gap: i64, at: &mut usize) -> Option<Isometry3<f64>> {
        let between = |i: usize| Some((self.list.get(i)?, self.list.get(i.checked_add(1)?)?));
        let holds = |i: usize| between(i).is_some_and(|(a, b)| (a.0..b.0).contains(&time));
        if !holds(*at) {
            *at = self.list.partition_point(|(t, _)| *t <= time).checked_sub(1)?;
        }
        let (from, pose) = self.list.get(*at)?;
        if *from == time {
            return Some(*pose);
        }
        let (to, next) = self.list.get(at.checked_add(1)?)?;
        let length = to.checked_sub(*from).filter(|length| *length <= gap)?;
        let part = time.checked_sub(*from)? as f64 / length as f64;
        let turned = pose.rotation.try_slerp(&next.rotation, part, 1e-9)?;
        let moved = pose.translation.vector.lerp(&next.translation.vector, part);
        Some(Isometry3::from_parts(moved.into(), turned))
    }
}

/// Pose from seven numbers, if they are valid.
fn isometry([x, y, z, qx, qy, qz, qw]: [f64; 7]) -> Option<Isometry3<f64>> {
    let position = Vector3::new(x, y, z);
    let orientation = UnitQuaternion::try_new(Quaternion::new(qw, qx, qy, qz), 1e-9)?;
    let is_finite = position.iter().chain(orientation.coords.iter()).all(|v| v.is_finite());
    is_finite.then(|| Isometry3::from_parts(position.into(), orientation))
}

/// Nanoseconds from decimal seconds; numbers with an exponent are parsed as doubles.
fn seconds(text: &str) -> Option<i64> {
    let (digits, is_negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
    let nanos = decimal(digits)
        .or_else(|| Timestamp::from_secs(digits.parse().ok()?, Clock::Relative).map(Timestamp::nanos))?;
    Some(if is_negative { nanos.saturating_neg() } else { nanos })
}

/// Poses with their times, in the order of the file.
#[derive(Debug)]
struct Found {
    list: Vec<(i64, Isometry3<f64>)>,
    most: usize,
}

impl Found {
    fn new(limits: Limits) -> Self {
        Self { list: Vec::new(), most: limits.record.wrapping_div(BYTES) }
    }

    fn push(&mut self, time: i64, isometry: Isometry3<f64>) -> Result<()> {
        if self.list.len() >= self.most {
            return Err(Error::Target(Reason::TooManyPoses { most: self.most }));
        }
        self.list.push((time, isometry));
        Ok(())
    }
}

fn invalid(what: String) -> Error {
    Error::Target(Reason::Trajectory(what))
}
