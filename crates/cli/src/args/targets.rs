//! Target names on the command line.

use std::ffi::OsStr;

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use robolog_convert::targets;

use super::ConvertArgs;

/// The target for pictures of any format.
pub(super) const IMAGES: &str = "images";

/// The target inside a bag of ROS 2.
const IN_ROSBAG2: &str = "mcap";

/// Whether a name is that of a bag of ROS 2, which is a folder.
fn is_rosbag2(name: &str) -> bool {
    ["rosbag2", "ros2"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether an extension is that of a single picture.
pub(super) fn is_picture(extension: &OsStr) -> bool {
    ["png", "jpg", "jpeg"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

impl ConvertArgs {
    /// `--to rosbag2` is what people type for `--rosbag2-dir`.
    pub(crate) fn settle(&mut self) {
        if self.to.as_deref().is_some_and(is_rosbag2) {
            self.to = Some(IN_ROSBAG2.to_owned());
            self.rosbag2_dir = true;
        }
    }
}

/// Accepts any name, because captures have targets of their own; help and completions list the known targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names;

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let name = |target: &&robolog_convert::TargetSpec| PossibleValue::new(target.name).help(target.about);
        let rosbag2 =
            PossibleValue::new("rosbag2").help("a folder for `ros2 bag`: an MCAP file and its metadata.yaml");
        let pcap = PossibleValue::new("pcap").help("the packets of a Koblenz log as a network capture");
        let lvx2 =
            PossibleValue::new("lvx2").help("the packets of a capture of Livox LiDARs, second generation");
        Some(Box::new(targets::ALL.iter().map(name).chain([rosbag2, pcap, lvx2])))
    }
}
