//! Outputs when the program is killed, its input shrinks, or nothing can be written.

#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::run::{fixture, robolog, s};

const ROBOLOG: &str = env!("CARGO_BIN_EXE_robolog");

/// A log of a few megabytes.
fn log(dir: &Path) -> PathBuf {
    let entries = (0..60_000).map(|n| format!("{}.{:02} NAV_{} pNav {n}\n", n / 100, n % 100, n % 7));
    let file = dir.join("long.alog");
    fs::write(&file, format!("%% LOGSTART 1600000000\n{}", entries.collect::<String>())).unwrap();
    file
}

/// Every file below a folder, with its content.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// The same, or the one file, by the names below it.
fn content(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if out.is_dir() {
        let below = |path: PathBuf| path.strip_prefix(out).unwrap().to_owned();
        return tree(out).into_iter().map(|(path, bytes)| (below(path), bytes)).collect();
    }
    [(PathBuf::new(), fs::read(out).unwrap())].into()
}

fn start(dir: &Path, words: &[&str]) -> Child {
    let mut command = Command::new(ROBOLOG);
    command.args(words).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Kills every converting verb at times throughout its run: its target is then absent or complete, and leftovers have
/// our temporary names. `ROBOLOG_KILLS` sets the number of kills per verb.
#[test]
fn a_verb_that_is_killed_leaves_its_target_absent_or_whole() {
    let kills: u32 = std::env::var("ROBOLOG_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let input = tempfile::tempdir().unwrap();
    let file = log(input.path());
    let file = s(&file);
    let verbs: [&[&str]; 9] = [
        &["cut", file, "--start", "10s", "-o", "out.alog"],
        &["recover", file, "-o", "out.alog"],
        &["merge", file, file, "-o", "out.alog"],
        &["split", file, "--parts", "5", "-o", "out"],
        &["convert", file, "-o", "out.mcap"],
        &["convert", file, "-o", "out.parquet", "--channel", "NAV_1"],
        &["convert", file, "--to", "csv", "--per", "channel", "-o", "out"],
        &["convert", file, "-o", "out.jsonl"],
        &["report", file, "-o", "out.html"],
    ];
    let (mut absent, mut whole, mut leftovers) = (0, 0, 0);
    for words in verbs {
        let out = words.iter().find(|word| word.starts_with("out")).unwrap();
        let first = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        assert!(start(first.path(), words).wait().unwrap().success(), "{words:?}");
        let took = begun.elapsed();
        let expected = content(&first.path().join(out));
        for kill in 0..kills {
            let dir = tempfile::tempdir().unwrap();
            let mut child = start(dir.path(), words);
            thread::sleep(took * (2 * kill + 1) / (2 * kills) + Duration::from_micros(u64::from(kill) * 97));
            child.kill().unwrap();
            child.wait().unwrap();
            let target = dir.path().join(out);
            if target.exists() {
                whole += 1;
                // A page contains the time of its creation.
                let is_page = out.ends_with("html");
                assert!(is_page || content(&target) == expected, "{words:?}: half of a target");
                assert!(!is_page || fs::read_to_string(&target).unwrap().trim_end().ends_with("</html>"));
            } else {
                absent += 1;
            }
            for entry in fs::read_dir(dir.path()).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let is_ours = name.starts_with(".robolog-") && name.ends_with(".partial");
                leftovers += u32::from(is_ours);
                assert!(is_ours || name == *out, "{words:?}: {name}");
            }
            // After a kill, another try succeeds.
            if kill == 0 {
                let again = [words, &["-f"]].concat();
                assert!(start(dir.path(), &again).wait().unwrap().success(), "{again:?}");
            }
        }
    }
    println!(
        "killed {} times: {absent} targets absent, {whole} whole, {leftovers} named leftovers",
        9 * kills
    );
    assert!(absent > whole.min(kills), "killed in the middle");
}

/// A file that shrinks while it is read counts as truncated: the output is sound, and the loss is reported.
#[test]
fn a_file_may_be_shortened_while_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read(log(dir.path())).unwrap();
    let mut shorter = 0;
    for round in 0..6 {
        let file = dir.path().join("shrinks.alog");
        fs::write(&file, &whole).unwrap();
        let mut child = start(dir.path(), &["recover", s(&file), "-f", "-o", "out.alog"]);
        thread::sleep(Duration::from_millis(2 * round));
        let length = whole.len() as u64 / 3 + 5;
        fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(length).unwrap();
        let status = child.wait().unwrap().code().expect("ended by a signal");
        assert!(status == 0 || status == 3, "{status}");
        let out = fs::read(dir.path().join("out.alog")).unwrap();
        assert!(whole.starts_with(&out) || out.ends_with(b"\n"), "what is written was read");
        assert!(status == 3 || out.len() == whole.len() || whole[..out.len()].ends_with(b"\n"));
        assert_eq!(robolog(["check", "-q", s(&dir.path().join("out.alog"))]).status, 0);
        shorter += u32::from(out.len() < whole.len());
    }
    println!("{shorter} of 6 were read after they shrank");
}

/// If nothing can be created, not even by an administrator, the verb fails without other effects.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_no_files_is_told() {
    let file = fixture("v11_type2.lvx");
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing/out");
    for folder in
        ["/proc", "/sys"].map(|folder| Path::new(folder).join("robolog-out")).into_iter().chain([missing])
    {
        let at = |extension: &str| folder.with_extension(extension);
        let (lvx, ply, html) = (at("lvx"), at("ply"), at("html"));
        for words in [
            &["cut", s(&file), "-o", s(&lvx)][..],
            &["recover", s(&file), "-o", s(&lvx)],
            &["merge", s(&file), s(&file), "-o", s(&lvx)],
            &["split", s(&file), "--parts", "2", "-o", s(&folder)],
            &["convert", s(&file), "-o", s(&ply)],
            &["convert", s(&file), "--to", "ply", "--per", "frame", "-o", s(&folder)],
            &["report", s(&file), "-o", s(&html)],
        ] {
            let run = robolog(words);
            assert!(
                run.status == 1 && run.err.starts_with("robolog: "),
                "{words:?}: {} {}",
                run.status,
                run.err
            );
        }
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Names that differ only in case are two files on file systems that distinguish case, and never overwrite each other.
#[test]
fn names_that_differ_in_case_alone_are_kept_apart() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("case.alog");
    fs::write(&log, "%% LOGSTART 1600000000\n1.0 nav p 1\n2.0 NAV p 2\n3.0 Nav p 3\n").unwrap();
    let out = dir.path().join("out");
    robolog(["convert", s(&log), "--to", "csv", "--per", "channel", "-o", s(&out)]).exits(0);
    let names = tree(&out).into_keys().map(|path| path.to_str().unwrap().to_lowercase());
    let names: Vec<String> = names.filter(|name| name.ends_with(".csv") && name.contains("nav")).collect();
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((names.len(), distinct.len()), (3, 3), "{names:?}");
}
