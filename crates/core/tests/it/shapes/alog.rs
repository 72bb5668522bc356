//! MOOS logs: an entry is a start line and the lines that continue its value.

use robolog_core::{
    Error, Result, Timestamp,
    format::{Extent, Format, RawRecord, Search, Step, Timed},
    text::{lines, number},
};

#[derive(Debug)]
pub(crate) enum Alog {}

#[derive(Debug)]
pub(crate) struct Header {
    /// Decimal text.
    pub(crate) log_start: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) offset: u64,
    pub(crate) len: u64,
    pub(crate) time: &'a str,
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl Timed for Entry<'_> {
    fn time(&self) -> Option<Timestamp> {
        None
    }
}

pub(crate) const FILE: &str = "%%%%%%%%%%\n%% LOGSTART           1225719811.65\n%%%%%%%%%%\n\
    -16.02 MISSION_FILE pLogger line one\n 2    15:45:52.865\n%% not a comment here\n\
    0.715   ODOMETRY_POSE iPlatform Pose=[3x1]{-0.0,-0.01,-0.0}\n\
    1.0 GPS_RAW iGPS $GPGGA,1*51\r\n \n\
    1.5 EMPTY pApp \n\
    2639.9 DESIRED_THRUST iJoystick 89.6";

/// `-?digits.digits`, a name, a source.
pub(crate) fn starts_entry(line: &[u8]) -> bool {
    let Some(line) = lines(line, 0).next() else { return false };
    let mut fields = line.fields();
    let time =
        fields.next().filter(|f| f.column == 1 && f.bytes.contains(&b'.') && number(f.bytes).is_some());
    let digits = |f: &[u8]| f.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
    time.is_some_and(|f| digits(f.bytes)) && fields.next().is_some() && fields.next().is_some()
}

/// The length of the line at the start of `input`, if it is complete.
fn line(input: &[u8], eof: bool) -> Option<usize> {
    let line = lines(input, 0).next()?;
    (!line.ending.is_empty() || eof).then_some(line.bytes.len() + line.ending.len())
}

impl Format for Alog {
    type Header = Header;
    type Record<'a> = Entry<'a>;
    const NAME: &'static str = "alog";

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"%%") || starts_entry(start)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        // Error texts show the first bytes, so they are required before an error is returned.
        if input.len() < 64 && !eof {
            return Ok(Step::Need(64 - input.len()));
        }
        let (mut log_start, mut at) = (None, 0);
        loop {
            let rest = &input[at..];
            let Some(len) = line(rest, eof) else {
                return if eof { Ok(Step::Ready(Header { log_start }, at)) } else { Ok(Step::Need(1)) };
            };
            let Some(comment) = rest[..len].strip_prefix(b"%") else {
                return if log_start.is_some() || at > 0 || starts_entry(rest) {
                    Ok(Step::Ready(Header { log_start }, at))
                } else {
                    Err(Error::magic(input, "an alog"))
                };
            };
            let mut fields = lines(comment, 0).next().into_iter().flat_map(|l| l.fields());
            if fields.any(|f| f.bytes == b"LOGSTART") {
                log_start = fields.next().map(|f| String::from_utf8_lossy(f.bytes).into_owned());
            }
            at += len;
        }
    }

    fn measure(_: &Header, input: &[u8], _at: u64, eof: bool) -> Result<Extent> {
        let Some(mut len) = line(input, eof) else { return Ok(Extent::Need(1)) };
        loop {
            let rest = &input[len..];
            match line(rest, eof) {
                Some(_) if starts_entry(rest) => return Ok(Extent::Whole(len)),
                Some(more) => len += more,
                None if eof => return Ok(Extent::Whole(len)),
                // Twice the current length, so that a long value is not rescanned for every line.
                None => return Ok(Extent::Need(input.len())),
            }
        }
    }

    fn record<'a>(_: &Header, raw: RawRecord<'a>) -> Result<Entry<'a>> {
        let bad =
            || Error::invalid("entry", "bytes that are no entry", "time, name, source, value", raw.offset);
        let text = std::str::from_utf8(raw.bytes).map_err(|_| bad())?;
        let mut fields = lines(raw.bytes, raw.offset).next().ok_or_else(bad)?.fields();
        let (time, name, source) = (fields.next(), fields.next(), fields.next());
        let (Some(time), Some(name), Some(source)) = (time, name, source) else { return Err(bad()) };
        let at = |offset: u64| usize::try_from(offset - raw.offset).unwrap();
        let piece = |f: robolog_core::text::Field<'_>| &text[at(f.offset)..at(f.offset) + f.bytes.len()];
        let value = &text[at(source.offset) + source.bytes.len()..];
        let value = value.trim_start_matches([' ', '\t']);
        let value = if value.matches('\n').count() == 1 { value.trim_end() } else { value };
        let len = raw.bytes.len() as u64;
        Ok(Entry { offset: raw.offset, len, time: piece(time), name: piece(name), value })
    }

    fn resync(_: &Header, input: &[u8], _at: u64, eof: bool) -> Search {
        let mut at = 0;
        loop {
            let rest = &input[at..];
            match line(rest, eof) {
                Some(_) if starts_entry(rest) => return Search::Found(at),
                Some(len) => at += len,
                None => return Search::Beyond { skip: at, need: rest.len().max(1) },
            }
        }
    }
}
