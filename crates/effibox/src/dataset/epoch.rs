//! Start of the acquisition: the `starting_time` of the documentation, which no file holds.

use std::{
    cell::Cell,
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use robolog_core::{Clock, Sample, Timestamp, Value, format::Decoder as _, slices::Part as _};

use super::{Dataset, Interface, fault::Result, recording::RecordingKind, sentences::Dates};
use crate::{
    gpx::{self, Utf8Reader},
    nmea,
    table::{self, Detector, Gga, NmeaDate, NtpUpdate, TableKind, TableRow, UtcReading},
};

/// The time of `Rtime` zero, as far as the files give it.
///
/// ```
/// let dataset = effibox::open("examples/dataset")?;
/// let epoch = dataset.epoch()?.expect("the receiver and the clock give it");
/// assert!(epoch.start.to_string().starts_with("2009-07-17T08:58:41"));
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Epoch {
    /// Unix time. It is late by the delay from a fix to the log: some tenths of a second.
    #[cfg_attr(feature = "serde", serde(serialize_with = "nanos"))]
    pub start: Timestamp,
    /// Its source.
    pub from: EpochFrom,
}

/// Source of the time of `Rtime` zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EpochFrom {
    /// NMEA sentences with a date, and their rows in `.dates`.
    Sentences,
    /// A track with times, and the rows of `_GGA_all.txt` at the same places.
    Track,
    /// The time of day in `_GGA_all.txt`, on the day of the first time in `ntpupdate.log`.
    TimeOfDay,
}

impl EpochFrom {
    /// The source in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sentences => "dated NMEA sentences",
            Self::Track => "the times of the GPX track",
            Self::TimeOfDay => "the time of day of the positions and the date of ntpupdate.log",
        }
    }
}

#[cfg(feature = "serde")]
fn nanos<S: serde::Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(time.nanos())
}

/// Maximum number of receivers examined.
const RECEIVERS: usize = 4;
const DAY: i64 = 86_400_000_000_000;
const SECOND: i64 = 1_000_000_000;

/// The first bytes of files, by path.
type Heads = HashMap<String, Vec<u8>>;

impl Dataset {
    /// Start of the acquisition: from the first 64 KiB of dated NMEA sentences, else of a GPX track with times, else
    /// from the positions' time of day and the date of `ntpupdate.log`. `None` if none of them gives it.
    ///
    /// Pass it to [`Options::with_start`](super::Options::with_start). It is an estimate: receivers take some tenths of
    /// a second from a fix to its sentence.
    pub fn epoch(&self) -> Result<Option<Epoch>> {
        let receivers: Vec<&Interface> = self
            .interfaces
            .iter()
            .filter(|i| table(i, TableKind::Gga).is_some() || i.sentences.is_some())
            .take(RECEIVERS)
            .collect();
        let clock = self.interfaces.iter().find_map(|i| table(i, TableKind::Ntp));
        let mut asked: HashSet<String> = clock.iter().map(|path| (*path).to_owned()).collect();
        for interface in &receivers {
            let tables =
                [TableKind::Gga, TableKind::NmeaDates].into_iter().filter_map(|kind| table(interface, kind));
            asked.extend(tables.map(str::to_owned));
            asked.extend(interface.sentences.clone());
            asked.extend(track(interface).map(str::to_owned));
        }
        let heads = self.heads(&asked)?;
        let by_sentences =
            receivers.iter().find_map(|i| Some((from_sentences(&heads, i)?, EpochFrom::Sentences)));
        let by_track = || receivers.iter().find_map(|i| Some((from_track(&heads, i)?, EpochFrom::Track)));
        let by_clock = || {
            let day = rows::<NtpUpdate>(heads.get(clock?)?, TableKind::Ntp).next()?;
            let day = Timestamp::from_secs(day.abs_time, Clock::Unix)?;
            receivers.iter().find_map(|i| Some((from_time_of_day(&heads, i, day)?, EpochFrom::TimeOfDay)))
        };
        let found = by_sentences.or_else(by_track).or_else(by_clock);
        Ok(found.map(|(start, from)| Epoch { start, from }))
    }

