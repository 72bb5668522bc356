//! NMEA sentences for the converters, beyond samples.

use super::Source;
use crate::Settings;

impl Source for robolog_nmea::Nmea {
    fn options(_: &Settings) -> robolog_nmea::Options {
        robolog_nmea::Options::default()
    }

    fn raw(record: &robolog_nmea::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
