//! GPX 1.1, as read by nearly every map program.

mod described;

use std::{
    collections::HashMap,
    io::{BufWriter, Write},
    sync::Arc,
};

use robolog_core::{Cell, Clock, Feature, Geometry, Sample, Value};
use robolog_gpx::{Header, Position, Waypoint, Writer};

use self::described::{head, head_of_route, is_text, named, waypoint};
use super::{
    Holds, Lacks, Need, Selection, TargetSpec, takes,
    tracks::{Channel, Tracks, is_numbered, track_of},
};
use crate::{Advice, Error, Note, Origin, Outcome, Result, Sink};

/// GPX of Topografix.
pub static GPX: TargetSpec = TargetSpec {
    name: "gpx",
    extensions: &["gpx"],
    about: "waypoints, routes, and a track for each channel of fixes, GPX 1.1",
    holds: Holds::Places,
    lacks: Lacks::RECEIVER,
    needs: &[Need::Dates],
    takes,
    instead: takes::no_advice,
    open: |out, opening| {
        let tracks = Tracks::new(opening.options.spools);
        Ok(Box::new(Gpx { tracks, ..Gpx::new(BufWriter::new(out)) }))
    },
};

/// Writes waypoints, routes and tracks.
///
/// Points become waypoints, lines routes, fixes tracks: one for each channel, named after its track or else the channel,
/// in order of their first samples. Tracks read from GPX keep their segments. Areas cannot be held.
///
/// | element | from |
/// |---|---|
/// | `lat`, `lon` | degrees, WGS 84 |
/// | `ele` | metres above mean sea level, or above the ellipsoid where only that is known |
/// | `time` | unix time; left out on other clocks |
/// | `geoidheight` | where both heights are known, their difference |
/// | `fix`, `sat`, `hdop`, `vdop`, `pdop` | if known; real-time kinematic is `dgps` |
/// | `ageofdgpsdata`, `dgpsid` | seconds since the last correction, number of the reference station |
/// | `name`, `cmt`, `desc`, `src`, `link`, `sym`, `number`, `type` | texts of a feature; attributes of a track |
/// | `speed`, `course` in `extensions` | metres per second, degrees: elements of GPX 1.0, and of Garmin's `TrackPointExtension` version 2 |
/// | `hr`, `cad`, `atemp`, `wtemp`, `depth` in `extensions` | what was measured with a fix, as Garmin's |
/// | `PowerInWatts` in `extensions` | power, as Garmin's |
/// | others in `extensions` | what else was measured with a fix, and the properties of a feature, under their own names |
///
/// Samples of up to 2048 channels are kept in temporary files until the end because the points of a track are stored
/// together. Fixes outside the range of latitude or longitude, fixes of quality 0, poses in local frames and all other
/// values are left out.
#[derive(Debug)]
pub struct Gpx<W> {
    out: W,
    tracks: Tracks,
    /// Whether a recording is GPX, so that channel names say what the points are.
    is_copy: bool,
}

/// The order of the document; names of points wait for their route.
const WAYPOINTS: u8 = 0;
const ROUTE_POINTS: u8 = 1;
const ROUTES: u8 = 2;
/// Routes whose points have times, which are fixes.
const TIMED_ROUTES: u8 = 3;
const TRACKS: u8 = 4;

impl<W: Write> Gpx<W> {
    /// Creates a document on `out`.
    pub fn new(out: W) -> Self {
        Self { out, tracks: Tracks::default(), is_copy: false }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        let Self { out, mut tracks, is_copy } = self;
        tracks.sort(|channel| track_of(channel).filter(|_| is_copy).unwrap_or(channel));
        let writer = Writer::new(out, &Header::new("robolog")).map_err(Error::written)?;
        let mut document = Document { writer, is_copy, track: None, places: HashMap::new(), route: 0 };
        for at in 0..tracks.channels().len() {
            let Some(channel) = tracks.channels().get(at) else { continue };
            document.begin(channel).map_err(Error::written)?;
            let (name, class) = (Arc::clone(&channel.name), channel.class);
            tracks.each(at, &mut |sample| document.sample(&name, class, sample).map_err(Error::written))?;
        }
        document.writer.finish().map_err(Error::written)
    }
}

