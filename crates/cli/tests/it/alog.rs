//! `robolog alog`, and other verbs on MOOS logs.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use crate::run::{fixture_of, robolog, s, with_input};

fn log(name: &str) -> String {
    fixture_of("alog", name).to_str().unwrap().to_owned()
}

/// Lines with their counts.
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
    let nav = robolog(["alog", "grep", &file, "NAV_[XY]"]).exits(0);
    let text = nav.text();
    assert!(text.starts_with("%%"), "with the header: {text}");
    let body: Vec<_> = text.lines().filter(|line| !line.starts_with('%')).collect();
    assert!(
        !body.is_empty() && body.iter().all(|line| line.contains("NAV_X ") || line.contains("NAV_Y ")),
        "{text}"
    );
    // A real glob matches from the start of the name; for MOOS-IvP's tools, anywhere.
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
        robolog(["alog", "sort", &file, "-f", "-o", s(&out)]).exits(0);
        assert!(multiset(&fs::read(&out).unwrap()) == multiset(&fs::read(&file).unwrap()), "{name}");
        assert_eq!(details(&out)["out_of_order"], 0, "{name}");
    }
    // One megabyte is the minimum: a log of three goes through runs on disk.
    let (long, text) = (dir.path().join("long.alog"), &mut String::from("%% LOGSTART 1700000000.5\n"));
    for i in 0..testkit::bound(60_000_u64, 200_000) {
        writeln!(text, "{}.{:03} V{} pX {i} ", i * 7919 % 100_003, i % 1000, i % 7).unwrap();
    }
    fs::write(&long, &*text).unwrap();
    robolog(["alog", "sort", s(&long), "--memory", "1", "-f", "-o", s(&out)]).exits(0);
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
    robolog(["alog", "merge", s(&a), s(&b), "-o", s(&out)]).exits(0);
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(
        text,
        "%% LOGSTART 1700000000.25\n2.000           B                    pB              2 \n\
         11.250          A                    pA              1 \n"
    );
    robolog(["alog", "merge", s(&a), &log("no_header.xlog"), "-f", "-o", s(&out)]).exits(1).says("LOGSTART");
}

#[test]
fn a_split_log_is_read_back_from_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("klogs");
    let file = log("moosivp.alog");
    robolog(["alog", "split", &file, "-o", s(&folder)]).exits(0);
    let (before, after) = (details(Path::new(&file)), details(&folder));
    for key in ["entries", "numeric_values", "empty_values", "negative_times", "variables", "logstart"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let again = robolog(["alog", "split", &file, "-o", s(&folder)]);
    assert_eq!(again.status, 1, "nothing is overwritten unasked");
    let forced = || robolog(["alog", "split", &file, "-f", "-o", s(&folder)]);
    assert_eq!(forced().status, 0, "{}", forced().err);
    // Files of others stay.
    for name in ["mine.klog", "notes.txt"] {
        fs::write(folder.join(name), "1.0 A pX 1 \n").unwrap();
        let refused = forced();
        assert!(refused.status == 1 && refused.err.contains("not replaced"), "{}", refused.err);
        fs::remove_file(folder.join(name)).unwrap();
    }
    assert_eq!(forced().status, 0);
}

#[test]
fn a_log_of_unknown_warp_is_delivered_on_its_own_clock() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("sim.alog");
    fs::write(&file, "%% LOG FILE: sim.alog\n%% LOGSTART 16245646026.5\n1.5 A pX 1 \n30.5 B pX 2 \n")
        .unwrap();
    let run = robolog(["cat", s(&file)]).exits(0).says("note: LOGSTART is after the year 2096");
    let times: Vec<_> = run.json().iter().map(|sample| sample["t_ns"].as_i64()).collect();
    assert_eq!(times, [Some(1_500_000_000), Some(30_500_000_000)]);
    let info = &robolog(["info", "--json", s(&file)]).json()[0];
    assert_eq!((&info["clock"], info["duration_s"].as_f64()), (&"relative".into(), Some(29.0)));
    let out = dir.path().join("out.csv");
    let run = robolog(["convert", s(&file), "--channel", "A", "--time-warp", "10", "-o", s(&out)]);
    assert!(run.status == 0 && !run.err.contains("note: LOGSTART"), "{}", run.err);
    let table = fs::read_to_string(&out).unwrap();
    assert!(table.lines().nth(1).unwrap().starts_with("1624564602800000000,"), "{table}");
}

