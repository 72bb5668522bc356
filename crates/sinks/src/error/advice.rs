//! Advice about samples that a target cannot hold.

use std::fmt;

/// What a caller can do to keep samples that were left out, or about a refusal.
///
/// `Display` names no program options: a program with options for this phrases its own advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Choose channels, so that the table holds whatever they have, or write a table for each kind of value.
    ChooseChannels,
    /// Choose channels, or write a file for each frame: laser scans then become points.
    ScanPoints,
    /// Give the angles of the laser scanner.
    ScanAngles,
    /// Write the target of this name instead.
    WriteAs(&'static str),
    /// Copy JPEG files unchanged if they cannot be decoded.
    CopyJpeg,
    /// Write a file for each frame.
    FilePerFrame,
    /// Write a file for each channel.
    FilePerChannel,
    /// Write a file for each channel or for each kind of channel.
    FilePerGroup,
    /// Write a file for each kind of channel, or choose fewer channels.
    FilePerKind,
    /// Choose fewer channels.
    FewerChannels,
    /// Choose fewer channels, or write a file for each.
    FewerDevices,
    /// Write a row for each sample instead of a row for each tick.
    NarrowTable,
    /// Choose one channel.
    OneChannel,
    /// Choose fewer channels, a lower rate or a shorter gap.
    ShorterGap,
    /// Convert: samples of any channel are written.
    Convert,
    /// Replace the output.
    Replace,
    /// Name the target: the output's name does not imply it.
    NameTarget,
    /// List the targets: there is none of that name.
    ListTargets,
    /// Write a folder for `ros2 bag`: its database is a part of one.
    Rosbag2,
    /// List the formats that are read: the file has none of them.
    ListFormats,
    /// Ask for the format that the output's name implies, or rename the output.
    OneName,
    /// Do not compress PCD files, or choose fewer channels.
    PlainPcd,
    /// Do not compress PCD files, or write a file for each frame.
    PlainPcdOrFrames,
    /// Write LAS instead of LAZ, or choose fewer channels.
    PlainLas,
    /// Write LAS 1.4, or a file for each frame.
    Las14,
    /// Give the moment of time stamp 0, so that all times have a date.
    Epoch,
    /// Give the offset between the clocks of the recordings.
    SayClock,
    /// Give the origin of local frames on Earth, or write the poses as a trajectory.
    Origin,
    /// Give the origin of the points on Earth.
    PlaceOrigin,
    /// Keep positions without a fix in targets that hold anything.
    KeepNoFix,
    /// Write messages of ROS 2.
    Ros2Messages,
    /// Give the time warp of the log.
    TimeWarp,
    /// Ask for the times of the mission's clock.
    MissionTime,
    /// Give the calibration of the sensor, or confirm the built-in one.
    Calibration,
    /// Ask for both returns of all shots.
    DualReturns,
    /// Allow more memory, or choose larger cells.
    MoreMemory,
    /// Allow more memory for the poses of a trajectory.
    MemoryForPoses,
    /// Give the offset in seconds between the clocks of the trajectory and the points.
    ClockOffset,
    /// Plot clouds and scans instead: picture targets hold camera images.
    Plot,
    /// Advice of a target that is not in `robolog_convert::targets::ALL`.
    Other(&'static str),
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ChooseChannels => "choose channels for a table of them, or write a table for each kind",
            Self::ScanPoints => {
                "choose channels, or write a file for each frame, to turn laser scans into points"
            }
            Self::ScanAngles => "give the angles of the scanner",
            Self::WriteAs(target) => return write!(f, "write {target} instead"),
            Self::CopyJpeg => "a JPEG file that cannot be decoded can be copied into a JPEG file",
            Self::FilePerFrame => "write a file for each frame",
            Self::FilePerChannel => "write a file for each channel",
            Self::FilePerGroup => "write a file for each channel or kind",
            Self::FilePerKind => "write a file for each kind, or choose fewer channels",
            Self::FewerChannels => "choose fewer channels",
            Self::FewerDevices => "choose fewer channels, or write a file for each",
            Self::NarrowTable => "write a row for each sample",
            Self::OneChannel => "choose one channel",
            Self::ShorterGap => "choose fewer channels, a lower rate or a shorter gap",
            Self::Convert => "convert the recording to choose samples",
            Self::Replace => "ask to replace it",
            Self::OneName => "rename the output, or ask for the format of its name",
            Self::Rosbag2 => "write a folder for ROS 2",
            Self::ListFormats => "it may be none of the formats that are read",
            Self::NameTarget => "name the format of the output",
            Self::ListTargets => "list the formats of outputs",
            Self::PlainPcd => "write them as plain binary, or choose fewer channels",
            Self::PlainPcdOrFrames => "write plain binary, or a file for each frame",
            Self::PlainLas => "write LAS, or choose fewer channels",
            Self::Las14 => "write LAS 1.4, or a file for each frame",
            Self::Epoch => "give the date of time stamp 0",
            Self::SayClock => "say how they compare",
            Self::Origin => "it holds GNSS fixes only; poses become fixes when their origin is known",
            Self::PlaceOrigin => "give its position",
            Self::KeepNoFix => "the receiver had no fix (quality 0); CSV and MCAP keep such positions",
            Self::Ros2Messages => "ROS 2 messages keep pixels of 16 bits a colour",
            Self::TimeWarp => "give the warp",
            Self::MissionTime => "ask for its times if rates and speeds are to be the mission's",
            Self::Calibration => "give it, or accept the built-in one",
            Self::DualReturns => "ask for both",
            Self::MoreMemory => "allow more memory, or choose larger cells",
            Self::MemoryForPoses => "allow more memory",
            Self::ClockOffset => "say how many seconds to add to the times of the trajectory",
            Self::Plot => "draw clouds and scans as a plot",
            Self::Other(text) => text,
        })
    }
}
