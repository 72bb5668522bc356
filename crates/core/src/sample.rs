//! The decoded form of records of every format: one value of one channel at one time.

use std::sync::Arc;

use crate::{Attributes, Feature, GnssFix, Image, LaserScan, PointCloud, Row, Satellites, Timestamp};
#[cfg(feature = "geometry")]
use crate::{Imu, Odometry, Pose};

/// A measurement, ready for any sink. Made by [`Sample::new`] and changed by the functions after it, so that a new field
/// breaks nobody's code.
///
/// ```
/// use robolog_core::{Clock, Sample, Timestamp, Value};
/// let time = Timestamp::new(0, Clock::Relative);
/// let mut sample = Sample::new("NAV_SPEED", Value::Scalar(1.5)).with_time(time);
/// let kept = sample.take(); // what a sink does to keep a sample it is lent
/// assert_eq!((&*kept.channel, kept.value), ("NAV_SPEED", Value::Scalar(1.5)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// Time of the measurement; `None` if unknown.
    pub time: Option<Timestamp>,
    /// Offset in the file of the record it came from.
    pub offset: u64,
    /// The channel, such as `3WEDH7600101501/points`. Unique within a recording.
    pub channel: Arc<str>,
    /// The coordinate frame of the value.
    pub frame_id: Arc<str>,
    /// What the recording says of the channel as a whole.
    pub attributes: Attributes,
    /// The measured value.
    pub value: Value,
}

/// The values of a [`Sample`]. Sinks depend on these types, formats never on the sinks.
///
/// ```
/// use robolog_core::{GnssFix, Value};
/// fn altitude(value: &Value) -> Option<f64> {
///     match value {
///         Value::GnssFix(fix) => fix.altitude,
///         Value::Pose(pose) => Some(pose.position.z),
///         _ => None, // more kinds may come
///     }
/// }
/// assert_eq!(altitude(&Value::GnssFix(GnssFix { altitude: Some(460.6), ..GnssFix::default() })), Some(460.6));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Value {
    /// Points of a scanner.
    PointCloud(PointCloud),
    /// An image.
    Image(Image),
    /// A planar scan.
    LaserScan(LaserScan),
    /// An inertial measurement.
    #[cfg(feature = "geometry")]
    Imu(Imu),
    /// A position on Earth.
    GnssFix(GnssFix),
    /// The satellites in view.
    Satellites(Satellites),
    /// A named place, line or area on Earth.
    Feature(Box<Feature>),
    /// A pose with a velocity.
    #[cfg(feature = "geometry")]
    Odometry(Odometry),
    /// A pose in the sample's frame.
    #[cfg(feature = "geometry")]
    Pose(Pose),
    /// The pose of one frame in another.
    #[cfg(feature = "geometry")]
    Transform(Transform),
    /// Named values measured together.
    Row(Row),
    /// A number.
    Scalar(f64),
    /// Text.
    Text(String),
}

/// The pose of one coordinate frame in another: [`Sample::frame_id`] is the parent.
///
/// ```
/// use robolog_core::{Pose, Transform};
/// let mount = Transform {
///     child_frame_id: "lidar".into(),
///     pose: Pose::from_euler([1.2, 0.0, 1.8], 0.0, 0.1, 0.0),
/// };
/// // Two metres ahead of the sensor, in the frame of the sample.
/// let ahead = mount.pose.isometry() * nalgebra::Point3::new(2.0, 0.0, 0.0);
/// assert!(ahead.x > 3.0 && ahead.z < 1.8);
/// ```
#[cfg(feature = "geometry")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Transform {
    /// The child frame.
    pub child_frame_id: String,
    /// Its origin and axes in the parent frame.
    pub pose: Pose,
}

/// Includes the kind of the value, which the value itself does not name.
#[cfg(feature = "serde")]
impl serde::Serialize for Sample {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut s = serializer.serialize_struct("Sample", 7)?;
        s.serialize_field("time", &self.time)?;
        s.serialize_field("offset", &self.offset)?;
        s.serialize_field("channel", &*self.channel)?;
        s.serialize_field("frame_id", &*self.frame_id)?;
        if self.attributes.is_empty() {
            s.skip_field("attributes")?;
        } else {
            s.serialize_field("attributes", &self.attributes)?;
        }
        s.serialize_field("kind", self.value.kind())?;
        s.serialize_field("value", &self.value)?;
        s.end()
    }
}

impl Sample {
    /// A sample without a time, of no frame, from byte 0.
    #[inline]
    pub fn new(channel: impl Into<Arc<str>>, value: Value) -> Self {
        Self {
            time: None,
            offset: 0,
            channel: channel.into(),
            frame_id: Arc::default(),
            attributes: Attributes::default(),
            value,
        }
    }

    /// The sample with this time.
    #[must_use]
    #[inline]
    pub fn with_time(mut self, time: impl Into<Option<Timestamp>>) -> Self {
        self.time = time.into();
        self
    }

