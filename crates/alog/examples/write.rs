//! Writes a log of a circle and reads it back: `cargo run --example alog_write`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use alog::{Error, Header, Reader, Seconds, Writer};

fn main() -> Result<(), Error> {
    let header = Header::new("circle.alog", Seconds::from_nanos(1_750_223_317_648_667_000));
    let mut writer = Writer::new(Vec::new(), &header)?;
    for step in 0_u8..36 {
        let time = Seconds::from_nanos(i128::from(step).wrapping_mul(100_000_000));
        let (y, x) = f64::from(step).to_radians().sin_cos();
        writer.number(time, "NAV_X", "circle", x)?;
        writer.number(time, "NAV_Y", "circle", y)?;
    }
    let log = writer.finish()?;
    println!("{} entries, {} bytes", Reader::new(&log)?.records().count(), log.len());
    Ok(())
}
