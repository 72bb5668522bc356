//! Recordings read by threads of their own where threads can be had, and their samples put in order of time.

use std::{
    cmp::Ordering,
    mem,
    num::NonZero,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, ScopedJoinHandle},
    vec,
};

use robolog_core::{PointCloud, Sample, Timestamp, Value};

use crate::{
    Error, Feed, Origin, Reason, Report, Result,
    feed::{Outlet, Steps},
    weight,
};

/// As many recordings are put in order at most: each has some hundred kilobytes.
const MOST_FEEDS: usize = 256;

/// As many are read by threads of their own; more do not make it faster. The others are read as their samples are taken.
const MOST_THREADS: usize = 16;

/// What threads are called that read.
const THREAD: &str = "reader";

/// A batch is handed on when it weighs this many bytes, less where there are many recordings. Three of each recording are
/// in memory.
const BATCH: usize = 1 << 20;

/// One batch of every recording weighs so much at most.
const MOST_HELD: usize = 16 << 20;

/// At most this many emptied clouds wait to be filled again.
const SPENT: usize = 8;

/// A sample, and when its recording begins.
type Shipped = (Sample, Option<Timestamp>);

/// Samples on their way from one thread to the other.
#[derive(Debug, Default)]
struct Batch {
    samples: Vec<Shipped>,
    weight: usize,
    /// Where in the input the reader is.
    position: u64,
    /// Of the first batch.
    origin: Option<Origin>,
}

/// Reads every feed, by a thread where one can be started, and hands the samples to `outlet` here: those of several feeds
/// in order of time, where one without a time follows the one before it in its recording. Gives what was met in reading.
///
/// Fails when times of several feeds do not compare.
pub(super) fn drive(feeds: Vec<Feed>, outlet: &mut dyn Outlet) -> Result<Report> {
    if feeds.len() > MOST_FEEDS {
        return Err(Error::Target(Reason::TooManyRecordings { most: MOST_FEEDS }));
    }
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = cores.checked_div(feeds.len()).unwrap_or(1);
    let most = (MOST_HELD.checked_div(feeds.len()).unwrap_or(BATCH)).clamp(BATCH >> 4, BATCH);
    thread::scope(|scope| {
        let mut queues: Vec<Queue<'_>> = Vec::new();
        for feed in feeds {
            let name = feed.name().to_owned();
            // A thread that cannot be started gives it back.
            let feed = Arc::new(Mutex::new(Some(feed.with_workers(workers))));
            let thread = if queues.len() < MOST_THREADS {
                let feed = Arc::clone(&feed);
                let (sender, batches) = sync_channel(1);
                let (spent, to_fill) = sync_channel(SPENT);
                let read = move || {
                    let Some(feed) = taken(&feed) else { return Ok(Report::default()) };
                    let mut shipping = Shipping { batch: Batch::default(), most, to: sender, to_fill };
                    let report = feed.read(&mut shipping)?;
                    shipping.ship()?;
                    Ok(report)
                };
                let reader = thread::Builder::new().name(THREAD.into()).spawn_scoped(scope, read);
                reader.ok().map(|reader| Reader::Thread { batches, spent, reader: Some(reader) })
            } else {
                None
            };
            let reader = match thread {
                Some(thread) => thread,
                None => Reader::Here(taken(&feed).map(Feed::open).transpose()?),
            };
            queues.push(Queue { name, reader, batch: Vec::new().into_iter(), position: 0 });
        }
        let mut report = Report::default();
        match queues.as_mut_slice() {
            [queue] => {
                while let Some((mut sample, start)) = queue.next(0, &mut report, outlet)? {
                    outlet.sample(&mut sample, start)?;
                    queue.take_back(sample.value);
                    outlet.position(queue.position)?;
                }
            }
            queues => merge(queues, &mut report, outlet)?,
        }
        Ok(report)
    })
}

fn taken(feed: &Mutex<Option<Feed>>) -> Option<Feed> {
    feed.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// A recording on its way to be put in order.
struct Queue<'scope> {
    name: String,
    reader: Reader<'scope>,
    batch: vec::IntoIter<Shipped>,
    position: u64,
}

/// What reads a recording.
enum Reader<'scope> {
    /// A thread. When this is dropped the thread has nowhere to send to, and ends.
    Thread {
        batches: Receiver<Batch>,
        spent: SyncSender<PointCloud>,
        reader: Option<ScopedJoinHandle<'scope, Result<Report>>>,
    },
    /// Whoever asks for the next sample; `None` when all is read.
    Here(Option<Box<dyn Steps + Send>>),
}

impl Queue<'_> {
    /// The next sample; after the last, what was met in reading is added to the report as that of the recording `feed`.
    fn next(&mut self, feed: usize, report: &mut Report, outlet: &mut dyn Outlet) -> Result<Option<Shipped>> {
        loop {
            if let Some(shipped) = self.batch.next() {
                return Ok(Some(shipped));
            }
            let Some(batch) = self.reader.batch(feed, report)? else { return Ok(None) };
            self.position = batch.position.max(self.position);
            if let Some(origin) = batch.origin {
                outlet.begin(origin)?;
            }
            self.batch = batch.samples.into_iter();
        }
    }

    /// Sends the memory of a cloud back to where it is filled: fresh memory costs more than filling it.
    fn take_back(&self, value: Value) {
        if let (Reader::Thread { spent, .. }, Value::PointCloud(mut cloud)) = (&self.reader, value) {
            cloud.clear();
            if weight::of_cloud(&cloud) <= BATCH {
                // Nobody needs it when there are enough, or when all is read.
                let _ = spent.try_send(cloud);
            }
        }
    }
}

