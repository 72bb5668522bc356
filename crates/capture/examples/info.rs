//! `capture_info FILE`: prints the sensors of a capture, and its faults.

#![allow(clippy::print_stdout, reason = "what an example is for")]

fn main() -> robolog_capture::Result<()> {
    for path in std::env::args_os().skip(1) {
        let summary = robolog_capture::survey(&path)?;
        println!("{}: {}, {:?}", path.display(), summary.variant, summary.details);
        for channel in &summary.channels {
            println!("  {}: {} samples, {:?}", channel.name, channel.values, channel.span);
        }
        for finding in &summary.findings {
            println!("  {:?} at {}: {}", finding.severity, finding.offset, finding.message);
        }
    }
    Ok(())
}
