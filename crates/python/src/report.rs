//! Results of reading and writing.

use robolog_core::slices::InRange as _;
use std::collections::BTreeMap;

use pyo3::prelude::*;
use robolog::call::Called;
use robolog_convert::{Count, Report as Read};

/// Counts of a job's input and output.
#[pyclass(frozen, get_all, module = "pyrobolog")]
pub(crate) struct Report {
    /// Whether nothing is damaged, and no supported value was lost.
    complete: bool,
    /// Records read.
    records: u64,
    /// Bytes that belong to no record.
    lost_bytes: u64,
    /// Number of faults.
    faults: u64,
    /// The first fault, in words.
    messages: Vec<String>,
    /// Samples and values written, by kind of value.
    written: BTreeMap<&'static str, (u64, u64)>,
    /// Values that the target does not support and that were not requested, by kind.
    skipped: BTreeMap<&'static str, (u64, u64)>,
    /// Requested values that are not in the target, by kind.
    lost: BTreeMap<&'static str, (u64, u64)>,
    /// Samples whose time cannot be compared with the limits.
    unjudged: u64,
    /// Files written.
    files: u64,
    /// What the program would say, a line each.
    notes: Vec<String>,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let counts = |map: &BTreeMap<&str, (u64, u64)>| {
            map.iter().map(|(kind, (samples, _))| format!("{samples} {kind}")).collect::<Vec<_>>().join(", ")
        };
        let state = if self.complete { "complete" } else { "incomplete" };
        format!("<Report {state}: {} records, wrote {}>", self.records, counts(&self.written))
    }
}

impl Report {
    /// Of a verb, which may have read several recordings.
    pub(crate) fn of(called: &Called, reports: Vec<Self>) -> Self {
        let nothing = Self::from(&Read::default());
        let all = reports.into_iter().fold(nothing, Self::plus);
        Self { complete: called.is_complete, notes: called.messages.clone(), ..all }
    }

    fn plus(mut self, other: Self) -> Self {
        self.records = self.records.plus(other.records);
        self.lost_bytes = self.lost_bytes.saturating_add(other.lost_bytes);
        self.faults = self.faults.plus(other.faults);
        self.messages.extend(other.messages);
        self.unjudged = self.unjudged.plus(other.unjudged);
        self.files = self.files.plus(other.files);
        let counts = [
            (&mut self.written, other.written),
            (&mut self.skipped, other.skipped),
            (&mut self.lost, other.lost),
        ];
        for (sum, more) in counts {
            for (kind, (samples, values)) in more {
                let count = sum.entry(kind).or_default();
                *count = (count.0.plus(samples), count.1.plus(values));
            }
        }
        self
    }
}

impl From<&Read> for Report {
    fn from(read: &Read) -> Self {
        let pair = |(kind, count): (&'static str, Count)| (kind, (count.samples, count.values));
        let damage = read.damage.iter().map(|damage| damage.error.to_string());
        let faults = read.faults.iter().map(ToString::to_string);
        let notes = read.notes.iter().map(ToString::to_string);
        Self {
            complete: read.is_complete(),
            records: read.records,
            lost_bytes: read.lost_bytes,
            faults: read.damages,
            messages: damage.chain(faults).chain(notes).collect(),
            written: read.written.iter().map(|(kind, count)| pair((kind, *count))).collect(),
            skipped: read.skipped().map(pair).collect(),
            lost: read.lost().map(pair).collect(),
            unjudged: read.unjudged,
            files: read.files,
            notes: Vec::new(),
        }
    }
}
