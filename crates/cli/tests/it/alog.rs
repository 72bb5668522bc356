//! `robolog alog`, and what the other verbs do with MOOS logs.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use crate::run::{fixture_of, robolog, with_input};

fn log(name: &str) -> String {
    fixture_of("alog", name).to_str().unwrap().to_owned()
}

fn s(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Lines by how often they come.
fn multiset(text: &[u8]) -> BTreeMap<Vec<u8>, usize> {
    let mut lines = BTreeMap::new();
    for line in text.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        *lines.entry(line.to_vec()).or_default() += 1;
    }
    lines
}

fn details(file: &Path) -> serde_json::Value {
    robolog(["info", "--json", s(file)]).json()[0]["details"].clone()
}

#[test]
fn grep_keeps_entries_by_variable_and_source() {
    let file = log("nav.alog");
    let nav = robolog(["alog", "grep", &file, "NAV_[XY]"]);
    assert_eq!(nav.status, 0, "{}", nav.err);
    let text = nav.text();
    assert!(text.starts_with("%%"), "with the header: {text}");
    let body: Vec<_> = text.lines().filter(|line| !line.starts_with('%')).collect();
    assert!(
        !body.is_empty() && body.iter().all(|line| line.contains("NAV_X ") || line.contains("NAV_Y ")),
        "{text}"
    );
    // A real glob begins at the name's start; to MOOS-IvP's tools it is any part of it.
    let reports = log("node_reports.alog");
    assert_eq!(robolog(["alog", "grep", &reports, "REPORT*"]).status, 1);
    assert_eq!(robolog(["alog", "grep", &reports, "REPORT*", "--moos-globs"]).status, 0);
    let first = robolog(["alog", "grep", &file, "NAV_X", "--first", "--csv"]).text();
    let last = robolog(["alog", "grep", &file, "NAV_X", "--final", "--csv"]).text();
    assert_eq!((first.lines().count(), last.lines().count()), (2, 2));
    assert_ne!(first, last);
    let keys = robolog(["alog", "grep", &reports, "NODE_REPORT", "--keys", "NAME,X,Y"]).text();
    assert!(keys.starts_with("time,variable,source,NAME,X,Y\n"), "{keys}");
    let piped = with_input(["alog", "grep", "-", "NAV_[XY]"], &fs::read(&file).unwrap());
    assert_eq!(piped.text(), text);
}

#[test]
fn sorted_logs_hold_the_same_entries_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("sorted.alog");
    for name in ["out_of_order", "negative_times", "same_time", "varsummary", "crlf_entries", "no_newline"] {
        let file = log(&format!("{name}.alog"));
        let run = robolog(["alog", "sort", &file, "-f", "-o", s(&out)]);
        assert_eq!(run.status, 0, "{name}: {}", run.err);
        assert!(multiset(&fs::read(&out).unwrap()) == multiset(&fs::read(&file).unwrap()), "{name}");
        assert_eq!(details(&out)["out_of_order"], 0, "{name}");
    }
    // One megabyte is the least: a log of ten goes through runs on disk.
    let (long, text) = (dir.path().join("long.alog"), &mut String::from("%% LOGSTART 1700000000.5\n"));
    for i in 0_u64..200_000 {
        writeln!(text, "{}.{:03} V{} pX {i} ", i * 7919 % 100_003, i % 1000, i % 7).unwrap();
    }
    fs::write(&long, &*text).unwrap();
    let run = robolog(["alog", "sort", s(&long), "--memory", "1", "-f", "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(multiset(&fs::read(&out).unwrap()) == multiset(text.as_bytes()));
    assert_eq!(details(&out)["out_of_order"], 0);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "runs are gone");
}

#[test]
fn merged_logs_share_the_time_axis_of_the_earliest() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b, out) = (dir.path().join("a.alog"), dir.path().join("b.alog"), dir.path().join("ab.alog"));
    fs::write(&a, "%% LOGSTART 1700000010.5\n1.000           A                    pA              1 \n")
        .unwrap();
    fs::write(&b, "%% LOGSTART 1700000000.25\n2.000           B                    pB              2 \n")
        .unwrap();
    let run = robolog(["alog", "merge", s(&a), s(&b), "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(
        text,
        "%% LOGSTART 1700000000.25\n2.000           B                    pB              2 \n\
         11.250          A                    pA              1 \n"
    );
    let headless = robolog(["alog", "merge", s(&a), &log("no_header.xlog"), "-f", "-o", s(&out)]);
    assert!(headless.status == 1 && headless.err.contains("LOGSTART"), "{}", headless.err);
}

