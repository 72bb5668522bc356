//! Index of a recording, built in one pass.

use std::{collections::BTreeMap, rc::Rc};

use robolog_convert::{
    Report, Result, Settings,
    robolog_core::{Split, slices::InRange as _},
    sink::{
        McapOptions, McapSchema,
        mcap::{MessageSchema, MessageStream},
    },
};

use crate::{
    Recording,
    part::{Meeting, Observer, Part, Reading},
};

/// The topics of a recording, and where their messages are.
#[derive(Debug)]
pub struct Index {
    pub(crate) recording: Recording,
    pub(crate) splits: Vec<Split>,
    pub(crate) parts: Vec<Part>,
    pub(crate) stream: MessageStream,
    counts: Vec<u64>,
    problems: Vec<Problem>,
}

/// A topic of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Topic<'a> {
    /// Its name.
    pub name: &'a str,
    /// Index of its schema in [`schemas`](Index::schemas).
    pub schema: u16,
    /// Encoding of its messages.
    pub encoding: &'static str,
    /// Number of messages.
    pub messages: u64,
}

/// A problem to show to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Whether data is damaged, not only left out.
    pub is_damage: bool,
    /// The message, with the offset of the damage.
    pub message: String,
}

/// Minimum bytes of a split, and maximum number of splits.
const SPLIT: u64 = 1 << 20;
const MOST_SPLITS: u64 = 256;

/// Maximum number of small values in the index, some twenty bytes each. Beyond that, its last part grows.
const MOST: usize = 1 << 19;

impl Index {
    /// Reads the recording, twice if it is larger than a mebibyte.
    ///
    /// Damage is reported in [`problems`](Self::problems). Returns an error if the recording cannot be read or its
    /// format is unknown.
    pub fn new(recording: &Recording) -> Result<Rc<Self>> {
        let bytes = SPLIT.max(recording.len.div_ceil(MOST_SPLITS));
        Self::with_splits(recording, bytes)
    }

    /// The same with splits of at least `bytes`.
    pub(crate) fn with_splits(recording: &Recording, bytes: u64) -> Result<Rc<Self>> {
        let splits = if recording.len <= bytes {
            vec![Split::whole(&*recording.name, recording.len)]
        } else {
            recording.input()?.splits(bytes, None, &Settings::default())?
        };
        let mut options = McapOptions::default();
        options.schema = McapSchema::Foxglove;
        let mut stream = MessageStream::new(options)?;
        let mut found = Found::default();
        let (mut parts, mut counts) = (Vec::new(), Vec::new());
        let (mut weight, mut meeting) = (0_usize, None);
        for (number, split) in splits.iter().enumerate() {
            if let Some(place) = stream.place().filter(|_| weight < MOST) {
                let done: Option<Meeting> = meeting.replace(Meeting::new(number, place));
                weight = weight.plus(done.as_ref().map_or(0, Meeting::weight));
                parts.extend(done.and_then(Meeting::done));
            }
            // No message is pending before the first split.
            let Some(meeting) = &mut meeting else { continue };
            meeting.extend();
            let mut reading = Reading::new(recording, std::slice::from_ref(split), split.is_last, stream);
            while reading.step(&mut found)? {
                for message in reading.stream.messages() {
                    meeting.meet(&message);
                    let topic = usize::from(message.topic);
                    if counts.len() <= topic {
                        counts.resize(topic.plus(1), 0_u64);
                    }
                    if let Some(count) = counts.get_mut(topic) {
                        *count = count.plus(1);
                    }
                }
            }
            stream = reading.stream;
        }
        parts.extend(meeting.and_then(Meeting::done));
        let problems = found.problems(parts.is_empty());
        Ok(Rc::new(Self { recording: recording.clone(), splits, parts, stream, counts, problems }))
    }

    /// The types of messages.
    pub fn schemas(&self) -> &[MessageSchema] {
        self.stream.schemas()
    }

    /// The topics, in the order of their first messages.
    pub fn topics(&self) -> impl Iterator<Item = Topic<'_>> {
        let counts = self.counts.iter().copied().chain(std::iter::repeat(0));
        self.stream.topics().iter().zip(counts).map(|(topic, messages)| Topic {
            name: &topic.name,
            schema: topic.schema,
            encoding: topic.encoding,
            messages,
        })
    }

    /// Earliest and latest log time in nanoseconds; `None` without messages.
    pub fn span(&self) -> Option<(u64, u64)> {
        let spans = self.parts.iter().map(|part| part.span);
        spans.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
    }

    /// Damage, and samples that no message can hold.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Collects problems while the index is built.
#[derive(Debug, Default)]
struct Found {
    damage: Vec<String>,
    damages: u64,
    lost_bytes: u64,
    notes: Vec<String>,
    left_out: BTreeMap<&'static str, u64>,
}

impl Observer for Found {
    fn left_out(&mut self, kind: &'static str) {
        let count = self.left_out.entry(kind).or_default();
        *count = count.plus(1);
    }

    fn report(&mut self, report: &Report) {
        self.damages = self.damages.plus(report.damages);
        self.lost_bytes = self.lost_bytes.saturating_add(report.lost_bytes);
        let room = Report::DAMAGE_KEPT.minus(self.damage.len());
        self.damage.extend(report.damage.iter().take(room).map(|damage| damage.error.to_string()));
        for note in &report.notes {
            self.note(&note.to_string());
        }
    }

    fn note(&mut self, note: &str) {
        if self.notes.len() < Report::DAMAGE_KEPT && !self.notes.iter().any(|told| told == note) {
            self.notes.push(note.to_owned());
        }
    }
}

impl Found {
    fn problems(self, is_empty: bool) -> Vec<Problem> {
        let Self { damage, damages, lost_bytes, notes, left_out } = self;
        let more = damages.minus(damage.len() as u64);
        let more = (more > 0).then(|| format!("{more} more faults"));
        let lost = (lost_bytes > 0).then(|| format!("{lost_bytes} bytes belong to no record"));
        let nothing = is_empty.then(|| "the recording holds no messages".to_owned());
        let left_out = left_out.iter().map(|(kind, n)| format!("no message holds {n} samples of {kind}"));
        let faults = damage.into_iter().chain(more).chain(lost);
        let faults = faults.map(|message| Problem { is_damage: true, message });
        let others = nothing.into_iter().chain(notes).chain(left_out);
        faults.chain(others.map(|message| Problem { is_damage: false, message })).collect()
    }
}
