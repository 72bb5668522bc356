//! The stored index: offset of the first message of each second.

#![allow(clippy::arithmetic_side_effects, reason = "counts of entries")]

use robolog_core::slices::Part as _;

use crate::Header;

/// State of the stored index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum IndexState {
    /// Every entry points at the first message of its second.
    Valid,
    /// There is none.
    Absent,
    /// All entries are 0: it was never filled in.
    Zero,
    /// Not all entries point at messages, or not at the first of their second.
    Stale,
    /// It claims more entries than possible.
    Hostile,
}

impl IndexState {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Absent => "absent",
            Self::Zero => "zero",
            Self::Stale => "stale",
            Self::Hostile => "hostile",
        }
    }
}

/// Zero of an index's seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum IndexOrigin {
    /// From the first message.
    FirstMessage,
    /// The start of the recording program, where time stamps are 0.
    ProgramStart,
}

/// An index under construction: entry k is the first message stamped k seconds or more after the origin.
#[derive(Debug, Clone)]
pub(crate) struct Seconds {
    origin: Option<f64>,
    /// Number of entries so far.
    pub(crate) filled: usize,
}

impl Seconds {
    pub(crate) fn new(origin: IndexOrigin) -> Self {
        Self { origin: (origin == IndexOrigin::ProgramStart).then_some(0.0), filled: 0 }
    }

    /// Number of further entries filled by the message stamped `milliseconds`, in an index of `len` entries.
    pub(crate) fn fill(&mut self, milliseconds: f64, len: usize) -> usize {
        let elapsed = milliseconds - *self.origin.get_or_insert(milliseconds);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
        let due = if elapsed >= 0.0 { ((elapsed / 1000.0) as usize).saturating_add(1) } else { 0 };
        let more = due.min(len).saturating_sub(self.filled);
        self.filled += more;
        more
    }
}

/// Compares a stored index with the messages as they are read.
#[derive(Debug)]
pub(crate) struct IndexCheck {
    claimed: u32,
    index: Vec<u64>,
    sorted: Vec<u64>,
    seen: usize,
    hits: usize,
    last: Option<u64>,
    /// For each origin, the expected index and the number of entries that differ.
    origins: [(IndexOrigin, Seconds, usize); 2],
}

impl IndexCheck {
    pub(crate) fn new(header: &Header) -> Self {
        let index = header.index().to_vec();
        let mut sorted = index.clone();
        sorted.sort_unstable();
        let origin = |origin| (origin, Seconds::new(origin), 0);
        Self {
            claimed: header.claimed_entries(),
            index,
            sorted,
            seen: 0,
            hits: 0,
            last: None,
            origins: [IndexOrigin::FirstMessage, IndexOrigin::ProgramStart].map(origin),
        }
    }

    /// Processes the next message, stamped `milliseconds`.
    pub(crate) fn push(&mut self, milliseconds: f64, offset: u64) {
        while let Some(entry) = self.sorted.get(self.seen).filter(|entry| **entry <= offset) {
            self.hits += usize::from(*entry == offset);
            self.seen += 1;
        }
        for (_, seconds, wrong) in &mut self.origins {
            let before = seconds.filled;
            let more = seconds.fill(milliseconds, self.index.len());
            let due = self.index.part(before..before + more);
            *wrong += due.iter().filter(|entry| **entry != offset).count();
        }
        self.last = Some(offset);
    }

    /// The result.
    pub(crate) fn finish(self) -> (IndexState, Option<IndexOrigin>) {
        let fits = |(_, seconds, wrong): &&(IndexOrigin, Seconds, usize)| {
            let rest = self.index.part(seconds.filled..);
            *wrong == 0 && rest.iter().all(|entry| Some(*entry) == self.last)
        };
        let origin = self.origins.iter().find(fits).map(|(origin, ..)| *origin);
        let state = if self.claimed == 0 {
            IndexState::Absent
        } else if u32::try_from(self.index.len()) != Ok(self.claimed) {
            IndexState::Hostile
        } else if self.index.iter().all(|entry| *entry == 0) {
            IndexState::Zero
        } else if self.hits == self.index.len() && origin.is_some() {
            IndexState::Valid
        } else {
            IndexState::Stale
        };
        (state, origin.filter(|_| state == IndexState::Valid))
    }
}