/// Rates and speeds in real time are not the mission's.
#[test]
fn a_time_warp_is_said_unless_the_times_are_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let convert = |name: &str, chosen: &[&str]| {
        let out = dir.path().join(name);
        let words = ["convert", &log("warp_10.alog"), "-o", s(&out)].map(str::to_owned);
        let more = chosen.iter().map(|word| (*word).to_owned());
        robolog(words.into_iter().chain(more)).exits(0).err
    };
    let wall = convert("wall.jsonl", &[]);
    let told = "time warp 10: times are real time; the mission's clock ran 10 times as fast";
    assert!(wall.contains(told) && wall.contains("--time mission"), "{wall}");
    for chosen in [["--time", "mission"], ["--time-warp", "10"]] {
        let err = convert(chosen[0], &[&chosen[..], &["--to", "jsonl"]].concat());
        assert!(!err.contains("time warp"), "{err}");
    }
}

/// Ten milliseconds between a few events make no rate of 100 Hz.
#[test]
fn a_burst_has_no_rate() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("m.alog");
    let mut text = "%% LOGSTART 1750223317.5\n".to_owned();
    for i in 0..80 {
        writeln!(text, "{i}.0 A pX {i} ").unwrap();
    }
    for i in 0..15 {
        writeln!(text, "1.{i:02} EVENT pX happened ").unwrap();
    }
    writeln!(text, "80.0 A pX 80 ").unwrap();
    fs::write(&file, text).unwrap();
    let info = &robolog(["info", "--json", s(&file)]).json()[0];
    let rate = |i: usize| info["channels"][i]["rate_hz"].as_f64();
    assert_eq!((rate(0), rate(1)), (Some(1.0), None));
    let text = robolog(["info", s(&file)]).text();
    assert!(text.contains("1.0 Hz") && !text.contains("100 Hz"), "{text}");
}

#[test]
fn other_formats_are_called_by_their_names() {
    let run = robolog(["alog", "grep", fixture_of("lvx", "room.lvx").to_str().unwrap(), "A"]);
    assert!(run.status == 1 && run.err.contains("is lvx, not alog"), "{}", run.err);
}

/// All verbs agree on a log with a cut last entry, and on one with a wrong byte in a time.
#[test]
fn damage_has_the_same_status_for_all_verbs() {
    let dir = tempfile::tempdir().unwrap();
    let (out, jsonl) = (dir.path().join("out.alog"), dir.path().join("out.jsonl"));
    for name in ["torn.alog", "torn_name.alog", "torn_start.alog", "spoilt_times.alog"] {
        let file = log(name);
        let status = |args: &[&str]| {
            let run = robolog(args);
            assert_eq!(run.status, 3, "{name}: {args:?}: {}", run.err);
            run
        };
        status(&["check", &file]);
        let cat = status(&["cat", &file]);
        status(&["convert", &file, "-f", "-o", s(&jsonl)]);
        let info = status(&["info", "--json", &file]);
        let truth: serde_json::Value =
            serde_json::from_slice(&fs::read(Path::new(&file).with_extension("truth.json")).unwrap())
                .unwrap();
        assert_eq!(info.json()[0]["lost_bytes"], truth["lost_bytes"]);
        let run = status(&["recover", &file, "-f", "-o", s(&out)]);
        assert!(run.err.contains(&format!("{} bytes lost", truth["lost_bytes"])), "{name}: {}", run.err);
        assert_eq!(robolog(["check", s(&out)]).status, 0, "{name}");
        let values = |run: crate::run::Run| -> Vec<_> {
            run.json().iter().map(|s| (s["t_ns"].clone(), s["channel"].clone(), s["value"].clone())).collect()
        };
        let again = robolog(["cat", s(&out)]).exits(0);
        assert_eq!(values(again), values(cat), "{name}");
    }
}

