//! Messages of ROS 2's packages.

mod cdr;
mod definitions;
mod message;
mod row;

use robolog_core::{Field, Row};

use self::{cdr::Cdr, definitions::complete};
use super::{
    content::{self, Content, Message},
    encoder::{Definition, Encoder, Head},
    role::Role,
};
use crate::{Error, Result};

/// Profile `ros2`, CDR, definitions `ros2msg`.
#[derive(Debug, Default)]
pub(super) struct Ros2 {
    cdr: Cdr,
}

/// The key of a topic's metadata under which ROS 2 keeps its quality of service.
pub(super) const QOS: &str = "offered_qos_profiles";

/// Whoever comes late still gets the static transforms: a thousand are kept, by the numbers that all versions of ROS 2
/// read.
const LATCHED: &str = "- history: 1\n  depth: 1000\n  reliability: 1\n  durability: 1\n  deadline:\n    sec: 9223372036\n    nsec: 854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: false";

fn defined(name: String, text: String) -> Definition {
    Definition { name, encoding: "ros2msg", data: text.into_bytes().into(), message_encoding: "cdr" }
}

impl Encoder for Ros2 {
    fn profile(&self) -> &'static str {
        "ros2"
    }

    fn definition(&self, of: Message) -> Definition {
        defined(of.name(), of.definition())
    }

    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition {
        defined(format!("robolog_msgs/msg/{name}"), complete(&row::definition(fields)))
    }

    fn metadata(&self, role: Role) -> Option<(&'static str, &'static str)> {
        Some((QOS, if role == Role::StaticTransform { LATCHED } else { "" }))
    }

    fn details(&self, content: Content<'_>) -> Option<Row> {
        if let Content::Fix(fix) = content { content::fix_details(fix) } else { None }
    }

    fn encode(&mut self, head: Head<'_>, content: Content<'_>) -> Result<bool> {
        let Head { stamp, frame_id: frame, .. } = head;
        let cdr = &mut self.cdr;
        cdr.begin();
        match content {
            Content::Cloud(cloud) => message::cloud(cdr, stamp, frame, cloud),
            Content::Scan(scan) => message::laser_scan(cdr, stamp, frame, scan),
            Content::Image(image) => {
                let step = content::row_step(image);
                if step.is_none() && image.encoding.bytes_per_pixel().is_some() {
                    return Ok(false);
                }
                message::image(cdr, stamp, frame, image, step);
            }
            Content::Imu(imu) => message::imu(cdr, stamp, frame, imu),
            Content::Fix(fix) => message::nav_sat_fix(cdr, stamp, frame, fix),
            Content::Odometry(odometry) => message::odometry(cdr, stamp, frame, odometry),
            Content::Pose(pose) => message::pose_stamped(cdr, stamp, frame, pose),
            Content::Transform(child, pose) => message::transform(cdr, stamp, frame, child, pose),
            Content::Row(row) => row::row(cdr, stamp, frame, row),
            Content::Number(number) => cdr.f64(number),
            Content::Text(text) => cdr.string(text),
            Content::Satellites(satellites) => {
                let json = serde_json::to_string(satellites).map_err(|e| Error::Write(e.into()))?;
                cdr.string(&json);
            }
            Content::Solid(name, solid) => message::solid(cdr, stamp, frame, name, solid),
        }
        Ok(cdr.finish().is_some())
    }

    fn message(&self) -> &[u8] {
        self.cdr.finish().unwrap_or_default()
    }
}
