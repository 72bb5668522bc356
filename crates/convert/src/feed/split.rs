//! Decodes the splits of a file in parallel.

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

use robolog_core::{Event, Sample, Split, Splits, StreamReader, format::Decoder as _};

use super::{Reading, Steps, unwanted::Unwanted};
use crate::{
    ChannelFilter, Error, Note, Reason, Report, Result, Settings, Source,
    batch::{Batch, Take},
    source::{PlainFile, Stream, is_closed, is_end_mark},
};

/// Bytes of a split, fewer in unit tests. The samples of two splits per core are in memory.
const SPLIT: u64 = if cfg!(test) { 32 << 10 } else { 512 << 10 };

/// Minimum ratio of a split's length to the records that it needs from before.
const CARRIED: u64 = 4;

/// Minimum bytes of a file to decode in parallel: for less, one core is done when another has hardly begun.
const LEAST: u64 = 16 * SPLIT;

/// Maximum number of decoder threads: more would wait for the writing thread.
const MOST_WORKERS: usize = 8;

/// Name of the decoder threads.
const THREAD: &str = "decoder";

/// The samples of a split, and what was found in reading it.
#[derive(Debug, Default)]
struct Part {
    batch: Batch,
    records: u64,
    /// Records that cannot be decoded, and bytes that belong to none.
    damage: Vec<(robolog_core::Error, Range<u64>)>,
    notes: Vec<Note>,
    /// Why reading ended early, if it did.
    failure: Option<Error>,
}

/// A split, a batch for its samples, and where to send the part.
type Job = (Split, Batch, SyncSender<Part>);

/// What `start` gives back if no thread can be started.
type Unstarted<F> = Box<(StreamReader<Stream, F>, Reading)>;

/// A file read in splits.
pub(super) struct Parallel<F: Source> {
    splits: Splits<Stream, F>,
    /// `None` once all splits are handed out.
    jobs: Option<SyncSender<Job>>,
    parts: VecDeque<Receiver<Part>>,
    workers: Vec<JoinHandle<()>>,
    /// Batches for the next splits.
    used: Vec<Batch>,
    reading: Reading,
    is_begun: bool,
}

/// Whether the file is large enough to decode in parallel.
pub(super) fn is_large(file: &PlainFile) -> bool {
    file.is_file && file.len >= LEAST
}

impl<F: Source> Parallel<F> {
    /// Starts up to `workers` threads for the file, at whose beginning `reader` is. Gives reader and reading back if no
    /// thread can be started.
    pub(super) fn start(
        reader: StreamReader<Stream, F>,
        reading: Reading,
        file: &PlainFile,
        workers: usize,
    ) -> Result<Self, Unstarted<F>> {
        let workers = workers.min(MOST_WORKERS);
        let (jobs, queue) = sync_channel(workers);
        let queue = Arc::new(Mutex::new(queue));
        let mut threads = Vec::new();
        for _ in 0..workers {
            let decoder = Decoder::<F> {
                file: file.clone(),
                settings: reading.settings.clone(),
                channels: reading.limit.channels().cloned(),
                unwanted: Unwanted::new(&reading.limit, &reading.settings),
                reader: None,
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
            used: Vec::new(),
            reading,
            is_begun: false,
        })
    }

    /// Hands out splits, up to two per worker ahead.
    fn hand_out(&mut self) -> Result<()> {
        while let Some(jobs) = &self.jobs
            && self.parts.len() < self.workers.len() * 2
        {
            let Some(split) = self.splits.next().transpose()? else {
                self.jobs = None;
                break;
            };
            let (sender, part) = sync_channel(1);
            // If no worker takes it, the receiver fails too.
            let batch = self.used.pop().unwrap_or_default();
            if jobs.send((split, batch, sender)).is_err() {
                self.jobs = None;
            }
            self.parts.push_back(part);
        }
        Ok(())
    }

