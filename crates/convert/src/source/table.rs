//! Tables of the Institut Pascal data set for the converters, beyond samples.

use std::path::Path;

use effibox::table::{KindFrom, TableKind};
use robolog_core::StreamReader;

use super::{How, Source, Stream};
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

    fn open(stream: Stream, path: Option<&Path>, how: &How) -> crate::Result<StreamReader<Stream, Self>> {
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        if let Some(path) = path {
            reader.header_mut().set_path(&path.to_string_lossy());
        }
        Ok(reader)
    }

    fn force(header: &mut effibox::table::Header, dialect: &str) -> Result<(), Vec<&'static str>> {
        let names = || TableKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>();
        header.kind = dialect.parse().map_err(|_| names())?;
        header.kind_from = KindFrom::Name;
        Ok(())
    }
}
