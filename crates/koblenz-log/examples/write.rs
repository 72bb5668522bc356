//! `koblenz_write FILE`: writes ten seconds of a car driving north, with a fix and a vehicle report every second.

use std::{error::Error, fs::File};

use koblenz_log::{
    Header, Payload, Writer,
    layout::{Gps, Obd},
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: koblenz_write FILE")?;
    let mut writer = Writer::new(File::create_new(path)?, &Header::new(10))?;
    for second in 0..10 {
        let time = f64::from(second) * 1000.0;
        let fix = Gps {
            hour: 12,
            second,
            latitude: 50.3632 + f64::from(second) * 9e-5,
            longitude: 7.5588,
            speed: 36.0,
            day: 17,
            month: 7,
            year: 2009,
            quality: 1,
            satellites: 8,
            ..Gps::default()
        };
        writer.write_payload(time, &Payload::Gps(fix))?;
        writer.write_payload(time + 5.0, &Payload::Obd(Obd { speed: 36, rpm: 1900, ..Obd::default() }))?;
    }
    writer.end()?;
    writer.finish()?;
    Ok(())
}
