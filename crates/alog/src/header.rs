//! The header: lines before the entries that begin with a percent sign.

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use memchr::memmem::Finder;
use robolog_core::{
    Clock, Error, Limits, Result, Timestamp,
    format::Step,
    slices::{Part as _, missing},
    text::{Escaped, first_control},
};

use crate::{
    RawText, TimeFrom,
    dated::unix_of_path,
    epoch::Epoch,
    layout::{self, BOM, COMMENT, DATATYPE_MARKING, FILE_OPENED_ON, LOG_FILE, LOGSTART, RULER},
    slog::{Listed, listed, without_time},
    time::{Seconds, Warp},
};

/// The header of a log. A log without one, such as an `.xlog`, has an empty header.
///
/// ```
/// let reader = alog::open("examples/moosivp.alog")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Clone, PartialEq, Default)]
pub struct Header {
    /// Path to which the logger wrote it.
    pub log_file: Option<Vec<u8>>,
    /// The logger's date, which is nearly always that of the epoch.
    pub opened_on: Option<Vec<u8>>,
    /// LOGSTART as written: entries count seconds from it.
    pub logstart_text: Option<Vec<u8>>,
    /// Whether values begin with `D:` or `S:`.
    pub marks_types: bool,
    /// Lines of the header.
    pub lines: u64,
    /// Further header lines found after damage, which are records too.
    behind: Vec<u8>,
    epoch: Epoch,
    /// The columns of a synchronous log as listed, with TIME.
    table: Option<Arc<[Vec<u8>]>>,
    /// Lines before the header that MOOS-IvP's tools printed.
    pub(crate) tool_lines: u64,
    /// Whether the name of the file gave the warp.
    warp_from_name: bool,
    /// Folder of the log.
    folder: Option<Arc<Path>>,
    /// The vehicle that wrote it.
    vehicle: Option<String>,
    /// Limits of the reader.
    pub(crate) limits: Limits,
}

/// Leaves out the settings of the reader.
#[expect(clippy::missing_fields_in_debug, reason = "where it lies and limits are not what it says")]
impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Header");
        // Most logs are no tables.
        if let Some(columns) = &self.table {
            out.field("columns", &columns.iter().map(|name| RawText(name)).collect::<Vec<_>>());
        }
        out.field("log_file", &self.log_file)
            .field("opened_on", &self.opened_on)
            .field("logstart_text", &self.logstart_text)
            .field("marks_types", &self.marks_types)
            .field("lines", &self.lines)
            .field("epoch", &self.epoch)
            .finish()
    }
}

const DAY: Seconds = Seconds::from_nanos(86_400 * 1_000_000_000);

/// Bytes searched for entries in a file that begins with neither a header nor an entry.
const LOOK: usize = 64 << 10;

impl Header {
    /// A header for a new log.
    pub fn new(log_file: impl Into<Vec<u8>>, logstart: Seconds) -> Self {
        let logstart_text = Some(logstart.to_string().into_bytes());
        Self { log_file: Some(log_file.into()), logstart_text, ..Self::default() }.settled()
    }

    /// Derives LOGSTART and the warp from the lines.
    fn settled(mut self) -> Self {
        let logstart = self.logstart_text.as_deref().and_then(Seconds::parse);
        let unix = self.log_file.as_deref().and_then(unix_of_path);
        let warp = logstart.map_or(Warp::NONE, |start| Warp::guess(start, unix));
        self.epoch = Epoch { logstart, warp, ..Epoch::default() };
        self
    }

    /// The vehicle that wrote the log, if that is [set](Self::set_vehicle): entries tell it, not the header.
    pub fn vehicle(&self) -> Option<&str> {
        self.vehicle.as_deref()
    }

    /// Sets the vehicle that wrote the log, an attribute of its channels: see [`vehicle_of`](crate::vehicle_of).
    pub fn set_vehicle(&mut self, vehicle: Option<String>) {
        self.vehicle = vehicle;
    }

