//! Layout of `pLogger`'s alog: the beginnings of lines and the widths of columns.
//!
//! Source: `MOOSLogger.cpp` of `essential-moos` and of MOOS-IvP. There is no specification; readers split at blanks,
//! because a name or source longer than its column pushes the rest.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use robolog_core::{
    slices::{Part as _, split_once, value_at},
    text::{first_of, is_damage, other_than_digits},
};

/// Beginning of every header line.
pub const COMMENT: &[u8] = b"%%";
/// The byte order mark that Windows editors put before UTF-8 text.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";
/// The header's line with the path of the file.
pub const LOG_FILE: &[u8] = b"LOG FILE:";
/// The header's line with a date that is useless: nearly always that of the epoch.
pub const FILE_OPENED_ON: &[u8] = b"FILE OPENED ON";
/// The header's line with the start of the entries' times.
pub const LOGSTART: &[u8] = b"LOGSTART";
/// The header's line for values that begin with their type.
pub const DATATYPE_MARKING: &[u8] = b"DATATYPE MARKING ON";
/// The header's line with the first column of a synchronous log.
pub const TIME_COLUMN: &[u8] = b"(1) TIME";
/// Percent signs of the lines around the header.
pub const RULER: usize = 59;

/// Columns of an entry: time, name, source, each left-justified and followed by a blank; then the value and one blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Decimals of the time.
    pub decimals: usize,
    /// Width of the time.
    pub time: usize,
    /// Width of the name.
    pub name: usize,
    /// Width of the source.
    pub source: usize,
}

impl Columns {
    /// As MOOS-IvP writes.
    pub const MOOS_IVP: Self = Self { decimals: 5, time: 15, name: 20, source: 15 };
    /// As `essential-moos` writes.
    pub const MOOS: Self = Self { decimals: 3, time: 15, name: 20, source: 15 };
    /// As in 2008, the year of the New College data set.
    pub const NEW_COLLEGE: Self = Self { decimals: 3, time: 15, name: 20, source: 10 };
}

/// Offsets of the parts of an entry's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Length of the time.
    pub time: usize,
    /// Start of the name.
    pub name: usize,
    /// End of the name.
    pub name_end: usize,
    /// Start of the source.
    pub source: usize,
    /// End of the source, where the blanks before the value begin.
    pub source_end: usize,
}

/// Whether a line begins an entry: a time with a point in it, a name and a source, with blanks between.
///
/// A whole number is not enough: rows of multi-line values begin with names of variables, which may be numbers.
#[expect(clippy::inline_always, reason = "2 % of the instructions of typed entries")]
#[inline(always)]
pub fn start(line: &[u8]) -> Option<Start> {
    let time = time(line)?;
    let name = blanks(line, time);
    let name_end = text(line, name);
    let source = blanks(line, name_end);
    let source_end = text(line, source);
    let all = time < name && name < name_end && name_end < source && source < source_end;
    all.then_some(Start { time, name, name_end, source, source_end })
}

/// The same for a record, unless its time is damaged: a blank inside it turns its last digits into a name.
#[inline]
pub(crate) fn entry(record: &[u8]) -> Option<Start> {
    start(record).filter(|start| start.name >= NAME || !is_spoilt_start(record))
}

/// Whether a line of a value would be read as the beginning of another record.
pub(crate) fn begins_record(line: &[u8]) -> bool {
    is_start(line)
        || is_spoilt_start(line)
        || line.starts_with(COMMENT)
        // The logger's blank follows the last line.
        || (is_tool_text(line) != Some(false) && is_tool_text(&[line, b" "].concat()) == Some(true))
        || (line.iter().any(|byte| is_damage(*byte)) && is_broken_start(line))
}

/// Two blanks. Making it takes as long as searching a line.
static BLANKS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"  "));

