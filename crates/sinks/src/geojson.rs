//! `GeoJSON` (RFC 7946), as read by QGIS, GDAL, Leaflet and databases.

mod points;
mod tracks;

use std::io::{BufWriter, Write};

use robolog_core::{Sample, Value};
use serde::Serialize;

use super::{
    GeoJsonFixes, Holds, Lacks, Need, TargetSpec, feature::Item, map_points::MapPoints, spool::Spools, takes,
    tracks::Tracks,
};
use crate::{Advice, Note, Outcome, Result, Sink};

/// `GeoJSON` of RFC 7946.
pub static GEOJSON: TargetSpec = TargetSpec {
    name: "geojson",
    extensions: &["geojson"],
    about: "places, lines, areas and tracks with their names and measurements, GeoJSON",
    holds: Holds::Places,
    lacks: Lacks::NOTHING,
    needs: &[Need::Dates],
    takes: takes::places,
    instead: takes::no_advice,
    open: |out, opening| {
        let (fixes, spools) = (opening.options.geojson, opening.options.spools);
        Ok(Box::new(GeoJson::of(BufWriter::new(out), fixes, spools)))
    },
};

/// Writes a feature collection: features in order of arrival, then the tracks.
///
/// Coordinates are longitude and latitude in degrees, WGS 84, and the height in metres if known: above mean sea level, or
/// above the ellipsoid where only that is known. The properties of a feature are `name`, `desc`, `sym`, `type`, `links`,
/// as `togeojson` and GDAL have them, `time` in UTC for Unix time, `channel`, and its own.
///
/// The fixes of a channel are a `LineString`, the segments of a track a `MultiLineString`, and a single fix a `Point`. Its
/// properties are the attributes of the track, under the same names, and `channel`; `coordTimes`, with a time in UTC for
/// each coordinate; and `coordinateProperties`, with an array for each thing known of the fixes, named as in tables, such
/// as `heart_rate`, `speed` or `quality`. Times on other clocks than Unix time are `time_ns` there, nanoseconds of `clock`.
///
/// [`GeoJsonFixes::Points`] gives a point per fix, in order of arrival, with the height above the ellipsoid. The
/// properties are `channel`; `time` in UTC for Unix time; `time_ns`, nanoseconds of `clock`; `altitude_msl_m`;
/// `quality`, `satellites`, `hdop`, `vdop`, `pdop`; `speed_m_s`; `course_deg`, degrees clockwise from true north;
/// `age_of_corrections_s` and `station_id`; whatever else was measured, under its own name. Unknown properties are
/// omitted.
///
/// Fixes and features outside the range of latitude or longitude, fixes of quality 0, poses in local frames and all other
/// values are left out. Fixes of up to 2048 channels are kept in temporary files until the end.
#[derive(Debug)]
pub struct GeoJson<W> {
    out: W,
    is_begun: bool,
    fixes: GeoJsonFixes,
    tracks: Tracks,
    points: MapPoints,
}

impl<W: Write> GeoJson<W> {
    /// Creates a collection on `out`.
    pub fn new(out: W) -> Self {
        Self::of(out, GeoJsonFixes::default(), Spools::default())
    }

    /// Creates a collection on `out`; `fixes` says what fixes become.
    pub fn of(out: W, fixes: GeoJsonFixes, spools: Spools) -> Self {
        Self { out, is_begun: false, fixes, tracks: Tracks::new(spools), points: MapPoints::default() }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        tracks::write(&mut self)?;
        self.begin()?;
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the start of the collection once. Returns whether this call did.
    fn begin(&mut self) -> Result<bool> {
        let is_first = !self.is_begun;
        if is_first {
            self.is_begun = true;
            self.out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[")?;
        }
        Ok(is_first)
    }

    /// Begins a line for the next feature.
    fn next(&mut self) -> Result<()> {
        let before: &[u8] = if self.begin()? { b"\n" } else { b",\n" };
        Ok(self.out.write_all(before)?)
    }

    fn put(&mut self, feature: &impl Serialize) -> Result<()> {
        self.next()?;
        Ok(serde_json::to_writer(&mut self.out, feature).map_err(std::io::Error::from)?)
    }
}

impl<W: Write> Sink for GeoJson<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        match &sample.value {
            Value::Feature(feature) => {
                if !self.points.takes_feature(feature) {
                    return Ok(Outcome::LeftOut);
                }
                self.put(&Item::of(sample, feature))?;
            }
            Value::GnssFix(_) if self.fixes == GeoJsonFixes::Tracks => return self.tracks.push(sample, 0),
            Value::GnssFix(fix) => {
                if !self.points.takes(fix) {
                    return Ok(Outcome::LeftOut);
                }
                self.put(&points::point(sample, fix))?;
            }
            _ => return Ok(Outcome::LeftOut),
        }
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        Some(if self.fixes == GeoJsonFixes::Tracks { self.tracks.advice() } else { self.points.advice() })
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(Note::sums(self.points.notes().into_iter().chain(self.tracks.notes())))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
