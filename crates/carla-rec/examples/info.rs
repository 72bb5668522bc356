//! `carla_rec_info FILE`: prints map, date and number of frames, then each kind of packet with its packets and bytes.

#![allow(clippy::arithmetic_side_effects, clippy::print_stdout, reason = "counts for a person to read")]

use std::{collections::BTreeMap, error::Error};

use carla_rec::{Kind, StreamReader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: carla_rec_info FILE")?;
    let mut reader = StreamReader::open(path)?;

    let mut counts = BTreeMap::<u8, (Kind, u64, usize)>::new();
    let mut last = None;
    while let Some(packet) = reader.next_record()? {
        last = packet.frame_start().or(last);
        let (kind, packets, bytes) = counts.entry(packet.id()).or_insert((Kind::Unknown, 0, 0));
        if *kind == Kind::Unknown {
            *kind = packet.kind(); // an empty one may be unknown
        }
        *packets += 1;
        *bytes += packet.bytes().len();
    }

    let header = reader.header();
    let date = header.time(0.0).map_or_else(|| "an unknown date".to_owned(), |date| date.to_string());
    println!("{}, {date}, version {}", header.map_text(), header.version);
    if let Some(start) = last {
        println!("{} frames, {} seconds", start.frame, start.elapsed);
    }
    for (id, (kind, packets, bytes)) in counts {
        println!("{id:3} {:17} {packets:8} packets {bytes:10} bytes", kind.name());
    }
    Ok(())
}
