//! Inputs, whose format is detected before reading.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

#[cfg(feature = "from-effibox")]
use effibox::{dataset::Dataset, table::TableKind};
use robolog_core::{Limits, StreamReader, format::KnownLength, text::name_of};

#[cfg(any(feature = "from-effibox", feature = "from-kmz"))]
use super::ZIP;
#[cfg(feature = "from-effibox")]
use super::dataset;
#[cfg(feature = "from-alog")]
use super::logs;
use super::{
    BoxRead, BoxSamples, Opened, PlainFile, SamplesOf, Source, Stream, Visit, detect, dispatch, gunzip,
    plain::{self, How},
    streams::{self, decoded, look, standard_input},
};
use crate::{Error, LidarModel, Reason, Result, Settings, foreign::foreign};

/// An input, opened to detect its format.
///
/// ```
/// use robolog_convert::Input;
/// let input = Input::open("examples/moosivp.alog")?;
/// assert_eq!((input.format()?, input.len()), ("alog", Some(3419)));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub struct Input {
    pub(super) name: String,
    pub(super) path: Option<PathBuf>,
    pub(super) len: Option<u64>,
    pub(super) start: Vec<u8>,
    pub(super) rest: BoxRead,
    #[cfg(feature = "from-effibox")]
    pub(super) dataset: Option<Box<Dataset>>,
    pub(super) is_decoded: bool,
    /// Whether the bytes of the recording are those of the file, neither compressed nor decoded.
    pub(super) is_plain: bool,
    #[cfg(feature = "from-kmz")]
    pub(super) is_kmz: bool,
    /// Opens it again, if possible.
    pub(super) reopen: Option<plain::Reopen>,
    pub(super) watch: Option<streams::Watch>,
    pub(super) how: How,
}

