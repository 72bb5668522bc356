//! Ctrl-C and progress while the interpreter is released.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use pyo3::prelude::*;

/// Interval of checks.
const EVERY: Duration = Duration::from_millis(50);

/// Checks for signals and reports progress, some times a second.
///
/// Python handles signals in its main thread only. Other threads learn here what the main thread has received.
#[derive(Clone)]
pub(crate) struct Pulse(Arc<Inner>);

struct Inner {
    progress: Option<Py<PyAny>>,
    total: Option<u64>,
    began: Instant,
    /// Time of the last check, in milliseconds.
    last: AtomicU64,
    failure: Mutex<Option<PyErr>>,
}

impl Pulse {
    /// Calls `progress` with the position in the input and its size, both in bytes; the size is `None` if unknown.
    pub(crate) fn new(progress: Option<Py<PyAny>>, total: Option<u64>) -> Self {
        let failure = Mutex::new(None);
        Self(Arc::new(Inner { progress, total, began: Instant::now(), last: AtomicU64::new(0), failure }))
    }

    /// Continues, or fails with an exception of Python.
    pub(crate) fn tick(&self, position: Option<u64>) -> io::Result<()> {
        let Inner { progress, total, began, last, failure } = &*self.0;
        let now = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if now.saturating_sub(last.load(Ordering::Relaxed)) >= EVERY.as_millis().try_into().unwrap_or(50) {
            last.store(now, Ordering::Relaxed);
            let raised = Python::attach(|py| {
                py.check_signals()?;
                match (progress, position) {
                    (Some(progress), Some(position)) => progress.call1(py, (position, *total)).map(drop),
                    _ => Ok(()),
                }
            });
            if let Err(raised) = raised {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
            }
        }
        if failure.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Err(io::Error::other("stopped by the caller"));
        }
        Ok(())
    }

    /// Reports the end of the work: progress ends at the full size, however little was read.
    pub(crate) fn done(&self, py: Python<'_>) -> PyResult<()> {
        let Inner { progress, total, .. } = &*self.0;
        let Some((progress, total)) = progress.as_ref().zip(*total) else { return Ok(()) };
        progress.call1(py, (total, total)).map(drop)
    }

    /// Keeps an exception of Python, to raise it after the work has ended.
    pub(crate) fn fail(&self, raised: PyErr) -> io::Error {
        self.0.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
        io::Error::other("stopped by an exception")
    }

    /// The kept exception.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
