//! Damage is reported, and recovered logs have the samples of the damaged ones.

use alog::{Alog, Reader, Seconds, StreamReader};
use robolog_core::{Event, survey};

/// Number of samples, and whether damage is reported; `None` without a header.
fn compare(name: &str, file: &[u8]) -> Option<(usize, bool)> {
    testkit::assert_agrees::<Alog>(name, file)?;
    let found = testkit::deliveries::<Alog>(file)?;
    Some((found.samples.len(), !found.faults.is_empty()))
}

#[test]
fn check_cat_and_recover_agree_about_fixtures_and_their_cuts() {
    let mut compared = 0;
    for extension in ["alog", "xlog", "klog", "slog"] {
        for fixture in testkit::fixtures("alog", extension) {
            let file = &fixture.bytes;
            compared += usize::from(compare(&fixture.name, file).is_some());
            for cut in testkit::one_in(7, (0..file.len()).step_by(7)) {
                let name = format!("{} cut at {cut}", fixture.name);
                compared += usize::from(compare(&name, &file[..cut]).is_some());
            }
        }
    }
    assert!(compared > testkit::bound(500, 3000), "{compared}");
}

/// A cut inside a line is reported, wherever it is.
#[test]
fn a_cut_inside_a_line_is_damage() {
    let file = testkit::fixture("alog/moosivp.alog");
    let body = StreamReader::new(&file[..]).unwrap().header_bytes().len();
    for cut in testkit::one_in(7, body + 1..file.len()) {
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

/// Every bit of every time: a lost entry is reported.
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

/// Entries begin inside two lines of this log, as found by an independent script. Entries are still counted by lines.
#[test]
fn entries_of_a_real_log_that_begin_inside_of_lines_are_warnings() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let file = std::fs::read(dir.join("torn/MOOSLog_16_3_2020_____21_19_06.alog")).unwrap();
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    let joined = summary.findings.iter().filter(|f| f.code == "joined-entries");
    let places: Vec<_> = joined.map(|f| f.offset).collect();
    assert_eq!(places, [314_609, 376_987]);
}

const HEADER: &str = "%% LOG FILE:       x.alog\n%% LOGSTART 1714983600.5\n";
const ONE: &str = "0.50000         NAV_X                uSimMarine      1.50000      \n";
const TWO: &str = "12.62500        MOOS_DEBUG           pHelmIvP        two\n";

/// For any wrong bit in an entry's line end, the next entry is a part of its value, with a warning; a control character
/// between them is one more.
#[test]
fn an_entry_behind_a_damaged_end_of_line_is_told() {
    let log = format!("{HEADER}{ONE}{TWO}{ONE}");
    for end in [HEADER.len() + ONE.len(), HEADER.len() + ONE.len() + TWO.len()] {
        for bit in 0..8 {
            let mut flipped = log.clone().into_bytes();
            flipped[end - 1] ^= 1 << bit;
            let summary = survey(&mut StreamReader::new(&flipped[..]).unwrap()).unwrap();
            let codes: Vec<_> = summary.findings.iter().map(|f| (f.code, f.offset)).collect();
            if flipped[end - 1] < b' ' {
                let want = [("joined-entries", end as u64), ("control-character", end as u64 - 1)];
                assert!(codes.len() == 2 && want.iter().all(|found| codes.contains(found)), "{codes:?}");
                assert_eq!(compare("flipped", &flipped), Some((2, false)));
                continue;
            }
            assert_eq!(codes, [("joined-entries", end as u64)], "bit {bit} of byte {end}");
            assert_eq!(compare("flipped", &flipped), Some((2, false)));
        }
    }
}

/// A hole of zeros anywhere: the file is damaged there, and the only entries lost or changed are those that it touches,
/// and the one that then shares a line with them.
#[test]
fn a_hole_of_zeros_costs_the_entries_that_it_touches() {
    let log = format!("{HEADER}{ONE}{TWO}%% a comment\n{ONE}two\nlines\n{TWO}{ONE}").into_bytes();
    let (all, _) = events(&log);
    assert_eq!(all.len(), 6);
    for len in [2, 16, 90] {
        for at in HEADER.len()..=log.len() - len {
            let mut holed = log.clone();
            holed[at..at + len].fill(0);
            let (left, damaged) = events(&holed);
            assert!(damaged.iter().any(|lost| lost.contains(&at)), "{len} at {at}: {damaged:?}");
            let behind = holed.get(at + len..).and_then(|rest| rest.iter().position(|b| *b == b'\n'));
            let end = at + len + behind.map_or(0, |end| end + 1);
            let is_apart = |(start, bytes): &&(usize, Vec<u8>)| start + bytes.len() <= at || *start >= end;
            for record in all.iter().filter(is_apart) {
                assert!(left.contains(record), "{len} at {at}: {record:?}");
            }
            assert!(left.iter().all(|(_, bytes)| !bytes.contains(&0)), "{len} at {at}");
            compare("hole", &holed);
        }
    }
}

/// Offsets of lines, and their bytes.
type Lines = Vec<(usize, Vec<u8>)>;

/// Records, and the bytes that are damage.
fn events(file: &[u8]) -> (Lines, Vec<std::ops::Range<usize>>) {
    let place = |at: u64| usize::try_from(at).unwrap();
    let (mut records, mut damaged) = (Vec::new(), Vec::new());
    let mut reader = StreamReader::new(file).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => records.push((place(record.offset()), record.bytes().to_vec())),
            Event::Damage { lost, .. } => damaged.push(place(lost.start)..place(lost.end)),
            Event::End => return (records, damaged),
        }
    }
}

