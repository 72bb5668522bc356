//! Images of the cameras: PBM, PGM and PPM, plain and raw, of 8 and 16 bits.
//!
//! Samples are those of the file: a camera of 10 bits writes 0 to 1023, and they stay so. Raw images borrow from the
//! input.
//!
//! ```
//! use effibox::pnm::Pnm;
//! let file = b"P5 # a gray ramp\n3 1\n1023\n\x00\x00\x02\x00\x03\xff";
//! let image = Pnm::read(file)?;
//! assert_eq!((image.width(), image.height(), image.maxval()), (3, 1, 1023));
//! assert_eq!(image.samples().collect::<Vec<_>>(), [0, 512, 1023]);
//! # Ok::<(), effibox::Error>(())
//! ```
//!
//! Not the `image` crate, which stretches samples to the full range (1023 becomes 65535), refuses comments between the
//! numbers of plain images, ignores a second image in a file, copies, and brings colour management. PAM (`P7`) and PFM
//! (`Pf`) are not supported.

use std::borrow::Cow;

use robolog_core::{
    Encoding, Error, ErrorKind, Image, Result,
    layout::checked_count,
    slices::{InRange as _, Part as _, before, past, split_once},
    text::Escaped,
};

/// Kind and encoding of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Kind {
    /// P1: bits as digits.
    PlainBitmap,
    /// P2: gray levels as decimal numbers.
    PlainGray,
    /// P3: red, green and blue as decimal numbers.
    PlainColor,
    /// P4: bits, each row in whole bytes.
    Bitmap,
    /// P5: gray levels of one byte or two.
    Gray,
    /// P6: red, green and blue of one byte or two each.
    Color,
}

impl Kind {
    fn of(magic: [u8; 2]) -> Option<Self> {
        Some(match &magic {
            b"P1" => Self::PlainBitmap,
            b"P2" => Self::PlainGray,
            b"P3" => Self::PlainColor,
            b"P4" => Self::Bitmap,
            b"P5" => Self::Gray,
            b"P6" => Self::Color,
            _ => return None,
        })
    }

    /// Whether samples are single bits.
    pub const fn is_bitmap(self) -> bool {
        matches!(self, Self::PlainBitmap | Self::Bitmap)
    }

    /// Whether samples are decimal text.
    pub const fn is_plain(self) -> bool {
        matches!(self, Self::PlainBitmap | Self::PlainGray | Self::PlainColor)
    }

    /// Samples per pixel: 1 or 3.
    pub const fn samples_per_pixel(self) -> usize {
        if matches!(self, Self::PlainColor | Self::Color) { 3 } else { 1 }
    }
}

/// An image in a file.
///
/// ```
/// use effibox::pnm::Pnm;
/// let image = Pnm::read(b"P5 2 1 255\n\x00\xff")?;
/// assert_eq!((image.width(), image.height()), (2, 1));
/// assert_eq!(image.samples().collect::<Vec<_>>(), [0, 255]);
/// # Ok::<(), effibox::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pnm<'a> {
    kind: Kind,
    width: u32,
    height: u32,
    maxval: u16,
    /// One byte per sample, or two, big-endian; for a raw bitmap its packed rows.
    data: Cow<'a, [u8]>,
    len: usize,
}

impl<'a> Pnm<'a> {
    /// Reads the first image of `input`.
    ///
    /// Returns an error if there is no image, or if the input ends inside it: dimensions are checked against the
    /// available bytes before anything is allocated.
    pub fn read(input: &'a [u8]) -> Result<Self> {
        Self::read_from(input, 0)
    }

