//! The samples of a feed one after another, for who pulls them.

use std::{collections::VecDeque, fmt, io, sync::mpsc, thread};

use robolog_core::{Sample, Timestamp};

use super::{Contents, Feed, Outlet, Steps};
use crate::{Error, Origin, Report, Result};

/// Iterator over the samples of a feed: see [`Feed::pull`].
///
/// Damage is passed over; [`report`](Self::report) lists it behind the last sample. After an error there is nothing
/// more.
pub struct Pull {
    source: Origins,
    ready: Ready,
    report: Option<Report>,
}

/// Where samples come from.
enum Origins {
    Steps(Box<dyn Steps + Send>),
    /// A thread reads all of a data set, some samples ahead.
    Thread(mpsc::Receiver<Result<Met>>),
    Nowhere,
}

/// What a thread meets.
#[expect(clippy::large_enum_variant, reason = "all but the last are samples")]
enum Met {
    Sample(Sample),
    End(Box<Report>),
}

/// Samples that a thread reads ahead.
const AHEAD: usize = 4;

impl Feed {
    /// Its samples one after another, with its limits and settings applied. Those of one record are in memory at a time.
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
        Ok(Pull { source, ready: Ready::default(), report: None })
    }
}

impl Pull {
    /// What was met on the way; `None` before the end.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Whether a thread of this process reads ahead. A process that is forked off has none.
    pub fn reads_ahead(&self) -> bool {
        matches!(self.source, Origins::Thread(_))
    }

    /// How far the input is read, in bytes; of a data set nothing is known.
    pub fn position(&self) -> u64 {
        self.ready.position
    }

    fn end(&mut self, report: Report) {
        self.report = Some(report);
        self.source = Origins::Nowhere;
    }
}

impl Iterator for Pull {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        loop {
            if let Some(sample) = self.ready.samples.pop_front() {
                return Some(Ok(sample));
            }
            let stepped = match &mut self.source {
                Origins::Steps(steps) => steps.step(&mut self.ready),
                Origins::Thread(met) => match met.recv() {
                    Ok(Ok(Met::Sample(sample))) => return Some(Ok(sample)),
                    Ok(Ok(Met::End(report))) => {
                        self.end(*report);
                        return None;
                    }
                    Ok(Err(error)) => Err(error),
                    Err(mpsc::RecvError) => Ok(false),
                },
                Origins::Nowhere => return None,
            };
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
        f.debug_struct("Pull").field("ready", &self.ready.samples.len()).finish_non_exhaustive()
    }
}

/// Reads in a thread, which ends with the receiver.
fn read_ahead(mut steps: Box<dyn Steps + Send>) -> Result<mpsc::Receiver<Result<Met>>> {
    let (sender, met) = mpsc::sync_channel(AHEAD);
    let read = move || {
        let mut ahead = Ahead(&sender);
        loop {
            match steps.step(&mut ahead) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    // Nobody may be listening.
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
        let _ = sender.send(Ok(Met::End(Box::new(steps.end()))));
    };
    thread::Builder::new().name("robolog".to_owned()).spawn(read)?;
    Ok(met)
}

struct Ahead<'a>(&'a mpsc::SyncSender<Result<Met>>);

impl Outlet for Ahead<'_> {
    fn begin(&mut self, _: Origin) -> Result<()> {
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample, _: Option<Timestamp>) -> Result<()> {
        let sent = self.0.send(Ok(Met::Sample(sample.take())));
        sent.map_err(|_| Error::Write(io::ErrorKind::BrokenPipe.into()))
    }

    fn position(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// What was read and is not taken yet.
#[derive(Default)]
struct Ready {
    samples: VecDeque<Sample>,
    position: u64,
}

impl Outlet for Ready {
    fn begin(&mut self, _: Origin) -> Result<()> {
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample, _: Option<Timestamp>) -> Result<()> {
        self.samples.push_back(sample.take());
        Ok(())
    }

    fn position(&mut self, position: u64) -> Result<()> {
        self.position = position;
        Ok(())
    }
}
