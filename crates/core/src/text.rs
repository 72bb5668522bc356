//! Lines, whitespace-separated fields and numbers of text formats; making text from files safe to print.

#![allow(clippy::arithmetic_side_effects, reason = "places in text")]

mod eight;

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
    path::Path,
};

pub use self::eight::{
    append_digits, count, decimal, eight_digits, first_of, marks, near, near_of, near2, other_than_digits,
    others_than_digits, short_decimal, short_integer, short_number,
};
use self::eight::{controls, scaled};

use crate::{
    Error, ErrorKind, Result,
    slices::{Part as _, past},
};

/// Text from a file, for display: control characters, invalid UTF-8 and characters that change the writing direction
/// are escaped, so that a file cannot control a terminal.
///
/// ```
/// use robolog_core::text::Escaped;
/// assert_eq!(Escaped(b"SN\x1b[2J\xff\xe2\x80\xae!").to_string(), r"SN\u{1b}[2J\xff\u{202e}!");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Escaped<'a>(pub &'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if is_unsafe(c) {
                    write!(f, "{}", c.escape_unicode())?;
                } else {
                    f.write_char(c)?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// A message for people: without the offset in the file and the number of the operating system's error.
///
/// ```
/// use robolog_core::text::without_numbers;
/// assert_eq!(without_numbers("it ends early (at byte 0x959) here"), "it ends early here");
/// assert_eq!(without_numbers("not found (os error 2)"), "not found");
/// assert_eq!(without_numbers("a value (at byte 0xzz)"), "a value (at byte 0xzz)");
/// ```
pub fn without_numbers(message: &str) -> String {
    [" (at byte 0x", " (os error "].iter().fold(message.to_owned(), |message, mark| {
        let mut parts = message.split(mark);
        let first = parts.next().map(str::to_owned);
        parts.fold(first.unwrap_or_default(), |mut out, part| {
            match part.split_once(')') {
                Some((digits, rest)) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => out.push_str(rest),
                _ => out.extend([mark, part]),
            }
            out
        })
    })
}

/// The text displayed by `T`, escaped like [`Escaped`]: for messages that contain text from files.
///
/// ```
/// use robolog_core::text::Printable;
/// assert_eq!(Printable("found \x1b[2J").to_string(), r"found \u{1b}[2J");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printable<T>(pub T);

impl<T: fmt::Display> fmt::Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

/// Escapes everything written through it.
struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Most text needs no escaping.
        if text.chars().any(is_unsafe) {
            write!(self.0, "{}", Escaped(text.as_bytes()))
        } else {
            self.0.write_str(text)
        }
    }
}

/// Whether this character could control a terminal or disguise a text: control characters, those that change the
/// writing direction, and the byte order mark, which has no width.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// Index of the first control character in `text` that indicates damage: any but tab, LF, CR, and ESC, which programs
/// use to colour their output.
///
/// ```
/// use robolog_core::text::first_control;
/// assert_eq!(first_control(b"1.5\tNAV_X\x1b[31m caf\xe9\r\n"), None);
/// assert_eq!(first_control(b"1.5 NAV_X\0\0 \n"), Some(9));
/// ```
#[inline]
pub fn first_control(text: &[u8]) -> Option<usize> {
    first_control_that(text, is_damage)
}

/// Index of the first control character (any below the space) in `text` for which `is` holds.
///
/// ```
/// use robolog_core::text::first_control_that;
/// assert_eq!(first_control_that(b"a\tb\nc", |byte| byte == b'\n'), Some(3));
/// ```
#[inline]
pub fn first_control_that(text: &[u8], is: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    // Sixty-four at a time, without branches within: most have none.
    let has_control = |block: &[u8; 64]| block.iter().fold(u8::MAX, |least, b| least.min(*b)) < b' ';
    let (blocks, rest) = text.as_chunks();
    for (at, block) in blocks.iter().enumerate() {
        if has_control(block)
            && let Some(place) = control_of(block, is)
        {
            return Some(64 * at + place);
        }
    }
    let marks_of = |eight: &[u8; 8]| controls(u64::from_le_bytes(*eight));
    let marks = rest.as_chunks().0.iter().fold(0, |marks, eight| marks | marks_of(eight));
    // The last bytes, with some that were looked at.
    if text.last_chunk().is_some_and(|last| marks | marks_of(last) == 0) {
        return None;
    }
    control_of(rest, is).map(|place| text.len() - rest.len() + place)
}

