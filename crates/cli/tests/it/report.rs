//! Pages and plots, from the command line.

use std::fs;

use serde_json::Value;

use crate::run::{fixture, fixture_of, robolog, s, with_input};

/// The exact number of a fact on a page, or its text.
fn fact<'a>(html: &'a str, key: &str) -> &'a str {
    let (_, after) = html.split_once(&format!("data-key=\"{key}\">")).unwrap_or_else(|| panic!("no {key}"));
    let (_, value) = after.split_once("<dd>").unwrap_or_else(|| panic!("{key} has no value"));
    let value = value.split_once("</dd>").unwrap().0;
    value.strip_prefix("<data value=\"").map_or(value, |rest| rest.split_once('"').unwrap().0)
}

/// The rows of the table of channels: name, kind, records, values, rate.
fn channels(html: &str) -> Vec<Vec<&str>> {
    let Some((_, table)) = html.split_once("<summary>All channels as a table</summary>") else {
        return Vec::new();
    };
    let table = table.split_once("</details>").unwrap().0;
    let rows = table.split("<tr><td>").skip(1);
    rows.map(|row| {
        let cells = row.split("</td>").map(|cell| cell.strip_prefix("<td>").unwrap_or(cell));
        cells
            .map(|cell| cell.strip_prefix("<data value=\"").map_or(cell, |v| v.split_once('"').unwrap().0))
            .collect()
    })
    .collect()
}

#[test]
fn the_numbers_of_a_page_are_those_of_info() {
    let dir = tempfile::tempdir().unwrap();
    let recordings = [
        fixture("room.lvx"),
        fixture("short_tail.lvx"),
        fixture_of("carla-rec", "v0_9_15.log"),
        fixture_of("alog", "nav.alog"),
        fixture_of("alog", "header_only.alog"),
        fixture_of("koblenz-log", "image.log"),
        fixture_of("effibox", "dataset"),
    ];
    for recording in recordings {
        let page = dir.path().join("page.html");
        let run = robolog(["report", "-q", "-f", s(&recording), "-o", s(&page)]);
        let info = robolog(["info", "-q", "--json", s(&recording)]);
        let name = recording.display();
        assert_eq!(run.status, info.status, "{name}: {}", run.err);
        let (html, info) = (fs::read_to_string(&page).unwrap(), &info.json()[0]);
        for key in ["bytes", "records", "start_ns", "end_ns"] {
            if let Value::Number(n) = &info[key] {
                assert_eq!(fact(&html, key), n.to_string(), "{name}: {key}");
            }
        }
        if let Some(seconds) = info["duration_s"].as_f64() {
            assert_eq!(
                fact(&html, "duration_s").parse::<f64>().unwrap().to_bits(),
                seconds.to_bits(),
                "{name}"
            );
        }
        assert_eq!(fact(&html, "clock"), info["clock"].as_str().unwrap(), "{name}");
        let (variant, told) = (fact(&html, "variant"), info["variant"].as_str().unwrap());
        // What decides the dialect of a simulator is left out.
        let is_short = variant.starts_with("CARLA recorder 1, as of ") && told.contains("(as ");
        assert!(variant == told || is_short, "{name}: {variant}");
        let (shown, told) = (channels(&html), info["channels"].as_array().unwrap());
        assert_eq!(shown.len(), told.len(), "{name}: channels");
        for (shown, told) in shown.iter().zip(told) {
            let told = |key: &str| told[key].to_string().trim_matches('"').to_owned();
            assert_eq!(shown[0], told("name"), "{name}");
            assert_eq!(shown[1..4], [told("kind"), told("records"), told("values")], "{name}: {}", shown[0]);
            if told("rate_hz") != "null" {
                let rates = [shown[4], &told("rate_hz")].map(|rate| rate.parse::<f64>().unwrap().to_bits());
                assert_eq!(rates[0], rates[1], "{name}");
            }
        }
    }
}

#[test]
fn a_page_is_not_written_over_unasked_and_a_damaged_recording_has_one() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let damaged = fixture("short_tail.lvx");
    robolog(["report", s(&damaged), "-o", s(&page)]).exits(3);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("✕ Damaged") && html.contains("robolog recover"));
    robolog(["report", s(&fixture("room.lvx")), "-o", s(&page)]).exits(1).says("exists already");
    assert_eq!(fs::read_to_string(&page).unwrap(), html);
}