    /// The same for an image at byte `at` of a file, for errors.
    pub fn read_from(input: &'a [u8], at: u64) -> Result<Self> {
        let kind = input.first_chunk().copied().and_then(Kind::of);
        let Some(kind) = kind.filter(|_| input.get(2).is_some_and(|b| is_blank(*b) || *b == b'#')) else {
            return Err(Error::magic(input, "a PBM, PGM or PPM image (P1 to P6)"));
        };
        let mut text = Text { all: input, rest: input.part(2..), at };
        let (width, height) = (text.dimension("width")?, text.dimension("height")?);
        let maxval = if kind.is_bitmap() { 1 } else { text.number("maximum", 1, 65_535)? };
        let maxval = u16::try_from(maxval).unwrap_or(u16::MAX);
        let samples = u64::from(width)
            .checked_mul(u64::from(height))
            .and_then(|pixels| pixels.checked_mul(kind.samples_per_pixel() as u64))
            .unwrap_or(u64::MAX);
        let data = if kind.is_plain() {
            Cow::Owned(text.plain(kind, maxval, samples)?)
        } else {
            text.end_of_header()?;
            let (count, size) = match kind {
                Kind::Bitmap => (u64::from(height), width.div_ceil(8) as usize),
                _ => (samples, bytes_of(maxval)),
            };
            let len = checked_count(count, size, text.rest.len(), "image size", text.offset())?;
            let (pixels, behind) = text.rest.halves(len);
            text.rest = behind;
            Cow::Borrowed(pixels)
        };
        Ok(Self { kind, width, height, maxval, data, len: before(input, text.rest).len() })
    }

    /// Its kind and encoding.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Columns; at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows; at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The sample value of white; 1 for bitmaps.
    pub fn maxval(&self) -> u16 {
        self.maxval
    }

    /// Bytes of the input that the image takes. Another image may follow.
    pub fn byte_len(&self) -> usize {
        self.len
    }

    /// The samples, row by row from the top, red before green before blue. In bitmaps 1 is black, as in the file.
    pub fn samples(&self) -> impl Iterator<Item = u16> {
        let (bits, wide) = (self.kind == Kind::Bitmap, bytes_of(self.maxval) == 2);
        let bytes = if bits || wide { &[] } else { &*self.data };
        let pairs = if wide { self.data.as_chunks::<2>().0 } else { &[] };
        let packed = if bits { &*self.data } else { &[] };
        let width = self.width as usize;
        let rows = packed.chunks(width.div_ceil(8).max(1));
        let bit = |byte: u8| (0..8_u8).rev().map(move |n| u16::from(byte.wrapping_shr(n.into()) & 1));
        let unpacked = rows.flat_map(move |row| row.iter().flat_map(move |byte| bit(*byte)).take(width));
        let whole = bytes.iter().copied().map(u16::from);
        whole.chain(pairs.iter().copied().map(u16::from_be_bytes)).chain(unpacked)
    }

    /// As an image of the core: samples are not stretched to the full range, except that bitmaps have 255 for white and
    /// 0 for black.
    pub fn to_image(&self) -> Image {
        let encoding = match (self.kind.samples_per_pixel(), bytes_of(self.maxval)) {
            (1, 1) => Encoding::Mono8,
            (1, _) => Encoding::Mono16,
            (_, 1) => Encoding::Rgb8,
            _ => Encoding::Rgb16,
        };
        let data = if self.kind.is_bitmap() {
            self.samples().map(|bit| if bit == 0 { 255 } else { 0 }).collect::<Vec<u8>>()
        } else {
            self.data.to_vec()
        };
        Image { width: self.width, height: self.height, encoding, data: data.into() }
    }
}

/// The images of a file in order. Ends at the first fault; trailing blanks are skipped.
pub fn images(input: &[u8]) -> Images<'_> {
    Images { input, at: 0 }
}

/// Iterator over images: see [`images`].
#[derive(Debug, Clone)]
pub struct Images<'a> {
    input: &'a [u8],
    at: u64,
}

impl<'a> Iterator for Images<'a> {
    type Item = Result<Pnm<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at > 0 && self.input.trim_ascii_start().is_empty() || self.input.is_empty() {
            return None;
        }
        let input = if self.at == 0 { self.input } else { self.input.trim_ascii_start() };
        self.at = past(self.at, before(self.input, input).len());
        let image = Pnm::read_from(input, self.at);
        self.input = image.as_ref().map_or(&[], |image| input.part(image.len..));
        self.at = past(self.at, before(input, self.input).len());
        Some(image)
    }
}

