//! Copies documents.

use std::{
    convert::Infallible,
    io::{Seek, Write},
    ops::Range,
    sync::Arc,
};

use robolog_core::{Error, Result, Timestamp, format::MergeMode, slices::Part as _};

use robolog_xml::{ElementCopier, Stack, Tag};

use super::{
    Header, Kml, Placemark, Record, Time, Track,
    channels::{Channels, Shape},
    model::Span,
    payload::Replacement,
    record::Damage,
};

/// Copies placemarks into a new document: see [`robolog_core::format::Copier`].
///
/// Its parts are single positions of tracks and the other shapes of a placemark together, in the channels of
/// [`Decoder`](super::Decoder); a placemark with none of these is a part of the channel `placemarks`. For positions of a track that are left out,
/// their times, coordinates, angles and array values are removed; a placemark without any part left is removed as a
/// whole. Everything else is kept. `copy` returns an error for damage and can continue; [Damage](super#damage)
/// describes what it does with it.
///
/// ```
/// use std::io::Cursor;
///
/// use robolog_kml::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/gx_track.kml").unwrap();
/// let reader = robolog_kml::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    out: ElementCopier<W>,
    stack: Stack,
    channels: Channels,
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Kml;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let out = ElementCopier::new(out, &header.root, header_bytes)?;
        Ok(Self { out, stack: Stack::new(&header.root), channels: Channels::default() })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let mark = self.out.mark();
        let outcome = self.follow(record, keep);
        if outcome.is_err() {
            self.out.fail(record.bytes().len(), mark);
        }
        outcome
    }

    fn unfinished(&self) -> Option<Error> {
        self.out.unfinished(&self.stack)
    }

    fn left_out(&self) -> u64 {
        self.out.left_out()
    }

    fn finish(self) -> Result<W> {
        self.out.finish(&self.stack)
    }

    fn merge_mode(_: &Header) -> MergeMode {
        MergeMode::Document
    }

    /// Everything but placemarks.
    fn is_shared(record: &Record<'_>) -> bool {
        record.kind().element().is_none()
    }
}

impl<W: Write> Copier<W> {
    fn follow(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        match record.kind().element() {
            Some(_) => self.placemark(record, keep),
            None => self.out.markup(record, true, &mut self.stack).map(|()| 0),
        }
    }

    fn placemark(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let mut damage = Damage::default();
        let (placemark, mends) = record.placemark_and_mends(&mut |fault| damage.note(fault))?;
        let chosen = self.choose(record.markup(), &placemark, mends, keep);
        let kept = chosen.kept;
        if kept == 0 {
            damage.into_result()?;
            return Ok(0);
        }
        if chosen.gone.is_empty() && chosen.mends.is_empty() {
            self.out.record(record, &mut self.stack)?;
        } else {
            self.edited(record, chosen)?;
        }
        damage.into_result()?;
        Ok(kept)
    }

    /// Copies a record with changes.
    fn edited(&mut self, record: &Record<'_>, chosen: Chosen) -> Result<()> {
        let Chosen { mut gone, mut mends, .. } = chosen;
        gone.sort_unstable_by_key(|span| Range::from(*span).start);
        mends.sort_by_key(|(range, _)| range.start);
        let markup = record.markup();
        self.out.text(record, &mut self.stack)?;
        let (mut from, mut mends) = (0_usize, mends.into_iter().peekable());
        for span in gone {
            let range = Range::from(span);
            while let Some((place, text)) = mends.next_if(|(place, _)| place.start <= range.start) {
                self.replace(markup, &mut from, place, &text)?;
            }
            self.replace(markup, &mut from, range, "")?;
        }
        for (place, text) in mends {
            self.replace(markup, &mut from, place, &text)?;
        }
        self.out.bytes(markup.part(from..))
    }

    /// Copies the markup up to `range`, and `text` in place of the range.
    fn replace(&mut self, markup: &[u8], from: &mut usize, range: Range<usize>, text: &str) -> Result<()> {
        let before = markup.part(*from..range.start.max(*from));
        self.out.bytes(before.trim_ascii_end())?;
        *from = range.end.max(*from);
        self.out.bytes(text.as_bytes())
    }

    /// Chooses the parts to keep and the changes for that.
    fn choose(
        &mut self,
        markup: &[u8],
        placemark: &Placemark,
        mends: Vec<Replacement>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Chosen {
        let mut chosen = Chosen { kept: 0, all: 0, gone: Vec::new(), mends };
        let mut visit = |channel: Arc<str>, time: Option<Timestamp>, part: Shape<'_>| {
            match part {
                Shape::Fix(..) | Shape::Feature(_) => chosen.count(keep(&channel, time)),
                Shape::Track(track) => chosen.track(markup, track, &mut |time| keep(&channel, time)),
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.channels.visit(placemark, &mut visit);
        if chosen.all == 0 {
            chosen.count(keep("placemarks", placemark.begin()));
        }
        chosen
    }
}

/// The kept parts of a placemark.
struct Chosen {
    kept: u64,
    all: u64,
    /// Ranges to remove.
    gone: Vec<Span>,
    /// Insertions and replacements.
    mends: Vec<Replacement>,
}

impl Chosen {
    fn count(&mut self, is_kept: bool) {
        self.all += 1;
        self.kept += u64::from(is_kept);
    }

    /// Chooses the positions of a track. Those with unreadable coordinates are removed, and so are times and angles
    /// without coordinates; missing ones are added empty.
    fn track(&mut self, markup: &[u8], track: &Track, keep: &mut dyn FnMut(Option<Timestamp>) -> bool) {
        let (times, angles) = (track.times.len(), track.angles.len());
        let places = track.coordinates.len();
        let mut missing = [0_usize; 2];
        for at in 0..places.max(times).max(angles) {
            if at >= places || track.places.lost.binary_search(&at).is_ok() {
                self.gone.extend(places_of(track, at));
                continue;
            }
            let time = track.times.get(at).and_then(Option::as_ref).and_then(Time::timestamp);
            let is_kept = keep(time);
            self.count(is_kept);
            if is_kept {
                let [times_missing, angles_missing] = &mut missing;
                *times_missing += usize::from(at >= times);
                *angles_missing += usize::from(angles > 0 && at >= angles);
            } else {
                self.gone.extend(places_of(track, at));
            }
        }
        let Some(first) = track.places.coordinates.first().map(|span| Range::from(*span).start) else {
            return;
        };
        let lists = [(&track.places.times, "when"), (&track.places.angles, "angles")];
        for ((list, name), count) in lists.into_iter().zip(missing).filter(|(_, count)| *count > 0) {
            let end = list.last().map_or(first, |span| Range::from(*span).end);
            // With the prefix of the others.
            let tag = list.first().and_then(|span| markup.get(Range::from(*span).start + 1..));
            let tag = tag.map(|tag| String::from_utf8_lossy(Tag::Start(tag).name()));
            let element = format!("<{}/>", tag.as_deref().unwrap_or(name));
            self.mends.push((end..end, element.repeat(count)));
        }
    }
}

/// Ranges of the elements of one position of a track.
fn places_of(track: &Track, at: usize) -> impl Iterator<Item = Span> {
    let places = &track.places;
    let lists = [&places.times, &places.coordinates, &places.angles];
    lists.into_iter().chain(&places.arrays).filter_map(move |list| list.get(at).copied())
}
