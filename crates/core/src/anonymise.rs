//! Anonymising recordings: places are moved or dropped, names and serial numbers replaced.
//!
//! A format knows where its records hold such data ([`Editing::anonymise`](crate::format::Editing::anonymise)); the
//! replacements are made here, the same for all formats, so that files that belong together still match.

mod place;
mod words;

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    fmt,
    ops::Range,
};

pub use place::{Axis, Offset, is_latitude, is_longitude};
use words::{is_word_at, like};

use crate::slices::{InRange as _, Part as _};

/// Minimum length of a name that is replaced everywhere: shorter ones occur inside too many other words.
const SHORTEST: usize = 2;
/// Maximum number of names learned.
const NAMES: usize = 1 << 12;
/// Maximum number of coordinates learned, and the minimum digits needed to recognise one.
const PLACES: usize = 1 << 20;
const DIGITS: usize = 7;

/// What to do with places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// Moves them.
    Move(Offset),
    /// Removes them.
    Drop,
}

/// A keyed hash: the same for the same text and secret.
type Hash = Box<dyn Fn(&[u8]) -> u64 + Send>;
/// Finds the parts of a text to cross out.
type Marks = Box<dyn Fn(&str) -> Vec<Range<usize>> + Send>;

/// How a recording is anonymised.
pub struct Anonymise {
    /// What to do with places; `None` keeps them.
    pub places: Option<Places>,
    /// Whether names of vehicles, people and files are replaced.
    pub names: bool,
    /// Whether serial numbers of devices are replaced.
    pub serials: bool,
    /// Finds the parts of user-written text to cross out.
    pub text: Option<Marks>,
    hash: Hash,
    /// In lower case, longest first.
    learned: Vec<Vec<u8>>,
    /// Hashes of the digits of latitudes and longitudes.
    known: HashSet<u64>,
    opaque: RefCell<BTreeMap<String, u64>>,
}

impl fmt::Debug for Anonymise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Offsets are secret.
        f.debug_struct("Anonymise")
            .field("places", &self.places.is_some())
            .field("names", &self.names)
            .field("serials", &self.serials)
            .finish_non_exhaustive()
    }
}

impl Anonymise {
    /// Changes nothing yet. `hash` must be keyed with the secret.
    pub fn new(hash: impl Fn(&[u8]) -> u64 + Send + 'static) -> Self {
        let (learned, known, opaque) = (Vec::new(), HashSet::new(), RefCell::default());
        let hash = Box::new(hash);
        Self { places: None, names: false, serials: false, text: None, hash, learned, known, opaque }
    }

    /// The offset derived from the secret.
    pub fn offset(&self) -> Offset {
        Offset::new(&self.hash)
    }

    /// The offset of places, if they are moved.
    pub fn moved(&self) -> Option<Offset> {
        match self.places {
            Some(Places::Move(offset)) => Some(offset),
            _ => None,
        }
    }

    /// Whether places are removed.
    pub fn drops_places(&self) -> bool {
        self.places == Some(Places::Drop)
    }

    /// Records something that cannot be checked, such as an image, which may or may not show a place.
    pub fn note_opaque(&self, what: &str) {
        let mut opaque = self.opaque.borrow_mut();
        let count = opaque.entry(what.to_owned()).or_default();
        *count = count.plus(1);
    }

    /// What could not be checked, and how often.
    pub fn opaque(&self) -> Vec<(String, u64)> {
        self.opaque.borrow().clone().into_iter().collect()
    }

    /// Learns a name, to be replaced wherever it occurs as a word.
    pub fn learn(&mut self, name: &[u8]) {
        let name = name.trim_ascii().to_ascii_lowercase();
        let is_word = name.iter().any(u8::is_ascii_alphabetic) && name.len() >= SHORTEST;
        if is_word && self.learned.len() < NAMES && !self.learned.contains(&name) {
            self.learned.push(name);
            self.learned.sort_by_key(|name| std::cmp::Reverse(name.len()));
        }
    }

    /// Learns the text of a latitude or longitude, to be found in other texts.
    pub fn learn_place(&mut self, text: &[u8]) {
        let digits = digits(text);
        for len in DIGITS..=digits.len() {
            if self.known.len() < PLACES
                && let Some(digits) = digits.get(..len)
            {
                self.known.insert((self.hash)(digits));
            }
        }
    }

