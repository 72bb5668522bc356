//! The smoke run: every fixture, then mutations of them, for a few seconds.

use std::{
    fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::{Duration, Instant},
};

use testkit::Fnv;

use crate::targets::Target;

/// What a smoke run of one target came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many inputs it was given.
    pub inputs: u64,
    /// The inputs that broke something, where they were written.
    pub failures: Vec<PathBuf>,
}

/// A target that fails over and over has said enough.
const ENOUGH: usize = 10;

/// Gives the target all its fixtures, and then mutations of them by turns until the time is over. The mutations are
/// the same in each run; only how many there are depends on the machine.
///
/// Inputs that break something are written to `artifacts/TARGET`, as libFuzzer does.
pub fn run(target: &Target, time: Duration) -> io::Result<Outcome> {
    let start = Instant::now();
    let fixtures = testkit::fixtures(target.format, target.extension);
    let mut outcome = Outcome::default();
    for fixture in &fixtures {
        outcome.give(target, &fixture.bytes)?;
    }
    for seed in 0.. {
        for fixture in &fixtures {
            if start.elapsed() >= time || outcome.failures.len() >= ENOUGH {
                return Ok(outcome);
            }
            // Large fixtures take their share of the time, not of the turns.
            if fixture.bytes.len() > 16 << 10 && seed % 16 != 0 {
                continue;
            }
            let mut result = Ok(());
            testkit::splices(&fixture.bytes, 8, seed, &mut |data| {
                if result.is_ok() {
                    result = outcome.give(target, data);
                }
            });
            result?;
        }
    }
    Ok(outcome)
}

impl Outcome {
    fn give(&mut self, target: &Target, data: &[u8]) -> io::Result<()> {
        self.inputs += 1;
        if catch_unwind(AssertUnwindSafe(|| (target.run)(data))).is_err() {
            let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(target.name);
            fs::create_dir_all(&dir)?;
            let mut hash = Fnv::default();
            hash.text(&data.iter().map(|byte| char::from(*byte)).collect::<String>());
            let path = dir.join(format!("smoke-{:016x}", hash.finish()));
            fs::write(&path, data)?;
            self.failures.push(path);
        }
        Ok(())
    }
}