impl Input {
    /// Opens a file or a folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Limits::default())
    }

    /// The same with the caller's limits.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        Self::open_again(path, limits, 0)
    }

    /// The same for a file that had `len` bytes when it was opened before: what it has lost since is damage.
    pub fn open_again(path: impl AsRef<Path>, limits: Limits, len: u64) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::file(path, e))?;
        let meta = file.metadata().map_err(|e| Error::file(path, e))?;
        if meta.is_dir() {
            return Ok(Self { path: Some(path.to_owned()), ..Self::folder(path, limits)? });
        }
        let len = len.max(meta.len());
        // A pipe cannot seek.
        let stream: BoxRead = if meta.is_file() {
            Box::new(KnownLength::new(plain::Positional::new(file), len))
        } else {
            Box::new(file)
        };
        let mut input = Self::new_with(path.display().to_string(), stream, limits)?;
        input.path = Some(path.to_owned());
        // A KMZ archive may be torn, too.
        #[cfg_attr(
            not(any(feature = "from-effibox", feature = "from-kmz")),
            expect(unused_mut, reason = "no archive is read")
        )]
        let mut failed: Option<Error> = None;
        #[cfg(feature = "from-effibox")]
        match dataset::archive(path, &input.start, limits) {
            Ok(set) => input.dataset = set.map(Box::new),
            Err(error) => failed = Some(error),
        }
        #[cfg(feature = "from-kmz")]
        if !input.is_dataset() && input.start.starts_with(ZIP) {
            let file = KnownLength::open(path, len)?;
            input = Self::of_kmz(path.display().to_string(), file, limits)
                .map_err(|error| failed.take().unwrap_or(error))?;
            (input.path, failed) = (Some(path.to_owned()), None);
        }
        failed.map_or(Ok(()), Err)?;
        // A pipe has a path too, but no size.
        input.len = meta.is_file().then_some(len);
        input.reopen = meta.is_file().then(|| plain::file(path, len));
        input.is_plain &= !input.is_dataset();
        Ok(input)
    }

    /// Opens a folder with a data set, or with the files of a log.
    fn folder(path: &Path, limits: Limits) -> Result<Self> {
        #[cfg(feature = "from-alog")]
        if let Some(logs) = logs::folder(path)? {
            return Self::new_with(path.display().to_string(), logs, limits);
        }
        #[cfg(feature = "from-effibox")]
        if let Some(dataset) = dataset::folder(path, limits)? {
            let empty = Self::new_with(path.display().to_string(), Box::new(io::empty()), limits)?;
            return Ok(Self { dataset: Some(Box::new(dataset)), ..empty });
        }
        let _ = limits;
        Err(Error::file(path, io::ErrorKind::IsADirectory.into()))
    }

    /// Opens standard input.
    pub fn stdin() -> Result<Self> {
        Self::stdin_with(Limits::default())
    }

    /// The same with the caller's limits. A KMZ archive is held in memory.
    pub fn stdin_with(limits: Limits) -> Result<Self> {
        let input = Self::new_with("-", standard_input()?, limits)?;
        #[cfg(feature = "from-kmz")]
        if input.start.starts_with(ZIP) {
            return input.into_kmz();
        }
        Ok(input)
    }

    /// Reads any stream; `name` is for messages. Decompresses gzip.
    pub fn new(name: impl Into<String>, rest: BoxRead) -> Result<Self> {
        Self::new_with(name, rest, Limits::default())
    }

    /// The same with the caller's limits.
    pub fn new_with(name: impl Into<String>, mut rest: BoxRead, limits: Limits) -> Result<Self> {
        let name = name.into();
        let mut start = look(&mut rest).map_err(|e| Error::file(&name, e))?;
        let is_compressed = start.starts_with(&gunzip::MAGIC);
        if is_compressed {
            let compressed = io::Cursor::new(start).chain(rest);
            rest = Box::new(gunzip::Gunzip::new(compressed, limits));
            start = look(&mut rest).map_err(|e| Error::file(&name, e))?;
        }
        let (mut start, mut rest, is_decoded) = decoded(start, rest).map_err(|e| Error::file(&name, e))?;
        if detect(&start).is_none() {
            streams::look_further(&mut rest, &mut start).map_err(|e| Error::file(&name, e))?;
        }
        let is_plain = !is_compressed && !is_decoded;
        Ok(Self {
            name,
            path: None,
            len: None,
            start,
            rest,
            #[cfg(feature = "from-effibox")]
            dataset: None,
            is_decoded: is_decoded && !is_compressed,
            is_plain,
            #[cfg(feature = "from-kmz")]
            is_kmz: false,
            reopen: None,
            watch: None,
            how: How { limits, ..How::default() },
        })
    }

    /// Name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Path, if it was opened by path.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Reads it as if it were the file at `path`: some formats need the name and files beside it. Messages keep its own
    /// name. The extension of compression says nothing of what is not compressed.
    #[must_use]
    pub fn read_as(mut self, path: impl Into<PathBuf>) -> Self {
        let path: PathBuf = path.into();
        let is_packed = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        self.path = Some(if is_packed && self.is_plain { path.with_extension("") } else { path });
        self
    }

    /// Chooses the times of MOOS logs, also for cutting records.
    #[cfg(feature = "from-alog")]
    #[must_use]
    pub fn with_times(mut self, times: ::alog::TimeFrom) -> Self {
        self.how.times = times;
        self
    }

    /// Sets the model of the LiDARs in captures, LVX and Koblenz logs; `None` leaves it to the recording.
    #[must_use]
    pub fn with_model(mut self, model: Option<LidarModel>) -> Self {
        self.how.model = model;
        self
    }

    /// The same if the settings name one.
    #[must_use]
    pub fn with_settings(self, settings: &Settings) -> Self {
        let model = settings.model.or(self.how.model);
        self.with_model(model)
    }

    /// File name, without folders.
    pub(crate) fn file_name(&self) -> String {
        name_of(Path::new(&self.name)).into_owned()
    }

    /// Size in bytes, if known: of files, which can be read again, and of nothing else.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// The file or its equivalent, if it can be read from any offset.
    pub(crate) fn plain_file(&self, format: Option<&str>) -> Option<PlainFile> {
        let (open, len) = self.reopen.clone().zip(self.len).filter(|_| self.is_plain)?;
        let (path, is_file) = (self.place()?, self.path.is_some());
        let dialect = format.and_then(|name| Some(name.split_once(':')?.1.to_owned()));
        let watch = self.watch.clone();
        Some(PlainFile { path, len, is_file, open, watch, dialect, how: self.how })
    }

    /// Path; for an input that is not a file but can be opened again, its name. Without the extension of compression.
    fn place(&self) -> Option<PathBuf> {
        let place = self.path().or_else(|| self.reopen.as_ref().map(|_| Path::new(&self.name)))?;
        let is_packed = !self.is_plain && place.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        Some(if is_packed { place.with_extension("") } else { place.to_owned() })
    }

    /// Whether the file is text in another encoding than UTF-8, decoded while reading.
    pub fn is_decoded(&self) -> bool {
        self.is_decoded
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// First bytes.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Detects the format from the first bytes; for tables of bare numbers, from the file name.
    pub fn format(&self) -> Result<&'static str> {
        let unknown = || match foreign(&self.start) {
            _ if self.start.is_empty() => Error::EmptyFile,
            Some(foreign) => Error::Foreign(foreign),
            None => self.unknown(),
        };
        #[cfg(feature = "from-effibox")]
        let by_name = || {
            TableKind::from_file_name(&self.place()?.to_string_lossy())
                .map(|_| <effibox::table::Table as robolog_core::format::Format>::NAME)
        };
        #[cfg(not(feature = "from-effibox"))]
        let by_name = || None;
        detect(&self.start).or_else(by_name).ok_or_else(unknown)
    }

    fn unknown(&self) -> Error {
        #[cfg(feature = "from-nmea")]
        let among_others =
            super::nmea::among_others(&self.start, self.reopen.as_ref().filter(|_| self.is_plain));
        #[cfg(not(feature = "from-nmea"))]
        let among_others = None;
        among_others
            .unwrap_or_else(|| Error::UnknownFormat(self.start.get(..16).unwrap_or(&self.start).to_vec()))
    }

    /// Whether the input is a data set of many files, in a folder or an archive.
    pub fn is_dataset(&self) -> bool {
        #[cfg(feature = "from-effibox")]
        return self.dataset.is_some();
        #[cfg(not(feature = "from-effibox"))]
        false
    }

    /// The data set, if the input is one.
    #[cfg(feature = "from-effibox")]
    pub fn dataset(&self) -> Option<&Dataset> {
        self.dataset.as_deref()
    }

    /// Iterates over the samples of any format; damage is an error in its place.
    ///
    /// Returns an error if the format is unknown.
    pub fn samples(self) -> Result<BoxSamples> {
        self.samples_with(None, &Settings::default())
    }

    /// Iterates over the samples with these settings. `format` names the format as in [`visit`](Self::visit).
    #[cfg_attr(not(feature = "from-effibox"), expect(unused_mut, reason = "only a data set is taken out"))]
    pub fn samples_with(mut self, format: Option<&str>, settings: &Settings) -> Result<BoxSamples> {
        #[cfg(feature = "from-effibox")]
        if let Some(dataset) = self.dataset.take() {
            return Ok(Box::new(dataset.samples().map(|sample| sample.map_err(dataset::of_data_set))));
        }
        self.with_settings(settings).visit(format, SamplesOf(settings))
    }

    /// All bytes, from the first.
    pub fn into_stream(self) -> BoxRead {
        Box::new(io::Cursor::new(self.start).chain(self.rest))
    }

    /// Runs `visit` on the recording. `format` names the format; `None` detects it. A colon and a name after it force a
    /// dialect: see [`Source::force`](crate::Source::force).
    ///
    /// Returns an error for a data set, which is many recordings.
    pub fn visit<V: Visit>(self, format: Option<&str>, visit: V) -> Result<V::Output> {
        let (name, opened) = self.one(format)?;
        dispatch(name, opened, visit)
    }

    /// Returns the reader of a recording whose format is `F`. `format` is that of [`visit`](Self::visit).
    ///
    /// Returns an error for a recording of another format and for a data set.
    pub fn reader<F: Source>(self, format: Option<&str>) -> Result<StreamReader<Stream, F>> {
        let (name, opened) = self.one(format)?;
        if name == F::NAME {
            opened.reader()
        } else {
            Err(Error::Target(format!("is {name}, not {}", F::NAME).into()))
        }
    }

    /// The name of the only recording's format, and what its reader begins with.
    fn one(self, format: Option<&str>) -> Result<(&str, Opened)> {
        if self.is_dataset() {
            return Err(Error::Target(Reason::DataSet));
        }
        let name = match format {
            Some(name) => name,
            None => self.format()?,
        };
        let (name, dialect) = name.split_once(':').map_or((name, None), |(name, d)| (name, Some(d)));
        let (path, dialect, how) = (self.place(), dialect.map(str::to_owned), self.how);
        let again = self.reopen.clone().filter(|_| self.is_plain);
        Ok((name, Opened { stream: Stream::of_file(self.into_stream(), again), path, dialect, how }))
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}
