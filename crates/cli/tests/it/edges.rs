//! The edges of the process: replaced outputs, closed pipes, signals, memory.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::run::{fixture, fixture_of, names, robolog, s};

/// A folder of `.klog` files, read as one log.
fn logs(dir: &Path) -> PathBuf {
    let folder = dir.join("logs");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("A.klog"), "1.0 A p 1\n2.0 A p 2\n").unwrap();
    fs::write(folder.join("B.klog"), "1.5 B p x\n").unwrap();
    folder
}

#[test]
fn no_file_in_a_folder_that_is_read_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let folder = logs(dir.path());
    let inside = folder.join("A.klog");
    for verb in
        [&["convert", s(&folder), "--to", "jsonl"][..], &["cut", s(&folder)], &["recover", s(&folder)]]
    {
        robolog([verb, &["-f", "-o", s(&inside)]].concat()).exits(1).says("lies in the input");
    }
    assert_eq!(fs::read_to_string(&inside).unwrap(), "1.0 A p 1\n2.0 A p 2\n");
    #[cfg(unix)]
    {
        let other = dir.path().join("other.jsonl");
        fs::hard_link(&inside, &other).unwrap();
        let run = robolog(["convert", s(&folder), "--to", "jsonl", "-f", "-o", s(&other)]);
        assert!(run.status == 1 && run.err.contains("lies in the input"), "by another name: {}", run.err);
    }
    assert_eq!(names(&folder), ["A.klog", "B.klog"]);
}

#[test]
fn neither_the_transforms_nor_a_calibration_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let yaml = dir.path().join("mount.yaml");
    let text = "- {parent: a, child: b, translation: [1, 0, 0]}";
    fs::write(&yaml, text).unwrap();
    let file = fixture("v11_type2.lvx");
    let run = robolog(["convert", s(&file), "--to", "jsonl", "--transforms", s(&yaml), "-f", "-o", s(&yaml)]);
    assert!(run.status == 1 && run.err.contains("is the input itself"), "{}", run.err);
    assert_eq!(fs::read_to_string(&yaml).unwrap(), text);
}

#[test]
fn a_document_in_another_encoding_is_cut_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let latin1 = dir.path().join("latin1.kml");
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<kml><Placemark><name>Caf\u{e9}</name>\
                <Point><coordinates>3.1,45.7,0</coordinates></Point></Placemark></kml>\n";
    fs::write(&latin1, text.chars().map(|c| c as u8).collect::<Vec<_>>()).unwrap();
    let fixture = |name| fixture_of("", name);
    let names =
        ["gpx/latin1.gpx", "gpx/utf16_le.gpx", "gpx/utf16_be.gpx", "kml/utf16_le.kml", "kml/utf16_be.kml"];
    for file in names.map(fixture).into_iter().chain([latin1]) {
        let whole = dir.path().join("whole").with_extension(file.extension().unwrap());
        let run = robolog(["cut", s(&file), "-f", "-o", s(&whole)]);
        assert_eq!(run.status, 0, "{}: {}", s(&file), run.err);
        assert!(fs::read(&whole).unwrap() == fs::read(&file).unwrap(), "{}", s(&file));
        assert_eq!(robolog(["cat", s(&whole)]).json(), robolog(["cat", s(&file)]).json());
    }
}

#[cfg(unix)]
mod unix {
    use std::{
        io::Write as _,
        os::unix::{fs::FileTypeExt as _, fs::PermissionsExt as _, process::ExitStatusExt as _},
        process::{Command, Stdio},
        time::{Duration, Instant},
    };

    use super::*;
    use crate::run::shell;

    const ROBOLOG: &str = env!("CARGO_BIN_EXE_robolog");

