//! Copies documents.

use std::{
    convert::Infallible,
    io::{Seek, Write},
    ops::Range,
    sync::Arc,
};

use robolog_core::{Error, Result, Timestamp};

use super::{
    Header, Kind, Kml, Placemark, Record, Time, Track, When,
    channels::{Channels, Part},
};
use crate::xml::{Copier, Stack};

/// Copies placemarks into a new document: see [`robolog_core::Rewriter`].
///
/// Its parts are points, lines, and the places of tracks one by one, by the channels of [`Sampler`](super::Sampler); a
/// placemark with none of these is a part of the channel `placemarks`. Of a track, the times, coordinates, angles and array
/// values of places that are left out go; a placemark of which nothing is left goes as a whole. Everything else is kept. An
/// end tag that ends nothing is left out, `copy` fails for it and can go on; elements that have no end get one. A document
/// that lost its root element to damage begins with the next element that one can begin with.
#[derive(Debug)]
pub struct Rewriter<W> {
    out: Copier<W>,
    stack: Stack,
    channels: Channels,
}

impl<W: Write + Seek> robolog_core::Rewriter<W> for Rewriter<W> {
    type Format = Kml;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let out = Copier::new(out, &header.root, header_bytes)?;
        Ok(Self { out, stack: Stack::new(&header.root), channels: Channels::default() })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        match record.kind() {
            Kind::Placemark | Kind::Geometry => {
                self.stack.inside(record.markup_offset())?;
                self.placemark(record, keep)
            }
            Kind::Start | Kind::Empty | Kind::End => {
                self.out.check::<Kml, _>(record)?;
                let name = record.tag.name();
                let is_closing = record.kind() == Kind::End && self.out.close_to(name, &self.stack)?;
                let outcome = self.stack.push(record.tag, record.markup_offset());
                if outcome.is_err() && record.kind() == Kind::End {
                    self.stack.end(name);
                }
                if outcome.is_ok() || is_closing {
                    self.out.record::<Kml, _>(record, &mut self.stack)?;
                }
                outcome.map(|()| 0)
            }
            _ => self.out.record::<Kml, _>(record, &mut self.stack).map(|()| 0),
        }
    }

    fn unfinished(&self) -> Option<Error> {
        self.out.unfinished(&self.stack)
    }

    fn finish(self) -> Result<W> {
        self.out.finish(&self.stack)
    }
}

impl<W: Write> Rewriter<W> {
    fn placemark(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let placemark = record.placemark()?;
        let (kept, all, mut gone) = self.choose(&placemark, keep);
        if kept == all {
            self.out.record::<Kml, _>(record, &mut self.stack)?;
            return Ok(kept);
        }
        if kept == 0 {
            return Ok(0);
        }
        if gone.is_empty() || std::str::from_utf8(record.markup()).is_err() {
            // Nothing that could be taken out by itself: the ranges are those of valid UTF-8.
            self.out.record::<Kml, _>(record, &mut self.stack)?;
            return Ok(kept);
        }
        gone.sort_by_key(|range| range.start);
        let markup = record.markup();
        self.out.text::<Kml, _>(record, &mut self.stack)?;
        let mut from = 0_usize;
        for range in gone {
            let before = markup.get(from..range.start.max(from)).unwrap_or_default();
            self.out.bytes(before.trim_ascii_end())?;
            from = range.end.max(from);
        }
        self.out.bytes(markup.get(from..).unwrap_or_default())?;
        Ok(kept)
    }

    /// How many parts are kept, how many there are, and where in the record those lie that are not.
    fn choose(
        &mut self,
        placemark: &Placemark,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> (u64, u64, Vec<Range<usize>>) {
        let (mut kept, mut all, mut gone) = (0_u64, 0_u64, Vec::new());
        let mut count = |is_kept: bool| {
            all = all.saturating_add(1);
            kept = kept.saturating_add(is_kept.into());
        };
        let mut visit = |channel: Arc<str>, time: Option<Timestamp>, part: Part<'_>| {
            match part {
                Part::Point(..) | Part::Line(..) => count(keep(&channel, time)),
                Part::Track(track) => {
                    let places = track.times.len().max(track.coordinates.len());
                    for at in 0..places {
                        let time = track.times.get(at).and_then(Option::as_ref).and_then(Time::timestamp);
                        let is_kept = keep(&channel, time);
                        if !is_kept {
                            gone.extend(ranges(track, at));
                        }
                        count(is_kept);
                    }
                }
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.channels.visit(placemark, &mut visit);
        if all == 0 {
            let time = placemark.time.as_ref().and_then(When::begin);
            return (u64::from(keep("placemarks", time)), 1, gone);
        }
        (kept, all, gone)
    }
}

/// Where the elements lie that make up one place of a track.
fn ranges(track: &Track, at: usize) -> impl Iterator<Item = Range<usize>> {
    let places = &track.places;
    let lists = [&places.times, &places.coordinates, &places.angles];
    lists.into_iter().chain(&places.arrays).filter_map(move |list| list.get(at).cloned())
}