/// X and Y of MOOS are differences of UTM coordinates, which give the log's own positions.
#[test]
fn places_of_a_moos_log_are_its_own_positions() {
    let Some(data) = testkit::data_dir("alog") else { return };
    let file = data.join("moosivp_2025/MOOSLog_18_6_2025_____10_38_38/MOOSLog_18_6_2025_____10_38_38.alog");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.jsonl");
    let places = |channel: &str, options: &[&str]| -> Vec<(i64, f64, f64)> {
        robolog(["convert", s(&file), "--channel", channel, "-f", "-o", s(&out)].iter().chain(options))
            .exits(0);
        let text = fs::read_to_string(&out).unwrap();
        let place = |line: &str| {
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            let degrees = |key: &str| json["value"][key].as_f64().unwrap();
            (json["t_ns"].as_i64().unwrap(), degrees("latitude"), degrees("longitude"))
        };
        text.lines().map(place).collect()
    };
    let own = places("NODE_REPORT/fix", &[]);
    let furthest = |options: &[&str]| {
        let got = places("NODE_REPORT/odometry", options);
        assert_eq!(got.len(), own.len());
        let off = |(a, b): (&(i64, f64, f64), &(i64, f64, f64))| {
            assert_eq!(a.0, b.0);
            let (north, east) = ((a.1 - b.1) * 111_100.0, (a.2 - b.2) * 111_300.0 * a.1.to_radians().cos());
            north.hypot(east)
        };
        got.iter().zip(&own).map(off).fold(0.0, f64::max)
    };
    let (utm, enu) =
        (furthest(&["--origin", "auto"]), furthest(&["--origin", "auto", "--origin-grid", "enu"]));
    // The log has X and Y to a centimetre or better.
    assert!(utm < 0.01, "{utm} m");
    assert!(enu > 1.0, "{enu} m");
    let named = furthest(&["--origin", "42.358456,-71.087589", "--origin-grid", "utm"]);
    assert!((named - utm).abs() < f64::EPSILON, "{named} {utm}");

    // The New College log contains its mission.
    let college = data.join("new_college/QuadTree_Alog.alog");
    let run = |origin: &str| {
        let run = robolog([
            "convert",
            s(&college),
            "--channel",
            "ODOMETRY_POSE",
            "--origin",
            origin,
            "-f",
            "-o",
            s(&out),
        ]);
        assert_eq!(run.status, 0, "{}", run.err);
        fs::read(&out).unwrap()
    };
    assert!(run("auto") == run("51.818496,-1.308591"));
    let without = robolog(["convert", &log("node_reports.alog"), "--origin", "auto", "-f", "-o", s(&out)]);
    assert!(without.status == 1 && without.err.contains("the recording has no origin"), "{}", without.err);
}

/// A line of 300 MB, more than the limit of a record, in an address space of 512 MiB.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_300_mb_is_an_error_and_not_the_end_of_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.alog");
    let mut file = fs::File::create(&path).unwrap();
    std::io::Write::write_all(&mut file, b"%% LOGSTART 1.5\n1.0 A pX 1 \n2.0 B pX ").unwrap();
    // A sparse file of zeros.
    file.set_len(300_000_000).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
    std::io::Write::write_all(&mut file, b" \n3.0 C pX 1 \n").unwrap();
    for verb in testkit::one_in(2, ["info", "check", "cat"]) {
        let script =
            format!("ulimit -v 524288; exec '{}' {verb} '{}'", env!("CARGO_BIN_EXE_robolog"), s(&path));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{verb}: {err}");
        let both = format!("{err}{}", String::from_utf8_lossy(&output.stdout));
        assert!(both.contains("limit"), "{verb}: {both}");
    }
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
    robolog(["alog", "pare", s(&source), "--rate", "2", "--only", "A", "--drop", "C*", "-o", s(&out)])
        .exits(0);
    let kept = &details(&out)["variables"];
    assert_eq!(
        (kept["A"].as_u64(), kept["B"].as_u64()),
        (Some(8), Some(40)),
        "backwards in time begins anew"
    );
    robolog(["alog", "dedup", s(&source), "--values", "-f", "-o", s(&out)]).exits(0);
    assert_eq!(details(&out)["variables"]["B"], 1);
    robolog(["alog", "dedup", &log("duplicates.alog"), "-f", "-o", s(&out)]).exits(0);
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
        robolog(arguments.iter().chain(options)).exits(0);
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
    let whole = robolog(["cat", &log("moosivp.alog.gz")]).exits(0);
    assert!(whole.out == robolog(["cat", &log("moosivp.alog")]).out);
    let cut = robolog(["cat", &log("moosivp_cut.alog.gz")]).exits(3).says("ends 1 byte too early");
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
    robolog(["alog", "payloads", &log("binary.alog"), "-o", s(&out)]).exits(0);
    let index = fs::read_to_string(out.join("_index.csv")).unwrap();
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
    robolog(["alog", "payloads", s(&beyond), "-f", "-o", s(&out)]).exits(1).says("invalid payload");
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

