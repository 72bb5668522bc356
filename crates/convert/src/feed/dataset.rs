//! Data sets of many files.

use effibox::dataset::{self, Fault};

use robolog_core::Value;

use super::{Reading, Steps};
use crate::{
    Error, Input, Note, Report, Result,
    batch::{Batch, Take},
    of_data_set,
};

/// Begins to read a data set.
pub(super) fn open(input: Box<Input>, reading: Reading) -> Box<dyn Steps + Send> {
    Box::new(Files { input: Some(input), reading })
}

/// An error while visiting a data set: of its files, or of the target.
struct Failed(Error);

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self(of_data_set(fault))
    }
}

/// A data set, which is read in one step.
struct Files {
    input: Option<Box<Input>>,
    reading: Reading,
}

impl Steps for Files {
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool> {
        let input = self.input.take();
        let Some(dataset) = input.as_ref().and_then(|input| input.dataset()) else { return Ok(false) };
        let reading = &mut self.reading;
        reading.begin("effibox", String::new(), &[], batch);
        let mut options = dataset::Options::default().with_mounts();
        options.start = reading.settings.epoch;
        // Chosen channels keep their names.
        options.joined_imu = reading.settings.joined_imu && !reading.limit.filters_channels();
        let visited = dataset.visit(&options, &mut |event| match event {
            dataset::Event::Sample(sample) => {
                reading.report.records += 1;
                if options.joined_imu && is_whole_imu(&sample.value) {
                    reading.report.note(Note::JoinedImu);
                }
                reading.put(sample, batch, take).map_err(Failed)
            }
            dataset::Event::Fault(fault) => {
                reading.report.fault(fault);
                Ok(())
            }
        });
        visited.map_err(|Failed(error)| error)?;
        Ok(false)
    }

    fn end(self: Box<Self>) -> Report {
        self.reading.end()
    }
}

/// Whether a value has accelerations and angular rates, which come from two tables of a data set.
fn is_whole_imu(value: &Value) -> bool {
    matches!(value, Value::Imu(imu) if imu.angular_velocity.is_some() && imu.linear_acceleration.is_some())
}
