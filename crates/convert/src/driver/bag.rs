//! A bag of ROS 2: a folder with an MCAP file and its `metadata.yaml`.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::Path,
};

use robolog_core::text::file_name;

#[cfg(feature = "mcap")]
use crate::sink::mcap::rosbag2::metadata_yaml;
use crate::{
    Error, Feed, Report, Result, SinkOptions, TargetFormat, convert,
    sink::{self, McapSchema},
    target::{BAG, Target},
};

/// Writes the samples of `feeds` as [`convert`] does into an MCAP file, in a new folder at `path`, with the
/// `metadata.yaml` that `ros2 bag` asks for. The file is named as the folder is.
///
/// The folder appears when it is whole. Fails as [`convert`] does, and when the messages are not to be those of ROS 2.
pub fn convert_into_bag(
    feeds: Vec<Feed>,
    path: &Path,
    (options, force): (&SinkOptions, bool),
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    if options.mcap.schema != McapSchema::Ros2 {
        return Err(Error::Target(format!(
            "a bag of ROS 2 holds the messages of ROS 2: the schema {} goes into an MCAP file without a bag",
            options.mcap.schema
        )));
    }
    let folder = {
        let inputs: Vec<&Path> = feeds.iter().flat_map(Feed::files).collect();
        Target::folder(path, force, &inputs)?
    };
    let stem = file_name(path.file_name().unwrap_or_default().as_encoded_bytes());
    let name = format!("{stem}_0.mcap");
    let file_path = folder.path().join(&name);
    let failed = |e| Error::file(path, e);
    let file = File::create_new(&file_path).map_err(failed)?;
    let out = BufWriter::with_capacity(1 << 20, file);
    let chosen = feeds.iter().any(|feed| feed.limit().chooses_channels());
    let mut sink = sink::open(TargetFormat::Mcap, out, options, chosen)?;
    let report = convert(feeds, &mut *sink, progress)?;
    sink.finish()?;
    let metadata = metadata_yaml(File::open(&file_path).map_err(failed)?, &name)?;
    fs::write(folder.path().join(BAG), metadata).map_err(failed)?;
    folder.persist()?;
    Ok(report)
}

/// There is no sink either then, so this is not reached.
#[cfg(not(feature = "mcap"))]
fn metadata_yaml(_: File, _: &str) -> Result<String> {
    Err(sink::not_built(TargetFormat::Mcap))
}