    /// Ends after a worker has panicked.
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

    fn deliver(&mut self, part: Part, batch: &mut Batch, take: Take<'_>) -> Result<()> {
        let Part { batch: mut read, records, damage, notes, failure } = part;
        let reading = &mut self.reading;
        reading.report.records += records;
        for note in notes {
            reading.report.note(note);
        }
        for (error, lost) in damage {
            match error {
                error if is_closed::<F>(&error) => reading.report.undecodable(&error),
                error => reading.report.damage(error, lost),
            }
        }
        read.each(|sample, _| {
            match reading.put(sample, batch, take) {
                Err(Error::Recording(error)) => reading.report.damage(error, 0..0),
                outcome => outcome?,
            }
            Ok(())
        })?;
        batch.position = read.position;
        read.clear();
        self.used.push(read);
        failure.map_or(Ok(()), Err)
    }
}

impl<F: Source> Steps for Parallel<F> {
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool> {
        if !self.is_begun {
            self.is_begun = true;
            let reader = self.splits.reader();
            self.reading.begin(F::NAME, F::variant(reader.header()), reader.header_bytes(), batch);
        }
        // Delivers everything read before a failure, then the failure.
        let outcome = self.hand_out();
        let Some(part) = self.parts.pop_front() else { return outcome.map(|()| false) };
        match part.recv() {
            Ok(part) => self.deliver(part, batch, take)?,
            Err(_) => return Err(self.resume()),
        }
        if let Err(error) = outcome {
            while let Some(part) = self.parts.pop_front().and_then(|part| part.recv().ok()) {
                self.deliver(part, batch, take)?;
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
    /// Channels to keep; `None` keeps all.
    channels: Option<ChannelFilter>,
    unwanted: Unwanted,
    /// The open file.
    reader: Option<StreamReader<Stream, F>>,
}

impl<F: Source> Decoder<F> {
    fn run(mut self, queue: &Mutex<Receiver<Job>>) {
        loop {
            let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((split, batch, sender)) = job else { return };
            let mut part = Part { batch, ..Part::default() };
            part.batch.position = split.end;
            part.failure = self.decode(&split, &mut part).err();
            // The receiver is gone if reading was given up.
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
        let mut decoder = F::Decoder::new(reader.header(), F::options(&self.settings));
        reader.carry_to(split, &mut decoder)?;
        let Part { batch, records, damage, .. } = part;
        let (channels, settings) = (self.channels.as_ref(), &self.settings);
        // The first time of any channel is the start of the recording.
        let is_begun = Cell::new(split.start > 0);
        // Drops unwanted samples here: passing them on takes longer than decoding them.
        let is_wanted = |sample: &Sample| {
            let was_begun = is_begun.replace(is_begun.get() || sample.time.is_some());
            let is_shifted = sample.time.is_some_and(|time| settings.moved(time).is_none());
            !was_begun || is_shifted || channels.is_none_or(|channels| channels.matches(&sample.channel))
        };
        while split.is_last || !reader.is_at(split.end) {
            let (is_end, outcome) = {
                let mut put = |sample: &mut Sample| {
                    if !is_wanted(sample) {
                        return Ok(());
                    }
                    batch.push(sample, None);
                    Ok(())
                };
                match reader.next_event()? {
                    Event::Record(record) => {
                        *records += u64::from(!is_end_mark::<F>(&record));
                        if self.unwanted.has(&record, &mut decoder, is_begun.get()) {
                            continue;
                        }
                        (false, decoder.samples(&record, &mut put))
                    }
                    Event::Damage { error, lost } => {
                        damage.push((error, lost));
                        continue;
                    }
                    Event::End => (true, decoder.last_samples(&mut put)),
                }
            };
            damage.extend(outcome.err().map(|error| (error, 0..0)));
            if is_end {
                break;
            }
        }
        part.notes = F::notes(&decoder);
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "from-alog")]
mod tests;
