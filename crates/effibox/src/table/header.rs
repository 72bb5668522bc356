//! Lines before the rows: `Version`, and the names of the columns if given.

use robolog_core::{
    Clock, Timestamp,
    format::Step,
    slices::{InRange as _, Part as _, before, split_once},
    text::first_control,
};

use super::{TableKind, payload::Cells};

/// Kind of a table, and the lines before its rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Header {
    /// Kind of the columns; set it before reading if the file's name says more than its bytes.
    pub kind: TableKind,
    /// How `kind` was found.
    pub kind_from: KindFrom,
    /// The text after `Version` in a `.dates` file: `1`, `XXX`, or anything.
    pub version: Option<Vec<u8>>,
    /// The line that names the columns, if present.
    pub names: Option<Vec<u8>>,
    /// Number of lines before the rows.
    pub lines: u64,
    /// The time of `Rtime` zero, whose clock the samples use; `None` leaves times relative.
    pub start: Option<Timestamp>,
    /// The interface, for channel names: `Bus_InterfaceCan_can0`. Empty if unknown.
    pub interface: String,
    /// The frame of the samples, if the caller knows a better one than the table's own.
    pub frame: Option<String>,
}

/// How the kind of a table was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum KindFrom {
    /// Unknown kind.
    #[default]
    Nothing,
    /// A line that names the columns.
    Names,
    /// The first row.
    Rows,
    /// The file's name, or the caller.
    Name,
}

/// Bytes searched for the first row.
const LOOK: usize = 64 << 10;
/// Maximum bytes of a header line.
const HEADER_LINE: usize = 4096;
/// Maximum number of header lines.
const HEADER_LINES: u64 = 8;

/// Meaning of a header line.
enum Said<'a> {
    Version(&'a [u8]),
    Names,
}

impl Header {
    /// A header for a table of this kind, without lines.
    pub fn new(kind: TableKind) -> Self {
        Self { kind, kind_from: KindFrom::Name, ..Self::default() }
    }

    /// Adds a line `Version`, as in `.dates` files.
    #[must_use]
    pub fn with_version(self, version: &str) -> Self {
        Self { version: Some(version.as_bytes().to_vec()), ..self }
    }

    /// Sets the kind and the interface from the file's name or path, if it gives them.
    pub fn set_path(&mut self, path: &str) {
        if let Some(kind) = TableKind::from_file_name(path) {
            self.kind = kind;
            self.kind_from = KindFrom::Name;
        }
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".dates")).unwrap_or("");
        let stem = super::kind::whole(stem);
        let mut id = super::kind::table_suffix(stem).map_or(stem, |(id, _)| id);
        if self.kind == TableKind::Scan {
            // Without the number and the layer.
            id = id.rsplitn(3, '-').nth(2).unwrap_or(id);
        }
        self.interface = robolog_core::text::Escaped(id.as_bytes()).to_string();
    }

    /// The time `rtime` microseconds after the start of the acquisition; `None` if 64 bits of nanoseconds cannot hold
    /// it.
    #[inline]
    pub fn time(&self, rtime: i64) -> Option<Timestamp> {
        moment(self.start, rtime)
    }

    /// The channel of the table's samples: its interface, if known, and its kind.
    pub fn channel(&self) -> String {
        if self.interface.is_empty() {
            return self.kind.name().to_owned();
        }
        format!("{}/{}", self.interface, self.kind.name())
    }

    pub(super) fn parse(input: &[u8], eof: bool) -> Step<Self> {
        let near = input.get(..LOOK).unwrap_or(input);
        let eof = eof || input.len() >= LOOK;
        let mut header = Self::default();
        let (mut rest, mut body) = (near, near);
        let mut row = None;
        let mut in_header = true;
        while let Some((line, behind)) = line(rest, eof) {
            let said = if in_header && header.lines < HEADER_LINES { said(line) } else { None };
            in_header = said.is_some();
            match said {
                Some(Said::Version(version)) => header.version = Some(version.to_vec()),
                Some(Said::Names) => header.names = Some(line.trim_ascii().to_vec()),
                None if is_remark(line) => {}
                None => {
                    row = Some(line);
                    break;
                }
            }
            if in_header {
                header.lines = header.lines.plus(1);
                body = behind;
            }
            rest = behind;
        }
        if row.is_none() && !eof {
            return Step::Need(input.len().clamp(1, LOOK));
        }
        header.guess(row);
        Step::Ready(header, before(near, body).len())
    }

    fn guess(&mut self, row: Option<&[u8]>) {
        let named = self.names.as_deref().and_then(TableKind::from_columns);
        let read = || row.and_then(|row| TableKind::from_row(row, self.version.is_some()));
        (self.kind, self.kind_from) = match named {
            Some(kind) => (kind, KindFrom::Names),
            None => match read() {
                Some(kind) => (kind, KindFrom::Rows),
                None => return,
            },
        };
    }
}

