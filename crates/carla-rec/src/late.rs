//! Whether the poses of vehicles belong to their own frames or to the frames before.

use robolog_core::slices::InRange as _;
use std::collections::BTreeMap;

use crate::{
    ActorKind, Payload,
    layout::{Position, Vector},
};

/// Longest step of the simulation: 0.1 s, and the rounding of the simulator. In a longer frame actors move by about as
/// much as in one of this length, so a change of place gives no speed.
pub const LONGEST_STEP: f64 = 0.100_001;

/// Watches vehicles until one of the intervals makes them move evenly.
///
/// A frame gives its time, and so the interval since the previous frame. Recorders since 0.9.10 write poses as of that
/// time. Those of 0.9.6 write the frame after the simulator has counted the step, but before the vehicles have moved:
/// their poses are those of the previous frame, and the change between two of them took the previous interval. Walkers
/// have moved by then. If all steps have the same length, the two cannot be distinguished, and nothing depends on it.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{Frames, LatePoses, Payload, Reader};
/// let mut late = LatePoses::default();
/// for frame in Frames::new(&Reader::new(&file)?) {
///     let frame = frame?;
///     late.begin_frame(frame.start().elapsed);
///     for packet in frame.packets() {
///         late.take(&packet?.decode()?);
///     }
/// }
/// assert!(!late.is_late());
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LatePoses {
    /// Times of the latest frames, the newest first.
    elapsed: [Option<f64>; 3],
    frames: u32,
    vehicles: BTreeMap<u32, Watched>,
    /// Vehicles with enough comparisons.
    full: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Watched {
    frame: u32,
    place: Vector,
    /// Its speeds in the frame, by the two intervals.
    speeds: Option<[f64; 2]>,
    compared: u32,
    /// Changes of speed between frames: by the frame's own interval, and by the previous one.
    change: [f64; 2],
}

/// Maximum numbers of vehicles and frames watched.
const VEHICLES: usize = 64;
const FRAMES: u32 = 2_000;
/// Minimum number of changes of speed for a decision about a vehicle, and the number that suffices.
const FEWEST: u32 = 20;
const ENOUGH: u32 = 64;
/// Number of decided vehicles that suffices.
const DECIDED: u32 = 16;
/// Minimum speed that counts, centimetres per second.
const SLOW: f64 = 100.0;

impl LatePoses {
    /// Begins a frame at `elapsed` seconds.
    pub fn begin_frame(&mut self, elapsed: f64) {
        let [last, before, _] = self.elapsed;
        self.elapsed = [Some(elapsed), last, before];
        self.frames = self.frames.plus(1);
    }

    /// Takes vehicles that appear, and poses.
    pub fn take(&mut self, payload: &Payload<'_>) {
        match payload {
            Payload::EventAdd(additions) => {
                for addition in additions.into_iter().map_while(Result::ok) {
                    if addition.kind == ActorKind::VEHICLE && self.vehicles.len() < VEHICLES {
                        self.vehicles.entry(addition.id).or_default();
                    }
                }
            }
            Payload::Position(rows) if self.is_open() => rows.iter().for_each(|row| self.add(&row)),
            _ => {}
        }
    }

    /// Whether more poses may change the answer.
    fn is_open(&self) -> bool {
        self.frames <= FRAMES && self.full < DECIDED && !self.vehicles.is_empty()
    }

    /// Adds a pose of the frame.
    fn add(&mut self, position: &Position) {
        let (frame, place, times) = (self.frames, position.location, self.elapsed);
        let Some(vehicle) = self.vehicles.get_mut(&position.id) else { return };
        let goes_on = vehicle.frame.checked_add(1) == Some(frame);
        let new = if goes_on { speeds(times, vehicle.place, place) } else { None };
        let old = vehicle.speeds.filter(|_| goes_on);
        (vehicle.frame, vehicle.place, vehicle.speeds) = (frame, place, new);
        let Some((old, new)) = old.zip(new) else { return };
        if vehicle.compared < ENOUGH && old.iter().chain(&new).all(|speed| *speed > SLOW) {
            vehicle.compared = vehicle.compared.plus(1);
            for ((sum, old), new) in vehicle.change.iter_mut().zip(old).zip(new) {
                *sum += ((new - old) / (new + old)).abs();
            }
            self.full = self.full.plus(u32::from(vehicle.compared == ENOUGH));
        }
    }

    /// Whether the poses of vehicles are those of the previous frame: by the previous interval, the speeds of the median
    /// vehicle change less than half as much.
    pub fn is_late(&self) -> bool {
        let watched = self.vehicles.values().filter(|vehicle| vehicle.compared >= FEWEST);
        let mut ratios: Vec<f64> =
            watched.map(|Watched { change: [own, before], .. }| before / own).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).is_some_and(|median| *median < 0.5)
    }
}

/// Speeds by the frame's own interval and by the previous one.
fn speeds(times: [Option<f64>; 3], from: Vector, to: Vector) -> Option<[f64; 2]> {
    let [Some(now), Some(last), Some(before)] = times else { return None };
    let squares = from.to_array().into_iter().zip(to.to_array()).map(|(a, b)| (b - a) * (b - a));
    let way = squares.sum::<f64>().sqrt();
    let speeds = [way / (now - last).min(LONGEST_STEP), way / (last - before).min(LONGEST_STEP)];
    speeds.iter().all(|speed| speed.is_finite()).then_some(speeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cars at 12.8 m/s, each with poses that are so many frames old, among thrice as many walkers whose poses are those
    /// of their frames, in frames of these durations.
    fn are_late(cars: &[usize], lengths: impl Fn(usize) -> f64) -> bool {
        let times: Vec<f64> = (0..60).scan(0.0, |t, n| Some(std::mem::replace(t, *t + lengths(n)))).collect();
        let mut watch = LatePoses::default();
        let ids = 0..u32::try_from(cars.len()).unwrap();
        watch.vehicles.extend(ids.clone().map(|id| (id, Watched::default())));
        for (n, elapsed) in times.iter().enumerate() {
            watch.begin_frame(*elapsed);
            let walkers = ids.clone().chain(ids.clone()).chain(ids.clone()).map(|id| (id | 0x100, 0));
            for (id, late) in walkers.chain(ids.clone().zip(cars.iter().copied())) {
                let x = 1280.0 * times[n.saturating_sub(late)];
                watch.add(&Position { id, location: Vector { x, y: 3.0, z: 0.0 }, ..Position::default() });
            }
        }
        watch.is_late()
    }

    fn is_late(late: usize, lengths: impl Fn(usize) -> f64) -> bool {
        are_late(&[late], lengths)
    }

    #[test]
    fn poses_are_late_where_the_interval_before_makes_speeds_even() {
        let uneven = |n: usize| 0.03 + 0.02 * [0.0, 0.4, 0.8, 0.2, 0.6][n % 5];
        assert!(is_late(1, uneven) && !is_late(0, uneven));
        assert!(!is_late(1, |_| 0.05), "of even frames nobody knows, and it is the same");
        assert!(!is_late(1, |_| 0.0) && !is_late(1, |_| f64::NAN));
        assert!(are_late(&[1, 1, 0], uneven) && !are_late(&[0, 0, 1], uneven), "the median decides");
        let with_long = |n: usize| if n % 7 == 3 { 0.4 } else { uneven(n) };
        assert!(!is_late(0, with_long));
    }
}