/// The same for a short text: eight bytes at a time, of which each control character is looked at.
#[inline]
fn control_of(text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    let (eights, rest) = text.as_chunks();
    for (at, eight) in eights.iter().enumerate() {
        let bytes = u64::from_le_bytes(*eight);
        let mut left = controls(bytes);
        while left != 0 {
            let place = first_of(left);
            if eight.get(place).is_some_and(|byte| is(*byte)) {
                return Some(8 * at + place);
            }
            left &= left - 1;
        }
    }
    rest.iter().position(|byte| is(*byte)).map(|place| text.len() - rest.len() + place)
}

/// Whether a byte is a control character searched for by [`first_control`].
#[expect(clippy::needless_bitwise_bool, reason = "without a branch within, many bytes are looked at in one")]
pub const fn is_damage(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') & (byte != 0x1b)
}

/// The name of a file without its folders, for display; empty if the path ends with none, such as `..`.
///
/// ```
/// use robolog_core::text::name_of;
/// assert_eq!((&*name_of("a/b.csv".as_ref()), &*name_of("..".as_ref())), ("b.csv", ""));
/// ```
pub fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().map_or(Cow::Borrowed(""), |name| name.to_string_lossy())
}

/// A name from a file as one path component: letters, digits, `-`, `_` and inner dots are kept, every other character
/// becomes `_`. Never empty, a path of several components or a device name; at most 101 bytes long.
///
/// ```
/// use robolog_core::text::file_name;
/// assert_eq!(file_name(b"3WEDH7600101501"), "3WEDH7600101501");
/// assert_eq!(file_name(b"../../etc/passwd"), "_.._etc_passwd");
/// assert_eq!(file_name(b""), "_");
/// ```
pub fn file_name(name: &[u8]) -> String {
    let keep = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut safe = String::new();
    for c in String::from_utf8_lossy(name).chars().map(|c| if keep(c) { c } else { '_' }) {
        if safe.len() + c.len_utf8() > NAME_LEN {
            break;
        }
        safe.push(c);
    }
    safe.truncate(safe.trim_end_matches('.').len());
    safe.drain(..safe.len() - safe.trim_start_matches('.').len());
    let stem = safe.split_once('.').map_or(&*safe, |(stem, _)| stem).to_ascii_uppercase();
    // Windows counts the superscripts of Latin-1 as digits: COM¹.
    let device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.chars().count() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")));
    if safe.is_empty() || device {
        safe.insert(stem.len(), '_');
    }
    safe
}

/// Maximum bytes of a name: file systems allow 255, and numbers and extensions follow.
const NAME_LEN: usize = 100;

/// A line of text and its offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Offset of its first byte.
    pub offset: u64,
    /// Its bytes without the line ending.
    pub bytes: &'a [u8],
    /// The ending: `\n`, `\r\n`, or empty for a last line without one.
    pub ending: &'a [u8],
}

/// The lines of `input`, which starts at offset `at` of the file. LF and CRLF both end a line; a last line without an
/// ending counts unless it is empty.
pub fn lines(input: &[u8], at: u64) -> Lines<'_> {
    Lines { rest: input, at }
}

/// Iterator over lines: see [`lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a [u8],
    at: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let len = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |n| n + 1);
        let (line, rest) = self.rest.split_at_checked(len)?;
        let bytes = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        let ending = line.part_or_empty(bytes.len()..);
        let offset = self.at;
        self.rest = rest;
        self.at = past(self.at, len);
        Some(Line { offset, bytes, ending })
    }
}

