//! KML documents.

use arbitrary::{Result, Unstructured};
use robolog_kml::{
    AltitudeMode, Coordinate, Document, Geometry, Kml, Line, Placemark, Polygon, Time, Track, When, read,
};
use testkit::laws;

use crate::values::{self, many, maybe};

pub(in super::super) fn write(data: &[u8]) {
    let _ = documents(&mut Unstructured::new(data));
}

fn place(u: &mut Unstructured<'_>) -> Result<Coordinate> {
    let altitude = maybe(u, values::number)?;
    Ok(Coordinate { longitude: values::number(u)?, latitude: values::number(u)?, altitude })
}

fn places(u: &mut Unstructured<'_>) -> Result<Vec<Coordinate>> {
    many(u, 4, place)
}

fn time(u: &mut Unstructured<'_>) -> Result<Time> {
    Ok(if u.ratio(3, 4)? { Time::from(values::time(u)?) } else { Time::new(&values::text(u)?) })
}

fn track(u: &mut Unstructured<'_>) -> Result<Track> {
    let mut track = Track::default();
    for _ in 0..u.int_in_range(0..=4)? {
        track.times.push(Some(time(u)?));
        track.coordinates.push(Some(place(u)?));
    }
    Ok(track)
}

fn line(u: &mut Unstructured<'_>) -> Result<Line> {
    Ok(Line { altitude_mode: mode(u)?, coordinates: places(u)? })
}

fn mode(u: &mut Unstructured<'_>) -> Result<Option<AltitudeMode>> {
    Ok(*u.choose(&[None, Some(AltitudeMode::Absolute), Some(AltitudeMode::ClampToSeaFloor)])?)
}

fn geometry(u: &mut Unstructured<'_>, depth: usize) -> Result<Geometry> {
    Ok(match u.int_in_range(0..=6)? {
        0 => Geometry::Point(line(u)?),
        1 => Geometry::LineString(line(u)?),
        2 => Geometry::LinearRing(line(u)?),
        3 => {
            Geometry::Polygon(Polygon { altitude_mode: mode(u)?, outer: places(u)?, inner: vec![places(u)?] })
        }
        4 => Geometry::MultiTrack { tracks: vec![track(u)?, track(u)?], interpolate: u.arbitrary()? },
        5 if depth < 3 => Geometry::MultiGeometry(vec![geometry(u, depth + 1)?, geometry(u, depth + 1)?]),
        _ => Geometry::Track(track(u)?),
    })
}

fn documents(u: &mut Unstructured<'_>) -> Result<()> {
    let mut document = Document::default();
    while !u.is_empty() && document.placemarks.len() < 4 {
        document.placemarks.push(Placemark {
            name: Some(values::text(u)?),
            description: maybe(u, values::text)?,
            time: if u.arbitrary()? { Some(When::At(time(u)?)) } else { None },
            extended_data: None,
            geometry: Some(geometry(u, 0)?),
        });
    }
    let Ok(file) = robolog_kml::write(&document, Vec::new()) else { return Ok(()) };
    let shown = || String::from_utf8_lossy(&file).into_owned();
    let (once, error) = read(&file);
    assert!(error.is_none(), "{error:?}\n{}", shown());
    assert_eq!(once.placemarks.len(), document.placemarks.len(), "{}", shown());
    testkit::assert_agrees::<Kml>("written", &file);
    laws::whole_files_are_copied_as_they_are::<Kml>(&file, &[]);
    let again = robolog_kml::write(&once, Vec::new()).unwrap();
    let thrice = robolog_kml::write(&read(&again).0, Vec::new()).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&thrice),
        String::from_utf8_lossy(&again),
        "written again is not the same"
    );
    Ok(())
}
