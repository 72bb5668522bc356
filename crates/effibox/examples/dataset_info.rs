//! Lists the interfaces and findings of a data set: `cargo run --example effibox_dataset_info -- FOLDER`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use effibox::dataset::{Dataset, Fault};

fn main() -> Result<(), Fault> {
    let Some(path) = std::env::args_os().nth(1) else {
        println!("usage: effibox_dataset_info FOLDER|ARCHIVE");
        return Ok(());
    };
    let dataset = Dataset::open(path)?;
    let found = dataset.survey();
    for interface in &found.details.interfaces {
        let alias = interface.alias.unwrap_or("-");
        println!(
            "{} ({alias}, {}): {} rows, {} files",
            interface.id, interface.device, interface.rows, interface.files
        );
        for (path, table) in &interface.tables {
            let rate = table.rate_hz.map_or_else(|| "-".to_owned(), |hz| format!("{hz:.2}"));
            println!("  {path}: {}, {} rows, {} odd, {rate} Hz", table.table, table.rows, table.odd_rows);
        }
    }
    for finding in &found.findings {
        println!("{:?}: {}", finding.severity, finding.message);
    }
    Ok(())
}