impl std::iter::FusedIterator for Lines<'_> {}

/// A field of a line and its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Column in the line, in bytes from 1.
    pub column: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl<'a> Line<'a> {
    /// The fields of the line, separated by runs of spaces and tabs.
    pub fn fields(&self) -> Fields<'a> {
        Fields { line: self.bytes, pos: 0, offset: self.offset }
    }
}

/// Iterator over fields: see [`Line::fields`].
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    line: &'a [u8],
    pos: usize,
    offset: u64,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let rest = self.line.get(self.pos..)?;
        let start = self.pos + rest.iter().position(|b| !blank(b))?;
        let rest = self.line.get(start..)?;
        let end = start + rest.iter().position(blank).unwrap_or(rest.len());
        self.pos = end;
        Some(Field {
            offset: past(self.offset, start),
            column: start as u64 + 1,
            bytes: self.line.get(start..end)?,
        })
    }
}

impl std::iter::FusedIterator for Fields<'_> {}

impl Field<'_> {
    /// The field as a decimal number; `inf`, `nan` and hexadecimal are errors.
    pub fn number(&self) -> Result<f64> {
        number(self.bytes).ok_or_else(|| self.error("a number"))
    }

    /// The field as an integer.
    pub fn integer<T: std::str::FromStr>(&self) -> Result<T> {
        let text = std::str::from_utf8(self.bytes).ok();
        text.and_then(|t| t.parse().ok()).ok_or_else(|| self.error("an integer in range"))
    }

    /// An error that this field should be `expected`.
    #[cold]
    pub fn error(&self, expected: &'static str) -> Error {
        let found = Escaped(self.bytes.get(..64).unwrap_or(self.bytes)).to_string();
        Error::new(ErrorKind::Text { expected, found, column: self.column }, self.offset)
    }
}

/// Two hexadecimal digits per byte, in upper case.
///
/// ```
/// use robolog_core::text::{from_hex, hex};
/// assert_eq!(hex(b"\x01\xabz"), "01AB7A");
/// assert_eq!(from_hex("01ab7A").as_deref(), Some(&b"\x01\xabz"[..]));
/// assert_eq!((from_hex("01A"), from_hex("+1")), (None, None));
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).map(|c| c.to_ascii_uppercase()).collect()
}

/// The bytes of pairs of hexadecimal digits; `None` for anything else.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks();
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// A decimal number that fills `text`: sign, digits, one dot, exponent.
///
/// ```
/// use robolog_core::text::number;
/// assert_eq!(number(b"-1.5e3"), Some(-1500.0));
/// assert_eq!(number(b"nan"), None);
/// assert_eq!(number(b"1 "), None);
/// ```
pub fn number(text: &[u8]) -> Option<f64> {
    if let Some(value) = plain_number(text) {
        return Some(value);
    }
    let first = text.iter().find(|b| !matches!(b, b'+' | b'-'))?;
    if !(first.is_ascii_digit() || *first == b'.') {
        return None;
    }
    fast_float2::parse(text).ok()
}

