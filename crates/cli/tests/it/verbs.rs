//! One recording, one truth: `info`, `check`, `cat`, `convert` and `recover` agree on damage and on counts.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use crate::run::robolog;

/// Maximum bytes of a file; a debug build takes too long for larger ones.
const LARGEST: u64 = 3_000_000;

/// Files about recordings.
const OTHERS: [&str; 2] = ["json", "md"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if !path.extension().is_some_and(|e| OTHERS.iter().any(|other| e == *other))
            && fs::metadata(&path).unwrap().len() <= LARGEST
        {
            found.push(path);
        }
    }
}

fn lines(text: &[u8]) -> usize {
    text.split(|b| *b == b'\n').count() - 1
}

/// The format of a file and the disagreements of the verbs about it; `None` if it is not a recording.
fn disagreements(file: &Path, dir: &Path) -> Option<(String, Vec<&'static str>)> {
    let name = file.to_str().unwrap();
    let info = robolog(["info", "--json", "-q", name]);
    if info.status == 1 {
        return None;
    }
    let info_json = &info.json()[0];
    let counted: u64 =
        info_json["channels"].as_array().unwrap().iter().map(|c| c["records"].as_u64().unwrap()).sum();
    let check = robolog(["check", "-q", name]).status;
    let cat = robolog(["cat", "-q", name]);
    // A table is detected by the name of its file.
    let (json, copy) = (dir.join("out.jsonl"), dir.join(file.file_name().unwrap()));
    let convert =
        robolog(["convert", "-q", name, "--calibration", "builtin", "-f", "-o", json.to_str().unwrap()])
            .status;
    let converted = fs::read(&json).map_or(0, |text| lines(&text));
    let recover = robolog(["recover", "-q", name, "-f", "-o", copy.to_str().unwrap()]).status;
    let format = info_json["format"].as_str().unwrap();
    let recovered = copy.exists().then(|| robolog(["cat", "-q", "--format", format, copy.to_str().unwrap()]));
    let samples = lines(&cat.out);
    let mut found = Vec::new();
    // A sound recording without samples cannot be converted, which does not make it damaged.
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
    Some((format.to_owned(), found))
}

/// Asserts that there are no disagreements about files of the folders. Each folder has a name shown on failure. Returns the
/// formats of the files, and their number.
fn assert_agreement(folders: &[(String, PathBuf)]) -> (BTreeSet<String>, usize) {
    let mut all = Vec::new();
    for (name, folder) in folders {
        let mut found = Vec::new();
        files(folder, &mut found);
        found.sort();
        all.extend(testkit::one_in(7, found).map(|file| {
            let below = file.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            (format!("{name}/{below}"), file)
        }));
    }
    let (queue, found) = (Mutex::new(all), Mutex::new(BTreeSet::new()));
    let compared = Mutex::new((BTreeSet::new(), 0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let dir = tempfile::tempdir().unwrap();
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some((name, file)) = next else { break };
                    let Some((format, disagreements)) = disagreements(&file, dir.path()) else { continue };
                    found.lock().unwrap().extend(disagreements.iter().map(|what| format!("{name} {what}")));
                    let mut compared = compared.lock().unwrap();
                    compared.0.insert(format);
                    compared.1 += 1;
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "the verbs disagree: {found:#?}");
    compared.into_inner().unwrap()
}

#[test]
fn all_verbs_agree_about_every_fixture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("testdata");
    let (formats, files) = assert_agreement(&[("testdata".into(), root)]);
    println!("{files} files, {formats:?}");
    assert!(formats.len() == 9 && files > testkit::bound(30, 200), "{files} files, {formats:?}");
}

#[test]
fn all_verbs_agree_about_every_real_recording() {
    let formats = ["alog", "carla-rec", "effibox", "koblenz-log", "lvx", "velodyne"];
    let folders = formats.map(|format| Some((format!("data/{format}"), testkit::data_dir(format)?)));
    let folders: Vec<_> = folders.into_iter().flatten().collect();
    let (formats, files) = assert_agreement(&folders);
    println!("{files} files, {formats:?}");
    assert!(formats.len() >= folders.len(), "{files} files, {formats:?}");
}

#[test]
fn a_recording_without_samples_is_sound_but_cannot_be_converted() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.csv");
    for name in ["alog/header_only.alog", "koblenz-log/empty.log", "kml/empty.kml", "lvx/header_only.lvx"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
        let file = file.to_str().unwrap();
        assert_eq!(robolog(["check", "-q", file]).status, 0, "{name}");
        let cat = robolog(["cat", file]);
        assert_eq!((cat.status, cat.out.len()), (0, 0), "{name}: {}", cat.err);
        assert!(cat.err.ends_with(": note: no samples\n"), "{}", cat.err);
        assert_eq!(robolog(["cat", file, "--channel", "no/such"]).status, 2, "{name}");
        let convert = robolog(["convert", file, "-o", out.to_str().unwrap()]);
        assert!(convert.status == 1 && !out.exists(), "{name}: {}", convert.err);
        assert!(convert.err.contains("nothing written: no samples\n"), "{}", convert.err);
    }
    let damaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/gpx/comment_never_closed.gpx");
    assert_eq!(robolog(["cat", damaged.to_str().unwrap()]).status, 3);
}
