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

use std::{io::Read, path::Path};

use robolog_core::{
    Change, Editing, Recording, Sample, Sampling, StreamReader, Surveying, Timed as _, Timestamp,
};
use serde::Serialize;

use self::input::How;
pub(crate) use self::plain::{PlainFile, PlainStream};
pub use self::{
    input::Input,
    plain::{ReadSeek, seek_place},
};
use crate::{
    Error, Extra, Note, Result, Settings,
    places::{Grid, ToldOrigin},
};

/// What zip archives begin with: data sets, and documents of KML.
#[cfg(any(feature = "from-effibox", feature = "from-kmz"))]
const ZIP: &[u8] = b"PK\x03\x04";

/// A format as the converters need it.
pub trait Source:
    Editing + Recording<Survey: Surveying<Details: Serialize>, Sampler: Send, Header: Send + Clone>
{
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
    fn complete_from_path(header: &mut Self::Header, path: &Path) {
        let _ = (header, path);
    }

    /// Gives the times that are wanted: see `Input::with_times`. The default has one time alone.
    #[cfg(feature = "from-alog")]
    fn set_times(header: &mut Self::Header, times: ::alog::TimeFrom) {
        let _ = (header, times);
    }

    /// Gives `found` the channel of each trajectory of a hero, the vehicle under test, that the record introduces.
    fn heroes(record: &Self::Record<'_>, found: &mut dyn FnMut(String)) {
        let _ = (record, found);
    }

    /// Whether records hold more than samples: see [`extras`](Self::extras).
    const HAS_EXTRAS: bool = false;

    /// Gives `found` what the record holds besides samples: see [`extras`](crate::extras).
    fn extras(record: &Self::Record<'_>, found: &mut dyn FnMut(Extra)) {
        let _ = (record, found);
    }

    /// What a user should know of the recording before its samples, if there is anything. Fails where these settings leave no
    /// time to its samples.
    fn note(header: &Self::Header, settings: &Settings) -> Result<Option<Note>> {
        let _ = (header, settings);
        Ok(None)
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
    /// The result.
    type Output;
    /// Does it.
    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Self::Output;
}

/// Where an input's bytes come from.
pub type Stream = Box<dyn Read + Send>;

/// The samples of a recording of any format: see [`Input::samples`].
pub type BoxSamples = Box<dyn Iterator<Item = Result<Sample>> + Send>;

/// Makes [`BoxSamples`] of a recording.
struct SamplesOf<'s>(&'s Settings);

impl Visit for SamplesOf<'_> {
    type Output = BoxSamples;

    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> BoxSamples {
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

        /// Names of the formats in which `robolog edit` can change this.
        pub(crate) fn formats_with(change: Change) -> Vec<&'static str> {
            let mut names = Vec::new();
            $(#[cfg(feature = $feature)]
            if <$format as Editing>::CHANGES.contains(&change) {
                names.push(<$format as robolog_core::Format>::NAME);
            })+
            names
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
            (stream, how): (Stream, How),
            visit: V,
        ) -> Result<V::Output> {
            $(#[cfg(feature = $feature)]
            if name == <$format as robolog_core::Format>::NAME {
                return Ok(visit.visit(begin::<$format, _>(dialect, path, stream, how)?));
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

/// Reads the header, and completes it from what is known beside it.
fn begin<F: Source, R: Read>(
    dialect: Option<&str>,
    path: Option<&Path>,
    stream: R,
    how: How,
) -> Result<StreamReader<R, F>> {
    let mut reader = StreamReader::with_limits(stream, how.limits)?;
    if let Some(path) = path {
        F::complete_from_path(reader.header_mut(), path);
    }
    #[cfg(feature = "from-alog")]
    F::set_times(reader.header_mut(), how.times);
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
/// `LatOrigin` and `LongOrigin` of a MOOS log. Where neither does, it is computed from positions that a MOOS log has at the
/// same moment both in the local frame, of `grid` or its own, and as latitude and longitude: `NAV_X`, `NAV_Y`, `NAV_LAT`,
/// `NAV_LONG`. `None` without those. Fails where they agree with no origin.
pub fn origin(path: impl AsRef<Path>, grid: Option<Grid>) -> Result<Option<ToldOrigin>> {
    #[cfg(feature = "from-alog")]
    return logs::origin(path.as_ref(), grid);
    #[cfg(not(feature = "from-alog"))]
    {
        let _ = (path, grid);
        Ok(None)
    }
}
