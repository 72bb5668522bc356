//! GPX for the converters, beyond samples.

use super::Source;
use crate::{Note, Settings};

impl Source for robolog_gpx::Gpx {
    fn variant(header: &robolog_gpx::Header) -> String {
        header.version().map_or_else(String::new, |version| format!("GPX {version}"))
    }

    fn options(_: &Settings) -> robolog_gpx::Options {
        robolog_gpx::Options::default()
    }

    fn notes(decoder: &robolog_gpx::Decoder) -> Vec<Note> {
        Note::wrapped(decoder.wrapped()).into_iter().collect()
    }

    fn raw(record: &robolog_gpx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