#[test]
fn a_split_log_is_read_back_from_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("klogs");
    let file = log("moosivp.alog");
    let run = robolog(["alog", "split", &file, "-o", s(&folder)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let (before, after) = (details(Path::new(&file)), details(&folder));
    for key in ["entries", "numeric_values", "empty_values", "negative_times", "variables", "logstart"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let again = robolog(["alog", "split", &file, "-o", s(&folder)]);
    assert_eq!(again.status, 1, "nothing is overwritten unasked");
}

#[test]
fn the_split_of_the_published_log_is_its_folder_but_for_what_that_lost() {
    let Some(data) = testkit::data_dir("alog") else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("klogs");
    let file = data.join("logan/sim_MOOSLog_23_9_2019_____15_05_06.alog");
    assert_eq!(robolog(["alog", "split", s(&file), "-o", s(&folder)]).status, 0);
    let (mut files, mut more) = (0, 0);
    for entry in fs::read_dir(data.join("logan/alvtmp")).unwrap() {
        let theirs = entry.unwrap().path();
        let name = theirs.file_name().unwrap().to_owned();
        if name == "summary.klog" {
            continue;
        }
        let (theirs, ours) = (fs::read(&theirs).unwrap(), fs::read(folder.join(&name)).unwrap());
        let kept: Vec<_> = ours.split(|b| *b == b'\n').filter(|line| !line.starts_with(b"-")).collect();
        assert!(kept.join(&b'\n') == theirs, "{}", name.display());
        more += ours.split(|b| *b == b'\n').filter(|line| line.starts_with(b"-")).count();
        files += 1;
    }
    assert_eq!((files, more), (82, 8));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 83);
    println!("{files} files equal, {more} entries more");
}

#[test]
fn pare_and_dedup_drop_what_they_say() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.alog");
    let source = dir.path().join("in.alog");
    let mut lines = String::new();
    for i in 0..20 {
        writeln!(lines, "{}.{}00 A pX {} \n{}.{}00 B pX 1 ", i / 10, i % 10, i, i / 10, i % 10).unwrap();
    }
    fs::write(&source, format!("%% LOGSTART 1700000000.5\n{lines}{lines}")).unwrap();
    let run =
        robolog(["alog", "pare", s(&source), "--rate", "2", "--only", "A", "--drop", "C*", "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let kept = &details(&out)["variables"];
    assert_eq!(
        (kept["A"].as_u64(), kept["B"].as_u64()),
        (Some(8), Some(40)),
        "backwards in time begins anew"
    );
    let run = robolog(["alog", "dedup", s(&source), "--values", "-f", "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(details(&out)["variables"]["B"], 1);
    let run = robolog(["alog", "dedup", &log("duplicates.alog"), "-f", "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let truth = fs::read(log("duplicates.truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    let left = truth["entries"].as_u64().unwrap() - truth["adjacent_duplicates"].as_u64().unwrap();
    assert_eq!(details(&out)["entries"], left);
}

#[test]
fn times_are_those_of_values_or_of_the_column_and_warps_can_be_said() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.csv");
    let file = log("new_college_2008.alog");
    let pose = |options: &[&str]| {
        let arguments = ["convert", &file, "--channel", "ODOMETRY_POSE", "-f", "-o", s(&out)];
        let run = robolog(arguments.iter().chain(options));
        assert_eq!(run.status, 0, "{}", run.err);
        fs::read_to_string(&out).unwrap().lines().nth(1).unwrap().split(',').next().unwrap().to_owned()
    };
    let (embedded, column) = (pose(&[]), pose(&["--time", "column"]));
    assert_ne!(embedded, column);
    assert_eq!(pose(&["--time", "embedded"]), embedded);
    let warped: i64 = pose(&["--time-warp", "2"]).parse().unwrap();
    assert!((warped - embedded.parse::<i64>().unwrap() / 2).abs() <= 1, "{warped} {embedded}");
    assert_eq!(robolog(["convert", &file, "--time-warp", "0", "-o", "x.csv"]).status, 2);
}

#[test]
fn a_compressed_log_that_was_cut_gives_what_is_there() {
    let whole = robolog(["cat", &log("moosivp.alog.gz")]);
    assert_eq!(whole.status, 0, "{}", whole.err);
    assert!(whole.out == robolog(["cat", &log("moosivp.alog")]).out);
    let cut = robolog(["cat", &log("moosivp_cut.alog.gz")]);
    assert!(cut.status == 3 && cut.err.contains("ends 1 byte too early"), "{}", cut.err);
    let (whole, cut) = (whole.json(), cut.json());
    assert!(cut.len() > 5 && cut.len() < whole.len());
    assert_eq!(cut[..cut.len() - 1], whole[..cut.len() - 1]);
}

#[test]
fn payloads_are_taken_from_the_blog_and_claims_beyond_it_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("payloads");
    let truth: serde_json::Value =
        serde_json::from_slice(&fs::read(log("binary.truth.json")).unwrap()).unwrap();
    let run = robolog(["alog", "payloads", &log("binary.alog"), "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let index = fs::read_to_string(out.join("index.csv")).unwrap();
    let wanted = truth["binaries"].as_array().unwrap();
    assert_eq!(index.lines().count(), 1 + wanted.len(), "{index}");
    for (line, want) in index.lines().skip(1).zip(wanted) {
        let bytes = fs::read(out.join(line.split(',').next().unwrap())).unwrap();
        assert_eq!(serde_json::json!(bytes), want["bytes"], "{line}");
        assert_eq!(line.split(',').nth(2), want["name"].as_str(), "{line}");
    }
    let beyond = dir.path().join("x.alog");
    fs::copy(log("binary.blog"), dir.path().join("x.blog")).unwrap();
    let value = "<MOOS_BINARY>File=../../x.blog,Offset=18446744073709551615,Bytes=20</MOOS_BINARY>";
    fs::write(&beyond, format!("%% LOGSTART 1700000000.5\n1.0 A pX {value}\n")).unwrap();
    let run = robolog(["alog", "payloads", s(&beyond), "-f", "-o", s(&out)]);
    assert!(run.status == 1 && run.err.contains("invalid payload"), "{}", run.err);
}

#[test]
fn a_synchronous_log_becomes_a_table() {
    let slog = b"%%%%%\n%% LOGSTART           1700000000.5\n%%   (1) NAV_X\n%%   (2) NAV_Y\n%%%%%\n\
        %% TIME NAV_X NAV_Y\n0.57 1.5 NaN\n1.14 NaN 2\n1.7 3\n";
    let run = with_input(["alog", "table", "-"], slog);
    assert_eq!(
        (run.status, run.text().as_str()),
        (3, "time,NAV_X,NAV_Y\n0.57,1.5,\n1.14,,2\n"),
        "{}",
        run.err
    );
}
