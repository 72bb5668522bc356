//! `kml_cat FILE`: prints the positions of a KML document as samples, and damage where it occurs.

#![allow(clippy::print_stdout, reason = "what an example is for")]

fn main() -> robolog_kml::Result<()> {
    for path in std::env::args_os().skip(1) {
        for sample in robolog_kml::open(path)?.samples() {
            match sample {
                Ok(sample) => println!("{:?} {} {:?}", sample.time, sample.channel, sample.value),
                Err(damage) => println!("damage: {damage}"),
            }
        }
    }
    Ok(())
}
