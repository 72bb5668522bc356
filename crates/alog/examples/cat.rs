//! Prints the entries of a variable: `cargo run --example alog_cat -- mission.alog NAV_X`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use alog::{Error, StreamReader};

fn main() -> Result<(), Error> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [path, variable] = &arguments[..] else {
        println!("usage: alog_cat FILE VARIABLE");
        return Ok(());
    };
    let mut reader = StreamReader::open(path)?;
    while let Some(entry) = reader.next_record()? {
        if entry.name() == *variable {
            let time = entry.time().map_or_else(|| "-".to_owned(), |time| time.to_string());
            println!("{time} {:?}", entry.value());
        }
    }
    Ok(())
}
