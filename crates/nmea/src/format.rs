//! Framing of NMEA logs: sentences and the bytes between them.

use robolog_core::{
    Result,
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    slices::{Part as _, split_once},
};

use super::{
    Checksum, Copier, Decoder, Header, Options, Record, Sentence,
    binary::{self, Binary},
    part, prefix,
    sentence::{address_len, digits, without_ending},
};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Nmea {}

/// Maximum length of a sentence, bytes: the standard allows 82, receivers send a few hundred.
pub(super) const LONGEST: usize = 1024;
/// Maximum length of a record of bytes between sentences without a line end.
const WINDOW: usize = 4096;

impl Format for Nmea {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "nmea";

    fn detect(start: &[u8]) -> bool {
        part::parse(start).is_some() || Evidence::gather(start).is_enough()
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    fn measure(_: &Header, input: &[u8], _: u64, eof: bool) -> Result<Extent> {
        Ok(match record_len(input, eof) {
            Some(len) => Extent::Whole(len),
            None => Extent::Need(1),
        })
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(header, raw))
    }

    /// Finds the next line, where anything can begin. Only a limit damages a log.
    fn resync(_: &Header, input: &[u8], _: u64, _: bool) -> Search {
        Search::next_line(input)
    }
}

impl Recording for Nmea {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["nmea", "nma"];

    fn apply_options(header: &mut Header, options: &Options) {
        if let Some(date) = options.date {
            header.set_date(date);
        }
    }
}

/// The length of the record at the start of `input`; `None` if more input is needed.
///
/// A record is a line, up to a sentence that begins inside it; a sentence's line may begin with what a logger adds. A
/// binary message with a right checksum is a record too, whatever lines it seems to have.
#[inline]
pub(super) fn record_len(input: &[u8], eof: bool) -> Option<usize> {
    let (first, rest) = input.split_first()?;
    match *first {
        b'\n' => return Some(1),
        0xb5 | 0xd3 => return message_len(input, eof),
        _ => {}
    }
    match memchr::memchr3(b'\n', b'$', b'!', rest.get(..WINDOW).unwrap_or(rest)) {
        Some(end) if rest.get(end) == Some(&b'\n') && end < WINDOW - 1 => Some(end + 2),
        _ => line_len(input, eof),
    }
}

/// The same for what may be a binary message.
#[cold]
fn message_len(input: &[u8], eof: bool) -> Option<usize> {
    match binary::message(input) {
        Binary::Whole(len) => Some(len),
        Binary::Begun(_) if !eof => None,
        _ => line_len(input, eof),
    }
}

/// Whether a record is a binary message with a right checksum.
pub(super) fn is_message(record: &[u8]) -> bool {
    matches!(record.first(), Some(0xb5 | 0xd3)) && binary::message(record) == Binary::Whole(record.len())
}

/// The length of a line in which a sentence may begin, or that has no end.
#[cold]
fn line_len(input: &[u8], eof: bool) -> Option<usize> {
    let window = input.get(..WINDOW).unwrap_or(input);
    let end = memchr::memchr(b'\n', window);
    if end.is_none() && window.len() < WINDOW && !eof {
        return None;
    }
    let line = end.and_then(|end| window.get(..=end)).unwrap_or(window);
    // Lines that end in a carriage return alone.
    let begins = |at: &usize| {
        let (before, sentence) = line.halves(*at);
        before.ends_with(b"\r") && address_len(sentence).is_some()
    };
    let next = memchr::memchr2_iter(b'$', b'!', line).find(begins);
    let is_ended = next.is_some() || end.is_some() || window.len() < WINDOW;
    let line = next.and_then(|next| line.get(..next)).unwrap_or(line);
    let has_checksum = has_checksum(without_ending(line));
    // What a logger adds before a sentence is part of its record.
    let own = prefix::sentence_at(line).unwrap_or(0);
    let mut unresolved = None;
    for at in memchr::memchr2_iter(b'$', b'!', line) {
        let (before, sentence) = line.halves(at);
        if at <= own || address_len(sentence).is_none() {
            continue;
        }
        if is_ended && has_checksum && is_proven(sentence) && !is_comment(before) {
            return Some(at);
        }
        unresolved = Some(at);
    }
    if is_ended {
        return Some(line.len());
    }
    // A possible sentence that continues after the window is left to the next record.
    let near = line.len().saturating_sub(LONGEST);
    Some(unresolved.filter(|at| *at > near).unwrap_or(line.len()))
}

/// Whether a line ends with a star and two hexadecimal digits.
fn has_checksum(content: &[u8]) -> bool {
    let tail = content.len().checked_sub(3).and_then(|at| content.get(at..)).and_then(<[u8]>::split_first);
    tail.is_some_and(|(star, sum)| *star == b'*' && digits(sum).is_some())
}

