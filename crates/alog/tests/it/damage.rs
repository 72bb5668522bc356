//! What is damaged is told, and recovered logs have the samples of the damaged ones.

use std::io::Cursor;

use alog::{Options, Rewriter, Sampler, StreamReader, Survey};
use robolog_core::{Event, Rewriting, Sample, Sampling, survey};

/// Samples but for their offsets, and whether something was wrong.
fn sampled(file: &[u8]) -> (Vec<String>, bool) {
    let mut reader = StreamReader::new(file).unwrap();
    let mut sampler = Sampler::new(reader.header(), Options::default());
    let (mut found, mut is_damaged) = (Vec::new(), false);
    let mut sink = |s: &mut Sample| {
        found.push(format!("{:?} {} {} {:?}", s.time, s.channel, s.frame_id, s.value));
        Ok::<(), alog::Error>(())
    };
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => is_damaged |= sampler.push(&record, &mut sink).is_err(),
            Event::Damage { .. } => is_damaged = true,
            Event::End => break,
        }
    }
    sampler.finish(&mut sink).unwrap();
    (found, is_damaged)
}

/// The recovered log, the bytes that it does not have, and whether something was wrong.
fn recovered(file: &[u8]) -> (Vec<u8>, u64, bool) {
    let mut reader = StreamReader::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    let (mut lost_bytes, mut is_damaged) = (0, false);
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => drop(out.copy(&record, &mut |_, _| true).unwrap()),
            Event::Damage { lost, .. } => {
                lost_bytes += lost.end - lost.start;
                is_damaged = true;
            }
            Event::End => break,
        }
    }
    is_damaged |= out.unfinished().is_some();
    (out.finish().unwrap().into_inner(), lost_bytes, is_damaged)
}

/// Everything that must hold of a file, whatever is wrong with it. Gives how many samples it has, and whether it is
/// called damaged.
fn compare(name: &str, file: &[u8]) -> Option<(usize, bool)> {
    let mut reader = StreamReader::new(file).ok()?;
    let summary = survey::<Survey>(&mut reader).unwrap();
    let (samples, cat) = sampled(file);
    let (copy, lost_bytes, recover) = recovered(file);
    assert_eq!((!summary.is_ok(), summary.lost_bytes), (cat, lost_bytes), "{name}: check and cat differ");
    assert_eq!(cat, recover, "{name}: cat and recover differ");
    let added = u64::from(copy.ends_with(b"\n") && !file.ends_with(b"\n") && recover);
    assert!(copy.len() as u64 + lost_bytes <= file.len() as u64 + added, "{name}: bytes are counted twice");
    let Ok(mut reader) = StreamReader::new(&copy[..]) else {
        assert_eq!(samples.len(), 0, "{name}: no log is left");
        return Some((0, cat));
    };
    let again = survey::<Survey>(&mut reader).unwrap();
    assert!(again.is_ok(), "{name}: what is recovered is damaged: {:?}", again.findings);
    assert_eq!(sampled(&copy).0, samples, "{name}: what is recovered has other samples");
    Some((samples.len(), cat))
}

#[test]
fn check_cat_and_recover_agree_about_fixtures_and_their_cuts() {
    let mut compared = 0;
    for extension in ["alog", "xlog", "klog"] {
        for fixture in testkit::fixtures("alog", extension) {
            let file = &fixture.bytes;
            compared += usize::from(compare(&fixture.name, file).is_some());
            for cut in (0..file.len()).step_by(7) {
                let name = format!("{} cut at {cut}", fixture.name);
                compared += usize::from(compare(&name, &file[..cut]).is_some());
            }
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// A cut inside a line is told, wherever it is.
#[test]
fn a_cut_inside_a_line_is_damage() {
    let file = testkit::fixture("alog/moosivp.alog");
    let body = StreamReader::new(&file[..]).unwrap().header_bytes().len();
    for cut in body + 1..file.len() {
        let (_, damaged) = compare("cut", &file[..cut]).unwrap();
        let inside_a_line = file[cut - 1] != b'\n';
        assert_eq!(
            damaged,
            inside_a_line,
            "cut at {cut}: {:?}",
            String::from_utf8_lossy(&file[cut - 20..cut])
        );
    }
}

/// Every bit of every time: an entry that is lost is told.
#[test]
fn a_flipped_bit_in_a_time_costs_no_entry_in_silence() {
    let log = b"%% LOGSTART 1714983600.5\n\
        0.50000         NAV_X                uSimMarine      1.50000      \n\
        12.62500        MOOS_DEBUG           pHelmIvP        two\nlines \n\
        -13.7500        A_NAME_THAT_IS_LONGER_THAN_ITS_COLUMN uSimMarine      2 \n\
        14.00000        NODE_REPORT_LOCAL    pNodeReporter   NAME=alpha,X=1,Y=2 \n\
        15.00000        NAV_Y                uSimMarine      2.50000      \n";
    let (all, damaged) = compare("whole", log).unwrap();
    assert!(!damaged);
    let mut told = 0;
    for start in (0..log.len()).filter(|i| *i > 25 && log[i - 1] == b'\n' && log[*i] != b'l') {
        let end = start + log[start..].iter().position(|b| *b == b' ').unwrap();
        for at in start..end {
            for bit in 0..8 {
                let mut flipped = log.to_vec();
                flipped[at] ^= 1 << bit;
                if flipped[at] == b'\n' {
                    continue;
                }
                let (left, damaged) = compare("flipped", &flipped).unwrap();
                assert!(left >= all || damaged, "{:?}", String::from_utf8_lossy(&flipped[start..end]));
                told += u32::from(damaged);
            }
        }
    }
    assert!(told > 100, "{told}");
}

#[test]
fn real_logs_are_sound_and_agree() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for name in truth.as_object().unwrap().keys() {
        let file = std::fs::read(dir.join(name)).unwrap();
        let (_, damaged) = compare(name, &file).unwrap();
        assert!(!damaged, "{name}");
    }
}
