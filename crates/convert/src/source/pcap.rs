//! What the converters ask of captures beyond samples.

use super::Source;
use crate::{
    Settings,
    pcap::{Capture, Options, Record},
};

impl Source for Capture {
    fn options(settings: &Settings) -> Options {
        let mut options = Options::default();
        options.livox = ::lvx::Lvx::options(settings);
        options.velodyne = settings.koblenz.clone();
        options
    }

    fn raw(record: &Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(&record.to_json())
    }

    fn is_closed(error: &robolog_core::Error) -> bool {
        matches!(error.kind(), robolog_core::ErrorKind::Unsupported { what: "some points", .. })
    }
}