impl std::iter::FusedIterator for Images<'_> {}

/// Bytes per sample.
const fn bytes_of(maxval: u16) -> usize {
    if maxval > 255 { 2 } else { 1 }
}

/// Whether a byte separates numbers.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Decimal numbers separated by blanks and comments.
struct Text<'a> {
    all: &'a [u8],
    rest: &'a [u8],
    at: u64,
}

impl Text<'_> {
    fn offset(&self) -> u64 {
        past(self.at, before(self.all, self.rest).len())
    }

    /// Skips blanks, and comments to the end of their line.
    fn skip(&mut self) {
        while let Some((byte, behind)) = self.rest.split_first() {
            if *byte == b'#' {
                let end = memchr::memchr(b'\n', behind).unwrap_or(behind.len());
                self.rest = behind.part(end..);
            } else if is_blank(*byte) {
                self.rest = behind;
            } else {
                return;
            }
        }
    }

    fn number(&mut self, what: &'static str, least: u32, most: u32) -> Result<u32> {
        self.skip();
        let (start, at) = (self.rest, self.offset());
        if start.is_empty() {
            return Err(Error::truncated(1, at).within("image"));
        }
        let mut number = 0_u32;
        while let Some((digit @ b'0'..=b'9', behind)) = self.rest.split_first() {
            number = number.saturating_mul(10).saturating_add(digit.wrapping_sub(b'0').into());
            self.rest = behind;
        }
        let digits = before(start, self.rest);
        if digits.is_empty() || !(least..=most).contains(&number) {
            let shown = start.part(..digits.len().clamp(1, 24));
            let found = Escaped(shown).to_string();
            let expected = format!("a number from {least} to {most}");
            return Err(Error::new(ErrorKind::Invalid { what, found, expected }, at).within("image"));
        }
        Ok(number)
    }

    fn dimension(&mut self, what: &'static str) -> Result<u32> {
        self.number(what, 1, u32::MAX.wrapping_sub(1))
    }

    /// One blank ends the header of a raw image, or a comment directly after the number: a `#` after the blank is a
    /// pixel.
    fn end_of_header(&mut self) -> Result<()> {
        match self.rest.split_first() {
            Some((b'#', comment)) => {
                self.rest = split_once(comment, b'\n').map_or(&[][..], |(_, behind)| behind);
            }
            Some((byte, behind)) if is_blank(*byte) => self.rest = behind,
            Some((byte, _)) => {
                let found = Escaped(&[*byte]).to_string();
                return Err(
                    Error::invalid("end of the header", found, "a blank", self.offset()).within("image")
                );
            }
            None => return Err(Error::truncated(1, self.offset()).within("image")),
        }
        Ok(())
    }

    /// Reads decimal samples as raw ones.
    fn plain(&mut self, kind: Kind, maxval: u16, samples: u64) -> Result<Vec<u8>> {
        let rest = self.rest.len();
        // Each except the last takes a digit and a blank; the digits of bitmaps need no blank.
        let (room, least) = if kind.is_bitmap() { (rest, 1) } else { (rest.plus(1), 2) };
        checked_count(samples, least, room, "image size", self.offset())?;
        let size = bytes_of(maxval);
        let mut data = Vec::with_capacity(checked_count(samples, size, room, "image size", self.offset())?);
        for _ in 0..samples {
            if kind.is_bitmap() {
                self.skip();
                match self.rest.split_first() {
                    Some((bit @ (b'0' | b'1'), behind)) => {
                        data.push(bit.wrapping_sub(b'0'));
                        self.rest = behind;
                    }
                    Some((byte, _)) => {
                        let found = Escaped(&[*byte]).to_string();
                        return Err(Error::invalid("bit", found, "0 or 1", self.offset()).within("image"));
                    }
                    None => return Err(Error::truncated(1, self.offset()).within("image")),
                }
                continue;
            }
            let sample = self.number("sample", 0, maxval.into())?;
            let [.., high, low] = sample.to_be_bytes();
            if size == 2 {
                data.push(high);
            }
            data.push(low);
        }
        Ok(data)
    }
}
