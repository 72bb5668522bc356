//! Files that another program shortens while they are read.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

use robolog_convert::{Feed, Input, Outcome, Report, Settings, convert, samples_of, sink, splits};
use robolog_core::Limits;

/// Length of an entry.
const LINE: u64 = 21;

/// A log of `entries` entries of `LINE` bytes after a header.
fn log(path: &Path, entries: u32) -> u64 {
    let mut file = b"%% LOGSTART 1600000000\n".to_vec();
    for n in 0..entries {
        writeln!(file, "{:06}.{:02} NAV_X p {:02}", n / 100, n % 100, n % 90 + 10).unwrap();
    }
    fs::write(path, &file).unwrap();
    file.len() as u64
}

fn read(input: Input) -> (usize, Report) {
    let mut count = 0;
    let mut sink = sink::from_fn(|_| {
        count += 1;
        Ok(Outcome::Written)
    });
    let report = convert(vec![Feed::new(input)], &mut sink, &mut |_| {}).unwrap();
    (count, report)
}

fn shorten(path: &Path, len: u64) {
    File::options().write(true).open(path).unwrap().set_len(len).unwrap();
}

#[test]
fn a_file_that_ends_early_at_an_entry_is_damaged_however_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.alog");
    // The second is read by several threads.
    for entries in [2_000, 500_000] {
        let len = log(&path, entries);
        let (count, report) = read(Input::open(&path).unwrap());
        assert!(count == entries as usize && report.is_complete());
        let input = Input::open(&path).unwrap();
        shorten(&path, len - LINE * 100);
        let (count, report) = read(input);
        assert_eq!((count, report.damages), (entries as usize - 100, 1), "{:?}", report.damage);
        assert!(report.damage[0].error.to_string().contains("became shorter"));
        // Who opens the file again knows its length from before.
        assert!(read(Input::open(&path).unwrap()).1.is_complete());
        let again = Input::open_again(&path, Limits::default(), len).unwrap();
        assert_eq!(read(again).1.damages, 1);
    }
}

#[test]
fn the_last_split_of_a_shorter_file_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.alog");
    let (len, settings) = (log(&path, 20_000), Settings::default());
    let parts = splits(&path, 100_000, None, &settings).unwrap();
    shorten(&path, len - LINE);
    let faults = |part| samples_of(part, None, &settings).unwrap().filter(Result::is_err).count();
    let faults: Vec<usize> = parts.iter().map(faults).collect();
    assert!(faults.len() > 2 && faults.iter().sum::<usize>() == 1 && faults.last() == Some(&1), "{faults:?}");
}

#[test]
fn a_file_that_grows_is_read_to_its_new_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.alog");
    log(&path, 2_000);
    let input = Input::open(&path).unwrap();
    File::options().append(true).open(&path).unwrap().write_all(b"21.00 NAV_X p 1\n").unwrap();
    let (count, report) = read(input);
    assert!(count == 2_001 && report.is_complete());
}
