//! Which format an input has, and code that runs for whichever it is.

#[cfg(feature = "from-alog")]
mod alog;
#[cfg(feature = "from-carla-rec")]
mod carla_rec;
#[cfg(feature = "from-effibox")]
mod dataset;
#[cfg(feature = "from-gpx")]
mod gpx;
mod gunzip;
#[cfg(feature = "from-kml")]
mod kml;
#[cfg(feature = "from-kml")]
mod kmz;
#[cfg(feature = "from-koblenz-log")]
mod koblenz_log;
#[cfg(feature = "from-alog")]
mod logs;
#[cfg(feature = "from-lvx")]
mod lvx;
#[cfg(feature = "from-nmea")]
mod nmea;
#[cfg(feature = "from-pcap")]
mod pcap;
mod plain;
mod streams;
#[cfg(feature = "from-effibox")]
mod table;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

#[cfg(feature = "from-effibox")]
use effibox::{dataset::Dataset, table::TableKind};
use robolog_core::{Limits, Recording, Sample, Sampling, StreamReader, Surveying, Timed as _, Timestamp};
use serde::Serialize;

pub use self::plain::ReadSeek;
pub(crate) use self::plain::{PlainFile, PlainStream};
use self::streams::{decoded, look};
use crate::{
    Error, Foreign, Note, Reason, Result, Settings,
    places::{Grid, Place},
};

/// A format as the converters need it.
pub trait Source: Recording<Survey: Surveying<Details: Serialize>, Sampler: Send, Header: Send> {
    /// How x and y of local frames lie on Earth.
    const GRID: Grid = Grid::Enu;

    /// Whether all its files begin with the same few bytes. Other formats are known by what text looks like, and are
    /// asked after these.
    const HAS_MAGIC: bool = false;

    /// The sampler's options for these settings.
    fn options(settings: &Settings) -> <Self::Sampler as Sampling>::Options;
    /// The record's own fields as a JSON object.
    fn raw(record: &Self::Record<'_>) -> serde_json::Result<String>;

    /// Names of the dialects that can be forced on a recording, where it does not name its own.
    fn dialects() -> Vec<&'static str> {
        Vec::new()
    }

    /// Reads the recording as of this dialect; false when there is none of this name.
    fn force(header: &mut Self::Header, dialect: &str) -> bool {
        let _ = (header, dialect);
        false
    }

    /// The version or dialect of the recording, as far as its header names it.
    fn variant(header: &Self::Header) -> String {
        let _ = header;
        String::new()
    }

    /// Completes the header from what stands beside the file.
    fn settle(header: &mut Self::Header, path: &Path) {
        let _ = (header, path);
    }

    /// Gives `found` the channel of each trajectory of a hero, the vehicle under test, that the record introduces.
    fn heroes(record: &Self::Record<'_>, found: &mut dyn FnMut(String)) {
        let _ = (record, found);
    }

    /// What a user should know of the recording before its samples, if there is anything.
    fn note(header: &Self::Header, settings: &Settings) -> Option<Note> {
        let _ = (header, settings);
        None
    }

    /// What a user should know of the samples that were made.
    fn notes(sampler: &Self::Sampler) -> Vec<Note> {
        let _ = sampler;
        Vec::new()
    }

    /// Whether a sampler that fails with this error met a whole record in a codec that is not public: nothing is damaged.
    fn is_closed(error: &robolog_core::Error) -> bool {
        let _ = error;
        false
    }

    /// Whether a track made of the recording takes its dates from [`epoch`](Self::epoch) without being asked: where
    /// stamps count from the start, and a receiver's messages give the date.
    const DATES_TRACKS: bool = false;

    /// The moment of time stamp 0 in Unix time, where a survey of the whole recording finds it.
    fn epoch(details: &<Self::Survey as Surveying>::Details) -> Option<Timestamp> {
        let _ = details;
        None
    }

    /// Tells the times of the records of one recording, shown one after another from the first: where other records say in
    /// which unit a record's time counts, they are remembered.
    fn timer() -> Timer<Self> {
        Box::new(|record| record.time())
    }

    /// The number of the frame that the record is or begins, in formats that number them.
    fn frame(record: &Self::Record<'_>) -> Option<u64> {
        let _ = record;
        None
    }
}

