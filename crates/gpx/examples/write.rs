//! `gpx_write FILE`: writes a track of two points and prints the size of the document.

#![allow(clippy::print_stdout, reason = "a program that says what it did")]

use robolog_gpx::{Header, Position, TrackHead, Waypoint, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: gpx_write FILE")?;
    let mut writer = Writer::create(path, &Header::new("gpx_write"))?;
    writer.begin_track(&TrackHead { name: Some("drive".into()), ..TrackHead::default() })?;
    for longitude in [3.109_927, 3.109_931] {
        writer.point(&Waypoint::from(Position::new(45.760_158, longitude)))?;
    }
    println!("{} bytes", writer.position());
    writer.finish()?;
    Ok(())
}
