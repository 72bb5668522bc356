//! `koblenz_cat FILE`: prints the ranges of every laser scan as comma-separated values: milliseconds, scanner, angle in
//! radians, metres.

use std::{
    error::Error,
    io::{self, BufWriter, Write as _},
};

use koblenz_log::{LaserModel, Payload, StreamReader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: koblenz_cat FILE")?;
    let mut reader = StreamReader::open(path)?;
    let mut out = BufWriter::new(io::stdout().lock());

    writeln!(out, "milliseconds,scanner,angle,range")?;
    while let Some(message) = reader.next_record()? {
        let Payload::Laser(scan) = message.decode()? else { continue };
        let Some(model) = LaserModel::from_type(scan.sensor_type) else { continue };
        let (time, name) = (message.timestamp().unwrap_or_default(), scan.name_text());
        let (first, _) = model.first_step_of(scan.len());
        for (step, distance) in (first..).zip(scan.distances()) {
            if distance >= model.least {
                writeln!(out, "{time},{name},{:.6},{}", model.angle(step), f64::from(distance) / 1000.0)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