/// Start of another entry inside a line of a record, after `source`, the start of its own source, in the logger's
/// columns: a line end may be lost before it.
///
/// Values do not match by chance: a time, 16 bytes after its start a name with two blanks before it, and 37 bytes after
/// its start a source with one.
#[inline]
pub(crate) fn joined(line: &[u8], source: usize) -> Option<usize> {
    // Most lines are shorter than two entry heads.
    if line.len() < 2 * SOURCE {
        return None;
    }
    let from = source + 1;
    let mut at = from;
    loop {
        let blank = BLANKS.find(line.get(at..)?)?;
        let name = blanks(line, at + blank);
        at = name;
        let start = name.checked_sub(NAME).filter(|start| *start >= from);
        if start.is_some_and(|start| is_columned_start(line.part(start..))) {
            return start;
        }
    }
}

/// Whether an entry begins here in the logger's columns.
fn is_columned_start(line: &[u8]) -> bool {
    let Some(start) = start(line) else { return false };
    start.name == NAME && start.source == SOURCE.max(start.name_end + 1)
}

/// Whether [`start`] finds an entry, without measuring its source.
#[inline]
pub(crate) fn is_start(line: &[u8]) -> bool {
    let Some(time) = time(line) else { return false };
    if line.first_chunk().is_some_and(|head| has_columns(head, time)) {
        return true;
    }
    let name = blanks(line, time);
    let name_end = text(line, name);
    let source = blanks(line, name_end);
    let has_source = line.get(source).is_some_and(|b| is_text(*b));
    time < name && name < name_end && name_end < source && has_source
}

/// Whether a name and a source follow the time in the logger's columns, as they do in nearly all entries: the line then
/// begins an entry. Other entries need a closer look.
#[inline]
fn has_columns(head: &[u8; SOURCE + 1], time: usize) -> bool {
    let is_text = |at: usize| value_at(head, at) > b' ';
    let is_blank = |at: usize| value_at(head, at) == b' ';
    let has_parts = is_blank(time) && time < NAME && is_text(NAME) && is_blank(SOURCE - 1) && is_text(SOURCE);
    has_parts && head.iter().fold(u8::MAX, |least, byte| least.min(*byte)) >= b' '
}

/// Whether a line is an entry in the logger's columns with one wrong byte in its time.
///
/// Lines of values do not match by chance: the name must begin at byte 16 and the source at byte 37, with blanks before
/// both, and the first text must be a time except for that byte.
pub(crate) fn is_spoilt_start(line: &[u8]) -> bool {
    let Some((time, rest)) = line.split_at_checked(NAME) else { return false };
    if !time.ends_with(b" ") || time.contains(&b'\n') || !rest.first().is_some_and(|b| is_text(*b)) {
        return false;
    }
    let time = time.trim_ascii_end();
    let count = |is: fn(&u8) -> bool| time.iter().filter(|b| is(b)).count();
    let (digits, points) = (count(u8::is_ascii_digit), count(|b| *b == b'.'));
    let sign = usize::from(time.first() == Some(&b'-'));
    let others = time.len() - digits - points - sign;
    // The wrong byte may have been the point, and may be a digit or a second point.
    let is_spoilt = matches!((others, points), (1, 0 | 1) | (0, 0 | 2));
    let name_end = text(line, NAME);
    let source = blanks(line, name_end);
    is_spoilt
        && digits >= 2
        && source == SOURCE.max(name_end + 1)
        && line.get(source).is_some_and(|b| is_text(*b))
}

/// Whether a line with control characters is damaged before a value: an entry begins there if each stands for a digit, a
/// point, a blank or a letter. Such lines are no part of the value before them, which may have control characters too.
#[cold]
pub(crate) fn is_broken_start(line: &[u8]) -> bool {
    [b'0', b'.', b' ', b'A'].into_iter().any(|stand_in| {
        let mended: Vec<u8> =
            line.iter().map(|byte| if is_damage(*byte) { stand_in } else { *byte }).collect();
        is_start(&mended) || is_spoilt_start(&mended)
    })
}

/// Whether there are several zeros in a row, which a full disk or a lost block leaves and no logger writes.
#[cold]
pub(crate) fn hole(text: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, b"\0\0")
}

