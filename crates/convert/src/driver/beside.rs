//! Times and poses of the frames of a folder, in files beside them.

use std::{fs::File, io::BufWriter, path::Path};

use robolog_core::{Pose, Sample, Timestamp, Value};

use crate::{Error, Result, Sink, sink::Opening, targets};

const TIMES: &str = "times.txt";
const POSES: &str = "poses.txt";

/// Writes a line for each frame: its time and, if the first frame has one, its pose.
#[derive(Default)]
pub(super) struct Beside {
    /// Pose of the next frame.
    pub(super) pose: Option<Pose>,
    times: Option<Box<dyn Sink>>,
    poses: Option<Box<dyn Sink>>,
}

impl Beside {
    pub(super) fn push(&mut self, folder: &Path, opening: &Opening, time: Option<Timestamp>) -> Result<()> {
        let open = |name: &str, target: &str| {
            let path = folder.join(name);
            let file = File::create_new(&path).map_err(|e| Error::file(path, e))?;
            targets::by_name(target)?.open(BufWriter::new(file), opening)
        };
        let pose = self.pose.take();
        if self.times.is_none() {
            self.times = Some(open(TIMES, "kitti-times")?);
            self.poses = pose.map(|_| open(POSES, "kitti")).transpose()?;
        }
        let value = Value::Pose(pose.unwrap_or_else(Pose::identity));
        let mut sample = Sample::new("", value).with_time(time);
        for sink in self.times.iter_mut().chain(&mut self.poses) {
            sink.write(&mut sample)?;
        }
        Ok(())
    }

    /// Completes the files and returns their names.
    pub(super) fn finish(self) -> Result<Vec<&'static str>> {
        let files = [(TIMES, self.times), (POSES, self.poses)];
        let written = files.into_iter().filter_map(|(name, sink)| Some((name, sink?)));
        written.map(|(name, sink)| sink.finish().map(|()| name)).collect()
    }
}
