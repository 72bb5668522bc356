//! Work on several cores, with results in order.

use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use crate::{Error, Result};

/// Runs `work` on each of `items` with up to `threads` threads, and passes the results to `take` in the order of the
/// items. Works on the caller's thread if no thread can be started or one is enough.
///
/// Returns the error of `take`.
pub fn in_order<T, R: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let threads = threads.min(items.len());
    let items = Mutex::new(items.enumerate());
    // Holds the lock only to take the next item.
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    if threads > 1 {
        thread::scope(|scope| {
            let (sender, done) = mpsc::channel();
            for _ in 0..threads {
                let (sender, next, work) = (sender.clone(), &next, &work);
                let run = move || {
                    while let Some((i, item)) = next() {
                        // The receiver is gone if `take` failed.
                        if sender.send((i, work(item))).is_err() {
                            break;
                        }
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                    tracing::debug!(%error, "no thread can be started");
                    break;
                }
            }
            drop(sender);
            let (mut waiting, mut turn) = (BTreeMap::new(), 0_usize);
            for (i, result) in done {
                waiting.insert(i, result);
                while let Some(result) = waiting.remove(&turn) {
                    take(result)?;
                    turn += 1;
                }
            }
            Ok::<_, Error>(())
        })?;
    }
    // All items, if no thread could be started.
    while let Some((_, item)) = next() {
        take(work(item))?;
    }
    Ok(())
}

/// Number of cores that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_by_several_is_taken_in_order() {
        for threads in [0, 1, 2, 7, 100] {
            let mut taken = Vec::new();
            in_order(
                threads,
                (0..50).collect::<Vec<_>>().into_iter(),
                |n| n * n,
                |n| {
                    taken.push(n);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(taken, (0..50).map(|n| n * n).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn a_failure_of_the_taker_ends_the_work() {
        let failed = || Error::EmptyFile;
        let outcome = in_order(
            4,
            (0..1000).collect::<Vec<_>>().into_iter(),
            |n| n,
            |n| {
                if n < 3 { Ok(()) } else { Err(failed()) }
            },
        );
        assert!(matches!(outcome, Err(Error::EmptyFile)));
    }
}
