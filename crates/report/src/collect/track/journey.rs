//! Climb, time in motion and speeds of a track.

/// Sums over all positions of a track.
#[derive(Debug, Default)]
pub(crate) struct Journey {
    /// Metres up and down. A change counts once it is [`CLIMB`] metres: less is noise of barometers and receivers.
    pub(crate) ascent: f64,
    pub(crate) descent: f64,
    /// Seconds in steps faster than [`STANDS`], and the metres of these steps.
    pub(crate) moving: f64,
    pub(crate) gone: f64,
    /// Greatest speed in metres per second.
    pub(crate) greatest: f64,
    /// The altitude up to which climb is counted.
    level: Option<f64>,
    altitude: Option<f64>,
}

/// Least change of altitude that counts, metres.
const CLIMB: f64 = 3.0;
/// Speed up to which a track stands, metres per second: 1 km/h, as gpxpy has it.
const STANDS: f64 = 1.0 / 3.6;

impl Journey {
    /// Adds a position: metres in plan and seconds from the one before; altitude and speed are NaN if unknown.
    pub(super) fn add(&mut self, plan: f64, seconds: Option<f64>, altitude: f64, speed: f64) {
        let altitude = Some(altitude).filter(|altitude| altitude.is_finite());
        let rise = altitude.zip(self.altitude).map_or(0.0, |(now, before)| now - before);
        self.altitude = altitude;
        if let Some(altitude) = altitude {
            self.climb(altitude);
        }
        let Some(seconds) = seconds else { return };
        let gone = plan.hypot(rise);
        if gone > STANDS * seconds {
            self.moving += seconds;
            self.gone += plan;
        }
        // Not of NaN.
        self.greatest = self.greatest.max(speed.abs());
    }

    fn climb(&mut self, altitude: f64) {
        let Some(level) = self.level else {
            self.level = Some(altitude);
            return;
        };
        let change = altitude - level;
        if change.abs() >= CLIMB {
            self.ascent += change.max(0.0);
            self.descent += (-change).max(0.0);
            self.level = Some(altitude);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_does_not_climb_and_stops_do_not_move() {
        let mut journey = Journey::default();
        for n in 0..100 {
            // Seconds apart, noise of a metre would be a speed.
            journey.add(0.0, Some(60.0), 100.0 + f64::from(n % 2), 0.0);
        }
        assert_eq!((journey.ascent, journey.descent, journey.moving), (0.0, 0.0, 0.0));
        for n in 0..10 {
            journey.add(2.0, Some(1.0), 101.0 + 4.0 * f64::from(n), 2.0);
        }
        let sums = (journey.ascent, journey.moving, journey.gone, journey.greatest);
        assert_eq!(sums, (37.0, 10.0, 20.0, 2.0));
    }
}
