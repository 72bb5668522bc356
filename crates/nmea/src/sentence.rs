//! A sentence: its address, its fields, its checksum.

use std::fmt;

use robolog_core::{
    Error, Result,
    slices::{Part as _, known, past},
    text::Escaped,
};

use super::{Coordinate, prefix, time::shown};

/// A sentence as in the file, with all its fields as text; [`Message::decode`](super::Message::decode) types those of
/// known types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'a> {
    bytes: &'a [u8],
    /// Offset of the delimiter.
    offset: u64,
    /// Printable ASCII.
    address: &'a [u8],
    /// After the address: a comma and the fields, or nothing.
    body: &'a [u8],
    checksum: Checksum,
}

/// State of a sentence's checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checksum {
    /// It has none.
    None,
    /// It is right.
    Right,
    /// It is wrong: the sentence is damaged.
    Wrong {
        /// The checksum in the sentence.
        found: u8,
        /// The checksum of its bytes.
        expected: u8,
    },
}

impl<'a> Sentence<'a> {
    /// Reads a sentence with or without a checksum and line end. Returns an error if there is none; a wrong checksum is
    /// not an error: see [`checksum`](Self::checksum).
    ///
    /// ```
    /// use robolog_nmea::{Checksum, Sentence};
    /// let sentence = Sentence::parse(b"$GPZDA,175503.00,11,12,2006,00,00*64\r\n")?;
    /// assert_eq!((sentence.talker(), sentence.kind()), ("GP", "ZDA"));
    /// assert_eq!(sentence.checksum(), Checksum::Right);
    /// assert_eq!(sentence.field(3), Some(&b"2006"[..]));
    /// # Ok::<(), robolog_nmea::Error>(())
    /// ```
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_from(bytes, 0)
    }

    /// Like [`parse`](Self::parse), for a sentence at `offset` of a file, which errors show.
    pub fn parse_from(bytes: &'a [u8], offset: u64) -> Result<Self> {
        Self::new(bytes, offset).ok_or_else(|| {
            let expected = "$ or !, and an address";
            Error::invalid("start of a sentence", shown(bytes), expected, offset).within("nmea")
        })
    }

    #[inline]
    pub(super) fn new(bytes: &'a [u8], offset: u64) -> Option<Self> {
        let address_len = address_len(bytes)?;
        let content = without_ending(bytes);
        let star = star(content).or_else(|| prefix::star_before_time(content));
        let inner = content.get(1..star.unwrap_or(content.len()))?;
        let (address, body) = inner.split_at_checked(address_len.min(inner.len()))?;
        let checksum = match star {
            Some(star) => match digits(content.get(star + 1..)?.part_or_empty(..2)) {
                Some(found) => match checksum(inner) {
                    sum if sum == found => Checksum::Right,
                    expected => Checksum::Wrong { found, expected },
                },
                None => Checksum::None,
            },
            None => Checksum::None,
        };
        Some(Self { bytes, offset, address, body, checksum })
    }

    /// All bytes, the end of the line included.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Offset of the first byte in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether it begins with `!` and encapsulates a payload, as in AIS.
    pub fn is_encapsulated(&self) -> bool {
        self.bytes.first() == Some(&b'!')
    }

    /// The text before the first comma: `GPGGA`, `PGRME`.
    pub fn address(&self) -> &'a str {
        ascii(self.address)
    }

    #[inline]
    pub(super) fn address_bytes(&self) -> &'a [u8] {
        self.address
    }

    /// The talker: two letters, `P` for proprietary sentences, empty if the address has neither form.
    #[inline]
    pub fn talker(&self) -> &'a str {
        ascii(talker(self.address))
    }

    #[inline]
    pub(super) fn talker_bytes(&self) -> &'a [u8] {
        talker(self.address)
    }

    /// The type: three letters, or the whole address if it is proprietary or of another length.
    #[inline]
    pub fn kind(&self) -> &'a str {
        ascii(kind(self.address))
    }

    #[inline]
    pub(super) fn kind_bytes(&self) -> &'a [u8] {
        kind(self.address)
    }

    /// Whether the checksum is right, wrong or missing.
    pub fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// The fields after the address, as in the file.
    #[inline]
    pub fn fields(&self) -> Fields<'a> {
        Fields { rest: self.body.split_first().map(|(_, rest)| rest) }
    }

    /// The field of this index, counted from 0.
    pub fn field(&self, index: usize) -> Option<&'a [u8]> {
        self.fields().nth(index)
    }

    /// Offset in the file after the last field.
    pub(super) fn fields_end(&self) -> u64 {
        let len = self.address.len() + self.body.len() + 1;
        past(self.offset, len)
    }

    /// The text behind the checksum: a time, in some logs.
    pub(super) fn behind(&self) -> &'a [u8] {
        // A delimiter, a star and two digits.
        // Nothing, if it has no checksum.
        self.bytes.part_or_empty(self.address.len() + self.body.len() + 4..)
    }

    /// Whether it has a line end.
    pub fn is_ended(&self) -> bool {
        matches!(self.bytes.last(), Some(b'\n' | b'\r'))
    }
}

