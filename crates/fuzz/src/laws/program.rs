//! Runs of the program on a mutant.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use super::{Breach, Holds, mutant::Found};

const LAW: &str = "the program";

/// The program, and the results of its runs.
pub(super) struct Program<'a> {
    pub(super) path: &'a Path,
    pub(super) ends: &'a RefCell<Ends>,
}

/// Number of runs by verb and status.
pub(super) type Ends = BTreeMap<(String, i32), u64>;

/// Result of a run of the program.
pub(super) struct Run {
    /// 0 to 3.
    pub(super) status: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

impl Program<'_> {
    /// Runs a verb. Returns an error if it panics, is killed by a signal, or prints control characters.
    pub(super) fn run(&self, words: &[&str], paths: &[&Path]) -> Result<Run, Breach> {
        let Output { status, stdout, stderr } = Command::new(self.path)
            .args(words)
            .args(paths)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Breach::new(LAW, "it does not start", error))?;
        let verb = words.first().copied().unwrap_or_default();
        let text = String::from_utf8_lossy(&stderr).into_owned();
        let Some(status @ 0..=3) = status.code() else {
            let what = format!("{verb} ends with {status}{}", place(&text));
            return Err(Breach::new(LAW, what, text));
        };
        let is_raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        let streams = [("stderr", &*text), ("stdout", &*String::from_utf8_lossy(&stdout))];
        for (name, text) in streams {
            // Any data is fine, except terminal control characters.
            let is_raw = |c: char| is_raw(c) || (is_mark(c) && name == "stderr");
            if let Some(raw) = text.chars().find(|c| is_raw(*c)) {
                let line = text.lines().find(|line| line.contains(raw)).unwrap_or_default();
                let what = format!("{verb} prints {} raw on {name}", raw.escape_unicode());
                return Err(Breach { law: LAW, what, detail: line.escape_debug().to_string() });
            }
        }
        *self.ends.borrow_mut().entry((verb.to_owned(), status)).or_default() += 1;
        Ok(Run { status, stdout, stderr: text })
    }
}

/// Direction marks and invisible characters.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}')
}

/// Where a panic was, as `: crates/x/src/y.rs`.
fn place(stderr: &str) -> String {
    let place = stderr.lines().find_map(|line| line.split_once("panicked at "));
    place.map_or_else(String::new, |(_, place)| format!(" at {}", place.trim_end_matches(':')))
}

/// The verbs agree with the library: same number of samples, same copy, matching status.
pub(super) fn agrees(found: &Found<'_>, program: &Program<'_>) -> Holds {
    let path = &*found.path;
    let cat = program.run(&["cat"], &[path])?;
    let recovered =
        found.folder.join("by-program").join(found.place("recovered").file_name().unwrap_or_default());
    fs::create_dir_all(found.folder.join("by-program")).unwrap();
    let check = program.run(&["check", "--json"], &[path])?;
    let recover = program.run(&["recover", "-f", "-o"], &[&recovered, path])?;
    let breach = |what: String, run: &Run, detail: &str| {
        Err(Breach::new(LAW, what, format!("{detail}; status {}: {}", run.status, run.stderr)))
    };
    let reading = match &found.reading {
        Ok(reading) => reading,
        Err(error) if cat.status != 1 || recover.status != 1 => {
            return breach(
                format!(
                    "cat ends with {} and recover with {} where nothing can be read",
                    cat.status, recover.status
                ),
                &cat,
                error,
            );
        }
        Err(_) => return Ok(()),
    };
    let lines = cat.stdout.split(|byte| *byte == b'\n').count() - 1;
    if lines != reading.samples.len() {
        return breach(
            "cat prints other samples".into(),
            &cat,
            &format!("{lines}, not {}", reading.samples.len()),
        );
    }
    let due = if reading.faults.is_empty() { 0 } else { 3 };
    if cat.status != due && !reading.samples.is_empty() {
        return breach(
            format!("cat ends with {}, not {due}", cat.status),
            &cat,
            &format!("{:?}", reading.faults.first()),
        );
    }
    if !reading.samples.is_empty() && recover.status == 1 {
        return breach(
            "recover fails where cat prints samples".into(),
            &recover,
            &format!("{lines} samples"),
        );
    }
    if check.status != due && !matches!((check.status, reading.samples.is_empty()), (1, true)) {
        return breach(
            format!("check ends with {}, not {due}", check.status),
            &check,
            &format!("{:?}", reading.faults.first()),
        );
    }
    let (own, other) = (fs::read(found.place("recovered")), fs::read(&recovered));
    if let (Ok(own), Ok(other), 0 | 3) = (own, other, recover.status)
        && own != other
        && (own.len(), recover.status) != (found.bytes.len(), 0)
    {
        let sizes = format!("{} bytes, {} by the program", own.len(), other.len());
        return breach("recover writes another copy".into(), &recover, &sizes);
    }
    Ok(())
}

/// The files of a folder, in the order of their names.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}
