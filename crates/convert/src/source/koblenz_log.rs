//! What the converters ask of Koblenz logs beyond samples.

use robolog_core::{Clock, Timestamp};

use super::Source;
use crate::Settings;

impl Source for ::koblenz_log::KoblenzLog {
    const HAS_MAGIC: bool = true;

    const DATES_TRACKS: bool = true;

    fn options(settings: &Settings) -> ::koblenz_log::Options {
        settings.koblenz.clone()
    }

    fn raw(record: &::koblenz_log::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn epoch(details: &::koblenz_log::Details) -> Option<Timestamp> {
        details.epoch_ns.map(|nanos| Timestamp::new(nanos, Clock::Unix))
    }

    fn dialects() -> Vec<&'static str> {
        ::koblenz_log::SizeCounts::ALL.map(::koblenz_log::SizeCounts::name).into()
    }

    fn force(header: &mut ::koblenz_log::Header, dialect: &str) -> bool {
        let sizes = dialect.parse::<::koblenz_log::SizeCounts>().ok();
        sizes.inspect(|sizes| header.set_sizes(*sizes)).is_some()
    }
}
