//! Archives laid by hand, cut and flipped: one damaged member costs itself, and what is recovered is sound.

use std::{fs, path::Path};

use effibox::dataset::{Dataset, Options, Packing, Span};
use flate2::Crc;
use robolog_core::{Sample, Severity};

use crate::tree::{self, CAMERA, CAN, GPS, RANGE, collect};

const STEERING: &[u8] = b"10012 0.01 313\n20012 0.02 626\n30012 0 0\n";
const GYRO: &[u8] = b"10015 0.5 21.5 1 2\n20015 0.25 21.5 1 2\n";

fn sum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// The fields that both headers of a stored member have, from its flags to its sizes.
fn told(bytes: &[u8]) -> Vec<u8> {
    let len = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&[0; 8][..], &sum(bytes), &len, &len].concat()
}

/// A zip archive of stored members, and the offset of its directory.
fn zip(files: &[(&str, &[u8])]) -> (Vec<u8>, usize) {
    let (mut members, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let len = u16::try_from(name.len()).unwrap().to_le_bytes();
        let at = u32::try_from(members.len()).unwrap().to_le_bytes();
        directory.extend(
            [&b"PK\x01\x02\x14\x03\x14\0"[..], &told(bytes)[..], &len, &[0; 12], &at, name.as_bytes()]
                .concat(),
        );
        members.extend(
            [&b"PK\x03\x04\x14\0"[..], &told(bytes)[..], &len, &[0; 2], name.as_bytes(), bytes].concat(),
        );
    }
    let at = members.len();
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let [len, start] = [directory.len(), at].map(|n| u32::try_from(n).unwrap().to_le_bytes());
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count[..], &count, &len, &start, &[0; 2]].concat();
    ([members, directory, end].concat(), at)
}

/// A header of a tar archive.
fn tar_header(name: &str, len: usize) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..135].copy_from_slice(format!("{len:011o}").as_bytes());
    block[148..156].fill(b' ');
    block[156] = b'0';
    block[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = block.iter().map(|b| u32::from(*b)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    block
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut all = Vec::new();
    for (name, bytes) in files {
        all.extend(tar_header(name, bytes.len()));
        all.extend_from_slice(bytes);
        all.resize(all.len().next_multiple_of(512), 0);
    }
    all.resize(all.len() + 1024, 0);
    all
}

/// Samples as text, without their order and offsets, and the number of faults; `None` if it cannot be opened.
fn rows(path: &Path) -> Option<(Vec<String>, usize)> {
    rows_with(path, Options::default())
}

fn rows_with(path: &Path, options: Options) -> Option<(Vec<String>, usize)> {
    let (samples, faults) = collect(&Dataset::open(path).ok()?, options);
    let text = |sample: Sample| format!("{:?}", sample.with_offset(0));
    let mut all: Vec<_> = samples.into_iter().map(text).collect();
    all.sort();
    Some((all, faults.len()))
}

fn files() -> [(String, &'static [u8]); 2] {
    [(format!("{CAN}_Steering.txt"), STEERING), (format!("{CAN}_Gyro.txt"), GYRO)]
}

/// Flips each of these bits; a row that is lost is a fault, and the rows of the other member stay.
fn flip(path: &Path, whole: &[u8], places: impl Iterator<Item = usize>) -> (usize, usize) {
    fs::write(path, whole).unwrap();
    let (all, faults) = rows(path).unwrap();
    assert_eq!(faults, 0);
    let (mut kept, mut flips) = (0, 0);
    for (at, bit) in places.flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 1 << bit;
        fs::write(path, &bytes).unwrap();
        flips += 1;
        let Some((found, faults)) = rows(path) else { continue };
        assert!(found == all || faults > 0, "byte {at}, bit {bit}: {} of {} rows", found.len(), all.len());
        kept += usize::from(found.len() >= 4);
    }
    (kept, flips)
}

#[test]
fn no_bit_of_a_directory_or_a_header_costs_a_row_in_silence() {
    let dir = tempfile::tempdir().unwrap();
    let files = files();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let (whole, directory) = zip(&files);
    let first = 30 + files[0].0.len();
    let second = first + STEERING.len();
    let places = (0..first).chain(second..second + 30 + files[1].0.len()).chain(directory..whole.len());
    let (kept, flips) = flip(&dir.path().join("run.zip"), &whole, places);
    println!("zip: {kept} of {flips} keep a member or more");
    // Two tables give 3 and 4 samples.
    assert!(kept * 100 > flips * 90, "{kept} of {flips}");

    let whole = tar(&files);
    let places = (0..512).chain(1024..1536).filter(|at| at % 7 == 0 || at % 512 < 40);
    let (kept, flips) = flip(&dir.path().join("run.tar"), &whole, places);
    println!("tar: {kept} of {flips} keep a member or more");
}

/// Files of no interface are not read, but a damaged one is reported.
#[test]
fn a_bit_of_a_picture_beside_the_tables_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.zip");
    let ([(steering, _), _], [photo, notes]) = (files(), [&b"\xff\xd8 and so on"[..], b"a sunny day\n"]);
    let (whole, _) = zip(&[(&steering, STEERING), ("photo.jpg", photo), ("notes.txt", notes)]);
    for (name, content) in [("photo.jpg", photo), ("notes.txt", notes)] {
        let at = whole.windows(content.len()).position(|part| part == content).unwrap();
        let mut bytes = whole.clone();
        bytes[at + 5] ^= 4;
        fs::write(&path, &bytes).unwrap();
        let dataset = Dataset::open(&path).unwrap();
        let (samples, faults) = collect(&dataset, Options::default());
        assert_eq!((samples.len(), faults.len()), (3, 1), "{name}");
        assert!(!dataset.survey().is_ok(), "{name}");
        let lost = dataset.recover(dir.path().join(name)).unwrap().losses;
        assert!(lost.len() == 1 && lost[0].path == name, "{lost:?}");
    }
}

