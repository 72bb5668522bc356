//! Spools GNSS fixes by channel: track formats store the points of a track together.

use std::{
    collections::HashMap,
    io::{Read, Seek, SeekFrom, Write},
    sync::Arc,
};

use robolog_core::{Clock, FixQuality, GnssFix, Sample, Timestamp, Value};

use super::{map_points::MapPoints, quality};
use crate::{
    Advice, Error, Note, Outcome, Result,
    spool::{Spool, Spools},
};

/// Receives whole tracks, one after another.
pub(super) trait Tracks {
    /// Begins a channel's track.
    fn begin(&mut self, channel: &str) -> robolog_core::Result<()>;

    /// Adds a fix to the channel; the time is Unix time.
    fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()>;

    /// Order of a channel in the file: lower numbers first, equal names together.
    fn place<'c>(&self, channel: &'c str) -> (u8, &'c str) {
        (0, channel)
    }
}

/// Bytes of a spooled fix.
const FIX: usize = 96;
/// Bytes of a channel kept in memory before they go to a temporary file.
const CHUNK: usize = 64 * FIX;
/// Maximum number of channels with chunks, 11 MB in all.
const CHANNELS: usize = 2048;

/// Fixes by channel: the last few in memory, the rest in a temporary file.
#[derive(Debug, Default)]
pub(super) struct Fixes {
    channels: Vec<Channel>,
    numbers: HashMap<Arc<str>, usize>,
    file: Option<Spool>,
    spools: Spools,
    len: u64,
    is_full: bool,
    points: MapPoints,
}

#[derive(Debug)]
struct Channel {
    name: Arc<str>,
    /// Positions of its chunks in the temporary file.
    chunks: Vec<u64>,
    waiting: Vec<u8>,
}

impl Fixes {
    /// Creates an empty spool.
    pub(super) fn new(spools: Spools) -> Self {
        Self { spools, ..Self::default() }
    }

    /// Adds a fix that a map can show.
    pub(super) fn push(&mut self, sample: &Sample) -> Result<Outcome> {
        let Value::GnssFix(fix) = &sample.value else { return Ok(Outcome::LeftOut) };
        if !self.points.takes(fix) {
            return Ok(Outcome::LeftOut);
        }
        let next = self.channels.len();
        let number = self.numbers.get(&sample.channel).copied().unwrap_or(next);
        if number == CHANNELS {
            self.is_full = true;
            return Ok(Outcome::LeftOut);
        }
        if number == next {
            let name = Arc::clone(&sample.channel);
            self.numbers.insert(Arc::clone(&name), next);
            self.channels.push(Channel { name, chunks: Vec::new(), waiting: Vec::new() });
        }
        let Some(channel) = self.channels.get_mut(number) else { return Ok(Outcome::LeftOut) };
        encode(unix(sample.time), fix, &mut channel.waiting);
        if channel.waiting.len() >= CHUNK {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(self.spools.open()?),
            };
            file.write_all(&channel.waiting)?;
            channel.chunks.push(self.len);
            self.len += channel.waiting.len() as u64;
            channel.waiting.clear();
        }
        Ok(Outcome::Written)
    }

    /// Advice about what was left out.
    pub(super) fn advice(&self) -> Advice {
        if self.is_full { Advice::FewerChannels } else { self.points.advice() }
    }

    /// Why fixes were left out.
    pub(super) fn notes(&self) -> Vec<Note> {
        self.points.notes()
    }

    /// Passes on all fixes, channel by channel in order of their first fixes, within the order of the file.
    pub(super) fn drain(self, tracks: &mut dyn Tracks) -> Result<()> {
        let Self { mut channels, mut file, .. } = self;
        let mut first: HashMap<(u8, String), usize> = HashMap::new();
        channels.sort_by_cached_key(|channel| {
            let (class, group) = tracks.place(&channel.name);
            let next = first.len();
            (class, *first.entry((class, group.to_owned())).or_insert(next))
        });
        let mut bytes = vec![0; CHUNK];
        for channel in channels {
            tracks.begin(&channel.name).map_err(Error::written)?;
            if let Some(file) = &mut file {
                for at in channel.chunks {
                    file.seek(SeekFrom::Start(at))?;
                    file.read_exact(&mut bytes)?;
                    points(&bytes, tracks)?;
                }
            }
            points(&channel.waiting, tracks)?;
        }
        Ok(())
    }
}

fn points(mut bytes: &[u8], tracks: &mut dyn Tracks) -> Result<()> {
    while !bytes.is_empty() {
        let (time, fix) = decode(&mut bytes);
        tracks.point(time, &fix).map_err(Error::written)?;
    }
    Ok(())
}

/// Unix time; the formats need a date, which other clocks lack.
fn unix(time: Option<Timestamp>) -> Option<Timestamp> {
    time.filter(|time| time.clock() == Clock::Unix)
}

