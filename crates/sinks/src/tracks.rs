//! Spools fixes and features by channel: maps store the points of a track together.

use std::{
    collections::HashMap,
    io::{Read, Seek, SeekFrom, Write},
    sync::Arc,
};

use robolog_core::{
    Attributes, Cell, Feature, Geometry, GnssFix, Position, Row, Sample, Value,
    columns::{self, Datum},
};

use crate::{
    Advice, Note, Outcome, Result,
    map_points::MapPoints,
    spool::{Spool, Spools},
    stored::Stored,
};

/// Fixes and features by channel: the last few in memory, the rest in a temporary file.
#[derive(Debug, Default)]
pub struct Tracks {
    channels: Vec<Channel>,
    numbers: HashMap<(u8, Arc<str>), usize>,
    stored: Stored,
    /// What fixes say besides position and time, in order of appearance.
    series: Vec<Named>,
    file: Option<Spool>,
    spools: Spools,
    len: u64,
    is_full: bool,
    points: MapPoints,
    bytes: Vec<u8>,
}

/// A series of values beside a track.
#[derive(Debug, Clone)]
pub struct Named {
    /// Its name, as in tables.
    pub name: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// Whether all its values are numbers.
    pub is_number: bool,
}

/// The samples of one channel and class.
#[derive(Debug)]
pub struct Channel {
    /// Its name.
    pub name: Arc<str>,
    /// The number that the target gave them.
    pub class: u8,
    /// The attributes of its first sample.
    pub attributes: Attributes,
    /// Number of samples.
    pub len: u64,
    /// Positions of its chunks in the temporary file, and their bytes.
    chunks: Vec<(u64, usize)>,
    waiting: Vec<u8>,
}

/// Bytes of a channel kept in memory before they go to a temporary file.
const CHUNK: usize = 6 << 10;
/// Maximum number of channels with chunks, 12 MB in all.
const CHANNELS: usize = 2048;

impl Tracks {
    /// Creates an empty spool.
    pub fn new(spools: Spools) -> Self {
        Self { spools, ..Self::default() }
    }

    /// Adds a fix or a feature that a map can show. A channel's samples of each class are kept apart.
    pub fn push(&mut self, sample: &Sample, class: u8) -> Result<Outcome> {
        let is_shown = match &sample.value {
            Value::GnssFix(fix) => self.points.takes(fix),
            Value::Feature(feature) => self.points.takes_feature(feature),
            _ => false,
        };
        if !is_shown {
            return Ok(Outcome::LeftOut);
        }
        let next = self.channels.len();
        let key = (class, Arc::clone(&sample.channel));
        let number = self.numbers.get(&key).copied().unwrap_or(next);
        if number == CHANNELS {
            self.is_full = true;
            return Ok(Outcome::LeftOut);
        }
        if number == next {
            self.channels.push(Channel::new(sample, class));
            self.numbers.insert(key, next);
        }
        if let Value::GnssFix(fix) = &sample.value {
            let series = &mut self.series;
            each_series(fix, &mut |name, unit, value| {
                let is_number = matches!(value, Series::Number(_) | Series::Integer(_));
                match series.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.is_number &= is_number,
                    None => series.push(Named { name: name.to_owned(), unit: unit.to_owned(), is_number }),
                }
            });
        }
        let Some(channel) = self.channels.get_mut(number) else { return Ok(Outcome::LeftOut) };
        channel.len += 1;
        self.stored.put(sample, &mut channel.waiting);
        if channel.waiting.len() >= CHUNK {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(self.spools.open()?),
            };
            file.seek(SeekFrom::End(0))?;
            file.write_all(&channel.waiting)?;
            channel.chunks.push((self.len, channel.waiting.len()));
            self.len += channel.waiting.len() as u64;
            channel.waiting.clear();
        }
        Ok(Outcome::Written)
    }

    /// Advice about what was left out.
    pub fn advice(&self) -> Advice {
        if self.is_full { Advice::FewerChannels } else { self.points.advice() }
    }

    /// Why samples were left out.
    pub fn notes(&self) -> Vec<Note> {
        self.points.notes()
    }

    /// Sorts the channels: by class, then those of a group together, in order of their first samples.
    pub fn sort(&mut self, group: impl Fn(&str) -> &str) {
        let mut first: HashMap<(u8, String), usize> = HashMap::new();
        self.channels.sort_by_cached_key(|channel| {
            let next = first.len();
            let group = group(&channel.name).to_owned();
            (channel.class, *first.entry((channel.class, group)).or_insert(next))
        });
        self.numbers.clear();
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// What fixes say besides position and time: see [`each_series`].
    pub fn series(&self) -> &[Named] {
        &self.series
    }

    /// Passes on the samples of a channel, by its place in [`channels`](Self::channels).
    pub fn each(&mut self, channel: usize, each: &mut dyn FnMut(&Sample) -> Result<()>) -> Result<()> {
        let Self { channels, stored, file, bytes, .. } = self;
        let Some(channel) = channels.get(channel) else { return Ok(()) };
        let mut pass = |mut rest: &[u8]| {
            while let Some(sample) = stored.take(&mut rest, &channel.name) {
                each(&sample)?;
            }
            Ok(())
        };
        if let Some(file) = file {
            for (at, len) in &channel.chunks {
                file.seek(SeekFrom::Start(*at))?;
                bytes.resize(*len, 0);
                file.read_exact(bytes)?;
                pass(bytes)?;
            }
        }
        pass(&channel.waiting)
    }
}

