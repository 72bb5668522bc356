//! The samples of a feed one after another, for a caller that pulls them.

use std::{collections::VecDeque, fmt, io, sync::mpsc, thread};

use robolog_core::Sample;

use super::{Contents, Feed, Steps};
use crate::{Error, Report, Result, batch::Batch};

/// Iterator over the samples of a feed: see [`Feed::pull`].
///
/// Skips damage; [`report`](Self::report) lists it after the last sample. Ends after an error.
pub struct Pull {
    source: Origins,
    /// The samples of the record that was read last.
    ready: VecDeque<Sample>,
    batch: Batch,
    report: Option<Report>,
}

/// Where samples come from.
enum Origins {
    Steps(Box<dyn Steps + Send>),
    /// A thread reads a data set, a few samples ahead.
    Thread(mpsc::Receiver<Result<Read>>),
    Nowhere,
}

/// What the thread can send.
enum Read {
    Batch(Box<Batch>),
    End(Box<Report>),
}

/// Maximum number of samples that the thread reads ahead.
const AHEAD: usize = 4;

impl Feed {
    /// Iterates over the samples, with limits and settings applied. Holds the samples of one record in memory.
    ///
    /// ```
    /// use robolog_convert::{Feed, Input};
    /// # let file = lvx::doc::recording();
    /// let input = Input::new("memory", Box::new(std::io::Cursor::new(file)))?;
    /// let mut samples = Feed::new(input).pull()?;
    /// assert!(samples.by_ref().all(|sample| sample.is_ok_and(|sample| sample.value.kind() == "point_cloud")));
    /// assert!(samples.report().is_some_and(|report| report.is_complete()));
    /// # Ok::<(), robolog_convert::Error>(())
    /// ```
    pub fn pull(self) -> Result<Pull> {
        let is_dataset = matches!(&self.samples, Contents::OfRecording(input) if input.is_dataset());
        let steps = self.open()?;
        let source = if is_dataset { Origins::Thread(read_ahead(steps)?) } else { Origins::Steps(steps) };
        Ok(Pull { source, ready: VecDeque::new(), batch: Batch::default(), report: None })
    }
}

impl Pull {
    /// Report; `None` before the end.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Whether a thread of this process reads ahead. A forked process lacks it.
    pub fn reads_ahead(&self) -> bool {
        matches!(self.source, Origins::Thread(_))
    }

    /// Position in the input, bytes; 0 for a data set.
    pub fn position(&self) -> u64 {
        self.batch.position
    }

    fn end(&mut self, report: Report) {
        self.report = Some(report);
        self.source = Origins::Nowhere;
    }
}

impl Iterator for Pull {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        let mut keep = |batch: &mut Batch, sample: &mut Sample, start| {
            batch.push(sample, start);
            Ok(())
        };
        loop {
            if let Some(sample) = self.ready.pop_front() {
                return Some(Ok(sample));
            }
            let stepped = match &mut self.source {
                Origins::Steps(steps) => steps.step(&mut self.batch, &mut keep),
                Origins::Thread(read) => match read.recv() {
                    Ok(Ok(Read::Batch(batch))) => {
                        self.batch = *batch;
                        Ok(true)
                    }
                    Ok(Ok(Read::End(report))) => {
                        self.end(*report);
                        return None;
                    }
                    Ok(Err(error)) => Err(error),
                    Err(mpsc::RecvError) => Ok(false),
                },
                Origins::Nowhere => return None,
            };
            let Self { ready, batch, .. } = self;
            while let Some(sample) = batch.lend(|sample, _| sample.take()) {
                ready.push_back(sample);
            }
            batch.clear();
            match (stepped, std::mem::replace(&mut self.source, Origins::Nowhere)) {
                (Ok(true), source) => self.source = source,
                (Ok(false), Origins::Steps(steps)) => self.end(steps.end()),
                (Ok(false), _) => {}
                (Err(error), _) => return Some(Err(error)),
            }
        }
    }
}

impl fmt::Debug for Pull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pull").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}

/// Reads in a thread, which ends with the receiver.
fn read_ahead(mut steps: Box<dyn Steps + Send>) -> Result<mpsc::Receiver<Result<Read>>> {
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    let read = move || {
        let mut batch = Batch::default();
        let mut take = |batch: &mut Batch, sample: &mut Sample, start| {
            batch.push(sample, start);
            let sent = sender.send(Ok(Read::Batch(Box::new(std::mem::take(batch)))));
            sent.map_err(|_| Error::Write(io::ErrorKind::BrokenPipe.into()))
        };
        let outcome = loop {
            match steps.step(&mut batch, &mut take) {
                Ok(true) => {}
                Ok(false) => break Ok(Read::End(Box::new(steps.end()))),
                Err(error) => break Err(error),
            }
        };
        // The receiver may be gone.
        let _ = sender.send(outcome);
    };
    thread::Builder::new().name("robolog".to_owned()).spawn(read)?;
    Ok(receiver)
}