/// Whether a line is one that `aloggrep` and its kin print around entries on standard output. `None` if it may be and
/// more of it is needed.
pub(crate) fn is_tool_text(line: &[u8]) -> Option<bool> {
    // Few lines of values begin like these.
    if line.len() > 1 && !matches!(line.get(..2), Some(b"  " | b"Pr" | b"Gr")) {
        return Some(false);
    }
    if TOOL_TEXT.iter().any(|text| line.starts_with(text)) {
        return Some(true);
    }
    if TOOL_TEXT.iter().any(|text| text.starts_with(line)) { None } else { Some(false) }
}

/// Whether a record is a line to be left as it is.
#[inline]
pub(crate) fn is_comment(record: &[u8]) -> bool {
    // Most records begin with the digit of a time.
    !record.first().is_some_and(u8::is_ascii_digit)
        && (record.starts_with(COMMENT) || is_tool_text(record) == Some(true))
}

/// Beginnings of the lines that MOOS-IvP's tools print around entries.
const TOOL_TEXT: [&[u8]; 8] = [
    b"Processing on file : ",
    b"Grabbing key: ",
    b"  Total lines retained: ",
    b"  Total lines excluded: ",
    b"  Total chars retained: ",
    b"  Total chars excluded: ",
    b"    Variables retained: (",
    b"    Variables excluded: (",
];

/// The input after the lines that MOOS-IvP's tools print before the header.
pub(crate) fn behind_tool_text(mut input: &[u8]) -> &[u8] {
    while is_tool_text(input) == Some(true) {
        input = split_once(input, b'\n').map_or(&[], |(_, behind)| behind);
    }
    input
}

/// Whether a closer look is worthwhile, by the two bytes between time and name, if present.
pub(crate) fn may_be_spoilt(line: &[u8]) -> bool {
    match (line.get(NAME - 1), line.get(NAME)) {
        (Some(blank), Some(name)) => *blank == b' ' && is_text(*name),
        _ => true,
    }
}

/// Start of the name in the logger's columns, and of the source after a name that fits.
pub(crate) const NAME: usize = Columns::MOOS_IVP.time + 1;
pub(crate) const SOURCE: usize = NAME + Columns::MOOS_IVP.name + 1;

/// Whether the last, unended line of a log is the beginning of an entry.
pub(crate) fn is_torn_start(line: &[u8]) -> bool {
    let time = line.part(..text(line, 0));
    !time.is_empty() && time.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
}

/// Length of the time at the start of a line.
#[inline]
fn time(line: &[u8]) -> Option<usize> {
    // Nearly every time ends within two words.
    let [Some(first), Some(second)] = [0, 8].map(|at| line.get(at..).and_then(<[u8]>::first_chunk)) else {
        return any_time(line);
    };
    let others = |eight: &[u8; 8]| u128::from(other_than_digits(u64::from_le_bytes(*eight)));
    let others = others(first) | others(second).wrapping_shl(64);
    let behind = others & others.wrapping_sub(1);
    if behind == 0 || line.first() == Some(&b'-') {
        return any_time(line);
    }
    let [point, end] = [others, behind].map(|marks| marks.trailing_zeros() as usize / 8);
    (point > 0 && end > point + 1 && line.get(point) == Some(&b'.')).then_some(end)
}

/// The same for a time of any length and sign.
#[inline(never)]
fn any_time(line: &[u8]) -> Option<usize> {
    let sign = usize::from(line.first() == Some(&b'-'));
    let whole = digits(line, sign);
    if whole == sign || line.get(whole) != Some(&b'.') {
        return None;
    }
    let point = whole + 1;
    let end = digits(line, point);
    (end > point).then_some(end)
}