/// Entries of pared variables remain around events, ends included; the others are thinned or dropped.
#[test]
fn pare_keeps_what_is_near_an_event() {
    let dir = tempfile::tempdir().unwrap();
    let (source, out) = (dir.path().join("m.alog"), dir.path().join("out.alog"));
    let mut log = String::from("%% LOGSTART 1700000000.5\n");
    for t in 0..100 {
        writeln!(log, "{t}.000 BHV_IPF pHelmIvP x \n{t}.500 NAV_X pA {t}.0 ").unwrap();
        if t == 20 || t == 70 {
            writeln!(log, "{t}.000 ENCOUNTER pC 3.5 ").unwrap();
        }
    }
    fs::write(&source, &log).unwrap();
    let times = |more: &[&str], name: &str| {
        let args = [&["alog", "pare", s(&source), "-f", "-o", s(&out)], more].concat();
        robolog(args).exits(0);
        let text = fs::read_to_string(&out).unwrap();
        let lines = text.lines().filter(|line| line.contains(name));
        lines.map(|line| line.split('.').next().unwrap().parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    let near: Vec<u32> = (15..=25).chain(65..=75).collect();
    let marked = ["--mark", "ENCOUNTER", "--window", "5", "--only", "BHV_*"];
    assert_eq!(times(&marked, "BHV_IPF"), near);
    assert_eq!(times(&marked, "NAV_X").len(), 100);
    assert_eq!(times(&marked, "ENCOUNTER"), [20, 70]);
    let of_moos = ["--markvars=ENCOUNTER,OTHER", "--pare_window=5", "--parevars=BHV_IPF", "--hitvars=NAV_X"];
    assert_eq!(times(&of_moos, "BHV_IPF"), near);
    assert_eq!(times(&of_moos, "NAV_X").len(), 0);
    let thinned = times(&[&marked[..], &["--rate", "0.1"]].concat(), "BHV_IPF");
    assert!(
        near.iter().all(|t| thinned.contains(t)) && thinned.len() > near.len() && thinned.len() < 40,
        "{thinned:?}"
    );
    // By default, 30 s, and all variables.
    assert_eq!(
        times(&["--mark", "ENCOUNTER"], "NAV_X"),
        (0..50).chain(40..100).collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    );
    robolog(["alog", "pare", "-", "--mark", "A", "-o", s(&out), "-f"]).exits(1).says("twice");
}

/// Rows of a table are samples, and stay a table where they are copied.
#[test]
fn a_synchronous_log_is_a_recording() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (log("synchronous.slog"), dir.path().join("part.slog"));
    robolog(["check", &file]).exits(0);
    let truth: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(log("synchronous.truth.json")).unwrap()).unwrap();
    let info: serde_json::Value = serde_json::from_str(&robolog(["info", "--json", &file]).text()).unwrap();
    let channels = info["channels"].as_array().unwrap();
    let counts: serde_json::Map<_, _> = channels
        .iter()
        .map(|channel| (channel["name"].as_str().unwrap().to_owned(), channel["records"].clone()))
        .collect();
    assert_eq!(serde_json::Value::from(counts), truth["per_channel"]);
    let cat = robolog(["cat", "--channel", "DESIRED_THRUST", &file]);
    let text = cat.text();
    let values: Vec<_> =
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect();
    assert_eq!(values.len(), 2, "{text}");
    assert!(values.iter().all(|line| line["channel"] == "DESIRED_THRUST"), "{text}");
    robolog(["cut", &file, "--start", "0.3s", "-o", s(&out)]).exits(0);
    let left = fs::read_to_string(&out).unwrap();
    assert_eq!(left.lines().filter(|line| !line.starts_with('%')).count(), 2, "{left}");
    robolog(["recover", &file, "-f", "-o", s(&out)]).exits(0);
    assert_eq!(fs::read(&out).unwrap(), fs::read(&file).unwrap());
    robolog(["alog", "sort", &file, "-f", "-o", s(&out)]).exits(1).says("table");
    robolog(["edit", &file, "--rename", "NAV_X=X", "-f", "-o", s(&out)]).exits(1).says("table");
    robolog(["edit", &file, "--shift", "1s", "-f", "-o", s(&out)]).exits(0);
    assert!(fs::read_to_string(&out).unwrap().contains("1714983601.123457"));
}