impl fmt::Debug for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sentence")
            .field("offset", &self.offset)
            .field("text", &Escaped(self.bytes).to_string())
            .field("checksum", &self.checksum)
            .finish()
    }
}

/// Iterator over the fields of a sentence: see [`Sentence::fields`].
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// The rest, with its commas.
    #[inline]
    pub(super) fn rest(&self) -> Option<&'a [u8]> {
        self.rest
    }

    /// Skips a field of this length.
    #[inline]
    pub(super) fn pass(&mut self, len: usize) {
        self.rest = self.rest.and_then(|rest| Some(rest.get(len..)?.split_first()?.1));
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let end = rest.iter().position(|b| *b == b',');
        let (field, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        self.rest = end.and_then(|_| after.split_first()).map(|(_, after)| after);
        Some(field)
    }
}

impl std::iter::FusedIterator for Fields<'_> {}

/// The length of the address after the delimiter, if a sentence can begin with these bytes: printable characters, the
/// first a letter or digit.
#[inline]
pub(super) fn address_len(bytes: &[u8]) -> Option<usize> {
    // Nearly all have five letters.
    if let [b'$' | b'!', address @ .., b','] = bytes.part_or_empty(..7)
        && address.iter().all(u8::is_ascii_alphanumeric)
    {
        return Some(address.len());
    }
    let (delimiter, rest) = bytes.split_first()?;
    let first = rest.first()?;
    if !matches!(delimiter, b'$' | b'!') || !first.is_ascii_alphanumeric() {
        return None;
    }
    let len = rest.iter().position(|b| matches!(b, b',' | b'*' | b'\r' | b'\n')).unwrap_or(rest.len());
    let is_text = rest.get(..len)?.iter().all(|b| matches!(b, b' '..=b'~'));
    is_text.then_some(len)
}

/// The bytes without the line end and blanks before it.
#[inline]
pub(super) fn without_ending(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_end()
}

/// The text of a part of an address.
#[inline]
fn ascii(address: &[u8]) -> &str {
    known(std::str::from_utf8(address).ok())
}

/// The talker of an address: see [`Sentence::talker`].
#[inline]
pub(super) fn talker(address: &[u8]) -> &[u8] {
    match address {
        [b'P', b'Q', ..] if is_quectel(address) => b"PQ",
        [b'P', ..] => b"P",
        [talker @ .., _, _, _] if talker.len() == 2 => talker,
        _ => b"",
    }
}

/// The type of an address: see [`Sentence::kind`].
#[inline]
pub(super) fn kind(address: &[u8]) -> &[u8] {
    match address {
        [b'P', ..] if !is_quectel(address) => address,
        [_, _, kind @ ..] if kind.len() == 3 => kind,
        _ => address,
    }
}

/// All bytes, each xored with the ones before: eight at a time.
#[inline]
fn checksum(inner: &[u8]) -> u8 {
    let (eights, rest) = inner.as_chunks();
    let lanes = eights.iter().fold(0, |lanes, eight| lanes ^ u64::from_le_bytes(*eight));
    lanes.to_le_bytes().iter().chain(rest).fold(0, |sum, byte| sum ^ byte)
}

