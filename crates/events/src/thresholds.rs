//! From when on something is an event.

/// A row of [`Thresholds::TABLE`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Threshold {
    /// Its name: that of the field of [`Thresholds`].
    pub name: &'static str,
    /// Its unit; empty for a number.
    pub unit: &'static str,
    /// Its value by default.
    pub default: f64,
    /// What it decides.
    pub about: &'static str,
}

/// Declares the thresholds once: the structure, its defaults, and the table from which programs make their options.
macro_rules! thresholds {
    ($($name:ident = $default:literal, $unit:literal, $about:literal;)+) => {
        /// The limits beyond which something is an event. Lengths in metres, times in seconds.
        ///
        /// ```
        /// use robolog_events::Thresholds;
        /// let mut limits = Thresholds::default();
        /// assert!(limits.set("near_gap", 0.5) && !limits.set("near", 0.5));
        /// assert_eq!(limits.near_gap, 0.5);
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct Thresholds {
            $(#[doc = concat!($about, ".")] pub $name: f64,)+
        }

        impl Default for Thresholds {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl Thresholds {
            /// All thresholds.
            pub const TABLE: &[Threshold] = &[
                $(Threshold { name: stringify!($name), unit: $unit, default: $default, about: $about },)+
            ];

            /// Sets the threshold of this name; false if there is none.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

thresholds! {
    contact_depth = 0.03, "m", "Least overlap of two boxes that is a contact";
    contact_height = 2.0, "m", "Greatest difference of the heights of two boxes that can touch";
    contact_join = 1.0, "s", "Contacts, collisions and near misses of a pair within this time are one";
    near_gap = 1.0, "m", "Gap below which two actors nearly touch";
    near_time = 1.5, "s", "Time to collision below which two actors nearly touch";
    near_speed = 0.5, "m/s", "Speed that one of the two must exceed in a near miss";
    near_apart = 3.0, "s", "A near miss within this time of a contact of the pair is a part of that";
    acceleration = 6.0, "m/s^2", "Deceleration or acceleration that is hard";
    acceleration_lasts = 0.1, "s", "How long it must last";
    acceleration_window = 0.3, "s", "Time over which a slope of the speed is fitted";
    acceleration_join = 0.5, "s", "Spells of braking, acceleration or turning within this time are one";
    long_frame = 0.1, "s", "No speed is computed across a longer frame";
    long_frame_apart = 0.35, "s", "How long before and after a long frame speeds are not trusted";
    settled = 0.5, "s", "How long an actor must exist before its speeds are trusted";
    turn = 4.0, "m/s^2", "Speed times yaw rate that is a hard turn";
    turn_lasts = 0.2, "s", "How long a hard turn must last";
    rest_speed = 0.1, "m/s", "Speed below which a vehicle may be at rest";
    rest_lasts = 1.0, "s", "How long it must be slower to be at rest";
    rest_lasts_vessel = 2.0, "s", "The same for vessels";
    start_speed = 0.5, "m/s", "Speed from which a vehicle at rest has set off";
    gap_medians = 5.0, "", "A gap is longer than this many median intervals";
    gap_samples = 20.0, "", "Least number of samples of a channel that can have gaps";
    clock_back = 1.0, "s", "By how much a clock must go back";
    clock_leap = 86_400.0, "s", "By how much a clock must leap ahead";
    gnss_speed = 100.0, "m/s", "Speed between two fixes that nothing has";
    mode_values = 8.0, "", "Greatest number of values of a variable that is a mode";
    mode_length = 32.0, "", "Greatest number of letters of such a value";
}
