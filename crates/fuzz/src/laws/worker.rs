//! One process of a campaign, which checks some of the mutants.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    path::Path,
    time::{Duration, Instant},
};

use testkit::PeakAlloc;

use super::{
    Breach, Holds, Options, corpus,
    corpus::Subject,
    cuts, findings,
    mutant::{Found, Mutant},
    parts,
    program::{self, Ends, Program},
    recovery, shrink, sound, verbs, written,
};
use crate::memory;

/// Maximum failures of one kind saved by a worker.
const KEPT: u64 = 3;
/// The heap that a mutant of a few bytes may take, and how much more for each byte of it: samples are kept to be
/// compared.
const HEAP: usize = 96 << 20;
const HEAP_PER_BYTE: usize = 400;

thread_local! {
    /// Location of the last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The laws, in the order of checking.
type Law = fn(&Found<'_>) -> Holds;
const LAWS: [(&str, Law); 8] = [
    ("found", sound::is_found),
    ("info = cat", sound::counts),
    ("damage is told", sound::damage),
    ("zcat = cat", sound::compressed),
    ("recover = cat", recovery::keeps),
    ("second generation", recovery::is_stable),
    ("cut + cut = cut", cuts::add_up),
    ("writer then reader", written::reads_back),
];
type ProgramLaw = fn(&Found<'_>, &Program<'_>) -> Holds;
const PROGRAM_LAWS: [(&str, ProgramLaw); 3] =
    [("the program", program::agrees), ("verbs", verbs::tell), ("parts open", parts::open)];

/// Counts of a worker.
#[derive(Default)]
struct Counts {
    kinds: BTreeMap<(String, String), u64>,
    times: BTreeMap<(&'static str, &'static str), (u64, Duration)>,
    /// Mutants with visible damage, and what the program reports about them.
    visible: u64,
    ends: Ends,
}

/// Mutants `first`, `first + step` and so on up to the number of all. What is found is printed, a line each, for the
/// process that started this one.
pub fn run(options: &Options, first: u64, step: u64, heap: PeakAlloc) -> io::Result<()> {
    listen_to_panics();
    let subjects = corpus::load(options.data.as_deref(), &options.only);
    if subjects.is_empty() {
        return Err(io::Error::other("there is no such subject"));
    }
    let mut counts = Counts::default();
    let mut number = first;
    while number < options.mutants {
        say(&format!("at\t{number}"))?;
        let mutant = Mutant::new(&subjects, options, number);
        for breach in ask(&mutant, options, heap, Some(&mut counts)) {
            fail(&mutant, breach, options, heap, &mut counts)?;
        }
        number += step;
    }
    for ((law, format), (mutants, time)) in &counts.times {
        say(&format!("took\t{law}\t{format}\t{mutants}\t{}", time.as_micros()))?;
    }
    say(&format!("visible\t{}", counts.visible))?;
    for ((verb, status), runs) in &counts.ends {
        say(&format!("ran\t{verb}\t{status}\t{runs}"))?;
    }
    say("end")
}

/// Checks one mutant and prints the result.
pub fn repeat(options: &Options, number: u64, heap: PeakAlloc) -> io::Result<bool> {
    listen_to_panics();
    let subjects = corpus::load(options.data.as_deref(), &options.only);
    if subjects.is_empty() {
        return Err(io::Error::other("there is no such subject"));
    }
    let mutant = Mutant::new(&subjects, options, number);
    let Subject { name, bytes, format, .. } = mutant.subject;
    say(&format!("{name}: {format}, {} bytes; {:?}", bytes.len(), mutant.changes))?;
    let options = Options { every: 1, ..options.clone() };
    let breaches = ask(&mutant, &options, heap, None);
    for breach in &breaches {
        let again = &mut |mutant: &Mutant<'_>| same(ask(mutant, &options, heap, None), breach);
        let (small, breach) = shrink::shrink(&mutant, breach.clone(), again);
        say(&format!("{breach}\n  {:?}\n  {}", small.changes, keep(&small, &breach, &options)?))?;
    }
    Ok(breaches.is_empty())
}

/// Checks all laws on a mutant; `counts` gets the time of each, and the results of the program.
fn ask(
    mutant: &Mutant<'_>,
    options: &Options,
    heap: PeakAlloc,
    mut counts: Option<&mut Counts>,
) -> Vec<Breach> {
    let folder = memory::folder();
    heap.reset_peak_usage();
    let before = heap.current_usage();
    let mut breaches = Vec::new();
    let mut hold = |law: &'static str, work: &mut dyn FnMut() -> Holds| {
        let start = Instant::now();
        breaches.extend(caught(law, work).err());
        if let Some(counts) = &mut counts {
            let (mutants, time) = counts.times.entry((law, mutant.subject.format)).or_default();
            (*mutants, *time) = (*mutants + 1, *time + start.elapsed());
        }
    };
    let ends = RefCell::default();
    let mut found = None;
    hold("reading", &mut || {
        found = Some(Found::new(mutant, folder.path()));
        Ok(())
    });
    if let Some(found) = &found {
        for (name, law) in LAWS {
            hold(name, &mut || law(found));
        }
        let peak = heap.peak_usage().saturating_sub(before);
        if let Some(path) = options.program.as_deref().filter(|_| mutant.number.is_multiple_of(options.every))
        {
            for (name, law) in PROGRAM_LAWS {
                hold(name, &mut || law(found, &Program { path, ends: &ends }));
            }
        }
        if peak > HEAP + HEAP_PER_BYTE * found.bytes.len() {
            let detail = format!("{} MB for {} bytes", peak >> 20, found.bytes.len());
            breaches.push(Breach::new("heap", "a mutant takes more than its bounds", detail));
        }
        if let Some(counts) = counts.filter(|_| found.is_damaged_visibly()) {
            counts.visible += 1;
            for (end, runs) in ends.into_inner() {
                *counts.ends.entry(end).or_default() += runs;
            }
        }
    }
    breaches
}

/// Turns a panic into a breach.
fn caught(law: &'static str, work: &mut dyn FnMut() -> Holds) -> Holds {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let place = PANIC.take();
        Err(Breach { law, what: format!("panic: {place}"), detail: String::new() })
    })
}

