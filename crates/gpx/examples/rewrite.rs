//! Reads a GPX document into memory and writes it as GPX 1.1: `gpx_rewrite IN OUT`. Reports the start of a bad tail on
//! standard error.

use std::{
    error::Error,
    fs,
    io::{Write as _, stderr},
    process::ExitCode,
};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("usage: gpx_rewrite IN OUT".into());
    };
    let (document, error) = robolog_gpx::read(&fs::read(from)?);
    fs::write(to, robolog_gpx::write(&document, Vec::new())?)?;
    if let Some(error) = error {
        writeln!(stderr(), "gpx_rewrite: {error}")?;
        return Ok(ExitCode::from(3));
    }
    Ok(ExitCode::SUCCESS)
}
