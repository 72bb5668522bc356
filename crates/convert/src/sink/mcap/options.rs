//! What can be chosen for an MCAP file.

use std::fmt;

/// What can be chosen for an MCAP file.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct McapOptions {
    /// Whose messages are written.
    pub schema: McapSchema,
    /// How chunks are compressed.
    pub compression: McapCompression,
    /// Whether planar scans are written as scans alone, without the points that Rerun draws.
    pub no_scan_points: bool,
    /// How many files are being made beside this one: with more than three, chunks are small and no threads compress.
    pub others: usize,
}

/// Whose messages an MCAP file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McapSchema {
    /// ROS 2's, for ROS, `evo`, `rosbags`, Rerun and all viewers.
    #[default]
    Ros2,
    /// Foxglove's, for viewers, and for readers of Protocol Buffers and JSON. Needs the feature `foxglove`.
    Foxglove,
}

impl fmt::Display for McapSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ros2 => "ros2",
            Self::Foxglove => "foxglove",
        })
    }
}

/// How the chunks of an MCAP file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McapCompression {
    /// Zstandard at its fastest usual level, 1.
    #[default]
    Zstd,
    /// LZ4.
    Lz4,
    /// Not at all.
    None,
}

impl fmt::Display for McapCompression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::None => "none",
        })
    }
}
