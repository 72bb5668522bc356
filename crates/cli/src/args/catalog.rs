//! Arguments of `catalog`.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use robolog_convert::{Error, Result};

use robolog_core::slices::Part as _;

use super::common::{FormatArg, beside};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "An existing catalogue is updated: a recording is read again if its size changed, or its time and its \
                  first or last 64 KiB. An interrupted run leaves OUT.journal, and the next run continues from it. \
                  Exit status 3: some recordings are damaged; they have rows too.\n\n\
                  Examples:\n  robolog catalog logs/ -o catalog.parquet\n  \
                  duckdb -c \"SELECT path FROM 'catalog.parquet' WHERE duration > 60\""
)]
pub(crate) struct CatalogArgs {
    /// Folders of recordings, or recordings; a data set is one recording
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(short, long = "output")]
    output: Option<PathBuf>,
    #[arg(long)]
    to: Option<Form>,
    #[arg(short, long)]
    pub(crate) force: bool,
    #[arg(long)]
    pub(crate) events: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// File format of a catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Apache Parquet
    Parquet,
    /// A text table; lists are JSON in their cells
    Csv,
    /// One JSON object per line
    Jsonl,
}

impl CatalogArgs {
    /// The output that was named, or the default one.
    pub(crate) fn output(&self) -> Result<PathBuf> {
        let end = format!(".{}", self.to.unwrap_or(Form::Parquet).name());
        self.output.clone().map_or_else(|| beside(self.files.part_or_empty(..1), &end), Ok)
    }

    /// The format given by `--to`, or by the output's extension.
    pub(crate) fn form(&self, output: &Path) -> Result<Form> {
        let extension = output.extension().unwrap_or_default().to_string_lossy();
        let named = Form::from_str(&extension, true).ok();
        match (self.to, named) {
            (Some(asked), Some(named)) if asked != named => Err(Error::TargetDisagrees {
                path: output.to_owned(),
                named: named.name(),
                asked: asked.name(),
            }),
            (Some(form), _) | (None, Some(form)) => Ok(form),
            (None, None) => {
                let known = Form::value_variants().iter().map(|form| form.name()).collect::<Vec<_>>();
                Err(Error::NoSuchTarget { name: extension.into_owned(), known: known.join(", ") })
            }
        }
    }

    /// Returns an error for standard input, which has no name to list.
    pub(crate) fn check(&self) -> Result<()> {
        if self.files.iter().any(|file| file == Path::new("-")) {
            return Err(Error::Target("a catalogue lists files and folders, not standard input".into()));
        }
        Ok(())
    }
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }
}
