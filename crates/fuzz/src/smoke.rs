//! The smoke run: every seed, then mutations of them, for a few seconds.

use std::{
    fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use testkit::{Fnv, Rng};

use crate::targets::Target;

/// The result of a smoke run of one target.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of inputs.
    pub inputs: u64,
    /// Paths of failing inputs.
    pub failures: Vec<PathBuf>,
}

/// Number of failures after which a target stops.
const ENOUGH: usize = 10;
/// Maximum bytes of a random input.
const LONGEST: usize = 2 << 10;

/// Runs these targets for `time` each, one per core, and prints each result when it ends.
pub fn run_all(targets: &[&Target], time: Duration, show: &(dyn Fn(&Target, io::Result<Outcome>) + Sync)) {
    let waiting = Mutex::new(targets.iter());
    let next = || waiting.lock().unwrap().next();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            // The size of the main thread's stack.
            let builder = thread::Builder::new().stack_size(8 << 20);
            let work = || {
                while let Some(target) = next() {
                    show(target, run(target, time));
                }
            };
            builder.spawn_scoped(scope, work).unwrap();
        }
    });
}

/// Runs the target on all its seeds, and then on mutations of them in turn until the time is over. Mutations are the
/// same in each run; only their number depends on the machine.
///
/// Failing inputs are written to `artifacts/TARGET`, as by libFuzzer.
pub fn run(target: &Target, time: Duration) -> io::Result<Outcome> {
    let start = Instant::now();
    let seeds = target.seeds.inputs();
    let mut outcome = Outcome::default();
    let is_over = |outcome: &Outcome| start.elapsed() >= time || outcome.failures.len() >= ENOUGH;
    for seed in &seeds {
        outcome.give(target, seed)?;
    }
    let mut rng = Rng(0);
    for round in 0.. {
        if seeds.is_empty() {
            if is_over(&outcome) {
                return Ok(outcome);
            }
            outcome.give(target, &any(&mut rng))?;
        }
        for seed in &seeds {
            if is_over(&outcome) {
                return Ok(outcome);
            }
            // Large seeds get a share of the time, not of the turns.
            if seed.len() > 16 << 10 && round % 16 != 0 {
                continue;
            }
            let mut result = Ok(());
            testkit::splices(seed, 8, round, &mut |data| {
                if result.is_ok() {
                    result = outcome.give(target, data);
                }
            });
            result?;
        }
    }
    Ok(outcome)
}

/// Random bytes, many of them zero.
fn any(rng: &mut Rng) -> Vec<u8> {
    let len = rng.below(LONGEST);
    let zeros = rng.below(4);
    (0..len).map(|_| if rng.below(4) < zeros { 0 } else { rng.bits().to_le_bytes()[0] }).collect()
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
