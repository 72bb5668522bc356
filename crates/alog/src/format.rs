//! Framing of logs: an entry ends where a line begins another, a comment at the end of its line.

use std::path::Path;

use robolog_core::{
    Limits, Result,
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    slices::{Part as _, missing},
    text::{first_control, is_damage},
};

use crate::{
    Copier, Decoder, Header, Record,
    layout::{self, COMMENT},
};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Alog {}

impl Format for Alog {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "alog";

    fn detect(start: &[u8]) -> bool {
        let start = layout::behind_tool_text(start.strip_prefix(layout::BOM).unwrap_or(start));
        let all = start.split(|b| *b == b'\n');
        let is_head = |line: &&[u8]| line.starts_with(b"%");
        let names_itself = all.clone().take_while(is_head).take(8).any(|line| {
            line.strip_prefix(COMMENT).map(<[u8]>::trim_ascii).is_some_and(|text| {
                text.starts_with(layout::LOG_FILE)
                    || text.starts_with(layout::LOGSTART)
                    || text == layout::TIME_COLUMN
            })
        });
        if names_itself || (start.starts_with(b"%") && !start.starts_with(COMMENT)) {
            return names_itself;
        }
        // A damaged header may lack the lines that name the log.
        let mut lines = all.skip_while(is_head);
        // Tables of numbers look alike, but a source contains a letter.
        let is_entry = |line: &[u8]| {
            let source = layout::start(line).and_then(|parts| line.get(parts.source..parts.source_end));
            source.is_some_and(|source| source.iter().any(u8::is_ascii_alphabetic))
        };
        // A torn log begins inside a value; entries follow.
        lines.next().is_some_and(is_entry) || lines.filter(|line| is_entry(line)).take(2).count() == 2
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    fn apply_name(header: &mut Header, path: &Path) {
        header.set_path(path);
    }

    fn limit(header: &mut Header, limits: Limits) {
        header.limits = limits;
    }

    fn measure(header: &Header, input: &[u8], _: u64, eof: bool) -> Result<Extent> {
        let is_line = header.is_table() || layout::is_comment(input);
        let mut from = 0_usize;
        loop {
            let rest = input.part(from..);
            let end = memchr::memchr(b'\n', rest);
            if end.is_none() && (!eof || input.is_empty()) {
                // Doubles the input, so that the search does not restart for every few bytes.
                return Ok(Extent::Need(input.len().max(1)));
            }
            let line = end.and_then(|end| rest.get(..=end)).unwrap_or(rest);
            from += line.len();
            if is_line || end.is_none() {
                return Ok(Extent::Whole(from));
            }
            let next = input.part(from..);
            match begins(next, eof) {
                Some(true) => return Ok(Extent::Whole(from)),
                Some(false) => {}
                None => return Ok(Extent::Need(input.len().max(1))),
            }
        }
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Record::new(header, raw)
    }

    /// Finds the next line that begins an entry, by its first 96 bytes. Only a limit damages a log.
    fn resync(header: &Header, input: &[u8], _: u64, eof: bool) -> Search {
        if header.is_table() {
            return Search::next_line(input);
        }
        let mut from = 0_usize;
        loop {
            let Some(end) = memchr::memchr(b'\n', input.part(from..)) else {
                return Search::Beyond { skip: input.len(), need: 1 };
            };
            let line_end = from + end;
            from = line_end + 1;
            let rest = input.part(from..);
            let near = rest.get(..NEAR).unwrap_or(rest);
            if near.len() < NEAR && !eof && memchr::memchr(b'\n', near).is_none() {
                // Keeps the end of the previous line, which is searched for again.
                return Search::Beyond { skip: line_end, need: missing(NEAR, near) };
            }
            if !near.is_empty() && begins(near, true) == Some(true) {
                return Search::Found(from);
            }
        }
    }
}

/// Bytes of a line that decide whether an entry begins there, after damage or with a spoilt time.
const NEAR: usize = 96;

/// Bytes of a line that contain an entry's time, its name, and a letter of its source.
const HEAD: usize = layout::SOURCE + 1;

/// Whether a record begins with this line; `None` if more of it is needed. The end of the input begins nothing, but
/// ends the record before it. An unreadable entry begins a record too, so that it does not become a part of the
/// previous value; so does a line with a hole of zeros in place of an entry's time and name.
fn begins(line: &[u8], eof: bool) -> Option<bool> {
    let Some(first) = line.first() else { return if eof { Some(true) } else { None } };
    let may_be_time = matches!(first, b'0'..=b'9' | b'-');
    match first {
        b'%' if line.starts_with(COMMENT) => return Some(true),
        b'%' if line.len() < COMMENT.len() && !eof => return None,
        _ if may_be_time && layout::is_start(line) => return Some(true),
        b' ' | b'P' | b'G' if layout::is_tool_text(line).unwrap_or(!eof) => {
            return layout::is_tool_text(line);
        }
        _ if !may_be_time && *first != b'%' && !is_damage(*first) => {
            if line.len() <= layout::NAME && !eof {
                return None;
            }
            if !layout::may_be_spoilt(line) {
                return Some(false);
            }
        }
        _ => {}
    }
    let head = line.get(..HEAD).unwrap_or(line);
    let end = memchr::memchr(b'\n', head);
    if first_control(end.and_then(|end| head.get(..end)).unwrap_or(head)).is_some() {
        return begins_with_control(line, eof);
    }
    if end.is_none() && head.len() < HEAD && !eof {
        return None;
    }
    let near = line.get(..NEAR).unwrap_or(line);
    // Names have no length limit: a line that begins like a time is judged as a whole.
    let look = if may_be_time { line } else { near };
    let ended = memchr::memchr(b'\n', look).is_some();
    if ended || (!may_be_time && near.len() == NEAR) {
        return Some(layout::is_spoilt_start(near));
    }
    // An incomplete line may still become one.
    eof.then(|| layout::is_torn_start(line) || layout::is_spoilt_start(near))
}

/// The same for a line with control characters in its head: a hole of zeros begins a record, and so does an entry that is
/// damaged before its value; other such lines continue a value.
#[cold]
fn begins_with_control(line: &[u8], eof: bool) -> Option<bool> {
    let near = line.get(..NEAR).unwrap_or(line);
    let end = memchr::memchr(b'\n', near);
    if end.is_none() && near.len() < NEAR && !eof {
        return None;
    }
    let near = end.and_then(|end| near.get(..end)).unwrap_or(near);
    Some(layout::hole(near).is_some() || layout::is_broken_start(near))
}

impl Recording for Alog {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["alog", "xlog", "ylog", "klog", "slog"];
    const UNTIMED_FOLLOW: bool = true;
}
