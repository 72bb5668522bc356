//! Reading from a moment on, without reading what is before it.

use std::io;

use crate::{Event, Recording, Result, StreamReader, Timed as _, Timestamp};

/// Finds out from the first records of a recording whether reading can go on at a later one: see [`Recording::seeking`].
pub trait Seeking<F: Recording> {
    /// Takes in one of the first records.
    fn push(&mut self, record: &F::Record<'_>);

    /// How near to a moment reading may go on, for the samples from that moment on to be the same as if all before had been
    /// read. `None`: everything must be read.
    fn slack(&self) -> Option<Slack>;

    /// The earliest and the latest time in the record, as far as its envelope holds it. The default is its own time.
    fn span(&self, record: &F::Record<'_>) -> Option<(Timestamp, Timestamp)> {
        record.time().map(|time| (time, time))
    }

    /// Whether the earliest time in the first records is that of the recording. Not where samples of later records may be
    /// earlier. The default is true.
    fn knows_start(&self) -> bool {
        true
    }

    /// Whether a copy leaves out records without a time together with the one before them. The default is true; else
    /// [`Rewriting`](crate::Rewriting) decides about them.
    fn untimed_follow(&self) -> bool {
        true
    }

    /// Whether the last record, which a copy has too, is to be read whatever time is wanted: a mark of the end. The default
    /// is false.
    fn has_end_mark(&self) -> bool {
        false
    }
}

/// How times are in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slack {
    /// How many nanoseconds earlier than the record before it a record may be.
    pub order: i64,
    /// How many nanoseconds a sample's time may differ from its record's. The other records that it is made of lie at most
    /// this much earlier.
    pub reach: i64,
}

impl Slack {
    /// How far the records of a moment may lie from it.
    pub fn total(self) -> i64 {
        self.order.saturating_mul(2).saturating_add(self.reach)
    }
}

/// Looks for moments in a recording whose records are in order of time.
#[derive(Debug)]
pub struct Moments {
    /// By offset.
    known: Vec<Known>,
    slack: Slack,
    end: u64,
}

/// A record, and the times in it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    offset: u64,
    earliest: Timestamp,
    latest: Timestamp,
}

/// The records between which a moment lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between {
    /// The last one known to lie before it.
    pub before: Option<u64>,
    /// The first one known not to.
    pub behind: Option<u64>,
}

/// Places at which the order of times is looked at.
const PROBES: u64 = 16;
/// Bytes that one probe for a time reads.
const REACH: u64 = 8 << 20;
/// The search ends when this few bytes are left: reading them takes no longer than searching on.
const NEAR: u64 = 256 << 10;

impl Moments {
    /// Looks at the times of some records from offset `start` on, up to the end of the recording, which has `end` bytes.
    ///
    /// `None` where they are not in order, or do not compare. Fails when the stream does.
    pub fn find<R: io::Read + io::Seek, F: Recording>(
        reader: &mut StreamReader<R, F>,
        (start, end): (u64, u64),
        seeking: &dyn Seeking<F>,
        slack: Slack,
    ) -> Result<Option<Self>> {
        let mut moments = Self { known: Vec::new(), slack, end };
        let step = end.saturating_sub(start).checked_div(PROBES).unwrap_or_default();
        for at in (0..PROBES).map(|i| start.saturating_add(step.saturating_mul(i))) {
            let Some(found) = probe(reader, at, seeking)? else { continue };
            if moments.known.last().is_none_or(|last| last.offset < found.offset) {
                moments.known.push(found);
            }
        }
        Ok(moments.is_ordered().then_some(moments))
    }

    /// The latest time in the recording, from its last records: as many as there may be the latest among.
    ///
    /// `None` where times prove not to be in order, or the last records are damaged. Fails when the stream does.
    pub fn latest<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        seeking: &dyn Seeking<F>,
    ) -> Result<Option<Timestamp>> {
        if self.near_end(reader, seeking)?.is_none() || !self.is_ordered() {
            return Ok(None);
        }
        let Some(mut latest) = self.known.last().map(|last| last.latest) else { return Ok(None) };
        let mut met = None;
        let order = self.slack.order;
        let is_before = move |_, time: Timestamp| latest.since(time).is_some_and(|ahead| ahead > order);
        let Some(Between { before: Some(from), .. }) = self.look_for(reader, seeking, &is_before)? else {
            return Ok(None);
        };
        reader.seek(from)?;
        loop {
            match reader.next_event()? {
                Event::Record(record) => {
                    let Some((_, time)) = seeking.span(&record) else { continue };
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

    /// The offset of a record near the end. `None` where none there has a time. Fails when the stream does.
    pub fn near_end<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        seeking: &dyn Seeking<F>,
    ) -> Result<Option<u64>> {
        for near in [NEAR, REACH] {
            let Some(found) = probe(reader, self.end.saturating_sub(near), seeking)? else { continue };
            if self.known.last().is_none_or(|last| last.offset < found.offset) {
                self.known.push(found);
            }
            break;
        }
        Ok(self.known.last().map(|last| last.offset))
    }

    fn is_ordered(&self) -> bool {
        let follows = |a: Timestamp, b: Timestamp| {
            b.since(a).is_some_and(|nanos| nanos >= self.slack.order.saturating_neg())
        };
        let pairs = self.known.iter().zip(self.known.iter().skip(1));
        pairs.into_iter().all(|(a, b)| follows(a.earliest, b.earliest) && follows(a.latest, b.latest))
    }

    /// The records between which the first one lies for which `is_before` of its earliest and latest time answers false.
    ///
    /// `None` where times prove not to be in order. Fails when the stream does.
    pub fn look_for<R: io::Read + io::Seek, F: Recording>(
        &mut self,
        reader: &mut StreamReader<R, F>,
        seeking: &dyn Seeking<F>,
        is_before: &dyn Fn(Timestamp, Timestamp) -> bool,
    ) -> Result<Option<Between>> {
        loop {
            let next = self.known.iter().position(|known| !is_before(known.earliest, known.latest));
            let next = next.unwrap_or(self.known.len());
            let before = next.checked_sub(1).and_then(|last| self.known.get(last)).map(|known| known.offset);
            let behind = self.known.get(next).map(|known| known.offset);
            let between = Between { before, behind };
            let Some(low) = before else { return Ok(Some(between)) };
            let high = behind.unwrap_or(self.end);
            let width = high.saturating_sub(low);
            if width < NEAR {
                return Ok(Some(between));
            }
            match probe(reader, low.saturating_add(width / 2), seeking)? {
                Some(found) if found.offset > low && found.offset < high => {
                    self.known.insert(next, found);
                    if !self.is_ordered() {
                        return Ok(None);
                    }
                }
                // Long records, or none with a time.
                _ => return Ok(Some(between)),
            }
        }
    }
}

/// The first record behind `at` that has a time.
fn probe<R: io::Read + io::Seek, F: Recording>(
    reader: &mut StreamReader<R, F>,
    at: u64,
    seeking: &dyn Seeking<F>,
) -> Result<Option<Known>> {
    reader.seek(at)?;
    reader.align()?;
    let most = at.saturating_add(REACH);
    while reader.position() < most {
        let offset = reader.position();
        match reader.next_event()? {
            Event::Record(record) => {
                if let Some((earliest, latest)) = seeking.span(&record) {
                    return Ok(Some(Known { offset, earliest, latest }));
                }
            }
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    Ok(None)
}
