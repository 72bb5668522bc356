//! `lvx_info FILE`: prints the version and the number of frames, then each device with its model, packages and points.

#![allow(clippy::arithmetic_side_effects, clippy::print_stdout, reason = "counts for a person to read")]

use std::{collections::BTreeMap, error::Error};

use lvx::StreamReader;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: lvx_info FILE")?;
    let mut reader = StreamReader::open(path)?;

    let mut frames = 0_u64;
    let mut counts = BTreeMap::<_, (u64, usize)>::new();
    while let Some(frame) = reader.next_record()? {
        frames += 1;
        for package in frame.packages() {
            let package = package?;
            let (packages, points) = counts.entry(package.device()).or_default();
            *packages += 1;
            *points += package.point_count();
        }
    }

    let header = reader.header();
    println!("{}, {frames} frames", header.version());
    for (id, (packages, points)) in counts {
        let model = header.device(id).map_or_else(|| "not listed".to_owned(), |d| d.device_type.to_string());
        println!("{} ({model}): {packages} packages, {points} points", header.device_name(id));
    }
    Ok(())
}
