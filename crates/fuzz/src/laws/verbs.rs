//! Runs every verb of the program on a mutant.

use std::{
    fs,
    path::{Path, PathBuf},
};

use testkit::Rng;

use super::{Breach, Holds, mutant::Found, program::Program};

const LAW: &str = "verbs";
/// Number of verbs run on a mutant without visible damage.
const FEW: usize = 4;

/// A run of the program on files.
struct Ask {
    words: Vec<String>,
    files: Vec<PathBuf>,
    /// Whether the verb reads the whole recording and judges it like `check`.
    judges: bool,
}

/// The steps between a recording and its target, with some of their values.
const STEPS: [&[&str]; 8] = [
    &["--drop-nan"],
    &["--range", "1,50"],
    &["--ring", "0..8"],
    &["--min-intensity", "10"],
    &["--return", "first"],
    &["--every", "3"],
    &["--crop", "-10,10,-10,10,-5,5"],
    &["--voxel", "0.5"],
];
/// Targets of all kinds: clouds, tables, ways, messages.
const TARGETS: [&str; 10] = ["pcd", "las", "csv", "parquet", "gpx", "kml", "mcap", "rosbag", "jsonl", "tum"];
/// Edits that every format accepts or refuses.
const CHANGES: [&[&str]; 7] = [
    &["--shift", "1.5s"],
    &["--shift", "-100000d"],
    &["--start-at", "2024-09-17T15:47:55Z"],
    &["--prefix", "a/"],
    &["--rename", "*=b*"],
    &["--drop", "*a*"],
    &["--keep", "*[!a]"],
];

/// Each verb exits with a defined status and prints no control characters. A verb that reads all of a damaged
/// recording reports the damage by its status.
pub(super) fn tell(found: &Found<'_>, program: &Program<'_>) -> Holds {
    let fault = found.read().and_then(|reading| reading.faults.first());
    let mut rng = found.mutant.rng.clone();
    let mut asks = asks(found, &mut rng);
    if found.mutant.damage.is_none() {
        while asks.len() > FEW {
            asks.swap_remove(rng.below(asks.len()));
        }
    }
    for Ask { words, files, judges } in asks {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let run = program.run(&words, &files)?;
        if let (Some(fault), true, 0) = (fault, judges, run.status) {
            let what = format!("{} calls damage sound", verb(&words));
            return Err(Breach::new(LAW, what, format!("{words:?}: {fault}: {}", run.stderr)));
        }
    }
    same_without_changes(found, program)
}

/// The verb of a command line, and that of a group of verbs.
fn verb(words: &[&str]) -> String {
    let is_group = matches!(words, ["alog" | "carla" | "koblenz" | "lvx", ..]);
    words.iter().take(if is_group { 2 } else { 1 }).copied().collect::<Vec<_>>().join(" ")
}

/// All verbs, those with many options with some of these.
fn asks(found: &Found<'_>, rng: &mut Rng) -> Vec<Ask> {
    let path = || vec![found.path.clone()];
    let whole = found.place("whole");
    fs::write(&whole, &found.mutant.subject.bytes).unwrap();
    let pair = || vec![found.path.clone(), whole.clone()];
    let ask = |words: &[&str], files: Vec<PathBuf>, judges| Ask {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        files,
        judges,
    };
    // Options before the file that is written, and then those that are read.
    let write = |words: &[&str], name: &str, mut files: Vec<PathBuf>, judges| {
        let out =
            if name.contains('.') { found.folder.join("by-verb").join(name) } else { found.place(name) };
        fs::create_dir_all(out.parent().unwrap()).unwrap();
        files.insert(0, out);
        let words = [words, &["-f", "-o"]].concat();
        ask(&words, files, judges)
    };
    let target = TARGETS[rng.below(TARGETS.len())];
    let step = STEPS[rng.below(STEPS.len())];
    let change = CHANGES[rng.below(CHANGES.len())];
    let place = format!("0x{:x}", rng.below(found.bytes.len()));
    let parts = (1 + rng.below(5)).to_string();
    let picture = ["numbers.svg", "picture.png"][rng.below(2)];
    let mut asks = vec![
        ask(&["info"], path(), true),
        ask(&["info", "-v"], path(), true),
        ask(&["info", "--json"], path(), true),
        ask(&["check"], path(), true),
        ask(&["cat", "--raw"], path(), false),
        ask(&["index"], path(), true),
        ask(&["diff"], [path(), path()].concat(), true),
        ask(&["diff"], pair(), true),
        ask(&["align"], pair(), true),
        write(&["recover"], "recover", path(), true),
        write(&["cut"], "cut", path(), true),
        write(&["cut", "--around", &place], "around", path(), false),
        write(&[&["edit"], change].concat(), "edit", path(), true),
        write(&["split", "--parts", &parts], "split.parts", path(), true),
        write(&["merge"], "merge", pair(), true),
        write(&["convert"], "lines.jsonl", path(), true),
        write(&[&["convert", "--to", target], step].concat(), &format!("steps.{target}"), path(), true),
        write(&["report"], "page.html", path(), true),
        write(&["catalog"], "catalog.parquet", path(), true),
        write(&["plot"], picture, path(), true),
    ];
    // These read records but decode few of them.
    match found.mutant.subject.format {
        "alog" => asks.extend([
            write(&["alog", "grep", "--csv"], "grep.csv", path(), false),
            write(&["alog", "sort"], "sorted.alog", path(), false),
            write(&["alog", "dedup", "--values"], "dedup.alog", path(), false),
            write(&["alog", "pare", "--rate", "1"], "pare.alog", path(), false),
        ]),
        "carla-rec" => asks.extend([
            ask(&["carla", "info", "--all"], path(), false),
            ask(&["carla", "collisions", "--corrected"], path(), false),
            ask(&["carla", "blocked", "--min-time", "1"], path(), false),
        ]),
        "koblenz-log" => asks.push(write(&["koblenz", "reindex"], "reindex.log", path(), false)),
        "lvx" => asks.push(write(&["lvx", "mount", "--xyz", "0,1,2"], "mount.lvx", path(), false)),
        _ => {}
    }
    asks
}

/// An edit that changes nothing writes what `recover` writes.
fn same_without_changes(found: &Found<'_>, program: &Program<'_>) -> Holds {
    let (edited, recovered) = (found.place("edit-nothing"), found.place("recovered"));
    let run = program.run(&["edit", "--shift", "0", "-f", "-o"], &[&edited, &found.path])?;
    let (Ok(edited), Ok(recovered)) = (fs::read(edited), fs::read(recovered)) else { return Ok(()) };
    if edited == recovered {
        return Ok(());
    }
    let sizes = format!("{} bytes, {} edited; {}", recovered.len(), edited.len(), run.stderr);
    Err(Breach::new(LAW, "an edit of nothing changes bytes", sizes))
}
