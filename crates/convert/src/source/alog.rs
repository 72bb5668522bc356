//! What the converters ask of MOOS logs beyond samples.

use std::path::Path;

use super::{Source, logs};
use crate::{Note, Settings, places::Grid};

impl Source for ::alog::Alog {
    const GRID: Grid = Grid::Utm;

    fn settle(header: &mut ::alog::Header, path: &Path) {
        logs::settle(header, path);
    }

    fn note(header: &::alog::Header, settings: &Settings) -> Option<Note> {
        let is_lost = header.has_unknown_warp() && settings.alog.warp.is_none();
        (is_lost && settings.alog.time != ::alog::TimeFrom::Relative).then_some(Note::UnknownWarp)
    }

    fn options(settings: &Settings) -> ::alog::Options {
        settings.alog
    }

    fn raw(record: &::alog::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
