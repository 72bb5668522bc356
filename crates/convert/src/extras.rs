//! What documents of GPX and KML hold besides samples: names of places, areas, and what else a logger measured.

use robolog_core::{Event, StreamReader, Timestamp};

use crate::{Input, Result, Source, Visit, source::Stream};

/// Something in a document of GPX or KML that is no sample.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Extra {
    /// A waypoint of GPX, or a point of KML, that has a name.
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
        /// The name of its placemark; empty where it has none.
        name: String,
        /// Latitude and longitude of each corner of the border, degrees, WGS 84.
        corners: Vec<(f64, f64)>,
    },
    /// A measurement in the extensions of a point of GPX, or in the extended data of a track of KML.
    Number {
        /// When it was measured.
        time: Timestamp,
        /// `heart rate`, `cadence`, `power`, `temperature`, `water temperature` or `depth`.
        quantity: &'static str,
        /// `bpm`, `rpm`, `W`, `°C` or `m`.
        unit: &'static str,
        /// The number.
        value: f64,
    },
}

/// Gives `found` what a document of GPX or KML holds besides samples, in its order. `format` names the format where it is
/// not to be found from the bytes. Other formats, and data sets, have nothing of the kind and
/// are not read.
///
/// Skips damaged parts, which are reported where samples are read. Fails when the input cannot be read or its format is
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

/// The quantity and unit of an element or an array of this name, given without a prefix: those of Garmin's
/// `TrackPointExtension` and `GpxExtensions`, of Cluetrust's, of Strava's and of `GPSBabel`'s KML.
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
