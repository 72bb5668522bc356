//! From when on something is an event.

/// The limits beyond which something is an event. Lengths in metres, times in seconds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Thresholds {
    /// Least overlap of two boxes that is a contact.
    pub contact_depth: f64,
    /// Greatest difference of the heights of two boxes that can touch.
    pub contact_height: f64,
    /// Contacts, collisions and near misses of a pair within this time are one.
    pub contact_join: f64,
    /// Gap below which two actors nearly touch.
    pub near_gap: f64,
    /// Time to collision below which two actors nearly touch: that of the Surrogate Safety Assessment Model.
    pub near_time: f64,
    /// Speed, m/s, that one of them must exceed.
    pub near_speed: f64,
    /// A near miss within this time of a contact of the pair is a part of that.
    pub near_apart: f64,
    /// Deceleration or acceleration, m/s².
    pub acceleration: f64,
    /// How long it must last.
    pub acceleration_lasts: f64,
    /// Time over which a slope of the speed is fitted.
    pub acceleration_window: f64,
    /// Spells within this time are one.
    pub acceleration_join: f64,
    /// A frame longer than this tells nothing about speeds.
    pub long_frame: f64,
    /// How long after a long frame, and before it, speeds are not trusted.
    pub long_frame_apart: f64,
    /// How long an actor must exist before its speeds are trusted.
    pub settled: f64,
    /// Lateral acceleration of a turn, m/s².
    pub turn: f64,
    /// How long it must last.
    pub turn_lasts: f64,
    /// Speed below which a vehicle may be at rest, m/s.
    pub rest_speed: f64,
    /// How long it must be slower to be at rest.
    pub rest_lasts: f64,
    /// The same for vessels.
    pub rest_lasts_vessel: f64,
    /// Speed from which a vehicle at rest has set off, m/s.
    pub start_speed: f64,
    /// A gap is longer than this many median intervals.
    pub gap_medians: f64,
    /// Least number of samples of a channel that can have gaps.
    pub gap_samples: u64,
    /// By how much a clock must go back.
    pub clock_back: f64,
    /// By how much a clock must leap ahead.
    pub clock_leap: f64,
    /// Speed, m/s, that no vehicle has between two fixes.
    pub gnss_speed: f64,
    /// Greatest number of values of a variable that is a mode.
    pub mode_values: usize,
    /// Greatest length of such a value.
    pub mode_length: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            contact_depth: 0.03,
            contact_height: 2.0,
            contact_join: 1.0,
            near_gap: 1.0,
            near_time: 1.5,
            near_speed: 0.5,
            near_apart: 3.0,
            acceleration: 6.0,
            acceleration_lasts: 0.1,
            acceleration_window: 0.3,
            acceleration_join: 0.5,
            long_frame: 0.1,
            long_frame_apart: 0.35,
            settled: 0.5,
            turn: 4.0,
            turn_lasts: 0.2,
            rest_speed: 0.1,
            rest_lasts: 1.0,
            rest_lasts_vessel: 2.0,
            start_speed: 0.5,
            gap_medians: 5.0,
            gap_samples: 20,
            clock_back: 1.0,
            clock_leap: 86_400.0,
            gnss_speed: 100.0,
            mode_values: 8,
            mode_length: 32,
        }
    }
}
