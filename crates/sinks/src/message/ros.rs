//! ROS messages.

mod definitions;
mod message;
mod row;
#[cfg(feature = "to-bag")]
pub(crate) mod sum;
mod wire;

use std::collections::HashMap;

use robolog_core::{Field, Row};

use self::{definitions::complete, wire::Wire};
use super::{
    content::{self, Content, Message},
    encoder::{Definition, Encoder, Head},
    role::Role,
};
use crate::{
    Error, Result,
    feature::Item,
    options::{ImuUnit, MessageOptions, PointLayout},
};

/// Version of ROS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ros {
    /// ROS 1: packed numbers, definitions with MD5 sums.
    One,
    /// ROS 2: CDR, definitions `ros2msg`.
    Two,
}

/// Encodes messages.
#[derive(Debug)]
pub(crate) struct RosEncoder {
    wire: Wire,
    points: PointLayout,
    unit: ImuUnit,
    /// Numbers of Livox devices, by channel.
    lidars: HashMap<String, u8>,
}

/// Metadata key of a topic's quality of service in ROS 2.
pub(crate) const QOS: &str = "offered_qos_profiles";

/// Keeps the last thousand static transforms for late subscribers, in numbers that all ROS 2 versions read.
const LATCHED: &str = "- history: 1\n  depth: 1000\n  reliability: 1\n  durability: 1\n  deadline:\n    sec: 9223372036\n    nsec: 854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: false";

impl RosEncoder {
    pub(crate) fn new(ros: Ros, options: MessageOptions) -> Self {
        let (points, unit) = (options.points, options.imu_unit());
        Self { wire: Wire::new(ros), points, unit, lidars: HashMap::new() }
    }

    /// Livox message used for clouds, if any.
    const fn livox(&self) -> Option<&'static str> {
        match self.points {
            PointLayout::LivoxCustom => Some("livox_ros_driver2/CustomMsg"),
            PointLayout::LivoxCustom1 => Some("livox_ros_driver/CustomMsg"),
            _ => None,
        }
    }

    /// Returns the number of a channel's device, in order of appearance.
    fn lidar(&mut self, channel: &str) -> u8 {
        if let Some(id) = self.lidars.get(channel) {
            return *id;
        }
        let id = u8::try_from(self.lidars.len()).unwrap_or(u8::MAX);
        if id < u8::MAX {
            self.lidars.insert(channel.to_owned(), id);
        }
        id
    }

    /// Defines the type `PACKAGE/TYPE` with these fields.
    fn defined(&self, path: &str, fields: &str) -> Definition {
        let data = complete(self.wire.ros(), fields);
        match self.wire.ros() {
            Ros::One => Definition {
                name: path.to_owned(),
                encoding: "ros1msg",
                message_encoding: "ros1",
                data: data.into_bytes().into(),
            },
            Ros::Two => Definition {
                name: path.replacen('/', "/msg/", 1),
                encoding: "ros2msg",
                message_encoding: "cdr",
                data: data.into_bytes().into(),
            },
        }
    }
}

impl Encoder for RosEncoder {
    fn profile(&self) -> &'static str {
        match self.wire.ros() {
            Ros::One => "ros1",
            Ros::Two => "ros2",
        }
    }

    fn definition(&self, of: Message) -> Definition {
        let path = self.livox().filter(|_| of == Message::PointCloud).unwrap_or(of.path());
        self.defined(path, definitions::fields(self.wire.ros(), path))
    }

    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition {
        self.defined(&format!("robolog_msgs/{name}"), &row::definition(fields))
    }

    fn last_second(&self) -> i64 {
        match self.wire.ros() {
            Ros::One => u32::MAX.into(),
            Ros::Two => i32::MAX.into(),
        }
    }

    fn metadata(&self, role: Role) -> Option<(&'static str, &'static str)> {
        Some((QOS, if role == Role::StaticTransform { LATCHED } else { "" }))
    }

    fn details(&self, content: Content<'_>) -> Option<Row> {
        if let Content::Fix(fix) = content { content::fix_details(fix) } else { None }
    }

    fn encode(&mut self, head: Head<'_>, content: Content<'_>) -> Result<bool> {
        let Head { stamp, frame_id: frame, .. } = head;
        let is_livox = self.livox().is_some() && matches!(content, Content::Cloud(_));
        let lidar = is_livox.then(|| self.lidar(head.channel));
        let wire = &mut self.wire;
        wire.begin();
        match content {
            Content::Cloud(cloud) => match lidar {
                Some(lidar) => message::livox(wire, head, lidar, cloud),
                None => message::cloud(wire, head, cloud, self.points),
            },
            Content::Scan(scan) => message::laser_scan(wire, stamp, frame, scan),
            Content::Image(image) => {
                let step = content::row_step(image);
                if step.is_none() && image.encoding.bytes_per_pixel().is_some() {
                    return Ok(false);
                }
                message::image(wire, stamp, frame, image, step);
            }
            Content::Imu(imu) => message::imu(wire, stamp, frame, imu, self.unit),
            Content::Fix(fix) => message::nav_sat_fix(wire, stamp, frame, fix),
            Content::Odometry(odometry) => message::odometry(wire, stamp, frame, odometry),
            Content::Pose(pose) => message::pose_stamped(wire, stamp, frame, pose),
            Content::Transform(child, pose) => message::transform(wire, stamp, frame, child, pose),
            Content::Row(row) => row::row(wire, stamp, frame, row),
            Content::Number(number) => wire.f64(number),
            Content::Text(text) => wire.string(text),
            Content::Satellites(satellites) => {
                let json = serde_json::to_string(satellites).map_err(|e| Error::Write(e.into()))?;
                wire.string(&json);
            }
            Content::Feature(feature) => {
                let json =
                    serde_json::to_string(&Item::alone(feature)).map_err(|e| Error::Write(e.into()))?;
                wire.string(&json);
            }
            Content::Solid(name, solid) => message::solid(wire, stamp, frame, name, solid),
        }
        Ok(wire.finish().is_some())
    }

    fn number(&mut self, sequence: u32) {
        self.wire.number(sequence);
    }

    fn message(&self) -> &[u8] {
        self.wire.finish().unwrap_or_default()
    }
}
