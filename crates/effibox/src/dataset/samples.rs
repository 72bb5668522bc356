//! Iterator over the samples of a data set.

use std::{sync::mpsc, thread};

use robolog_core::{Error, Sample};

use super::{Dataset, Event, Fault, Options};

/// Maximum number of samples that the visit is ahead of the iterator.
const AHEAD: usize = 16;

/// Iterator over the samples of a data set, in order of time: see [`Dataset::samples`].
#[derive(Debug)]
pub struct Samples {
    visit: mpsc::Receiver<Result<Sample, Fault>>,
    /// Why the visit did not start.
    failure: Option<Fault>,
}

impl Dataset {
    /// The samples of all interfaces in order of time, those without a time first. Whatever cannot become a sample is a
    /// fault at its place; later samples follow.
    ///
    /// A thread reads some samples ahead, and ends with the iterator. [`visit`](Self::visit) does the same without a
    /// thread.
    pub fn samples(self) -> Samples {
        self.samples_with(Options::default())
    }

    /// The same with options.
    pub fn samples_with(self, options: Options) -> Samples {
        let (found, visit) = mpsc::sync_channel(AHEAD);
        let read = move || {
            let outcome = self.visit::<Stop>(&options, &mut |event| {
                let next = match event {
                    Event::Sample(sample) => Ok(sample.take()),
                    Event::Fault(fault) => Err(fault),
                };
                found.send(next).map_err(|_| Stop::Dropped)
            });
            if let Err(Stop::Failed(fault)) = outcome {
                // The iterator may be dropped by now.
                let _ = found.send(Err(fault));
            }
        };
        let thread = thread::Builder::new().name("effibox".to_owned()).spawn(read);
        Samples { visit, failure: thread.err().map(|e| Fault::new("", Error::io(e, 0))) }
    }
}

/// Reason for an early end of a visit.
enum Stop {
    /// The iterator was dropped.
    Dropped,
    Failed(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault)
    }
}

impl Iterator for Samples {
    type Item = Result<Sample, Fault>;

    fn next(&mut self) -> Option<Result<Sample, Fault>> {
        self.failure.take().map(Err).or_else(|| self.visit.recv().ok())
    }
}
