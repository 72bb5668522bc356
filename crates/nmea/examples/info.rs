//! `nmea_info FILE`: prints the contents and faults of an NMEA log.

#![allow(clippy::print_stdout, reason = "what an example is for")]

fn main() -> robolog_nmea::Result<()> {
    for path in std::env::args_os().skip(1) {
        let summary = robolog_nmea::survey(&path)?;
        println!("{}: {} records, {:?}", path.display(), summary.records, summary.details);
        for channel in &summary.channels {
            println!("  {}: {} samples, {:?}", channel.name, channel.values, channel.span);
        }
        for finding in &summary.findings {
            println!("  {:?} at {}: {}", finding.severity, finding.offset, finding.message);
        }
    }
    Ok(())
}