    /// Start of the entries' times: Unix seconds, times the warp.
    pub fn logstart(&self) -> Option<Seconds> {
        self.epoch.logstart
    }

    /// How much faster than real time the community ran: guessed from LOGSTART and the date in the log's name.
    pub fn warp(&self) -> Warp {
        self.epoch.warp
    }

    /// Sets how much faster than real time the community ran.
    pub fn set_warp(&mut self, warp: Warp) {
        (self.epoch.warp, self.epoch.warp_given) = (warp, true);
    }

    /// Sets the start of the entries' times: for an `.xlog`, which has no header, that of the `.alog` beside it.
    pub fn set_logstart(&mut self, logstart: Seconds) {
        self.epoch.logstart = Some(logstart);
    }

    /// Takes what the name and folder of the log tell: the folder with the pictures that entries name, and the warp, if
    /// they are dated and the path in the header is not. [`open`](crate::open) does so itself.
    pub fn set_path(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        if let Some(folder) = path.parent() {
            self.set_folder(folder);
        }
        let is_dated = self.log_file.as_deref().is_some_and(|path| unix_of_path(path).is_some());
        let Some(logstart) = self.logstart().filter(|_| !is_dated && !self.epoch.warp_given) else { return };
        // Folders outside of the working directory have their names too.
        let whole = std::path::absolute(path);
        let unix = unix_of_path(whole.as_deref().unwrap_or(path).as_os_str().as_encoded_bytes());
        self.epoch.warp = Warp::guess(logstart, unix);
        self.warp_from_name = self.epoch.warp != Warp::NONE;
    }

