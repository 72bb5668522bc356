//! Counts of every log against the truth file, and fixes against those of gpsd.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use robolog_core::{Event, format::Format as _, survey};
use robolog_nmea::{Checksum, Coordinate, Message, Nmea, Record, Sentence, StreamReader};
use serde_json::Value as Json;

fn records(file: &[u8], mut look: impl FnMut(&Record<'_>)) {
    let mut reader = StreamReader::new(file).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => look(&record),
            Event::Damage { error, .. } => panic!("{error}"),
            Event::End => return,
        }
    }
}

/// Type names as in the truth file: the last three characters of addresses with five, proprietary ones included.
fn name_of(sentence: &Sentence<'_>) -> String {
    let address = sentence.address();
    if address.len() == 5 { address[2..].to_owned() } else { address.to_owned() }
}

/// Sentences in the middle of lines, which the truth file's script does not find: it splits at newlines. In the log of
/// a Quectel L76K, every GNGGA follows a binary message; in others a sentence is cut off by the next, which is whole. A
/// line that begins with `!` or `$` and continues in binary counts as a sentence there.
fn begins_line(file: &[u8], record: &Record<'_>) -> bool {
    let at = usize::try_from(record.offset()).unwrap();
    at == 0 || file[at - 1] == b'\n'
}

#[test]
fn counts_are_the_truth() {
    let Some(dir) = testkit::data_dir("effibox/nmea") else { return };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let (mut sentences, mut mid_line) = (0, BTreeMap::new());
    for truth in &truth {
        let name = truth["file"].as_str().unwrap();
        let file = fs::read(dir.join(name)).unwrap();
        assert_eq!(file.len() as u64, truth["bytes"].as_u64().unwrap(), "{name}");
        let want = |key: &str| truth[key].as_u64().unwrap();
        if want("lines") == 0 {
            assert!(StreamReader::new(&file[..]).is_err(), "{name}");
            println!("{name}: no sentences, refused");
            continue;
        }
        assert!(Nmea::detect(&file[..file.len().min(1 << 16)]), "{name}: not detected");
        let mut types: BTreeMap<String, u64> = BTreeMap::new();
        let (mut first, mut last, mut sums) = (None, None, [0.0; 2]);
        // In the middle of lines: sentences, GGA positions, GSV, their satellites, and those that cut off another
        // sentence.
        let mut extra = [0_u64; 5];
        let mut is_cut = false;
        records(&file, |record| {
            let was_cut = std::mem::take(&mut is_cut);
            let Some(sentence) = record.sentence() else { return };
            is_cut = !sentence.is_ended();
            let message = record.message();
            let gga = match &message {
                Some(Message::Gga(gga)) if sentence.checksum() == Checksum::Right => {
                    gga.latitude.zip(gga.longitude)
                }
                _ => None,
            };
            if !begins_line(&file, record) {
                assert_eq!(sentence.checksum(), Checksum::Right, "{name}: {sentence:?}");
                extra[0] += 1;
                extra[1] += u64::from(gga.is_some());
                extra[4] += u64::from(was_cut);
                if let Some(Message::Gsv(gsv)) = message {
                    extra[2] += 1;
                    extra[3] += gsv.satellites().count() as u64;
                }
                return;
            }
            *types.entry(name_of(sentence)).or_default() += 1;
            if let Some((latitude, longitude)) = gga {
                let degrees = [latitude.degrees(), longitude.degrees()];
                sums = [sums[0] + degrees[0], sums[1] + degrees[1]];
                let text = String::from_utf8_lossy(sentence.field(0).unwrap()).into_owned();
                last = Some((text, degrees));
                first = first.take().or_else(|| last.clone());
            }
        });
        let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
        let d = &summary.details;
        if extra[0] > 0 {
            mid_line.insert(name.to_owned(), extra);
        }
        // Lines that begin with `$` or `!` without an address.
        let is_odd = |kind: &str| !kind.bytes().all(|b| matches!(b, b' '..=b'~'));
        let want_types: BTreeMap<String, u64> = truth["types"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(kind, _)| !is_odd(kind))
            .map(|(kind, n)| (kind.clone(), n.as_u64().unwrap()))
            .collect();
        let odd = truth["types"].as_object().unwrap().keys().filter(|kind| is_odd(kind)).count() as u64;
        // One of them there ends in a star and two digits, and counts as one with a wrong checksum.
        let odd_bad = u64::from(name == "gpsd__quectel-l76k-dual.log");
        assert_eq!(types, want_types, "{name}");
        assert_eq!(d.sentences - extra[0], want("lines") - odd, "{name}: sentences");
        assert_eq!(d.checksum_ok - extra[0], want("checksum_ok"), "{name}: right checksums");
        assert_eq!(d.checksum_bad, want("checksum_bad") - odd_bad - extra[4], "{name}: wrong checksums");
        assert_eq!(d.no_checksum, want("no_checksum") - (odd - odd_bad) + extra[4], "{name}: no checksums");
        assert_eq!(d.gga_positions - extra[1], want("gga_positions"), "{name}: positions");
        assert_eq!(d.gsv_sentences - extra[2], want("gsv_sentences"), "{name}: GSV");
        assert_eq!(d.gsv_satellites - extra[3], want("gsv_sat_entries"), "{name}: satellites");
        let position = |json: &Json| {
            json.as_array()
                .map(|a| (a[0].as_str().unwrap().to_owned(), [1, 2].map(|i| a[i].as_f64().unwrap())))
        };
        assert_eq!(first, position(&truth["gga_first"]), "{name}: first position");
        assert_eq!(last, position(&truth["gga_last"]), "{name}: last position");
        for (sum, key) in sums.into_iter().zip(["gga_sumlat", "gga_sumlon"]) {
            assert!((sum - truth[key].as_f64().unwrap()).abs() < 1e-6, "{name}: {key}");
        }
        if extra[0] == 0 {
            let fixq: BTreeMap<String, u64> = truth["gga_fixq"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(k, n)| (k.clone(), n.as_u64().unwrap()))
                .collect();
            assert_eq!(d.gga_qualities, fixq, "{name}: qualities");
        }
        assert_eq!(summary.bytes, file.len() as u64);
        for finding in summary.findings.iter().filter(|f| f.code == "field") {
            println!("{name}: {}", finding.message);
        }
        sentences += d.sentences;
    }
    println!("{} files, {sentences} sentences; in the midst of lines: {mid_line:?}", truth.len());
    assert!(truth.len() >= 71);
}

