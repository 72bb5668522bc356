//! `nmea_write FILE`: writes a log of one fix and prints its size.

#![allow(clippy::print_stdout, reason = "a program that says what it did")]

use robolog_nmea::{Coordinate, Decimal, Gga, Header, Message, Time, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: nmea_write FILE")?;
    let mut writer = Writer::create(path, &Header::default())?;
    let gga = Gga {
        time: Time::new(8, 58, 42, 0, 2),
        latitude: Coordinate::latitude(45.760_157_666, 5),
        longitude: Coordinate::longitude(3.109_927_166, 5),
        quality: Some(1),
        satellites: Some(8),
        hdop: Some(Decimal::new(98, 2)),
        ..Gga::default()
    };
    writer.message("GP", &Message::Gga(gga))?;
    println!("{} bytes", writer.position());
    writer.finish()?;
    Ok(())
}
