//! Converts documents in other encodings to UTF-8.

use std::{borrow::Cow, io};

use robolog_core::slices::Part as _;

use super::attribute;

/// Reads a document in UTF-16, ISO 8859-1 or Windows-1252 as UTF-8; UTF-8 is passed through unchanged. NMEA logs in
/// UTF-16 are read as well.
///
/// The encoding is found by a byte order mark, by zeros between the first characters, or by the XML declaration, whose
/// `encoding` then becomes `UTF-8`. Offsets and copies refer to the UTF-8 text.
///
/// ```
/// use std::io::Read;
/// let file: Vec<u8> = "<?xml version='1.0' encoding='UTF-16'?><gpx/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
/// let mut text = String::new();
/// robolog_xml::Utf8Reader::new(&file[..]).read_to_string(&mut text)?;
/// assert_eq!(text, "<?xml version='1.0' encoding='UTF-8'?><gpx/>");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Utf8Reader<R> {
    inner: R,
    encoding: Option<Encoding>,
    /// Bytes of a character that is not complete yet.
    raw: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
    eof: bool,
    /// The error that ended the stream within its first bytes; returned after those bytes.
    fault: Option<io::Error>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin,
}

const BLOCK: usize = 64 << 10;
/// Maximum size of an XML declaration, bytes.
const DECLARATION: usize = 512;

impl<R> Utf8Reader<R> {
    /// Whether a file with these first bytes is in an encoding other than UTF-8.
    pub fn decodes(start: &[u8]) -> bool {
        guess(start) != Encoding::Utf8
    }
}

impl<R: io::Read> Utf8Reader<R> {
    /// Reads nothing yet.
    pub fn new(inner: R) -> Self {
        let (raw, ready) = (Vec::new(), Vec::new());
        Self { inner, encoding: None, raw, ready, given: 0, eof: false, fault: None }
    }

    /// The inner stream; a block more than was delivered may have been read from it.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Reads another block. Returns the errors of the stream.
    fn more(&mut self) -> io::Result<()> {
        let have = self.raw.len();
        self.raw.resize(have + BLOCK, 0);
        let read = self.inner.read(self.raw.part_mut(have..));
        self.raw.truncate(have + *read.as_ref().unwrap_or(&0));
        self.eof = read? == 0;
        Ok(())
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        let first = self.encoding.is_none();
        while first && self.raw.len() < DECLARATION && !self.eof && self.fault.is_none() {
            match self.more() {
                Err(e) if is_damage(&e) && !self.raw.is_empty() => self.fault = Some(e),
                outcome => outcome?,
            }
        }
        if !first {
            self.more()?;
        }
        let encoding = *self.encoding.get_or_insert_with(|| guess(&self.raw));
        let used = decode(encoding, &self.raw, self.eof, &mut self.ready);
        self.raw.drain(..used.min(self.raw.len()));
        if first && encoding != Encoding::Utf8 {
            declare(&mut self.ready);
        }
        Ok(())
    }
}

impl<R: io::Read> io::Read for Utf8Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.given >= self.ready.len()
            && let Some(fault) = self.fault.take()
        {
            return Err(fault);
        }
        if self.encoding == Some(Encoding::Utf8) && self.given >= self.ready.len() {
            return self.inner.read(buf);
        }
        while self.given >= self.ready.len() {
            if self.eof && self.raw.is_empty() {
                return Ok(0);
            }
            self.fill()?;
        }
        let ready = self.ready.part(self.given..);
        let len = ready.len().min(buf.len());
        if let (Some(to), Some(from)) = (buf.get_mut(..len), ready.get(..len)) {
            to.copy_from_slice(from);
        }
        self.given += len;
        Ok(len)
    }
}

/// Whether the stream has ended; otherwise another read may return more.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData)
}

/// A document in memory as UTF-8: see [`Utf8Reader`]. UTF-8 is not copied.
///
/// ```
/// let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><name>D\xf4me</name>";
/// let text = robolog_xml::to_utf8(latin);
/// assert!(String::from_utf8_lossy(&text).ends_with("<name>Dôme</name>"));
/// ```
pub fn to_utf8(input: &[u8]) -> Cow<'_, [u8]> {
    let encoding = guess(input.get(..DECLARATION).unwrap_or(input));
    if encoding == Encoding::Utf8 {
        return Cow::Borrowed(input);
    }
    let mut text = Vec::new();
    decode(encoding, input, true, &mut text);
    declare(&mut text);
    Cow::Owned(text)
}

