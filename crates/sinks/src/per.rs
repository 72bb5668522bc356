//! Grouping of samples into the files of a folder.

use crate::Selection;

/// Grouping of samples into the files of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// One file per sample: a frame of one device, a scan.
    Frame,
    /// One file per channel.
    Channel,
    /// One file per device: channels that differ only after the last slash.
    Device,
    /// One file per name after the last slash: the channels `os_1/imu` and `os_2/imu` share one.
    Name,
}

impl Per {
    /// Group of a channel, which names its file.
    pub fn group(self, channel: &str) -> &str {
        match self {
            Self::Frame | Self::Channel => channel,
            Self::Device => channel.rsplit_once('/').map_or(channel, |(device, _)| device),
            Self::Name => channel.rsplit_once('/').map_or(channel, |(_, kind)| kind),
        }
    }

    /// Whether each file holds any kind that its channels have.
    pub fn chooses_channels(self) -> bool {
        matches!(self, Self::Channel | Self::Name)
    }

    /// The selection for such files, given what was asked for.
    #[must_use]
    pub fn selection(self, asked: Selection) -> Selection {
        match self {
            Self::Channel | Self::Name => Selection::Channels,
            Self::Frame if asked == Selection::Everything => Selection::Frames,
            Self::Frame | Self::Device => asked,
        }
    }
}
