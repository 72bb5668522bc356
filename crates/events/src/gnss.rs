//! Lost fixes, changes of their quality, and positions that jump.

use std::{collections::BTreeMap, sync::Arc};

use robolog_core::{FixQuality, GnssFix, Sample, Timestamp, Value};

use crate::{Context, Detector, Event, FOLLOWED, Kind, Thresholds, is_planned, seconds};

/// Follows each receiver.
#[derive(Debug)]
pub(crate) struct Receivers {
    fastest: f64,
    warp: f64,
    known: BTreeMap<Arc<str>, Receiver>,
}

#[derive(Debug, Default)]
struct Receiver {
    quality: FixQuality,
    /// Since when there is no fix, after there was one.
    lost: Option<Timestamp>,
    /// The last position.
    place: Option<(Timestamp, [f64; 2])>,
}

/// Metres that rounded or noisy fixes may lie apart.
const NOISE: f64 = 20.0;
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_320.0;

impl Receivers {
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self { fastest: limits.gnss_speed, warp: context.warp, known: BTreeMap::new() }
    }
}

impl Detector for Receivers {
    fn push(&mut self, sample: &Sample, found: &mut Vec<Event>) {
        let (Value::GnssFix(fix), Some(time)) = (&sample.value, sample.time) else { return };
        if is_planned(sample) {
            return;
        }
        if self.known.len() >= FOLLOWED && !self.known.contains_key(&sample.channel) {
            return;
        }
        let receiver = self.known.entry(Arc::clone(&sample.channel)).or_default();
        receiver.changes(&sample.channel, time, fix.quality, found);
        receiver.moves(&sample.channel, time, fix, self.fastest * self.warp, found);
    }

    fn finish(&mut self, _: &mut Vec<Event>) {}
}

impl Receiver {
    fn changes(&mut self, channel: &str, time: Timestamp, quality: FixQuality, found: &mut Vec<Event>) {
        if matches!(quality, FixQuality::Unknown) {
            return;
        }
        let before = std::mem::replace(&mut self.quality, quality);
        if before == quality || before == FixQuality::Unknown {
            return;
        }
        let names = format!("{} to {}", before.name(), quality.name());
        if quality == FixQuality::None {
            self.lost = Some(time);
            found.push(Event::at(time, Kind::GnssLost, channel, names));
        } else if before != FixQuality::None {
            found.push(Event::at(time, Kind::FixQuality, channel, names));
        } else if let Some(lost) = self.lost.take() {
            // The first fix of a cold start is no return.
            found.push(Event::at(time, Kind::GnssBack, channel, names).with_value(seconds(lost, time)));
        }
    }

    fn moves(&mut self, channel: &str, time: Timestamp, fix: &GnssFix, fastest: f64, found: &mut Vec<Event>) {
        if fix.quality == FixQuality::None || !fix.latitude.is_finite() || !fix.longitude.is_finite() {
            return;
        }
        let place = [fix.latitude, fix.longitude];
        let Some((then, before)) = self.place.replace((time, place)) else { return };
        let (dt, length) = (seconds(then, time), distance(before, place));
        if dt > 0.0 && length > fastest * dt && length > NOISE {
            let text = format!("{length:.0} m within {dt:.3} s");
            found.push(Event::at(time, Kind::GnssJump, channel, text).with_value(length / dt));
        }
    }
}

/// Metres between two places, on a sphere.
fn distance([latitude, longitude]: [f64; 2], [to_latitude, to_longitude]: [f64; 2]) -> f64 {
    let half = f64::midpoint(latitude, to_latitude).to_radians().cos();
    let east = (to_longitude - longitude + 540.0).rem_euclid(360.0) - 180.0;
    DEGREE * (to_latitude - latitude).hypot(east * half)
}