    /// The columns of a synchronous log, without the time; `None` for other logs.
    pub fn columns(&self) -> Option<impl Iterator<Item = RawText<'_>>> {
        self.table().map(|columns| columns.iter().map(|name| RawText(name)))
    }

    pub(crate) fn table(&self) -> Option<&[Vec<u8>]> {
        self.table.as_deref().map(without_time)
    }

    /// The columns, to be kept.
    pub(crate) fn listed(&self) -> Listed {
        Listed::new(self.table.clone())
    }

    pub(crate) fn is_table(&self) -> bool {
        self.table.is_some()
    }

    /// Whether LOGSTART is later than now, which a warp of unknown factor may have caused.
    pub fn begins_in_future(&self) -> bool {
        // There is no clock here.
        if cfg!(target_family = "wasm") {
            return false;
        }
        let now = Timestamp::from_system_time(std::time::SystemTime::now());
        let start = self.epoch.start().and_then(|start| self.epoch.warp.unwarp(start));
        // Clocks differ by less than a day.
        now.zip(start).is_some_and(|(now, start)| start > Seconds::from(now) + DAY)
    }

    /// Sets the folder of the log, which contains the pictures that entries name.
    pub fn set_folder(&mut self, folder: impl AsRef<Path>) {
        self.folder = Some(folder.as_ref().into());
    }

    pub(crate) fn folder(&self) -> Option<Arc<Path>> {
        self.folder.clone()
    }

    /// Sets which times entries and their samples have.
    pub fn set_times(&mut self, times: TimeFrom) {
        self.epoch.times = times;
    }

    /// Which times entries and their samples have.
    pub fn times(&self) -> TimeFrom {
        self.epoch.times
    }

    /// The time of an entry's samples, in seconds of the log: the one inside its value if it is near the column's and
    /// [`times`](Self::times) allows it, otherwise the column's.
    pub(crate) fn seconds(&self, column: Seconds, value: RawText<'_>) -> Seconds {
        let embedded = || {
            if !self.epoch.times.is_embedded() {
                return None;
            }
            let keys = Self::time_keys(value);
            let unix = keys.iter().find_map(|key| Seconds::parse(value.get(key)?.trimmed()))?;
            self.epoch.embedded(unix, column)
        };
        embedded().unwrap_or(column)
    }

    /// The keys that may hold an entry's time in a value. Most values have none, which this finds without parsing them.
    pub(crate) fn time_keys(value: RawText<'_>) -> &'static [&'static str] {
        // Making them takes as long as searching a value.
        static WORDS: LazyLock<[Finder<'_>; 2]> =
            LazyLock::new(|| [Finder::new(b"time"), Finder::new(b"TIME")]);
        let [small, large] = WORDS.each_ref().map(|word| word.find(value.bytes()).is_some());
        match (small, large) {
            (false, false) => &[],
            (true, false) => &["time"],
            (false, true) => &["TIME", "UTC_TIME"],
            (true, true) => &["time", "TIME", "UTC_TIME"],
        }
    }

    /// Whether a time inside a value is near enough to its entry's to be used.
    pub(crate) fn embeds(&self, unix: Seconds, column: Seconds) -> bool {
        self.epoch.embedded(unix, column).is_some()
    }

    /// Whether LOGSTART was multiplied by a warp that neither the log's name nor [`set_warp`](Self::set_warp) gives.
    pub fn has_unknown_warp(&self) -> bool {
        self.epoch.logstart.is_some() && self.epoch.start().is_none()
    }

    pub(crate) fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The time of an entry: Unix time if LOGSTART is known, otherwise seconds of the log. `None` if it does not fit
    /// into 64 bits of nanoseconds.
    ///
    /// Also seconds of the log if [`set_times`](Self::set_times) selects the mission's clock, or if LOGSTART is after
    /// the year 2096 and the warp is unknown: see [`has_unknown_warp`](Self::has_unknown_warp). In a warped log,
    /// entries of an application that runs without the warp keep their own time.
    pub fn time(&self, seconds: Seconds) -> Option<Timestamp> {
        self.epoch.time(seconds)
    }

    /// The timestamp of a time inside a value: Unix seconds, times the warp.
    pub fn embedded_time(&self, seconds: Seconds) -> Option<Timestamp> {
        self.warp().unwarp(seconds)?.on(Clock::Unix)
    }

    pub(crate) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        let mut header = Self::default();
        let bom = input.len().min(BOM.len());
        if !eof && bom < BOM.len() && BOM.starts_with(input) {
            return Ok(Step::Need(missing(BOM.len(), input)));
        }
        let begin = if input.starts_with(BOM) { bom } else { 0 };
        let mut at = begin;
        let mut columns = Vec::new();
        loop {
            let rest = input.part(at..);
            let line = match (rest.first(), memchr::memchr(b'\n', rest)) {
                (Some(b'%'), Some(end)) => rest.part(..=end),
                (Some(b'%'), None) if eof => rest,
                (Some(b'%'), None) => return Ok(Step::Need(input.len().max(1))),
                (None, _) if !eof => return Ok(Step::Need(1)),
                // A blank line stands behind the list of columns.
                (Some(b'\n'), Some(_)) if !columns.is_empty() => b"\n",
                (Some(b'\r'), Some(1)) if !columns.is_empty() => b"\r\n",
                (Some(b'\r'), None) if !columns.is_empty() && !eof => return Ok(Step::Need(1)),
                (Some(_), end) if header.lines == header.tool_lines => match layout::is_tool_text(rest) {
                    None | Some(true) if end.is_none() && !eof => return Ok(Step::Need(input.len().max(1))),
                    None | Some(false) => break,
                    Some(true) => {
                        header.tool_lines += 1;
                        end.and_then(|end| rest.get(..=end)).unwrap_or(rest)
                    }
                },
                _ => break,
            };
            if first_control(line).is_some() {
                break;
            }
            header.lines += u64::from(!line.trim_ascii().is_empty());
            if !header.line(line) {
                columns.extend(listed(line).map(<[u8]>::to_vec));
            }
            at += line.len();
        }
        header.table = (!columns.is_empty()).then(|| columns.into());
        if at == begin
            && let Step::Need(more) = Self::look(input.part(at..), eof)?
        {
            return Ok(Step::Need(more));
        }
        match header.behind(input.part(at..), eof) {
            Some(more) => Ok(Step::Need(more)),
            None => Ok(Step::Ready(header.settled(), at)),
        }
    }

    /// Reads header lines in comments after damage and before the first entry. Returns how many more bytes are needed,
    /// if any.
    fn behind(&mut self, input: &[u8], eof: bool) -> Option<usize> {
        let mut at = 0_usize;
        while at < LOOK && !self.is_table() {
            let rest = input.part(at..);
            if layout::entry(rest).is_some() {
                return None;
            }
            let end = memchr::memchr(b'\n', rest);
            if end.is_none() && !eof {
                return Some(input.len().max(1));
            }
            if rest.is_empty() {
                return None;
            }
            let line = end.and_then(|end| rest.get(..=end)).unwrap_or(rest);
            if self.line(line) {
                self.behind.extend_from_slice(line);
            }
            at += line.len();
        }
        None
    }

    /// Whether a comment `at` bytes after the header, with no entry before it, is read as a header line.
    pub(crate) fn is_near(at: u64) -> bool {
        at < LOOK as u64
    }

    /// Whether a comment is a header line.
    pub(crate) fn is_said_by(line: &[u8]) -> bool {
        Self::default().line(line)
    }

    /// Whether a comment has LOGSTART.
    pub(crate) fn is_start(line: &[u8]) -> bool {
        let mut header = Self::default();
        header.line(line) && header.has_start()
    }

    /// Whether it has LOGSTART.
    pub(crate) fn has_start(&self) -> bool {
        self.logstart_text.is_some()
    }

    /// Whether LOGSTART and the warp equal those in `other`.
    pub(crate) fn has_start_of(&self, other: &Self) -> bool {
        self.logstart_text == other.logstart_text && self.log_file == other.log_file
    }

    /// Whether the times of entries mean the same as in `other`, whose warp its name may have given.
    pub(crate) fn has_times_of(&self, other: &Self) -> bool {
        let is_same = |a: Warp, b: Warp| a.factor().total_cmp(&b.factor()).is_eq();
        self.logstart() == other.logstart() && (other.warp_from_name || is_same(self.warp(), other.warp()))
    }

    /// A file without a header must have an entry near its beginning.
    fn look(input: &[u8], eof: bool) -> Result<Step<()>> {
        let near = input.get(..LOOK).unwrap_or(input);
        let mut lines = near.split_inclusive(|b| *b == b'\n');
        if lines.next().is_some_and(|first| first.ends_with(b"\n") && layout::start(first).is_some()) {
            return Ok(Step::Ready((), 0));
        }
        if input.len() < LOOK && !eof {
            return Ok(Step::Need(missing(LOOK, input)));
        }
        if near.split_inclusive(|b| *b == b'\n').any(|line| layout::start(line).is_some()) {
            return Ok(Step::Ready((), 0));
        }
        Err(Error::magic(input, "a MOOS log"))
    }

    /// Reads a header line; ignores a damaged one. Returns whether it is one.
    fn line(&mut self, line: &[u8]) -> bool {
        let Some(text) = line.strip_prefix(COMMENT).filter(|text| first_control(text).is_none()) else {
            return false;
        };
        let text = text.trim_ascii();
        let after = |label: &[u8]| text.strip_prefix(label).map(|value| value.trim_ascii().to_vec());
        if let Some(value) = after(LOG_FILE) {
            self.log_file = Some(value);
        } else if let Some(value) = after(FILE_OPENED_ON) {
            self.opened_on = Some(value);
        } else if let Some(value) = after(LOGSTART) {
            self.logstart_text = Some(value);
        } else if text == DATATYPE_MARKING {
            self.marks_types = true;
        } else {
            return false;
        }
        true
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let texts = [&self.log_file, &self.opened_on, &self.logstart_text];
        let empty = texts.iter().all(|text| text.is_none()) && !self.marks_types && !self.is_table();
        if empty {
            return Vec::new();
        }
        let ruler = "%".repeat(RULER).into_bytes();
        let mut out = [ruler.as_slice(), b"\n"].concat();
        let mut line = |parts: &[&[u8]]| {
            out.extend(parts.concat());
            out.push(b'\n');
        };
        if let Some(path) = &self.log_file {
            line(&[b"%% LOG FILE:       ", path]);
        }
        if let Some(date) = &self.opened_on {
            line(&[b"%% FILE OPENED ON  ", date]);
        }
        if let Some(start) = &self.logstart_text {
            let filling = vec![b' '; 20_usize.saturating_sub(start.len())];
            line(&[b"%% LOGSTART        ", &filling, start]);
        }
        if self.marks_types {
            line(&[b"%% DATATYPE MARKING ON"]);
        }
        line(&[&ruler]);
        for (number, name) in self.table.iter().flat_map(|columns| columns.iter()).enumerate() {
            line(&[format!("%%   ({}) ", number + 1).as_bytes(), name]);
        }
        out
    }

    fn texts(&self) -> [Option<&[u8]>; 3] {
        [&self.log_file, &self.opened_on, &self.logstart_text].map(Option::as_deref)
    }

    /// Takes the texts of edited header bytes. LOGSTART stays.
    pub(crate) fn take_texts(&mut self, bytes: &[u8]) {
        let Ok(Step::Ready(own, _)) = Self::parse(bytes, true) else { return };
        self.log_file = own.log_file.or(self.log_file.take());
        self.opened_on = own.opened_on.or(self.opened_on.take());
        self.logstart_text = own.logstart_text.or(self.logstart_text.take());
    }

    /// Returns an error unless these bytes, with the comments after them, give the same header.
    pub(crate) fn check_unchanged(&self, bytes: &[u8]) -> Result<()> {
        let mut own = match Self::parse(bytes, true) {
            Ok(Step::Ready(own, _)) => own,
            // Neither a header nor entries.
            _ => Self::default(),
        };
        let is_own = |own: &Self| {
            let [a, b] = [self, own].map(|header| {
                let [file, date, start] = header.texts();
                [file, date, start, header.marks_types.then_some(&b""[..])]
            });
            std::array::from_fn::<_, 4, _>(|i| a.get(i) == b.get(i))
        };
        let near = is_own(&own);
        for line in self.behind.split_inclusive(|b| *b == b'\n') {
            own.line(line);
        }
        if near.into_iter().zip(is_own(&own)).all(|(near, behind)| near || behind) {
            return Ok(());
        }
        let what = "the header differs from the bytes to be copied; a `Writer` begins with a changed one";
        Err(Error::unexpected(what, 0).within("alog copier"))
    }

    /// Returns an error if a reader would read these bytes of this header differently.
    pub(crate) fn check_reads_back(&self, bytes: &[u8]) -> Result<()> {
        let again = match Self::parse(bytes, true) {
            Ok(Step::Ready(again, len)) if len == bytes.len() => again,
            _ => Self::default(),
        };
        for (text, read) in self.texts().into_iter().zip(again.texts()) {
            if text != read {
                let found = Escaped(text.unwrap_or_default()).to_string();
                let expected = "a line without blanks at its ends";
                return Err(
                    Error::invalid("header", format_args!("\"{found}\""), expected, 0).within("alog writer")
                );
            }
        }
        Ok(())
    }

    /// Path to which the logger wrote it, safe to print.
    pub fn log_file_text(&self) -> Option<String> {
        self.log_file.as_ref().map(|path| Escaped(path).to_string())
    }
}