#[test]
fn a_member_whose_header_is_damaged_is_found_by_the_other() {
    let dir = tempfile::tempdir().unwrap();
    let files = files();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let (whole, directory) = zip(&files);
    let path = dir.path().join("run.zip");
    fs::write(&path, &whole).unwrap();
    let (all, _) = rows(&path).unwrap();
    // In the directory: the method, the sum, the size, the offset, a letter of the name. In the header: its magic, the
    // length of the name, a letter of the name.
    let listed = [10, 17, 24, 43, 50].map(|at| directory + at);
    for at in listed.into_iter().chain([1, 26, 35]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let (found, faults) = rows(&path).unwrap();
        assert!(found == all && faults > 0, "{at}: {} of {} rows, {faults} faults", found.len(), all.len());
    }
}

#[test]
fn what_is_recovered_of_a_cut_archive_is_what_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files();
    let mut backwards = files.clone();
    backwards.reverse();
    let [tar, other] = [&files, &backwards].map(|files| tree::tar_bytes(files));
    let mut recovered = 0;
    for (name, whole) in [
        ("a.zip", tree::zip_bytes(&files)),
        ("b.zip", tree::zip_bytes(&backwards)),
        ("a.tar", tar.clone()),
        ("b.tar", other.clone()),
        ("a.tar.gz", tree::gz_bytes(&tar)),
        ("b.tar.gz", tree::gz_bytes(&other)),
    ] {
        let path = dir.path().join(name);
        for len in (0..whole.len()).step_by(whole.len() / 40) {
            fs::write(&path, &whole[..len]).unwrap();
            let Some((read, faults)) = rows(&path) else { continue };
            assert!(faults > 0, "{name}: {len}");
            let out = dir.path().join(format!("{name}-{len}"));
            let losses = Dataset::open(&path).unwrap().recover(&out).unwrap().losses;
            assert!(!losses.is_empty(), "{name}: {len}");
            let (kept, faults) = rows(&out).unwrap();
            assert_eq!((kept, faults), (read, 0), "{name}: {len}: {losses:?}");
            assert!(Dataset::open(&out).unwrap().survey().is_ok(), "{name}: {len}");
            recovered += 1;
        }
    }
    assert!(recovered > 180, "{recovered}");
}

