//! A file whose splits are decoded side by side.

use std::{
    cell::Cell,
    collections::VecDeque,
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

use robolog_core::{Event, PointCloud, Sample, Sampling as _, Split, Splits, StreamReader, Value};

use super::{Outlet, Reading, Steps, unwanted::Unwanted};
use crate::{
    ChannelFilter, Error, Note, Reason, Report, Result, Settings, Source,
    source::{PlainFile, PlainStream, Stream},
    weight,
};

/// Bytes of a split. The samples of two splits a core are in memory.
const SPLIT: u64 = 512 << 10;

/// A split is at least this many times as long as what it carries.
const CARRIED: u64 = 4;

/// A file of less is read by one core: another has hardly begun when it is done.
const LEAST: u64 = 16 * SPLIT;

/// At most this many threads decode: more would wait for the one that writes.
const MOST_WORKERS: usize = 8;

/// What threads are called that decode.
const THREAD: &str = "decoder";

/// Emptied clouds beyond this are not kept.
const SPENT: usize = 256;
/// Nor are those of more bytes.
const SPENT_BYTES: usize = 1 << 20;

/// What a split holds, in order.
#[derive(Debug, Default)]
struct Part {
    items: Vec<Item>,
    records: u64,
    notes: Vec<Note>,
    /// Where in the file it ends.
    end: u64,
    /// What ended it early.
    failure: Option<Error>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are samples")]
enum Item {
    Sample(Sample),
    /// A record that cannot be decoded, or bytes that belong to none.
    Damage(robolog_core::Error, Range<u64>),
}

/// A split, and where its part goes.
type Job = (Split, SyncSender<Part>);

/// The memory of clouds that were written: fresh memory costs more than filling it.
type Spent = Arc<Mutex<Vec<PointCloud>>>;

/// What was to be read, where no thread can be had.
type Unstarted<F> = Box<(StreamReader<Stream, F>, Reading)>;

/// A file that is read in splits.
pub(super) struct Parallel<F: Source> {
    splits: Splits<Stream, F>,
    /// `None` when all splits are being decoded.
    jobs: Option<SyncSender<Job>>,
    parts: VecDeque<Receiver<Part>>,
    workers: Vec<JoinHandle<()>>,
    spent: Spent,
    reading: Reading,
    is_begun: bool,
}

/// Whether the file is worth it.
pub(super) fn is_large(file: &PlainFile) -> bool {
    file.is_file && file.len >= LEAST
}

impl<F: Source> Parallel<F> {
    /// Starts up to `workers` threads for the file that `reader` is at the beginning of; gives both back where none can be
    /// started.
    pub(super) fn start(
        reader: StreamReader<Stream, F>,
        reading: Reading,
        file: &PlainFile,
        workers: usize,
    ) -> Result<Self, Unstarted<F>> {
        let workers = workers.min(MOST_WORKERS);
        let (jobs, queue) = sync_channel(workers);
        let queue = Arc::new(Mutex::new(queue));
        let spent = Spent::default();
        let mut threads = Vec::new();
        for _ in 0..workers {
            let decoder = Decoder::<F> {
                file: file.clone(),
                settings: reading.settings.clone(),
                channels: reading.limit.channels().cloned(),
                unwanted: Unwanted::new(&reading.limit, &reading.settings),
                reader: None,
                spent: Arc::clone(&spent),
            };
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(THREAD.into()).spawn(move || decoder.run(&queue));
            threads.extend(thread.ok());
        }
        if threads.is_empty() {
            return Err(Box::new((reader, reading)));
        }
        let options = F::options(&reading.settings);
        let splits = Splits::new(reader, &file.path, SPLIT, &options).without_times().with_carried(CARRIED);
        Ok(Self {
            splits,
            jobs: Some(jobs),
            parts: VecDeque::new(),
            workers: threads,
            spent,
            reading,
            is_begun: false,
        })
    }

    /// Hands out splits, as many as the workers can be ahead.
    fn hand_out(&mut self) -> Result<()> {
        while let Some(jobs) = &self.jobs
            && self.parts.len() < self.workers.len() * 2
        {
            let Some(split) = self.splits.next().transpose()? else {
                self.jobs = None;
                break;
            };
            let (sender, part) = sync_channel(1);
            // Where nobody takes it, the part is not received either.
            if jobs.send((split, sender)).is_err() {
                self.jobs = None;
            }
            self.parts.push_back(part);
        }
        Ok(())
    }

    /// A worker has ended without its part: it has panicked.
    #[cold]
    fn resume(&mut self) -> Error {
        self.jobs = None;
        for worker in self.workers.drain(..) {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
        Error::Target(Reason::GivenUp)
    }

    fn deliver(&mut self, part: Part, outlet: &mut dyn Outlet) -> Result<()> {
        let reading = &mut self.reading;
        reading.report.records += part.records;
        for note in part.notes {
            reading.report.note(note);
        }
        for item in part.items {
            match item {
                Item::Sample(mut sample) => {
                    reading.offer(&mut sample, outlet)?;
                    if let Value::PointCloud(mut cloud) = sample.value
                        && weight::of_cloud(&cloud) <= SPENT_BYTES
                    {
                        cloud.clear();
                        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
                        if spent.len() < SPENT {
                            spent.push(cloud);
                        }
                    }
                }
                Item::Damage(error, _) if F::is_closed(&error) => reading.report.undecodable(&error),
                Item::Damage(error, lost) => reading.report.damage(error, lost),
            }
        }
        outlet.position(part.end)?;
        part.failure.map_or(Ok(()), Err)
    }
}

impl<F: Source> Steps for Parallel<F> {
    fn step(&mut self, outlet: &mut dyn Outlet) -> Result<bool> {
        if !self.is_begun {
            self.is_begun = true;
            let reader = self.splits.reader();
            self.reading.begin(F::NAME, F::variant(reader.header()), reader.header_bytes(), outlet)?;
        }
        // What was read before a failure is delivered before it.
        let outcome = self.hand_out();
        let Some(part) = self.parts.pop_front() else { return outcome.map(|()| false) };
        match part.recv() {
            Ok(part) => self.deliver(part, outlet)?,
            Err(_) => return Err(self.resume()),
        }
        if let Err(error) = outcome {
            while let Some(part) = self.parts.pop_front().and_then(|part| part.recv().ok()) {
                self.deliver(part, outlet)?;
            }
            return Err(error);
        }
        Ok(true)
    }

    fn end(self: Box<Self>) -> Report {
        self.reading.end()
    }
}

/// Decodes splits.
struct Decoder<F: Source> {
    file: PlainFile,
    settings: Settings,
    /// The channels that are wanted, where not all are.
    channels: Option<ChannelFilter>,
    unwanted: Unwanted,
    /// The file, once it is open.
    reader: Option<StreamReader<PlainStream, F>>,
    spent: Spent,
}

impl<F: Source> Decoder<F> {
    fn run(mut self, queue: &Mutex<Receiver<Job>>) {
        loop {
            let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((split, sender)) = job else { return };
            let mut part = Part { end: split.end, ..Part::default() };
            part.failure = self.decode(&split, &mut part).err();
            // Nobody takes it when the job was given up.
            if sender.send(part).is_err() {
                return;
            }
        }
    }

    fn decode(&mut self, split: &Split, part: &mut Part) -> Result<()> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.file.open()?),
        };
        let mut sampler = F::Sampler::new(reader.header(), F::options(&self.settings));
        reader.carry_to(split, &mut sampler)?;
        let Part { items, records, .. } = part;
        let (channels, settings) = (self.channels.as_ref(), &self.settings);
        // The first time of a recording is its start, whatever the channel.
        let is_begun = Cell::new(split.start > 0);
        // What others are not to have is not handed on: that takes longer than to decode it.
        let is_wanted = |sample: &Sample| {
            let was_begun = is_begun.replace(is_begun.get() || sample.time.is_some());
            let is_shifted = sample.time.is_some_and(|time| settings.moved(time).is_none());
            !was_begun || is_shifted || channels.is_none_or(|channels| channels.matches(&sample.channel))
        };
        while split.is_last || !reader.is_at(split.end) {
            let (is_end, outcome) = {
                let mut take = |sample: &mut Sample| {
                    if !is_wanted(sample) {
                        return Ok(());
                    }
                    let is_cloud = matches!(sample.value, Value::PointCloud(_));
                    items.push(Item::Sample(sample.take()));
                    if is_cloud {
                        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
                        sample.value = spent.pop().map_or(Value::Scalar(0.0), Value::PointCloud);
                    }
                    Ok(())
                };
                match reader.next_event()? {
                    Event::Record(record) => {
                        *records += 1;
                        if self.unwanted.has(&record, &mut sampler, is_begun.get()) {
                            continue;
                        }
                        (false, sampler.push(&record, &mut take))
                    }
                    Event::Damage { error, lost } => {
                        items.push(Item::Damage(error, lost));
                        continue;
                    }
                    Event::End => (true, sampler.finish(&mut take)),
                }
            };
            items.extend(outcome.err().map(|error| Item::Damage(error, 0..0)));
            if is_end {
                break;
            }
        }
        part.notes = F::notes(&sampler);
        Ok(())
    }
}

