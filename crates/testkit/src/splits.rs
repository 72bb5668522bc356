//! The samples of all splits of a recording are those of the recording.

use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
};

use robolog_core::{Error, Result, Sample, Splits, StreamReader, format::Recording};

use crate::{Fnv, data::testdata, data_dir, one_in};

/// More splits of one file take long without testing more.
const MOST: usize = 100;

/// The samples of all splits of `bytes`, one split after another, must be those of the whole, with the same damage
/// between them, for splits of several sizes. Returns the number of splits for the smallest size.
pub fn assert_splits_agree<F: Recording>(name: &str, bytes: &[u8]) -> usize {
    let Ok(reader) = StreamReader::<_, F>::new(Cursor::new(bytes)) else { return 0 };
    let whole = shown(reader.samples());
    let least = bytes.len() / MOST;
    let sizes = [1, 100, 1000, bytes.len() / 7, bytes.len() / 3, bytes.len()];
    // The small ones are one size for a large file.
    let mut sizes: Vec<_> = sizes.into_iter().map(|size| size.max(least)).collect();
    sizes.dedup();
    let mut most = 0;
    for size in one_in(2, sizes) {
        let reader = || StreamReader::<_, F>::new(Cursor::new(bytes)).unwrap();
        let splits: Vec<_> = Splits::new(reader(), name, size as u64, &Default::default())
            .map(|split| split.unwrap())
            .collect();
        let mut end = 0;
        let mut samples = Vec::new();
        for (i, split) in splits.iter().enumerate() {
            assert_eq!(split.start, end, "{name}, size {size}: where split {i} starts");
            assert_eq!(split.is_last, i + 1 == splits.len(), "{name}, size {size}: split {i}");
            end = split.end;
            samples.extend(shown(reader().samples_of(split, Default::default()).unwrap()));
        }
        assert_eq!(end, bytes.len() as u64, "{name}, size {size}: where the last split ends");
        if let Some(i) = (0..whole.len().max(samples.len())).find(|i| whole.get(*i) != samples.get(*i)) {
            panic!(
                "{name}, {} splits of {size} bytes, item {i}:\n whole  {:?}\n splits {:?}\n {splits:#?}",
                splits.len(),
                whole.get(i),
                samples.get(i),
            );
        }
        most = most.max(splits.len());
    }
    most
}

/// Long values are shown by their digest.
fn shown(samples: impl Iterator<Item = Result<Sample>>) -> Vec<String> {
    let show = |sample: Result<Sample, Error>| match sample {
        Ok(sample) => {
            let value = format!("{:?}", sample.value);
            let mut digest = Fnv::default();
            digest.text(&value);
            let start: String = value.chars().take(120).collect();
            let Sample { time, offset, channel, frame_id, .. } = &sample;
            format!("{time:?} at {offset} {channel} {frame_id} {start} {:x}", digest.finish())
        }
        Err(error) => format!("{error}"),
    };
    samples.map(show).collect()
}

/// Like [`assert_splits_agree`], for all files of `testdata/<format>`, each also damaged in some places, and for the
/// small recordings of that format outside the repository. Returns the number of files with several splits.
pub fn assert_all_splits_agree<F: Recording>(format: &str) -> usize {
    let mut several = 0;
    let mut files = files(&testdata(format));
    let fixtures = files.len();
    files.extend(data_dir(format).iter().flat_map(|dir| self::files(dir)));
    for (i, path) in files.into_iter().enumerate() {
        if fs::metadata(&path).unwrap().len() > LARGEST {
            continue;
        }
        let name = path.display().to_string();
        let mut bytes = fs::read(&path).unwrap();
        several += usize::from(assert_splits_agree::<F>(&name, &bytes) > 1);
        if i < fixtures {
            for eighth in one_in(4, 1..8) {
                let at = bytes.len() * eighth / 8;
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 0x11;
                    assert_splits_agree::<F>(&format!("{name} damaged at {at}"), &bytes);
                    bytes[at] ^= 0x11;
                }
            }
        }
    }
    println!("{several} recordings with several splits");
    several
}

/// Maximum size of a recording; larger ones take long.
const LARGEST: u64 = 1 << 20;

/// All files in a folder and its subfolders, by name.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_none_or(|extension| extension != "json") {
            found.push(path);
        }
    }
    found
}