/// Tells the times of records: see [`Source::timer`].
pub type Timer<F> = Box<dyn for<'a> FnMut(&<F as robolog_core::Format>::Record<'a>) -> Option<Timestamp>>;

/// Something to be done with a recording of any format.
pub trait Visit {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Self::Output;
}

/// Where an input's bytes come from.
pub type Stream = Box<dyn Read + Send>;

/// The samples of a recording of any format: see [`Input::samples`].
pub type Samples = Box<dyn Iterator<Item = Result<Sample>> + Send>;

/// Makes [`Samples`] of a recording.
struct SamplesOf<'s>(&'s Settings);

impl Visit for SamplesOf<'_> {
    type Output = Samples;

    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Samples {
        let samples = reader.samples_with(F::options(self.0));
        Box::new(samples.map(|sample| sample.map_err(Error::from)))
    }
}

/// The formats: one row each, and `Source` for it below.
macro_rules! formats {
    ($($feature:literal: $format:ty),+ $(,)?) => {
        /// Names of all formats.
        pub fn formats() -> Vec<&'static str> {
            [$(#[cfg(feature = $feature)] <$format as robolog_core::Format>::NAME),+].to_vec()
        }

        /// Whether tracks made of recordings of this format take their dates from it: see [`Source::DATES_TRACKS`].
        pub fn dates_tracks(format: &str) -> bool {
            $(#[cfg(feature = $feature)]
            if format == <$format as robolog_core::Format>::NAME {
                return <$format as Source>::DATES_TRACKS;
            })+
            false
        }

        fn detect(start: &[u8]) -> Option<&'static str> {
            // First those that begin with bytes of their own: a capture may hold sentences, no text a capture.
            for has_magic in [true, false] {
                $(#[cfg(feature = $feature)]
                if <$format as Source>::HAS_MAGIC == has_magic && <$format as robolog_core::Format>::detect(start) {
                    return Some(<$format as robolog_core::Format>::NAME);
                })+
            }
            None
        }

        fn dispatch<V: Visit>(
            (name, dialect): (&str, Option<&str>),
            path: Option<&Path>,
            (stream, limits): (Stream, Limits),
            visit: V,
        ) -> Result<V::Output> {
            $(#[cfg(feature = $feature)]
            if name == <$format as robolog_core::Format>::NAME {
                return Ok(visit.visit(begin::<$format, _>(dialect, path, stream, limits)?));
            })+
            let known = formats().join(", ");
            Err(Error::NoSuchFormat { name: name.to_owned(), known })
        }
    };
}

formats![
    "from-alog": ::alog::Alog,
    "from-carla-rec": ::carla_rec::CarlaRec,
    "from-gpx": robolog_gpx::Gpx,
    "from-kml": robolog_kml::Kml,
    "from-nmea": robolog_nmea::Nmea,
    "from-effibox": effibox::table::Table,
    "from-koblenz-log": ::koblenz_log::KoblenzLog,
    "from-lvx": ::lvx::Lvx,
    "from-pcap": crate::pcap::Capture
];

/// Reads the header, and completes it from what is known beside it.
fn begin<F: Source, R: Read>(
    dialect: Option<&str>,
    path: Option<&Path>,
    stream: R,
    limits: Limits,
) -> Result<StreamReader<R, F>> {
    let mut reader = StreamReader::with_limits(stream, limits)?;
    if let Some(path) = path {
        F::settle(reader.header_mut(), path);
    }
    force::<F>(reader.header_mut(), dialect)?;
    Ok(reader)
}

fn force<F: Source>(header: &mut F::Header, dialect: Option<&str>) -> Result<()> {
    let Some(dialect) = dialect else { return Ok(()) };
    if F::force(header, dialect) {
        return Ok(());
    }
    let known = match F::dialects() {
        dialects if dialects.is_empty() => format!("{} alone", F::NAME),
        dialects => dialects.iter().map(|d| format!("{}:{d}", F::NAME)).collect::<Vec<_>>().join(", "),
    };
    Err(Error::NoSuchFormat { name: format!("{}:{dialect}", F::NAME), known })
}