/// The time `rtime` microseconds after `start`, or relative if there is none.
#[inline]
pub(super) fn moment(start: Option<Timestamp>, rtime: i64) -> Option<Timestamp> {
    let nanos = rtime.checked_mul(1000)?;
    match start {
        Some(start) => start.checked_add(nanos),
        None => Some(Timestamp::new(nanos, Clock::Relative)),
    }
}

/// The line at the start of `input` without its end, and the rest; `None` if the line is incomplete.
fn line(input: &[u8], eof: bool) -> Option<(&[u8], &[u8])> {
    split_once(input, b'\n').or_else(|| (eof && !input.is_empty()).then_some((input, &[])))
}

/// Whether a line is blank or a comment.
fn is_remark(line: &[u8]) -> bool {
    line.trim_ascii_start().first().is_none_or(|b| matches!(b, b'#' | b'%'))
}

/// Meaning of a line before the rows; `None` for any other line, and for damage.
fn said(line: &[u8]) -> Option<Said<'_>> {
    if first_control(line.get(..HEADER_LINE).unwrap_or(line)).is_some() {
        return None;
    }
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.len() > HEADER_LINE {
        return None;
    }
    let mut cells = Cells::new(line, 0);
    let first = cells.next_text()?.bytes;
    if first.eq_ignore_ascii_case(b"version") {
        return Some(Said::Version(line.part(first.len()..).trim_ascii()));
    }
    is_names(first).then_some(Said::Names)
}

/// Whether a line with this first cell names columns.
pub(super) fn is_names(first: &[u8]) -> bool {
    [&b"rtime"[..], b"rtime'", b"sentence_type", b"abstime", b"numimpacts", b"angle"]
        .iter()
        .any(|name| first.eq_ignore_ascii_case(name))
}

/// Whether these first bytes belong to a table that shows its kind.
pub(super) fn detect(start: &[u8]) -> bool {
    let near = start.get(..LOOK).unwrap_or(start);
    if near.contains(&0) {
        return false;
    }
    // Only whole lines, except the first: a row of satellites may be longer than the available bytes.
    let whole = memchr::memrchr(b'\n', near).and_then(|end| near.get(..=end)).unwrap_or(near);
    let Step::Ready(header, _) = Header::parse(whole, true) else { return false };
    let is_row = |text: &[u8]| text.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
    match header.kind_from {
        KindFrom::Names => true,
        KindFrom::Rows if header.version.is_some() => true,
        KindFrom::Rows => matches!(header.kind, TableKind::Gga | TableKind::Gsv),
        // `Version` alone may begin any file.
        KindFrom::Nothing | KindFrom::Name => header.version.is_none() && is_row(near) && begins_row(near),
    }
}

/// Whether a truncated line begins like a row of positions or of satellites.
fn begins_row(near: &[u8]) -> bool {
    if near.len() < 64 || memchr::memchr(b'\n', near).is_some() {
        return false;
    }
    begins_position(Cells::new(near, 0)) || begins_satellites(Cells::new(near, 0))
}

/// A time, and an easting and a northing within France.
fn begins_position(mut cells: Cells<'_>) -> bool {
    let (Ok(rtime), Ok(easting), Ok(northing)) = (cells.int(), cells.float(), cells.float()) else {
        return false;
    };
    let (altitude, latitude) = (cells.float(), cells.float());
    rtime >= 0
        && (0.0..1.3e6).contains(&easting)
        && (1.5e6..2.8e6).contains(&northing)
        && altitude.is_ok_and(|a| a.abs() < 1e4)
        && latitude.is_ok_and(|l| (0.5..1.2).contains(&l))
}

/// A time, counts, and a satellite with two angles.
fn begins_satellites(mut cells: Cells<'_>) -> bool {
    let mut int = || cells.int().ok();
    let (Some(rtime), Some(in_view), Some(with_data), Some(id)) = (int(), int(), int(), int()) else {
        return false;
    };
    let angles = cells.float().ok().zip(cells.float().ok());
    rtime >= 0
        && (1..=99).contains(&in_view)
        && (0..=12).contains(&with_data)
        && (1..=999).contains(&id)
        && angles
            .is_some_and(|(el, az)| el > 0.0 && el < 1.6 && az.fract() != 0.0 && (0.0..6.3).contains(&az))
}
