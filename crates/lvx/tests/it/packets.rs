//! Packages laid by hand: those that never arrived, clocks that get their date late, and second headers.

use std::io::Cursor;

use lvx::{Copier, Reader, StreamReader, Value, late_clocks};
use robolog_core::{Event, Summary, format::Copier as _, survey};
use testkit::Rng;

/// Nanoseconds between the packages of an Avia: 96 shots.
const PACE: u64 = 400_000;

/// A package of LVX 1.1: data type 2, at the origin.
fn package(timestamp_type: u8, stamp: u64) -> Vec<u8> {
    let mut bytes = vec![0, 5, 1, 1, 0, 0, 0, 0, 0, timestamp_type, 2];
    bytes.extend(stamp.to_le_bytes());
    bytes.resize(19 + 96 * 14, 0);
    bytes
}

/// A package of LVX2 with `points` of type 1, or an inertial measurement.
fn package2(data_type: u8, counter: u16, stamp: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 192, 168, 1, 44, 8, 0];
    bytes.extend(stamp.to_le_bytes());
    bytes.extend(counter.to_le_bytes());
    bytes.push(data_type);
    bytes.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
    bytes.extend([0; 5]);
    bytes.extend(payload);
    bytes
}

/// A recording with one device and frames of 50 packages.
fn file(version: u8, packages: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"livox_tech\0\0\0\0\0\0".to_vec();
    file.extend([version, u8::from(version == 1), 0, 0]);
    file.extend(0xac0e_a767_u32.to_le_bytes());
    file.extend([50, 0, 0, 0, 1]);
    file.extend(b"3JEDTEST0000001\0");
    file.extend([0; 16]);
    match version {
        1 => file.extend([0, 7, 0]),
        _ => file.extend([192, 168, 1, 44, 247, 9, 0]),
    }
    file.extend([0; 24]);
    for (frame, packages) in (0_u64..).zip(packages.chunks(50)) {
        let at = file.len() as u64;
        let len = packages.iter().map(Vec::len).sum::<usize>() as u64 + 24;
        for word in [at, at + len, frame] {
            file.extend(word.to_le_bytes());
        }
        file.extend(packages.concat());
    }
    file
}

fn surveyed(file: &[u8]) -> Summary<lvx::Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

/// Which of the packages arrive if this share of a hundred is lost, in bursts of this length.
fn kept(rng: &mut Rng, count: usize, percent: usize, burst: usize) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < count {
        // The first packages show nothing of what was before them.
        if at > 0 && rng.below(100 * burst) < percent {
            at += burst;
        } else {
            kept.push(at);
            at += 1;
        }
    }
    kept
}

#[test]
fn lost_packages_are_counted_by_stamps_and_by_counters() {
    let whole: Vec<usize> = (0..3000).collect();
    for version in [1, 2] {
        let count = |kept: &[usize]| {
            let laid: Vec<_> = kept
                .iter()
                .map(|i| {
                    let stamp =
                        7_000_000_000 + PACE * u64::try_from(*i).unwrap() + u64::try_from(i % 3).unwrap();
                    match version {
                        1 => package(0, stamp),
                        _ => package2(1, u16::try_from((i + 65_000) % 65_536).unwrap(), stamp, &[0; 96 * 14]),
                    }
                })
                .collect();
            let summary = surveyed(&file(version, &laid));
            let told = summary.findings.iter().filter(|finding| finding.code == "packet-loss").count();
            let lost = summary.details.devices[0].lost_packages;
            assert_eq!(told, usize::from(lost > 0));
            lost
        };
        assert_eq!(count(&whole), 0);
        for seed in 0..10 {
            let mut rng = Rng(seed);
            let (percent, burst) = (1 + rng.below(30), [1, 1, 4, 20][rng.below(4)]);
            let kept = kept(&mut rng, whole.len(), percent, burst);
            let lost = u64::try_from(kept.last().unwrap() + 1 - kept.len()).unwrap();
            assert_eq!(
                count(&kept),
                lost,
                "version {version}, seed {seed}: {percent} % in bursts of {burst}"
            );
        }
    }
}

