//! Holes inside frames: every package outside the hole is found again, at its offset.

use std::{fs, ops::Range};

use lvx::{Lvx, Reader};
use robolog_core::Limits;
use testkit::Rng;

/// The packages of a sound file from the tables of the specification, without this crate.
fn packages(file: &[u8]) -> Vec<Range<usize>> {
    let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let version = (file[16], file[17]);
    let (mut frame, header_len) = match version {
        (1, 0) => (25 + 58 * usize::from(file[24]), 32),
        (1, 1) => (29 + 59 * usize::from(file[28]), 24),
        _ => (29 + 63 * usize::from(file[28]), 24),
    };
    let mut found = Vec::new();
    while frame + header_len <= file.len() {
        let (mut at, next) = (frame + header_len, long(frame + 8));
        while at < next {
            let len = match version {
                (1, 0) => 19 + 1300,
                (1, 1) => 19 + [1300, 900, 1344, 960, 1344, 768, 24, 1260, 660][usize::from(file[at + 10])],
                _ => 27 + u32::from_le_bytes(file[at + 18..at + 22].try_into().unwrap()) as usize,
            };
            found.push(at..at + len);
            at += len;
        }
        frame = next;
    }
    found
}

/// The locations of the packages found in a damaged file.
fn read(file: &[u8]) -> Vec<Range<usize>> {
    let reader = Reader::new(file).unwrap();
    let mut records = reader.records();
    let mut found = Vec::new();
    loop {
        match records.next() {
            Some(Ok(record)) => found.extend(record.packages().map(Result::unwrap).map(|package| {
                let at = package.offset() as usize;
                at..at + package.bytes().len()
            })),
            Some(Err(_)) => drop(records.resync()),
            None => return found,
        }
    }
}

/// Returns the number of packages lost to holes in `file`, and the number that the holes touch.
fn punch(name: &str, file: &[u8], holes: usize, len: usize) -> (usize, usize) {
    let all = packages(file);
    assert_eq!(read(file), all, "{name}");
    let (mut rng, mut lost, mut touched) = (Rng(holes as u64), 0, 0);
    for n in 0..testkit::bound(24, holes) {
        let from = all[0].start + rng.below(file.len() - all[0].start - len);
        let hole = from..from + len;
        let mut damaged = file.to_vec();
        for byte in &mut damaged[hole.clone()] {
            *byte = [0, 0xff, rng.bits() as u8][n % 3];
        }
        let is_touched = |package: &&Range<usize>| package.start < hole.end && hole.start < package.end;
        let got = read(&damaged);
        let at = format!("{name}: {hole:?}");
        for package in all.iter().filter(|package| !is_touched(package)) {
            assert!(got.contains(package), "{at}: {package:?} is lost");
        }
        for package in &got {
            assert!(all.contains(package), "{at}: {package:?} is invented");
        }
        lost += all.len() - got.len();
        touched += all.iter().filter(is_touched).count();
        // A multiple of 8 has each of the three fillings in turn.
        if n % 8 == 0 {
            testkit::assert_slice_is_stream::<Lvx>(&damaged, Limits::default());
            testkit::assert_agrees::<Lvx>(&at, &damaged);
        }
    }
    (lost, touched)
}

#[test]
fn a_hole_costs_the_packages_that_it_touches() {
    for name in ["room", "v11_two_devices", "v11_type5", "v10_cart", "lvx2_type1", "lvx2_mixed_short_tail"] {
        let file = testkit::fixture(&format!("lvx/{name}.lvx"));
        for len in [20, 300] {
            let (lost, touched) = punch(name, &file, 60, len);
            println!("{name}: {lost} packages lost of {touched} that are touched");
            assert!(lost <= touched);
        }
    }
}

#[test]
fn holes_in_real_recordings_cost_the_packages_that_they_touch() {
    let Some(folder) = testkit::data_dir("lvx") else { return };
    for name in ["tele15_real_v11.lvx", "mid100_v10_cart.lvx", "mid360_pcap_to_lvx2.lvx2"] {
        let file = fs::read(folder.join(name)).unwrap();
        let (lost, touched) = punch(name, &file, 24, 300);
        println!("{name}: {lost} packages lost of {touched} that are touched");
    }
}

/// 300 zeros across a package's header cost the package, and the one before it where they reach into its points.
#[test]
fn zeros_across_a_header_cost_one_package() {
    let file = testkit::fixture("lvx/room.lvx");
    let all = packages(&file);
    let mut damaged = file.clone();
    let at = all[40].start;
    damaged[at - 100..at + 200].fill(0);
    let got = read(&damaged);
    assert_eq!(got.len(), all.len() - 1);
    let summary = robolog_core::survey(&mut lvx::StreamReader::new(&damaged[..]).unwrap()).unwrap();
    assert_eq!(summary.lost_bytes, 1363);
    assert_eq!((summary.details.frames, summary.details.packages, summary.records), (10, 159, 11));
}

/// One bit in the top byte of a coordinate, and one in the stamps.
#[test]
fn what_no_livox_measures_is_found() {
    let find = |file: &[u8]| {
        let summary = robolog_core::survey(&mut lvx::StreamReader::new(file).unwrap()).unwrap();
        summary.findings.iter().map(|finding| (finding.code, finding.offset)).collect::<Vec<_>>()
    };
    let file = testkit::fixture("lvx/room.lvx");
    assert_eq!(find(&file), []);
    let all = packages(&file);
    let mut far = file.clone();
    // The third byte of the first y, with bits of 65 to 130 metres.
    far[all[3].start + 19 + 4 + 2] ^= 0x80;
    assert_eq!(find(&far), [("point-range", all[3].start as u64)]);
    // All stamps compressed to a thousandth of their time.
    let mut fast = file.clone();
    let stamp = |file: &[u8], at: usize| u64::from_le_bytes(file[at + 11..at + 19].try_into().unwrap());
    let start = stamp(&file, all[0].start);
    for package in &all {
        let at = package.start;
        let moved = start + (stamp(&file, at) - start) / 1000;
        fast[at + 11..at + 19].copy_from_slice(&moved.to_le_bytes());
    }
    assert_eq!(find(&fast), [("point-rate", all[0].start as u64)]);
}
