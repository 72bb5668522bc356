//! What the converters ask of KML beyond samples.

use super::Source;
use crate::Settings;

impl Source for robolog_kml::Kml {
    fn options(_: &Settings) -> robolog_kml::Options {
        robolog_kml::Options::default()
    }

    fn raw(record: &robolog_kml::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
