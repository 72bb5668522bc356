//! `koblenz_info FILE`: prints what the log does not specify and was inferred from its bytes, then the messages of each
//! type.

#![allow(clippy::print_stdout, reason = "counts for a person to read")]

use std::error::Error;

use koblenz_log::{StreamReader, robolog_core::survey};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: koblenz_info FILE")?;
    let summary = survey(&mut StreamReader::open(path)?)?;

    println!("{}, {} messages", summary.variant, summary.details.messages);
    let index = &summary.details.index;
    println!("index: {} entries, {}", index.entries, index.state.name());
    if let Some(sensor) = &summary.details.velodyne {
        println!(
            "{}, {} packets, calibration: {}",
            sensor.model, summary.details.velodyne_packets, sensor.calibration
        );
    }
    for (name, messages) in &summary.details.by_type {
        println!("{name}: {messages}");
    }
    for finding in summary.findings {
        println!("byte {}: {}", finding.offset, finding.message);
    }
    Ok(())
}
