//! Values as messages in topics, for the formats that store such: MCAP and ROS 1 bags.

pub(super) mod cloud;
pub(super) mod content;
pub(super) mod encoder;
mod frames;
pub(super) mod progress;
pub(super) mod role;
pub(super) mod ros;
pub(super) mod scene;
pub(super) mod stamp;
mod topic;
mod topics;
mod waiting;

use robolog_core::{LaserScan, PointCloud, Sample};

pub(super) use self::topics::{Container, NewTopic};
use self::{
    content::Content,
    encoder::{Encoder, Head},
    frames::Frames,
    role::Role,
    scene::{Change, Scene},
    stamp::{Stamp, Times},
    topics::Topics,
    waiting::Waiting,
};
use super::options::MessageOptions;
use crate::{Advice, Error, Note, Origin, Outcome, Reason, Result};

/// Writes every kind of value to a file, as messages of one schema.
pub(super) struct Messages<C> {
    topics: Topics<C>,
    encoder: Box<dyn Encoder>,
    origins: Vec<Origin>,
    warnings: Vec<String>,
    has_scan_points: bool,
    times: Times,
    scene: Scene,
    /// Reused for the points of scans.
    points: PointCloud,
    frames: Frames,
    waiting: Waiting,
    /// Number of samples that waited for a time and then did not fit.
    lost: u64,
    advice: Option<Advice>,
}

/// Maximum bytes of an attached header.
const LONGEST_HEADER: usize = 16 << 20;

/// Why a transform is left out.
const ONE_PARENT: &str = "a frame has one parent: another channel, or another transform, places it already";

/// Why a sample of a time far in the future is left out.
const TOO_LATE: &str = "its time is later than the stamps of messages can hold";

/// Name of the writer.
pub(super) const TOOL: &str = concat!("robolog-convert ", env!("CARGO_PKG_VERSION"));

impl<C: Container> Messages<C> {
    /// Writes messages of `encoder` to an empty file.
    pub(super) fn new(file: C, encoder: Box<dyn Encoder>, options: MessageOptions) -> Self {
        Self {
            topics: Topics::new(file),
            encoder,
            origins: Vec::new(),
            warnings: Vec::new(),
            has_scan_points: !options.no_scan_points,
            times: Times::default(),
            scene: Scene::default(),
            points: PointCloud::default(),
            frames: Frames::default(),
            waiting: Waiting::default(),
            lost: 0,
            advice: None,
        }
    }

    /// Stores a recording's header.
    pub(super) fn origin(&mut self, origin: &Origin) -> Result<()> {
        if !origin.header.is_empty() && origin.header.len() <= LONGEST_HEADER {
            let first = self.origins.is_empty();
            let name = if first { "source-header".into() } else { format!("source-header {}", origin.name) };
            self.topics.attach(&name, &origin.header)?;
        }
        self.origins.push(origin.clone());
        Ok(())
    }

    pub(super) fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    pub(super) fn write(&mut self, sample: &Sample) -> Result<Outcome> {
        Ok(if self.take(sample)? { Outcome::Written } else { Outcome::LeftOut })
    }

    /// Notes for the user, after the last sample.
    pub(super) fn notes(&mut self) -> Result<Vec<Note>> {
        self.release()?;
        let why = "no time, and the file cannot hold untimed samples";
        Ok(Vec::from_iter(Note::unfit(self.lost, "sample", why)))
    }

    pub(super) const fn advice(&self) -> Option<Advice> {
        self.advice
    }

