//! The coordinate reference system of a file: as an EPSG code, as WKT, as `GeoTIFF` keys.

use robolog_core::PointCloud;

use super::{super::options::Epsg, LasOptions, plane::Plane};
use crate::{
    Error, Reason, Result,
    places::{GeoPoint, utm::Zone},
};

/// Coordinate reference system of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crs {
    code: u16,
    /// Well-known text, version 1, as LAS 1.4 requires.
    wkt: &'static str,
}

impl Crs {
    /// Returns an error for unknown systems, and for those without projected metres.
    fn new(epsg: Epsg) -> Result<Self> {
        let wkt = text_of(epsg)?;
        // The unit of the axes is the last one.
        let unit = wkt.rsplit_once("UNIT[").map_or("", |(_, unit)| unit);
        if !wkt.starts_with("PROJCS[") || !unit.starts_with("\"metre\",1,") {
            return Err(Error::Target(Reason::UnprojectedCrs(epsg)));
        }
        Ok(Self { code: epsg.0, wkt })
    }

    /// The text with its terminating zero.
    pub(super) fn wkt(self) -> Vec<u8> {
        [self.wkt.as_bytes(), &[0]].concat()
    }

    /// Directory of `GeoTIFF` keys.
    pub(super) fn keys(self) -> Vec<u8> {
        const MODEL_TYPE: u16 = 1024;
        const PROJECTED: u16 = 1;
        const PROJECTED_SYSTEM: u16 = 3072;
        const LINEAR_UNITS: u16 = 3076;
        const METRE: u16 = 9001;
        let keys = [(MODEL_TYPE, PROJECTED), (PROJECTED_SYSTEM, self.code), (LINEAR_UNITS, METRE)];
        // Version 1.1.0 and the number of keys; each key contains its single value.
        let words = [[1, 1, 0, 3]].into_iter().chain(keys.map(|(key, value)| [key, 0, 1, value]));
        words.flatten().flat_map(u16::to_le_bytes).collect()
    }
}

/// Looks up the register, half a megabyte of compressed text.
#[cfg(feature = "crs")]
fn text_of(epsg: Epsg) -> Result<&'static str> {
    let known = crs_definitions::from_code(epsg.0);
    known.map(|known| known.wkt).ok_or_else(|| Error::Target(Reason::UnknownCrs(epsg)))
}

#[cfg(not(feature = "crs"))]
fn text_of(_: Epsg) -> Result<&'static str> {
    Err(Error::NotBuilt { what: "register of coordinate reference systems".into(), feature: "crs" })
}

/// Projects points from around their origin into a plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    origin: GeoPoint,
    plane: Plane,
    /// Offset subtracted from the projected coordinates, metres: near the origin, so that they fit single precision.
    pub(super) offset: [f64; 3],
}

impl Grid {
    fn new(origin: GeoPoint, plane: Plane) -> Self {
        let [easting, northing] = plane.forward(origin);
        let offset = [easting, northing, origin.altitude].map(f64::round);
        Self { origin, plane, offset }
    }

    /// Projects all points; those that are not finite stay so.
    #[expect(clippy::cast_possible_truncation, reason = "single precision is what clouds have")]
    pub(super) fn place(&self, cloud: &mut PointCloud) {
        let [e0, n0, h0] = self.offset;
        for ((x, y), z) in cloud.x.iter_mut().zip(&mut cloud.y).zip(&mut cloud.z) {
            let place = self.origin.of([f64::from(*x), f64::from(*y), f64::from(*z)]);
            let [easting, northing] = self.plane.forward(place);
            (*x, *y, *z) = ((easting - e0) as f32, (northing - n0) as f32, (place.altitude - h0) as f32);
        }
    }
}

/// Returns the system of the points and their projection. Returns an error for a system without an origin: points are
/// relative to their sensor.
pub(super) fn of(options: &LasOptions) -> Result<(Option<Crs>, Option<Grid>)> {
    let crs = options.crs.map(Crs::new).transpose()?;
    let (origin, crs) = match (options.origin, crs) {
        (None, None) => return Ok((None, None)),
        (None, Some(crs)) if options.shift.is_some() => return Ok((Some(crs), None)),
        (None, Some(crs)) => return Err(Error::Target(Reason::CrsWithoutOrigin(Epsg(crs.code)))),
        (Some(origin), Some(crs)) => (origin, crs),
        (Some(origin), None) => (origin, Crs::new(Epsg(Zone::of(origin.latitude, origin.longitude).epsg()))?),
    };
    let plane = Plane::of_wkt(crs.wkt).ok_or(Error::Target(Reason::NoMercator(Epsg(crs.code))))?;
    Ok((Some(crs), Some(Grid::new(origin, plane))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_in_metres_are_taken() {
        // NTF Lambert II étendu, which a data set uses, and a UTM zone of ETRS89.
        for code in [27572, 25832, 32760, 2154] {
            let crs = Crs::new(Epsg(code)).unwrap();
            assert!(crs.wkt.ends_with(&format!("AUTHORITY[\"EPSG\",\"{code}\"]]")), "{}", crs.wkt);
        }
        // Degrees, US survey feet, and an unknown code.
        for code in [4326, 2229, 1] {
            assert!(Crs::new(Epsg(code)).is_err(), "{code}");
        }
    }

    #[test]
    fn keys_are_those_of_geotiff() {
        let words: Vec<u16> = Crs::new(Epsg(32632))
            .unwrap()
            .keys()
            .as_chunks()
            .0
            .iter()
            .map(|w| u16::from_le_bytes(*w))
            .collect();
        assert_eq!(words, [1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632, 3076, 0, 1, 9001]);
    }
}
