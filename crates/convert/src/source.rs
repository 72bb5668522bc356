//! Detects the format of an input, and runs generic code for it.

#[cfg(feature = "from-alog")]
mod alog;
#[cfg(feature = "from-carla-rec")]
mod carla_rec;
#[cfg(feature = "from-effibox")]
mod dataset;
#[cfg(feature = "from-gpx")]
mod gpx;
mod gunzip;
mod input;
#[cfg(feature = "from-kml")]
mod kml;
#[cfg(feature = "from-kmz")]
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
    io::{self, Read},
    path::{Path, PathBuf},
};

use robolog_core::{
    Change, Copier, Decoder, DetailsOf, Editing, OptionsOf, Recording, Sample, StreamReader, Timed as _,
    Timestamp,
};
use serde::Serialize;

#[cfg(feature = "from-effibox")]
pub use self::dataset::of_data_set;
pub(crate) use self::plain::PlainFile;
pub use self::{
    input::Input,
    plain::{How, ReadSeek, Stream},
    streams::standard_input,
};
use crate::{
    Error, Note, Result, Settings,
    places::{Grid, ToldOrigin},
};

/// Magic bytes of zip archives: data sets, and KML documents.
#[cfg(any(feature = "from-effibox", feature = "from-kmz"))]
const ZIP: &[u8] = b"PK\x03\x04";

/// A format, with what converters need beyond samples.
pub trait Source: Editing + Recording<Decoder: Decoder<Details: Serialize>, Header: Send + Clone> {
    /// Grid of local frames.
    const GRID: Grid = Grid::Enu;

    /// Whether all files begin with the same few bytes. Other formats are detected from text, after these.
    const HAS_MAGIC: bool = false;

    /// The decoder's options for these settings.
    fn options(settings: &Settings) -> OptionsOf<Self>;
    /// The record's own fields as a JSON object.
    fn raw(record: &Self::Record<'_>) -> serde_json::Result<String>;

    /// Names of the dialects that can be forced on a recording that does not name its own.
    fn dialects() -> Vec<&'static str> {
        Vec::new()
    }

    /// Forces a dialect; false if none has this name.
    fn force(header: &mut Self::Header, dialect: &str) -> bool {
        let _ = (header, dialect);
        false
    }

    /// Version or dialect of the recording, if its header names it.
    fn variant(header: &Self::Header) -> String {
        let _ = header;
        String::new()
    }

    /// Completes the header from files beside it.
    fn complete_from_path(header: &mut Self::Header, path: &Path) {
        let _ = (header, path);
    }

    /// Looks ahead in the stream for what the header lacks, and leaves it as it was. By default, nothing is lacking.
    fn look_ahead(stream: &mut Stream) -> io::Result<Completion<Self>> {
        let _ = stream;
        Ok(Box::new(|_| ()))
    }

    /// Applies how records are read. By default there is only one way. Returns an error for a model whose LiDARs such a
    /// recording cannot hold.
    fn apply(header: &mut Self::Header, how: &How) -> Result<()> {
        let _ = (header, how);
        Ok(())
    }

    /// Note on the recording before its samples, if any. Returns an error if these settings leave its samples without a
    /// time.
    fn note(header: &Self::Header, settings: &Settings) -> Result<Option<Note>> {
        let _ = (header, settings);
        Ok(None)
    }

    /// Notes on the samples made.
    fn notes(decoder: &Self::Decoder) -> Vec<Note> {
        let _ = decoder;
        Vec::new()
    }

    /// Whether this error of a decoder means an undamaged record in a codec that is not public.
    fn is_closed(error: &robolog_core::Error) -> bool {
        let _ = error;
        false
    }

    /// Whether tracks made from the recording take their dates from [`epoch`](Self::epoch) by default: if stamps count
    /// from the start, and messages of a receiver give the date.
    const DATES_TRACKS: bool = false;

    /// Unix time of time stamp 0, if a survey of the whole recording finds it.
    fn epoch(details: &DetailsOf<Self>) -> Option<Timestamp> {
        let _ = details;
        None
    }

    /// Returns a function for the times of the records of one recording, called for each from the first: it remembers
    /// records that give the unit of later times.
    fn timer() -> Timer<Self> {
        Box::new(|record| record.time())
    }

    /// Number of the frame that the record is or begins, in formats that number frames.
    fn frame(record: &Self::Record<'_>) -> Option<u64> {
        let _ = record;
        None
    }
}

/// Whether this is no record but the end mark of the format.
pub fn is_end_mark<F: Source>(record: &F::Record<'_>) -> bool {
    <F::Copier<io::Cursor<Vec<u8>>> as Copier<_>>::is_end(record)
}