/// A receiver's track and sentences, whose times are those of `.dates`: the last lines are torn in all ways.
#[test]
fn a_torn_sentence_dates_its_burst_in_the_copy_too() {
    let dir = tempfile::tempdir().unwrap();
    let rmc = "$GPRMC,085842.00,A,4545.60946,N,00306.59563,E,0.01,,170709,,,D*4B\r\n";
    let gga = "$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n";
    let dates = format!(
        "Version 1\nGGA {} 0:0:0.450000 0:0:0.500000 0:0:0.050000\nGGA {} 0:0:1.450000 0:0:1.500000 0:0:0.050000\n",
        rmc.len(),
        rmc.len() * 2 + gga.len()
    );
    let gpx = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\
        <trkpt lat=\"45\" lon=\"3\"><time>2009-07-17T08:58:43Z</time></trkpt></trkseg></trk></gpx>";
    let log = [rmc, gga, &rmc.replace("42.00", "43.00").replace("4B", "4A"), &gga[..70]].concat();
    for len in 1..log.len() {
        let files = [
            (format!("{GPS}_GPX.gpx"), gpx.as_bytes()),
            (format!("{GPS}.dates"), dates.as_bytes()),
            (format!("{GPS}.txt"), &log.as_bytes()[..len]),
        ];
        let archive = tar(&files.each_ref().map(|(name, bytes)| (&**name, *bytes)));
        let path = dir.path().join("a.tar");
        fs::write(&path, &archive).unwrap();
        let (read, faults) = rows(&path).unwrap();
        fs::write(dir.path().join("a.tar.gz"), tree::gz_bytes(&archive)).unwrap();
        assert_eq!(rows(&dir.path().join("a.tar.gz")).unwrap(), (read.clone(), faults), "{len}");
        let out = dir.path().join(len.to_string());
        Dataset::open(&path).unwrap().recover(&out).unwrap();
        assert_eq!(rows(&out).unwrap(), (read.clone(), 0), "{len}");
        let fixes_at = |rows: &[String], nanos: &str| {
            let is_one = |row: &&String| row.contains("nmea/fix") && row.contains(nanos);
            rows.iter().filter(is_one).count()
        };
        assert_eq!(fixes_at(&read, " 500000000"), usize::from(len >= rmc.len() - 2), "{len}: {read:?}");
    }
}

#[test]
fn a_member_known_by_name_alone_counts_in_the_archive_as_in_the_copy() {
    let dir = tempfile::tempdir().unwrap();
    let rows = |path: &Path| rows_with(path, Options::default().with_mounts()).unwrap();
    let [steering, gyro] = files();
    let image = (format!("{CAMERA}/{CAMERA}-0000000001.pgm"), &b"P5 1 1 255 x"[..]);
    let dates = (format!("{CAMERA}/{CAMERA}.dates"), &b"Version 1\n121558 121558 0\n"[..]);
    for (n, files) in [[image, dates], [gyro, steering]].into_iter().enumerate() {
        let mut archive = tar(&files.each_ref().map(|(name, bytes)| (&**name, *bytes)));
        archive[148] = b'9';
        let path = dir.path().join("a.tar");
        fs::write(&path, archive).unwrap();
        let (read, faults) = rows(&path);
        assert!(faults > 0 && read.iter().all(|row| !row.contains("camera-dates")), "{read:?}");
        assert!(read.iter().any(|row| row.contains("tf_static")), "{read:?}");
        let out = dir.path().join(n.to_string());
        Dataset::open(&path).unwrap().recover(&out).unwrap();
        assert_eq!(rows(&out), (read, 0));
    }
}

#[test]
fn torn_files_of_each_kind_are_mended_or_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = tree::files();
    let gpx = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\
        <trkpt lat=\"45.7\" lon=\"3.1\"/><trkpt lat=\"45.8\" lon=\"3.1\"/></trkseg></trk></gpx>\n";
    let kml = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Placemark><LineString><coordinates>\
        3.1,45.7 3.1,45.8</coordinates></LineString></Placemark><Placemark><Point><coordinates>3.1,45.7</coordinates>\
        </Point></Placemark></Document></kml>\n";
    files.retain(|(path, _)| path.rsplit_once('.').is_none_or(|(_, extension)| extension != "gpx"));
    files.push((format!("{GPS}/{GPS}_GPX.gpx"), gpx.into()));
    files.push((format!("{GPS}/{GPS}_KML.kml"), kml.into()));
    // A row of steering is invalid by itself.
    files.retain(|(path, _)| !path.ends_with("_Steering.txt"));
    files.push((format!("{CAN}/{CAN}_Gyro.txt"), GYRO.to_vec()));
    for (n, end) in [
        "_Gyro.txt",
        "_GGA_all.txt",
        "-0000000002.pgm",
        "-0000000004.pgm",
        "-2-0.txt",
        "359666.dates",
        "2112.dates",
        "ACM0.dates",
        "ACM0.txt",
        "ntpupdate.log",
        "_GPX.gpx",
        "_KML.kml",
    ]
    .into_iter()
    .enumerate()
    {
        let at = dir.path().join(n.to_string());
        fs::create_dir(&at).unwrap();
        let mut torn = files.clone();
        let (_, bytes) = torn.iter_mut().find(|(path, _)| path.ends_with(end)).unwrap();
        bytes.truncate(bytes.len() - 4 - bytes.len() / 4);
        let path = tree::folder(&at, &torn);
        let (read, faults) = rows(&path).unwrap();
        let out = at.join("out");
        let losses = Dataset::open(&path).unwrap().recover(&out).unwrap().losses;
        assert_eq!(losses.is_empty(), faults == 0, "{end}: {losses:?}");
        let (kept, faults) = rows(&out).unwrap();
        assert_eq!((&kept, faults), (&read, 0), "{end}: {losses:?}");
        let found = Dataset::open(&out).unwrap().survey();
        let errors: Vec<_> = found.findings.iter().filter(|f| f.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{end}: {errors:?}");
        // All others are the same.
        for (path, bytes) in torn.iter().filter(|(path, _)| !path.ends_with(end)) {
            assert!(fs::read(out.join(path)).unwrap() == *bytes, "{end}: {path}");
        }
    }
}