    /// How the receiver writes `utc_time`, and the time of day of `Rtime` zero, if its sentences or its track with times
    /// have the times of its table in one of the two ways.
    #[expect(clippy::cast_precision_loss, reason = "microseconds since the start of a drive")]
    pub(super) fn utc_reading(&self, interface: &Interface) -> Result<Option<(UtcReading, f64)>> {
        let asked = table(interface, TableKind::Gga).into_iter().chain(track(interface)).map(str::to_owned);
        let heads = self.heads(&asked.chain(interface.sentences.clone()).collect())?;
        let reading = compared(&heads, interface);
        let first = || rows::<Gga>(heads.get(table(interface, TableKind::Gga)?)?, TableKind::Gga).next();
        Ok(reading.zip(first()).and_then(|(reading, row)| {
            let zero = reading.seconds_of_day(row.utc_time)? - row.rtime as f64 / 1e6;
            Some((reading, zero))
        }))
    }

    fn heads(&self, asked: &HashSet<String>) -> Result<Heads> {
        let mut heads = Heads::new();
        self.starts(asked, super::LOOK, &mut |path, start| {
            heads.insert(path.to_owned(), start);
        })?;
        Ok(heads)
    }
}

/// Path of an interface's table of this kind.
fn table(interface: &Interface, kind: TableKind) -> Option<&str> {
    interface.tables.iter().find(|t| t.kind == kind).map(|t| t.path.as_str())
}

fn track(interface: &Interface) -> Option<&str> {
    interface
        .tracks
        .iter()
        .map(String::as_str)
        .find(|path| RecordingKind::of_track(path) == RecordingKind::Gpx)
}

/// Rows in the first bytes of a table; the last may be cut.
fn rows<T: TableRow>(start: &[u8], kind: TableKind) -> std::vec::IntoIter<T> {
    let end = memchr::memrchr(b'\n', start).map_or(0, |end| end + 1);
    let mut all = Vec::new();
    if let Ok(mut reader) = table::Reader::new(start.part(..end)) {
        reader.header_mut().kind = kind;
        all.extend(reader.records().filter_map(|record| record.ok()?.read::<T>().ok()?));
    }
    all.into_iter()
}

/// The time `rtime` microseconds before `time`.
fn zero(time: Timestamp, rtime: i64) -> Option<Timestamp> {
    let zero = time.checked_add(rtime.checked_mul(1000)?.checked_neg()?)?;
    (zero.clock() == Clock::Unix).then_some(zero)
}

fn from_sentences(heads: &Heads, interface: &Interface) -> Option<Timestamp> {
    let log = heads.get(interface.sentences.as_ref()?)?;
    let dates = heads.get(table(interface, TableKind::NmeaDates)?)?;
    let mut dates = Dates::new(Box::new(rows::<NmeaDate>(dates, TableKind::NmeaDates)));
    let reader = nmea::Reader::new(log).ok()?;
    let mut decoder = nmea::Decoder::new(reader.header(), nmea::Options::default());
    let found = Cell::new(None);
    let see = |dates: &Dates, sample: &Sample| {
        if let (Value::GnssFix(_), Some(time), Some(rtime)) =
            (&sample.value, sample.time, dates.rtime(sample.offset))
        {
            found.set(found.get().or_else(|| zero(time, rtime)));
        }
        Ok::<(), robolog_core::Error>(())
    };
    for record in reader.records().filter_map(Result::ok) {
        dates.sentence(&record);
        // What cannot be decoded has no time.
        let _ = decoder.samples(&record, &mut |sample: &mut Sample| see(&dates, sample));
        if found.get().is_some() {
            return found.get();
        }
    }
    // The log may end with its only fix.
    dates.end();
    let _ = decoder.last_samples(&mut |sample: &mut Sample| see(&dates, sample));
    found.get()
}

/// A degree of latitude is 111 km: tracks are printed to ten digits, about a millimetre.
const SAME_PLACE: f64 = 2e-8;

