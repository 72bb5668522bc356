//! Lost fixes, changes of their quality, and positions that jump.

use robolog_core::{FixQuality, GnssFix, Timestamp};

use crate::{Context, Event, Kind, Thresholds, names::at, seconds};

/// Follows each receiver.
#[derive(Debug)]
pub(crate) struct Receivers {
    fastest: f64,
    warp: f64,
    /// By the number of the channel.
    known: Vec<Receiver>,
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
        Self { fastest: limits.gnss_speed, warp: context.warp, known: Vec::new() }
    }

    /// When a receiver last had a position: the time of sentences without one that say it is lost.
    pub(crate) fn last(&self, number: usize) -> Option<Timestamp> {
        self.known.get(number)?.place.map(|(time, _)| time)
    }

    pub(crate) fn push(
        &mut self,
        (number, channel): (usize, &str),
        fix: &GnssFix,
        time: Timestamp,
        found: &mut Vec<Event>,
    ) {
        let receiver = at(&mut self.known, number);
        receiver.changes(channel, time, fix.quality, found);
        receiver.moves(channel, time, fix, self.fastest * self.warp, found);
    }
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