/// A number of few digits without an exponent, the common case; `None` for any other text.
#[inline]
fn plain_number(text: &[u8]) -> Option<f64> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (value, decimals) = decimal(digits)?;
    if value >= 1 << 53 {
        return None;
    }
    let value = scaled(value, decimals)?;
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_endings_and_offsets() {
        let got: Vec<_> = lines(b"a\r\n\nb\rc\nlast", 100).map(|l| (l.offset, l.bytes, l.ending)).collect();
        let want: [(u64, &[u8], &[u8]); 4] =
            [(100, b"a", b"\r\n"), (103, b"", b"\n"), (104, b"b\rc", b"\n"), (108, b"last", b"")];
        assert_eq!(got, want);
        assert_eq!(lines(b"", 0).count(), 0);
    }

    #[test]
    fn fields_split_on_runs_of_blanks_and_know_their_column() {
        let line = lines(b"  1\t\t-2.5  x \n", 10).next().unwrap();
        let fields: Vec<_> = line.fields().collect();
        assert_eq!(
            fields.iter().map(|f| (f.offset, f.column)).collect::<Vec<_>>(),
            [(12, 3), (15, 6), (21, 12)]
        );
        assert_eq!(fields[1].number().unwrap().to_bits(), (-2.5f64).to_bits());
        assert_eq!(fields[0].integer::<u8>().unwrap(), 1);
        let e = fields[2].number().unwrap_err();
        assert_eq!(e.to_string(), "column 12: \"x\" is not a number (at byte 0x15)");
    }

    #[test]
    fn numbers_are_decimal_and_whole_fields() {
        for (text, value) in [("0", 0.0), ("+7", 7.0), (".5", 0.5), ("5.", 5.0), ("1e-3", 0.001)] {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
        }
        for text in ["", "-", "+-1", "e5", "inf", "-nan", "0x10", "1 2", "1,5"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn short_numbers_are_those_of_the_standard_library() {
        let mut state = 1_u64;
        for n in 0..20_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (state >> (n % 60)).to_string();
            let at = usize::try_from(n).unwrap() % (digits.len() + 1);
            for sign in ["", "-", "+"] {
                let text = format!("{sign}{}.{}", &digits[..at], &digits[at..]);
                let want: f64 = text.parse().unwrap();
                assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(want.to_bits()), "{text}");
            }
        }
        for (text, value) in [("-0", -0.0), ("-.0", -0.0), ("9007199254740993", 9_007_199_254_740_992.0)] {
            assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(f64::to_bits(value)), "{text}");
        }
        assert_eq!((number(b"."), number(b"-."), number(b"1.2.3")), (None, None, None));
    }

    #[test]
    fn every_character_that_commands_or_hides_is_escaped() {
        let bidi =
            ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202e}', '\u{2069}'];
        let unsafes = ('\0'..' ').chain('\u{7f}'..'\u{a0}').chain(bidi).chain(['\u{feff}']);
        for c in unsafes {
            let shown = Printable(format_args!("a{c}b")).to_string();
            assert_eq!(shown, format!("a\\u{{{:x}}}b", u32::from(c)));
        }
        assert_eq!(Printable("Dôme 字 \\").to_string(), "Dôme 字 \\");
    }

    #[test]
    fn a_control_character_is_found_wherever_it_lies() {
        for len in (1..70).chain([127, 128, 150, 207]) {
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    let mut text = vec![b'a'; len];
                    text[at] = byte;
                    let is_damage = matches!(byte, 0..=8 | 11 | 12 | 14..=26 | 28..=31);
                    assert_eq!(first_control(&text), is_damage.then_some(at), "{byte:#x} at {at} of {len}");
                }
            }
        }
        assert_eq!(first_control(b"\n\n\0\n"), Some(2));
    }

    #[test]
    fn file_names_fit_file_systems_that_count_bytes() {
        for (name, len) in
            [("字".repeat(100), 99), ("a".repeat(300), 100), (format!("a{}", "é".repeat(99)), 99)]
        {
            assert_eq!(file_name(name.as_bytes()).len(), len, "{name}");
        }
    }

    #[test]
    fn file_names_stay_one_harmless_component() {
        for (from, to) in [("..", "_"), ("a/b", "a_b"), ("C:\\x", "C__x"), ("a. .", "a._"), ("CON ", "CON_")]
        {
            assert_eq!(file_name(from.as_bytes()), to, "{from}");
        }
        // The underscore comes after the name of the device: callers trim leading ones.
        for (from, to) in
            [("con", "con_"), ("COM1.txt", "COM1_.txt"), ("nul.tar.gz", "nul_.tar.gz"), ("lpt²", "lpt²_")]
        {
            assert_eq!(file_name(from.as_bytes()), to, "{from}");
        }
        assert_eq!(file_name(b"console.com1"), "console.com1");
        assert_eq!(file_name(b"a\0b\x1b"), "a_b_");
    }
}
