//! LVX for the converters, beyond samples.

use std::io;

use super::{Completion, How, Source, Stream};
use crate::{LidarModel, Note, Result, Settings};

impl Source for ::lvx::Lvx {
    const HAS_MAGIC: bool = true;

    fn variant(header: &::lvx::Header) -> String {
        header.version().to_string()
    }

    fn apply(header: &mut ::lvx::Header, how: &How) -> Result<()> {
        header.set_model(how.model_of("Livox", LidarModel::livox)?);
        Ok(())
    }

    fn options(settings: &Settings) -> ::lvx::Options {
        settings.lvx
    }

    /// Finds clocks that get their date late.
    fn look_ahead(stream: &mut Stream) -> io::Result<Completion<Self>> {
        let late = stream.look(|file| ::lvx::late_clocks(file), |start| ::lvx::late_clocks_ahead(start))?;
        Ok(Box::new(|header| header.set_late_clocks(late)))
    }

    fn note(header: &::lvx::Header, _: &Settings) -> Result<Option<Note>> {
        let devices = header.late_clocks().len();
        Ok((devices > 0).then_some(Note::LateClock { devices }))
    }

    fn raw(record: &::lvx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn is_closed(error: &robolog_core::Error) -> bool {
        matches!(error.kind(), robolog_core::ErrorKind::Unsupported { .. })
    }

    fn frame(record: &::lvx::Record<'_>) -> Option<u64> {
        record.frame_index()
    }
}
