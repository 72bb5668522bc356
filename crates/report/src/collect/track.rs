//! Tracks: positions thinned by distance, with time, speed and quality.

use robolog_convert::journey::{MOMENT, Path, Position};
use robolog_core::geodetic::Bounds;

use crate::{
    axis::{Axis, COLUMNS},
    quantiles::Quantiles,
};
pub(crate) use robolog_convert::journey::{Ground, degree};

/// Positions of one channel.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) name: String,
    /// Length, climb, time in motion and speeds.
    pub(crate) path: Path,
    /// Kept positions, in time order.
    pub(crate) spots: Vec<Spot>,
    /// Bounds of all positions on Earth, as in `info`.
    pub(crate) bounds: Option<Bounds>,
    step: f64,
    latest: Option<Spot>,
    yaw: f64,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// Seconds from the start of the recording.
    pub(crate) t: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Metres per second; NaN if unknown.
    pub(crate) speed: f64,
    /// Horizontal dilution of precision; NaN if unknown.
    pub(crate) hdop: f64,
    /// Seconds since the previous position, kept or not.
    pub(crate) pause: f64,
    /// Heading, radians from x to y; NaN if not recorded.
    pub(crate) yaw: f64,
    /// Metres above the recording's datum; NaN if not recorded.
    pub(crate) altitude: f64,
    /// Metres travelled since the first position.
    pub(crate) gone: f64,
}

/// Maximum number of kept positions of a track.
const KEPT: usize = 2048;

impl Track {
    pub(crate) fn new(name: String, ground: Ground) -> Self {
        let (spots, bounds, latest) = (Vec::new(), None, None);
        Self { name, path: Path::new(ground), spots, bounds, step: 0.0, latest, yaw: f64::NAN }
    }

    /// The same, with each position taken at the previous time.
    pub(crate) fn with_late_places(self, has_late_places: bool) -> Self {
        Self { path: self.path.with_late_places(has_late_places), ..self }
    }

    /// Coordinates.
    pub(crate) fn ground(&self) -> Ground {
        self.path.ground()
    }

    /// Number of positions added.
    pub(crate) fn count(&self) -> u64 {
        self.path.count()
    }

    /// Length in metres, the sum of all steps.
    pub(crate) fn length(&self) -> f64 {
        self.path.length()
    }

    /// Whether positions have times, and so speeds; otherwise only their order is known.
    pub(crate) fn is_timed(&self) -> bool {
        self.path.is_timed()
    }

    /// Adds a position at `time` seconds. Positions that are not finite, or not later than the previous one, are
    /// ignored.
    pub(crate) fn add(&mut self, time: Option<f64>, position: &Position, axis: &Axis) {
        if position.ground == Ground::Earth && position.x.is_finite() && position.y.is_finite() {
            self.bounds = Bounds::with(self.bounds, position.y, position.x);
        }
        self.yaw = position.yaw.unwrap_or(self.yaw);
        // Positions without times, or of a recording of one moment, still have an order.
        let time = time.filter(|_| axis.seconds() >= MOMENT);
        let Some(step) = self.path.push(time, position, axis.warp()) else { return };
        let spot = Spot {
            t: step.t,
            x: position.x,
            y: position.y,
            speed: step.speed,
            hdop: position.hdop.unwrap_or(f64::NAN),
            pause: step.pause,
            yaw: self.yaw,
            altitude: position.altitude,
            gone: step.gone,
        };
        self.latest = Some(spot);
        if self.spots.last().is_none_or(|last| self.is_apart(last, &spot, axis)) {
            self.spots.push(spot);
            if self.spots.len() >= KEPT {
                self.thin(axis);
            }
        }
    }

    /// Finishes the track, with its last position.
    pub(crate) fn finish(&mut self) {
        if let Some(latest) =
            self.latest.filter(|latest| self.spots.last().is_none_or(|last| last.t != latest.t))
        {
            self.spots.push(latest);
        }
        // The first positions get the first derived speed, if any.
        let first = self.spots.iter().map(|spot| spot.speed).find(|speed| speed.is_finite());
        for spot in self.spots.iter_mut().take_while(|spot| spot.speed.is_nan()) {
            spot.speed = first.unwrap_or(f64::NAN);
        }
    }

    /// Median time between positions in seconds.
    pub(crate) fn interval(&self) -> f64 {
        self.spots.iter().skip(1).map(|spot| spot.pause).collect::<Quantiles>().at(0.5)
    }

    /// Metres between two positions.
    pub(crate) fn metres(&self, a: &Spot, b: &Spot) -> f64 {
        self.ground().metres((a.x, a.y), (b.x, b.y))
    }

    fn is_apart(&self, a: &Spot, b: &Spot, axis: &Axis) -> bool {
        // Without times, only distance counts.
        let is_later = axis.seconds() > 0.0 && (b.t - a.t) * COLUMNS as f64 >= axis.seconds();
        is_later || self.metres(a, b) > self.step
    }

    fn thin(&mut self, axis: &Axis) {
        if self.step == 0.0 {
            self.step = self.length() / 1e5;
        }
        for _ in 0..64 {
            self.step = (self.step * 2.0).max(1e-3);
            let mut kept: Vec<Spot> = Vec::with_capacity(KEPT);
            for spot in &self.spots {
                if kept.last().is_none_or(|last| self.is_apart(last, spot, axis)) {
                    kept.push(*spot);
                }
            }
            self.spots = kept;
            if self.spots.len() < KEPT / 4 * 3 {
                return;
            }
        }
        // If no distance thins them, keep every second position.
        let mut n = 0_usize;
        self.spots.retain(|_| {
            n += 1;
            n % 2 == 1
        });
    }
}

#[cfg(test)]
mod tests;