/// Completes a header: see [`Source::look_ahead`].
pub type Completion<F> = Box<dyn FnOnce(&mut <F as robolog_core::Format>::Header)>;

/// Returns the times of records: see [`Source::timer`].
pub type Timer<F> = Box<dyn for<'a> FnMut(&<F as robolog_core::Format>::Record<'a>) -> Option<Timestamp>>;

/// A generic operation on a recording of any format.
pub trait Visit {
    /// Result.
    type Output;
    /// Runs the operation.
    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Self::Output;
}

/// Bytes of an input, from start to end.
pub type BoxRead = Box<dyn Read + Send>;

/// The samples of a recording of any format: see [`Input::samples`].
pub type BoxSamples = Box<dyn Iterator<Item = Result<Sample>> + Send>;

/// Makes [`BoxSamples`] from a recording.
struct SamplesOf<'s>(&'s Settings);

impl Visit for SamplesOf<'_> {
    type Output = BoxSamples;

    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> BoxSamples {
        let samples = reader.samples_with(F::options(self.0));
        Box::new(samples.map(|sample| sample.map_err(Error::from)))
    }
}

/// The formats: one row each; `Source` is implemented in the submodules.
macro_rules! formats {
    ($($feature:literal: $format:ty),+ $(,)?) => {
        /// Names of all formats.
        pub fn formats() -> Vec<&'static str> {
            [$(#[cfg(feature = $feature)] <$format as robolog_core::Format>::NAME),+].to_vec()
        }

        /// Whether tracks made from recordings of this format take their dates from them: see [`Source::DATES_TRACKS`].
        pub fn dates_tracks(format: &str) -> bool {
            $(#[cfg(feature = $feature)]
            if format == <$format as robolog_core::Format>::NAME {
                return <$format as Source>::DATES_TRACKS;
            })+
            false
        }

        /// Names of the formats that support this change in `robolog edit`.
        pub(crate) fn formats_with(change: Change) -> Vec<&'static str> {
            let mut names = Vec::new();
            $(#[cfg(feature = $feature)]
            if <$format as Editing>::CHANGES.contains(&change) {
                names.push(<$format as robolog_core::Format>::NAME);
            })+
            names
        }

        fn detect(start: &[u8]) -> Option<&'static str> {
            // Formats with magic bytes first: a capture may contain sentences, but text contains no capture.
            for has_magic in [true, false] {
                $(#[cfg(feature = $feature)]
                if <$format as Source>::HAS_MAGIC == has_magic && <$format as robolog_core::Format>::detect(start) {
                    return Some(<$format as robolog_core::Format>::NAME);
                })+
            }
            None
        }

        fn dispatch<V: Visit>(name: &str, opened: Opened, visit: V) -> Result<V::Output> {
            $(#[cfg(feature = $feature)]
            if name == <$format as robolog_core::Format>::NAME {
                return Ok(visit.visit(opened.reader::<$format>()?));
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
    "from-pcap": robolog_capture::Capture
];

/// A recording whose header is not read yet.
struct Opened {
    stream: Stream,
    path: Option<PathBuf>,
    dialect: Option<String>,
    how: How,
}

impl Opened {
    /// Reads the header, and completes it from the path and the options.
    fn reader<F: Source>(self) -> Result<StreamReader<Stream, F>> {
        let mut stream = self.stream;
        let complete = F::look_ahead(&mut stream).map_err(|error| robolog_core::Error::io(error, 0))?;
        let mut reader = StreamReader::with_limits(stream, self.how.limits)?;
        complete(reader.header_mut());
        if let Some(path) = &self.path {
            F::complete_from_path(reader.header_mut(), path);
        }
        F::apply(reader.header_mut(), &self.how)?;
        force::<F>(reader.header_mut(), self.dialect.as_deref())?;
        Ok(reader)
    }
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

/// Origin on Earth of the local frames of a recording, from the recording or a file beside it: `LatOrigin` and
/// `LongOrigin` of a MOOS log. Without these it is computed from positions that a MOOS log has at the same moment in
/// the local frame, of `grid` or its own, and as latitude and longitude: `NAV_X`, `NAV_Y`, `NAV_LAT`, `NAV_LONG`.
/// `None` without those. Returns an error if they fit no origin.
pub fn origin(path: impl AsRef<Path>, grid: Option<Grid>) -> Result<Option<ToldOrigin>> {
    #[cfg(feature = "from-alog")]
    return logs::origin(path.as_ref(), grid);
    #[cfg(not(feature = "from-alog"))]
    {
        let _ = (path, grid);
        Ok(None)
    }
}