impl Channel {
    fn new(sample: &Sample, class: u8) -> Self {
        Self {
            name: Arc::clone(&sample.channel),
            class,
            attributes: sample.attributes.clone(),
            len: 0,
            chunks: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The name of the track, as the recording has it, or else its channel's.
    pub fn title(&self) -> &str {
        self.attributes.get("name").unwrap_or(&self.name)
    }
}

/// Passes on what a fix says besides its position, heights and time: name, unit, value, as in the columns of tables. The
/// course is in degrees, as maps have it.
pub fn each_series<'a>(fix: &'a GnssFix, put: &mut dyn FnMut(&'a str, &'a str, Series<'a>)) {
    columns::of_fix(fix, &mut |name, unit, datum| {
        if matches!(name, "latitude" | "longitude" | "altitude" | "altitude_msl" | "frame_id") {
            return;
        }
        let is_angle = unit == "rad";
        let value = match datum {
            // Maps have no numbers that are not finite.
            Datum::Float(Some(number)) if !number.is_finite() => return,
            Datum::Float(Some(radians)) if is_angle => Series::Number(radians.to_degrees()),
            Datum::Float(Some(number)) => Series::Number(number),
            Datum::Int(Some(number)) => Series::Integer(number),
            Datum::Bool(Some(value)) => Series::Bool(value),
            Datum::Text(Some(text)) => Series::Text(text),
            Datum::Name(text) if text != "unknown" => Series::Text(text),
            _ => return,
        };
        put(name, if is_angle { "deg" } else { unit }, value);
    });
}

/// Names of texts that a fix has because people named its point.
const OF_PLACES: [&str; 8] =
    ["name", "description", "comment", "symbol", "type", "link", "link_text", "source"];

/// The name of a fix whose point people named, as in a document.
pub fn name_of(fix: &GnssFix) -> Option<&str> {
    fix.measured.as_deref()?.iter().find_map(|(field, cell)| match cell {
        Cell::Text(name) if field.name == "name" && !name.trim().is_empty() => Some(&**name),
        _ => None,
    })
}

/// The place of a fix whose point people named, with what they say of it. Its measurements stay with the fix.
pub fn named_place(fix: &GnssFix) -> Option<Feature> {
    let name = name_of(fix)?;
    let (latitude, longitude) = (fix.latitude, fix.longitude);
    let altitude_msl = fix.altitude_msl.or(fix.altitude);
    let mut place = Feature::new(Geometry::Point(Position { latitude, longitude, altitude_msl }));
    let (mut fields, mut cells) = (Vec::new(), Vec::new());
    for (field, cell) in
        fix.measured.iter().flat_map(|row| row.iter()).filter(|(field, _)| is_of_place(&field.name))
    {
        let Cell::Text(text) = cell else { continue };
        let slot = match &*field.name {
            "name" => &mut place.name,
            "description" => &mut place.description,
            "symbol" => &mut place.symbol,
            "type" => &mut place.kind,
            "link" => &mut place.link,
            _ => {
                fields.push(field.clone());
                cells.push(cell.clone());
                continue;
            }
        };
        *slot = Some(text.clone());
    }
    place.name.get_or_insert_with(|| name.to_owned());
    place.properties = (!cells.is_empty()).then(|| Row { fields: fields.into(), cells });
    Some(place)
}

/// Whether a series is a text of [`named_place`].
pub fn is_of_place(series: &str) -> bool {
    OF_PLACES.contains(&series)
}

/// A value of a series.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Series<'a> {
    /// A number.
    Number(f64),
    /// An integer.
    Integer(i64),
    /// Yes or no.
    Bool(bool),
    /// A text.
    Text(&'a str),
}

impl std::fmt::Display for Series<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The track of a channel that is one of its segments, such as `track1` of `track1/segment2`.
pub fn track_of(channel: &str) -> Option<&str> {
    let (track, segment) = channel.rsplit_once('/')?;
    let name = track.rsplit_once('/').map_or(track, |(_, name)| name);
    (is_numbered(segment, "segment") && is_numbered(name, "track")).then_some(track)
}

/// Whether `name` is `known` and a number.
pub fn is_numbered(name: &str, known: &str) -> bool {
    name.strip_prefix(known)
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a feature, or what a map shows of it, is on Earth.
pub fn is_on_earth(feature: &Feature) -> bool {
    feature.geometry.positions().all(|position| {
        (-90.0..=90.0).contains(&position.latitude) && (-180.0..=180.0).contains(&position.longitude)
    })
}

#[cfg(test)]
mod tests {
    use robolog_core::{Clock, FixQuality, Timestamp};

    use super::*;

    #[test]
    fn channels_that_take_turns_come_out_one_behind_the_other() {
        let qualities = (1..10).map(FixQuality::from_gga).cycle();
        let mut tracks = Tracks::default();
        let mut want = [Vec::new(), Vec::new()];
        for (n, quality) in (0..1001_u32).zip(qualities) {
            let known = (!n.is_multiple_of(3)).then_some(f64::from(n) + 0.25);
            let fix = GnssFix {
                latitude: f64::from(n) / 100.0,
                longitude: -f64::from(n) / 10.0,
                altitude: known,
                quality,
                satellites: n.is_multiple_of(2).then_some(n),
                ..GnssFix::default()
            };
            let place = usize::from(n.is_multiple_of(3));
            let sample = Sample::new(["a", "b"][place], Value::GnssFix(fix))
                .with_time(known.map(|_| Timestamp::new(i64::from(n), Clock::Unix)))
                .with_frame("wgs84");
            assert_eq!(tracks.push(&sample, 0).unwrap(), Outcome::Written);
            want[place].push(sample);
        }
        assert!(tracks.file.is_some());
        assert!(tracks.channels.iter().all(|channel| channel.waiting.capacity() <= 4 * CHUNK));
        tracks.sort(|channel| channel);
        for (at, want) in [1, 0].into_iter().map(|at: usize| (1 - at, &want[at])) {
            for _ in 0..2 {
                let mut seen = Vec::new();
                tracks
                    .each(at, &mut |sample| {
                        seen.push(sample.clone());
                        Ok(())
                    })
                    .unwrap();
                assert!(seen == *want);
            }
        }
        let names: Vec<_> = tracks.series().iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["quality", "satellites"]);
    }

    #[test]
    fn there_is_a_bound_on_channels() {
        let mut tracks = Tracks::default();
        let mut push = |n: usize| {
            let sample = Sample::new(n.to_string(), Value::GnssFix(GnssFix::default())).with_frame("wgs84");
            tracks.push(&sample, 0).unwrap()
        };
        assert!((0..CHANNELS).all(|n| push(n) == Outcome::Written));
        assert_eq!([push(CHANNELS), push(0)], [Outcome::LeftOut, Outcome::Written]);
        assert_eq!(tracks.advice(), Advice::FewerChannels);
    }

    #[test]
    fn segments_belong_to_their_track() {
        let tracks = ["track1/segment2", "run/track12/segment1", "track1", "a/segment1", "track1/segmentx"];
        assert_eq!(tracks.map(track_of), [Some("track1"), Some("run/track12"), None, None, None]);
    }
}