const WARPED: &str = "%% LOG FILE:       ./MOOSLog_25_6_2021_____23_41_42.alog\n%% LOGSTART               16246645026.5\n\
    0.500           NAV_X                pA              1.0 \n40.500          NAV_X                pA              2.0 \n\
    100.500         NAV_X                pA              3.0 \n";

/// All verbs use the same clock: a log at a time warp of ten lasts 10 s of wall time, and 100 s on its own clock.
#[test]
fn every_verb_takes_times_by_the_clock_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("sim.alog"), dir.path().join("part.alog"));
    fs::write(&file, WARPED).unwrap();
    for (clock, seconds) in [("wall", 10.0), ("mission", 100.0)] {
        let info = robolog(["info", "--json", "--time", clock, s(&file)]).json();
        assert!((info[0]["duration_s"].as_f64().unwrap() - seconds).abs() < 1e-6, "{clock}: {info:?}");
        let cat = robolog(["cat", "--time", clock, "--channel", "NAV_X", s(&file)]);
        let t = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["t"].as_f64().unwrap();
        let all: Vec<f64> = cat.text().lines().map(t).collect();
        assert!((all[1] - seconds * 0.4).abs() < 1e-6 && (all[2] - seconds).abs() < 1e-6, "{clock}: {all:?}");
        // From 0.3 s on: the second and the third.
        let start = format!("{}s", seconds * 0.3);
        robolog(["cut", "--time", clock, "--start", &start, s(&file), "-f", "-o", s(&out)]).exits(0);
        let text = fs::read_to_string(&out).unwrap();
        assert!(
            text.contains(" 2.0 ") && text.contains(" 3.0 ") && !text.contains(" 1.0 "),
            "{clock}: {text}"
        );
        // A part has the times of the whole.
        let part = robolog(["cat", "--time", clock, "--channel", "NAV_X", s(&out)]).text();
        let t_ns = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["t_ns"].clone();
        assert!(part.lines().map(t_ns).eq(cat.text().lines().map(t_ns).skip(1)), "{clock}: {part}");
        // So have a folder of variables, and each of its files.
        let folder = dir.path().join("klogs");
        assert_eq!(robolog(["alog", "split", s(&file), "-f", "-o", s(&folder)]).status, 0);
        for klogs in [folder.clone(), folder.join("NAV_X.klog")] {
            let klog = robolog(["cat", "--time", clock, "--channel", "NAV_X", s(&klogs)]).text();
            assert!(klog.lines().map(t_ns).eq(cat.text().lines().map(t_ns)), "{clock}: {klog}");
        }
        let csv = dir.path().join("nav.csv");
        robolog(["convert", "--time", clock, "--channel", "NAV_X", s(&file), "-f", "-o", s(&csv)]).exits(0);
        assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 4);
    }
}

/// A warp that puts the log beyond all dates is an error that names the option.
#[test]
fn a_warp_beyond_all_dates_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("sim.alog"), dir.path().join("x.csv"));
    fs::write(&file, WARPED.replace("16246645026.5", "19545090399.7")).unwrap();
    let run = robolog(["convert", "--time-warp", "1", s(&file), "-o", s(&out)]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("19545090399.7") && run.err.contains("--time-warp"), "{}", run.err);
    assert!(!out.exists());
    robolog(["convert", "--time-warp", "1", "--time", "mission", s(&file), "-o", s(&out)]).exits(0);
}