    /// The sample in this frame.
    #[must_use]
    #[inline]
    pub fn with_frame(mut self, frame_id: impl Into<Arc<str>>) -> Self {
        self.frame_id = frame_id.into();
        self
    }

    /// The sample from the record at this byte.
    #[must_use]
    #[inline]
    pub fn with_offset(mut self, offset: u64) -> Self {
        self.offset = offset;
        self
    }

    /// The sample of a channel with these attributes.
    #[must_use]
    #[inline]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// The sample with this value.
    #[must_use]
    #[inline]
    pub fn with_value(mut self, value: Value) -> Self {
        self.value = value;
        self
    }

    /// Another value of the same channel, record and time.
    #[must_use]
    #[inline]
    pub fn like(&self, value: Value) -> Self {
        Self {
            time: self.time,
            offset: self.offset,
            channel: Arc::clone(&self.channel),
            frame_id: Arc::clone(&self.frame_id),
            attributes: self.attributes.clone(),
            value,
        }
    }

    /// Takes the sample and leaves the value 0 in its place: for a sink that keeps it.
    #[must_use]
    #[inline]
    pub fn take(&mut self) -> Self {
        let value = self.value.take();
        self.like(value)
    }
}

impl Value {
    /// Takes the value and leaves a placeholder.
    ///
    /// A sink uses this to keep a value it is lent; the lender, [`Sample::lend`], handles either case.
    #[must_use = "the value is gone"]
    pub const fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Scalar(0.0))
    }

    /// The names of all kinds.
    pub const KINDS: [&str; 13] = [
        "point_cloud",
        "image",
        "laser_scan",
        "imu",
        "gnss_fix",
        "satellites",
        "feature",
        "odometry",
        "pose",
        "transform",
        "row",
        "scalar",
        "text",
    ];

    /// The columns whose names are the recording's own: a row, what else was measured with a fix, the properties of a
    /// feature.
    pub fn row(&self) -> Option<&Row> {
        match self {
            Self::Row(row) => Some(row),
            Self::GnssFix(fix) => fix.measured.as_deref(),
            Self::Feature(feature) => feature.properties.as_ref(),
            _ => None,
        }
    }

    /// The kind's name in snake case: one of [`KINDS`](Self::KINDS).
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::PointCloud(_) => "point_cloud",
            Self::Image(_) => "image",
            Self::LaserScan(_) => "laser_scan",
            #[cfg(feature = "geometry")]
            Self::Imu(_) => "imu",
            Self::GnssFix(_) => "gnss_fix",
            Self::Satellites(_) => "satellites",
            Self::Feature(_) => "feature",
            #[cfg(feature = "geometry")]
            Self::Odometry(_) => "odometry",
            #[cfg(feature = "geometry")]
            Self::Pose(_) => "pose",
            #[cfg(feature = "geometry")]
            Self::Transform(_) => "transform",
            Self::Row(_) => "row",
            Self::Scalar(_) => "scalar",
            Self::Text(_) => "text",
        }
    }
}

/// A value whose memory a sampler reuses.
pub trait Lend: Default {
    /// Converts it to a sample value.
    fn into_value(self) -> Value;
    /// Converts it back from a sample value; `None` for another kind.
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! lend {
    ($($name:ident),+) => {$(
        impl Lend for $name {
            fn into_value(self) -> Value {
                Value::$name(self)
            }

            fn from_value(value: Value) -> Option<Self> {
                if let Value::$name(value) = value { Some(value) } else { None }
            }
        }
    )+};
}

lend!(PointCloud, LaserScan);

impl Sample {
    /// Lends `buffer` to `sink` as the value of this sample. Afterwards `buffer` is what the sink left: the same
    /// memory, or an empty value if the sink took it. Returns the error of `sink`.
    pub fn lend<T: Lend, E>(
        &mut self,
        buffer: &mut T,
        sink: &mut dyn FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.value = std::mem::take(buffer).into_value();
        let outcome = sink(self);
        *buffer = T::from_value(self.value.take()).unwrap_or_default();
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sink_takes_is_replaced_and_what_it_leaves_is_used_again() {
        let mut sample = Sample::new("a", Value::Scalar(0.0)).with_frame("b");
        let mut cloud = PointCloud { x: Vec::with_capacity(100), ..PointCloud::default() };
        sample.lend(&mut cloud, &mut |_| Ok::<(), ()>(())).unwrap();
        assert_eq!(cloud.x.capacity(), 100);
        let mut taken = None;
        let outcome = sample.lend(&mut cloud, &mut |sample| {
            taken = Some(sample.value.take());
            Err("full")
        });
        assert!(outcome == Err("full") && cloud == PointCloud::default());
        assert!(matches!(taken, Some(Value::PointCloud(cloud)) if cloud.x.capacity() == 100));
    }
}
