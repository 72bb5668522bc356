//! Laws for every recording, complete or damaged: the verbs must not contradict each other.
//!
//! A mutant is a fixture, or a recording of the data folder, with a few changes, determined by its number and the seed.
//! The laws are checked in process, and for a sample of mutants through the program. A campaign runs in separate
//! processes, so that a mutant that hangs or crashes its process is found like any other.

pub mod campaign;
mod changes;
mod corpus;
mod cuts;
mod digest;
mod gzip;
mod mutant;
mod parts;
mod program;
mod recovery;
mod shrink;
mod sound;
mod verbs;
mod visible;
pub mod worker;
mod written;

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Parameters of a campaign.
#[derive(Debug, Clone)]
pub struct Options {
    /// Number of mutants.
    pub mutants: u64,
    /// Seed of all mutants.
    pub seed: u64,
    /// A folder of recordings besides `testdata`.
    pub data: Option<PathBuf>,
    /// The program, checked in addition to the library.
    pub program: Option<PathBuf>,
    /// The program is checked on one in this many mutants.
    pub every: u64,
    /// Number of parallel processes.
    pub jobs: u64,
    /// Only use subjects whose names contain this.
    pub only: String,
    /// Only use sound subjects, each with damage that must be reported.
    pub visible: bool,
    /// Maximum seconds per mutant.
    pub patience: u64,
}

impl Default for Options {
    /// A smoke run, with fixtures only.
    fn default() -> Self {
        Self {
            mutants: 1000,
            seed: 1,
            data: None,
            program: None,
            every: 8,
            jobs: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
            only: String::new(),
            visible: false,
            patience: 30,
        }
    }
}

/// A law broken by a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The law.
    pub law: &'static str,
    /// The fault, in the same words for all mutants with this fault.
    pub what: String,
    /// Details: where, and how much.
    pub detail: String,
}

/// The result of a law.
type Holds = Result<(), Breach>;

impl Breach {
    fn new(law: &'static str, what: impl Into<String>, detail: impl fmt::Display) -> Self {
        Self { law, what: alike(&what.into()), detail: detail.to_string() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.law, self.what, self.detail)
    }
}

/// A text without the parts that differ between mutants: numbers and quotations.
fn alike(text: &str) -> String {
    let mut alike = String::new();
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '\'' | '"' | '`' => {
                quoted = !quoted;
                alike.push(letter);
            }
            _ if quoted => {}
            '0'..='9' if alike.ends_with('N') => {}
            '0'..='9' => alike.push('N'),
            '\n' | '\t' => alike.push(' '),
            _ => alike.push(letter),
        }
    }
    alike.chars().take(160).collect()
}

/// Folder for failed mutants: `target/laws`.
fn findings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("target/laws")
}

#[test]
fn faults_of_one_kind_are_alike() {
    assert_eq!(alike("12 of 345 in 'a.log'"), alike("7 of 1 in 'b.log'"));
    assert_ne!(alike("no part"), alike("no cut"));
}