    /// Whether a text contains a learned coordinate, to seven digits or more.
    pub fn holds_known_place(&self, text: &[u8]) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let numbers = text.split(|byte| !byte.is_ascii_digit() && *byte != b'.');
        let is_known = |number: &[u8]| {
            let digits = digits(number);
            digits.len() >= DIGITS && self.known.contains(&(self.hash)(&digits))
        };
        numbers.filter(|number| number.len() > DIGITS).any(is_known)
    }

    /// A replacement serial number of the same length and form: letters for letters, digits for digits.
    pub fn serial(&self, serial: &[u8]) -> Vec<u8> {
        like(serial, &mut self.numbers(b"serial", serial))
    }

    /// A replacement name of the same length.
    pub fn name_like(&self, name: &[u8]) -> Vec<u8> {
        like(name, &mut self.numbers(b"name", &name.to_ascii_lowercase()))
    }

    /// The text with learned names replaced and the parts found by [`text`](Self::text) crossed out; `None` if nothing
    /// changes.
    pub fn words(&self, text: &[u8]) -> Option<Vec<u8>> {
        let renamed = if self.names { self.renamed(text) } else { None };
        let crossed = self.crossed(renamed.as_deref().unwrap_or(text));
        crossed.or(renamed)
    }

    /// User-written text with the parts found by [`text`](Self::text) crossed out.
    fn crossed(&self, text: &[u8]) -> Option<Vec<u8>> {
        let find = self.text.as_ref()?;
        // Positions in lossily decoded text would differ from those of the bytes.
        let marks = find(std::str::from_utf8(text).ok()?);
        let mut crossed = text.to_vec();
        for range in &marks {
            crossed.get_mut(range.clone())?.fill(b'x');
        }
        (crossed != text).then_some(crossed)
    }

    fn renamed(&self, text: &[u8]) -> Option<Vec<u8>> {
        let lower = text.to_ascii_lowercase();
        let mut out = Vec::new();
        let (mut from, mut at) = (0_usize, 0_usize);
        while let Some(rest) = lower.get(at..).filter(|rest| !rest.is_empty()) {
            let name =
                self.learned.iter().find(|name| rest.starts_with(name) && is_word_at(&lower, at, name.len()));
            let Some(name) = name else {
                at = at.plus(1);
                continue;
            };
            let end = at.plus(name.len());
            out.extend_from_slice(text.get(from..at)?);
            let old = text.get(at..end)?;
            out.extend(like(old, &mut self.numbers(b"name", name)));
            (from, at) = (end, end);
        }
        if from == 0 {
            return None;
        }
        out.extend_from_slice(text.get(from..)?);
        Some(out)
    }

    /// An endless sequence of numbers, the same for the same secret, label and text.
    fn numbers<'a>(&'a self, label: &'a [u8], text: &[u8]) -> impl FnMut() -> u64 + use<'a> {
        let seed = (self.hash)(&[label, text].concat());
        let mut step = 0_u64;
        move || {
            step = step.wrapping_add(1);
            (self.hash)(&[label, &seed.to_le_bytes(), &step.to_le_bytes()].concat())
        }
    }
}

/// The digits of a number, from the first to the last nonzero one.
fn digits(text: &[u8]) -> Vec<u8> {
    let digits = text.iter().copied().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0');
    let digits: Vec<u8> = digits.collect();
    let len = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last.plus(1));
    digits.part(..len).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anonymise() -> Anonymise {
        // FNV-1a: good enough to distinguish texts.
        let hash = |text: &[u8]| {
            text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
            })
        };
        let mut anonymise = Anonymise::new(hash);
        anonymise.names = true;
        anonymise
    }

    #[test]
    fn names_are_replaced_as_words_in_their_own_case() {
        let mut anonymise = anonymise();
        anonymise.learn(b"gilda");
        let to = String::from_utf8(anonymise.name_like(b"gilda")).unwrap();
        assert!(to.len() == 5 && to != "gilda" && to.bytes().all(|b| b.is_ascii_lowercase()), "{to}");
        let out = anonymise.words(b"NAME=gilda,MOOSDB_GILDA,gildas,x_gilda").unwrap();
        let wanted = format!("NAME={to},MOOSDB_{},gildas,x_{to}", to.to_uppercase());
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
        assert_eq!(anonymise.words(b"gildas"), None);
    }

    #[test]
    fn a_serial_keeps_its_make() {
        let serial = anonymise().serial(b"3GGDJ6K00200101\0");
        assert_eq!(serial.len(), 16);
        assert_ne!(serial, b"3GGDJ6K00200101\0");
        assert!(serial[0].is_ascii_digit() && serial[1].is_ascii_uppercase() && serial[15] == 0);
    }

    #[test]
    fn texts_are_crossed_out() {
        let mut anonymise = anonymise();
        anonymise.text = Some(Box::new(|text| text.match_indices("Jo").map(|(at, _)| at..at + 2).collect()));
        assert_eq!(anonymise.words(b"by Jo and Jo").unwrap(), b"by xx and xx");
    }
}
