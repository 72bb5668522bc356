//! Output of `info` and `check` for people.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

use crate::run::{fixture, fixture_of, robolog, s};

fn testdata() -> PathBuf {
    fixture_of("lvx", "").parent().unwrap().to_owned()
}

/// All inputs of `info` below a folder; a data set is one input.
fn recordings(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with("dataset") {
            recordings(&path, found);
        } else if !name.ends_with(".json") {
            found.push(path);
        }
    }
}

/// Records of each channel from `info --json`, and lines of `cat`; `None` if the file is not a recording.
fn counts(file: &Path) -> Option<[BTreeMap<String, u64>; 2]> {
    let info = robolog(["info", "-q", "--json", s(file)]);
    if info.status == 1 {
        return None;
    }
    let channels = info.json()[0]["channels"].as_array().unwrap().clone();
    let told = channels.iter().map(|c| (c["name"].as_str().unwrap().into(), c["records"].as_u64().unwrap()));
    let mut delivered = BTreeMap::new();
    for line in robolog(["cat", "-q", s(file)]).json() {
        *delivered.entry(line["channel"].as_str().unwrap().into()).or_default() += 1;
    }
    // Some channels have times but no samples: messages that cannot be decoded.
    Some([told.filter(|(_, n)| *n > 0).collect(), delivered])
}

#[test]
fn info_counts_of_each_channel_what_cat_prints_for_every_fixture() {
    let mut files = Vec::new();
    recordings(&testdata(), &mut files);
    files.sort();
    let files: Vec<_> = testkit::one_in(3, files).collect();
    let (queue, compared) = (Mutex::new(files), Mutex::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(file) = queue.lock().unwrap().pop() else { break };
                    let Some([told, delivered]) = counts(&file) else { continue };
                    assert_eq!(told, delivered, "{}", file.display());
                    *compared.lock().unwrap() += 1;
                }
            });
        }
    });
    assert!(*compared.lock().unwrap() > testkit::bound(60, 200), "{compared:?}");
}

/// Names and counts in the table of `info`.
fn table(text: &str) -> Vec<(String, u64)> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("  CHANNEL"));
    let head = lines.next().unwrap();
    let kind = head.find("TYPE").unwrap();
    let rows = lines.take_while(|line| !line.is_empty());
    rows.map(|line| {
        let name = line.chars().take(kind).collect::<String>().trim().to_owned();
        let count = line.chars().skip(kind).collect::<String>();
        (name, count.split_whitespace().find_map(|word| word.parse().ok()).unwrap())
    })
    .collect()
}

#[test]
fn names_of_the_table_can_be_pasted_behind_channel() {
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("odd.alog");
    fs::write(&odd, "%% LOGSTART 1600000000\n1.0 A[0] p 1 \n2.0 B\u{1b}* p 2 \n3.0 {C} p 3 \n").unwrap();
    let files = [
        odd,
        fixture_of("carla-rec", "v0_9_15.log"),
        fixture("room.lvx"),
        fixture_of("alog", "long_names.alog"),
        fixture_of("alog", "not_utf8.alog"),
        fixture_of("effibox", "dataset"),
    ];
    for file in files {
        let rows = table(&robolog(["info", "-v", s(&file)]).text());
        assert!(!rows.is_empty(), "{}", file.display());
        for (name, count) in rows.into_iter().step_by(7) {
            let run = robolog(["cat", "-q", s(&file), "--channel", &name]);
            assert_eq!(run.json().len() as u64, count, "{}: {name}: {}", file.display(), run.err);
        }
    }
}

#[test]
fn a_fold_can_be_pasted_too() {
    let file = fixture_of("carla-rec", "many_actors.log");
    let text = robolog(["info", s(&file)]).text();
    assert!(text.lines().count() < 50, "{text}");
    let rows = table(&text);
    let (fold, count) = rows.iter().find(|(name, _)| name.starts_with("actor_*/poses  ")).unwrap();
    let glob = fold.split("  ").next().unwrap();
    let cat = robolog(["cat", "-q", s(&file), "--channel", glob]);
    assert_eq!(cat.json().len() as u64, *count);
}