/// Position of the star that ends the fields: at most two digits follow it.
#[inline]
fn star(content: &[u8]) -> Option<usize> {
    let near = content.len().saturating_sub(3);
    if content.get(near) == Some(&b'*') {
        return Some(near);
    }
    let far = near.max(1);
    Some(far + content.get(far..)?.iter().position(|b| *b == b'*')?)
}

/// Two hexadecimal digits.
#[inline]
pub(super) fn digits(text: &[u8]) -> Option<u8> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte.wrapping_sub(b'0')),
        b'A'..=b'F' => Some(byte.wrapping_sub(b'A').wrapping_add(10)),
        b'a'..=b'f' => Some(byte.wrapping_sub(b'a').wrapping_add(10)),
        _ => None,
    };
    let [high, low] = text else { return None };
    Some(digit(*high)?.wrapping_mul(16).wrapping_add(digit(*low)?))
}

/// Quectel uses the talker PQ for QZSS, although addresses with P are proprietary.
fn is_quectel(address: &[u8]) -> bool {
    matches!(address, b"PQGSV" | b"PQGSA" | b"PQGGA" | b"PQGLL" | b"PQGNS" | b"PQRMC" | b"PQVTG")
}

/// Builds the text of a sentence, field by field.
#[derive(Debug)]
pub(crate) struct Builder {
    out: Vec<u8>,
    is_talker: bool,
    /// Whether no field contains a comma, which would split it.
    has_whole_fields: bool,
}

impl Builder {
    pub(super) fn new(talker: &str, kind: [u8; 3]) -> Self {
        let out = [b"$", talker.as_bytes(), &kind[..]].concat();
        let is_talker = match *talker.as_bytes() {
            [b'P', _] => out.get(1..).is_some_and(is_quectel),
            [] => true,
            [first, second] => first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric(),
            _ => false,
        };
        Self { out, is_talker, has_whole_fields: true }
    }

    /// Length so far, bytes.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// Drops everything after the first `len` bytes.
    pub(super) fn truncate(&mut self, len: usize) {
        self.out.truncate(len);
    }

    /// Adds two fields: degrees and minutes, and the letter of the hemisphere; the second letter is the negative one.
    pub(super) fn coordinate(
        &mut self,
        value: Option<Coordinate>,
        [positive, negative]: [char; 2],
    ) -> &mut Self {
        let hemisphere = value.map(|c| if c.is_negative() { negative } else { positive });
        self.field(value.map(Coordinate::text)).field(hemisphere)
    }

    /// Adds a field; `None` is an empty one.
    pub(super) fn field(&mut self, value: Option<impl fmt::Display>) -> &mut Self {
        self.out.push(b',');
        if let Some(value) = value {
            let text = value.to_string();
            self.has_whole_fields &= !text.contains(',');
            self.out.extend_from_slice(text.as_bytes());
        }
        self
    }

    /// Adds the star, the checksum and the line end. Returns an error if a field contains characters that end it or the
    /// line, and for an invalid talker: it must be two letters or digits, or empty, and `P` begins proprietary
    /// addresses.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        let inner = self.out.part(1..);
        if !self.is_talker {
            let expected = "two letters or digits, the first of them not P";
            return Err(Error::invalid("talker", shown(inner), expected, 0).within("nmea writer"));
        }
        let bad = |b: &u8| !matches!(b, b' '..=b'~') || matches!(b, b'*' | b'$' | b'!' | b'\\');
        if let Some(at) = inner.iter().position(bad) {
            let found = shown(inner.part(at..));
            return Err(Error::invalid("field", found, "printable characters without * $ ! \\", 0)
                .within("nmea writer"));
        }
        if !self.has_whole_fields {
            return Err(Error::invalid("field", shown(inner), "none with a comma", 0).within("nmea writer"));
        }
        let sum = inner.iter().fold(0, |sum, byte| sum ^ byte);
        self.out.extend_from_slice(format!("*{sum:02X}\r\n").as_bytes());
        Ok(self.out)
    }
}
