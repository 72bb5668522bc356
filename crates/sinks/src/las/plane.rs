//! Planes of transverse Mercator systems and their datums, from well-known text.

use robolog_core::geodetic::{Ellipsoid, Geodetic};

use crate::places::{
    GeoPoint,
    mercator::{Mercator, Parameters},
};

/// A plane on Earth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    mercator: Mercator,
    /// `None` if it matches WGS 84 to a metre or better.
    datum: Option<Datum>,
}

/// Transformation of an older datum to WGS 84.
#[derive(Debug, Clone, Copy)]
struct Datum {
    ellipsoid: Ellipsoid,
    /// Metres.
    shift: [f64; 3],
    /// Radians.
    turn: [f64; 3],
    scale: f64,
}

/// Radians of latitude: a thousandth of a millimetre.
const TOLERANCE: f64 = 1e-13;

impl Plane {
    /// `None` for other projections, and if the shift to WGS 84 is unknown.
    pub(super) fn of_wkt(wkt: &str) -> Option<Self> {
        let is_plain = wkt.contains("PROJECTION[\"Transverse_Mercator\"]")
            && wkt.contains("UNIT[\"degree\",")
            && !wkt.contains(",WEST]")
            && !wkt.contains(",SOUTH]");
        let parameter = |name: &str| numbers(wkt, &format!("PARAMETER[\"{name}\",")).first().copied();
        let [semi_major, inverse, ..] = *named(wkt, "SPHEROID[")? else { return None };
        let flattening = if inverse == 0.0 { 0.0 } else { 1.0 / inverse };
        let [greenwich, ..] = *named(wkt, "PRIMEM[")? else { return None };
        let shift = numbers(wkt, "TOWGS84[");
        let is_modern = ["\"GRS 1980\"", "\"WGS 84\"", "\"CGCS2000\""]
            .iter()
            .any(|name| wkt.contains(&format!("SPHEROID[{name}")));
        let datum = match *shift {
            [] if is_modern => None,
            [..] if is_modern && shift.iter().all(|v| *v == 0.0) => None,
            [x, y, z, rx, ry, rz, ppm] => Some(Datum {
                ellipsoid: Ellipsoid::from_axes(semi_major, semi_major * (1.0 - flattening)),
                shift: [x, y, z],
                turn: [rx, ry, rz].map(|seconds: f64| (seconds / 3600.0).to_radians()),
                scale: 1.0 + ppm * 1e-6,
            }),
            _ => return None,
        };
        let mercator = Mercator::new(Parameters {
            semi_major,
            flattening,
            central_meridian: parameter("central_meridian")? + greenwich,
            scale: parameter("scale_factor")?,
            false_easting: parameter("false_easting")?,
            false_northing: parameter("false_northing")?,
        })
        .counted_from(parameter("latitude_of_origin")?);
        is_plain.then_some(Self { mercator, datum })
    }

    /// Easting and northing of a place, metres.
    pub(super) fn forward(&self, place: GeoPoint) -> [f64; 2] {
        let (latitude, longitude) =
            self.datum.map_or((place.latitude, place.longitude), |datum| datum.of(place));
        self.mercator.forward(latitude, longitude)
    }
}

impl Datum {
    /// Latitude and longitude in this datum of a WGS 84 place, degrees, by a seven-parameter Helmert transformation.
    fn of(&self, place: GeoPoint) -> (f64, f64) {
        let (latitude, longitude) = (place.latitude.to_radians(), place.longitude.to_radians());
        // A plane has no heights: points on the ellipsoid are moved, as PROJ does.
        let [x, y, z] = Geodetic { latitude, longitude, height: 0.0 }.to_cartesian();
        let [dx, dy, dz] = self.shift;
        let [x, y, z] = [(x - dx) / self.scale, (y - dy) / self.scale, (z - dz) / self.scale];
        let [rx, ry, rz] = self.turn;
        let turned = [x + rz * y - ry * z, -rz * x + y + rx * z, ry * x - rx * y + z];
        let Geodetic { latitude, longitude, .. } = self.ellipsoid.to_geodetic(turned, TOLERANCE);
        (latitude.to_degrees(), longitude.to_degrees())
    }
}

/// The numbers of a named node, such as `SPHEROID["name",…]`.
fn named(wkt: &str, node: &str) -> Option<Box<[f64]>> {
    let (_, rest) = wkt.split_once(node)?;
    let (_, rest) = rest.strip_prefix('"')?.split_once("\",")?;
    Some(leading(rest))
}

/// The numbers after `start`.
fn numbers(wkt: &str, start: &str) -> Box<[f64]> {
    wkt.split_once(start).map_or_else(Box::default, |(_, rest)| leading(rest))
}

fn leading(text: &str) -> Box<[f64]> {
    let node = text.split_once(']').map_or(text, |(node, _)| node);
    node.split(',').map_while(|number| number.parse().ok()).collect()
}
