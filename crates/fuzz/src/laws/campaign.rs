//! A campaign: workers and their findings.

#![allow(clippy::print_stdout, reason = "what is found is printed when it is found")]

use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use super::Options;

/// The result of a campaign.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of mutants checked.
    pub mutants: u64,
    kinds: BTreeMap<(String, String, String), FailureKind>,
    times: BTreeMap<(String, String), (u64, u64)>,
    /// Mutants that are damaged visibly, and how often each verb ended with each status about one.
    visible: u64,
    ends: BTreeMap<String, [u64; 4]>,
}

/// Failures of one kind.
#[derive(Debug, Default)]
struct FailureKind {
    count: u64,
    /// The first one, and the file it was saved to.
    first: String,
}

/// A message from a worker.
enum Word {
    Line(u64, String),
    Gone(u64),
}

/// Runs all mutants in as many processes as are wanted, and starts one again behind a mutant that ends it or does not
/// end.
pub fn run(options: &Options, words: &[String]) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    let jobs = options.jobs.clamp(1, options.mutants.max(1));
    let (tell, told) = mpsc::channel();
    let mut workers: BTreeMap<u64, Worker> = BTreeMap::new();
    for number in 0..jobs {
        workers.insert(number, Worker::start(number, number, jobs, words, &tell)?);
    }
    while !workers.is_empty() {
        let word = told.recv_timeout(Duration::from_secs(1));
        let mut over = Vec::new();
        match word {
            Ok(Word::Line(number, line)) => {
                if let Some(worker) = workers.get_mut(&number) {
                    worker.heard = Instant::now();
                    let fields: Vec<&str> = line.split('\t').collect();
                    match fields[..] {
                        ["at", at] => {
                            worker.at = at.parse().ok();
                            outcome.mutants += 1;
                        }
                        ["end"] => worker.is_done = true,
                        ref fields => outcome.take(fields),
                    }
                }
            }
            Ok(Word::Gone(number)) => over.push((number, "it ends the process")),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        let patience = Duration::from_secs(options.patience);
        let silent =
            workers.iter().filter(|(_, worker)| worker.at.is_some() && worker.heard.elapsed() > patience);
        over.extend(silent.map(|(number, _)| (*number, "it does not end")));
        for (number, what) in over {
            let Some(mut worker) = workers.remove(&number) else { continue };
            worker.end();
            if worker.is_done {
                continue;
            }
            let Some(at) = worker.at else { return Err(io::Error::other("a worker does not start")) };
            outcome.take(&["fail", &at.to_string(), "ends", "-", "-", what, "", ""]);
            if at + jobs < options.mutants {
                let id = number + jobs;
                workers.insert(id, Worker::start(id, at + jobs, jobs, words, &tell)?);
            }
        }
    }
    Ok(outcome)
}

/// A process that checks the laws.
struct Worker {
    child: Child,
    at: Option<u64>,
    heard: Instant,
    is_done: bool,
}

impl Worker {
    fn start(
        id: u64,
        first: u64,
        step: u64,
        words: &[String],
        tell: &mpsc::Sender<Word>,
    ) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words).args(["--first", &first.to_string(), "--step", &step.to_string()]);
        command.stdout(Stdio::piped()).stdin(Stdio::null());
        // Also ends its children.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let lines = child.stdout.take().map(BufReader::new);
        let tell = tell.clone();
        thread::spawn(move || {
            for line in lines.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
                if tell.send(Word::Line(id, line)).is_err() {
                    return;
                }
            }
            let _ = tell.send(Word::Gone(id));
        });
        Ok(Self { child, at: None, heard: Instant::now(), is_done: false })
    }

    fn end(&mut self) {
        if !self.is_done && cfg!(unix) {
            let group = format!("-{}", self.child.id());
            let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Outcome {
    /// Whether a required law was broken.
    pub fn has_failed(&self) -> bool {
        !self.kinds.is_empty()
    }

    fn take(&mut self, fields: &[&str]) {
        match *fields {
            ["fail", number, law, format, subject, what, detail, path] => {
                let kind = self.kinds.entry((law.into(), format.into(), what.into())).or_default();
                kind.count += 1;
                if kind.first.is_empty() {
                    kind.first = format!("mutant {number} of {subject}: {detail}\n      {path}");
                }
                if kind.count == 1 {
                    println!("{law}, {format}: {what}\n      {}", kind.first);
                }
            }
            ["took", law, format, mutants, micros] => {
                let (all, time) = self.times.entry((law.into(), format.into())).or_default();
                *all += mutants.parse::<u64>().unwrap_or(0);
                *time += micros.parse::<u64>().unwrap_or(0);
            }
            ["visible", mutants] => self.visible += mutants.parse::<u64>().unwrap_or(0),
            ["ran", verb, status, runs] => {
                let ends = self.ends.entry(verb.into()).or_default();
                if let Some(end) = status.parse().ok().and_then(|status: usize| ends.get_mut(status)) {
                    *end += runs.parse::<u64>().unwrap_or(0);
                }
            }
            _ => println!("{}", fields.join(" ")),
        }
    }

    /// Prints the findings and statistics.
    pub fn show(&self, with_times: bool) {
        if with_times {
            println!("\n{:<20} {:<12} {:>8} {:>12}", "law", "format", "mutants", "us a mutant");
            for ((law, format), (mutants, micros)) in &self.times {
                let each = micros / (*mutants).max(1);
                println!("{law:<20} {format:<12} {mutants:>8} {each:>12}");
            }
        }
        if self.visible > 0 {
            println!("\n{} mutants are damaged visibly; so many runs about these ended with", self.visible);
            println!("{:<10} {:>8} {:>8} {:>8} {:>8}", "verb", 0, 1, 2, 3);
        }
        for (verb, [done, failed, usage, lossy]) in &self.ends {
            println!("{verb:<10} {done:>8} {failed:>8} {usage:>8} {lossy:>8}");
        }
        if !self.kinds.is_empty() {
            println!("\n{:>7}  law, format: what", "mutants");
        }
        for ((law, format, what), kind) in &self.kinds {
            println!("{:>7}  {law}, {format}: {what}\n         {}", kind.count, kind.first);
        }
        println!("laws: {} mutants, {} kinds of failures", self.mutants, self.kinds.len());
    }
}
