//! `lvx_write FILE`: writes one second of LVX 1.1, a wall five metres ahead of a Horizon, and prints the file size.

#![allow(clippy::print_stdout, reason = "a program that tells what it did")]

use std::{error::Error, fs::File, io::BufWriter};

use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: lvx_write FILE")?;
    let id = DeviceId::Index(0);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "3WEDH7600101501", DeviceType(3))]);
    let mut writer = Writer::new(BufWriter::new(File::create_new(path)?), &header)?;

    // 12 000 points in 50 ms, row by row.
    let mut wall = PointCloud::default();
    for (row, time) in (0..60_u16).zip((0..).step_by(833_400)) {
        for (column, time) in (0..200_u16).zip((time..).step_by(4_167)) {
            wall.x.push(5.0);
            wall.y.push(2.0 - f32::from(column) / 50.0);
            wall.z.push(1.2 - f32::from(row) / 25.0);
            wall.intensity.push(80.0);
            wall.time_offset.push(time);
        }
    }
    for time in (0..1_000_000_000).step_by(50_000_000) {
        writer.begin_frame()?;
        writer.filled_cloud(id, Timestamp::new(time, Clock::Device), &wall)?;
        writer.end_frame()?;
    }
    println!("{} bytes", writer.position());
    writer.finish()?;
    Ok(())
}