#[test]
fn pauses_and_thin_recordings_are_no_loss() {
    let stamps = |stamp: &dyn Fn(u64) -> u64| {
        let packages: Vec<_> = (0..400).map(|i| package(0, stamp(i))).collect();
        let summary = surveyed(&file(1, &packages));
        summary.details.devices[0].lost_packages
    };
    assert_eq!(stamps(&|i| i * PACE + i / 200 * 10_000_000_000), 0, "switched off for ten seconds");
    assert_eq!(stamps(&|i| i % 200 * PACE + 1_000_000_000), 0, "switched off, and counting from zero again");
    assert_eq!(stamps(&|i| i * 3_125_000), 0, "every eighth package, always");
    assert_eq!(stamps(&|i| i / 4 * 50_000_000 + i % 4 * PACE), 0, "four packages in each frame");
}

#[test]
fn a_late_date_continues_backwards() {
    const DATE: u64 = 1_715_940_600_000_000_000;
    let packages: Vec<_> = (0..200)
        .map(|i| if i < 80 { package(0, 12_000_000_000 + i * PACE) } else { package(1, DATE + i * PACE) })
        .collect();
    let file = file(1, &packages);
    let late = late_clocks(Cursor::new(&file)).unwrap();
    assert_eq!(late.len(), 1);
    assert_eq!(lvx::late_clocks_ahead(file.as_slice()), late);
    assert_eq!(late[0].after_ns, 80 * 400_000);
    let mut reader = StreamReader::new(file.as_slice()).unwrap();
    reader.header_mut().set_late_clocks(late);
    let times: Vec<_> = reader.samples().map(|sample| sample.unwrap().time.unwrap()).collect();
    let want = [0, 50, 100, 150].map(|i| i64::try_from(DATE + i * PACE).unwrap());
    assert_eq!(times.iter().map(|time| time.nanos()).collect::<Vec<_>>(), want);
    assert!(times.iter().all(|time| time.clock() == lvx::Clock::Unix));
    let dated: Vec<_> = (0..200).map(|i| package(1, DATE + i * PACE)).collect();
    let undated: Vec<_> = (0..200).map(|i| package(0, i * PACE)).collect();
    for packages in [dated, undated] {
        assert_eq!(late_clocks(Cursor::new(self::file(1, &packages))).unwrap(), []);
    }
}

/// The clocks of a damaged recording are those of its recovered copy.
#[test]
fn damage_hides_no_late_date() {
    const DATE: u64 = 1_715_940_600_000_000_000;
    let packages: Vec<_> = (0..200)
        .map(|i| if i < 80 { package(0, 12_000_000_000 + i * PACE) } else { package(1, DATE + i * PACE) })
        .collect();
    let whole = file(1, &packages);
    let mut found = 0;
    for at in (300..whole.len() - 64).step_by(977) {
        let mut file = whole.clone();
        file[at..at + 64].fill(0xff);
        let mut reader = StreamReader::new(file.as_slice()).unwrap();
        let (header, head) = (reader.header().clone(), reader.header_bytes().to_vec());
        let mut copy = Copier::new(Cursor::new(Vec::new()), &header, &head).unwrap();
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => drop(copy.copy(&record, &mut |_, _| true)),
                Event::Damage { .. } => {}
                Event::End => break,
            }
        }
        let late = late_clocks(Cursor::new(&file)).unwrap();
        assert_eq!(late, late_clocks(Cursor::new(copy.finish().unwrap().into_inner())).unwrap(), "{at}");
        found += late.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn lvx2_has_inertial_measurements_of_24_bytes() {
    let words = [0.5_f32, -0.25, 0.125, 0.0, 0.5, 1.0].map(f32::to_le_bytes).concat();
    let packages = [
        package2(1, 7, 1000, &[0; 96 * 14]),
        package2(0, 8, 2000, &words),
        package2(1, 9, 480_000, &[0; 96 * 14]),
    ];
    let file = file(2, &packages);
    let mut measured = Vec::new();
    for sample in StreamReader::new(file.as_slice()).unwrap().samples() {
        let sample = sample.unwrap();
        if let Value::Imu(imu) = sample.value {
            measured.push((sample.channel.to_string(), sample.time.unwrap().nanos(), imu));
        }
    }
    assert_eq!(measured.len(), 1);
    let (channel, nanos, imu) = &measured[0];
    assert_eq!((channel.as_str(), *nanos), ("3JEDTEST0000001/imu", 2000));
    assert_eq!(imu.angular_velocity.unwrap().as_slice(), [0.5, -0.25, 0.125]);
    assert_eq!(imu.linear_acceleration.unwrap().as_slice(), [0.0, 0.5 * 9.80665, 9.80665]);
}

