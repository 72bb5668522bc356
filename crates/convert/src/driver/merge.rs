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
/// in memory, and those on their way back.
const BATCH: usize = 1 << 20;

/// One batch of every recording weighs so much at most.
const MOST_HELD: usize = 16 << 20;

/// At most this many emptied clouds wait to be filled again.
const SPENT: usize = 8;

/// At most this many batches whose samples were taken are on their way back.
const USED: usize = 2;

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
                let (used, to_fill) = sync_channel(USED);
                let read = move || {
                    let Some(feed) = taken(&feed) else { return Ok(Report::default()) };
                    let spent = Vec::new();
                    let mut shipping = Shipping { batch: Batch::default(), most, to: sender, to_fill, spent };
                    let report = feed.read(&mut shipping)?;
                    shipping.ship()?;
                    Ok(report)
                };
                let reader = thread::Builder::new().name(THREAD.into()).spawn_scoped(scope, read);
                reader.ok().map(|reader| Reader::Thread { batches, used, reader: Some(reader) })
            } else {
                None
            };
            let reader = match thread {
                Some(thread) => thread,
                None => Reader::Here(taken(&feed).map(Feed::open).transpose()?),
            };
            queues.push(Queue { name, reader, batch: Vec::new(), taken: 0, position: 0 });
        }
        let mut report = Report::default();
        match queues.as_mut_slice() {
            [queue] => {
                while let Some((sample, start)) = queue.next(0, &mut report, outlet)? {
                    outlet.sample(sample, *start)?;
                    queue.taken += 1;
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
    batch: Vec<Shipped>,
    /// How many samples of the batch were taken.
    taken: usize,
    position: u64,
}

/// What reads a recording.
enum Reader<'scope> {
    /// A thread. When this is dropped the thread has nowhere to send to, and ends.
    Thread {
        batches: Receiver<Batch>,
        used: SyncSender<Vec<Shipped>>,
        reader: Option<ScopedJoinHandle<'scope, Result<Report>>>,
    },
    /// Whoever asks for the next sample; `None` when all is read.
    Here(Option<Box<dyn Steps + Send>>),
}

impl Queue<'_> {
    /// The next sample, which is there until another is `taken`; after the last, what was met in reading is added to the
    /// report as that of the recording `feed`.
    fn next(
        &mut self,
        feed: usize,
        report: &mut Report,
        outlet: &mut dyn Outlet,
    ) -> Result<Option<&mut Shipped>> {
        while self.taken >= self.batch.len() {
            self.give_back();
            let Some(batch) = self.reader.batch(feed, report)? else { return Ok(None) };
            self.position = batch.position.max(self.position);
            if let Some(origin) = batch.origin {
                outlet.begin(origin)?;
            }
            self.batch = batch.samples;
        }
        Ok(self.batch.get_mut(self.taken))
    }

    /// When the turn of the next sample is, where there is one.
    fn turn(&mut self, feed: usize, report: &mut Report, outlet: &mut dyn Outlet) -> Result<Option<Turn>> {
        match self.next(feed, report, outlet) {
            Ok(next) => Ok(next.map(|(sample, _)| sample.time)),
            Err(source) => Err(Error::Input { name: self.name.clone(), source: Box::new(source) }),
        }
    }

    /// Sends a batch back to where it was filled: memory is freed fastest by the thread that asked for it, and fresh memory
    /// costs more than filling it.
    fn give_back(&mut self) {
        self.taken = 0;
        let batch = mem::take(&mut self.batch);
        if let Reader::Thread { used, .. } = &self.reader {
            // Nobody needs it when there are enough, or when all is read.
            let _ = used.try_send(batch);
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

/// The time at which the turn of a recording's next sample is; `None` where it has no time.
type Turn = Option<Timestamp>;

fn merge(queues: &mut [Queue<'_>], report: &mut Report, outlet: &mut dyn Outlet) -> Result<()> {
    let mut turns = Vec::new();
    for (i, queue) in queues.iter_mut().enumerate() {
        turns.push(queue.turn(i, report, outlet)?);
    }
    let mut begun = None;
    while let Some(first) = first(&turns, queues)? {
        let (Some(queue), Some(turn)) = (queues.get_mut(first), turns.get_mut(first)) else { break };
        let Some((sample, start)) = queue.batch.get_mut(queue.taken) else { break };
        begun = begun.or(*start);
        outlet.of_feed(first);
        outlet.sample(sample, begun)?;
        queue.taken += 1;
        let next = queue.turn(first, report, outlet)?;
        *turn = next.map(|next| next.or(turn.flatten()));
        outlet.position(queues.iter().fold(0, |sum, queue| sum.saturating_add(queue.position)))?;
    }
    Ok(())
}

/// Whose turn it is: the earliest, and of those without a time or of one time the first.
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

/// Collects samples, and sends them to the other thread.
struct Shipping {
    batch: Batch,
    /// A batch is sent when it weighs so much.
    most: usize,
    to: SyncSender<Batch>,
    /// Batches whose samples were taken.
    to_fill: Receiver<Vec<Shipped>>,
    /// Emptied clouds of theirs.
    spent: Vec<PointCloud>,
}

impl Shipping {
    /// Fails when nobody takes them any more.
    fn ship(&mut self) -> Result<()> {
        let samples = self.used();
        let batch = mem::replace(&mut self.batch, Batch { samples, ..Batch::default() });
        self.to.send(batch).map_err(|_| Error::Target(Reason::GivenUp))
    }

    /// An empty batch, with the memory of one that came back where there is one. Its clouds are kept, as far as they are
    /// needed.
    fn used(&mut self) -> Vec<Shipped> {
        let mut used = self.to_fill.try_recv().unwrap_or_default();
        for (sample, _) in used.drain(..) {
            if let Value::PointCloud(mut cloud) = sample.value
                && self.spent.len() < SPENT
                && weight::of_cloud(&cloud) <= BATCH
            {
                cloud.clear();
                self.spent.push(cloud);
            }
        }
        used
    }
}

impl Outlet for Shipping {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.batch.begin(origin)
    }

    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        let is_cloud = matches!(sample.value, Value::PointCloud(_));
        self.batch.push(sample, start);
        if let Some(spent) = is_cloud.then(|| self.spent.pop()).flatten() {
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
