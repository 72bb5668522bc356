//! Sinks, which write samples of sensors in formats that other tools read, and the steps before them.
//!
//! A [`Sink`] takes [`Sample`](robolog_core::Sample)s, whatever recording they come from; its [`TargetSpec`] describes the format
//! and opens a file. `robolog-convert` opens recordings, passes their samples through [steps](op) to sinks, and has the sinks
//! of the formats that robolog reads.
//!
//! ```
//! use robolog_core::{Point, Sample, Value};
//! use robolog_sinks::{Opening, ply::PLY, spool::MemoryFile};
//!
//! let value = Value::PointCloud([Point::new(1.0, 2.0, 3.0)].into_iter().collect());
//! let mut sample = Sample::new("points", value).with_frame("lidar");
//! let file = MemoryFile::default();
//! let mut sink = PLY.open(file.clone(), &Opening::default())?;
//! sink.write(&mut sample)?;
//! sink.finish()?;
//! assert!(file.into_bytes().starts_with(b"ply\nformat binary_little_endian"));
//! # Ok::<(), robolog_sinks::Error>(())
//! ```
//!
//! Memory does not grow with the number of samples: fields that a file has before they are known are filled in at the
//! end, and bytes that must wait go to a [`Spool`](spool::Spool).

#![allow(
    clippy::arithmetic_side_effects,
    reason = "numbers here count samples and place columns; readers check the numbers in a file"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod json;
pub mod op;
pub mod output;
pub mod parallel;
pub mod places;
pub mod scan;
pub mod spool;
pub mod trajectories;
pub mod weight;

mod error;
mod note;
mod origin;
mod per;

#[cfg(feature = "to-arrow")]
pub mod arrow;
#[cfg(feature = "to-bag")]
pub mod bag;
#[cfg(any(feature = "to-kitti", feature = "to-xyz"))]
pub mod clouds;
#[cfg(feature = "to-csv")]
pub mod csv;
#[cfg(feature = "to-e57")]
pub mod e57;
#[cfg(feature = "to-euroc")]
pub mod euroc;
#[cfg(feature = "to-geojson")]
pub mod geojson;
#[cfg(feature = "to-images")]
pub mod images;
#[cfg(feature = "to-jsonl")]
pub mod jsonl;
#[cfg(feature = "to-kitti")]
pub mod kitti;
#[cfg(feature = "to-kitti")]
pub mod kitti_bin;
#[cfg(feature = "to-kitti")]
pub mod kitti_times;
#[cfg(feature = "to-las")]
pub mod las;
#[cfg(feature = "to-mcap")]
pub mod mcap;
#[cfg(feature = "to-parquet")]
pub mod parquet;
#[cfg(feature = "to-pcd")]
pub mod pcd;
#[cfg(feature = "to-ply")]
pub mod ply;
#[cfg(any(feature = "to-euroc", feature = "to-kitti", feature = "to-tum"))]
pub mod trajectory;
#[cfg(feature = "to-tum")]
pub mod tum;
#[cfg(feature = "to-xyz")]
pub mod xyz;

mod api;
#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
mod columns;
mod derive;
#[cfg(any(feature = "to-las", feature = "to-pcd", feature = "to-ply"))]
mod devices;
#[cfg(any(feature = "to-bag", feature = "to-geojson", feature = "to-mcap"))]
mod feature;
mod fidelity;
mod flat;
mod gather;
#[cfg(any(feature = "to-e57", feature = "to-las"))]
mod gps;
#[cfg(feature = "to-images")]
pub mod jpeg;
pub mod map_points;
#[cfg(any(feature = "to-bag", feature = "to-mcap"))]
#[cfg_attr(
    not(all(feature = "to-bag", feature = "to-mcap")),
    allow(dead_code, reason = "each file takes its part")
)]
mod message;
mod naming;
mod numbered;
mod opening;
mod options;
#[cfg(any(feature = "to-e57", feature = "to-images"))]
mod pixels;
#[cfg(any(feature = "to-las", feature = "to-pcd", feature = "to-ply"))]
mod records;
#[cfg(any(feature = "to-pcd", feature = "to-ply"))]
mod rows;
mod runs;
mod scans;
mod selection;
mod spec;
pub mod stored;
pub mod takes;
pub mod text;
pub mod tracks;
mod wide;

/// Types of samples and their values, times, errors.
pub use robolog_core;

pub use self::{
    api::{FromFn, Outcome, Sink, from_fn},
    error::{Advice, Error, Foreign, NoChannel, Reason, Result, nearest},
    fidelity::Lacks,
    naming::{CHANNEL, GROUP, KIND, unused},
    note::{Note, counted},
    opening::{Channels, Opening},
    options::{
        BagCompression, BagOptions, CarlaOptions, Day, Derived, Epsg, Fill, GeoJsonFixes, ImuUnit,
        LasIntensity, LasOptions, LasVersion, LvxOptions, McapCompression, McapOptions, McapSchema,
        MessageOptions, PcdData, PcdOptions, PointLayout, Rate, SinkOptions, TableOptions, TimeColumn, Wide,
    },
    origin::Origin,
    per::Per,
    scans::Scans,
    selection::Selection,
    spec::{Holds, Need, Open, TargetSpec, WriteSeek},
};
