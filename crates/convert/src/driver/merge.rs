//! Merges the samples of several recordings by time.

use std::{cmp::Ordering, thread};

use robolog_core::Timestamp;
use robolog_sinks::parallel::cores;

use super::{
    output::Output,
    read::{Reader, Thread, batch_size},
};
use crate::{Error, Feed, Reason, Report, Result, batch::Batch};

/// Maximum number of recordings merged by time; each takes a few hundred kilobytes.
const MOST_FEEDS: usize = 256;

/// Maximum number of reader threads; more is not faster. Further recordings are read on the caller's thread.
const MOST_THREADS: usize = 16;

/// Reads the feeds, and writes their samples in order of time. A sample without a time follows the one before it in its
/// recording.
///
/// Returns an error if times of several feeds cannot be compared.
pub(super) fn merge(feeds: Vec<Feed>, output: &mut Output<'_>) -> Result<Report> {
    if feeds.len() > MOST_FEEDS {
        return Err(Error::Target(Reason::TooManyRecordings { most: MOST_FEEDS }));
    }
    let workers = cores().checked_div(feeds.len()).unwrap_or(1);
    let full = batch_size(feeds.len());
    thread::scope(|scope| {
        let mut queues = Vec::new();
        for feed in feeds {
            let name = feed.name().to_owned();
            let feed = Box::new(feed.with_workers(workers));
            let thread =
                if queues.len() < MOST_THREADS { Thread::start(scope, feed, full) } else { Err(Some(feed)) };
            let reader = match thread {
                Ok(thread) => Reader::Thread(thread),
                Err(feed) => Reader::Here(feed.map(|feed| feed.open()).transpose()?),
            };
            queues.push(Queue { name, reader, batch: Batch::default() });
        }
        let mut report = Report::default();
        write(&mut queues, &mut report, output)?;
        Ok(report)
    })
}

/// A recording whose samples are merged with others.
struct Queue<'scope> {
    name: String,
    reader: Reader<'scope>,
    batch: Batch,
}

impl Queue<'_> {
    /// Moves to the next sample, if any, and returns its time.
    fn turn(&mut self, feed: usize, report: &mut Report, output: &mut Output<'_>) -> Result<Option<Turn>> {
        while self.batch.len() == 0 {
            let next = self.reader.next(&mut self.batch, feed, report);
            if !next.map_err(|source| Error::Input { name: self.name.clone(), source: Box::new(source) })? {
                return Ok(None);
            }
            output.begin(&mut self.batch)?;
        }
        Ok(Some(self.batch.time()))
    }
}

/// Time by which the next sample of a recording is ordered; `None` if it has none.
type Turn = Option<Timestamp>;

fn write(queues: &mut [Queue<'_>], report: &mut Report, output: &mut Output<'_>) -> Result<()> {
    let mut turns = Vec::new();
    for (i, queue) in queues.iter_mut().enumerate() {
        turns.push(queue.turn(i, report, output)?);
    }
    let mut begun = None;
    while let Some(first) = first(&turns, queues)? {
        let (Some(queue), Some(turn)) = (queues.get_mut(first), turns.get_mut(first)) else { break };
        output.counts.feed = first;
        let written = queue.batch.lend(|sample, start| {
            begun = begun.or(start);
            output.write(sample, begun)
        });
        written.unwrap_or(Ok(()))?;
        let is_last = queue.batch.len() == 0;
        let next = queue.turn(first, report, output)?;
        *turn = next.map(|next| next.or(turn.flatten()));
        if is_last {
            let position = queues.iter().map(|queue| queue.batch.position).sum();
            (output.progress)(position);
        }
    }
    Ok(())
}

/// Index of the recording with the earliest sample; the first one without a time, or of equal times.
fn first(turns: &[Option<Turn>], queues: &[Queue<'_>]) -> Result<Option<usize>> {
    let mut first: Option<(usize, Turn)> = None;
    for (i, turn) in turns.iter().enumerate() {
        let Some(turn) = *turn else { continue };
        let Some((other, earliest)) = first else {
            first = Some((i, turn));
            continue;
        };
        let is_earlier = match (turn, earliest) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(a), Some(b)) => {
                let order = a.partial_cmp(&b).ok_or_else(|| {
                    let name = |i: usize| queues.get(i).map_or_else(String::new, |queue| queue.name.clone());
                    Error::Target(Reason::Clocks {
                        first: (name(other), b.clock()),
                        second: (name(i), a.clock()),
                    })
                })?;
                order == Ordering::Less
            }
        };
        if is_earlier {
            first = Some((i, turn));
        }
    }
    Ok(first.map(|(i, _)| i))
}
