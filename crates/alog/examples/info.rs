//! Counts the contents of a log: `cargo run --example alog_info -- mission.alog`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

fn main() -> alog::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        println!("usage: alog_info FILE");
        return Ok(());
    };
    let summary = alog::survey(path)?;
    println!("{}, {} entries, complete: {}", summary.variant, summary.details.entries, summary.complete);
    for variable in &summary.details.per_variable {
        let sources = variable.sources.join(", ");
        println!(
            "{}: {} entries, {} numbers, by {sources}",
            variable.name, variable.entries, variable.numbers
        );
    }
    Ok(())
}
