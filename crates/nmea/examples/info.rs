//! Counts a log of NMEA sentences, and says what is wrong with it: `nmea_info FILE`.

#![expect(clippy::print_stdout, reason = "an example of the command line")]

use robolog_nmea::{StreamReader, Survey, robolog_core::survey};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args_os().skip(1) {
        let summary = survey::<Survey>(&mut StreamReader::open(&path)?)?;
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