impl<W: Write> Sink for Gpx<W> {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.is_copy |= origin.format == "gpx";
        Ok(())
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Value::Feature(feature) = &sample.value else {
            let is_route = self.is_copy && is_numbered(last_part(&sample.channel), "route");
            return self.tracks.push(sample, if is_route { TIMED_ROUTES } else { TRACKS });
        };
        let mut parts = Vec::new();
        elements(&feature.geometry, &mut parts);
        let last = last_part(&sample.channel);
        let mut took = Outcome::LeftOut;
        for part in &parts {
            let class = match (part, last) {
                (Geometry::Point(_), "route points") => ROUTE_POINTS,
                (Geometry::LineString(_), _) | (_, "routes") => ROUTES,
                _ => WAYPOINTS,
            };
            let pushed = if parts.len() == 1 && **part == feature.geometry {
                self.tracks.push(sample, class)?
            } else {
                let mut one = feature.clone();
                one.geometry = (*part).clone();
                let value = Value::Feature(one);
                self.tracks.push(&sample.like(value), class)?
            };
            took = if took == Outcome::Written { took } else { pushed };
        }
        Ok(took)
    }

    fn advice(&self) -> Option<Advice> {
        Some(self.tracks.advice())
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(self.tracks.notes())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// The points and lines of a shape.
fn elements<'g>(geometry: &'g Geometry, parts: &mut Vec<&'g Geometry>) {
    match geometry {
        Geometry::Point(_) | Geometry::LineString(_) => parts.push(geometry),
        Geometry::Collection(all) => all.iter().for_each(|part| elements(part, parts)),
        _ => {}
    }
}

/// Whether a file holds a sample: a fix, or a feature with a point or a line.
fn takes(sample: &Sample, selection: Selection) -> bool {
    let mut parts = Vec::new();
    if let Value::Feature(feature) = &sample.value {
        elements(&feature.geometry, &mut parts);
        return !parts.is_empty() && takes::places(sample, selection);
    }
    takes::places(sample, selection)
}

struct Document<W> {
    writer: Writer<W>,
    is_copy: bool,
    /// The open track whose segments are channels.
    track: Option<String>,
    /// The named points of routes, by the name before their channel, their route and their place in it.
    places: HashMap<(String, i64, i64), Feature>,
    /// Number of the next route of its channel.
    route: i64,
}

impl<W: Write> Document<W> {
    fn begin(&mut self, channel: &Channel) -> robolog_core::Result<()> {
        self.route = 0;
        if channel.class < TIMED_ROUTES {
            return Ok(());
        }
        let track = track_of(&channel.name).filter(|_| self.is_copy);
        if track.is_some() && self.track.as_deref() == track {
            return self.writer.begin_segment();
        }
        self.track = track.map(str::to_owned);
        // Without a recording's name, a track of a document has a number but no name.
        let own = track.unwrap_or(&channel.name);
        let last = last_part(own);
        let is_numbered =
            self.is_copy && ["track", "route"].into_iter().any(|known| is_numbered(last, known));
        let name = Some(own).filter(|own| !is_numbered || own.contains('/'));
        let head = head(&channel.attributes, name);
        if channel.class == TIMED_ROUTES {
            return self.writer.begin_route(&head);
        }
        self.writer.begin_track(&head)?;
        if track.is_some() { self.writer.begin_segment() } else { Ok(()) }
    }

    fn sample(&mut self, channel: &str, class: u8, sample: &Sample) -> robolog_core::Result<()> {
        let time = sample.time.filter(|time| time.clock() == Clock::Unix);
        match &sample.value {
            Value::GnssFix(fix) => {
                let position = Position { time, ..Position::from(fix) };
                let mut point = Waypoint::from(position);
                match fix.measured.as_deref() {
                    Some(row) if row.fields.iter().any(|field| is_text(&field.name)) => {
                        named(row, &mut point);
                    }
                    _ => point.measured.clone_from(&fix.measured),
                }
                self.writer.point(&point)
            }
            Value::Feature(feature) if class == ROUTES => self.route(channel, feature),
            Value::Feature(feature) if class == ROUTE_POINTS => {
                if let Some(key) = key_of(channel, feature) {
                    self.places.insert(key, (**feature).clone());
                }
                Ok(())
            }
            Value::Feature(feature) => {
                let Some(place) = feature.geometry.positions().next() else { return Ok(()) };
                self.writer.waypoint(&waypoint(place, time, Some(feature), &[]))
            }
            _ => Ok(()),
        }
    }

    fn route(&mut self, channel: &str, feature: &Feature) -> robolog_core::Result<()> {
        self.writer.begin_route(&head_of_route(feature))?;
        let (below, route) = (below(channel), self.route);
        self.route += 1;
        for (position, point) in feature.geometry.positions().zip(0..) {
            let place = self.places.remove(&(below.to_owned(), route, point));
            let place =
                place.filter(|place| place.geometry.positions().next().is_some_and(|at| at == position));
            self.writer.point(&waypoint(position, None, place.as_ref(), &["route", "point"]))?;
        }
        Ok(())
    }
}

/// The last part of a channel's name.
fn last_part(channel: &str) -> &str {
    channel.rsplit_once('/').map_or(channel, |(_, part)| part)
}

/// What is before the last part of a channel's name.
fn below(channel: &str) -> &str {
    channel.rsplit_once('/').map_or("", |(below, _)| below)
}

/// The route of a named point, and its place in it.
fn key_of(channel: &str, feature: &Feature) -> Option<(String, i64, i64)> {
    let number = |name| match feature.properties.as_ref()?.get(name)? {
        Cell::Int(number) => Some(*number),
        _ => None,
    };
    Some((below(channel).to_owned(), number("route")?, number("point")?))
}
