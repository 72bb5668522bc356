//! Detects the format of an input, and runs generic code for it.

#[cfg(feature = "from-alog")]
mod alog;
#[cfg(feature = "from-carla-rec")]
mod carla_rec;
#[cfg(feature = "from-effibox")]
mod dataset;
mod delivers;
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
    Sample, StreamReader, Timestamp,
    format::{Change, Copier, Decoder, Editing, Format, OptionsOf, Recording, Timed as _},
};
use serde::Serialize;

#[cfg(feature = "from-effibox")]
pub use self::dataset::of_data_set;
pub(crate) use self::plain::PlainFile;
pub use self::{
    delivers::{Delivers, delivers},
    input::Input,
    plain::{How, ReadSeek, Reopen, Stream},
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
    /// What holds for all recordings of the format.
    const ABOUT: About = About::DEFAULT;

    /// The decoder's options for these settings.
    fn options(settings: &Settings) -> OptionsOf<Self>;
    /// The record's own fields as a JSON object.
    fn raw(record: &Self::Record<'_>) -> serde_json::Result<String>;

    /// Forces a dialect on a recording that does not name its own. Returns the names of all dialects if none has this
    /// one.
    fn force(header: &mut Self::Header, dialect: &str) -> Result<(), Vec<&'static str>> {
        let _ = (header, dialect);
        Err(Vec::new())
    }

    /// Version or dialect of the recording, if its header names it.
    fn variant(header: &Self::Header) -> String {
        let _ = header;
        String::new()
    }

    /// Reads the header, completed by what lies further on in the stream or beside the file, and by how records are
    /// read. By default nothing completes it. Returns an error for a model whose LiDARs such a recording cannot hold.
    fn open(stream: Stream, path: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let _ = path;
        Ok(StreamReader::with_limits(stream, how.limits)?)
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

    /// Returns a function for the times of the records of one recording, called for each from the first: it remembers
    /// records that give the unit of later times.
    fn timer() -> Timer<Self> {
        Box::new(|record| record.time())
    }
}

/// What holds for all recordings of a format.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Grid of local frames.
    pub grid: Grid,
    /// Whether all files begin with the same few bytes. Other formats are detected from text, after these.
    pub has_magic: bool,
    /// Whether tracks made from the recording take their dates from its [epoch](robolog_core::Summary::epoch) by
    /// default: if stamps count from the start, and messages of a receiver give the date.
    pub dates_tracks: bool,
    /// Whether some records are in a codec that is not public: these are whole, although the decoder cannot read them.
    pub has_closed_codecs: bool,
}

impl About {
    /// A format detected from text, without any of these.
    pub const DEFAULT: Self =
        Self { grid: Grid::Enu, has_magic: false, dates_tracks: false, has_closed_codecs: false };
}

/// Whether this error of a decoder means an undamaged record in a codec that is not public.
pub(crate) fn is_closed<F: Source>(error: &robolog_core::Error) -> bool {
    F::ABOUT.has_closed_codecs && matches!(error.kind(), robolog_core::ErrorKind::Unsupported { .. })
}

/// Whether this is no record but the end mark of the format.
pub fn is_end_mark<F: Source>(record: &F::Record<'_>) -> bool {
    <F::Copier<io::Cursor<Vec<u8>>> as Copier<_>>::is_end(record)
}

/// Returns the times of records: see [`Source::timer`].
pub type Timer<F> = Box<dyn for<'a> FnMut(&<F as Format>::Record<'a>) -> Option<Timestamp>>;

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
            [$(#[cfg(feature = $feature)] <$format as robolog_core::format::Format>::NAME),+].to_vec()
        }

        /// Whether tracks made from recordings of this format take their dates from them: see [`About::dates_tracks`].
        pub fn dates_tracks(format: &str) -> bool {
            $(#[cfg(feature = $feature)]
            if format == <$format as robolog_core::format::Format>::NAME {
                return <$format as Source>::ABOUT.dates_tracks;
            })+
            false
        }

        /// Names of the formats that support this change in `robolog edit`.
        pub(crate) fn formats_with(change: Change) -> Vec<&'static str> {
            let mut names = Vec::new();
            $(#[cfg(feature = $feature)]
            if <$format as Editing>::CHANGES.contains(&change) {
                names.push(<$format as robolog_core::format::Format>::NAME);
            })+
            names
        }

        fn detect(start: &[u8]) -> Option<&'static str> {
            // Formats with magic bytes first: a capture may contain sentences, but text contains no capture.
            for has_magic in [true, false] {
                $(#[cfg(feature = $feature)]
                if <$format as Source>::ABOUT.has_magic == has_magic && <$format as robolog_core::format::Format>::detect(start) {
                    return Some(<$format as robolog_core::format::Format>::NAME);
                })+
            }
            None
        }

        fn dispatch<V: Visit>(name: &str, opened: Opened, visit: V) -> Result<V::Output> {
            $(#[cfg(feature = $feature)]
            if name == <$format as robolog_core::format::Format>::NAME {
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
        let mut reader = F::open(self.stream, self.path.as_deref(), &self.how)?;
        if let Some(dialect) = &self.dialect {
            F::force(reader.header_mut(), dialect)
                .map_err(|known| no_such_dialect(F::NAME, dialect, &known))?;
        }
        Ok(reader)
    }
}

fn no_such_dialect(format: &str, dialect: &str, known: &[&str]) -> Error {
    let known = match known {
        [] => format!("{format} alone"),
        known => known.iter().map(|known| format!("{format}:{known}")).collect::<Vec<_>>().join(", "),
    };
    Error::NoSuchFormat { name: format!("{format}:{dialect}"), known }
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