fn from_track(heads: &Heads, interface: &Interface) -> Option<Timestamp> {
    let document = heads.get(track(interface)?)?;
    let mut places = rows::<Gga>(heads.get(table(interface, TableKind::Gga)?)?, TableKind::Gga);
    let mut reader = gpx::StreamReader::new(Utf8Reader::new(document.as_slice())).ok()?;
    // The document is cut, so errors at its end are ignored.
    while let Ok(Some(record)) = reader.next_record() {
        if record.point() != Some(gpx::PointKind::TrackPoint) {
            continue;
        }
        let (place, point) = (places.next()?, record.position().ok()?);
        let near = |a: f64, b: f64| (a - b).abs() <= SAME_PLACE;
        let same = near(place.latitude_deg(), point.latitude) && near(place.longitude_deg(), point.longitude);
        if let Some(time) = point.time.filter(|_| same) {
            return zero(time, place.rtime);
        }
    }
    None
}

/// How a receiver writes `utc_time`, by the times of its sentences and its track.
fn compared(heads: &Heads, interface: &Interface) -> Option<UtcReading> {
    let mut times: HashSet<i64> = HashSet::new();
    let mut add = |time: Timestamp| times.extend([time.nanos().rem_euclid(DAY).div_euclid(SECOND)]);
    if let Some(log) = interface.sentences.as_ref().and_then(|path| heads.get(path)) {
        sentence_times(log, &mut add);
    }
    if let Some(document) = track(interface).and_then(|path| heads.get(path)) {
        track_times(document, &mut add);
    }
    let rows: Vec<Gga> = rows(heads.get(table(interface, TableKind::Gga)?)?, TableKind::Gga).collect();
    let votes = |reading: UtcReading| {
        let seconds = rows.iter().filter_map(|row| reading.seconds_of_day(row.utc_time)).map(whole);
        seconds.filter(|second| times.contains(second)).count()
    };
    match votes(UtcReading::Seconds).cmp(&votes(UtcReading::Hhmmss)) {
        Ordering::Less => Some(UtcReading::Hhmmss),
        Ordering::Equal => None,
        Ordering::Greater => Some(UtcReading::Seconds),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "seconds of a day")]
fn whole(seconds: f64) -> i64 {
    seconds as i64
}

/// Times of the fixes of sentences, of the day if they have no date.
fn sentence_times(log: &[u8], add: &mut dyn FnMut(Timestamp)) {
    let Ok(reader) = nmea::Reader::new(log) else { return };
    let mut decoder = nmea::Decoder::new(reader.header(), nmea::Options::default());
    let mut take = |sample: &mut Sample| {
        sample.time.filter(|_| matches!(sample.value, Value::GnssFix(_))).into_iter().for_each(&mut *add);
        Ok::<(), robolog_core::Error>(())
    };
    for record in reader.records().filter_map(Result::ok) {
        // What cannot be decoded has no time.
        let _ = decoder.samples(&record, &mut take);
    }
    let _ = decoder.last_samples(&mut take);
}

fn track_times(document: &[u8], add: &mut dyn FnMut(Timestamp)) {
    let Ok(mut reader) = gpx::StreamReader::new(Utf8Reader::new(document)) else { return };
    // The document is cut, so errors at its end are ignored.
    while let Ok(Some(record)) = reader.next_record() {
        let time = record.point().and_then(|_| record.position().ok()?.time);
        time.into_iter().for_each(&mut *add);
    }
}

fn from_time_of_day(heads: &Heads, interface: &Interface, near: Timestamp) -> Option<Timestamp> {
    let mut detector = Detector::default();
    let mut first = None;
    for row in rows::<Gga>(heads.get(table(interface, TableKind::Gga)?)?, TableKind::Gga) {
        detector.push(row.utc_time);
        first.get_or_insert((row.rtime, row.utc_time));
    }
    let (rtime, utc) = first?;
    let reading = match detector.reading() {
        UtcReading::Ambiguous => compared(heads, interface).unwrap_or_default(),
        reading => reading,
    };
    let of_day = Timestamp::from_secs(reading.seconds_of_day(utc)?, Clock::Unix)?.nanos();
    let midnight = near.nanos().checked_sub(near.nanos().rem_euclid(DAY))?;
    let moments = [-1_i64, 0, 1]
        .into_iter()
        .filter_map(|day| midnight.checked_add(day.checked_mul(DAY)?)?.checked_add(of_day));
    // The day on which the first position is nearest to the clock log.
    let nearest = moments.min_by_key(|at| at.abs_diff(near.nanos()))?;
    zero(Timestamp::new(nearest, Clock::Unix), rtime)
}
