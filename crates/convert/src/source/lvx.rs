//! LVX for the converters, beyond samples.

use std::{fs::File, path::Path};

use super::{How, Source};
use crate::{LidarModel, Note, Result, Settings};

impl Source for ::lvx::Lvx {
    const HAS_MAGIC: bool = true;

    fn variant(header: &::lvx::Header) -> String {
        header.version().to_string()
    }

    fn apply(header: &mut ::lvx::Header, how: &How) {
        header.set_model(how.model.and_then(LidarModel::livox));
    }

    fn options(settings: &Settings) -> ::lvx::Options {
        settings.lvx
    }

    /// Finds clocks that get their date late.
    fn complete_from_path(header: &mut ::lvx::Header, path: &Path) {
        if let Ok(file) = File::open(path)
            && file.metadata().is_ok_and(|meta| meta.is_file())
        {
            header.set_late_clocks(::lvx::late_clocks(file).unwrap_or_default());
        }
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