#[test]
fn a_folder_has_a_page_of_each_recording_and_one_of_all() {
    let dir = tempfile::tempdir().unwrap();
    let (mission, out) = (dir.path().join("mission"), dir.path().join("pages"));
    fs::create_dir_all(mission.join("day 1")).unwrap();
    fs::copy(fixture("room.lvx"), mission.join("a.lvx")).unwrap();
    fs::copy(fixture_of("alog", "nav.alog"), mission.join("day 1/a.lvx")).unwrap();
    fs::copy(fixture("short_tail.lvx"), mission.join("day 1/<b>.lvx")).unwrap();
    fs::write(mission.join("notes.txt"), "nothing to see\n").unwrap();
    robolog(["report", s(&mission), "-o", s(&out)]).exits(3).says("3 recordings, 1 other file skipped");
    let index = fs::read_to_string(out.join("index.html")).unwrap();
    for page in ["a.lvx.html", "a.lvx-2.html", "_b_.lvx.html"] {
        assert!(out.join(page).is_file() && index.contains(&format!("href=\"./{page}\"")), "{page}");
    }
    assert!(index.contains("&lt;b&gt;.lvx") && !index.contains("<b>.lvx") && index.contains("✕ Damaged"));
    let run = robolog(["report", s(&mission), "-o", s(&dir.path().join("all.html"))]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("give a folder with -o"), "{}", run.err);
}

#[test]
fn plots_are_drawn_in_the_format_that_their_name_tells() {
    let dir = tempfile::tempdir().unwrap();
    let nav = fixture_of("alog", "nav.alog");
    let room = fixture("room.lvx");
    for (number, file) in [&nav, &room].into_iter().enumerate() {
        let name = |end: &str| dir.path().join(format!("{number}.{end}"));
        robolog(["plot", s(file), "-o", s(&name("svg"))]).exits(0);
        assert!(fs::read_to_string(name("svg")).unwrap().starts_with("<svg xmlns="));
        robolog(["plot", s(file), "--start", "0.1s", "--size", "400x300@2", "-o", s(&name("png"))]).exits(0);
        let png = fs::read(name("png")).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png[16..24] == [0, 0, 3, 32, 0, 0, 2, 88], "800 by 600");
    }
    let run = robolog(["plot", s(&nav), "--size", "12", "-o", s(&dir.path().join("x.png"))]);
    assert!(run.status == 2 && run.err.contains("1280x800@2"), "{}", run.err);
    let run = robolog(["plot", s(&nav), "--hero", "-o", s(&dir.path().join("x.png"))]);
    assert!(run.status == 2 && run.err.contains("no actor matches hero"), "{}", run.err);
    let run = robolog(["convert", s(&room), "-o", s(&dir.path().join("y.png"))]);
    assert!(run.status == 1 && run.err.contains("robolog plot draws clouds"), "{}", run.err);
}

/// Plots, pages and catalogues have a name by default, and replace nothing unasked.
#[test]
fn an_output_without_a_name_is_beside_its_input() {
    let dir = tempfile::tempdir().unwrap();
    let mission = dir.path().join("mission");
    fs::create_dir(&mission).unwrap();
    let (a, b) = (mission.join("a.alog"), mission.join("b.alog"));
    fs::copy(fixture_of("alog", "nav.alog"), &a).unwrap();
    fs::copy(&a, &b).unwrap();
    let verbs: [(&[&str], std::path::PathBuf); 5] = [
        (&["plot", s(&a)], mission.join("a.png")),
        (&["plot", s(&a), s(&b), "--to", "svg"], mission.join("a_b.svg")),
        (&["report", s(&a)], mission.join("a.html")),
        (&["report", s(&a), s(&b)], mission.join("a_b.html")),
        (&["catalog", s(&mission), "--to", "csv"], dir.path().join("mission.csv")),
    ];
    for (words, made) in &verbs {
        robolog(*words).exits(0);
        assert!(made.is_file(), "{words:?}");
    }
    for (words, _) in verbs.iter().take(4) {
        robolog(*words).exits(1);
        robolog([*words, &["--force"]].concat()).exits(0);
    }
    robolog(["report", s(&mission)]).exits(0);
    assert!(dir.path().join("mission-report/index.html").is_file());
    let run = with_input(["plot", "-"], &fs::read(&a).unwrap());
    assert!(run.status == 1 && run.err.contains("name the output with -o"), "{}", run.err);
}

