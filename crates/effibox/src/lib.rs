//! The Institut Pascal Data Sets, as the Effibox middleware logs them, and the formats in them: GPX, KML and NMEA 0183.
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
//! # Read
//! ```
//! # #[cfg(feature = "dataset")] {
//! use effibox::dataset::{Dataset, Event, Fault, Options};
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! # std::fs::write(path.join("Bus_InterfaceCan_can0_Steering.txt"), "20012 0.01 313\n60010 0 0\n")?;
//! let mut samples = 0;
//! Dataset::open(path)?.visit::<Fault>(&Options::default(), &mut |event| {
//!     match event {
//!         Event::Sample(_) => samples += 1,
//!         Event::Fault(fault) => eprintln!("{fault}"),
//!     }
//!     Ok(())
//! })?;
//! assert_eq!(samples, 2);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Dataset::survey`](dataset::Dataset::survey) counts what a visit delivers and lists what it could not,
//! [`Dataset::epoch`](dataset::Dataset::epoch) estimates when the acquisition began, and
//! [`Dataset::copy`](dataset::Dataset::copy) writes a span of time as another data set. Single files are read by `Reader`
//! and `StreamReader` of their format's module.
//!
//! # Times, units and frames
//! Times count from the beginning of the acquisition, or are Unix times where the caller says when that was. Images and
//! sentences have the time of their acquisition, which is reception plus latency; all else has that of its reception.
//! Angles are in radians, distances in metres, latitudes and longitudes in degrees. Scans and poses follow REP-103: x
//! ahead, y to the left, z up. [`motion::extrinsics`] says how the calibration page's camera-like frames become those.
//!
//! # Damage
//! A row, image, scan, sentence or point that cannot be read costs itself alone and is a [`Fault`](dataset::Fault). So is
//! an image that a row names and no file holds, or the other way round; a scan with another number of ranges than its
//! first line announces, which is delivered; and a track without an end, whose whole points are delivered.
//!
//! # Not supported
//! Videos of a camera: the fault says how ffmpeg makes images of them.

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

/// The shared core: the traits behind the samplers, surveys and rewriters, samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{Clock, Error, ErrorKind, Index, Limits, Result, Timestamp};
