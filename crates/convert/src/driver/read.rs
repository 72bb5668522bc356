//! Reads recordings on threads, if threads can be started.

use std::{
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, Scope, ScopedJoinHandle},
};

use robolog_core::Sample;
use robolog_sinks::parallel::cores;

use super::output::Output;
use crate::{Error, Feed, Reason, Report, Result, batch::Batch, feed::Steps};

/// Name of the reader threads.
const THREAD: &str = "reader";

/// A batch is sent once it holds this many bytes, fewer with many recordings. Three batches of each recording are in
/// memory, and those sent back.
const BATCH: usize = 1 << 20;

/// Maximum bytes of one batch of every recording.
const MOST_HELD: usize = 16 << 20;

/// Maximum number of written batches on their way back to their reader.
const USED: usize = 2;

/// Reads a recording, on a thread of its own if there are cores for two, and writes it on this thread.
pub(super) fn one(feed: Feed, output: &mut Output<'_>) -> Result<Report> {
    let cores = cores();
    let feed = Box::new(feed.with_workers(cores));
    thread::scope(|scope| {
        let thread = if cores > 1 { Thread::start(scope, feed, BATCH) } else { Err(Some(feed)) };
        match thread {
            Ok(mut thread) => {
                while let Ok(mut batch) = thread.batches.recv() {
                    output.write_all(&mut batch)?;
                    thread.give_back(batch);
                }
                thread.end()
            }
            Err(None) => Ok(Report::default()),
            // Each sample is written as soon as it is read.
            Err(Some(feed)) => {
                let (mut batch, report) = feed.read(&mut |batch, sample, start| {
                    output.begin(batch)?;
                    output.write(sample, start)?;
                    (output.progress)(batch.position);
                    Ok(())
                })?;
                output.write_all(&mut batch)?;
                Ok(report)
            }
        }
    })
}

/// Bytes of a batch of one of several recordings.
pub(super) fn batch_size(recordings: usize) -> usize {
    MOST_HELD.checked_div(recordings).unwrap_or(BATCH).clamp(BATCH >> 4, BATCH)
}

/// A thread that reads a recording. When this is dropped the thread cannot send any more, and ends.
pub(super) struct Thread<'scope> {
    batches: Receiver<Batch>,
    used: SyncSender<Batch>,
    reader: Option<ScopedJoinHandle<'scope, Result<Report>>>,
}

impl<'scope> Thread<'scope> {
    /// Starts a thread; gives the feed back if none can be started.
    pub(super) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        feed: Box<Feed>,
        full: usize,
    ) -> Result<Self, Option<Box<Feed>>> {
        // A thread that cannot be started drops what it was to run.
        let feed = Arc::new(Mutex::new(Some(feed)));
        let (sender, batches) = sync_channel(1);
        let (used, to_fill) = sync_channel(USED);
        let read = {
            let feed = Arc::clone(&feed);
            move || {
                let Some(feed) = taken(&feed) else { return Ok(Report::default()) };
                let send = |batch: &mut Batch| {
                    let mut next: Batch = to_fill.try_recv().unwrap_or_default();
                    // Memory is freed fastest by the thread that asked for it.
                    next.clear();
                    next.position = batch.position;
                    sender.send(mem::replace(batch, next)).map_err(|_| Error::Target(Reason::GivenUp))
                };
                let (mut batch, report) = feed.read(&mut |batch, sample, start| {
                    batch.push(sample, start);
                    if batch.weight() < full { Ok(()) } else { send(batch) }
                })?;
                send(&mut batch)?;
                Ok(report)
            }
        };
        match thread::Builder::new().name(THREAD.into()).spawn_scoped(scope, read) {
            Ok(reader) => Ok(Self { batches, used, reader: Some(reader) }),
            Err(error) => {
                tracing::debug!(%error, "no thread can be started");
                Err(taken(&feed))
            }
        }
    }

    /// Sends a written batch back to be filled again.
    fn give_back(&self, batch: Batch) {
        // Nobody needs it when there are enough, or when all is read.
        let _ = self.used.try_send(batch);
    }

    /// What was found in reading, after the last batch.
    fn end(&mut self) -> Result<Report> {
        match self.reader.take().map(ScopedJoinHandle::join) {
            Some(Ok(read)) => read,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Ok(Report::default()),
        }
    }
}

fn taken(feed: &Mutex<Option<Box<Feed>>>) -> Option<Box<Feed>> {
    feed.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The reader of a recording that is merged with others.
pub(super) enum Reader<'scope> {
    Thread(Thread<'scope>),
    /// Reads on the caller's thread; `None` at the end.
    Here(Option<Box<dyn Steps + Send>>),
}

impl Reader<'_> {
    /// Replaces a written batch by the next one, which may be empty; false at the end, when the report has what was
    /// found in reading.
    pub(super) fn next(&mut self, batch: &mut Batch, feed: usize, report: &mut Report) -> Result<bool> {
        match self {
            Self::Thread(thread) => {
                let position = batch.position;
                thread.give_back(mem::take(batch));
                if let Ok(next) = thread.batches.recv() {
                    *batch = next;
                    return Ok(true);
                }
                batch.position = position;
                report.add(feed, thread.end()?);
                Ok(false)
            }
            Self::Here(steps) => {
                batch.clear();
                let Some(reading) = steps else { return Ok(false) };
                let mut keep = |batch: &mut Batch, sample: &mut Sample, start| {
                    batch.push(sample, start);
                    Ok(())
                };
                if !reading.step(batch, &mut keep)?
                    && let Some(steps) = steps.take()
                {
                    report.add(feed, steps.end());
                }
                Ok(true)
            }
        }
    }
}