/// Output for a fixture of each format; paths are below `testdata`.
#[test]
fn info_of_each_format_reads_well() {
    let mut all = String::new();
    for name in [
        "lvx/room.lvx",
        "lvx/v11_two_devices.lvx",
        "lvx/short_tail.lvx",
        "carla-rec/v0_9_15.log",
        "alog/moosivp.alog",
        "alog/torn.alog",
        "koblenz-log/drive.log",
        "koblenz-log/laser.log",
        "effibox/dataset",
        "gpx/drive.gpx",
        "kml/gx_track.kml",
        "nmea/ipds.nmea",
    ] {
        let file = testdata().join(name);
        let root = format!("{}/", s(&testdata()));
        let text = robolog(["info", s(&file)]).text();
        // In a folder with spaces, the path in a command is quoted.
        let text = text.replace(&format!("'{root}{name}'"), name).replace(&root, "");
        writeln!(all, "$ robolog info {name}\n{text}").unwrap();
        // Faults are sentences.
        let told = text.split("\n  note: ").next().unwrap().split("\n  warning: ").next().unwrap();
        assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn verbose_info_unfolds_channels_and_tells_all_details() {
    let file = fixture_of("carla-rec", "many_actors.log");
    let text = robolog(["info", "-v", s(&file)]).text();
    let json = &robolog(["info", "--json", s(&file)]).json()[0];
    assert_eq!(table(&text).len(), json["channels"].as_array().unwrap().len());
    assert!(text.contains("\n    packet_names:\n") && text.contains("\n    evidence:\n"), "{text}");
}

#[test]
fn damage_stands_in_the_head_with_what_to_do() {
    let file = fixture("short_tail.lvx");
    let run = robolog(["info", s(&file)]).exits(3);
    let state = run.text().lines().nth(3).unwrap().to_owned();
    assert!(
        state.starts_with("  damaged: ") && state.contains(" lost in 1 place; robolog recover "),
        "{state}"
    );
    assert!(run.err.starts_with("robolog: "), "{}", run.err);
}

#[test]
fn check_tells_the_verdict_first_and_lines_of_text() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("m.alog");
    fs::write(&log, "%% LOGSTART 1600000000\n2.0 A p 1 \n1.0 A p 2 \n3.0 A p tor").unwrap();
    let text = robolog(["check", s(&log)]).text();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with(&format!("{}: damaged: 1 error, ", s(&log))), "{text}");
    assert!(lines[1..].iter().all(|line| line.starts_with("  ")), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("  note: time-backwards, line 3: ")), "{text}");
    let binary = robolog(["check", s(&fixture("short_tail.lvx"))]).text();
    assert!(binary.contains(": damaged: 1 error") && !binary.contains(", line "), "{binary}");
    // A pipe can be read only once.
    let piped = crate::run::with_input(["check", "-"], &fs::read(&log).unwrap()).text();
    assert!(piped.starts_with("-: damaged: 1 error") && !piped.contains(", line "), "{piped}");
}

#[test]
fn lines_of_compressed_text_are_those_of_the_text() {
    let cut = robolog(["check", s(&fixture_of("alog", "moosivp_cut.alog.gz"))]).text();
    assert!(cut.contains(", line "), "{cut}");
}

#[test]
fn colours_are_used_when_asked_for_and_never_in_a_pipe() {
    let run = |words: &[&str], variable: Option<(&str, &str)>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robolog"));
        command.args(words).arg(fixture("short_tail.lvx")).env_remove("CLICOLOR_FORCE");
        if let Some((name, value)) = variable {
            command.env(name, value);
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    for verb in ["info", "check"] {
        assert!(!run(&[verb], None).contains('\x1b'), "{verb}");
        assert!(!run(&[verb, "--color", "never"], None).contains('\x1b'), "{verb}");
        assert!(run(&[verb, "--color", "always"], None).contains("\x1b[31m"), "{verb}");
        assert!(!run(&[verb], Some(("NO_COLOR", "1"))).contains('\x1b'), "{verb}");
    }
}
