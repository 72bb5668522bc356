//! Koblenz logs for the converters, beyond samples.

use robolog_core::{Clock, Timestamp};

use super::{How, Source};
use crate::{LidarModel, Note, Result, Settings};

impl Source for ::koblenz_log::KoblenzLog {
    const HAS_MAGIC: bool = true;

    const DATES_TRACKS: bool = true;

    fn apply(header: &mut ::koblenz_log::Header, how: &How) -> Result<()> {
        header.set_velodyne(how.model_of("Velodyne", LidarModel::velodyne)?);
        Ok(())
    }

    fn options(settings: &Settings) -> ::koblenz_log::Options {
        settings.koblenz.clone()
    }

    fn notes(decoder: &::koblenz_log::Decoder) -> Vec<Note> {
        notes_of(decoder.clouds())
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

/// Notes on the points of a Velodyne.
pub(super) fn notes_of(clouds: &::koblenz_log::CloudMaker) -> Vec<Note> {
    let stand_in = clouds.stand_in().map(|model| Note::StandIn { model: model.name() });
    let merged = (clouds.merged() > 0).then_some(Note::MergedReturns);
    stand_in.into_iter().chain(merged).collect()
}
