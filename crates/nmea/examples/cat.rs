//! `nmea_cat FILE`: prints the fixes, satellites and sentences of a log as samples, and damage where it occurs.

#![allow(clippy::print_stdout, reason = "what an example is for")]

fn main() -> robolog_nmea::Result<()> {
    for path in std::env::args_os().skip(1) {
        for sample in robolog_nmea::open(path)?.samples() {
            match sample {
                Ok(sample) => println!("{:?} {} {:?}", sample.time, sample.channel, sample.value),
                Err(damage) => println!("damage: {damage}"),
            }
        }
    }
    Ok(())
}
