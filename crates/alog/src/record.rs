//! An entry: a line that begins one, and the lines that continue its value.

use robolog_core::{RawRecord, Timed, Timestamp};

use crate::{
    Header, Value,
    header::Epoch,
    layout::{self, Start},
    time::Seconds,
};

/// An entry of the log, or lines that belong to none.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    kind: Kind,
    start: Start,
    epoch: Epoch,
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A variable's value at a time.
    Entry,
    /// A line that begins with two percent signs, behind the header.
    Comment,
    /// Lines before the first entry that are neither: the rest of a torn one.
    Stray,
}

const NOWHERE: Start = Start { time: 0, name: 0, name_end: 0, source: 0, source_end: 0 };

impl<'a> Record<'a> {
    pub(crate) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        let (kind, start) = match layout::start(raw.bytes) {
            Some(start) => (Kind::Entry, start),
            None if raw.bytes.starts_with(layout::COMMENT) => (Kind::Comment, NOWHERE),
            None => (Kind::Stray, NOWHERE),
        };
        Self { raw, kind, start, epoch: header.epoch() }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, the end of the last line included.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The time as it stands in the file; empty where it is no entry.
    pub fn time_text(&self) -> &'a [u8] {
        self.part(0, self.start.time)
    }

    /// Seconds since the log began. `None` where it is no entry, or has too many digits.
    pub fn seconds(&self) -> Option<Seconds> {
        Seconds::parse(self.time_text())
    }

    /// The moment: see [`Header::time`].
    pub fn time(&self) -> Option<Timestamp> {
        self.epoch.time(self.seconds()?)
    }

    /// The variable.
    pub fn name(&self) -> &'a [u8] {
        self.part(self.start.name, self.start.name_end)
    }

    /// Who wrote it, with all that is attached: `pHelmIvP:12:waypt@alpha`.
    pub fn source(&self) -> &'a [u8] {
        self.part(self.start.source, self.start.source_end)
    }

    /// Who wrote it: the application alone.
    pub fn application(&self) -> &'a [u8] {
        let end = self.source().iter().position(|b| matches!(b, b':' | b'@'));
        self.source().get(..end.unwrap_or(self.source().len())).unwrap_or_default()
    }

    /// What the application added to its name, behind the first colon.
    pub fn auxiliary(&self) -> Option<&'a [u8]> {
        let source = self.source();
        let community = source.iter().rposition(|b| *b == b'@').unwrap_or(source.len());
        let colon = source.iter().position(|b| *b == b':')?;
        source.get(colon.saturating_add(1)..community)
    }

    /// The community that it came from, behind the last `@`.
    pub fn community(&self) -> Option<&'a [u8]> {
        let at = self.source().iter().rposition(|b| *b == b'@')?;
        self.source().get(at.saturating_add(1)..)
    }

    /// All bytes behind the source: the value with what the logger put around it.
    pub fn body(&self) -> &'a [u8] {
        self.raw.bytes.get(self.start.source_end..).unwrap_or_default()
    }

    /// The value as it was published: without the blanks before it, the blank that the logger puts behind it, and the
    /// end of the line.
    pub fn value(&self) -> Value<'a> {
        let body = self.body();
        let body = body.strip_suffix(b"\n").unwrap_or(body);
        let body = body.strip_suffix(b" ").unwrap_or(body);
        let start = body.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(body.len());
        Value(body.get(start..).unwrap_or_default())
    }

    /// Lines behind the first one.
    pub fn continuation_lines(&self) -> u64 {
        let first_end = memchr::memchr(b'\n', self.raw.bytes);
        if self.kind != Kind::Stray
            && first_end.is_none_or(|end| end.saturating_add(1) == self.raw.bytes.len())
        {
            return 0;
        }
        let lines = memchr::memchr_iter(b'\n', self.raw.bytes).count();
        let unended = usize::from(!self.raw.bytes.ends_with(b"\n"));
        let all = lines.saturating_add(unended);
        let first = usize::from(self.kind != Kind::Stray);
        all.saturating_sub(first) as u64
    }

    fn part(&self, from: usize, to: usize) -> &'a [u8] {
        self.raw.bytes.get(from..to).unwrap_or_default()
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |bytes: &[u8]| robolog_core::text::Escaped(bytes).to_string();
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("kind", &self.kind)
            .field("time", &text(self.time_text()))
            .field("name", &text(self.name()))
            .field("source", &text(self.source()))
            .field("body", &text(self.body()))
            .finish()
    }
}