#[test]
fn a_damaged_member_is_left_out_of_a_cut_alone() {
    let dir = tempfile::tempdir().unwrap();
    let files = files();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let (mut bytes, _) = zip(&files);
    let place = bytes.windows(5).position(|w| w == b"20015").unwrap();
    bytes[place] ^= 1;
    let path = dir.path().join("run.zip");
    fs::write(&path, &bytes).unwrap();
    let out = dir.path().join("cut");
    let span = Span { from: Some(15_000), to: None };
    let copied = Dataset::open(&path).unwrap().copy(&out, span).unwrap();
    assert_eq!((copied.damaged, copied.rows, copied.is_complete()), (1, 3, false));
    assert_eq!(fs::read(out.join(files[0].0)).unwrap(), b"20012 0.02 626\n30012 0 0\n");
}

#[test]
fn a_list_without_rows_needs_no_files() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        (format!("{RANGE}/{RANGE}.dates"), b"Version XXX\n".to_vec()),
        (format!("{CAMERA}/{CAMERA}.dates"), b"Version 1\n# none\n".to_vec()),
        (format!("{CAN}/{CAN}_Steering.txt"), STEERING.to_vec()),
    ];
    for path in tree::everywhere(dir.path(), &files) {
        let found = Dataset::open(&path).unwrap().survey();
        assert!(found.is_ok(), "{}: {:?}", path.display(), found.findings);
    }
}

#[test]
fn a_data_set_is_written_as_an_archive() {
    let dir = tempfile::tempdir().unwrap();
    let root = tree::folder(dir.path(), &tree::files());
    let (want, _) = rows(&root).unwrap();
    for name in ["a.zip", "a.tar", "a.tar.gz", "a.TGZ"] {
        let path = dir.path().join(name);
        let out = fs::File::create(&path).unwrap();
        Packing::of_name(&path).unwrap().pack(&root, out).unwrap();
        assert_eq!(rows(&path).unwrap(), (want.clone(), 1), "{name}");
    }
    assert_eq!(Packing::of_name(Path::new("run.v2")), None);
}

#[test]
fn the_receivers_own_sentences_and_track_decide_the_times_of_day() {
    let dir = tempfile::tempdir().unwrap();
    let row = |utc: u32| {
        format!("476121 660168.8 2084722.8 460.6 0.798665417515059 0.0542784685555518 460.6 8 {utc} 2 1 -1\n")
    };
    // 085842: hours and minutes as one number are seconds of the day, too.
    for (n, (utc, want)) in [(32_322, "seconds"), (85_842, "hhmmss")].into_iter().enumerate() {
        let files = [
            (format!("{GPS}_GGA_all.txt"), row(utc).into_bytes()),
            (
                format!("{GPS}.txt"),
                b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n".to_vec(),
            ),
        ];
        let at = dir.path().join(n.to_string());
        fs::create_dir(&at).unwrap();
        let found = Dataset::open(tree::folder(&at, &files)).unwrap().survey();
        let gga = found.details.interfaces[0].tables.values().find_map(|table| table.gga.clone()).unwrap();
        assert_eq!(gga.utc_time.name(), want);
        assert!((gga.start_of_day_s.unwrap() - (32_322.0 - 0.476_121)).abs() < 1e-6);
        assert!(!found.findings.iter().any(|finding| finding.code == "utc-time"));
    }
}