fn guess(start: &[u8]) -> Encoding {
    match start {
        [0xff, 0xfe, ..] | [b'<' | b'$' | b'!', 0, ..] => return Encoding::Utf16Le,
        [0xfe, 0xff, ..] | [0, b'<' | b'$' | b'!', ..] => return Encoding::Utf16Be,
        _ => {}
    }
    let declared = declaration(start).and_then(|tag| attribute(tag, b"encoding")).unwrap_or_default();
    let names = ["ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252"];
    if names.iter().any(|name| declared.eq_ignore_ascii_case(name.as_bytes())) {
        return Encoding::Latin;
    }
    Encoding::Utf8
}

/// An XML declaration without its brackets.
fn declaration(start: &[u8]) -> Option<&[u8]> {
    let near = start.get(..DECLARATION).unwrap_or(start);
    let rest = near.strip_prefix(b"<?")?;
    let end = memchr::memchr(b'>', rest)?;
    rest.get(..end).filter(|tag| tag.starts_with(b"xml"))
}

/// Changes the encoding in the declaration to UTF-8.
fn declare(text: &mut Vec<u8>) {
    let Some(value) = declaration(text).and_then(|tag| attribute(tag, b"encoding")).map(<[u8]>::to_vec)
    else {
        return;
    };
    let near = text.get(..DECLARATION).unwrap_or(text);
    // After the name: a version may contain the same text.
    let Some(key) = memchr::memmem::find(near, b"encoding") else { return };
    let Some(at) = near.get(key..).and_then(|near| memchr::memmem::find(near, &value)) else { return };
    let at = key + at;
    text.splice(at..at + value.len(), *b"UTF-8");
}

/// Appends the characters of `raw` to `out` and returns how many bytes they took. Invalid characters become U+FFFD.
fn decode(encoding: Encoding, raw: &[u8], eof: bool, out: &mut Vec<u8>) -> usize {
    let mut put = |c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    match encoding {
        Encoding::Utf8 => out.extend_from_slice(raw),
        Encoding::Latin => raw.iter().for_each(|byte| put(latin(*byte))),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let unit = |pair: &[u8; 2]| match encoding {
                Encoding::Utf16Be => u16::from_be_bytes(*pair),
                _ => u16::from_le_bytes(*pair),
            };
            let (mut pairs, _) = raw.as_chunks::<2>();
            let half = pairs.last().map(unit).is_some_and(|unit| (0xd800..0xdc00).contains(&unit));
            if half && !eof {
                pairs = pairs.split_last().map_or(pairs, |(_, whole)| whole);
            }
            let units = char::decode_utf16(pairs.iter().map(unit));
            units
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .filter(|c| *c != '\u{feff}')
                .for_each(put);
            if eof {
                return raw.len();
            }
            return pairs.len() * 2;
        }
    }
    raw.len()
}

/// A character of Windows-1252: ISO 8859-1 with printable characters in place of the C1 controls.
fn latin(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let high = byte.checked_sub(0x80).and_then(|n| HIGH.get(usize::from(n)));
    high.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn read(bytes: &[u8], step: usize) -> String {
        let mut out = Vec::new();
        let mut reader = Utf8Reader::new(testkit::Drip::new(bytes, step));
        reader.read_to_end(&mut out).unwrap();
        assert_eq!(to_utf8(bytes), out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = format!("<?xml version=\"1.0\" encoding='UTF-8'?><gpx>{}</gpx>", "é€😀 ".repeat(20_000));
        let utf16 = text.replace("UTF-8", "utf-16");
        for step in [1, 7, 4096] {
            for bom in ["", "\u{feff}"] {
                let units = || bom.encode_utf16().chain(utf16.encode_utf16());
                assert!(read(&units().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), step) == text);
                assert!(read(&units().flat_map(u16::to_be_bytes).collect::<Vec<_>>(), step) == text);
            }
            assert!(read(text.as_bytes(), step) == text);
        }
        assert_eq!(
            read(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9\x80</a>", 3),
            "<?xml version='1.0' encoding='UTF-8'?><a>é€</a>"
        );
    }

    /// As a compressed document with a wrong checksum ends.
    #[test]
    fn a_fault_behind_a_short_text_costs_nothing_of_it() {
        struct Fault;
        impl io::Read for Fault {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::InvalidData.into())
            }
        }
        let mut reader = Utf8Reader::new((&b"<kml/>"[..]).chain(Fault));
        let mut text = Vec::new();
        assert_eq!(reader.read_to_end(&mut text).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(text, b"<kml/>");
    }

    /// As loggers on Windows write sentences.
    #[test]
    fn sentences_in_utf_16_are_read_as_those_in_ascii() {
        let log =
            "$GPGGA,085841.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5D\r\n$GPHDT,1,T\r\n";
        for mark in ["", "\u{feff}"] {
            let units = || mark.encode_utf16().chain(log.encode_utf16());
            assert_eq!(read(&units().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), 7), log);
            assert_eq!(read(&units().flat_map(u16::to_be_bytes).collect::<Vec<_>>(), 7), log);
        }
    }
}
