//! Writes a span of time, in seconds since the start of the acquisition, to a new folder: `cargo run --example
//! effibox_dataset_cut -- FOLDER 10 20.5 OUT`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use effibox::dataset::{Dataset, Fault, Span};

#[expect(clippy::cast_possible_truncation, reason = "times of a recording")]
fn micros(seconds: &str) -> Option<i64> {
    Some((seconds.parse::<f64>().ok()? * 1e6).round() as i64)
}

fn main() -> Result<(), Fault> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [path, from, to, out] = &arguments[..] else {
        println!("usage: effibox_dataset_cut FOLDER|ARCHIVE FROM TO OUT");
        return Ok(());
    };
    let span = Span { from: micros(from), to: micros(to) };
    let copied = Dataset::open(path)?.copy(out, span)?;
    println!("{} files, {} rows kept and {} left out", copied.files, copied.rows, copied.rows_left);
    Ok(())
}
