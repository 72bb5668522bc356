//! GPX documents.

use arbitrary::{Result, Unstructured};
use robolog_core::Clock;
use robolog_gpx::{
    Document, Fix, Gpx, Header, Link, Metadata, Position, Route, Segment, Track, TrackHead, Waypoint, read,
};
use testkit::laws;

use crate::values::{self, many, maybe};

pub(in super::super) fn write(data: &[u8]) {
    let _ = documents(&mut Unstructured::new(data));
}

fn link(u: &mut Unstructured<'_>) -> Result<Link> {
    Ok(Link { href: values::text(u)?, text: maybe(u, values::text)?, media_type: maybe(u, values::text)? })
}

fn point(u: &mut Unstructured<'_>) -> Result<Waypoint> {
    let mut position = Position::new(values::number(u)?, values::number(u)?);
    position.elevation = maybe(u, values::number)?;
    position.time = maybe(u, values::time)?.filter(|time| time.clock() == Clock::Unix);
    position.geoid_height = maybe(u, values::number)?;
    position.fix = *u.choose(&[
        None,
        Some(Fix::None),
        Some(Fix::TwoD),
        Some(Fix::ThreeD),
        Some(Fix::Dgps),
        Some(Fix::Pps),
    ])?;
    position.satellites = maybe(u, Unstructured::arbitrary)?;
    position.hdop = maybe(u, values::number)?;
    position.dgps_id = maybe(u, Unstructured::arbitrary)?;
    let mut point = Waypoint::from(position);
    point.name = maybe(u, values::text)?;
    point.description = maybe(u, values::text)?;
    point.symbol = maybe(u, values::text)?;
    if u.ratio(1, 4)? {
        point.links.push(link(u)?);
    }
    Ok(point)
}

fn points(u: &mut Unstructured<'_>) -> Result<Vec<Waypoint>> {
    many(u, 4, point)
}

fn head(u: &mut Unstructured<'_>) -> Result<TrackHead> {
    Ok(TrackHead {
        name: maybe(u, values::text)?,
        comment: maybe(u, values::text)?,
        number: maybe(u, Unstructured::arbitrary)?,
        class: maybe(u, values::text)?,
        ..TrackHead::default()
    })
}

fn documents(u: &mut Unstructured<'_>) -> Result<()> {
    let mut document = Document { header: Header::new(&values::text(u)?), ..Document::default() };
    if u.arbitrary()? {
        document.metadata = Some(Metadata {
            name: maybe(u, values::text)?,
            description: maybe(u, values::text)?,
            keywords: maybe(u, values::text)?,
            ..Metadata::default()
        });
    }
    document.waypoints = points(u)?;
    if u.arbitrary()? {
        document.routes.push(Route { head: head(u)?, points: points(u)? });
    }
    while !u.is_empty() && document.tracks.len() < 3 {
        let mut track = Track { head: head(u)?, segments: Vec::new() };
        for _ in 0..u.int_in_range(0..=2)? {
            track.segments.push(Segment { points: points(u)?, extensions: None });
        }
        document.tracks.push(track);
    }
    let Ok(file) = robolog_gpx::write(&document, Vec::new()) else { return Ok(()) };
    laws::is_whole::<Gpx>(&file, &[]);
    testkit::assert_agrees::<Gpx>("written", &file);
    // Reading and writing again changes nothing. Characters that XML cannot hold are gone by then.
    let (once, error) = read(&file);
    assert!(error.is_none(), "{error:?}\n{}", String::from_utf8_lossy(&file));
    let count = |document: &Document| {
        let routed: usize = document.routes.iter().map(|route| route.points.len()).sum();
        let segments = document.tracks.iter().flat_map(|track| &track.segments);
        (document.waypoints.len(), routed, segments.map(|segment| segment.points.len()).sum::<usize>())
    };
    assert_eq!(count(&once), count(&document));
    let all = |document: &Document| -> Vec<Waypoint> {
        let routed = document.routes.iter().flat_map(|route| &route.points);
        let tracked =
            document.tracks.iter().flat_map(|track| &track.segments).flat_map(|segment| &segment.points);
        document.waypoints.iter().chain(routed).chain(tracked).cloned().collect()
    };
    for (a, b) in all(&once).iter().zip(&all(&document)) {
        let bits = |p: &Position| {
            (p.latitude.to_bits(), p.elevation.filter(|e| e.is_finite()).map(f64::to_bits), p.satellites)
        };
        assert_eq!(bits(&a.position), bits(&b.position), "{a:?}\n{b:?}");
        assert_eq!(a.position.time, b.position.time);
    }
    let again = robolog_gpx::write(&once, Vec::new()).unwrap();
    assert_eq!(read(&again).0, once, "written twice is not written once");
    Ok(())
}