    #[test]
    fn the_file_behind_standard_input_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (status, err) = shell(dir.path(), "cp $F in.lvx; $R cut - -f -o in.lvx < in.lvx");
        assert!(status == 1 && err.contains("is the input itself"), "{err}");
        let (status, err) = shell(dir.path(), "cmp $F in.lvx && ls -A | wc -l | grep -qx 1");
        assert_eq!(status, 0, "{err}");
    }

    #[test]
    fn standard_output_fifos_and_devices_are_written_in_place() {
        let dir = tempfile::tempdir().unwrap();
        for script in [
            "$R cut $F -o - | cmp - $F",
            "$R cut $F -o /dev/stdout | cmp - $F",
            "echo before > log; $R cut $F -o - >> log; (echo before; cat $F) | cmp - log; rm log",
            "mkfifo p; cat p > got & $R cut $F -f -o p && wait $! && cmp got $F && test -p p && rm got p",
            "$R convert $F --to ply -f -o /dev/null && test -c /dev/null",
            "$R convert $F --to csv -o - 2> err > rows && cmp rows <($R convert $F --to csv -o /dev/stdout) && rm err rows",
            "$R convert $F --to jsonl -o - 2> err | cmp - <($R cat $F) && rm err",
        ] {
            let (status, err) = shell(dir.path(), script);
            assert_eq!(status, 0, "{script}: {err}");
            assert!(names(dir.path()).is_empty(), "{script}: {:?}", names(dir.path()));
        }
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let run =
            robolog(["convert", s(&fixture("v11_type2.lvx")), "--per", "frame", "--to", "ply", "-o", "-"]);
        assert!(run.status == 1 && run.err.contains("cannot be a folder"), "{}", run.err);
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("private.lvx");
        for mode in [0o600, 0o640, 0o755] {
            fs::write(&out, "before").unwrap();
            fs::set_permissions(&out, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(robolog(["cut", s(&fixture("v11_type2.lvx")), "-f", "-o", s(&out)]).status, 0);
            assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, mode);
            assert!(fs::read(&out).unwrap() == fs::read(fixture("v11_type2.lvx")).unwrap());
        }
    }

    #[test]
    fn memory_stays_within_what_the_user_allows() {
        let dir = tempfile::tempdir().unwrap();
        let mut big = b"%% LOGSTART 1600000000\n1.0 A p 1\n2.0 B p ".to_vec();
        big.resize(big.len() + (256 << 20), b'x');
        big.extend(b"\n3.0 A p 2\n");
        fs::write(dir.path().join("big.alog"), big).unwrap();
        // The address space in KiB, and a lower limit.
        let limits = [(524_288, ""), (524_288, "--max-memory 256M"), (262_144, "--max-memory 64M")];
        for (space, most) in testkit::one_in(2, limits) {
            let script = format!("ulimit -v {space}; $R cat {most} big.alog > out.jsonl");
            let (status, err) = shell(dir.path(), &script);
            assert!(status == 3 && err.contains("exceeds the limit"), "{script}: {status} {err}");
            let out = fs::read_to_string(dir.path().join("out.jsonl")).unwrap();
            assert_eq!(out.lines().count(), 2, "the others are delivered");
        }
        let (status, _) = shell(dir.path(), "$R cat --max-memory 1M big.alog");
        assert_eq!(status, 2);
    }

    #[test]
    fn a_hundred_thousand_channels_take_a_kilobyte_each() {
        let dir = tempfile::tempdir().unwrap();
        let channels = testkit::bound(8_000, 100_000);
        let entries = (0..channels).map(|n| format!("{}.0 V{n:06} p {n}\n", n / 1000));
        let log = format!("%% LOGSTART 1600000000\n{}", entries.collect::<String>());
        fs::write(dir.path().join("many.alog"), log).unwrap();
        let script = "ulimit -v 524288; $R convert -q many.alog --per channel --to csv -o tables";
        let (status, err) = shell(dir.path(), script);
        assert_eq!(status, 0, "{err}");
        // The index and the description of columns are beside the tables.
        assert_eq!(fs::read_dir(dir.path().join("tables")).unwrap().count(), channels + 2);
    }

    #[test]
    fn nobody_has_to_read_what_is_printed() {
        let dir = tempfile::tempdir().unwrap();
        let broken = fixture("cut_in_package_header.lvx");
        let broken = if broken.exists() { broken } else { fixture("short_tail.lvx") };
        fs::copy(broken, dir.path().join("broken.lvx")).unwrap();
        // The second is a closed pipe, the third a full device.
        for stderr in ["2>&-", "2> >(exec true; )", "2> /dev/full"] {
            let script = format!("sleep 0.1; $R recover broken.lvx -o sound.lvx {stderr}");
            let (status, err) = shell(dir.path(), &script);
            assert_eq!(
                (status, names(dir.path())),
                (3, vec!["broken.lvx".into(), "sound.lvx".into()]),
                "{stderr}: {err}"
            );
            fs::remove_file(dir.path().join("sound.lvx")).unwrap();
        }
        let (status, _) = shell(dir.path(), "$R check broken.lvx > >(exec true) 2> /dev/full; exit $?");
        assert_eq!(status, 3, "a verdict that nobody reads stands in the status");
        let (status, err) = shell(dir.path(), "$R -vv cat $F 2>&- > /dev/null");
        assert_eq!(status, 0, "{err}");
        let (status, err) = shell(dir.path(), "$R cat $F > /dev/full");
        assert!(status == 1 && err.contains("No space left"), "{err}");
    }

    #[test]
    fn a_full_disk_is_blamed_on_the_output() {
        let dir = tempfile::tempdir().unwrap();
        let log = fixture("../alog/new_college_2008.alog");
        fs::copy(&log, dir.path().join("in.alog")).unwrap();
        for words in [
            "cut in.alog --start 0 -o out",
            "cut in.alog -o out",
            "recover in.alog -o out",
            "split in.alog --parts 2 -o out",
            "merge in.alog in.alog -o out",
            "convert in.alog --to jsonl -o out",
            "report in.alog -o out.html",
            "alog sort in.alog -o out",
            "alog split in.alog -o out",
        ] {
            // Files are limited to a kilobyte; without the trap, a signal would end the program.
            let (status, err) = shell(dir.path(), &format!("trap '' XFSZ; ulimit -f 1; $R {words}"));
            assert_eq!(status, 1, "{words}: {err}");
            assert!(err.contains("robolog: out") && !err.contains("in.alog"), "{words}: {err}");
            assert_eq!(names(dir.path()), ["in.alog"], "{words}");
        }
    }

    #[test]
    fn a_table_is_there_only_with_its_document() {
        let dir = tempfile::tempdir().unwrap();
        let log = "%% LOGSTART 1600000000\n1.0 NODE_REPORT p NAME=x,X=1,Y=2\n";
        fs::write(dir.path().join("in.alog"), log).unwrap();
        // The table is smaller than a kilobyte, and its description larger.
        let words = "convert in.alog --channel NODE_REPORT/odometry -o o.csv";
        let (status, err) = shell(dir.path(), &format!("trap '' XFSZ; ulimit -f 1; $R {words}"));
        assert!(status == 1 && err.contains("o.csv-metadata.json"), "{err}");
        assert_eq!(names(dir.path()), ["in.alog"]);
        assert_eq!(shell(dir.path(), &format!("$R {words}")).0, 0);
        assert_eq!(names(dir.path()), ["in.alog", "o.csv", "o.csv-metadata.json"]);
        assert!(fs::metadata(dir.path().join("o.csv")).unwrap().len() < 1024);
    }

    fn is_ignored(signal: u32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        mask >> (signal - 1) & 1 == 1
    }

    #[test]
    fn signals_leave_nothing_behind() {
        for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)] {
            // Background programs of a script start with SIGINT ignored, and keep ignoring it.
            if is_ignored(number) {
                println!("SIG{signal} is ignored here, and not tried");
                continue;
            }
            for words in [
                &["cut", "-", "-o", "out.alog"][..],
                &["convert", "-", "--per", "channel", "--to", "csv", "-o", "out"],
            ] {
                let dir = tempfile::tempdir().unwrap();
                let mut child = Command::new(ROBOLOG)
                    .args(words)
                    .current_dir(dir.path())
                    .stdin(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap();
                let mut stdin = child.stdin.take().unwrap();
                let entries =
                    (0..20_000).map(|n| format!("{n}.0 NAV_X pNav {n}\n")).collect::<Vec<_>>().concat();
                stdin.write_all(b"%% LOGSTART 1600000000\n").unwrap();
                stdin.write_all(entries.as_bytes()).unwrap();
                let begun = Instant::now();
                while names(dir.path()).is_empty() && begun.elapsed() < Duration::from_secs(20) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                assert!(names(dir.path())[0].ends_with(".partial"), "{:?}", names(dir.path()));
                let kill =
                    Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
                assert!(kill.success());
                let done = child.wait_with_output().unwrap();
                drop(stdin);
                let (status, said) = (done.status, String::from_utf8_lossy(&done.stderr).into_owned());
                assert_eq!(
                    status.signal(),
                    i32::try_from(number).ok(),
                    "{signal}: it ends as the signal would have it"
                );
                if signal == "KILL" {
                    // The next run names what is left.
                    let left = names(dir.path()).remove(0);
                    fs::write(dir.path().join("in.alog"), "%% LOGSTART 1600000000\n1.0 NAV_X p 1\n").unwrap();
                    let (_, err) = shell(dir.path(), "$R cut in.alog -o next.alog");
                    assert!(err.contains(&format!("{left}: left by a run that was killed")), "{err}");
                    continue;
                }
                assert!(said.ends_with("robolog: interrupted, nothing written\n"), "{signal}: {said}");
                assert!(names(dir.path()).is_empty(), "{signal}: {:?}", names(dir.path()));
            }
        }
    }

    #[test]
    fn a_signal_that_was_ignored_stays_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let script = "trap '' HUP; mkfifo p; $R cut - -o out.lvx < p & exec 7> p; head -c 5000 $F >&7; sleep 0.3; \
                      kill -HUP $!; sleep 0.3; tail -c +5001 $F >&7; exec 7>&-; wait $! && cmp out.lvx $F";
        let (status, err) = shell(dir.path(), script);
        assert_eq!(status, 0, "{err}");
    }

    #[test]
    fn recordings_are_merged_where_few_threads_can_be_had() {
        let dir = tempfile::tempdir().unwrap();
        let files: Vec<PathBuf> = (0..200).map(|n| dir.path().join(format!("{n:03}.alog"))).collect();
        for (n, file) in files.iter().enumerate() {
            let entries =
                (0..50).map(|k| format!("{k}.{n:03} NAV_X pNav {n}\n")).collect::<Vec<_>>().concat();
            fs::write(file, format!("%% LOGSTART 1600000000\n{entries}")).unwrap();
        }
        // Stacks that do not fit the address space, so that no thread starts, and stacks of which four fit: what is left
        // is more than the program needs.
        for gib in [64, 1] {
            let script = format!(
                "export RUST_MIN_STACK=$(({gib} << 30)); ulimit -v 5500000; $R convert *.alog --merge --to jsonl -q -o out"
            );
            let (status, err) = shell(dir.path(), &script);
            assert_eq!(status, 0, "stacks of {gib} GiB: {err}");
            let text = fs::read_to_string(dir.path().join("out")).unwrap();
            assert_eq!(text.lines().count(), 200 * 50);
            let times = text.lines().map(|line| {
                let json: serde_json::Value = serde_json::from_str(line).unwrap();
                json["t_ns"].as_i64().unwrap()
            });
            assert!(times.is_sorted(), "in order of time");
            fs::remove_file(dir.path().join("out")).unwrap();
        }
    }
}

