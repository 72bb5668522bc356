//! A damaged or hostile file must not control the terminal, hide readable data, or be called sound.

use std::{collections::BTreeMap, fs, path::PathBuf};

use crate::run::{Run, fixture_of, robolog, s, with_input};

/// A character that controls a terminal or hides how text reads.
fn is_hostile(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_verb_prints_what_commands_a_terminal() {
    let evil = "\x1b]0;pwned\x07\x1b[2J\u{9b}31m\x7f\u{feff}\u{202e}\u{2066}\u{61c}\u{2028}\r\x08";
    let dir = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        files.push(path);
    };
    let log = format!(
        "%% LOGSTART 1600000000\n%% LOG FILE: {evil}\n1.0 A{evil} p{evil} {evil}\n2.0 B p 1\nx{evil}\n3.0 C p A={evil}\n"
    );
    put("log.alog", log.as_bytes());
    put("marked.alog", &[b"\xff\xfe\x9b", log.as_bytes()].concat());
    let gpx = format!(
        "<gpx version=\"1.1\" creator=\"{evil}\"><trk><name>{evil}</name><trkseg><trkpt lat=\"1{evil}\" lon=\"2\"/>\
         <trkpt lat=\"1\" lon=\"2\"><time>{evil}</time></trkpt></trkseg></trk></{evil}></gpx>"
    );
    put("track.gpx", gpx.as_bytes());
    let kml = format!(
        "<kml><Placemark><name>{evil}</name><Point><coordinates>{evil},2</coordinates></Point></Placemark></kml>"
    );
    put("place.kml", kml.as_bytes());
    let nmea = format!(
        "$GPGGA,085841.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5D\r\n$GPRMC,{evil}*00\r\n{evil}\r\n$P{evil},1*11\r\n"
    );
    put("sentences.nmea", nmea.as_bytes());
    // The sentence of a position packet.
    let mut capture = fs::read(fixture_of("pcap", "velodyne.pcap")).unwrap();
    let at = capture.windows(6).position(|six| six == b"$GPRMC").unwrap() + 7;
    capture[at..at + evil.len()].copy_from_slice(evil.as_bytes());
    put("capture.pcap", &capture);
    for (folder, name) in
        [("carla-rec", "v0_9_15.log"), ("koblenz-log", "drive.log"), ("lvx", "v11_type2.lvx")]
    {
        let mut file = fs::read(fixture_of(folder, name)).unwrap();
        for at in (40..file.len() - evil.len()).step_by(211) {
            file[at..at + evil.len()].copy_from_slice(evil.as_bytes());
        }
        put(name, &file);
    }
    let mut runs = 0;
    for file in &files {
        let (name, same) = (s(file), dir.path().join("out").with_extension(file.extension().unwrap()));
        let [csv, jsonl, page, parts] = ["o.csv", "o.jsonl", "o.html", "parts"].map(|n| dir.path().join(n));
        let words: [&[&str]; 18] = [
            &["info", name],
            &["info", "-v", name],
            &["info", "--json", name],
            &["check", name],
            &["check", "--json", name],
            &["cat", name],
            &["cat", "--raw", name],
            &["-v", "cat", name],
            &["index", name],
            &["diff", name, name],
            &["diff", name, s(&files[0])],
            &["cut", name, "-f", "-o", s(&same)],
            &["recover", name, "-f", "-o", s(&same)],
            &["merge", name, name, "-f", "-o", s(&same)],
            &["split", name, "--parts", "2", "-f", "-o", s(&parts)],
            &["convert", name, "-f", "-o", s(&csv)],
            &["-vv", "convert", name, "-f", "-o", s(&jsonl)],
            &["report", name, "-f", "-o", s(&page)],
        ];
        for words in words {
            let Run { status, out, err, .. } = robolog(words);
            assert!(status <= 3, "{words:?}: {status}");
            for text in [String::from_utf8(out).unwrap(), err] {
                let found = text.chars().find(|c| is_hostile(*c));
                assert!(found.is_none(), "{words:?} prints {found:?}:\n{}", text.escape_debug());
            }
            runs += 1;
        }
    }
    println!("{runs} runs");
}

