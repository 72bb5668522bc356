//! Alarms in status words, over time.

use robolog_core::Timestamp;

use crate::Status;

/// What a device reported to be wrong, and from when to when.
///
/// ```
/// let summary = lvx::survey("examples/room.lvx")?;
/// assert!(summary.details.devices[0].alarms.is_empty());
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Alarm {
    /// The state, such as `fan warning`: one of [`Status::states`], or `no pulse per second` after there was one.
    pub state: &'static str,
    /// Stamp of the first package with it, nanoseconds.
    pub start_ns: i64,
    /// Stamp of the last one.
    pub end_ns: i64,
}

/// Follows the status words of a device.
///
/// ```
/// use lvx::{Alarms, Status, robolog_core::{Clock, Timestamp}};
/// let mut alarms = Alarms::default();
/// alarms.add(Status(1 << 11), Timestamp::new(5, Clock::Device));
/// assert_eq!(alarms.into_list()[0].state, "fan warning");
/// ```
#[derive(Debug, Default, Clone)]
pub struct Alarms {
    last: Option<Status>,
    had_pps: bool,
    /// Places of the alarms that go on.
    going_on: Vec<usize>,
    list: Vec<Alarm>,
}

/// Maximum number of alarms: after these, a state that returns extends its last alarm.
const MOST: usize = 1000;
/// Nanoseconds within which a state that returns was not gone.
const JOIN: i64 = 1_000_000_000;

impl Alarms {
    /// Takes the status of a package.
    #[inline]
    pub fn add(&mut self, status: Status, time: Timestamp) {
        if self.last != Some(status) {
            self.last = Some(status);
            self.change(status, time.nanos());
        } else if !self.going_on.is_empty() {
            self.extend(time.nanos());
        }
    }

    fn change(&mut self, status: Status, nanos: i64) {
        self.had_pps |= status.pps();
        let pps = (self.had_pps && !status.pps()).then_some("no pulse per second");
        let all = status.states().into_iter().chain(pps);
        self.going_on.clear();
        for state in all.filter(|state| !state.starts_with("synchronised by")) {
            let is_full = self.list.len() >= MOST;
            let last = self.list.iter().rposition(|alarm| alarm.state == state);
            let goes_on = |alarm: &Alarm| is_full || nanos.saturating_sub(alarm.end_ns) <= JOIN;
            match last.filter(|place| self.list.get(*place).is_some_and(goes_on)) {
                Some(place) => self.going_on.push(place),
                None if is_full => {}
                None => {
                    self.going_on.push(self.list.len());
                    self.list.push(Alarm { state, start_ns: nanos, end_ns: nanos });
                }
            }
        }
        self.extend(nanos);
    }

    fn extend(&mut self, nanos: i64) {
        for place in &self.going_on {
            if let Some(alarm) = self.list.get_mut(*place) {
                alarm.end_ns = alarm.end_ns.max(nanos);
            }
        }
    }

    /// The alarms, by their beginnings.
    pub fn into_list(self) -> Vec<Alarm> {
        self.list
    }
}

#[test]
fn alarms_begin_end_and_return() {
    let mut alarms = Alarms::default();
    let at = |ms: i64| Timestamp::new(ms * 1_000_000, robolog_core::Clock::Device);
    let (fine, fan, hot) = (1 << 9, 1 << 9 | 1 << 11, 1 << 9 | 0b10);
    for (ms, word) in [
        (0, fine),
        (10, fan),
        (20, fan),
        (30, fine),
        (500, fan),
        (600, hot),
        (5000, fine),
        (6000, hot),
        (6001, 0),
    ] {
        alarms.add(Status(word), at(ms));
    }
    let list: Vec<_> = alarms
        .into_list()
        .into_iter()
        .map(|a| (a.state, a.start_ns / 1_000_000, a.end_ns / 1_000_000))
        .collect();
    assert_eq!(
        list,
        [
            ("fan warning", 10, 500),
            ("temperature error", 600, 600),
            ("temperature error", 6000, 6000),
            ("no pulse per second", 6001, 6001)
        ]
    );
}
