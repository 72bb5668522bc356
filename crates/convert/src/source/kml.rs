//! KML for the converters, beyond samples.

use super::Source;
use crate::{Note, Settings};

impl Source for robolog_kml::Kml {
    fn options(_: &Settings) -> robolog_kml::Options {
        robolog_kml::Options::default()
    }

    fn notes(decoder: &robolog_kml::Decoder) -> Vec<Note> {
        Note::wrapped(decoder.wrapped()).into_iter().collect()
    }

    fn raw(record: &robolog_kml::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
