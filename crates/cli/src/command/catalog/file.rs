//! Catalogue files: Parquet, CSV or JSON Lines.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::Path,
};

#[cfg(feature = "parquet")]
use robolog_convert::sink::parquet::nested;
use robolog_convert::{Error, Result, target::OutputFile};
use serde_json::{Map, Value as Json};

#[cfg(feature = "parquet")]
use super::row::{GEO, SCHEMA};
use super::row::{columns, is_text};
use crate::args::catalog::Form;

type Out = BufWriter<OutputFile>;

/// A writer of catalogues.
pub(super) enum Writer {
    #[cfg(feature = "parquet")]
    Parquet(Box<nested::Writer>),
    Csv(Box<csv::Writer<Out>>),
    Jsonl(Out),
}

impl Writer {
    pub(super) fn new(form: Form, out: Out) -> Result<Self> {
        Ok(match form {
            #[cfg(feature = "parquet")]
            Form::Parquet => Self::Parquet(Box::new(nested::Writer::new(out, SCHEMA, &[("geo", GEO)])?)),
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => return Err(not_built()),
            Form::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(columns())?;
                Self::Csv(Box::new(writer))
            }
            Form::Jsonl => Self::Jsonl(out),
        })
    }

    pub(super) fn write(&mut self, row: &Json) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.write(row)?,
            Self::Csv(writer) => {
                let cell = |column| match row.get(column) {
                    None | Some(Json::Null) => String::new(),
                    Some(Json::String(text)) => text.clone(),
                    Some(value) => value.to_string(),
                };
                writer.write_record(columns().map(cell))?;
            }
            Self::Jsonl(out) => writeln!(out, "{row}")?,
        }
        Ok(())
    }

    /// Copies a row of the existing catalogue; `modified` replaces the modification time of its recording.
    pub(super) fn copy(&mut self, row: Row<'_>, modified: Option<&Json>) -> Result<()> {
        match (self, row) {
            #[cfg(feature = "parquet")]
            (Self::Parquet(writer), Row::Parquet(row)) => {
                writer.copy(row, modified.map(|modified| ("modified", modified)))
            }
            #[cfg(feature = "parquet")]
            (_, Row::Parquet(_)) => Err(Error::Target("a row of another format".into())),
            (writer, Row::Json(row)) => {
                let Some(modified) = modified else { return writer.write(row) };
                let mut row = row.clone();
                if let Some(place) = row.get_mut("modified") {
                    place.clone_from(modified);
                }
                writer.write(&row)
            }
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish(),
            Self::Csv(mut writer) => Ok(writer.flush()?),
            Self::Jsonl(mut out) => Ok(out.flush()?),
        }
    }
}

#[cfg(not(feature = "parquet"))]
fn not_built() -> Error {
    Error::NotBuilt { what: "parquet".into(), feature: "to-parquet" }
}

/// A row of an existing catalogue.
pub(super) enum Row<'a> {
    #[cfg(feature = "parquet")]
    Parquet(&'a nested::Row<'a>),
    Json(&'a Json),
}

impl Row<'_> {
    pub(super) fn path(&self) -> Option<&str> {
        match self {
            // The first column.
            #[cfg(feature = "parquet")]
            Self::Parquet(row) => row.text(0),
            Self::Json(row) => row.get("path")?.as_str(),
        }
    }
}

/// Passes each row of the catalogue at `path` to `each`, in the form to be copied.
pub(super) fn copies(form: Form, path: &Path, mut take: impl FnMut(Row<'_>) -> Result<()>) -> Result<()> {
    #[cfg(feature = "parquet")]
    if form == Form::Parquet {
        let file = File::open(path).map_err(|e| Error::file(path, e))?;
        return nested::Rows::open(file, SCHEMA)?.each_raw(|row| take(Row::Parquet(row)));
    }
    rows(form, path, &[], |row| take(Row::Json(&row)))
}

/// Passes each row of the catalogue at `path` to `each`; of Parquet, only these columns, if any are named.
///
/// Returns an error if the file is not a catalogue.
pub(super) fn rows(
    form: Form,
    path: &Path,
    wanted: &[&str],
    mut take: impl FnMut(Json) -> Result<()>,
) -> Result<()> {
    let file = File::open(path).map_err(|e| Error::file(path, e))?;
    match form {
        #[cfg(feature = "parquet")]
        Form::Parquet => nested::Rows::open(file, SCHEMA)?.each(wanted, take),
        #[cfg(not(feature = "parquet"))]
        Form::Parquet => {
            let _ = wanted;
            Err(not_built())
        }
        Form::Csv => {
            let mut reader = csv::Reader::from_reader(file);
            if !reader.headers()?.iter().eq(columns()) {
                return Err(Error::Target("its columns differ".into()));
            }
            for record in reader.into_records() {
                let record = record?;
                let cells = columns()
                    .zip(&record)
                    .map(|(column, cell)| Ok((column.to_owned(), value(column, cell)?)));
                take(Json::Object(cells.collect::<Result<Map<_, _>>>()?))?;
            }
            Ok(())
        }
        Form::Jsonl => {
            for line in BufReader::new(file).lines() {
                take(serde_json::from_str(&line?).map_err(|e| Error::Write(e.into()))?)?;
            }
            Ok(())
        }
    }
}

fn value(column: &str, cell: &str) -> Result<Json> {
    match cell {
        "" => Ok(Json::Null),
        cell if is_text(column) => Ok(cell.into()),
        cell => serde_json::from_str(cell).map_err(|e| Error::Write(e.into())),
    }
}
