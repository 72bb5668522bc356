//! Prints the rows of a table by column, and errors of invalid ones: `cargo run --example effibox_table_cat -- FILE`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use effibox::{Error, table::StreamReader};

fn main() -> Result<(), Error> {
    let Some(path) = std::env::args().nth(1) else {
        println!("usage: effibox_table_cat FILE");
        return Ok(());
    };
    let mut reader = StreamReader::open(&path)?;
    reader.header_mut().set_path(&path);
    let columns = reader.header().kind.columns();
    while let Some(record) = reader.next_record()? {
        match record.row() {
            Ok(Some(row)) => {
                let named =
                    columns.iter().zip(row.cells()).map(|(field, cell)| format!("{}: {cell:?}", field.name));
                println!("{}", named.collect::<Vec<_>>().join(", "));
            }
            Ok(None) => {}
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
