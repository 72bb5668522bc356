//! Contents and units of the columns of CSV files, in a document beside them: W3C's Metadata Vocabulary for Tabular
//! Data, with units as schema.org's `unitText`.

use std::{
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use robolog_core::{
    columns::{Column, ColumnKind},
    text::name_of,
};
use serde_json::{Value as Json, json};

use crate::{
    Error, Result,
    target::{Existing, Target, identity::STANDARD},
};
pub use robolog_sinks::text::shown;

/// Beginning of all documents.
const CONTEXT: &str = "{\"@context\":\"http://www.w3.org/ns/csvw\",";

/// A table named `url` in the vocabulary.
fn table(url: &str, columns: &[Column]) -> Json {
    let columns: Vec<_> = columns
        .iter()
        .map(|column| {
            let mut json =
                json!({ "name": column.name, "titles": column.name, "datatype": datatype(column.kind) });
            if let (Some(unit), Some(json)) = (&column.unit, json.as_object_mut()) {
                json.insert("schema:unitText".to_owned(), unit.as_str().into());
            }
            json
        })
        .collect();
    json!({ "url": url, "tableSchema": { "columns": columns } })
}

const fn datatype(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Bool => "boolean",
        ColumnKind::Int | ColumnKind::Int32 => "long",
        ColumnKind::Float => "double",
        ColumnKind::Float32 => "float",
        _ => "string",
    }
}

/// Path of the document of one table, as the vocabulary defines it.
fn path_beside(csv: &Path) -> PathBuf {
    let mut name: OsString = csv.into();
    name.push("-metadata.json");
    name.into()
}

/// Begins the document of the table at `csv`. Replaces an earlier document, and any other file of that name as
/// `existing` allows. `None` if the table is not a regular file but standard output, a device or a pipe.
pub fn beside(csv: &Path, existing: Existing, inputs: &[&Path]) -> Result<Option<Target>> {
    if csv == Path::new(STANDARD) || fs::metadata(csv).is_ok_and(|meta| !meta.is_file()) {
        return Ok(None);
    }
    let path = path_beside(csv);
    let is_ours = || fs::read_to_string(&path).is_ok_and(|text| text.starts_with(CONTEXT));
    let existing = if is_ours() { Existing::Replace } else { existing };
    Target::create(&path, existing, inputs).map(Some)
}

/// Writes and completes the document of the table at `csv`, and returns its path.
pub fn describe(document: Target, csv: &Path, columns: &[Column]) -> Result<PathBuf> {
    let url = name_of(csv).into_owned();
    let text = table(&url, columns).to_string();
    let mut out = document.writer()?;
    writeln!(out, "{CONTEXT}{}", text.strip_prefix('{').unwrap_or(&text))?;
    out.flush()?;
    drop(out);
    document.persist()?;
    Ok(path_beside(csv))
}

/// An open document of the tables of a folder.
#[derive(Debug)]
pub(crate) struct Group<W> {
    out: W,
    is_begun: bool,
}

impl<W: Write> Group<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, is_begun: false }
    }

    /// Adds a table.
    pub(crate) fn push(&mut self, url: &str, columns: &[Column]) -> Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.out.write_all(b",\n")?;
        } else {
            writeln!(self.out, "{CONTEXT}\"tables\":[")?;
        }
        serde_json::to_writer(&mut self.out, &table(url, columns)).map_err(|e| Error::Write(e.into()))
    }

    /// Completes the document.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.is_begun {
            self.out.write_all(b"\n]}\n")?;
        }
        Ok(self.out.flush()?)
    }
}