impl Reader<'_> {
    /// The next samples, of which there may be none yet; `None` at the end, when the report has what was met.
    fn batch(&mut self, feed: usize, report: &mut Report) -> Result<Option<Batch>> {
        match self {
            Self::Thread { batches, reader, .. } => {
                if let Ok(batch) = batches.recv() {
                    return Ok(Some(batch));
                }
                match reader.take().map(ScopedJoinHandle::join) {
                    Some(Ok(read)) => report.add(feed, read?),
                    Some(Err(panic)) => std::panic::resume_unwind(panic),
                    None => {}
                }
                Ok(None)
            }
            Self::Here(steps) => {
                let Some(reading) = steps else { return Ok(None) };
                let mut batch = Batch::default();
                if !reading.step(&mut batch)? {
                    let read = steps.take().map(Steps::end);
                    report.add(feed, read.unwrap_or_default());
                }
                Ok(Some(batch))
            }
        }
    }
}

/// The next sample of a recording, and the time at which its turn is.
struct Head {
    shipped: Shipped,
    turn: Option<Timestamp>,
}

fn merge(queues: &mut [Queue<'_>], report: &mut Report, outlet: &mut dyn Outlet) -> Result<()> {
    let named =
        |queue: &Queue<'_>, source| Error::Input { name: queue.name.clone(), source: Box::new(source) };
    let mut heads = Vec::new();
    for (i, queue) in queues.iter_mut().enumerate() {
        let shipped = queue.next(i, report, outlet).map_err(|e| named(queue, e))?;
        heads.push(shipped.map(|shipped| Head { turn: shipped.0.time, shipped }));
    }
    let mut begun = None;
    while let Some(first) = first(&heads, queues)? {
        let (Some(queue), Some(head)) = (queues.get_mut(first), heads.get_mut(first)) else { break };
        let Some(Head { shipped: (mut sample, start), turn }) = head.take() else { break };
        begun = begun.or(start);
        outlet.sample(&mut sample, begun)?;
        queue.take_back(sample.value);
        let next = queue.next(first, report, outlet).map_err(|e| named(queue, e))?;
        *head = next.map(|shipped| Head { turn: shipped.0.time.or(turn), shipped });
        outlet.position(queues.iter().fold(0, |sum, queue| sum.saturating_add(queue.position)))?;
    }
    Ok(())
}

/// Whose turn it is: the earliest, and of those without a time or of one time the first.
fn first(heads: &[Option<Head>], queues: &[Queue<'_>]) -> Result<Option<usize>> {
    let mut first: Option<(usize, Option<Timestamp>)> = None;
    for (i, head) in heads.iter().enumerate() {
        let Some(head) = head else { continue };
        let Some((other, earliest)) = first else {
            first = Some((i, head.turn));
            continue;
        };
        let is_earlier = match (head.turn, earliest) {
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
            first = Some((i, head.turn));
        }
    }
    Ok(first.map(|(i, _)| i))
}

/// Collects samples, and sends them to the other thread.
struct Shipping {
    batch: Batch,
    /// A batch is sent when it weighs so much.
    most: usize,
    to: SyncSender<Batch>,
    /// Clouds that were taken, emptied.
    to_fill: Receiver<PointCloud>,
}

impl Shipping {
    /// Fails when nobody takes them any more.
    fn ship(&mut self) -> Result<()> {
        let batch = mem::take(&mut self.batch);
        self.to.send(batch).map_err(|_| Error::Target(Reason::GivenUp))
    }
}

impl Outlet for Shipping {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.batch.begin(origin)
    }

    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        let is_cloud = matches!(sample.value, Value::PointCloud(_));
        let spent = if is_cloud { self.to_fill.try_recv().ok() } else { None };
        self.batch.push(sample, start);
        if let Some(spent) = spent {
            sample.value = Value::PointCloud(spent);
        }
        if self.batch.weight >= self.most { self.ship() } else { Ok(()) }
    }

    fn position(&mut self, position: u64) -> Result<()> {
        self.batch.position(position)
    }
}

impl Batch {
    fn push(&mut self, sample: &mut Sample, start: Option<Timestamp>) {
        let sample = Sample {
            time: sample.time,
            offset: sample.offset,
            channel: sample.channel.clone(),
            frame_id: sample.frame_id.clone(),
            value: sample.value.take(),
        };
        let weight = weight::of_value(&sample.value);
        self.weight = self.weight.saturating_add(weight);
        self.samples.push((sample, start));
    }
}

impl Outlet for Batch {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.origin = Some(origin);
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        self.push(sample, start);
        Ok(())
    }

    fn position(&mut self, position: u64) -> Result<()> {
        self.position = position;
        Ok(())
    }
}
