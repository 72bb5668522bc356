//! Livox clocks that get their date late, as in LVX: a LiDAR counts from power-on until it is synchronised.

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom},
};

use lvx::{ClockTrack, Version, wire};
use robolog_core::{
    Clock, StreamReader, Timestamp,
    format::{Extent, Format as _, RawRecord, Search},
    slices::{InRange as _, Part as _, past},
};

use crate::{
    Capture, Header, Record, datagram::Dissector, decode::livox::is_dated, payload::Payload, sensors::Sensors,
};

/// A Livox whose stamps count from power-on first, and have a date later.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LateClock {
    /// Its name: what its channels begin with.
    pub name: String,
    /// Nanoseconds from its first stamp to its first date.
    pub after_ns: i64,
    /// Unix time of its power-on, in nanoseconds: one clock for all its stamps.
    pub power_on_ns: i64,
}

/// Bytes at the start of a capture with a packet of each LiDAR, and at the end.
const START: u64 = 256 << 10;
const TAIL: u64 = 128 << 10;

/// Finds the Livox LiDARs of a capture whose clocks get the date late. Reads as far as the change; a capture without a
/// change is known by its beginning and its end. Returns none for what cannot be read.
///
/// ```
/// let file = std::fs::File::open("examples/livox_sdk2.pcapng")?;
/// assert_eq!(robolog_capture::late_clocks(file)?, []); // one clock from the start
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn late_clocks<R: Read + Seek>(mut file: R) -> io::Result<Vec<LateClock>> {
    let start = file.stream_position()?;
    let mut clocks = Clocks::default();
    let header = clocks.read(&mut file, |clocks| !clocks.is_undated() && clocks.end < START);
    let Some(header) = header.filter(|_| clocks.is_undated()) else { return Ok(Vec::new()) };
    if !clocks.end_dated(&header, &mut file, start)? {
        return Ok(Vec::new());
    }
    file.seek(SeekFrom::Start(start))?;
    Ok(late_clocks_ahead(file))
}

/// The same for a stream, of which it reads the part before the change: with a limit of its own for what the caller can
/// hold.
pub fn late_clocks_ahead<R: Read>(stream: R) -> Vec<LateClock> {
    let mut clocks = Clocks::default();
    clocks.read(stream, |clocks| clocks.end < START || clocks.tracks.values().any(ClockTrack::is_open));
    let Clocks { sensors, tracks, .. } = clocks;
    let late = tracks.into_iter().filter_map(|(number, track)| {
        let (after_ns, power_on_ns) = track.finish()?;
        Some(LateClock { name: sensors.get(number)?.name.to_string(), after_ns, power_on_ns })
    });
    late.collect()
}

/// The clocks of a capture's sensors.
#[derive(Debug, Default)]
struct Clocks {
    dissector: Dissector,
    sensors: Sensors,
    /// By the sensor's number.
    tracks: BTreeMap<usize, ClockTrack>,
    package: Vec<u8>,
    /// Whether the last stamp had a date.
    is_dated: bool,
    /// End of the last record.
    end: u64,
}

impl Clocks {
    fn read(&mut self, stream: impl Read, goes_on: impl Fn(&Self) -> bool) -> Option<Header> {
        let mut reader = StreamReader::<_, Capture>::new(stream).ok()?;
        let header = reader.header().clone();
        while let Ok(Some(record)) = reader.next_record() {
            self.push(&record);
            if !goes_on(self) {
                break;
            }
        }
        Some(header)
    }

    fn push(&mut self, record: &Record<'_>) {
        self.end = record.end();
        let Ok(Some(datagram)) = self.dissector.datagram(record) else { return };
        let Ok(payload) = Payload::of(&datagram, &mut self.package) else { return };
        // As for samples, so that sensors get the same names.
        let Some(sender) = self.sensors.of(&datagram, payload, &self.package) else { return };
        let version = match payload {
            Payload::Points(version) => version,
            Payload::Spread => Version::V2_0,
            _ => return,
        };
        let Some(stamp) = wire::package(version, &self.package).and_then(|package| package.time()) else {
            return;
        };
        self.is_dated = is_dated(stamp, datagram.time_ns);
        let is_one = self.is_dated || stamp.clock() == Clock::Device;
        let stamp = if is_one { stamp } else { Timestamp::new(stamp.nanos(), Clock::Relative) };
        self.tracks.entry(sender.number).or_default().push(stamp);
    }

    /// Whether a LiDAR has no date so far.
    fn is_undated(&self) -> bool {
        self.tracks.values().any(ClockTrack::is_undated)
    }

    /// Whether a packet near the end has a date.
    fn end_dated<R: Read + Seek>(&mut self, header: &Header, file: &mut R, start: u64) -> io::Result<bool> {
        let end = file.seek(SeekFrom::End(0))?;
        let from = end.saturating_sub(TAIL).max(start);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        file.take(TAIL).read_to_end(&mut tail)?;
        let (mut rest, mut at) = (tail.as_slice(), from.minus(start));
        while let Search::Found(skip) = Capture::resync(header, rest, at, true) {
            (rest, at) = (rest.part(skip..), past(at, skip));
            while let Ok(Extent::Whole(len @ 1..)) = Capture::measure(header, rest, at, true) {
                let bytes = rest.part(..len);
                if let Ok(record) = Capture::record(header, RawRecord { offset: at, bytes }) {
                    self.push(&record);
                }
                if self.is_dated {
                    return Ok(true);
                }
                (rest, at) = (rest.part(len..), past(at, len));
            }
            // Nothing may be left.
            (rest, at) = (rest.part_or_empty(1..), at.plus(1));
        }
        Ok(false)
    }
}
