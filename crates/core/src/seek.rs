//! Reading from a given time without reading everything before it.

use std::io;

use crate::{
    Event, Result, StreamReader, Timestamp,
    format::{Decoder as _, Recording},
    slices::{InRange as _, OrZero as _},
};

/// How well times are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReorderBound {
    /// Maximum nanoseconds by which a record may be earlier than the one before it.
    pub order: i64,
    /// Maximum nanoseconds between a sample's time and its record's. Other records that contribute to the sample are at
    /// most this much earlier.
    pub reach: i64,
}

impl ReorderBound {
    /// Maximum distance of a time's records from it, nanoseconds.
    pub fn total(self) -> i64 {
        self.order.saturating_mul(2).saturating_add(self.reach)
    }
}

/// Searches for times in a recording whose records are in time order.
#[derive(Debug)]
pub struct TimeIndex {
    /// Sorted by offset.
    known: Vec<Known>,
    bound: ReorderBound,
    end: u64,
}

/// A record, and its times.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    offset: u64,
    len: u64,
    earliest: Timestamp,
    latest: Timestamp,
}

/// The records around a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between {
    /// The last record known to lie before it.
    pub before: Option<u64>,
    /// The first record known not to.
    pub behind: Option<u64>,
}

/// Maximum and minimum number of places where time order is checked.
const PROBES: (u64, u64) = (16, 4);
/// Total bytes of records at these places, unless only the minimum number is used.
const PROBED: u64 = 512 << 10;
/// Maximum bytes read by one probe for a time.
const REACH: u64 = 8 << 20;
/// The search ends when only this many bytes or records are left: reading them is as fast as searching on.
const NEAR: u64 = 256 << 10;
const FEW: u64 = 4;

impl TimeIndex {
    /// Checks the times of some records from offset `start` to the end of the recording, at `end` bytes.
    ///
    /// `None` if they are out of order or cannot be compared. Returns stream errors.
    pub fn find<R: io::Read + io::Seek, F: Recording>(
        reader: &mut StreamReader<R, F>,
        (start, end): (u64, u64),
        decoder: &F::Decoder,
        bound: ReorderBound,
    ) -> Result<Option<Self>> {
        let mut moments = Self { known: Vec::new(), bound, end };
        let first = probe(reader, start, decoder)?;
        moments.known.extend(first);
        let len = first.map_or(0, |first| first.len);
        let probes = PROBED.checked_div(len).unwrap_or(PROBES.0).clamp(PROBES.1, PROBES.0);
        let step = end.saturating_sub(start).div_or_zero(probes);
        for at in (1..probes).map(|i| start.plus(step.times(i))) {
            let Some(found) = probe(reader, at, decoder)? else { continue };
            if moments.known.last().is_none_or(|last| last.offset < found.offset) {
                moments.known.push(found);
            }
        }
        Ok(moments.is_ordered().then_some(moments))
    }

