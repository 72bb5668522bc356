//! `kml_write FILE`: writes a track of two positions and prints the size of the document.

#![allow(clippy::print_stdout, reason = "a program that says what it did")]

use robolog_kml::{AltitudeMode, Coordinate, Header, Timestamp, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: kml_write FILE")?;
    let mut writer = Writer::create(path, &Header::default())?;
    writer.begin_track("drive", Some(AltitudeMode::Absolute))?;
    for (second, longitude) in [(9, 3.109_927), (10, 3.109_931)] {
        let time = Timestamp::from_utc(2010, 5, 28, 2, 2, second, 0);
        writer.point(time, Coordinate { longitude, latitude: 45.760_158, altitude: Some(460.6) })?;
    }
    println!("{} bytes", writer.position());
    writer.finish()?;
    Ok(())
}
