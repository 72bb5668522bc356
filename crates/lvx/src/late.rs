//! Clocks that get their date late: a LiDAR counts from power-on until it is synchronised, seconds into a recording.

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom},
};

use robolog_core::{
    Clock, Event, StreamReader, Timestamp,
    format::{Extent, Format as _, RawRecord, Search},
    slices::{InRange as _, Part as _, past, value_at},
};

use crate::{DataType, DeviceId, Header, Lvx, Record};

/// A device whose stamps count from power-on first, and have a date later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LateClock {
    /// The device.
    pub device: DeviceId,
    /// Nanoseconds from its first stamp to its first date.
    pub after_ns: i64,
    /// Unix time of its power-on, in nanoseconds: one clock for all its stamps.
    pub power_on_ns: i64,
}

impl LateClock {
    /// The clock of a device.
    pub fn new(device: DeviceId, after_ns: i64, power_on_ns: i64) -> Self {
        Self { device, after_ns, power_on_ns }
    }
}

/// Bytes at the end of a file with a frame.
const TAIL: u64 = 512 << 10;
/// Gaps that show the time between packages, on either side of the change.
const GAPS: usize = 32;

/// Finds the devices of a recording whose clocks get the date late. Reads as far as the change; a recording without a
/// change is known by its beginning and its end. Damage is skipped, so that a recovered copy has the same clocks. Returns
/// none for what cannot be read.
///
/// ```
/// let file = std::fs::File::open("examples/room.lvx")?;
/// assert_eq!(lvx::late_clocks(file)?, []); // dated from the start
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn late_clocks<R: Read + Seek>(mut file: R) -> io::Result<Vec<LateClock>> {
    let start = file.stream_position()?;
    let Ok(mut reader) = StreamReader::<_, Lvx>::new(&mut file) else { return Ok(Vec::new()) };
    let mut tracks = BTreeMap::new();
    if !follow_all(&mut reader, 1, &mut tracks) {
        return Ok(Vec::new());
    }
    let header = reader.header().clone();
    if !ends_dated(&header, &mut file, start)? {
        return Ok(Vec::new());
    }
    file.seek(SeekFrom::Start(start))?;
    Ok(late_clocks_ahead(file))
}

/// The same for a stream, of which it reads the part before the change: with a limit of its own for what the caller can
/// hold.
pub fn late_clocks_ahead<R: Read>(stream: R) -> Vec<LateClock> {
    let Ok(mut reader) = StreamReader::<_, Lvx>::new(stream) else { return Vec::new() };
    let mut tracks = BTreeMap::new();
    follow_all(&mut reader, usize::MAX, &mut tracks);
    let late = tracks.into_iter().filter_map(|(device, track): (_, ClockTrack)| {
        track.finish().map(|(after_ns, power_on_ns)| LateClock { device, after_ns, power_on_ns })
    });
    late.collect()
}

/// Whether a frame near the end has a date.
fn ends_dated<R: Read + Seek>(header: &Header, file: &mut R, start: u64) -> io::Result<bool> {
    let end = file.seek(SeekFrom::End(0))?;
    let from = end.saturating_sub(TAIL).max(start);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let (mut rest, mut at) = (tail.as_slice(), from.minus(start));
    while let Search::Found(skip) = Lvx::resync(header, rest, at, true) {
        (rest, at) = (rest.part(skip..), past(at, skip));
        let len = match Lvx::measure(header, rest, at, true) {
            Ok(Extent::Whole(len) | Extent::Torn { len, .. }) => len,
            _ => 0,
        };
        let bytes = rest.part(..len);
        if let Ok(record) = Lvx::record(header, RawRecord { offset: at, bytes })
            && record.packages().map_while(Result::ok).any(|p| p.timestamp_type().clock() == Clock::Unix)
        {
            return Ok(true);
        }
        let skip = len.max(1);
        (rest, at) = (rest.part(skip..), past(at, skip));
    }
    Ok(false)
}

/// Follows the clocks of devices through so many frames, or as far as needed. Returns whether one has no date yet.
fn follow_all<R: Read>(
    reader: &mut StreamReader<R, Lvx>,
    frames: usize,
    tracks: &mut BTreeMap<DeviceId, ClockTrack>,
) -> bool {
    let (mut is_open, mut left) = (true, frames);
    while is_open && left > 0 {
        match reader.next_event() {
            Ok(Event::Record(record)) => {
                is_open = follow(&record, tracks);
                left = left.minus(1);
            }
            Ok(Event::Damage { .. }) => {}
            Ok(Event::End) | Err(_) => break,
        }
    }
    is_open && left < frames
}

/// Follows the clocks of a frame's devices. Returns whether one has no date yet, or too few gaps behind it.
fn follow(record: &Record<'_>, tracks: &mut BTreeMap<DeviceId, ClockTrack>) -> bool {
    for package in record.packages().map_while(Result::ok) {
        if package.data_type() == DataType::Imu {
            continue;
        }
        if let Some(time) = package.time() {
            tracks.entry(package.device()).or_default().push(time);
        }
    }
    tracks.values().any(ClockTrack::is_open)
}

/// Follows the stamps of a device's points, to find a clock that gets its date late.
#[derive(Debug, Default)]
pub struct ClockTrack {
    first: Option<i64>,
    last: Option<Timestamp>,
    /// The last stamp from power-on, and the first with a date.
    change: Option<(i64, i64)>,
    /// The last gaps before the change, and the first behind it.
    before: Vec<i64>,
    behind: Vec<i64>,
    /// Whether the stamps began with a date, or restarted.
    is_other: bool,
}

impl ClockTrack {
    /// Whether further stamps can tell more: there is no date yet, or too few gaps behind it.
    pub fn is_open(&self) -> bool {
        !self.is_other && (self.change.is_none() || self.behind.len() < GAPS)
    }

    /// Whether all stamps so far count from power-on.
    pub fn is_undated(&self) -> bool {
        self.last.is_some() && self.change.is_none() && !self.is_other
    }

    /// Follows the next stamp, on [`Clock::Device`] or, with a date, on [`Clock::Unix`].
    pub fn push(&mut self, time: Timestamp) {
        let last = self.last.replace(time);
        let gap = last.filter(|last| last.clock() == time.clock()).and_then(|last| time.since(last));
        match (time.clock(), self.change) {
            (Clock::Device, None) => {
                self.first.get_or_insert(time.nanos());
                self.is_other |= gap.is_some_and(|gap| gap < 0);
                if self.before.len() >= GAPS {
                    self.before.remove(0);
                }
                self.before.extend(gap);
            }
            (Clock::Unix, None) => match last {
                Some(last) if last.clock() == Clock::Device => {
                    self.change = Some((last.nanos(), time.nanos()));
                }
                _ => self.is_other = true,
            },
            (Clock::Unix, Some(_)) if self.behind.len() < GAPS => self.behind.extend(gap),
            (Clock::Device | Clock::Unix, Some(_)) => {}
            _ => self.is_other = true,
        }
    }

    /// If the clock got its date: nanoseconds from the first stamp to the first date, and the unix time of power-on. The
    /// clock goes on from the last stamp to the first date as from any package to the next.
    pub fn finish(self) -> Option<(i64, i64)> {
        let (last, date) = self.change.filter(|_| !self.is_other)?;
        let mut gaps = [self.before, self.behind].concat();
        gaps.sort_unstable();
        let gap = value_at(&gaps, gaps.len() / 2);
        let power_on_ns = date.checked_sub(gap)?.checked_sub(last)?;
        let after_ns = last.checked_add(gap)?.checked_sub(self.first?)?;
        Some((after_ns, power_on_ns))
    }
}
