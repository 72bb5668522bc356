//! LVX for the converters, beyond samples.

use super::{How, Source};
use crate::{LidarModel, Settings};

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
