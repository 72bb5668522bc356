//! Framing of LVX files.

use robolog_core::{
    Error, ErrorKind, Result,
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    layout::field,
    slices::{InRange as _, Part as _, fitting, missing, past},
};

use crate::{
    Copier, Decoder, Header, Record, Version,
    chain::{self, End, Verdict},
    layout::{FrameHeader11, NAME, current_offset},
    record::FrameHead,
};

/// The format: an uninhabited type, for [`robolog_core::Reader`] and related types.
#[derive(Debug, Clone, Copy)]
pub enum Lvx {}

impl Format for Lvx {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "lvx";

    fn detect(start: &[u8]) -> bool {
        start.starts_with(&NAME)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    /// Reports a wiped header.
    fn header_fault(header: &Header) -> Option<Error> {
        let told = || {
            let (version, devices) = (header.version(), header.devices().len());
            let s = if devices == 1 { "" } else { "s" };
            format!(
                "the header was overwritten; the first frame looks like {version} with {devices} device{s}"
            )
        };
        header.is_wiped().then(|| Error::unexpected(told(), 0).within(Self::NAME))
    }

    fn measure(header: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        let version = header.version();
        let header_len = version.frame_header_len();
        if input.len() < header_len {
            return Ok(Extent::Need(missing(header_len, input)));
        }
        let head = FrameHead::decode(version, input, at)?;
        if input.starts_with(&NAME) {
            return Ok(second(version, input, at, eof));
        }
        if head.current_offset != at {
            let fragment = chain::fragment(header, input, at, eof);
            return fragment.map_or_else(|| misplaced(header, &head, input, at, eof), Ok);
        }
        match frame_len(version, at, head.next_offset) {
            Some(len) if len <= input.len() => filled(header, input, at, len),
            Some(len) if !eof => Ok(Extent::Need(missing(len, input))),
            _ => Ok(salvage(header, input, at, eof, head.next_offset)),
        }
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Record::new(raw, header.version())
    }

    /// A frame header contains its own offset: eight bytes that hardly occur by chance. Inside a frame, packages are
    /// found by their headers: two in a row, or one before a frame or the end.
    fn resync(header: &Header, input: &[u8], at: u64, eof: bool) -> Search {
        let header_len = header.version().frame_header_len();
        if input.len() < header_len && !eof {
            return Search::Beyond { skip: 0, need: missing(header_len, input) };
        }
        let last = input.len().saturating_sub(header_len);
        for (i, at) in (0..=last).zip(at..) {
            let rest = input.part(i..);
            if current_offset(rest) == Some(at) && rest.len() >= header_len || rest.starts_with(&NAME) {
                return Search::Found(i);
            }
            match chain::judge(header, rest, at, eof) {
                Verdict::Packages => return Search::Found(i),
                Verdict::Other => {}
                Verdict::Need(need) => return Search::Beyond { skip: i, need: need.max(1) },
            }
        }
        if eof {
            return Search::Beyond { skip: input.len(), need: 1 };
        }
        Search::Beyond { skip: last.plus(1).min(input.len()), need: header_len }
    }
}

impl Recording for Lvx {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["lvx", "lvx2", "lvx3"];
    const UNTIMED_FOLLOW: bool = true;
}

/// The header of a second recording, as `cat A B` leaves it: a record, if its frames are like those of the first.
fn second(version: Version, input: &[u8], at: u64, eof: bool) -> Extent {
    let found = match Header::parse(input, eof) {
        Ok(Step::Ready(second, len)) if second.version() == version => return Extent::Whole(len),
        Ok(Step::Need(need)) if !eof => return Extent::Need(need),
        Ok(Step::Ready(second, _)) => format!("the header of a second recording, of {}", second.version()),
        _ => "a damaged header of a second recording".to_owned(),
    };
    let expected = format!("one of {version}: split the file there");
    Extent::Torn { len: 0, error: Error::invalid("frame", found, expected, at).within("lvx") }
}

/// Length of the frame at `at` if the next one is at `next`, which must be ahead and not inside this frame's header.
fn frame_len(version: Version, at: u64, next: u64) -> Option<usize> {
    let len = usize::try_from(next.checked_sub(at)?).ok()?;
    (len >= version.frame_header_len()).then_some(len)
}

/// A frame of `len` bytes: whole if packages fill it, otherwise torn after its last good package. All readers thus
/// agree about the loss.
fn filled(header: &Header, input: &[u8], at: u64, len: usize) -> Result<Extent> {
    let version = header.version();
    let raw = RawRecord { offset: at, bytes: input.get(..len).unwrap_or(input) };
    let mut packages = Record::new(raw, version)?.packages();
    while let Some(package) = packages.next() {
        let Err(error) = package else { continue };
        let end = fitting::<usize>(packages.offset().minus(at));
        let good = chain::good_len(header, raw.bytes, at);
        if version != Version::V2_4 && good < end {
            return Ok(Extent::Torn { len: good, error: chain::no_package(past(at, good)) });
        }
        // The frame is short of what a package is short of, not the input.
        let error = match error.kind() {
            ErrorKind::Truncated { needed } => {
                let found = format!("{needed} bytes too long for the frame");
                Error::invalid("package", found, "one within it", packages.offset()).within("lvx frame")
            }
            _ => error,
        };
        return Ok(Extent::Torn { len: if version == Version::V2_4 { 0 } else { end }, error });
    }
    Ok(Extent::Whole(len))
}

/// A frame whose header has a wrong offset. It is read if either interpretation of its next offset leads to a frame
/// with a right one, or if all offsets of the file are off by the same amount; otherwise its end is unknown.
fn misplaced(header: &Header, head: &FrameHead, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
    let (current, next) = (head.current_offset, head.next_offset);
    let error = || Error::invalid("current offset", current, at, at).within("lvx frame");
    for (base, base_next) in [(at, next), (current, next)] {
        let len = frame_len(header.version(), base, base_next).filter(|len| *len < MISPLACED_REACH);
        let Some(len) = len else { continue };
        match input.get(len..).map(|rest| (rest.is_empty(), current_offset(rest))) {
            Some((true, _)) if eof => return filled(header, input, at, len),
            Some((_, Some(offset))) if offset == next || offset == HEADER => {
                return filled(header, input, at, len);
            }
            Some((_, None)) | None if !eof => {
                let end = len.plus(field!(FrameHeader11, current_offset).len);
                return Ok(Extent::Need(missing(end, input)));
            }
            _ => {}
        }
    }
    Ok(Extent::Torn { len: 0, error: error() })
}

/// What the header of a second recording has in place of an offset.
const HEADER: u64 = u64::from_le_bytes(*b"livox_te");
/// How far ahead to search for the successor of a misplaced frame: several times a busy recorder's largest frame.
const MISPLACED_REACH: usize = 16 << 20;

/// A frame that extends past the input, or whose next offset is impossible: its complete packages are kept, as long as
/// they are followed by bytes that can be a package. For LVX3 nothing is kept, as its points are compressed as a whole.
fn salvage(header: &Header, input: &[u8], at: u64, eof: bool, next: u64) -> Extent {
    let version = header.version();
    let wrong_next = || {
        let expected = format!("beyond {at}, within the file");
        Error::invalid("next frame offset", next, expected, version.next_field().at(at)).within("lvx frame")
    };
    let missing = |offset: u64| {
        let missing = next.checked_sub(offset).and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
        missing.map_or_else(wrong_next, |n| Error::truncated(n, offset).within("lvx frame"))
    };
    if version == Version::V2_4 {
        return Extent::Torn { len: 0, error: missing(past(at, input.len())) };
    }
    let good = chain::good_packages(header, input, at, eof);
    let end = past(at, good.len);
    let error = match good.end {
        // Twice the current length, so that the walk does not restart for every package.
        End::Unknown => return Extent::Need(input.len()),
        End::Input => missing(end),
        End::Short(n) => Error::truncated(n, end).within("lvx package"),
        End::Frame | End::Other => wrong_next(),
    };
    Extent::Torn { len: good.len, error }
}
