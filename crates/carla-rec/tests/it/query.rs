//! The server's three answers, byte for byte, against texts of an independent reader that prints through C++ streams.

use std::{collections::BTreeSet, fs, io::Read as _, path::Path};

use carla_rec::{
    Reader, StreamReader,
    query::{self, Options, Wording},
};

fn info(file: &[u8], options: Options) -> String {
    let mut out = Vec::new();
    query::info(&mut StreamReader::new(file).unwrap(), options, &mut out, &mut |e, _| panic!("{e}")).unwrap();
    String::from_utf8(out).unwrap()
}

fn collisions(file: &[u8], types: [char; 2], options: Options) -> String {
    let mut out = Vec::new();
    let reader = &mut StreamReader::new(file).unwrap();
    query::collisions(reader, types, options, &mut out, &mut |e, _| panic!("{e}")).unwrap();
    String::from_utf8(out).unwrap()
}

fn blocked(file: &[u8], min_time: f64, min_distance: f64, options: Options) -> String {
    let mut out = Vec::new();
    let reader = &mut StreamReader::new(file).unwrap();
    query::blocked(reader, min_time, min_distance, options, &mut out, &mut |e, _| panic!("{e}")).unwrap();
    String::from_utf8(out).unwrap()
}

/// Shows the first line that differs instead of megabytes.
fn same(name: &str, got: &str, want: &str) {
    if got != want {
        let (n, (a, b)) =
            (1..).zip(got.split('\n').zip(want.split('\n'))).find(|(_, (a, b))| a != b).unwrap_or_default();
        panic!("{name}, line {n}:\n got  {a:?}\n want {b:?}\n ({} and {} bytes)", got.len(), want.len());
    }
    println!("{name}: {} bytes equal", want.len());
}

fn text(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let mut text = String::new();
    if path.extension().is_some_and(|e| e == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        return text;
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn real_recordings_give_the_servers_text() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let golden = dir.join("golden");
    for file in
        ["2762.rec", "crash.log", "DistanceToLaneCenter_2020-09.log", "DistanceToLaneCenter_2021-11.log"]
    {
        let bytes = fs::read(dir.join(file)).unwrap();
        let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
        let want = |kind: &str| text(&golden.join(format!("{stem}.{kind}")));
        same(&format!("{stem} info"), &info(&bytes, Options::default()), &want("info.txt"));
        let all = info(&bytes, Options::default().with_all(true));
        same(&format!("{stem} info all"), &all, &want("info_all.txt.gz"));
        let any = collisions(&bytes, ['a', 'a'], Options::default());
        same(&format!("{stem} collisions"), &any, &want("collisions_aa.txt"));
        // Lines of equal duration come in the order of a hash table.
        let (got, want) = (blocked(&bytes, 1.0, 10.0, Options::default()), want("blocked_1s_10cm.txt"));
        let set = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(set(&got), set(&want), "{stem} blocked");
        assert_eq!(got.lines().count(), want.lines().count(), "{stem} blocked");
        println!("{stem} blocked: {} lines equal", want.lines().count());
    }
}

#[test]
fn constructed_recordings_give_the_servers_text() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let dir = dir.join("synthetic");
    let bytes = fs::read(dir.join("v1_0915_no_door.log")).unwrap();
    let all = Options::default().with_all(true);
    same("0.9.15", &info(&bytes, all), &text(&dir.join("v1_0915_no_door.info_all.txt")));
    let any = collisions(&bytes, ['a', 'a'], Options::default());
    same("0.9.15 collisions", &any, &text(&dir.join("v1_0915_no_door.collisions_aa.txt")));
    let bytes = fs::read(dir.join("v2_0916.log")).unwrap();
    let events = Options::default().with_wording(Wording::V0_9_16);
    same("0.9.16", &info(&bytes, events), &text(&dir.join("v2_0916.info.txt")));
    same("0.9.16 all", &info(&bytes, events.with_all(true)), &text(&dir.join("v2_0916.info_all.txt")));
}

fn fixture(name: &str) -> (Vec<u8>, serde_json::Value) {
    let truth = testkit::fixture(&format!("carla-rec/{name}.truth.json"));
    (testkit::fixture(&format!("carla-rec/{name}.log")), serde_json::from_slice(&truth).unwrap())
}

/// Before 0.9.16 the server prints no line for frames without doors.
#[test]
fn doors_are_told_where_the_server_tells_them() {
    let whole = testkit::fixture("carla-rec/v0_9_15.log");
    let reader = Reader::new(&whole).unwrap();
    let mut file = reader.header_bytes().to_vec();
    for record in reader.records() {
        let record = record.unwrap();
        file.extend(record.bytes());
        if record.id() == 5 {
            // Doors come after the collisions: there are none.
            file.extend([23, 2, 0, 0, 0, 0, 0]);
        }
    }
    let doors = |all, wording| {
        let text = info(&file, Options::default().with_all(all).with_wording(wording));
        text.matches("Vehicle door animations: 0").count()
    };
    assert_eq!([Wording::V0_9_15, Wording::V0_9_16].map(|wording| doors(true, wording)), [0, 4]);
    assert_eq!(doors(false, Wording::V0_9_16), 0);
}

