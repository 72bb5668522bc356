//! JSON Lines: every kind of value.

use std::io::{BufWriter, Write};

use robolog_core::{Sample, Timestamp};

use super::{Holds, Lacks, Need, TargetSpec, takes};
use crate::{Outcome, Result, Sink, json::Lines};

/// JSON, one object per line.
pub static JSONL: TargetSpec = TargetSpec {
    name: "jsonl",
    extensions: &["jsonl", "ndjson"],
    about: "a JSON object a line for every sample",
    holds: Holds::Anything,
    lacks: Lacks::NOTHING,
    needs: &[Need::Start, Need::EmptyClouds],
    takes: takes::anything,
    instead: takes::no_advice,
    open: |out, _| Ok(Box::new(Jsonl::new(BufWriter::new(out)))),
};

/// Writes one JSON object per line, as `cat` does.
#[derive(Debug)]
pub struct Jsonl<W>(Lines<W>);

impl<W: Write> Jsonl<W> {
    /// Creates a sink on `out`.
    pub fn new(out: W) -> Self {
        Self(Lines::new(out))
    }

    /// Creates a sink on `lines`.
    pub fn of(lines: Lines<W>) -> Self {
        Self(lines)
    }

    /// Flushes the output.
    pub fn flush(self) -> Result<()> {
        Ok(self.0.into_inner().flush()?)
    }
}

impl<W: Write> Sink for Jsonl<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.0.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.0.sample(sample)?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(self.0.into_inner().flush()?)
    }
}