#[test]
fn a_damaged_gzip_is_read_as_far_as_it_decompresses() {
    let dir = tempfile::tempdir().unwrap();
    let sound = fs::read(fixture_of("alog", "moosivp.alog.gz")).unwrap();
    let entries = |bytes: &[u8]| {
        let path = dir.path().join("x.alog.gz");
        fs::write(&path, bytes).unwrap();
        let run = robolog(["cat", s(&path)]);
        (run.status, run.text().lines().count(), run.err)
    };
    let (status, all, _) = entries(&sound);
    assert_eq!(status, 0);
    let end = sound.len();
    let flip = |at: usize| {
        let mut file = sound.clone();
        file[at] ^= 1;
        file
    };
    for (file, why) in [
        (flip(end - 8), "checksum"),
        (flip(end - 4), "bytes"),
        ([&*sound, &[0; 512]].concat(), "512 bytes of padding"),
        ([&*sound, b"trash"].concat(), "not a gzip stream"),
        (sound[..end - 3].to_vec(), "too early"),
    ] {
        let (status, count, err) = entries(&file);
        assert!((status, count) == (3, all) && err.contains(why), "{why}: {status}, {count} of {all}: {err}");
    }
    let (status, count, _) = entries(&[&*sound, &flip(end - 8)].concat());
    assert_eq!((status, count), (3, 2 * all), "a second member with a wrong checksum");
}

#[test]
fn a_bomb_is_read_as_far_as_the_limit() {
    use std::io::Write as _;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bomb.alog.gz");
    let mut encoder =
        flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), flate2::Compression::new(9));
    encoder.write_all(b"%% LOGSTART 1600000000\n").unwrap();
    let entries = format!("1.0 A pX {:1190}\n", 1).repeat(1000);
    for _ in 0..80 {
        encoder.write_all(entries.as_bytes()).unwrap();
    }
    encoder.finish().unwrap();
    let run = robolog(["index", s(&path), "-n", "99999999"]);
    assert!(run.status == 3 && run.err.contains("expansion factor"), "{} {}", run.status, run.err);
    robolog(["index", s(&path), "--max-expand", "2000"]).exits(0);
}

#[test]
fn an_archive_of_kml_is_read_from_standard_input_too() {
    let file = fixture_of("kml", "stored.kmz");
    let from_file = robolog(["cat", s(&file)]);
    let piped = with_input(["cat", "-"], &fs::read(&file).unwrap());
    assert_eq!((piped.status, &piped.out), (0, &from_file.out), "{}", piped.err);
    let damaged = robolog(["cat", s(&fixture_of("kml", "bad_crc.kmz"))]);
    assert!(damaged.status == 3 && !damaged.out.is_empty(), "{}: {}", damaged.status, damaged.err);
}

#[test]
fn index_ends_as_check_does() {
    let mut files = 0;
    for (folder, extension) in [
        ("alog", "alog"),
        ("carla-rec", "log"),
        ("koblenz-log", "log"),
        ("gpx", "gpx"),
        ("kml", "kml"),
        ("lvx", "lvx"),
        ("nmea", "nmea"),
        ("pcap", "pcap"),
    ] {
        for fixture in testkit::one_in(4, testkit::fixtures(folder, extension)) {
            let [check, index] = ["check", "index"].map(|verb| robolog([verb, "-q", s(&fixture.path)]));
            assert_eq!(index.status, check.status, "{}: {}", fixture.path.display(), index.err);
            files += 1;
        }
    }
    println!("{files} files");
}

/// The number of samples of each channel and time.
fn samples(run: &Run) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for line in run.json() {
        *counts.entry(format!("{} {} {}", line["channel"], line["kind"], line["t_ns"])).or_default() += 1;
    }
    counts
}