/// Whether a sentence in the middle of a line has an address of letters and digits and a right checksum.
fn is_proven(sentence: &[u8]) -> bool {
    let content = without_ending(sentence);
    let body = content.part_or_empty(1..content.len().saturating_sub(3));
    let address = split_once(body, b',').map_or(body, |(address, _)| address);
    let is_address = (3..=12).contains(&address.len()) && address.iter().all(u8::is_ascii_alphanumeric);
    let said = content.get(content.len().saturating_sub(2)..).and_then(digits);
    is_address
        && body.len() < LONGEST
        && address.len() < body.len()
        && said == Some(body.iter().fold(0, |sum, byte| sum ^ byte))
}

/// Whether a line would be a sentence if one byte were different: the first, if an address and a right checksum, or a
/// talker, a type of the standard and a comma follow; or one of the address or the comma after it, if the rest is text.
/// Lines that begin with `#` are comments.
pub(super) fn is_nearly_a_sentence(line: &[u8]) -> bool {
    let content = without_ending(line);
    if prefix::is_nearly_a_tag(content) {
        return true;
    }
    if let Some(prefix) = prefix::parse(content).filter(|_| !content.starts_with(b"$")) {
        let content = prefix::without_time(content);
        // The damaged byte may be taken for one of the prefix, and a source for the sentence.
        let mut places = prefix.len - 1..=prefix.len + prefix::SOURCE;
        return has_checksum(content) && places.any(|at| content.get(at..).is_some_and(is_proven));
    }
    let Some((first, rest)) = content.split_first() else { return false };
    let has_checksum = has_checksum(content);
    if matches!(first, b'$' | b'!') {
        let odd = rest.iter().filter(|b| !matches!(b, b' '..=b'~')).count();
        let letters = rest.part_or_empty(..5).iter().filter(|b| b.is_ascii_alphanumeric()).count();
        let has_comma = rest.get(5) == Some(&b',');
        return odd <= 1 && (has_checksum || (letters == 5) != has_comma && letters >= 4);
    }
    let known = || {
        let (address, behind) = rest.split_first_chunk::<5>()?;
        let (talker, kind) = address.split_at_checked(2)?;
        let is_talker = talker.iter().all(u8::is_ascii_uppercase);
        Some(is_talker && behind.first() == Some(&b',') && KINDS.iter().any(|k| k.as_bytes() == kind))
    };
    *first != b'#' && ((has_checksum && is_proven(content)) || known() == Some(true))
}

/// Start of the zeros that a hole leaves in a text log. Receivers' binary data contains zeros too; those of a hole are
/// in a sentence, in a line that is otherwise text, or more than any message has.
pub(super) fn hole(line: &[u8]) -> Option<usize> {
    let at = memchr::memchr(0, line)?;
    let (before, rest) = line.split_at_checked(at)?;
    let behind = without_ending(line.get(memchr::memrchr(0, line)? + 1..)?);
    let is_text = |text: &[u8]| text.iter().all(|b| matches!(b, b' '..=b'~' | b'\t'));
    let zeros = rest.iter().take_while(|b| **b == 0).count();
    let is_begun = matches!(before, [b'$' | b'!', address @ ..]
        if address.iter().take_while(|b| matches!(b, b'A'..=b'Z' | b'0'..=b'9')).count() >= 3);
    let is_ended = matches!(behind, [.., b'*', high, low] if digits(&[*high, *low]).is_some());
    let is_line =
        at + zeros + behind.len() == without_ending(line).len() && before.len() + behind.len() >= LINE;
    let is_hole = (is_begun && is_text(before))
        || (is_ended && is_text(behind))
        || (is_line && is_text(before) && is_text(behind))
        || zeros >= ZEROS;
    is_hole.then_some(at)
}

/// Length from which text is not text by chance, bytes.
const LINE: usize = 16;
/// Run of zeros that is longer than in any receiver's message.
const ZEROS: usize = 256;

/// Whether a sentence after this text is quoted in a comment.
fn is_comment(before: &[u8]) -> bool {
    before.starts_with(b"#") && before.iter().all(|b| matches!(b, b' '..=b'~' | b'\t'))
}

/// Whether sentences with a right checksum are anywhere among these bytes, which may be mostly others.
///
/// ```
/// let text = b"a receiver's answer: $GPHDT,92.5,T*01, and more\n$GPZDA,175503.00,11,12,2006,00,00*64\n";
/// assert!(robolog_nmea::has_sentences(text) && !robolog_nmea::has_sentences(b"$GPHDT"));
/// ```
pub fn has_sentences(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some((record, behind)) = record_len(rest, true).and_then(|len| rest.split_at_checked(len)) {
        if begins(record) {
            return true;
        }
        rest = behind;
    }
    false
}