/// A hole in the header: the lines after it still count, and the file is damaged.
#[test]
fn a_hole_in_the_header_is_damage() {
    let log = format!("{HEADER}{ONE}{TWO}");
    for at in 0..HEADER.len() {
        let mut holed = log.clone().into_bytes();
        holed[at] = 0;
        let reader = Reader::new(&holed).unwrap();
        let in_first = at < HEADER.find('\n').unwrap();
        assert_eq!(reader.header().log_file.is_none(), at <= HEADER.find('\n').unwrap(), "{at}");
        assert_eq!(reader.header().logstart().is_some(), in_first, "{at}");
        assert!(compare("hole", &holed).unwrap().1, "{at}");
    }
    // The rest of a header that lost the lines that name the log.
    assert!(alog::detect(format!("%%%%\n{ONE}{TWO}").as_bytes()) && !alog::detect(b"%%%%\n%% text\n"));
}

/// Damage after the header does not separate it from its own comments, neither before the log is recovered nor after.
#[test]
fn a_logstart_behind_damage_counts() {
    for damage in ["       DB_EVENT             MOOSDB\n", "1.00000  onnected\n", "text\n%% more\ntext\n"] {
        let log = format!("%% LOG FILE:       x.alog\n{damage}%% LOGSTART 1714983600.5\n{ONE}");
        assert_eq!(compare(damage, log.as_bytes()), Some((1, true)));
        let reader = Reader::new(log.as_bytes()).unwrap();
        assert_eq!(reader.header().logstart(), Seconds::parse(b"1714983600.5"), "{damage}");
    }
    let first = format!("damaged\n%% LOGSTART 1714983600.5\n{ONE}");
    assert_eq!(compare("first", first.as_bytes()), Some((1, true)));
}

/// A comment is one line: following lines that begin no entry are damage, not a part of it.
#[test]
fn lines_behind_a_comment_are_damage() {
    let log = format!("{HEADER}{ONE}%% a comment\n0.50000         DB_UP%%%%%\n{TWO}");
    assert_eq!(compare("comment", log.as_bytes()), Some((2, true)));
}

/// A cut of joined logs does not take the second header as its own.
#[test]
fn a_foreign_header_does_not_become_that_of_a_copy() {
    use robolog_core::format::Copier as _;
    let log = format!("{HEADER}{ONE}%% LOGSTART 99.5\n%% a comment\n{TWO}");
    let mut reader = StreamReader::new(log.as_bytes()).unwrap();
    let out = std::io::Cursor::new(Vec::new());
    let mut out = alog::Copier::new(out, reader.header(), HEADER.as_bytes()).unwrap();
    while let Event::Record(record) = reader.next_event().unwrap() {
        out.copy(&record, &mut |name, _| name == "MOOS_DEBUG").unwrap();
    }
    let copy = String::from_utf8(out.finish().unwrap().into_inner()).unwrap();
    assert_eq!(copy, format!("{HEADER}%% a comment\n{TWO}"));
}

/// A header ends at the first entry. If damage destroyed that entry, the lines after it are not a header of a copy
/// either.
#[test]
fn a_start_behind_a_lost_entry_is_not_that_of_a_copy() {
    use robolog_core::{Event, format::Copier as _};
    let log = "%%%%\n0.50000         NAV_X                uSim\0\0\0 1.5\n%% LOGSTART           1714983600.0\n\
               1.00000         NAV_Y                uSimMarine      2.50000 \n";
    let mut reader = StreamReader::new(log.as_bytes()).unwrap();
    assert_eq!(reader.header().logstart(), None);
    let header_bytes = reader.header_bytes().to_vec();
    let out = std::io::Cursor::new(Vec::new());
    let mut copy = alog::Copier::new(out, reader.header(), &header_bytes).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => drop(copy.copy(&record, &mut |_, _| true)),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    let copy = copy.finish().unwrap().into_inner();
    assert_eq!(Reader::new(&copy).unwrap().header().logstart(), None, "{}", String::from_utf8_lossy(&copy));
    assert_eq!(Reader::new(&copy).unwrap().records().flatten().count(), 1);
}
