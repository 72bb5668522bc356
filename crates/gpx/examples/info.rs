//! Counts what GPX documents hold, and says what is wrong with them: `gpx_info FILE`.

#![expect(clippy::print_stdout, reason = "an example of the command line")]

fn main() -> robolog_gpx::Result<()> {
    for path in std::env::args_os().skip(1) {
        let summary = robolog_gpx::survey(&path)?;
        println!("{}: {} records, {} bytes", path.display(), summary.records, summary.bytes);
        println!("  {:?}", summary.details);
        for channel in &summary.channels {
            println!(
                "  {}: {} records, {} values, {:?}",
                channel.name, channel.records, channel.values, channel.span
            );
        }
        for finding in &summary.findings {
            println!("  {:?} {} at {}: {}", finding.severity, finding.code, finding.offset, finding.message);
        }
    }
    Ok(())
}
