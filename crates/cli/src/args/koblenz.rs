//! Arguments of `robolog koblenz`, for Koblenz logs.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::OutArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum Koblenz {
    /// Copy a log and write a valid index
    #[command(after_help = "Example:\n  robolog koblenz reindex drive.log -o indexed.log")]
    Reindex(ReindexArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReindexArgs {
    /// A log; it is read twice
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}