const fn is_text(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// End of the run of bytes from `from` for which `is` is true.
fn run(line: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = line.part(from..);
    from + rest.iter().position(|b| !is(*b)).unwrap_or(rest.len())
}

/// End of the run of digits from `from`, eight bytes at a time.
#[inline]
fn digits(line: &[u8], mut from: usize) -> usize {
    while let Some(eight) = line.get(from..).and_then(<[u8]>::first_chunk) {
        let others = other_than_digits(u64::from_le_bytes(*eight));
        if others != 0 {
            return from + first_of(others);
        }
        from += 8;
    }
    run(line, from, |b| b.is_ascii_digit())
}

/// End of the run of blanks from `from`: spaces eight at a time, because they pad columns.
#[inline]
pub(crate) fn blanks(line: &[u8], mut from: usize) -> usize {
    const SPACES: u64 = 0x2020_2020_2020_2020;
    while let Some(eight) = line.get(from..).and_then(<[u8]>::first_chunk) {
        let other = u64::from_le_bytes(*eight) ^ SPACES;
        if other != 0 {
            from += other.trailing_zeros() as usize / 8;
            if value_at(line, from) != b'\t' {
                return from;
            }
            break;
        }
        from += 8;
    }
    run(line, from, |b| matches!(b, b' ' | b'\t'))
}

/// End of the run of text from `from`, eight bytes at a time while none is a blank or a control character.
#[inline]
fn text(line: &[u8], mut from: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    while let Some(eight) = line.get(from..).and_then(<[u8]>::first_chunk) {
        let bytes = u64::from_le_bytes(*eight);
        // The high bit of each byte below 0x21; the second term excludes bytes above 0x7f.
        let low = bytes.wrapping_sub(ONES.wrapping_mul(0x21)) & !bytes & ONES.wrapping_mul(0x80);
        if low != 0 {
            from += low.trailing_zeros() as usize / 8;
            if !is_text(value_at(line, from)) {
                return from;
            }
            break;
        }
        from += 8;
    }
    run(line, from, is_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_the_same_by_words_and_byte_by_byte() {
        let (mut rng, mut found) = (testkit::Rng(1), 0);
        for _ in 0..200_000 {
            let [whole, decimals] = [(); 2].map(|()| &"01234567"[..rng.below(9)]);
            let sign = ["", "", "", "-", " "][rng.below(5)];
            let point = [".", ".", ".", ":", ".."][rng.below(5)];
            let line = format!("{sign}{whole}{point}{decimals}{}", &" 1.x\t.A p"[..rng.below(9)]);
            found += usize::from(time(line.as_bytes()).is_some());
            assert_eq!(time(line.as_bytes()), any_time(line.as_bytes()), "{line}");
        }
        assert!(found > 20_000, "{found}");
    }

    #[test]
    fn a_line_in_columns_begins_an_entry_as_any_other() {
        let (mut rng, mut found) = (testkit::Rng(2), 0);
        for _ in 0..200_000 {
            let name =
                ["NAV_X", "A_NAME_OF_20_LETTERS", "A_NAME_LONGER_THAN_20_LETTERS", "", "12"][rng.below(5)];
            let mut line = format!("{:<15} {name:<20} {:<3}1.5\n", "12.50", ["pNav", "p", ""][rng.below(3)])
                .into_bytes();
            for _ in 0..rng.below(4) {
                let at = rng.below(line.len());
                line[at] = b" \t\n\r\x0b\x01a1.\xff"[rng.below(10)];
            }
            line.truncate([line.len(), SOURCE + 1, SOURCE, rng.below(line.len())][rng.below(4)]);
            let by_parts = any_time(&line).is_some_and(|time| {
                let part = |from: usize, is: fn(u8) -> bool| run(&line, from, is);
                let name = part(time, |b| matches!(b, b' ' | b'\t'));
                let name_end = part(name, is_text);
                let source = part(name_end, |b| matches!(b, b' ' | b'\t'));
                time < name && name < name_end && name_end < source && part(source, is_text) > source
            });
            assert_eq!(is_start(&line), by_parts, "{}", line.escape_ascii());
            assert_eq!(start(&line).is_some(), by_parts, "{}", line.escape_ascii());
            found += usize::from(by_parts);
        }
        assert!(found > 50_000, "{found}");
    }
}
