//! ROS 2 bags: a folder with an MCAP file and its `metadata.yaml`.

use std::{
    fs::{self, File},
    io::BufWriter,
};

use robolog_core::text::file_name;

use super::{Destination, convert, selection};
#[cfg(feature = "to-mcap")]
use crate::sink::mcap::rosbag2::metadata_yaml;
use crate::{
    Error, Feed, Plan, Reason, Report, Result,
    sink::{McapSchema, Opening},
    target::{BAG, Target},
    targets,
};

/// Writes samples as [`convert`] does into an MCAP file in a new folder, with the `metadata.yaml` that `ros2 bag`
/// requires. The file has the name of the folder.
///
/// Joins the accelerations and rates of a data set, two channels in other targets, to one, `imu`.
///
/// The folder appears when it is complete. Returns the errors of [`convert`], and one for messages other than those of
/// ROS 2.
pub fn convert_into_bag(
    plan: impl Into<Plan>,
    to: &Destination<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let mut plan = plan.into();
    let mcap = targets::by_name("mcap")?;
    let schema = to.options.mcap.schema;
    if schema != McapSchema::Ros2 {
        return Err(Error::Target(Reason::BagSchema(schema)));
    }
    let folder = Target::folder(to.path, to.existing, &Feed::all_files(&plan.feeds))?;
    let stem = file_name(to.path.file_name().unwrap_or_default().as_encoded_bytes());
    let name = format!("{stem}_0.mcap");
    let file_path = folder.path().join(&name);
    let failed = |e| Error::file(to.path, e);
    let file = File::create_new(&file_path).map_err(failed)?;
    let out = BufWriter::with_capacity(1 << 20, file);
    let mut sink = mcap.open(out, &Opening::new(to.options.clone(), selection(&plan.feeds)))?;
    plan.feeds = plan.feeds.into_iter().map(Feed::with_joined_imu).collect();
    let report = convert(plan, &mut *sink, progress)?;
    sink.finish()?;
    let metadata = metadata_yaml(File::open(&file_path).map_err(failed)?, &name)?;
    fs::write(folder.path().join(BAG), metadata).map_err(failed)?;
    folder.persist()?;
    Ok(report)
}

/// Not reached: without the feature there is no sink either.
#[cfg(not(feature = "to-mcap"))]
fn metadata_yaml(_: File, _: &str) -> Result<String> {
    Err(Error::NotBuilt { what: "mcap".to_owned(), feature: "to-mcap" })
}
