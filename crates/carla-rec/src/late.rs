//! Whether the poses of a recording belong to its own frames or to the frames before.

use std::collections::BTreeMap;

use crate::layout::{Position, Vector};

/// Watches poses until one of the intervals makes them move evenly.
///
/// A frame gives its time, and so the interval since the previous frame. Recorders since 0.9.10 write poses as of that
/// time. Those of 0.9.6 write the frame after the simulator has counted the step, but before anything has moved: the
/// poses are those of the previous frame, and the change between two of them took the previous interval. If all steps
/// have the same length, the two cannot be distinguished, and nothing depends on it.
#[derive(Debug, Default)]
pub(crate) struct LatePoses {
    /// Times of the latest frames, the newest first.
    elapsed: [Option<f64>; 3],
    frames: u32,
    actors: BTreeMap<u32, Watched>,
    compared: u32,
    /// Changes of speed between frames: by the frame's own interval, and by the previous one.
    change: [f64; 2],
}

#[derive(Debug, Clone, Copy)]
struct Watched {
    frame: u32,
    place: Vector,
    /// Its speeds in the frame, by the two intervals.
    speeds: Option<[f64; 2]>,
}

/// Maximum numbers of actors and frames watched, and of changes of speed compared.
const ACTORS: usize = 64;
const FRAMES: u32 = 2_000;
const COMPARED: u32 = 256;
/// Minimum number of changes for a decision.
const FEWEST: u32 = 20;
/// Minimum speed that counts, centimetres per second.
const SLOW: f64 = 100.0;

impl LatePoses {
    /// Begins a frame at `elapsed` seconds.
    pub(crate) fn begin_frame(&mut self, elapsed: f64) {
        let [last, before, _] = self.elapsed;
        self.elapsed = [Some(elapsed), last, before];
        self.frames = self.frames.saturating_add(1);
    }

    /// Whether more poses may change the answer.
    pub(crate) fn is_open(&self) -> bool {
        self.frames <= FRAMES && self.compared < COMPARED
    }

    /// Adds a pose of the frame.
    pub(crate) fn add(&mut self, position: &Position) {
        let (frame, place) = (self.frames, position.location);
        let before = self.actors.get(&position.id).copied();
        if before.is_none() && self.actors.len() >= ACTORS {
            return;
        }
        let before = before.filter(|before| before.frame.checked_add(1) == Some(frame));
        let speeds = before.and_then(|before| self.speeds(before.place, place));
        self.actors.insert(position.id, Watched { frame, place, speeds });
        let Some((old, new)) = before.and_then(|before| before.speeds).zip(speeds) else { return };
        if old.iter().chain(&new).all(|speed| *speed > SLOW) {
            self.compared = self.compared.saturating_add(1);
            for ((sum, old), new) in self.change.iter_mut().zip(old).zip(new) {
                *sum += ((new - old) / (new + old)).abs();
            }
        }
    }

    /// Whether the poses are those of the previous frame: by the previous interval, speeds change less than half as
    /// much.
    pub(crate) fn is_late(&self) -> bool {
        let [own, before] = self.change;
        self.compared >= FEWEST && before * 2.0 < own
    }

    fn speeds(&self, from: Vector, to: Vector) -> Option<[f64; 2]> {
        let [Some(now), Some(last), Some(before)] = self.elapsed else { return None };
        let squares = from.to_array().into_iter().zip(to.to_array()).map(|(a, b)| (b - a) * (b - a));
        let way = squares.sum::<f64>().sqrt();
        let speeds = [way / (now - last), way / (last - before)];
        speeds.iter().all(|speed| speed.is_finite()).then_some(speeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A car at 12.8 m/s whose poses are `late` frames old, in frames of these durations.
    fn is_late(late: usize, lengths: impl Fn(usize) -> f64) -> bool {
        let times: Vec<f64> = (0..60).scan(0.0, |t, n| Some(std::mem::replace(t, *t + lengths(n)))).collect();
        let mut watch = LatePoses::default();
        for (n, elapsed) in times.iter().enumerate() {
            watch.begin_frame(*elapsed);
            let x = 1280.0 * times[n.saturating_sub(late)];
            watch.add(&Position { id: 7, location: Vector { x, y: 3.0, z: 0.0 }, ..Position::default() });
        }
        watch.is_late()
    }

    #[test]
    fn poses_are_late_where_the_interval_before_makes_speeds_even() {
        let uneven = |n: usize| 0.03 + 0.02 * [0.0, 0.4, 0.8, 0.2, 0.6][n % 5];
        assert!(is_late(1, uneven) && !is_late(0, uneven));
        assert!(!is_late(1, |_| 0.05), "of even frames nobody knows, and it is the same");
        assert!(!is_late(1, |_| 0.0) && !is_late(1, |_| f64::NAN));
    }
}