/// Stores the location of a panic instead of printing it.
fn listen_to_panics() {
    panic::set_hook(Box::new(|info| {
        PANIC.set(super::alike(&info.to_string()));
    }));
}

/// Finds the breach equal to this one.
fn same(breaches: Vec<Breach>, like: &Breach) -> Option<Breach> {
    breaches.into_iter().find(|breach| (breach.law, &breach.what) == (like.law, &like.what))
}

/// Reports a failure; the first ones of a kind are minimised and saved.
fn fail(
    mutant: &Mutant<'_>,
    breach: Breach,
    options: &Options,
    heap: PeakAlloc,
    counts: &mut Counts,
) -> io::Result<()> {
    let kind = (format!("{} {}", breach.law, mutant.subject.format), breach.what.clone());
    let seen = counts.kinds.entry(kind).or_default();
    *seen += 1;
    let mut path = String::new();
    let mut breach = breach;
    if *seen <= KEPT {
        let like = breach.clone();
        let again = &mut |mutant: &Mutant<'_>| same(ask(mutant, options, heap, None), &like);
        let (small, found) = shrink::shrink(mutant, breach, again);
        path = keep(&small, &found, options)?;
        breach = found;
    }
    let Breach { law, what, detail } = breach;
    let detail: String = detail.replace(['\n', '\t'], " ").chars().take(300).collect();
    say(&format!(
        "fail\t{}\t{law}\t{}\t{}\t{what}\t{detail}\t{path}",
        mutant.number, mutant.subject.format, mutant.subject.name
    ))
}

/// Saves a mutant below `target/laws`, with a description of its fault.
fn keep(mutant: &Mutant<'_>, breach: &Breach, options: &Options) -> io::Result<String> {
    let law: String = breach.law.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let folder =
        findings().join(format!("{law}-{}-{}-{}", mutant.subject.format, options.seed, mutant.number));
    fs::create_dir_all(&folder)?;
    let path = folder.join(mutant.file_name());
    fs::write(&path, mutant.bytes())?;
    let mut text = format!("{breach}\n\nsubject {}\n", mutant.subject.name);
    let (seed, number) = (options.seed, mutant.number);
    let _ = writeln!(text, "seed {seed}, mutant {number}\nchanges {:#?}", mutant.changes);
    let data = options.data.as_deref().map_or_else(String::new, |data| format!(" --data {}", data.display()));
    let only = if options.only.is_empty() { String::new() } else { format!(" --only {}", options.only) };
    let visible = if options.visible { " --visible" } else { "" };
    let _ = writeln!(text, "\ncargo xtask fuzz --laws --seed {seed}{data}{only}{visible} --mutant {number}");
    fs::write(folder.join("failure.txt"), text)?;
    Ok(shown(&path))
}

fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
