//! Mutants and their results.

use std::{
    fs,
    path::{Path, PathBuf},
};

use robolog_convert::{Input, Surveyed, survey};
use testkit::Rng;

use super::{
    Options,
    changes::{self, Change, apply},
    corpus::{self, Subject},
    digest::Reading,
    gzip::{self, Fault},
    visible,
};

/// A subject with changes, determined by the seed and its number.
#[derive(Debug, Clone)]
pub(super) struct Mutant<'a> {
    pub(super) number: u64,
    pub(super) subject: &'a Subject,
    pub(super) changes: Vec<Change>,
    /// Damage done to a sound recording that must be reported.
    pub(super) damage: Option<&'static str>,
    /// Random choices of the laws.
    pub(super) rng: Rng,
}

/// A mutant on disk, and the result of reading it.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) mutant: &'a Mutant<'a>,
    /// Its folder, also for derived files.
    pub(super) folder: &'a Path,
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) survey: Result<Surveyed, String>,
    pub(super) reading: Result<Reading, String>,
}

impl<'a> Mutant<'a> {
    /// The mutant of this number: the first ones are unchanged subjects.
    pub(super) fn new(subjects: &'a [Subject], options: &Options, number: u64) -> Self {
        let mut rng = Rng(options.seed.rotate_left(32) ^ number);
        rng = Rng(rng.bits());
        if options.visible {
            return Self::visible(subjects, number, rng);
        }
        let whole = usize::try_from(number).ok().and_then(|number| subjects.get(number));
        let subject = whole.unwrap_or_else(|| corpus::choose(subjects, &mut rng));
        let (mut changes, mut damage) = (Vec::new(), None);
        match (whole, rng.below(10)) {
            (Some(_), _) => {}
            (None, 0 | 1) => {
                if let Some((change, what)) = visible::damage(&mut rng, subject) {
                    (changes, damage) = (vec![change], Some(what));
                }
            }
            (None, 2) if subject.is_plain() => {
                let fault = Fault::any(&mut rng);
                if rng.below(4) == 0 {
                    changes = several(&mut rng, subjects, subject);
                } else if fault != Fault::None && subject.shape().is_sound {
                    damage = Some("a fault of gzip");
                }
                changes.push(Change::Gzip(fault));
            }
            (None, _) => changes = several(&mut rng, subjects, subject),
        }
        Self { number, subject, changes, damage, rng }
    }

    /// A sound subject with damage that must be reported; if none is sound, an unchanged subject.
    fn visible(subjects: &'a [Subject], number: u64, mut rng: Rng) -> Self {
        for _ in 0..1000 {
            let subject = corpus::choose(subjects, &mut rng);
            let fault = if rng.below(10) == 0 { Fault::any(&mut rng) } else { Fault::None };
            let damage = match fault {
                Fault::None => visible::damage(&mut rng, subject),
                _ if subject.is_plain() && subject.shape().is_sound => {
                    Some((Change::Gzip(fault), "a fault of gzip"))
                }
                _ => None,
            };
            if let Some((change, what)) = damage {
                return Self { number, subject, changes: vec![change], damage: Some(what), rng };
            }
        }
        Self { number, subject: corpus::choose(subjects, &mut rng), changes: Vec::new(), damage: None, rng }
    }

    /// Fault of its compression.
    pub(super) fn gzip(&self) -> Option<Fault> {
        match self.changes.last() {
            Some(Change::Gzip(fault)) => Some(*fault),
            _ => None,
        }
    }

    /// The name of its file.
    pub(super) fn file_name(&self) -> String {
        let name = self.subject.file_name();
        if self.gzip().is_some() { format!("{name}.gz") } else { name.to_owned() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        apply(&self.changes, &self.subject.bytes)
    }
}

/// Up to four changes; pieces of other files are of the same format.
fn several(rng: &mut Rng, subjects: &[Subject], subject: &Subject) -> Vec<Change> {
    let others: Vec<&Subject> = subjects.iter().filter(|other| other.format == subject.format).collect();
    let mut bytes = subject.bytes.clone();
    let how_many = [1, 1, 1, 2, 2, 3, 4][rng.below(7)];
    let mut made = Vec::new();
    for _ in 0..how_many {
        let other = others[rng.below(others.len())];
        let change = changes::any(rng, &bytes, subject.is_text(), &other.bytes);
        bytes = apply(std::slice::from_ref(&change), &bytes);
        made.push(change);
    }
    made
}

impl<'a> Found<'a> {
    /// Writes the mutant into an empty folder, and reads it.
    pub(super) fn new(mutant: &'a Mutant<'a>, folder: &'a Path) -> Self {
        let bytes = mutant.bytes();
        let path = folder.join(mutant.file_name());
        fs::write(&path, &bytes).unwrap();
        let survey = looked(&path);
        let reading = Reading::of(&path);
        Self { mutant, folder, path, bytes, survey, reading }
    }

    /// A place for a file that is made of it, which has the name of the subject: it may decide how tables are read.
    pub(super) fn place(&self, folder: &str) -> PathBuf {
        let folder = self.folder.join(folder);
        fs::create_dir_all(&folder).unwrap();
        let name = self.mutant.subject.file_name();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".kmz")).unwrap_or(name);
        folder.join(name)
    }

    /// Whether it was sound and has damage that must be reported.
    pub(super) fn is_damaged_visibly(&self) -> bool {
        // The last bits of deflated data have no meaning.
        let is_void = || self.mutant.gzip().is_some() && gzip::is_whole(&self.bytes);
        self.mutant.damage.is_some() && self.bytes != self.mutant.subject.bytes && !is_void()
    }

    /// Its samples, if it can be opened.
    pub(super) fn read(&self) -> Option<&Reading> {
        self.reading.as_ref().ok()
    }
}

/// A survey of a file.
pub(super) fn looked(path: &Path) -> Result<Surveyed, String> {
    Input::open(path).and_then(|input| survey(input, None, &mut |_| {})).map_err(|e| e.to_string())
}

#[test]
fn mutants_follow_from_seed_and_number_and_all_formats_are_damaged() {
    let options = Options { seed: 7, mutants: 3000, ..Options::default() };
    let subjects = corpus::load(None, "");
    let mut damaged = std::collections::BTreeSet::new();
    let mut changed = 0;
    for number in 0..options.mutants {
        let [mutant, again] = [(); 2].map(|()| Mutant::new(&subjects, &options, number));
        assert_eq!((&mutant.changes, mutant.damage), (&again.changes, again.damage));
        damaged.extend(mutant.damage.map(|_| mutant.subject.format));
        changed += usize::from(mutant.bytes() != mutant.subject.bytes);
    }
    let formats = ["alog", "carla-rec", "effibox", "gpx", "kml", "koblenz-log", "lvx", "nmea", "pcap"];
    assert!(damaged.iter().eq(&formats), "{damaged:?}");
    // Some changes leave the byte as it was.
    assert!(changed * 10 > (3000 - subjects.len()) * 8, "{changed} of 3000 and {} subjects", subjects.len());
}
