//! Times in messages and files.

use robolog_core::{Clock, Timestamp, slices::fitting};

/// The time of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// `builtin_interfaces/Time`.
    pub(crate) sec: i32,
    pub(crate) nanosec: u32,
    /// Log time: nanoseconds, since 1970 for Unix time.
    pub(crate) log_time: u64,
}

impl Stamp {
    /// Stamp of missing values.
    pub(crate) const ZERO: Self = Self { sec: 0, nanosec: 0, log_time: 0 };
}

const NANOS: i64 = 1_000_000_000;

impl From<Timestamp> for Stamp {
    /// Nanoseconds of any clock. Times before zero get the log time 0; the 32-bit seconds of the message saturate in
    /// 1901 and 2038.
    fn from(time: Timestamp) -> Self {
        let nanos = time.nanos();
        let log_time = u64::try_from(nanos).unwrap_or(0);
        let nanosec = u32::try_from(nanos.rem_euclid(NANOS)).unwrap_or(0);
        let secs = nanos.div_euclid(NANOS);
        match i32::try_from(secs) {
            Ok(sec) => Self { sec, nanosec, log_time },
            Err(_) if secs < 0 => Self { sec: i32::MIN, nanosec: 0, log_time },
            Err(_) => Self { sec: i32::MAX, nanosec: 999_999_999, log_time },
        }
    }
}

/// A ROS 1 time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RosTime {
    pub(crate) secs: u32,
    pub(crate) nsecs: u32,
}

impl From<Stamp> for RosTime {
    /// The log time: from 1970, saturating in 2106.
    fn from(stamp: Stamp) -> Self {
        let nanos = NANOS.unsigned_abs();
        let nsecs = fitting::<u32>(stamp.log_time % nanos);
        match u32::try_from(stamp.log_time / nanos) {
            Ok(secs) => Self { secs, nsecs },
            Err(_) => Self { secs: u32::MAX, nsecs: 999_999_999 },
        }
    }
}

/// Finds a time for samples without one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times {
    /// Times of the first and the last sample with a time.
    first_and_last: Option<(Timestamp, Timestamp)>,
    clocks: Vec<Clock>,
}

impl Times {
    /// Whether a sample had a time.
    pub(crate) fn have_begun(&self) -> bool {
        self.first_and_last.is_some()
    }

    /// Stores a sample's time.
    pub(crate) fn note(&mut self, time: Timestamp) {
        if !self.clocks.contains(&time.clock()) {
            self.clocks.push(time.clock());
        }
        let (first, last) = self.first_and_last.get_or_insert((time, time));
        (*first, *last) = (*first, time);
    }

    /// Time of the last sample with a time; zero if there was none.
    pub(crate) fn last(&self) -> Stamp {
        self.first_and_last.map_or(Stamp::ZERO, |(_, last)| last.into())
    }

    /// Time of the first sample with a time, for static values.
    pub(crate) fn first(&self) -> Stamp {
        self.first_and_last.map_or(Stamp::ZERO, |(first, _)| first.into())
    }

    /// Clocks of the samples, separated by spaces.
    pub(crate) fn clocks(&self) -> String {
        self.clocks.iter().map(|clock| clock.name()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_exact_within_their_range() {
        let stamp = |nanos| {
            let Stamp { sec, nanosec, log_time } = Timestamp::new(nanos, Clock::Unix).into();
            (sec, nanosec, log_time)
        };
        assert_eq!(stamp(1_726_588_075_299_964_555), (1_726_588_075, 299_964_555, 1_726_588_075_299_964_555));
        assert_eq!(stamp(-1), (-1, 999_999_999, 0));
        assert_eq!(stamp(i64::MIN), (i32::MIN, 0, 0));
        assert_eq!(stamp(7_846_327_529_680_000_000), (i32::MAX, 999_999_999, 7_846_327_529_680_000_000));
    }

    #[test]
    fn samples_without_a_time_take_the_last() {
        let mut times = Times::default();
        assert!(!times.have_begun());
        assert_eq!((times.first(), times.last()), (Stamp::ZERO, Stamp::ZERO));
        times.note(Timestamp::new(9, Clock::Device));
        times.note(Timestamp::new(3, Clock::Unix));
        assert_eq!((times.first().log_time, times.last().log_time), (9, 3));
        assert_eq!(times.clocks(), "device unix");
    }
}
