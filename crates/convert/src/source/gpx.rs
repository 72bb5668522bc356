//! What the converters ask of GPX beyond samples.

use super::Source;
use crate::Settings;

impl Source for robolog_gpx::Gpx {
    fn variant(header: &robolog_gpx::Header) -> String {
        header.version().map(|version| format!("GPX {version}")).unwrap_or_default()
    }

    fn options(_: &Settings) -> robolog_gpx::Options {
        robolog_gpx::Options::default()
    }

    fn raw(record: &robolog_gpx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