/// Variables of two vehicles have the same names, and one log would mix them.
#[test]
fn logs_of_two_vehicles_are_not_merged_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, start: &str, lines: &str| {
        let file = dir.path().join(name);
        fs::write(&file, format!("%% LOGSTART {start}\n{lines}")).unwrap();
        file
    };
    let db = |vehicle: &str| format!("1.0 DB_UPTIME MOOSDB_{vehicle} 5.0 \n2.0 NAV_X pA 1.0 \n");
    let report = |vehicle: &str| format!("1.0 NODE_REPORT_LOCAL pN NAME={vehicle},X=1 \n2.0 NAV_X pA 1.0 \n");
    let out = dir.path().join("both.alog");
    // With one LOGSTART or two, and known by the database or by reports.
    let alpha = write("alpha.alog", "1700000000.5", &db("alpha"));
    for (start, lines) in
        [("1700000000.5", db("bravo")), ("1700000010.5", db("bravo")), ("1700000010.5", report("bravo"))]
    {
        let bravo = write("bravo.alog", start, &lines);
        for verb in [&["merge"][..], &["alog", "merge"]] {
            let words = [verb, &[s(&alpha), s(&bravo), "-o", s(&out)]].concat();
            let run = robolog(&words).exits(1);
            for word in ["alpha", "bravo", "convert --merge", "--force"] {
                assert!(run.err.contains(word), "{word}: {}", run.err);
            }
            assert!(!out.exists());
        }
        robolog(["merge", s(&alpha), s(&bravo), "--force", "-o", s(&out)]).exits(0);
        fs::remove_file(&out).unwrap();
    }
    let later = write("later.alog", "1700000020.5", &db("ALPHA"));
    assert_eq!(robolog(["merge", s(&alpha), s(&later), "-o", s(&out)]).status, 0);
}

/// The pictures named by a log are below its folder; a missing one counts as lost.
#[test]
fn pictures_beside_a_log_are_converted_when_they_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let images = dir.path().join("Images");
    fs::create_dir(&images).unwrap();
    fs::write(images.join("a-0.jpg"), b"\xff\xd8\xff a picture").unwrap();
    let log = dir.path().join("run.alog");
    let entry = "GrabType=ladybug,NumImages=2,File0=/logs/Images/a-0.jpg,File1=/logs/Images/a-1.jpg";
    fs::write(&log, format!("%% LOGSTART 1225719811.65\n61.244 CAMERA_FILE_WRITE iCamera {entry}\n"))
        .unwrap();
    let out = dir.path().join("out.jsonl");
    let run = robolog(["convert", s(&log), "-o", s(&out)]);
    assert_eq!((run.status, fs::read_to_string(&out).unwrap().lines().count()), (0, 1), "{}", run.err);
    robolog(["convert", "--pictures", s(&log), "-f", "-o", s(&out)]).exits(3).says("1 of 2 missing, a-1.jpg");
    assert!(fs::read_to_string(&out).unwrap().contains("CAMERA_FILE_WRITE/ladybug/0"));
    let pictures = dir.path().join("pictures");
    robolog(["convert", "--pictures", s(&log), "--to", "images", "-o", s(&pictures)]).exits(3);
}

#[test]
fn tools_of_moos_ivp_by_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("a.alog"), dir.path().join("out.alog"));
    let text = "%% LOGSTART           1714983600.12\n\
                1.0  NAV_X          uSim   12.5\n2.0  NAV_X          uSim   13.25\n\
                2.5  PHELMIVP_ITER_GAP pHelmIvP 1.0\n3.5  PHELMIVP_ITER_GAP pHelmIvP 2.0\n";
    fs::write(&file, text).unwrap();
    let scan = robolog(["alog", "scan", s(&file), "--json"]).json().remove(0);
    assert_eq!(scan["variables"][0]["variable"], "NAV_X");
    let nav = &scan["variables"][0];
    assert!(nav["lines"] == 2 && nav["chars"] == 9 && nav["start_s"] == 1.0 && nav["stop_s"] == 2.0, "{nav}");
    let iter = robolog(["alog", "iter", s(&file), "--json"]).json().remove(0);
    let gap = &iter["variables"][0];
    assert!(gap["mean"] == 1.5 && gap["from_2"] == 1, "{gap}");
    assert_eq!(robolog(["alog", "clip", s(&file), "2", "3", "-o", s(&out)]).status, 0);
    let clipped: String = text
        .lines()
        .filter(|line| !line.starts_with("1.0") && !line.starts_with("3.5"))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert_eq!(fs::read_to_string(&out).unwrap(), clipped);
    let rest = robolog(["alog", "rm", s(&file), "NAV_*"]).text();
    assert!(!rest.contains("NAV_X") && rest.contains("ITER_GAP"), "{rest}");
}
