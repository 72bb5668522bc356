//! The extension module of the Python package `pyrobolog`: recordings, their samples as NumPy columns and their tables
//! as Arrow streams.
//!
//! No format is known here: everything goes through `robolog-convert`, as in the program. The interpreter is released
//! while Rust works; `pulse` checks for Ctrl-C meanwhile.

#![expect(clippy::needless_pass_by_value, reason = "Python hands arguments over by value")]
#![expect(clippy::doc_markdown, reason = "docstrings show marks as they are")]

mod array;
mod batch;
mod call;
mod carla;
mod channel;
mod convert;
mod error;
mod events;
mod limit;
mod making;
mod opened;
mod options;
mod pulse;
mod reading;
mod recording;
mod remote;
mod report;
mod samples;
mod source;
mod split;
mod table;
mod targets;
mod value;
mod view;
mod words;
mod writer;

use pyo3::prelude::*;

/// Reads robot recordings: see the package `pyrobolog`.
#[pymodule]
mod _pyrobolog {
    #[pymodule_export]
    use crate::{
        batch::{Batch, Batches},
        call::call,
        carla::CarlaLog,
        channel::Channel,
        error::{DamageWarning, Damaged, Error, UnknownFormat},
        recording::{Recording, open},
        report::Report,
        samples::Samples,
        split::Split,
        table::Table,
        targets::{formats, recordings, targets},
        value::{
            Feature, FeatureSample, GnssFix, GnssFixSample, Image, ImageSample, Imu, ImuSample, LaserScan,
            LaserScanSample, Odometry, OdometrySample, PointCloud, PointCloudSample, Pose, PoseSample,
            RowSample, Sample, Satellite, Satellites, SatellitesSample, ScalarSample, TextSample, Transform,
            TransformSample, Twist,
        },
        view::View,
        writer::{AlogWriter, CarlaRecorder, KoblenzWriter, LvxWriter},
    };

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::error::declare(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
