//! Reads the placemarks of a KML document or a KMZ archive and writes them as KML 2.2: `kml_rewrite IN OUT`. Reports
//! the start of a bad tail on standard error.

use std::{
    error::Error,
    fs,
    io::{Cursor, Write as _, stderr},
    process::ExitCode,
};

use robolog_kml as kml;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("usage: kml_rewrite IN OUT".into());
    };
    let mut file = fs::read(from)?;
    if file.starts_with(b"PK") {
        file = kml::read_kmz(Cursor::new(file), 256 << 20)?;
    }
    let (document, error) = kml::read(&file);
    fs::write(to, kml::write(&document, Vec::new())?)?;
    if let Some(error) = error {
        writeln!(stderr(), "kml_rewrite: {error}")?;
        return Ok(ExitCode::from(3));
    }
    Ok(ExitCode::SUCCESS)
}
