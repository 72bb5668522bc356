//! How long a computation takes.

use std::{
    fs,
    time::{Duration, Instant},
};

/// What `work` returns, and the time that this thread computes for it: a test of quadratic time does not fail because
/// other programs run. Without Linux, or without its counter, it is the time that passes.
pub fn busy<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (started, before) = (Instant::now(), computed());
    let done = work();
    let (passed, after) = (started.elapsed(), computed());
    (done, before.zip(after).map_or(passed, |(before, after)| after.saturating_sub(before)))
}

/// Time that this thread has computed so far.
fn computed() -> Option<Duration> {
    let counters = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counters.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_computing() {
        let (sum, computed) = busy(|| (0..20_000_000_u64).fold(0, |sum, n| sum ^ std::hint::black_box(n)));
        assert!(sum < 1 << 32 && computed > Duration::from_millis(1), "{computed:?}");
        let ((), waited) = busy(|| std::thread::sleep(Duration::from_millis(200)));
        assert!(!cfg!(target_os = "linux") || waited < Duration::from_millis(150), "{waited:?}");
    }
}
