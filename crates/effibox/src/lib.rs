//! The Institut Pascal Data Sets, as logged by the Effibox middleware, and the formats in them: GPX, KML and NMEA 0183.
//!
//! | module | feature | what |
//! |---|---|---|
//! | [`dataset`] | `dataset` | a whole data set in a folder or an archive: samples in order of time, counts, faults, cuts |
//! | [`table`] | `dataset` | its tables of positions, satellites, encoders, accelerometers, images and scans |
//! | [`motion`], [`lambert`], [`pnm`] | `dataset` | the vehicle's constants, mounts and dead reckoning; Lambert II étendu; images |
//! | [`gpx`] | `gpx` | GPX 1.0 and 1.1 |
//! | [`kml`] | `kml` | KML 2.2 and 2.3, KMZ |
//! | [`nmea`] | `nmea` | NMEA 0183 sentences |
//!
//! # Open
//! ```
//! # #[cfg(feature = "dataset")] {
//! # let path = "examples/dataset";
//! for sample in effibox::open(path)?.samples() {
//!     match sample {
//!         Ok(sample) => println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind()),
//!         Err(fault) => println!("{fault}"), // in its place: file, line and column
//!     }
//! }
//! let summary = effibox::survey(path)?;
//! assert_eq!(summary.details.interfaces.len(), 5);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A [`Dataset`](dataset::Dataset) is a folder or a `.tar`, `.tar.gz` or `.zip` of one.
//! [`Dataset::visit`](dataset::Dataset::visit) passes the same samples to a closure, without a thread,
//! [`Dataset::survey`](dataset::Dataset::survey) counts the samples of a visit and lists its faults,
//! [`Dataset::epoch`](dataset::Dataset::epoch) estimates the start of the acquisition, and
//! [`Dataset::copy`](dataset::Dataset::copy) writes a span of time as another data set. `Reader` and `StreamReader` of
//! each format's module read single files.
//!
//! # Times, units and frames
//! Times count from the start of the acquisition, or are Unix times if the caller gives that start. Images and
//! sentences have the time of their acquisition, which is reception plus latency; everything else has the time of its
//! reception. Angles are in radians, distances in metres, latitudes and longitudes in degrees. Scans and poses follow
//! REP-103: x forward, y left, z up. [`motion::extrinsics`] explains how the camera-like frames of the calibration page
//! are converted.
//!
//! # Read past damage
//! ```
//! # #[cfg(feature = "dataset")] {
//! # let path = "examples/dataset";
//! let dataset = effibox::open(path)?;
//! // Entries that are not read.
//! for entry in dataset.skipped() {
//!     println!("{}: {}", entry.path, entry.why);
//! }
//! // All that is wrong, with a severity, a code and an offset each.
//! for finding in dataset.survey().findings {
//!     println!("{}: {}", finding.code, finding.message);
//! }
//! // Of samples: a fault in the place of each damage, with its file and line, and the samples after it.
//! for fault in dataset.samples().filter_map(Result::err) {
//!     println!("{}:{}: {}", fault.file(), fault.line(), fault.error());
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`dataset::Dataset::rows`] gives faults of one table likewise, `Reader` and `StreamReader` of [`gpx`], [`kml`] and
//! [`nmea`] the damage of one file.
//!
//! # Damage
//! An invalid row, image, scan, sentence or point is lost alone and is a [`Fault`](dataset::Fault). Other faults are an
//! image missing from the table or from the folder, a scan whose first line claims another number of ranges (the scan
//! is delivered), and a track without an end (all its complete points are delivered). A damaged archive gives every
//! whole member: a zip by its members' own headers where its directory is damaged, a tar from the next header on.
//!
//! # Not supported
//! Videos of a camera: the fault explains how ffmpeg extracts images from them.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(feature = "dataset")]
pub mod dataset;
#[cfg(feature = "dataset")]
pub mod lambert;
#[cfg(feature = "dataset")]
pub mod motion;
pub mod number;
#[cfg(feature = "dataset")]
pub mod pnm;
#[cfg(feature = "dataset")]
pub mod table;

#[cfg(feature = "gpx")]
pub use robolog_gpx as gpx;
#[cfg(feature = "kml")]
pub use robolog_kml as kml;
#[cfg(feature = "nmea")]
pub use robolog_nmea as nmea;

/// Opens the data set in a folder or an archive: see [`Dataset::open`](dataset::Dataset::open).
///
/// ```
/// # let path = "examples/dataset";
/// let dataset = effibox::open(path)?;
/// for interface in dataset.interfaces() {
///     println!("{}: {} tables, {} files", interface.id, interface.tables.len(), interface.files);
/// }
/// assert_eq!(dataset.interfaces().len(), 5);
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[cfg(feature = "dataset")]
pub fn open(path: impl AsRef<std::path::Path>) -> Result<dataset::Dataset, dataset::Fault> {
    dataset::Dataset::open(path)
}

/// Counts the contents of a data set and checks it: see [`Dataset::survey`](dataset::Dataset::survey).
///
/// ```
/// let summary = effibox::survey("examples/dataset")?;
/// let scans: u64 = summary.details.interfaces.iter().map(|interface| interface.scans).sum();
/// assert_eq!(scans, 4);
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[cfg(feature = "dataset")]
pub fn survey(
    path: impl AsRef<std::path::Path>,
) -> Result<robolog_core::Summary<dataset::Details>, dataset::Fault> {
    Ok(open(path)?.survey())
}

/// The shared core: samples, and the traits behind decoders and copiers.
pub use robolog_core;
pub use robolog_core::{
    Clock, Error, ErrorKind, Event, Index, Limits, Result, Sample, Timestamp, Value, nalgebra,
};