/// Encodes a fix. Unknown values are NaN, which track formats cannot hold either.
fn encode(time: Option<Timestamp>, fix: &GnssFix, out: &mut Vec<u8>) {
    let flags = [time.is_some(), fix.satellites.is_some(), fix.station_id.is_some()];
    out.push(flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(flag)));
    out.push(quality::gga(fix.quality).unwrap_or(u8::MAX));
    out.extend(time.map_or(0, Timestamp::nanos).to_le_bytes());
    out.extend(fix.satellites.unwrap_or_default().to_le_bytes());
    out.extend(fix.station_id.unwrap_or_default().to_le_bytes());
    let heights = [fix.altitude, fix.altitude_msl];
    let quality = [fix.hdop, fix.vdop, fix.pdop, fix.age_of_corrections_s];
    let motion = [fix.speed, fix.course];
    let known = heights.into_iter().chain(quality).chain(motion).map(|n| n.unwrap_or(f64::NAN));
    for number in [fix.latitude, fix.longitude].into_iter().chain(known) {
        out.extend(number.to_le_bytes());
    }
}

fn decode(bytes: &mut &[u8]) -> (Option<Timestamp>, GnssFix) {
    let [flags, quality] = take(bytes);
    let nanos = i64::from_le_bytes(take(bytes));
    let satellites = u32::from_le_bytes(take(bytes));
    let station_id = u16::from_le_bytes(take(bytes));
    let mut number = || f64::from_le_bytes(take(bytes));
    let (latitude, longitude) = (number(), number());
    let mut known = || Some(number()).filter(|n| n.is_finite());
    let fix = GnssFix {
        latitude,
        longitude,
        altitude: known(),
        altitude_msl: known(),
        hdop: known(),
        vdop: known(),
        pdop: known(),
        age_of_corrections_s: known(),
        speed: known(),
        course: known(),
        quality: FixQuality::from_gga(u32::from(quality)),
        satellites: (flags & 2 != 0).then_some(satellites),
        station_id: (flags & 4 != 0).then_some(station_id),
        // Track formats cannot hold the rest.
        ..GnssFix::default()
    };
    ((flags & 1 != 0).then(|| Timestamp::new(nanos, Clock::Unix)), fix)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let Some((taken, rest)) = bytes.split_first_chunk() else {
        *bytes = &[];
        return [0; N];
    };
    *bytes = rest;
    *taken
}

#[cfg(test)]
mod tests {
    use super::*;

    type Track = (String, Vec<(Option<Timestamp>, GnssFix)>);
    struct Seen(Vec<Track>);

    impl Tracks for Seen {
        fn begin(&mut self, channel: &str) -> robolog_core::Result<()> {
            self.0.push((channel.into(), Vec::new()));
            Ok(())
        }

        fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()> {
            self.0.last_mut().unwrap().1.push((time, fix.clone()));
            Ok(())
        }
    }

    #[test]
    fn channels_that_take_turns_come_out_one_behind_the_other() {
        let qualities = (1..10).map(FixQuality::from_gga).cycle();
        let mut fixes = Fixes::default();
        let mut want = [Vec::new(), Vec::new()];
        for (n, quality) in (0..1001_u32).zip(qualities) {
            let known = (!n.is_multiple_of(3)).then_some(f64::from(n) + 0.25);
            let fix = GnssFix {
                latitude: f64::from(n) / 100.0,
                longitude: -f64::from(n) / 10.0,
                altitude: known,
                altitude_msl: Some(-1.5),
                quality,
                satellites: n.is_multiple_of(2).then_some(n),
                hdop: Some(0.5),
                vdop: known,
                pdop: None,
                speed: Some(2.0),
                course: known,
                age_of_corrections_s: known,
                station_id: (!n.is_multiple_of(5)).then_some(7),
                ..GnssFix::default()
            };
            let time = known.map(|_| Timestamp::new(i64::from(n), Clock::Unix));
            let place = usize::from(n.is_multiple_of(3));
            let channel = ["a", "b"][place].into();
            let sample = Sample {
                attributes: robolog_core::Attributes::default(),
                time,
                offset: 0,
                channel,
                frame_id: "wgs84".into(),
                value: Value::GnssFix(fix.clone()),
            };
            assert_eq!(fixes.push(&sample).unwrap(), Outcome::Written);
            want[place].push((time, fix));
        }
        assert!(fixes.file.is_some());
        assert!(fixes.channels.iter().all(|channel| channel.waiting.capacity() <= 2 * CHUNK));
        let mut seen = Seen(Vec::new());
        fixes.drain(&mut seen).unwrap();
        let [a, b] = want;
        assert_eq!(seen.0, [("b".into(), b), ("a".into(), a)]);
    }

    #[test]
    fn there_is_a_bound_on_channels() {
        let mut fixes = Fixes::default();
        let mut push = |n: usize| {
            let channel = n.to_string().into();
            let value = Value::GnssFix(GnssFix::default());
            fixes
                .push(&Sample {
                    attributes: robolog_core::Attributes::default(),
                    time: None,
                    offset: 0,
                    channel,
                    frame_id: "wgs84".into(),
                    value,
                })
                .unwrap()
        };
        assert!((0..CHANNELS).all(|n| push(n) == Outcome::Written));
        assert_eq!([push(CHANNELS), push(0)], [Outcome::LeftOut, Outcome::Written]);
        assert_eq!(fixes.advice(), Advice::FewerChannels);
    }
}
