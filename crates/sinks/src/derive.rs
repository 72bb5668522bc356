//! Heading, speed and distance as extra columns of poses.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{Cell, Field, FieldKind, Pose, Row, Sample, Timestamp, Value, columns::Column};

use super::{api::Sink, flat, options::Derived};
use crate::{Advice, Note, Origin, Outcome, Result, trajectories};

/// Adds columns to poses and odometry and passes them on as rows. Other values pass through unless the table holds
/// poses.
pub(super) struct Derive {
    sink: Box<dyn Sink>,
    derived: Vec<Derived>,
    /// Whether poses and other values share a table.
    is_shared: bool,
    /// Kind of the first value, if the table holds one kind.
    kind: Option<&'static str>,
    /// Columns of poses and of odometry, by kind of value.
    fields: HashMap<&'static str, Arc<[Field]>>,
    travelled: HashMap<Arc<str>, Travelled>,
}

/// Distance travelled by the body of a channel.
#[derive(Debug, Clone, Copy)]
struct Travelled {
    pose: Pose,
    time: Option<Timestamp>,
    metres: f64,
}

impl Derive {
    /// Wraps a table of one kind of value.
    pub(super) fn around(sink: Box<dyn Sink>, derived: &[Derived]) -> Box<dyn Sink> {
        Box::new(Self::new(sink, derived))
    }

    /// Wraps a table of all kinds; returns it unchanged if there are no derived columns.
    pub(super) fn around_wide(sink: Box<dyn Sink>, derived: &[Derived]) -> Box<dyn Sink> {
        if derived.is_empty() {
            return sink;
        }
        Box::new(Self { is_shared: true, ..Self::new(sink, derived) })
    }

    fn new(sink: Box<dyn Sink>, derived: &[Derived]) -> Self {
        let derived = derived.to_vec();
        let (fields, travelled) = (HashMap::new(), HashMap::new());
        Self { sink, derived, is_shared: false, kind: None, fields, travelled }
    }

    fn pose(&mut self, sample: &Sample) -> Result<Outcome> {
        let Some(pose) = trajectories::pose(sample) else { return Ok(Outcome::LeftOut) };
        let derived = &self.derived;
        let fields = self.fields.entry(sample.value.kind()).or_insert_with(|| {
            let more = derived
                .iter()
                .map(|derived| Field::new(derived.name(), FieldKind::Float).with_unit(derived.unit()));
            flat::fields(&sample.value).iter().cloned().chain(more).collect()
        });
        let before = self.travelled.get(&sample.channel).copied();
        let step = before.map(|before| pose.position.metric_distance(&before.pose.position));
        let seconds = before.and_then(|before| {
            let nanos = sample.time?.since(before.time?)?;
            Some(Timestamp::new(nanos, robolog_core::Clock::Relative).as_secs()).filter(|s| *s > 0.0)
        });
        let metres =
            before.map_or(0.0, |before| before.metres) + step.filter(|m| m.is_finite()).unwrap_or(0.0);
        let told = match &sample.value {
            Value::Odometry(odometry) => odometry.twist.map(|twist| twist.linear.norm()),
            _ => None,
        };
        let mut cells = flat::cells(&sample.value, &sample.frame_id);
        cells.extend(self.derived.iter().map(|derived| match derived {
            Derived::Yaw => Cell::Float(pose.orientation.euler_angles().2),
            Derived::Speed => told.or_else(|| Some(step? / seconds?)).into(),
            Derived::Distance => Cell::Float(metres),
        }));
        let travelled = Travelled { pose: *pose, time: sample.time, metres };
        self.travelled.insert(Arc::clone(&sample.channel), travelled);
        self.sink.write(&mut sample.like(Value::Row(Row::new(Arc::clone(fields), cells))))
    }
}

impl Sink for Derive {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.sink.origin(origin)
    }

    fn warn(&mut self, warning: &str) {
        self.sink.warn(warning);
    }

    fn begin_at(&mut self, start: Timestamp) {
        self.sink.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let is_pose = trajectories::pose(sample).is_some();
        let kind = sample.value.kind();
        if !self.is_shared && self.kind.is_some_and(|first| first != kind) {
            return Ok(Outcome::LeftOut);
        }
        let took = if is_pose { self.pose(sample)? } else { self.sink.write(sample)? };
        if took != Outcome::LeftOut {
            self.kind = self.kind.or(Some(kind));
        }
        Ok(took)
    }

    fn advice(&self) -> Option<Advice> {
        self.sink.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.sink.notes()
    }

    fn columns(&mut self) -> Result<Vec<Column>> {
        self.sink.columns()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sink.finish()
    }
}
