//! Koblenz logs for the converters, beyond samples.

use std::path::Path;

use robolog_core::StreamReader;

use super::{About, How, Source, Stream};
use crate::{LidarModel, Note, Result, Settings};

impl Source for ::koblenz_log::KoblenzLog {
    const ABOUT: About = About { has_magic: true, dates_tracks: true, ..About::DEFAULT };

    fn open(stream: Stream, _: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        reader.header_mut().set_velodyne(how.model_of("Velodyne", LidarModel::velodyne)?);
        Ok(reader)
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

    fn force(header: &mut ::koblenz_log::Header, dialect: &str) -> Result<(), Vec<&'static str>> {
        use ::koblenz_log::SizeCounts;

        let sizes: SizeCounts =
            dialect.parse().map_err(|_| SizeCounts::ALL.map(SizeCounts::name).to_vec())?;
        header.set_sizes(sizes);
        Ok(())
    }
}

/// Notes on the points of a Velodyne.
pub(super) fn notes_of(clouds: &::koblenz_log::CloudMaker) -> Vec<Note> {
    let stand_in = clouds.stand_in().map(|model| Note::StandIn { model: model.name() });
    let merged = (clouds.merged() > 0).then_some(Note::MergedReturns);
    stand_in.into_iter().chain(merged).collect()
}