    /// Completes the file and returns the target.
    pub(super) fn into_inner(mut self) -> Result<C::Out> {
        self.release()?;
        let mut warnings = self.warnings;
        if self.lost > 0 {
            warnings.push(format!("{} samples without a time are left out", self.lost));
        }
        if self.topics.is_full() {
            warnings.push("not all channels have a topic".to_owned());
        }
        let of_each = |told: fn(&Origin) -> &str| {
            let list: Vec<_> = self.origins.iter().map(told).filter(|text| !text.is_empty()).collect();
            list.join("\n")
        };
        let entries = [
            ("tool", TOOL.to_owned()),
            ("source", of_each(|origin| &origin.name)),
            ("format", of_each(|origin| origin.format)),
            ("variant", of_each(|origin| &origin.variant)),
            ("clocks", self.times.clocks()),
            ("warnings", warnings.join("\n")),
        ];
        let said = entries.into_iter().filter(|(_, value)| !value.is_empty());
        self.topics.finish(said.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Writes a sample now, or once there is a time for it; `false` if it does not fit.
    fn take(&mut self, sample: &Sample) -> Result<bool> {
        let last = self.encoder.last_second();
        if sample.time.is_some_and(|time| time.secs_and_nanos().0 > last) {
            self.advice = Some(Advice::Other(TOO_LATE));
            return Ok(false);
        }
        match sample.time {
            Some(time) if self.times.have_begun() => self.times.note(time),
            Some(time) => {
                self.times.note(time);
                self.release()?;
            }
            None if self.times.have_begun() => {}
            // Values without a message do not wait.
            None if !self.has_message(sample)? => return Ok(false),
            None if self.waiting.take(sample) => return Ok(true),
            None => self.release()?,
        }
        self.sample(sample)
    }

    /// Whether the value has a message.
    fn has_message(&mut self, sample: &Sample) -> Result<bool> {
        let Some(content) = Content::of(&sample.value) else { return Ok(false) };
        let head = Head { stamp: Stamp::ZERO, frame_id: &sample.frame_id, channel: &sample.channel };
        let fits = self.encoder.encode(head, content)?;
        if !fits {
            self.advise(content);
        }
        Ok(fits)
    }

    /// Stores advice for content without a message.
    fn advise(&mut self, content: Content<'_>) {
        if let Content::Image(image) = content
            && content::row_step(image).is_some()
            && self.encoder.lacks_pixels()
        {
            self.advice = Some(Advice::Ros2Messages);
        }
    }

    /// Writes the samples that waited for a time.
    fn release(&mut self) -> Result<()> {
        for sample in self.waiting.drain() {
            if !self.sample(&sample)? {
                self.lost += 1;
            }
        }
        Ok(())
    }

    /// Encodes a message and writes it to its topic; `false` if it does not fit.
    fn put(&mut self, to: (&Sample, Role, Stamp), frame_id: &str, content: Content<'_>) -> Result<bool> {
        let (sample, role, stamp) = to;
        let head = Head { stamp, frame_id, channel: &sample.channel };
        if !self.encoder.encode(head, content)? {
            return Ok(false);
        }
        self.topics.put((sample, role, content.message()), stamp, &mut *self.encoder)
    }

    fn sample(&mut self, sample: &Sample) -> Result<bool> {
        let Some(content) = Content::of(&sample.value) else { return Ok(false) };
        let stamp = match (sample.time, content) {
            (Some(time), _) => time.into(),
            (None, Content::Transform(..)) => self.times.first(),
            (None, _) => self.times.last(),
        };
        if let Content::Transform(child, _) = content {
            let is_static = sample.time.is_none();
            if !self.frames.places(&sample.channel, &sample.frame_id, child, is_static) {
                self.advice = Some(Advice::Other(ONE_PARENT));
                return Ok(false);
            }
        }
        let role = match content {
            Content::Cloud(cloud) if !cloud.is_consistent() => {
                return Err(Error::Target(Reason::UnevenCloud));
            }
            Content::Transform(..) if sample.time.is_some() => Role::Transform,
            Content::Transform(..) => Role::StaticTransform,
            _ => Role::Value(sample.value.kind()),
        };
        let frame = &*sample.frame_id;
        if !self.put((sample, role, stamp), frame, content)? {
            self.advise(content);
            return Ok(false);
        }
        if let Some(row) = self.encoder.details(content) {
            self.put((sample, Role::Beside("details"), stamp), frame, Content::Row(&row))?;
        }
        if let Content::Fix(fix) = content
            && let Some(row) = &fix.measured
        {
            self.put((sample, Role::Beside("measured"), stamp), frame, Content::Row(row))?;
        }
        match content {
            Content::Scan(scan) if self.has_scan_points => self.points(sample, stamp, scan)?,
            Content::Odometry(odometry) => {
                let pose = &odometry.pose;
                self.put((sample, Role::Beside("pose"), stamp), frame, Content::Pose(pose))?;
                let child = odometry.child_frame_id.as_str();
                if self.frames.places(&sample.channel, &sample.frame_id, child, false) {
                    self.put((sample, Role::Transform, stamp), frame, Content::Transform(child, pose))?;
                }
            }
            Content::Row(row) => match self.scene.change(&sample.channel, row) {
                Some(Change::Appears(body, solid)) => {
                    self.put((sample, Role::Scene, stamp), &body, Content::Solid(&body, Some(&solid)))?;
                }
                Some(Change::Disappears(body)) => {
                    self.put((sample, Role::Scene, stamp), &body, Content::Solid(&body, None))?;
                }
                None => {}
            },
            _ => {}
        }
        Ok(true)
    }

    /// Writes the points of a scan beside it.
    fn points(&mut self, sample: &Sample, stamp: Stamp, scan: &LaserScan) -> Result<()> {
        let mut points = std::mem::take(&mut self.points);
        cloud::scan_points(scan, &mut points);
        let to = (sample, Role::Beside("points"), stamp);
        self.put(to, &sample.frame_id, Content::Cloud(&points))?;
        self.points = points;
        Ok(())
    }
}