/// Where on Earth the origin of a recording's local frames lies, as the recording gives it, or the file beside it:
/// `LatOrigin` and `LongOrigin` of a MOOS log. `None` where neither does.
pub fn origin(path: impl AsRef<Path>) -> Result<Option<Place>> {
    #[cfg(feature = "from-alog")]
    return logs::origin(path.as_ref());
    #[cfg(not(feature = "from-alog"))]
    {
        let _ = path;
        Ok(None)
    }
}

/// An input whose first bytes have been looked at.
///
/// ```
/// use robolog_convert::Input;
/// let input = Input::open("../../testdata/alog/moosivp.alog")?;
/// assert_eq!((input.format()?, input.len()), ("alog", Some(3419)));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub struct Input {
    name: String,
    path: Option<PathBuf>,
    len: Option<u64>,
    start: Vec<u8>,
    rest: Stream,
    #[cfg(feature = "from-effibox")]
    dataset: Option<Box<Dataset>>,
    is_decoded: bool,
    /// Whether the bytes of the recording are those of the file.
    is_plain: bool,
    /// Opens it once more, where that can be done.
    reopen: Option<plain::Open>,
    watch: Option<streams::Watch>,
    limits: Limits,
}

/// What zip archives begin with: data sets, and documents of KML.
#[cfg(any(feature = "from-effibox", feature = "from-kml"))]
const ZIP: &[u8] = b"PK\x03\x04";