#[cfg(all(test, feature = "from-alog"))]
mod tests {
    use std::{fmt::Write as _, io::Write as _};

    use robolog_core::Timestamp;

    use super::*;
    use crate::{Feed, Input, Origin};

    /// Times and offsets of what is read.
    #[derive(Default)]
    struct Read(Vec<(Option<Timestamp>, u64)>);

    impl Outlet for Read {
        fn begin(&mut self, _: Origin) -> Result<()> {
            Ok(())
        }

        fn sample(&mut self, sample: &mut Sample, _: Option<Timestamp>) -> Result<()> {
            self.0.push((sample.time, sample.offset));
            Ok(())
        }

        fn position(&mut self, _: u64) -> Result<()> {
            Ok(())
        }
    }

    /// However many cores the machine has: a conversion on two of them decodes by one thread.
    #[test]
    fn splits_decoded_side_by_side_are_the_file() {
        let mut text = String::from("%% LOGSTART 1700000000.0\n");
        while text.len() as u64 <= LEAST + SPLIT {
            let number = text.len();
            writeln!(text, "{number}.00000 X pSim {number}").unwrap();
        }
        let mut file = tempfile::Builder::new().suffix(".alog").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let read = |workers| {
            let mut read = Read::default();
            let feed = Feed::new(Input::open(file.path()).unwrap()).with_workers(workers);
            let report = feed.read(&mut read).unwrap();
            (read.0, report.records)
        };
        let alone = read(1);
        assert!(alone.0.len() > 100_000 && alone.0.len() < text.len(), "{} samples", alone.0.len());
        for workers in [3, MOST_WORKERS + 1] {
            assert!(read(workers) == alone, "{workers} threads");
        }
    }
}
