//! A bag of ROS 2: a folder with an MCAP file and its `metadata.yaml`.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::Path,
};

use robolog_core::text::file_name;

use crate::{
    Error, Feed, Report, Result, SinkOptions, TargetFormat, convert,
    sink::{self, mcap::rosbag2},
    target::{BAG, Target},
};

/// Writes the samples of `feeds` as [`convert`] does into an MCAP file, in a new folder at `path`, with the
/// `metadata.yaml` that `ros2 bag` asks for. The file is named as the folder is.
///
/// The folder appears when it is whole. Fails as [`convert`] does.
pub fn convert_into_bag(
    feeds: Vec<Feed>,
    path: &Path,
    (options, force): (&SinkOptions, bool),
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let inputs: Vec<&Path> = feeds.iter().filter_map(|feed| feed.input()?.path()).collect();
    let folder = Target::folder(path, force, &inputs)?;
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
    let metadata = rosbag2::metadata_yaml(File::open(&file_path).map_err(failed)?, &name)?;
    fs::write(folder.path().join(BAG), metadata).map_err(failed)?;
    folder.persist()?;
    Ok(report)
}