/// Positions by sentence type: since the last report, and before.
#[derive(Default)]
struct Told {
    now: BTreeMap<&'static str, [f64; 2]>,
    before: BTreeMap<&'static str, [f64; 2]>,
}

impl Told {
    /// The sentence that a position came from: GGA first, then later before earlier sentences.
    fn source(&self, want: [f64; 2]) -> String {
        let same = |at: &[f64; 2]| at.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-7);
        let of = |map: &BTreeMap<&'static str, [f64; 2]>| {
            map.iter().find(|(_, at)| same(at)).map(|(kind, _)| *kind)
        };
        match (of(&self.now), of(&self.before)) {
            (Some("GGA"), _) => "GGA".to_owned(),
            (Some(kind), _) if self.now.contains_key("GGA") => format!("{kind}, and a GGA says otherwise"),
            (Some(kind), _) => format!("{kind}, without a GGA"),
            (None, Some(kind)) if self.now.is_empty() => format!("{kind}, told before the last report"),
            (None, Some(kind)) => format!("{kind}, told before the last report though there is a newer one"),
            (None, None) => "none".to_owned(),
        }
    }
}

fn position(message: &Message<'_>) -> Option<(&'static str, Coordinate, Coordinate)> {
    let (kind, latitude, longitude) = match message {
        Message::Gga(m) => ("GGA", m.latitude, m.longitude),
        Message::Rmc(m) => ("RMC", m.latitude, m.longitude),
        Message::Gll(m) => ("GLL", m.latitude, m.longitude),
        Message::Gns(m) => ("GNS", m.latitude, m.longitude),
        _ => return None,
    };
    Some((kind, latitude?, longitude?))
}

/// A `.chk` file contains the sentences as gpsd read them, each followed by its reports. A report has a cycle's
/// position, which may come from any sentence of it: the last GGA of the cycle if there is one, otherwise another
/// sentence.
#[test]
fn fixes_are_those_of_gpsd() {
    let Some(dir) = testkit::data_dir("effibox/nmea") else { return };
    let mut totals: BTreeMap<String, u64> = BTreeMap::new();
    let mut odd: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut files = 0;
    for path in chk_files(&dir) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = fs::read(&path).unwrap();
        let mut told = Told::default();
        let mut compared = 0;
        for line in file.split_inclusive(|b| *b == b'\n') {
            if let Ok(sentence) = Sentence::parse(line) {
                let message = Message::decode_lenient(&sentence)
                    .0
                    .filter(|_| !matches!(sentence.checksum(), Checksum::Wrong { .. }));
                if let Some((kind, latitude, longitude)) = message.as_ref().and_then(position) {
                    let at = [latitude.degrees(), longitude.degrees()];
                    told.now.insert(kind, at);
                }
                continue;
            }
            let Ok(report) = serde_json::from_slice::<Json>(line) else { continue };
            let Some(want) = report["lat"].as_f64().zip(report["lon"].as_f64()).map(|(a, b)| [a, b]) else {
                continue;
            };
            if report["class"] != "TPV" {
                continue;
            }
            let source = told.source(want);
            if source == "none" || source.contains("though") || source.contains("otherwise") {
                let list: &mut Vec<_> = odd.entry(name.clone()).or_default();
                list.push(format!("{source}: {want:?} of {:?} {:?}", told.now, told.before));
            }
            *totals.entry(source).or_default() += 1;
            compared += 1;
            let now = std::mem::take(&mut told.now);
            told.before.extend(now);
        }
        files += u64::from(compared > 0);
    }
    println!("{files} files; positions of gpsd by the sentence that has them: {totals:?}");
    for (name, list) in &odd {
        println!("{name}: {} not found, such as {}", list.len(), list[0]);
    }
    // If RMC has fewer decimals or a newer position, gpsd uses the latest.
    assert_eq!(odd.keys().collect::<Vec<_>>(), ["gpsd__ac12_binary.log.chk", "gpsd__humminbird-M37.log.chk"]);
    assert!(odd.values().flatten().all(|text| text.starts_with("RMC, and a GGA says otherwise")));
    assert_eq!(odd.values().map(Vec::len).sum::<usize>(), 5);
    assert!(totals["GGA"] >= 654 && totals.values().sum::<u64>() >= 1489 && !totals.contains_key("none"));
}

fn chk_files(dir: &Path) -> BTreeSet<std::path::PathBuf> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|e| e == "chk")).collect()
}