    /// The latest time in the recording, from as many of its last records as may have it.
    ///
    /// `None` if times turn out to be out of order, or the last records are damaged. Returns stream errors.
    pub fn latest<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        decoder: &F::Decoder,
    ) -> Result<Option<Timestamp>> {
        if self.near_end(reader, decoder)?.is_none() || !self.is_ordered() {
            return Ok(None);
        }
        let Some(mut latest) = self.known.last().map(|last| last.latest) else { return Ok(None) };
        let mut met = None;
        let order = self.bound.order;
        let ahead =
            move |_, time: Timestamp| latest.since(time).map_or(0, |ahead| ahead.saturating_sub(order));
        let Some(Between { before: Some(from), .. }) = self.look_for(reader, decoder, &ahead)? else {
            return Ok(None);
        };
        reader.seek(from)?;
        loop {
            match reader.next_event()? {
                Event::Record(record) => {
                    let Some((_, time)) = decoder.span(&record) else { continue };
                    let before = met.unwrap_or(time);
                    if before.since(time).is_none_or(|ahead| ahead > order) {
                        return Ok(None);
                    }
                    met = Some(before.later(time));
                    latest = latest.later(time);
                }
                Event::Damage { .. } => return Ok(None),
                Event::End => return Ok(Some(latest)),
            }
        }
    }

    /// The offset of a record near the end. `None` if none there has a time. Returns stream errors.
    pub fn near_end<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        decoder: &F::Decoder,
    ) -> Result<Option<u64>> {
        for near in [NEAR, REACH] {
            let Some(found) = probe(reader, self.end.saturating_sub(near), decoder)? else { continue };
            if self.known.last().is_none_or(|last| last.offset < found.offset) {
                self.known.push(found);
            }
            break;
        }
        Ok(self.known.last().map(|last| last.offset))
    }

    fn is_ordered(&self) -> bool {
        let follows = |a: Timestamp, b: Timestamp| {
            b.since(a).is_some_and(|nanos| nanos >= self.bound.order.saturating_neg())
        };
        let pairs = self.known.iter().zip(self.known.iter().skip(1));
        pairs.into_iter().all(|(a, b)| follows(a.earliest, b.earliest) && follows(a.latest, b.latest))
    }

    /// The records around a given time: `ahead` returns, for the earliest and latest time of a record, how many
    /// nanoseconds the wanted time lies ahead of it; 0 or less if it does not.
    ///
    /// `None` if times turn out to be out of order. Returns stream errors.
    pub fn look_for<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        decoder: &F::Decoder,
        ahead: &dyn Fn(Timestamp, Timestamp) -> i64,
    ) -> Result<Option<Between>> {
        let mut guess = Guess::default();
        loop {
            let next = self.known.iter().position(|known| ahead(known.earliest, known.latest) <= 0);
            let next = next.unwrap_or(self.known.len());
            let low = next.checked_sub(1).and_then(|last| self.known.get(last)).copied();
            let high = self.known.get(next).copied();
            let between = Between { before: low.map(|low| low.offset), behind: high.map(|high| high.offset) };
            let Some(low) = low else { return Ok(Some(between)) };
            let end = high.map_or(self.end, |high| high.offset);
            if end.saturating_sub(low.offset) < NEAR.max(low.len.saturating_mul(FEW)) {
                return Ok(Some(between));
            }
            let moment =
                high.map(|high| (ahead(low.earliest, low.latest), ahead(high.earliest, high.latest)));
            match probe(reader, guess.next((low.offset, end), moment), decoder)? {
                Some(found) if found.offset > low.offset && found.offset < end => {
                    guess.is_before = Some(ahead(found.earliest, found.latest) > 0);
                    self.known.insert(next, found);
                    if !self.is_ordered() {
                        return Ok(None);
                    }
                }
                // Nothing even from the middle on: long records, or none with a time.
                _ if guess.is_middle => return Ok(Some(between)),
                _ => guess.misses = true,
            }
        }
    }
}

/// Where to look for a time: recordings grow evenly, so its byte position is roughly proportional.
#[derive(Debug, Default)]
struct Guess {
    count: u64,
    /// Whether the last place was before the wanted time.
    is_before: Option<bool>,
    /// Whether the last place gave nothing new.
    misses: bool,
    /// Whether the place is the middle.
    is_middle: bool,
}

impl Guess {
    /// The next place between two. The wanted time lies this many nanoseconds ahead of the first and of the second.
    fn next(&mut self, (low, high): (u64, u64), ahead: Option<(i64, i64)>) -> u64 {
        self.count = self.count.wrapping_add(1);
        let width = high.minus(low);
        let middle = u64::midpoint(low, high);
        // Bisects if growth is uneven.
        self.is_middle = self.count.is_multiple_of(4) || std::mem::take(&mut self.misses);
        let Some((ahead, behind)) = ahead.filter(|_| !self.is_middle) else {
            self.is_middle = true;
            return middle;
        };
        let (ahead, behind) = (i128::from(ahead), i128::from(behind));
        let within = ahead.times(width.into()).checked_div(ahead.minus(behind));
        let within = within.and_then(|within| u64::try_from(within).ok()).unwrap_or(width / 2).min(width);
        let place = low.plus(within);
        // Aims past the wanted time, on the other side than the last place, so that both ends close in.
        let place = match self.is_before {
            Some(true) => place.plus(NEAR / 2),
            _ => place.saturating_sub(NEAR / 2),
        };
        let edge = width / 16;
        place.clamp(low.plus(edge.min(NEAR / 4)), high.minus(edge.min(NEAR / 4)))
    }
}

/// The first record after `at` that has a time.
fn probe<R: io::Read + io::Seek, F: Recording>(
    reader: &mut StreamReader<R, F>,
    at: u64,
    decoder: &F::Decoder,
) -> Result<Option<Known>> {
    reader.seek(at)?;
    reader.align()?;
    let most = at.plus(REACH);
    while reader.position() < most {
        let offset = reader.position();
        let span = match reader.next_event()? {
            Event::Record(record) => decoder.span(&record),
            Event::Damage { .. } => None,
            Event::End => break,
        };
        if let Some((earliest, latest)) = span {
            let len = reader.position().minus(offset);
            return Ok(Some(Known { offset, len, earliest, latest }));
        }
    }
    Ok(None)
}
