//! Features as `GeoJSON`, for the targets that hold it.

#[cfg(feature = "to-geojson")]
use robolog_core::{Clock, Sample};
use robolog_core::{Feature, Geometry, Row, Timestamp};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// A feature of `GeoJSON`.
#[derive(Serialize)]
pub(crate) struct Item<'a> {
    r#type: &'static str,
    geometry: &'a Geometry,
    properties: Described<'a>,
}

impl<'a> Item<'a> {
    /// With the time and the channel of its sample.
    #[cfg(feature = "to-geojson")]
    pub(crate) fn of(sample: &'a Sample, feature: &'a Feature) -> Self {
        let (time, channel) = (unix(sample.time), Some(&*sample.channel));
        let properties = Described { time, channel, feature };
        Self { r#type: "Feature", geometry: &feature.geometry, properties }
    }

    /// On its own.
    #[cfg(any(feature = "to-bag", feature = "to-mcap"))]
    pub(crate) fn alone(feature: &'a Feature) -> Self {
        let properties = Described { time: None, channel: None, feature };
        Self { r#type: "Feature", geometry: &feature.geometry, properties }
    }
}

/// The properties of a feature.
struct Described<'a> {
    time: Option<Timestamp>,
    channel: Option<&'a str>,
    feature: &'a Feature,
}

impl Serialize for Described<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { time, channel, feature } = self;
        let mut map = serializer.serialize_map(None)?;
        let texts = [
            ("name", &feature.name),
            ("desc", &feature.description),
            ("sym", &feature.symbol),
            ("type", &feature.kind),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                map.serialize_entry(key, text)?;
            }
        }
        if let Some(href) = &feature.link {
            map.serialize_entry("links", &[Link { href }])?;
        }
        if let Some(time) = time {
            map.serialize_entry("time", &time.to_string())?;
        }
        if let Some(channel) = channel {
            map.serialize_entry("channel", channel)?;
        }
        own(feature.properties.as_ref(), &TAKEN, &mut map)?;
        map.end()
    }
}

/// A page, as `togeojson` has it.
#[derive(Serialize)]
pub(crate) struct Link<'a> {
    pub(crate) href: &'a str,
}

/// Names of properties that are taken.
const TAKEN: [&str; 7] = ["name", "desc", "sym", "type", "links", "time", "channel"];

/// Writes the cells of a row under their own names, but for `taken` ones.
pub(crate) fn own<M: serde::ser::SerializeMap>(
    row: Option<&Row>,
    taken: &[&str],
    map: &mut M,
) -> Result<(), M::Error> {
    for (field, cell) in row.into_iter().flat_map(Row::iter) {
        if *cell == robolog_core::Cell::Null {
            continue;
        }
        let is_taken = taken.contains(&&*field.name);
        let name = if is_taken { format!("{}_2", field.name) } else { field.name.to_string() };
        map.serialize_entry(&name, cell)?;
    }
    Ok(())
}

/// A date, which other clocks lack.
#[cfg(feature = "to-geojson")]
pub(crate) fn unix(time: Option<Timestamp>) -> Option<Timestamp> {
    time.filter(|time| time.clock() == Clock::Unix)
}
