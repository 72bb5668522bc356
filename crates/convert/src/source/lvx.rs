//! LVX for the converters, beyond samples.

use std::path::Path;

use robolog_core::StreamReader;

use super::{About, How, Source, Stream};
use crate::{LidarModel, Note, Result, Settings};

impl Source for ::lvx::Lvx {
    const ABOUT: About = About { has_magic: true, has_closed_codecs: true, ..About::DEFAULT };

    /// Finds clocks that get their date late.
    fn open(mut stream: Stream, _: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let late = stream
            .look(|file| ::lvx::late_clocks(file), |start| ::lvx::late_clocks_ahead(start))
            .map_err(|error| robolog_core::Error::io(error, 0))?;
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        reader.header_mut().set_late_clocks(late);
        reader.header_mut().set_model(how.model_of("Livox", LidarModel::livox)?);
        Ok(reader)
    }

    fn variant(header: &::lvx::Header) -> String {
        header.version().to_string()
    }

    fn options(settings: &Settings) -> ::lvx::Options {
        settings.lvx
    }

    fn note(header: &::lvx::Header, _: &Settings) -> Result<Option<Note>> {
        let devices = header.late_clocks().len();
        Ok((devices > 0).then_some(Note::LateClock { devices }))
    }

    fn raw(record: &::lvx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
