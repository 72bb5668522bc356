//! Foxglove's messages, by the structures and schemas of its SDK. Its writer of files is not used: that has neither the
//! errors of the target nor bytes that are the same for every version of the SDK.

mod json;
mod message;

use std::sync::{Arc, LazyLock};

use foxglove::{Encode, bytes::BytesMut, messages as fg};
use robolog_core::{Field, FieldKind, Row};

use super::{
    content::{self, Content, Message},
    encoder::{Definition, Encoder, Head},
    role::Role,
};
use crate::{Error, Result};

/// No profile; Protocol Buffers with descriptors, and JSON where Foxglove has no message.
#[derive(Debug, Default)]
pub(super) struct Foxglove {
    message: Vec<u8>,
    /// The rows of a cloud: memory that is used again.
    rows: BytesMut,
}

/// The longest message that readers of Protocol Buffers take.
const LONGEST: usize = i32::MAX as usize;

static SCAN_DETAILS: LazyLock<Arc<[Field]>> = LazyLock::new(|| {
    [
        Field::new("time_increment", FieldKind::Float).with_unit("s"),
        Field::new("scan_time", FieldKind::Float).with_unit("s"),
        Field::new("range_min", FieldKind::Float).with_unit("m"),
        Field::new("range_max", FieldKind::Float).with_unit("m"),
    ]
    .into()
});

fn defined<M: Encode>() -> Definition {
    let schema = M::get_schema();
    let (name, data) = schema.map(|schema| (schema.name, schema.data)).unwrap_or_default();
    Definition { name, encoding: "protobuf", data, message_encoding: "protobuf" }
}

impl Foxglove {
    fn put(&mut self, message: &impl Encode) -> Result<bool> {
        let len = message.encoded_len().unwrap_or_default();
        if len > LONGEST {
            return Ok(false);
        }
        self.message.reserve(len);
        message.encode(&mut self.message).map_err(|error| Error::library("Foxglove", error))?;
        Ok(true)
    }

    fn put_json(&mut self, value: &impl serde::Serialize) -> Result<bool> {
        serde_json::to_writer(&mut self.message, value).map_err(|error| Error::Write(error.into()))?;
        Ok(true)
    }
}

impl Encoder for Foxglove {
    fn profile(&self) -> &'static str {
        ""
    }

    fn definition(&self, of: Message) -> Definition {
        match of {
            Message::CompressedImage => defined::<fg::CompressedImage>(),
            Message::Fix => defined::<fg::LocationFix>(),
            Message::Image => defined::<fg::RawImage>(),
            Message::Imu => json::defined("Imu", json::IMU),
            Message::Number => json::defined("Number", json::NUMBER),
            Message::Odometry => defined::<fg::Odometry>(),
            Message::PointCloud => defined::<fg::PointCloud>(),
            Message::Pose => defined::<fg::PoseInFrame>(),
            Message::Satellites => json::defined("Satellites", json::SATELLITES),
            Message::Scan => defined::<fg::LaserScan>(),
            Message::Scene => defined::<fg::SceneUpdate>(),
            Message::Text => defined::<fg::Log>(),
            Message::Transforms => defined::<fg::FrameTransform>(),
        }
    }

    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition {
        json::defined(name, json::schema(fields))
    }

    fn metadata(&self, _: Role) -> Option<(&'static str, &'static str)> {
        None
    }

    fn details(&self, content: Content<'_>) -> Option<Row> {
        match content {
            Content::Fix(fix) => content::fix_details(fix),
            Content::Scan(scan) => {
                let numbers = [scan.time_increment, scan.scan_time, scan.range_min, scan.range_max];
                Some(Row::new(Arc::clone(&SCAN_DETAILS), numbers.map(Into::into).into()))
            }
            _ => None,
        }
    }

    fn lacks_pixels(&self) -> bool {
        true
    }

    fn encode(&mut self, head: Head<'_>, content: Content<'_>) -> Result<bool> {
        self.message.clear();
        match content {
            Content::Cloud(cloud) => {
                let message = message::cloud(head, cloud, std::mem::take(&mut self.rows));
                let done = self.put(&message);
                self.rows = message.data.try_into_mut().unwrap_or_default();
                done
            }
            Content::Scan(scan) => self.put(&message::laser_scan(head, scan)),
            Content::Image(image) if image.encoding.bytes_per_pixel().is_none() => {
                self.put(&message::compressed_image(head, image))
            }
            Content::Image(image) => message::image(head, image).map_or(Ok(false), |image| self.put(&image)),
            Content::Imu(imu) => self.put_json(&json::imu(head, imu)),
            Content::Fix(fix) => self.put(&message::location_fix(head, fix)),
            Content::Odometry(odometry) => self.put(&message::odometry(head, odometry)),
            Content::Pose(pose) => self.put(&message::pose_in_frame(head, pose)),
            Content::Transform(child, pose) => self.put(&message::transform(head, child, pose)),
            Content::Row(row) => self.put_json(&json::JsonRow(row)),
            Content::Number(number) => self.put_json(&json::number(number)),
            Content::Text(text) => self.put(&message::log(head, text)),
            Content::Satellites(satellites) => self.put_json(&json::satellites(satellites)),
            Content::Solid(name, solid) => self.put(&message::solid(head, name, solid)),
        }
    }

    fn message(&self) -> &[u8] {
        &self.message
    }
}
