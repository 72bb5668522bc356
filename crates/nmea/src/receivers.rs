//! Receivers with clocks of their own in one log: told apart by their sources, or by their talkers.

use robolog_core::slices::Part as _;

use super::{Message, Record, Time};

/// Names of receivers; none if the log has one receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Receivers {
    names: [Name; MOST],
    /// The place of the name that stands for a receiver with several.
    stands: [u8; MOST],
    count: usize,
    by_source: bool,
}

/// Maximum number of names. More are not told apart.
const MOST: usize = 8;
/// Maximum length of a name, bytes; the rest of a source is cut off.
const NAME: usize = 24;
/// Maximum number of times compared.
const TIMES: usize = 1 << 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Name {
    bytes: [u8; NAME],
    len: usize,
}

impl Name {
    fn new(text: &[u8]) -> Self {
        let mut name = Self { len: text.len().min(NAME), ..Self::default() };
        for (place, byte) in name.bytes.iter_mut().zip(text) {
            *place = *byte;
        }
        name
    }

    fn text(&self) -> &[u8] {
        self.bytes.part(..self.len)
    }
}

impl Receivers {
    /// Whether the log has one receiver.
    pub(super) const fn is_one(&self) -> bool {
        self.count == 0
    }

    /// The number of a record's receiver; `None` if it does not say.
    pub(super) fn of(&self, record: &Record<'_>) -> Option<usize> {
        let source = record.prefix().map_or(&[][..], |prefix| prefix.source);
        let talker = record.sentence()?.talker();
        let name = Name::new(if self.by_source { source } else { talker.as_bytes() });
        let at = self.names.iter().take(self.count).position(|known| *known == name)?;
        self.stands.get(at).map(|at| usize::from(*at))
    }

    /// The name of the receiver of this number.
    pub(super) fn name(&self, number: usize) -> &[u8] {
        self.names.get(number).map_or(&[], Name::text)
    }

    /// The names as words, for the first line of a part: `source` or `talker`, and the names. Those of one receiver are
    /// joined by a plus sign.
    pub(super) fn to_words(self) -> String {
        let mut words = String::from(if self.by_source { "source" } else { "talker" });
        for number in 0..self.count {
            let of_number = self.names.iter().zip(self.stands).take(self.count);
            let names: Vec<_> = of_number
                .filter(|(_, stands)| usize::from(*stands) == number)
                .map(|(name, _)| String::from_utf8_lossy(name.text()))
                .collect();
            if !names.is_empty() {
                words.push(' ');
                words += &names.join("+");
            }
        }
        words
    }

    /// Reads these words.
    pub(super) fn from_words(words: &[&str]) -> Option<Self> {
        let (kind, words) = words.split_first()?;
        let mut all = Self { by_source: *kind == "source", ..Self::default() };
        for word in words {
            let stands = all.count;
            for name in word.split('+') {
                all.add(Name::new(name.as_bytes()), stands)?;
            }
        }
        (matches!(*kind, "source" | "talker") && all.count > 1).then_some(all)
    }

    fn add(&mut self, name: Name, stands: usize) -> Option<()> {
        *self.names.get_mut(self.count)? = name;
        *self.stands.get_mut(self.count)? = u8::try_from(stands).ok()?;
        self.count += 1;
        Some(())
    }
}

/// The times of positions at the beginning of a log.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    sources: Vec<Name>,
    talkers: Vec<Name>,
    /// Talkers, by their place, and times of day.
    times: Vec<(usize, i64)>,
}

impl Clocks {
    /// Whether more of the log may show more receivers than one.
    pub(super) fn is_open(&self) -> bool {
        self.sources.len() > 1 || self.talkers.len() > 1
    }

    /// Notes a sentence with a position's time.
    pub(super) fn push(&mut self, record: &Record<'_>, message: &Message<'_>) {
        let time = match message {
            Message::Gga(m) => m.time,
            Message::Rmc(m) => m.time,
            Message::Gns(m) => m.time,
            Message::Gll(m) => m.time,
            _ => None,
        };
        let (Some(time), Some(sentence)) = (time, record.sentence()) else { return };
        if let Some(prefix) = record.prefix().filter(|prefix| !prefix.source.is_empty()) {
            place(&mut self.sources, Name::new(prefix.source));
        }
        let talker = place(&mut self.talkers, Name::new(sentence.talker_bytes()));
        let entry = (talker, Time::since_midnight(time));
        if self.times.len() < TIMES && self.times.last() != Some(&entry) {
            self.times.push(entry);
        }
    }

    /// The receivers found.
    pub(super) fn receivers(&self) -> Receivers {
        let is_word = |name: &Name| name.text().iter().all(|b| b.is_ascii_graphic() && *b != b'+');
        let mut found = Receivers::default();
        if (2..=MOST).contains(&self.sources.len()) && self.sources.iter().all(is_word) {
            found.by_source = true;
            for (number, name) in self.sources.iter().enumerate() {
                let _ = found.add(*name, number);
            }
            return found;
        }
        if !(2..=MOST).contains(&self.talkers.len()) || !self.talkers.iter().all(is_word) {
            return found;
        }
        for (number, name) in self.talkers.iter().enumerate() {
            let same = (0..number).find(|other| !self.are_apart(*other, number));
            let stands = same.and_then(|other| found.stands.get(other)).map_or(number, |at| usize::from(*at));
            let _ = found.add(*name, stands);
        }
        let first = found.stands.first().copied();
        let is_one = found.stands.iter().take(found.count).all(|stands| Some(*stands) == first);
        if is_one { Receivers::default() } else { found }
    }

    /// Whether two talkers have clocks of their own: they take turns, share hardly any time, and the steps of each are
    /// as short with the other in between. A receiver that changes its talker steps over the times of the other.
    fn are_apart(&self, a: usize, b: usize) -> bool {
        let of = |talker: usize| {
            let mut times: Vec<_> = self.times.iter().filter(|t| t.0 == talker).map(|t| t.1).collect();
            times.sort_unstable();
            times.dedup();
            times
        };
        let (times_a, times_b) = (of(a), of(b));
        let shared = times_a.iter().filter(|time| times_b.binary_search(time).is_ok()).count();
        shared * 4 <= times_a.len().min(times_b.len()) && self.keeps_step(a, b) && self.keeps_step(b, a)
    }

    /// Whether most steps of a talker with the other in between are as short as its shortest.
    fn keeps_step(&self, talker: usize, other: usize) -> bool {
        let (mut last, mut is_crossed) = (None, false);
        let mut steps = Vec::new();
        for (who, time) in &self.times {
            if *who == other {
                is_crossed = true;
            } else if *who == talker {
                if let Some(last) = last.replace(*time).filter(|last| last != time) {
                    steps.push((time.abs_diff(last), is_crossed));
                }
                is_crossed = false;
            }
        }
        let shortest = steps.iter().map(|(step, _)| *step).min().unwrap_or(0);
        let crossed = || steps.iter().filter(|(_, is_crossed)| *is_crossed);
        let short = crossed().filter(|(step, _)| *step <= shortest.saturating_add(shortest / 2)).count();
        short > 0 && short * 2 > crossed().count()
    }
}

/// The place of a name, added if new.
fn place(names: &mut Vec<Name>, name: Name) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        if names.len() <= MOST {
            names.push(name);
        }
        names.len() - 1
    })
}
