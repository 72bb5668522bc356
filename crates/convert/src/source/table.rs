//! Tables of the Institut Pascal data set for the converters, beyond samples.

use std::path::Path;

use effibox::table::{KindFrom, TableKind};

use super::Source;
use crate::Settings;

impl Source for effibox::table::Table {
    fn variant(header: &effibox::table::Header) -> String {
        header.kind.name().to_owned()
    }

    fn options(_: &Settings) -> effibox::table::Options {
        effibox::table::Options::default()
    }

    fn raw(record: &effibox::table::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn dialects() -> Vec<&'static str> {
        TableKind::ALL.iter().map(|kind| kind.name()).collect()
    }

    fn force(header: &mut effibox::table::Header, dialect: &str) -> bool {
        let kind = dialect.parse::<TableKind>().ok();
        let forced = kind.inspect(|kind| {
            header.kind = *kind;
            header.kind_from = KindFrom::Name;
        });
        forced.is_some()
    }

    fn complete_from_path(header: &mut effibox::table::Header, path: &Path) {
        header.set_path(&path.to_string_lossy());
    }
}
