//! Foxglove's messages, as its schemas define them. Only tests use its SDK: it takes as long to build as MCAP, and its
//! file writer neither reports the target's errors nor writes the same bytes in every version.

mod json;
mod message;
mod proto;

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use robolog_core::{Field, FieldKind, Row};

use self::proto::Proto;
use super::{
    cloud::Packing,
    content::{self, Content, Message},
    encoder::{Definition, Encoder, Head},
    role::Role,
};
use crate::{Error, Result, feature::Item};

/// No profile; Protocol Buffers with descriptors, and JSON if Foxglove has no message.
#[derive(Debug, Default)]
pub(super) struct Foxglove {
    message: Vec<u8>,
}

/// Maximum bytes of a message that Protocol Buffers readers accept.
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

/// A Foxglove message with everything it refers to, as a `FileDescriptorSet`.
macro_rules! defined {
    ($name:literal) => {
        Definition {
            name: concat!("foxglove.", $name).to_owned(),
            encoding: "protobuf",
            data: Cow::Borrowed(include_bytes!(concat!("foxglove/descriptors/", $name, ".bin"))),
            message_encoding: "protobuf",
        }
    };
}

impl Foxglove {
    /// Returns whether the message is short enough for readers.
    fn put(&mut self, write: impl FnOnce(&mut Proto<'_>)) -> bool {
        write(&mut Proto::new(&mut self.message));
        self.message.len() <= LONGEST
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

    fn last_second(&self) -> i64 {
        u32::MAX.into()
    }

    fn definition(&self, of: Message) -> Definition {
        match of {
            Message::CompressedImage => defined!("CompressedImage"),
            Message::Fix => defined!("LocationFix"),
            Message::GeoJson => defined!("GeoJSON"),
            Message::Image => defined!("RawImage"),
            Message::Imu => json::defined("Imu", json::IMU),
            Message::Number => json::defined("Number", json::NUMBER),
            Message::Odometry => defined!("Odometry"),
            Message::PointCloud => defined!("PointCloud"),
            Message::Pose => defined!("PoseInFrame"),
            Message::Satellites => json::defined("Satellites", json::SATELLITES),
            Message::Scan => defined!("LaserScan"),
            Message::Scene => defined!("SceneUpdate"),
            Message::Text => defined!("Log"),
            Message::Transforms => defined!("FrameTransform"),
        }
    }

    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition {
        if message::is_event(fields.iter()) {
            return defined!("Event");
        }
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
        Ok(match content {
            Content::Cloud(cloud) => {
                let packing = Packing::of(cloud);
                packing.len() <= LONGEST && self.put(|out| message::cloud(out, head, &packing))
            }
            Content::Scan(scan) => self.put(|out| message::laser_scan(out, head, scan)),
            Content::Image(image) if image.encoding.bytes_per_pixel().is_none() => {
                self.put(|out| message::compressed_image(out, head, image))
            }
            Content::Image(image) => {
                let mut is_known = false;
                self.put(|out| is_known = message::image(out, head, image).is_some()) && is_known
            }
            Content::Imu(imu) => self.put_json(&json::imu(head, imu))?,
            Content::Fix(fix) => self.put(|out| message::location_fix(out, head, fix)),
            Content::Odometry(odometry) => self.put(|out| message::odometry(out, head, odometry)),
            Content::Pose(pose) => self.put(|out| message::pose_in_frame(out, head, pose)),
            Content::Transform(child, pose) => self.put(|out| message::transform(out, head, child, pose)),
            Content::Row(row) if message::is_event(row.iter().map(|(field, _)| field)) => {
                self.put(|out| message::event(out, head, row))
            }
            Content::Row(row) => self.put_json(&json::JsonRow(row))?,
            Content::Number(number) => self.put_json(&json::number(number))?,
            Content::Text(text) => self.put(|out| message::log(out, head, text)),
            Content::Satellites(satellites) => self.put_json(&json::satellites(satellites))?,
            Content::Feature(feature) => {
                let json =
                    serde_json::to_string(&Item::alone(feature)).map_err(|e| Error::Write(e.into()))?;
                self.put(|out| out.text(1, &json))
            }
            Content::Solid(name, solid) => self.put(|out| message::solid(out, head, name, solid)),
        })
    }

    fn message(&self) -> &[u8] {
        &self.message
    }
}

#[cfg(test)]
mod tests {
    use foxglove::{Encode, messages as fg};

    use super::*;
    use crate::message::stamp::Stamp;

    #[test]
    fn descriptors_are_those_of_the_sdk() {
        fn schema<M: Encode>() -> Option<foxglove::Schema> {
            M::get_schema()
        }
        let mut compared = 0;
        for of in Message::ALL {
            let official = match of {
                Message::CompressedImage => schema::<fg::CompressedImage>(),
                Message::Fix => schema::<fg::LocationFix>(),
                Message::GeoJson => schema::<fg::GeoJson>(),
                Message::Image => schema::<fg::RawImage>(),
                Message::Odometry => schema::<fg::Odometry>(),
                Message::PointCloud => schema::<fg::PointCloud>(),
                Message::Pose => schema::<fg::PoseInFrame>(),
                Message::Scan => schema::<fg::LaserScan>(),
                Message::Scene => schema::<fg::SceneUpdate>(),
                Message::Text => schema::<fg::Log>(),
                Message::Transforms => schema::<fg::FrameTransform>(),
                // Foxglove has no message for these.
                Message::Imu | Message::Number | Message::Satellites => continue,
            };
            let official = official.unwrap();
            let ours = Foxglove::default().definition(of);
            assert_eq!((&ours.name, ours.encoding), (&official.name, official.encoding.as_str()));
            assert!(ours.data == official.data, "{}", ours.name);
            compared += 1;
        }
        assert_eq!(compared, 11);
        let ours = Foxglove::default().row_definition("Events", &event_fields());
        let official = schema::<fg::Event>().unwrap();
        assert_eq!((ours.name.as_str(), ours.message_encoding), ("foxglove.Event", "protobuf"));
        assert!(ours.data == official.data);
    }

    fn event_fields() -> [Field; 3] {
        [("end_ns", FieldKind::Int), ("kind", FieldKind::Text), ("value", FieldKind::Float)]
            .map(|(name, kind)| Field::new(name, kind))
    }

    #[test]
    fn a_row_with_an_end_is_an_event() {
        let cells = vec![3_500_000_000_i64.into(), "contact".into(), 0.5.into()];
        let row = Row::new(event_fields().into(), cells);
        let stamp = Stamp { sec: 3, nanosec: 1, log_time: 3_000_000_001 };
        let head = Head { stamp, frame_id: "", channel: "events" };
        let mut encoder = Foxglove::default();
        assert!(encoder.encode(head, Content::Row(&row)).unwrap());
        let want = [
            &[0x0a, 4, 0x08, 3, 0x10, 1, 0x12, 8, 0x08, 3, 0x10, 0x80, 0xca, 0xb5, 0xee, 1, 0x1a, 15][..],
            b"\x0a\x04kind\x12\x07contact\x1a\x0c\x0a\x05value\x12\x030.5",
        ];
        assert_eq!(encoder.message(), want.concat());
    }
}