/// Two files joined by `cat`: offsets in the second count from its own start.
#[test]
fn a_second_header_begins_a_second_recording() {
    let one = file(1, &[package(0, 5), package(0, 400_005)]);
    let other = {
        let mut other = one.clone();
        other[29..45].copy_from_slice(b"3JEDTEST0000002\0");
        other
    };
    let channels = |file: &[u8]| -> Vec<String> {
        let samples = StreamReader::new(file).unwrap().samples();
        samples.map(|sample| sample.unwrap().channel.to_string()).collect()
    };
    for (second, channel) in [(&one, "3JEDTEST0000001/points"), (&other, "3JEDTEST0000002/points")] {
        let joined = [one.as_slice(), second, &one].concat();
        let [first, last] = ["3JEDTEST0000001/points"; 2];
        assert_eq!(channels(&joined), [first, channel, last]);
        let summary = surveyed(&joined);
        let found: Vec<_> = summary.findings.iter().map(|finding| (finding.code, finding.offset)).collect();
        let len = one.len() as u64;
        assert_eq!(found, [("second-recording", len), ("second-recording", 2 * len)]);
        assert_eq!((summary.details.frames, summary.details.points), (3, 3 * 192));
    }
}

#[test]
fn a_copy_of_joined_files_is_one_recording() {
    let one = file(1, &[package(0, 5), package(0, 400_005)]);
    let copy = |file: &[u8]| {
        let reader = Reader::new(file).unwrap();
        let mut copier =
            Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes()).unwrap();
        let mut errors = 0;
        for record in reader.records() {
            errors += usize::from(copier.copy(&record.unwrap(), &mut |_, _| true).is_err());
        }
        (copier.finish().unwrap().into_inner(), errors)
    };
    let (whole, errors) = copy(&[one.as_slice(), &one].concat());
    assert_eq!((surveyed(&whole).details.frames, errors), (2, 0));
    let codes: Vec<_> = surveyed(&whole).findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["frame-index", "time-backwards"], "offsets are right, numbers and stamps are kept");
    // Other devices are not in its header: their frames are left out, and named.
    let mut other = one.clone();
    other[29..45].copy_from_slice(b"3JEDTEST0000002\0");
    let (first, errors) = copy(&[one.as_slice(), &other].concat());
    assert_eq!((first, errors), (one, 2));
}

#[test]
fn a_second_header_of_another_version_is_damage() {
    let one = file(1, &[package(0, 5)]);
    let second = file(2, &[package2(1, 7, 1000, &[0; 96 * 14])]);
    let joined = [one.as_slice(), &second].concat();
    let reader = Reader::new(&joined).unwrap();
    let error = reader.records().find_map(Result::err).unwrap();
    assert_eq!(error.offset(), one.len() as u64);
    assert!(error.to_string().contains("second recording"), "{error}");
}
