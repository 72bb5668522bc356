//! What is found.

use std::collections::BTreeMap;

use robolog_core::Timestamp;

/// Something that happened, from `time` to `end`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// When it began.
    pub time: Timestamp,
    /// When it ended; the same as `time` for a moment.
    pub end: Timestamp,
    /// What it is.
    pub kind: Kind,
    /// Whom it happened to: an actor, a vehicle, or a channel.
    pub subject: String,
    /// The other one of a pair.
    pub other: Option<String>,
    /// How much: see [`Kind`].
    pub value: Option<f64>,
    /// In words.
    pub text: String,
}

impl Event {
    /// A moment.
    pub(crate) fn at(time: Timestamp, kind: Kind, subject: &str, text: String) -> Self {
        Self { time, end: time, kind, subject: subject.to_owned(), other: None, value: None, text }
    }

    /// With a value.
    pub(crate) const fn with_value(mut self, value: f64) -> Self {
        self.value = Some(value);
        self
    }

    /// With an end.
    pub(crate) const fn until(mut self, end: Timestamp) -> Self {
        self.end = end;
        self
    }

    /// The object that `robolog events --json` prints; `start` is that of the recordings.
    #[cfg(feature = "recordings")]
    pub fn to_json(&self, start: Option<Timestamp>) -> serde_json::Value {
        let since = start.and_then(|start| self.time.since(start));
        let t = since.map(|nanos| Timestamp::new(nanos, robolog_core::Clock::Relative).as_secs());
        serde_json::json!({
            "t": t, "t_ns": self.time.nanos(), "end_ns": self.end.nanos(),
            "kind": self.kind.name(), "subject": self.subject, "other": self.other,
            "value": self.value, "unit": self.kind.unit(), "text": self.text,
        })
    }

    /// The number of events of each kind that occurs.
    pub fn counts(events: &[Self]) -> BTreeMap<Kind, u64> {
        let mut counts = BTreeMap::new();
        for event in events {
            let count: &mut u64 = counts.entry(event.kind).or_default();
            *count += 1;
        }
        counts
    }

    /// Whether it happened to these two, in either order.
    pub(crate) fn is_of(&self, subject: &str, other: Option<&str>) -> bool {
        let (a, b) = (self.subject.as_str(), self.other.as_deref());
        (a == subject && b == other) || (Some(a) == other && b == Some(subject))
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $unit:literal;)+) => {
        /// The kinds of events, with the unit of their values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])+ $variant,)+
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name in snake case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Unit of the values; empty if there are none.
            pub const fn unit(self) -> &'static str {
                match self {
                    $(Self::$variant => $unit,)+
                }
            }
        }
    };
}

kinds! {
    /// The boxes of two actors overlap: by how much at the deepest, metres.
    Contact = "contact", "m";
    /// A collision that the recorder wrote itself.
    Collision = "collision", "";
    /// Two actors nearly touched: the least gap, metres.
    NearMiss = "near_miss", "m";
    /// Where two vehicles were nearest: their distance, metres.
    ClosestApproach = "closest_approach", "m";
    /// Braking: the greatest deceleration, m/s².
    HardBraking = "hard_braking", "m/s^2";
    /// Acceleration: the greatest, m/s².
    HardAcceleration = "hard_acceleration", "m/s^2";
    /// A turn: the greatest lateral acceleration, m/s².
    HardTurn = "hard_turn", "m/s^2";
    /// A vehicle came to rest.
    Stop = "stop", "";
    /// A vehicle at rest set off.
    Start = "start", "";
    /// An evenly spaced channel has no samples: for how long, seconds.
    Gap = "gap", "s";
    /// A clock goes back, or leaps ahead: by how much, seconds.
    ClockJump = "clock_jump", "s";
    /// A receiver has no fix any more.
    GnssLost = "gnss_lost", "";
    /// A lost fix is back: after how long, seconds.
    GnssBack = "gnss_back", "s";
    /// The quality of the fix changed.
    FixQuality = "fix_quality", "";
    /// A position that nothing can have reached from the one before: the speed it would take, m/s.
    GnssJump = "gnss_jump", "m/s";
    /// A LiDAR reports that something is wrong: too hot, dirty, its motor, its clock.
    LidarStatus = "lidar_status", "";
    /// Packets of a sensor never arrived: their number.
    LostPackets = "lost_packets", "packets";
    /// A mode or state changed.
    Mode = "mode", "";
    /// A program warned.
    Warning = "warning", "";
}

#[test]
fn names_are_in_snake_case_and_differ() {
    let mut names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Kind::ALL.len());
}