/// The lines between the heading and the last two, in words.
fn table(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip(5).take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Each pair is printed when contact begins, and not again while it lasts.
#[test]
fn collisions_are_told_when_they_begin() {
    let (file, truth) = fixture("collisions");
    let starts: Vec<[u64; 3]> = serde_json::from_value(truth["collision_starts"].clone()).unwrap();
    for corrected in [false, true] {
        let options = Options::default().with_corrected(corrected);
        let text = collisions(&file, ['a', 'a'], options);
        let lines = table(&text);
        assert_eq!(lines.len(), starts.len(), "{text}");
        for (line, [frame, actor1, actor2]) in lines.iter().zip(&starts) {
            // Frames last a sixteenth of a second: all are at 0 or 1 s.
            let elapsed = f64::from(u32::try_from(frame - 1).unwrap()) * 0.0625;
            assert_eq!(line[0], format!("{elapsed:.0}"));
            let ids: Vec<&String> = line.iter().filter(|word| word.parse::<u64>().is_ok()).skip(1).collect();
            assert_eq!(ids, [&actor1.to_string(), &actor2.to_string()], "{line:?}");
        }
        let last = if corrected { "Duration: 0.5625 seconds\n" } else { "Duration: 1 seconds\n" };
        assert!(text.ends_with(&format!("\nFrames: 10\n{last}")), "{text}");
    }
    // Types: 24 other, 25 hero, 26 vehicle, 27 walker, 29 traffic sign, 30 sensor, 31 vehicle.
    let letters = |types, corrected| {
        let text = collisions(&file, types, Options::default().with_corrected(corrected));
        table(&text).iter().map(|line| format!("{}{}", line[1], line[2])).collect::<Vec<_>>()
    };
    let all = |corrected| letters(['a', 'a'], corrected);
    // The server has forgotten 31, the last actor that appeared, when 27 disappeared.
    assert_eq!(all(false), ["vv", "vv", "vo", "vh", "vo", "av", "vv", "wv", "vw", "oo", "oo", "vv"]);
    assert_eq!(all(true), ["vv", "vv", "vo", "vs", "vo", "nv", "vv", "wv", "vw", "ov", "vo", "vv"]);
    assert_eq!(letters(['h', 'a'], true).len(), 6, "those of the hero, as the first");
    assert_eq!(letters(['h', 'w'], false), ["vw"]);
    assert_eq!(letters(['v', 'h'], true), ["vv"]);
    assert_eq!(letters(['v', 'h'], false), ["vv", "vh"], "signs pass for heroes");
    assert_eq!(
        (letters(['v', 's'], true), letters(['n', 'v'], true)),
        (vec!["vs".into()], vec!["nv".into()])
    );
    assert_eq!(letters(['w', 'w'], true), Vec::<String>::new());
}

#[test]
fn stands_are_told_longest_first() {
    let (file, truth) = fixture("blocked");
    let rows = |options| {
        let text = blocked(&file, 30.0, 10.0, options);
        let rows = table(&text).into_iter().map(|line| {
            let n = |i: usize| line[i].parse::<f64>().unwrap();
            (line[1].parse::<u32>().unwrap(), n(0), n(3))
        });
        rows.collect::<Vec<_>>()
    };
    // As the server: from the frame after the arrival, with the last frame's -1.
    let mut reference: Vec<(u32, f64, f64)> =
        serde_json::from_value(truth["blocked_reference"].clone()).unwrap();
    reference.sort_by(|a, b| b.2.total_cmp(&a.2));
    assert_eq!(rows(Options::default()), reference);
    // The truth: actor, first and last frame, begin and end.
    let stands: Vec<(u32, u64, u64, f64, f64)> = serde_json::from_value(truth["stands"].clone()).unwrap();
    let mut wanted: Vec<_> =
        stands.into_iter().map(|(id, _, _, begin, end)| (id, begin, end - begin)).collect();
    wanted.retain(|(_, _, duration)| *duration >= 30.0);
    wanted.sort_by(|a, b| b.2.total_cmp(&a.2));
    assert_eq!(rows(Options::default().with_corrected(true)), wanted);
}

/// Damage is reported, and the text continues after it.
#[test]
fn damage_is_told() {
    for (name, frames) in [("bad_size_huge", 4), ("garbage_middle", 4), ("bad_count", 4), ("zero_tail", 4)] {
        let (file, truth) = fixture(name);
        let at = truth["damage_offset"].as_u64().unwrap();
        let mut damage = Vec::new();
        let mut out = Vec::new();
        let reader = &mut StreamReader::new(&file[..]).unwrap();
        let options = Options::default().with_all(true);
        query::info(reader, options, &mut out, &mut |error, lost| damage.push((error, lost))).unwrap();
        assert_eq!(damage.len(), 1, "{name}: {damage:?}");
        let (error, lost) = &damage[0];
        // In a whole packet, the error is inside.
        assert!((at..at + 10).contains(&error.offset()), "{name}: {error}");
        assert!(lost.start >= at && lost.end > lost.start && lost.end <= file.len() as u64, "{name}");
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(text.contains(&format!("\nFrames: {frames}\nDuration: 0.25 seconds\n")), "{name}: {text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("Frame 3 at")).count(), 1, "{name}");
    }
}

/// Names in a file cannot control a terminal.
#[test]
fn control_characters_are_escaped() {
    let mut file = testkit::fixture("carla-rec/collisions.log");
    file[28] = 0x1b;
    let mut changed = 0;
    for at in 0..file.len() - 8 {
        if [&b"vehicle."[..], b"spectato"].contains(&&file[at..at + 8]) {
            file[at..at + 4].copy_from_slice(b"\x1b[2J");
            changed += 1;
        }
    }
    assert!(changed > 1);
    let all = Options::default().with_all(true);
    let texts = [info(&file, all), collisions(&file, ['a', 'a'], all), blocked(&file, 0.0, 1e9, all)];
    for text in texts {
        assert!(!text.contains('\x1b'), "{text:?}");
        assert!(text.contains("Map: \\u{1b}own") && text.contains("\\u{1b}[2J"), "{text}");
    }
}
