//! Prints the published constants that a data set obeys: `cargo run --example effibox_verify -- FOLDER`.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use effibox::dataset::{Dataset, Fault};

fn main() -> Result<(), Fault> {
    let Some(path) = std::env::args_os().nth(1) else {
        println!("usage: effibox_verify FOLDER|ARCHIVE");
        return Ok(());
    };
    for found in Dataset::open(path)?.verify()? {
        println!("{}", found.interface);
        for signal in &found.signals {
            let fit = signal.fitted.map_or_else(
                || "never changes".to_owned(),
                |fit| format!("k {:.6}, offset {:.6}", fit.k, fit.offset.unwrap_or_default()),
            );
            println!("  {}: {fit}", signal.signal.column());
            for candidate in &signal.candidates {
                let (source, rms) = (candidate.published.source, candidate.rms);
                println!("    {:?}: {source}, leaves {rms:.3e}", candidate.verdict);
            }
        }
        for poses in &found.poses {
            let best = poses.reckoning.best();
            println!("  {}: {} poses, nearest {best:?}", poses.path, poses.reckoning.poses);
        }
    }
    Ok(())
}
