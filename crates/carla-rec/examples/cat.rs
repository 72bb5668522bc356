//! `carla_rec_cat FILE`: prints every position as comma-separated values: frame, seconds, actor, and its pose in
//! right-handed metres and degrees.

use std::{
    error::Error,
    io::{self, BufWriter, Write as _},
};

use carla_rec::{Axes, Payload, StreamReader, layout::FrameStart};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: carla_rec_cat FILE")?;
    let mut reader = StreamReader::open(path)?;
    let mut out = BufWriter::new(io::stdout().lock());

    writeln!(out, "frame,elapsed,actor,x,y,z,roll,pitch,yaw")?;
    let mut now = FrameStart::default();
    while let Some(packet) = reader.next_record()? {
        match packet.decode()? {
            Payload::FrameStart(start) => now = start,
            Payload::Position(positions) => {
                for position in positions {
                    let at = Axes::Ros.location(position.location);
                    let [roll, pitch, yaw] = Axes::Ros.euler(position.rotation).map(f64::to_degrees);
                    write!(out, "{},{},{},", now.frame, now.elapsed, position.id)?;
                    writeln!(out, "{},{},{},{roll},{pitch},{yaw}", at.x, at.y, at.z)?;
                }
            }
            _ => {}
        }
    }
    out.flush()?;
    Ok(())
}