#[test]
fn what_a_file_says_cannot_command_a_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("evil.alog");
    let evil = "\u{1b}[2J\u{9b}31m\u{7f}\u{202e}x";
    fs::write(&log, format!("%% LOGSTART 1600000000\n1.0 N{evil} p{evil} {evil}\n2.0 A p {evil}\n")).unwrap();
    let unsafe_in = |text: &str| text.chars().any(|c| c != '\n' && robolog_core::text::is_unsafe(c));
    for words in
        [&["cat"][..], &["cat", "--raw"], &["info"], &["info", "--json"], &["check"], &["check", "--json"]]
    {
        let run = robolog([words, &[s(&log)]].concat());
        assert!(!unsafe_in(&run.text()), "{words:?}: {:?}", run.text());
        assert!(!unsafe_in(&run.err), "{words:?}: {:?}", run.err);
    }
    let read = robolog(["cat", s(&log)]).json();
    assert_eq!(read[1]["value"]["data"], evil, "JSON reads back as it was");
}

#[test]
fn what_the_simulator_would_print_cannot_command_a_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("evil.log");
    let mut bytes = fs::read(fixture_of("carla-rec", "v0_9_15.log")).unwrap();
    let at = bytes.windows(8).position(|part| part == b"vehicle.").unwrap();
    bytes[at..at + 5].copy_from_slice(b"\x1b[31m");
    fs::write(&log, bytes).unwrap();
    for words in [&["info", "--all"][..], &["collisions"], &["blocked", "--min-time", "0"]] {
        let run = robolog([&["carla"], words, &[s(&log)]].concat());
        assert!(run.status == 0 && !run.out.contains(&0x1b), "{words:?}: {}", run.err);
        assert!(run.text().lines().count() > 3);
    }
    assert!(robolog(["carla", "info", "--all", s(&log)]).text().contains(r"\u{1b}[31m"));
}
