//! One recording, one truth: `info`, `check`, `cat`, `convert` and `recover` agree on damage and on counts.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use crate::run::robolog;

/// Disagreements that are known, a line each: `FORMAT/FILE status` or `FORMAT/FILE counts`. The list may only shrink.
const KNOWN: &str = include_str!("verbs.txt");

/// Fixtures are small; one that is larger takes a debug build too long.
const LARGEST: u64 = 3_000_000;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if !path.extension().is_some_and(|e| e == "json" || e == "md")
            && fs::metadata(&path).unwrap().len() <= LARGEST
        {
            found.push(path);
        }
    }
}

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|b| **b == b'\n').count()
}

/// In what the verbs disagree about a file; nothing where it is no recording at all.
fn disagreements(file: &Path, dir: &Path) -> Vec<&'static str> {
    let name = file.to_str().unwrap();
    let info = robolog(["info", "--json", "-q", name]);
    if info.status == 1 {
        return Vec::new();
    }
    let info_json = &info.json()[0];
    let counted: u64 =
        info_json["channels"].as_array().unwrap().iter().map(|c| c["records"].as_u64().unwrap()).sum();
    let check = robolog(["check", "-q", name]).status;
    let cat = robolog(["cat", "-q", name]);
    let (json, copy) = (dir.join("out.jsonl"), dir.join("copy"));
    let convert = robolog(["convert", "-q", name, "-f", "-o", json.to_str().unwrap()]).status;
    let converted = fs::read(&json).map_or(0, |text| lines(&text));
    let recover = robolog(["recover", "-q", name, "-f", "-o", copy.to_str().unwrap()]).status;
    let format = info_json["format"].as_str().unwrap();
    let recovered = copy.exists().then(|| robolog(["cat", "-q", "--format", format, copy.to_str().unwrap()]));
    let samples = lines(&cat.out);
    let mut found = Vec::new();
    // Nothing to convert is a failure of its own.
    let converts = converted > 0 && convert != check;
    if info.status != check || cat.status != check || converts || recovered.is_some() && recover != check {
        found.push("status");
    }
    let recovers = recovered.is_none_or(|recovered| lines(&recovered.out) == samples);
    if counted != samples as u64 || converted != samples || !recovers {
        found.push("counts");
    }
    for output in [json, copy] {
        let _ = fs::remove_file(output);
    }
    found
}

#[test]
fn all_verbs_agree_about_every_fixture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("testdata");
    let mut all = Vec::new();
    files(&root, &mut all);
    let (queue, found) = (Mutex::new(all), Mutex::new(BTreeSet::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let dir = tempfile::tempdir().unwrap();
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some(file) = next else { break };
                    let name = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                    for what in disagreements(&file, dir.path()) {
                        found.lock().unwrap().insert(format!("{name} {what}"));
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    let known: BTreeSet<String> = KNOWN.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&known).collect();
    let mended: Vec<_> = known.difference(&found).collect();
    println!("{} known disagreements are mended, and can leave verbs.txt: {mended:#?}", mended.len());
    assert!(new.is_empty(), "the verbs disagree: {new:#?}");
}
