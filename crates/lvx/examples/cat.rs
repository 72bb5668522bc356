//! `lvx_cat FILE`: prints every point as comma-separated values: the package's time and device, coordinates in metres,
//! reflectivity.

use std::{
    error::Error,
    io::{self, BufWriter, Write as _},
};

use lvx::StreamReader;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: lvx_cat FILE")?;
    let mut reader = StreamReader::open(path)?;
    let mut out = BufWriter::new(io::stdout().lock());

    writeln!(out, "time,device,x,y,z,reflectivity")?;
    while let Some(frame) = reader.next_record()? {
        for package in frame.packages() {
            let package = package?;
            let time = package.time().map(|time| time.to_string()).unwrap_or_default();
            for point in package.points().iter() {
                let lvx::Point { x, y, z, reflectivity, .. } = point;
                writeln!(out, "{time},{},{x},{y},{z},{reflectivity}", package.device())?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
