//! What can be chosen for the targets.

use std::fmt;

/// How a PCD file holds its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PcdData {
    /// Text, a line a point.
    Ascii,
    /// Rows of numbers, little-endian.
    #[default]
    Binary,
    /// Columns, compressed by LZF.
    BinaryCompressed,
}

impl fmt::Display for PcdData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ascii => "ascii",
            Self::Binary => "binary",
            Self::BinaryCompressed => "binary_compressed",
        })
    }
}

/// What can be chosen for the targets; each takes what concerns it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SinkOptions {
    /// How a PCD file holds its points.
    pub pcd_data: PcdData,
    /// What a CARLA recording says beside the poses.
    #[cfg(feature = "carla-rec")]
    pub carla: super::carla_rec::CarlaOptions,
    /// What an LVX recording says of its devices.
    #[cfg(feature = "lvx")]
    pub lvx: super::lvx::LvxOptions,
    /// What LAS and LAZ files hold.
    #[cfg(feature = "las")]
    pub las: super::las::LasOptions,
    /// How an MCAP file is written.
    #[cfg(feature = "mcap")]
    pub mcap: super::mcap::McapOptions,
    /// How Parquet and Arrow files are laid out.
    pub tables: TableOptions,
    /// Whether laser scans become point clouds where a target holds point clouds alone and channels were chosen, see
    /// [`scan::cloud_of`](crate::scan::cloud_of). True by default.
    pub scan_points: bool,
}

impl Default for SinkOptions {
    fn default() -> Self {
        Self {
            pcd_data: PcdData::default(),
            #[cfg(feature = "carla-rec")]
            carla: super::carla_rec::CarlaOptions::default(),
            #[cfg(feature = "lvx")]
            lvx: super::lvx::LvxOptions::default(),
            #[cfg(feature = "las")]
            las: super::las::LasOptions::default(),
            #[cfg(feature = "mcap")]
            mcap: super::mcap::McapOptions::default(),
            tables: TableOptions::default(),
            scan_points: true,
        }
    }
}

/// What can be chosen for Parquet and Arrow.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TableOptions {
    /// Name the files of a folder that has one for each channel as Hive does, `kind=KIND/channel=NAME/part-0.parquet`:
    /// readers then know kind and channel from the path and open no file that is not asked for.
    pub hive: bool,
    /// The file's path says the channel, so there is no such column: readers would find it twice.
    pub without_channel: bool,
    /// How many files are being made beside this one, among which memory is shared.
    pub others: usize,
}
