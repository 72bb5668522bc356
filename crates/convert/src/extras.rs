//! Contents of GPX and KML documents besides samples: names of places, areas, and other measurements of a logger.

use robolog_core::{Event, StreamReader, Timestamp};

use crate::{Input, Result, Source, Visit, source::Stream};

/// Something in a GPX or KML document that is not a sample.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Extra {
    /// A named waypoint of GPX or point of KML.
    Place {
        /// The name.
        name: String,
        /// Degrees north, WGS 84.
        latitude: f64,
        /// Degrees east, WGS 84.
        longitude: f64,
    },
    /// A polygon or a closed ring of KML.
    Area {
        /// Name of its placemark; empty if it has none.
        name: String,
        /// Latitude and longitude of each corner, degrees, WGS 84.
        corners: Vec<(f64, f64)>,
    },
    /// A measurement in the extensions of a GPX point, or in the extended data of a KML track.
    Number {
        /// Time of measurement.
        time: Timestamp,
        /// `heart rate`, `cadence`, `power`, `temperature`, `water temperature` or `depth`.
        quantity: &'static str,
        /// `bpm`, `rpm`, `W`, `°C` or `m`.
        unit: &'static str,
        /// Value.
        value: f64,
    },
}

/// Calls `found` with everything in a GPX or KML document besides samples, in its order. `format` names the format;
/// `None` detects it. Other formats and data sets have no extras and are not read.
///
/// Skips damaged parts, which reading samples reports. Returns an error if the input cannot be read or its format is
/// unknown.
///
/// ```
/// use std::io::Cursor;
/// use robolog_convert::{Extra, Input, extras};
/// let file = r#"<gpx version="1.1"><wpt lat="47" lon="8"><name>Hut</name></wpt></gpx>"#;
/// let mut places = Vec::new();
/// extras(Input::new("hike.gpx", Box::new(Cursor::new(file)))?, None, &mut |extra| places.push(extra))?;
/// assert_eq!(places, [Extra::Place { name: "Hut".into(), latitude: 47.0, longitude: 8.0 }]);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn extras(input: Input, format: Option<&str>, found: &mut dyn FnMut(Extra)) -> Result<()> {
    if input.is_dataset() { Ok(()) } else { input.visit(format, Finding { found })? }
}

struct Finding<'f> {
    found: &'f mut dyn FnMut(Extra),
}

impl Visit for Finding<'_> {
    type Output = Result<()>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<()> {
        if !F::HAS_EXTRAS {
            return Ok(());
        }
        loop {
            match reader.next_event()? {
                Event::Record(record) => F::extras(&record, self.found),
                Event::Damage { .. } => {}
                Event::End => return Ok(()),
            }
        }
    }
}

/// Quantity and unit of an element or an array by its name without a prefix: the names of Garmin's
/// `TrackPointExtension` and `GpxExtensions`, of Cluetrust, of Strava and of `GPSBabel`'s KML.
#[cfg(any(feature = "from-gpx", feature = "from-kml"))]
pub(crate) fn quantity(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "hr" | "heartrate" => ("heart rate", "bpm"),
        "cad" | "cadence" => ("cadence", "rpm"),
        "power" | "PowerInWatts" | "watts" => ("power", "W"),
        "atemp" | "temp" | "temperature" | "Temperature" => ("temperature", "°C"),
        "wtemp" => ("water temperature", "°C"),
        "depth" | "Depth" => ("depth", "m"),
        _ => return None,
    })
}
