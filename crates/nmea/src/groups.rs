//! Groups GSV sentences into epochs: several sentences for each system and signal, several such groups for each epoch.

use robolog_core::{Satellite, Satellites, Timestamp};

use super::{Gsv, GsvSatellite, Sentence, constellation};

/// Collects the satellites of GSV sentences until the receiver starts over.
///
/// An epoch ends when a group repeats, or when the time advances and all its groups are complete. A satellite is listed
/// once for each of its signals.
///
/// ```
/// use robolog_nmea::{Gsv, Sentence, SkyView};
/// let mut view = SkyView::new();
/// let text = b"$GPGSV,1,1,02,33,34,205,35,39,33,150,34\r\n";
/// let sentence = Sentence::parse(text)?;
/// view.push(&sentence, &Gsv::decode(&sentence)?, None);
/// let sky = view.finish().expect("something was gathered");
/// assert!(sky.is_complete && sky.satellites.satellites.len() == 2);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct SkyView {
    groups: Vec<Group>,
    satellites: Vec<Satellite>,
    start: Option<(Option<Timestamp>, u64)>,
}

/// The satellites of an epoch, with the time and offset of the first sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Sky {
    /// The time, if known.
    pub time: Option<Timestamp>,
    /// Offset of the first sentence.
    pub offset: u64,
    /// Whether all sentences of all groups are present.
    pub is_complete: bool,
    /// The satellites, in the order of the sentences.
    pub satellites: Satellites,
}

#[derive(Debug)]
struct Group {
    talker: [u8; 2],
    signal_id: Option<u8>,
    sentences: u8,
    /// The last number seen.
    number: u8,
    is_gapless: bool,
}

impl Group {
    fn is_complete(&self) -> bool {
        self.is_gapless && self.number >= self.sentences
    }
}

/// More than systems times signals, and more than satellites.
const GROUPS: usize = 64;
const MOST: usize = 1024;

impl SkyView {
    /// Starts without satellites.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the satellites of a sentence; returns the epoch that it ends, if any.
    pub fn push(&mut self, sentence: &Sentence<'_>, gsv: &Gsv, time: Option<Timestamp>) -> Option<Sky> {
        let key = sentence.talker_bytes().first_chunk().copied().unwrap_or_default();
        let place = self.groups.iter().rposition(|g| g.talker == key && g.signal_id == gsv.signal_id);
        let last = place.and_then(|place| self.groups.get(place)).map(|group| group.number);
        // A missing number counts as the next one.
        let next = last.map_or(1, |last| last.saturating_add(1));
        let number = gsv.number.unwrap_or(next);
        let is_anew = last.is_some_and(|last| number <= last);
        let is_over = is_anew || self.is_over_at(time) || self.groups.len() >= GROUPS;
        let ended = if is_over { self.finish() } else { None };
        self.start.get_or_insert((time, sentence.offset()));
        match place.filter(|_| ended.is_none()).and_then(|place| self.groups.get_mut(place)) {
            Some(group) => {
                group.is_gapless &= number == next;
                group.number = number;
            }
            None => self.groups.push(Group {
                talker: key,
                signal_id: gsv.signal_id,
                sentences: gsv.sentences.unwrap_or(1),
                number,
                is_gapless: number == 1,
            }),
        }
        if gsv.satellites().next().is_some() {
            let talker = sentence.talker();
            gsv.satellites().for_each(|slot| self.add(talker, gsv, slot));
        }
        ended
    }

    fn add(&mut self, talker: &str, gsv: &Gsv, slot: &GsvSatellite) {
        let Some(id) = slot.id else { return };
        let radians = |d: super::Decimal| d.as_f64().to_radians();
        let satellite = Satellite {
            constellation: constellation(talker, gsv.system_id, id),
            id: id.into(),
            elevation: slot.elevation.map(radians),
            azimuth: slot.azimuth.map(radians),
            snr: slot.snr.map(super::Decimal::as_f64),
            signal: gsv.signal_id,
        };
        // Numbers differ most often.
        let key = |s: &Satellite| (s.id, s.constellation, s.signal);
        let same = |s: &&mut Satellite| key(s) == key(&satellite);
        let is_room = self.satellites.len() < MOST;
        match self.satellites.iter_mut().find(same) {
            Some(known) => {
                known.elevation = known.elevation.or(satellite.elevation);
                known.azimuth = known.azimuth.or(satellite.azimuth);
                let best = known.snr.into_iter().chain(satellite.snr).max_by(f64::total_cmp);
                known.snr = best;
            }
            None if is_room => self.satellites.push(satellite),
            None => {}
        }
    }

    /// Whether all groups so far are complete.
    pub(super) fn is_complete(&self) -> bool {
        self.groups.iter().all(Group::is_complete)
    }

    /// Whether all groups are complete and the time has advanced, so that no further sentence belongs to the epoch.
    pub(super) fn is_over_at(&self, time: Option<Timestamp>) -> bool {
        self.start.as_ref().is_some_and(|(start, _)| *start != time) && self.is_complete()
    }

    /// Time of the first sentence.
    pub(super) fn time(&self) -> Option<Timestamp> {
        self.start.as_ref()?.0
    }

    /// Offset of the first sentence.
    pub(super) fn offset(&self) -> Option<u64> {
        Some(self.start.as_ref()?.1)
    }

    /// Whether there are no satellites.
    pub(super) fn is_empty(&self) -> bool {
        self.start.is_none()
    }

    /// The satellites collected so far, if any.
    pub fn finish(&mut self) -> Option<Sky> {
        let is_complete = self.is_complete();
        let (time, offset) = self.start.take()?;
        self.groups.clear();
        // The next epoch has about as many.
        let next = Vec::with_capacity(self.satellites.len());
        let satellites = Satellites { satellites: std::mem::replace(&mut self.satellites, next) };
        Some(Sky { time, offset, is_complete, satellites })
    }
}
