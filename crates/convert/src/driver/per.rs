//! How samples are distributed to the files of a folder.

use crate::sink::Selection;

/// What goes into one file of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Each sample: a frame of one device, a scan.
    Frame,
    /// Each channel.
    Channel,
    /// Each device: all channels that are one but for what follows the last slash.
    Device,
    /// Each name after the last slash: the channels `os_1/imu` and `os_2/imu` together.
    Name,
}

impl Per {
    /// What names the file of a channel's samples.
    pub(crate) fn group(self, channel: &str) -> &str {
        match self {
            Self::Frame | Self::Channel => channel,
            Self::Device => channel.rsplit_once('/').map_or(channel, |(device, _)| device),
            Self::Name => channel.rsplit_once('/').map_or(channel, |(_, kind)| kind),
        }
    }

    /// Whether each file has a place for whatever its channels hold.
    pub(super) fn chooses_channels(self) -> bool {
        matches!(self, Self::Channel | Self::Name)
    }

    /// What is asked for by files like these, when something else is asked for already.
    #[must_use]
    pub fn selection(self, asked: Selection) -> Selection {
        match self {
            Self::Channel | Self::Name => Selection::Channels,
            Self::Frame if asked == Selection::Everything => Selection::Frames,
            Self::Frame | Self::Device => asked,
        }
    }
}