#[test]
fn a_pipe_is_read_like_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let (file, pipe) = (dir.path().join("standard input"), dir.path().join("pipe.html"));
    let nav = fixture_of("alog", "nav.alog");
    fs::copy(&nav, &file).unwrap();
    robolog(["report", "-q", s(&file), "-o", s(&dir.path().join("file.html"))]).exits(0);
    with_input(["report", "-q", "-", "-o", s(&pipe)], &fs::read(&nav).unwrap()).exits(0);
    let pages = ["file.html", "pipe.html"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
    assert!(pages[0] == pages[1], "the page of the file is that of the pipe");
    let run = with_input(["plot", "-", "--to", "svg", "-o", "-"], &fs::read(&nav).unwrap());
    assert!(run.status == 0 && run.text().starts_with("<svg xmlns="), "{}", run.err);
    let run = with_input(["report", "-", "-o", s(&dir.path().join("no.html"))], b"hello\n");
    assert!(run.status == 1 && !dir.path().join("no.html").exists(), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_like_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let (fifo, page) = (dir.path().join("drive.lvx"), dir.path().join("page.html"));
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|made| made.success()) {
        println!("no mkfifo: skipped");
        return;
    }
    let (room, to) = (fs::read(fixture("room.lvx")).unwrap(), fifo.clone());
    let feed = std::thread::spawn(move || fs::write(to, room));
    robolog(["report", "-q", s(&fifo), "-o", s(&page)]).exits(0);
    feed.join().unwrap().unwrap();
    assert!(fs::read_to_string(&page).unwrap().contains("<h1>drive.lvx</h1>"));
}

#[test]
fn a_capture_has_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let (capture, page) = (dir.path().join("drive.pcap"), dir.path().join("page.html"));
    let log = fixture_of("koblenz-log", "velodyne_hdl32e.log");
    robolog(["convert", "-q", s(&log), "-o", s(&capture)]).exits(0);
    robolog(["report", "-q", s(&capture), "-o", s(&page)]).exits(0);
    let (html, info) =
        (fs::read_to_string(&page).unwrap(), &robolog(["info", "--json", s(&capture)]).json()[0]);
    assert!(html.contains("<section id=\"clouds\">"));
    assert_eq!(fact(&html, "records"), info["records"].to_string());
}

#[test]
fn what_may_be_held_in_memory_holds_for_pages() {
    let dir = tempfile::tempdir().unwrap();
    let (log, page) = (dir.path().join("long.alog"), dir.path().join("page.html"));
    let text = "x".repeat(20 << 20);
    fs::write(&log, format!("%% LOGSTART 1536314400\n1.0 A p 1\n2.0 B p {text}\n3.0 A p 2\n")).unwrap();
    let run = robolog(["report", "-f", s(&log), "-o", s(&page)]);
    assert_eq!(run.status, 3, "by default a page reads records of 16 MiB: {}", run.err);
    robolog(["report", "-f", "--max-memory", "1G", s(&log), "-o", s(&page)]).exits(0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("✓ Sound") && html.len() < 200_000);
    let run = robolog(["report", "-f", "--max-memory", "16M", s(&log), "-o", s(&page)]);
    let advice = "exceeds the limit of 1048576";
    assert!(run.status == 3 && run.err.contains(advice), "{}", run.err);
    // What does not fit is not damaged.
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("✕ Not read whole"), "{}", run.err);
    for (verb, words) in [("check", "not read whole: 1 error"), ("info", "not read whole: 20 MB left out")] {
        let run = robolog([verb, "--max-memory", "16M", s(&log)]);
        let said = run.text() + &run.err;
        assert!(said.contains(words) && said.contains("--max-memory allows more"), "{verb}: {said}");
        assert!(!said.contains("damaged"), "{verb}: {said}");
    }
}
