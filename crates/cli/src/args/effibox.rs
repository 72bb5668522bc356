//! Arguments of `robolog effibox`, for the Institut Pascal data set.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Effibox {
    /// Check which published constants and motion models fit the files of a data set
    #[command(after_help = "Example:\n  robolog effibox verify run/")]
    Verify(VerifyArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A data set: a folder, or a .tar, .tar.gz or .zip
    #[arg(value_name = "DIR")]
    pub(crate) path: PathBuf,
    /// Set the wheelbase, in metres
    #[arg(long, value_name = "METRES", default_value_t = effibox::motion::WHEELBASE)]
    pub(crate) wheelbase: f64,
    /// Print one JSON object per interface
    #[arg(long)]
    pub(crate) json: bool,
}