/// `recover` keeps all samples that `cat` reads from a mutant, or reports the channels that lost some.
#[test]
fn what_can_be_read_is_recovered() {
    let dir = tempfile::tempdir().unwrap();
    let (mut mutants, mut said, mut failures) = (0, 0, Vec::new());
    for (folder, extension) in [
        ("alog", "alog"),
        ("carla-rec", "log"),
        ("koblenz-log", "log"),
        ("gpx", "gpx"),
        ("kml", "kml"),
        ("lvx", "lvx"),
        ("nmea", "nmea"),
        ("pcap", "pcap"),
        ("pcap", "pcapng"),
    ] {
        for (number, fixture) in
            testkit::one_in(8, testkit::fixtures(folder, extension).into_iter().enumerate())
        {
            if fixture.bytes.len() > 60_000 || fixture.bytes.len() < 40 {
                continue;
            }
            for kind in 0..2 {
                let mut bytes = fixture.bytes.clone();
                let at = (number * 7919 + kind * 104_729 + 13) % bytes.len();
                match kind {
                    0 => bytes[at] ^= 0x55,
                    _ => bytes.iter_mut().skip(at).take(24).for_each(|b| *b = 0),
                }
                let input = dir.path().join("in").with_extension(extension);
                let output = dir.path().join("out").with_extension(extension);
                fs::write(&input, &bytes).unwrap();
                let before = robolog(["cat", s(&input)]);
                if !matches!(before.status, 0 | 3) {
                    continue;
                }
                mutants += 1;
                let recovered = robolog(["recover", s(&input), "-f", "-o", s(&output)]);
                let what = format!("{} {kind} at {at}", fixture.path.file_name().unwrap().display());
                let wanted = samples(&before);
                if !matches!(recovered.status, 0 | 3) {
                    if !wanted.is_empty() {
                        failures.push(format!("{what}: {} samples, and {}", wanted.len(), recovered.err));
                    }
                    continue;
                }
                let after = robolog(["cat", s(&output)]);
                let kept = samples(&after);
                let lost: Vec<_> =
                    wanted.iter().filter(|(key, n)| kept.get(*key).unwrap_or(&0) < n).collect();
                if recovered.err.contains("left out") {
                    said += 1;
                } else if !lost.is_empty() || after.status == 1 {
                    failures.push(format!(
                        "{what}: {} of {} lost, first {:?}; {}{}",
                        lost.len(),
                        wanted.len(),
                        lost.first(),
                        recovered.err,
                        after.err
                    ));
                }
                fs::remove_file(&output).unwrap();
            }
        }
    }
    println!("{mutants} mutants, {said} with samples that are said to be left out");
    assert!(mutants > testkit::bound(40, 300), "{mutants}");
    assert!(failures.is_empty(), "{} of {mutants}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_folder_of_a_data_set_is_recovered() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["dataset", "dataset_dated", "dataset_faults"] {
        let (input, output) = (fixture_of("effibox", name), dir.path().join(name));
        let run = robolog(["recover", s(&input), "-o", s(&output)]);
        assert!(matches!(run.status, 0 | 3), "{name}: {} {}", run.status, run.err);
        let [before, after] = [&input, &output].map(|path| samples(&robolog(["cat", s(path)])));
        assert_eq!(before, after, "{name}");
    }
}

#[test]
fn a_data_set_is_recovered_into_an_archive_and_from_a_half_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let input = fixture_of("effibox", "dataset");
    let before = samples(&robolog(["cat", s(&input)]));
    for name in ["set.zip", "set.tar", "set.tar.gz"] {
        let output = dir.path().join(name);
        let run = robolog(["recover", s(&input), "-o", s(&output)]);
        assert!(run.status == 3 && output.is_file(), "{name}: {} {}", run.status, run.err);
        assert_eq!(samples(&robolog(["cat", s(&output)])), before, "{name}");
        let cut = dir.path().join(format!("cut-{name}"));
        let run = robolog(["cut", s(&output), "--start", "0.5s", "-o", s(&cut)]);
        assert!(run.status == 0 && cut.is_file(), "{name}: {} {}", run.status, run.err);
        assert_eq!(robolog(["check", s(&cut)]).status, 0, "{name}");

        let whole = fs::read(&output).unwrap();
        fs::write(&output, &whole[..whole.len() / 2]).unwrap();
        let half = dir.path().join(format!("half-{name}"));
        let run = robolog(["recover", s(&output), "-o", s(&half)]);
        assert!(run.status == 3, "{name}: {} {}", run.status, run.err);
        let [damaged, recovered] = [&output, &half].map(|path| samples(&robolog(["cat", s(path)])));
        assert!(damaged == recovered && !damaged.is_empty(), "{name}");
        assert_eq!(robolog(["check", s(&half)]).status, 0, "{name}");
    }
    let other = dir.path().join("set.7z");
    let run = robolog(["recover", s(&input), "-o", s(&other)]);
    assert!(run.status == 1 && run.err.contains(".tar.gz") && !other.exists(), "{}", run.err);
}

#[cfg(unix)]
mod unix {
    use crate::run::shell;

    #[test]
    fn nothing_is_appended_to_its_own_input() {
        let dir = tempfile::tempdir().unwrap();
        for words in ["recover f -o - >> f", "cat f >> f", "cat - < f >> f", "cut f -o - >> f"] {
            let (status, err) = shell(dir.path(), &format!("cp $L f; $R {words}"));
            assert!(status == 1 && err.contains("is the input itself"), "{words}: {status} {err}");
            assert_eq!(shell(dir.path(), "cmp f $L").0, 0, "{words}");
        }
    }

    #[test]
    fn a_machine_with_too_few_files_is_no_damage() {
        let dir = tempfile::tempdir().unwrap();
        for words in ["info folder", "check folder", "cat folder", "convert folder --to jsonl -o out"] {
            let script =
                format!("mkdir -p folder; cp $L folder/a.alog; cp $F folder/b.lvx; ulimit -n 4; $R {words}");
            let (status, err) = shell(dir.path(), &script);
            assert!(status == 1 && err.contains("Too many open files"), "{words}: {status} {err}");
        }
    }
}
