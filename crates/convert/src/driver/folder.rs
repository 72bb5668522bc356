//! Converts into the files of a folder.

use super::{Destination, deliver, files::Files, selection};
use crate::{
    Error, Feed, Per, Plan, Reason, Report, Result, Sink as _,
    sink::{Holds, Opening, TargetSpec},
    target::Target,
};

/// Writes a file per frame, channel, device or kind of channel into a new folder, with an `_index.csv` of the files,
/// their times and channels. For CSV files, `_csv-metadata.json` lists the units.
///
/// The folder appears when it is complete. A cloud without points makes no file, but a line of JSON. Few files are open
/// at a time, even with thousands of channels. Returns an error if nothing was written, and for a target of one
/// trajectory unless there is a file per channel.
///
/// ```
/// use robolog_convert::{Destination, Feed, Input, Per, SinkOptions, convert_into_folder, target::Existing, targets};
/// # let folder = std::env::temp_dir().join(format!("robolog-folder-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// let input = Input::open("examples/room.lvx")?;
/// let destination = Destination { path: &folder, existing: Existing::Keep, options: &SinkOptions::default() };
/// let target = targets::by_name("pcd")?;
/// let report = convert_into_folder(vec![Feed::new(input)], target, Per::Frame, &destination, &mut |_| {})?;
/// assert_eq!(report.files, 10);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn convert_into_folder(
    plan: impl Into<Plan>,
    target: &'static TargetSpec,
    per: Per,
    to: &Destination<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let plan = plan.into();
    if target.holds == Holds::Trajectory && per != Per::Channel {
        return Err(Error::Target(Reason::OneTrajectory { target: target.name }));
    }
    if to.options.tables.hive && !(target.holds == Holds::Columns && per.chooses_channels()) {
        return Err(Error::Target(Reason::Hive));
    }
    let folder = Target::folder(to.path, to.existing, &Feed::all_files(&plan.feeds))?;
    let opening = Opening::new(to.options.clone(), per.selection(selection(&plan.feeds)));
    let mut files = Files::new(folder.path(), target, per, opening)?;
    let mut report = deliver(plan, &mut files, progress)?;
    report.files = files.written();
    report.check_not_empty(files.advice())?;
    Box::new(files).finish()?;
    folder.persist()?;
    Ok(report)
}
