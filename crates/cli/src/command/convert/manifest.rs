//! The inputs of a folder of outputs: `_manifest.jsonl`, from which an interrupted conversion continues.
//!
//! A line is written when an output is complete. Readers of folders of tables skip names that begin with an underscore.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
};

use robolog_convert::{Error, Result};
use serde::{Deserialize, Serialize};

use super::Done;
use crate::{
    args::ConvertArgs,
    command::identity::{digest, nanos},
};

const NAME: &str = "_manifest.jsonl";
/// Maximum bytes of a line; longer ones are not ours.
const LONGEST: usize = 1 << 16;

/// An input and the name of its output in the folder.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) file: PathBuf,
    pub(super) name: PathBuf,
}

/// The outputs of a folder, by name.
pub(super) struct Manifest {
    folder: PathBuf,
    options: String,
    entries: HashMap<String, Entry>,
}

/// An output and its input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    output: String,
    output_bytes: u64,
    input: String,
    input_bytes: u64,
    /// Modification time of the input, in nanoseconds of Unix time.
    input_modified_ns: u64,
    /// Digest of the input's first and last bytes, or of the names, sizes and times below a folder.
    #[serde(default)]
    input_digest: String,
    /// Digest of the options.
    options: String,
    /// Samples read, and samples in the output.
    pub(super) samples: u64,
    pub(super) written: u64,
    /// Whether something was lost: exit status 3.
    pub(super) lossy: bool,
}

impl Manifest {
    /// Reads the manifest of `folder`, if it has one. Lines that are not entries are skipped.
    pub(super) fn read(folder: &Path, args: &ConvertArgs) -> Result<Self> {
        let mut entries = HashMap::new();
        let path = folder.join(NAME);
        match File::open(&path) {
            Ok(file) => {
                for line in BufReader::new(file).split(b'\n') {
                    let line = line.map_err(|e| Error::file(&path, e))?;
                    if line.len() <= LONGEST
                        && let Ok(entry) = serde_json::from_slice::<Entry>(&line)
                    {
                        entries.insert(entry.output.clone(), entry);
                    }
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::file(&path, e)),
        }
        let mut hasher = DefaultHasher::new();
        args.meaning().hash(&mut hasher);
        let options = format!("{:016x}", hasher.finish());
        Ok(Self { folder: folder.to_owned(), options, entries })
    }

    /// The entry of an output that exists, is complete, and was made from the same input with the same options.
    pub(super) fn made(&self, job: &Job) -> Option<&Entry> {
        let entry = self.entries.get(&*job.name.to_string_lossy())?;
        let now = self.entry(
            job,
            &Done { lossy: entry.lossy, samples: entry.samples, written: entry.written, ..Done::default() },
        );
        now.ok().filter(|now| now == entry).map(|_| entry)
    }

    /// Adds a complete output.
    pub(super) fn add(&mut self, job: &Job, done: &Done) -> Result<()> {
        let path = self.folder.join(NAME);
        // Inputs without an identity, such as standard input, are converted again.
        let Ok(entry) = self.entry(job, done) else { return Ok(()) };
        append(&path, &entry).map_err(|e| Error::file(&path, e))?;
        self.entries.insert(entry.output.clone(), entry);
        Ok(())
    }

    fn entry(&self, job: &Job, done: &Done) -> io::Result<Entry> {
        let input = fs::metadata(&job.file)?;
        let output = fs::metadata(self.folder.join(&job.name))?;
        Ok(Entry {
            output: job.name.to_string_lossy().into_owned(),
            // A folder appears only when complete.
            output_bytes: if output.is_file() { output.len() } else { 0 },
            input: job.file.to_string_lossy().into_owned(),
            input_bytes: input.len(),
            input_modified_ns: nanos(&input)?,
            input_digest: digest(&job.file, &input)?,
            options: self.options.clone(),
            samples: done.samples,
            written: done.written,
            lossy: done.lossy,
        })
    }
}

/// A whole line at once, so that an interruption leaves no partial line.
fn append(path: &Path, entry: &Entry) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    OpenOptions::new().create(true).append(true).open(path)?.write_all(&line)
}