/// Evidence for and against a file of sentences.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Sentences with a right checksum.
    proven: usize,
    /// Sentences of known types without one.
    known: usize,
    /// Whether the view ends inside a sentence of a known type.
    begun: bool,
    /// Lines of other text.
    against: usize,
    /// Whether the first record is a sentence with a right checksum.
    begins: bool,
    /// Bytes of sentences, and of everything except comments and known binary messages.
    sentence_bytes: usize,
    bytes: usize,
    /// Whether the previous record was text without a line end: a sentence after it is part of the text.
    in_text: bool,
}

impl Evidence {
    fn gather(start: &[u8]) -> Self {
        let mut evidence = Self::default();
        let mut rest = start.get(..1 << 16).unwrap_or(start);
        evidence.begins = begins(rest);
        while let Some(len) = record_len(rest, true).or((!rest.is_empty()).then_some(rest.len())) {
            let (record, behind) = rest.halves(len);
            match binary::message(rest) {
                Binary::Whole(_) => {}
                // What the view ends in is a message if others, or sentences, are.
                Binary::Begun(_) if evidence.proven > 1 || evidence.begins => break,
                _ => evidence.add(record, behind.is_empty()),
            }
            rest = behind;
        }
        evidence
    }

    fn add(&mut self, record: &[u8], is_last: bool) {
        if std::mem::take(&mut self.in_text) {
            return;
        }
        if let Some(sentence) = Record::sentence_of(record, 0) {
            self.bytes += record.len();
            self.sentence_bytes += record.len();
            let is_known = is_known(&sentence) && sentence.field(0).is_some();
            match sentence.checksum() {
                Checksum::Right if !sentence.address().is_empty() => {
                    self.proven += 1;
                }
                _ if is_known && is_last && !sentence.is_ended() => self.begun = true,
                _ if is_known => self.known += 1,
                _ => {}
            }
            return;
        }
        let text = record.trim_ascii();
        let is_text = text.iter().all(|b| matches!(b, b' '..=b'~' | b'\t'));
        let is_comment = is_text && text.starts_with(b"#");
        let counts = is_text && !text.is_empty() && !is_comment;
        self.bytes += if is_comment { 0 } else { record.len() };
        self.against += usize::from(counts);
        self.in_text = counts && !record.ends_with(b"\n");
    }

    fn is_enough(&self) -> bool {
        let found = self.proven + self.known;
        let all = found + usize::from(self.begun);
        let is_enough = self.proven > 0 || self.known > 1 || (self.begun && self.against == 0);
        // Network captures contain occasional sentences.
        let is_main = self.sentence_bytes * 8 >= self.bytes;
        self.begins || (is_enough && is_main && all * 2 >= self.against)
    }
}

/// Whether a file begins with a sentence of the standard, or of a maker, and its right checksum.
fn begins(start: &[u8]) -> bool {
    let sentence = record_len(start, true)
        .and_then(|len| Record::sentence_of(start.get(..len)?, 0))
        .filter(|sentence| sentence.checksum() == Checksum::Right);
    sentence.is_some_and(|sentence| is_known(&sentence) || sentence.talker() == "P")
}

/// Whether the sentence has a talker of two letters and a type of the standard.
pub(super) fn is_known(sentence: &Sentence<'_>) -> bool {
    let talker = sentence.talker();
    talker.len() == 2
        && talker.bytes().all(|b| b.is_ascii_uppercase())
        && KINDS.iter().any(|kind| sentence.kind() == *kind)
}

/// Types of NMEA 0183.
const KINDS: [&str; 74] = [
    "AAM", "ABK", "ACA", "ALM", "APA", "APB", "BEC", "BOD", "BWC", "BWR", "BWW", "DBK", "DBS", "DBT", "DPT",
    "DSC", "DTM", "FSI", "GBS", "GGA", "GLC", "GLL", "GNS", "GRS", "GSA", "GST", "GSV", "GTD", "HDG", "HDM",
    "HDT", "HSC", "LCD", "MDA", "MSK", "MSS", "MTW", "MWD", "MWV", "OSD", "RMA", "RMB", "RMC", "ROT", "RPM",
    "RSA", "RSD", "RTE", "SFI", "STN", "THS", "TLL", "TRF", "TTM", "TXT", "VBW", "VDM", "VDO", "VDR", "VHW",
    "VLW", "VPW", "VTG", "VWR", "WCV", "WNC", "WPL", "XDR", "XTE", "XTR", "ZDA", "ZDL", "ZFO", "ZTG",
];
