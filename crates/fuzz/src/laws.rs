//! Laws that hold of every recording, whole or damaged, for the verbs together: what one of them says, no other may
//! contradict.
//!
//! A mutant is a fixture, or a recording of the data folder, with a few changes; its number and the seed decide which. The
//! laws are asked of it in process, and of a sample of mutants through the program. A campaign runs in processes of its own,
//! so that a mutant which never ends, or brings its process down, is found like any other.

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

/// What a campaign is made of.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many mutants there are.
    pub mutants: u64,
    /// Decides them all.
    pub seed: u64,
    /// A folder of recordings besides `testdata`.
    pub data: Option<PathBuf>,
    /// The program, which is asked as well as the library.
    pub program: Option<PathBuf>,
    /// The program is asked about one of so many mutants.
    pub every: u64,
    /// Processes at a time.
    pub jobs: u64,
    /// Only mutants of subjects whose names contain this.
    pub only: String,
    /// Sound subjects alone, each damaged so that nobody may overlook it.
    pub visible: bool,
    /// Seconds that a mutant may take.
    pub patience: u64,
}

impl Default for Options {
    /// A smoke run: of fixtures alone.
    fn default() -> Self {
        Self {
            mutants: 2000,
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

/// A law that does not hold of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The law.
    pub law: &'static str,
    /// What is wrong, in words that are the same for all mutants with this fault.
    pub what: String,
    /// Where, and how much.
    pub detail: String,
}

/// What a law comes to.
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

/// A text without what differs from mutant to mutant: numbers, and what is quoted.
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

/// Where the files of failed mutants go: `target/laws`.
fn findings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("target/laws")
}

#[test]
fn faults_of_one_kind_are_alike() {
    assert_eq!(alike("12 of 345 in 'a.log'"), alike("7 of 1 in 'b.log'"));
    assert_ne!(alike("no part"), alike("no cut"));
}
