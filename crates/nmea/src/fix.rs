//! Builds the fix of an epoch from its sentences.

use robolog_core::{FixQuality, GnssFix, Timestamp};

use super::{Coordinate, Decimal, Gst, Time, payload::quality_of_mode};

/// The last covariance and its time of day.
pub(super) type Covariance = Option<(Option<i64>, [f64; 9])>;

/// The fix of an epoch that may continue.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) time: Option<Timestamp>,
    pub(super) of_day: Option<Time>,
    pub(super) offset: u64,
    /// Rank of the sentence that gave the position; 0 without a position.
    pub(super) rank: u8,
    /// Whether a sentence says that there is no fix.
    pub(super) is_lost: bool,
    /// A bit for the rank of each sentence without a time.
    pub(super) untimed: u8,
    /// The talkers of its sentences, and those of its GGA.
    pub(super) talkers: Talkers,
    pub(super) gga_talkers: Talkers,
    /// The first position, degrees, and the distance of the farthest one from it, metres.
    pub(super) first: Option<(f64, f64)>,
    pub(super) apart: f64,
    pub(super) fix: GnssFix,
}

/// The rank of GGA among sentences with a position.
pub(super) const GGA: u8 = 4;

/// Metres between positions, degrees, if they are clearly apart.
fn distance((from_latitude, from_longitude): (f64, f64), (latitude, longitude): (f64, f64)) -> Option<f64> {
    let (north, east) = (latitude - from_latitude, longitude - from_longitude);
    if north.abs() < CLOSE && east.abs() < CLOSE {
        return None;
    }
    let east = if east.abs() > 180.0 { 360.0 - east.abs() } else { east };
    let middle = f64::midpoint(latitude, from_latitude).to_radians();
    Some(RADIUS * north.to_radians().hypot(east.to_radians() * middle.cos()))
}

/// Radius of the Earth, metres.
const RADIUS: f64 = 6_371_000.0;
/// Degrees; less than a kilometre.
const CLOSE: f64 = 0.006;

/// The first few talkers.
#[derive(Debug, Default)]
pub(super) struct Talkers {
    names: [[u8; 2]; TALKERS],
    count: usize,
}

/// More than there are systems.
const TALKERS: usize = 8;

impl Talkers {
    pub(super) fn has(&self, talker: [u8; 2]) -> bool {
        self.names.iter().take(self.count).any(|name| *name == talker)
    }

    pub(super) fn add(&mut self, talker: [u8; 2]) {
        if self.has(talker) {
            return;
        }
        if let Some(free) = self.names.get_mut(self.count) {
            *free = talker;
            self.count += 1;
        }
    }

    pub(super) fn to_text(&self) -> Option<String> {
        let names = self.names.iter().take(self.count).filter_map(|name| std::str::from_utf8(name).ok());
        let mut text = String::new();
        for name in names {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(name);
        }
        (!text.is_empty()).then_some(text)
    }
}

/// Quality by the status, and by the mode if given.
pub(super) fn quality(status: Option<char>, mode: Option<char>) -> FixQuality {
    if status == Some('V') { FixQuality::None } else { quality_of_mode(mode) }
}

pub(super) fn radians(degrees: Decimal) -> f64 {
    degrees.as_f64().to_radians()
}

impl Pending {
    /// Whether a sentence with this time of day, or without one, belongs to this epoch. Of each rank, one without a time
    /// does.
    pub(super) fn goes_on(&self, time: Option<Time>, talker: [u8; 2], rank: u8) -> bool {
        let is_same = match time {
            Some(time) => self.of_day.map(Time::since_midnight) == Some(time.since_midnight()),
            None => self.untimed & (1 << rank) == 0,
        };
        is_same && !(rank == GGA && self.gga_talkers.has(talker))
    }

    /// Adds a covariance of the same time of day.
    pub(super) fn cover(&mut self, covariance: Covariance) {
        let of_day = self.of_day.map(Time::since_midnight);
        let same = covariance.filter(|(at, _)| at.is_some() && *at == of_day);
        self.fix.position_covariance =
            same.map(|(_, covariance)| covariance).or(self.fix.position_covariance);
    }

    /// Keeps a position if it is better than the present one: from a better sentence, or the same with a better
    /// quality.
    pub(super) fn place(
        &mut self,
        rank: u8,
        latitude: Option<Coordinate>,
        longitude: Option<Coordinate>,
        quality: FixQuality,
    ) -> bool {
        if quality != FixQuality::None && self.of_day.is_some() {
            self.compare(latitude, longitude);
        }
        self.is_lost |= quality == FixQuality::None;
        let is_better = rank > self.rank || (rank == self.rank && quality.rank() > self.fix.quality.rank());
        let Some((latitude, longitude)) = latitude.zip(longitude).filter(|_| is_better) else {
            return false;
        };
        self.rank = rank;
        self.fix.latitude = latitude.degrees();
        self.fix.longitude = longitude.degrees();
        self.fix.quality = quality;
        true
    }

    fn compare(&mut self, latitude: Option<Coordinate>, longitude: Option<Coordinate>) {
        let Some((latitude, longitude)) = latitude.zip(longitude) else { return };
        let place = (latitude.degrees(), longitude.degrees());
        let apart = distance(*self.first.get_or_insert(place), place);
        self.apart = apart.map_or(self.apart, |apart| apart.max(self.apart));
    }

    pub(super) fn heights(
        &mut self,
        sea: Option<Decimal>,
        separation: Option<Decimal>,
        satellites: Option<u16>,
        hdop: Option<Decimal>,
    ) {
        self.fix.altitude_msl = sea.map(Decimal::as_f64);
        self.fix.altitude = sea.zip(separation).map(|(sea, geoid)| sea.sum(geoid));
        self.fix.satellites = satellites.map(u32::from);
        self.fix.hdop = hdop.map(Decimal::as_f64).or(self.fix.hdop);
    }

    /// Station 0 without an age means none.
    pub(super) fn corrections(&mut self, age: Option<Decimal>, station: Option<&str>) {
        let id = station.and_then(|text| text.trim().parse().ok());
        self.fix.age_of_corrections_s = age.map(Decimal::as_f64);
        self.fix.station_id = id.filter(|id| *id != 0 || age.is_some());
    }
}

/// Covariance of east, north and up, square metres; `None` if an error is missing.
pub(super) fn covariance(gst: &Gst) -> Option<[f64; 9]> {
    let square = |sigma: Option<Decimal>| Some(sigma?.as_f64().powi(2)).filter(|square| square.is_finite());
    let (east, north, up) = (square(gst.longitude)?, square(gst.latitude)?, square(gst.altitude)?);
    Some([east, 0.0, 0.0, 0.0, north, 0.0, 0.0, 0.0, up])
}