impl Input {
    /// Opens a file or a folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Limits::default())
    }

    /// The same with limits of the caller's.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::file(path, e))?;
        let meta = file.metadata().map_err(|e| Error::file(path, e))?;
        if meta.is_dir() {
            return Ok(Self { path: Some(path.to_owned()), ..Self::folder(path, limits)? });
        }
        // A pipe has no places.
        let stream: Stream =
            if meta.is_file() { Box::new(plain::Positional::new(file)) } else { Box::new(file) };
        let mut input = Self::new_with(path.display().to_string(), stream, limits)?;
        input.path = Some(path.to_owned());
        #[cfg(feature = "from-effibox")]
        {
            input.dataset = dataset::archive(path, &input.start, limits)?.map(Box::new);
        }
        #[cfg(feature = "from-kml")]
        if !input.is_dataset() && input.start.starts_with(ZIP) {
            let file = File::open(path).map_err(|e| Error::file(path, e))?;
            input = Self::of_kmz(path.display().to_string(), file, limits)?;
            input.path = Some(path.to_owned());
        }
        // A pipe has a path too, but no size.
        input.len = meta.is_file().then_some(meta.len());
        input.reopen = meta.is_file().then(|| plain::file(path));
        input.is_plain &= !input.is_dataset();
        Ok(input)
    }

    /// A folder with a data set, or with the files of a log.
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
        Err(Error::file(path, io::ErrorKind::IsADirectory.into()))
    }

    /// Standard input.
    pub fn stdin() -> Result<Self> {
        Self::stdin_with(Limits::default())
    }

    /// The same with limits of the caller's. An archive of KML is held in memory.
    pub fn stdin_with(limits: Limits) -> Result<Self> {
        let input = Self::new_with("-", Box::new(io::stdin()), limits)?;
        #[cfg(feature = "from-kml")]
        if input.start.starts_with(ZIP) {
            return input.into_kmz();
        }
        Ok(input)
    }

    /// Any stream; `name` is for messages. What is compressed by gzip is read as what it holds.
    pub fn new(name: impl Into<String>, rest: Stream) -> Result<Self> {
        Self::new_with(name, rest, Limits::default())
    }

    /// The same with limits of the caller's.
    pub fn new_with(name: impl Into<String>, mut rest: Stream, limits: Limits) -> Result<Self> {
        let name = name.into();
        let mut start = look(&mut rest).map_err(|e| Error::file(&name, e))?;
        let is_compressed = start.starts_with(&gunzip::MAGIC);
        if is_compressed {
            let compressed = io::Cursor::new(start).chain(rest);
            rest = Box::new(gunzip::Gunzip::new(compressed, limits));
            start = look(&mut rest).map_err(|e| Error::file(&name, e))?;
        }
        let (start, rest, decoded) = decoded(start, rest).map_err(|e| Error::file(&name, e))?;
        let is_plain = !is_compressed && decoded.is_none();
        let is_decoded = decoded == Some(true);
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
            reopen: None,
            watch: None,
            limits,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is, when it was opened by its path.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name of its file, without folders.
    pub(crate) fn file_name(&self) -> String {
        let name = Path::new(&self.name).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Its size, where that is known: of files, which can be read again, and of nothing else.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// The file, or what is like one, where it can be read from anywhere.
    pub(crate) fn plain_file(&self, format: Option<&str>) -> Option<PlainFile> {
        let (open, len) = self.reopen.clone().zip(self.len).filter(|_| self.is_plain)?;
        let (path, is_file) = (self.place()?.to_owned(), self.path.is_some());
        let dialect = format.and_then(|name| Some(name.split_once(':')?.1.to_owned()));
        let watch = self.watch.clone();
        Some(PlainFile { path, len, is_file, open, watch, dialect, limits: self.limits })
    }

    /// Where it is; of what is no file but can be opened again, its name.
    fn place(&self) -> Option<&Path> {
        self.path().or_else(|| self.reopen.as_ref().map(|_| Path::new(&self.name)))
    }

    /// Whether the file is text in another encoding than UTF-8, which is read as UTF-8.
    pub fn is_decoded(&self) -> bool {
        self.is_decoded
    }

    /// Whether it holds nothing at all.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Its first bytes.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The format found from the first bytes; of tables of bare numbers, from the file's name.
    pub fn format(&self) -> Result<&'static str> {
        let unknown = || match Foreign::detect(&self.start) {
            _ if self.start.is_empty() => Error::EmptyFile,
            Some(foreign) => Error::Foreign(foreign),
            None => Error::UnknownFormat(self.start.get(..16).unwrap_or(&self.start).to_vec()),
        };
        #[cfg(feature = "from-effibox")]
        let by_name = || {
            let path = self.place()?.to_string_lossy();
            TableKind::from_file_name(&path).map(|_| <effibox::table::Table as robolog_core::Format>::NAME)
        };
        #[cfg(not(feature = "from-effibox"))]
        let by_name = || None;
        detect(&self.start).or_else(by_name).ok_or_else(unknown)
    }

    /// Whether the input is a folder or an archive that holds a data set of many files.
    pub fn is_dataset(&self) -> bool {
        #[cfg(feature = "from-effibox")]
        return self.dataset.is_some();
        #[cfg(not(feature = "from-effibox"))]
        false
    }

    /// The data set, where the input is a folder or an archive that holds one.
    #[cfg(feature = "from-effibox")]
    pub fn dataset(&self) -> Option<&Dataset> {
        self.dataset.as_deref()
    }

    /// Its samples one after another, whatever its format; what is damaged is an error in its place.
    ///
    /// Fails where the format is not found.
    pub fn samples(self) -> Result<Samples> {
        self.samples_with(None, &Settings::default())
    }

    /// The same of the format named or else found, as in [`visit`](Self::visit), by these settings.
    #[cfg_attr(not(feature = "from-effibox"), expect(unused_mut, reason = "only a data set is taken out"))]
    pub fn samples_with(mut self, format: Option<&str>, settings: &Settings) -> Result<Samples> {
        #[cfg(feature = "from-effibox")]
        if let Some(dataset) = self.dataset.take() {
            return Ok(Box::new(dataset.samples().map(|sample| sample.map_err(Error::from))));
        }
        self.visit(format, SamplesOf(settings))
    }

    /// All its bytes, from the first on.
    pub fn into_stream(self) -> Stream {
        Box::new(io::Cursor::new(self.start).chain(self.rest))
    }

    /// Runs `visit` on the recording, of the format named or else found. A colon behind the name forces a dialect:
    /// see [`Source::dialects`].
    ///
    /// Fails for a data set, which is no recording but many.
    pub fn visit<V: Visit>(self, format: Option<&str>, visit: V) -> Result<V::Output> {
        if self.is_dataset() {
            return Err(Error::Target(Reason::DataSet));
        }
        let name = match format {
            Some(name) => name.to_owned(),
            None => self.format()?.to_owned(),
        };
        let (name, dialect) = name.split_once(':').map_or((&*name, None), |(name, d)| (name, Some(d)));
        let (path, limits) = (self.place().map(Path::to_owned), self.limits);
        dispatch((name, dialect), path.as_deref(), (self.into_stream(), limits), visit)
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}
