//! Packets as in the file, for `cat --raw` and the like.

use robolog_core::slices::InRange as _;
use serde::{Serialize, Serializer, ser::SerializeMap as _, ser::SerializeStruct as _};

use crate::{
    ActorKind, Addition, Additions, AttributeList, Attributes, Bones, Payload, Physics, Record, Walkers,
    Wheels, names,
};

/// `{"id", "packet", ...}`: the name of the packet and its fields, or `records`.
impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_map(None)?;
        s.serialize_entry("id", &self.id())?;
        s.serialize_entry("packet", self.kind().name())?;
        match self.decode() {
            Ok(payload) => entries(&payload, &mut s)?,
            Err(error) => {
                s.serialize_entry("error", &error.to_string())?;
                s.serialize_entry("bytes", &Hex(self.body()))?;
            }
        }
        s.end()
    }
}

fn entries<M: serde::ser::SerializeMap>(payload: &Payload<'_>, s: &mut M) -> Result<(), M::Error> {
    match payload {
        Payload::FrameStart(start) => {
            s.serialize_entry("frame", &start.frame)?;
            s.serialize_entry("duration", &start.duration)?;
            s.serialize_entry("elapsed", &start.elapsed)
        }
        Payload::FrameEnd => Ok(()),
        Payload::PlatformTime(seconds) | Payload::VisualTime(seconds) => {
            s.serialize_entry("seconds", seconds)
        }
        Payload::FrameCounter(count) => s.serialize_entry("count", count),
        Payload::Unknown(bytes) => s.serialize_entry("bytes", &Hex(bytes)),
        Payload::EventAdd(list) => s.serialize_entry("records", list),
        Payload::EventDel(rows) => s.serialize_entry("records", rows),
        Payload::EventParent(rows) => s.serialize_entry("records", rows),
        Payload::Collision(rows) => s.serialize_entry("records", rows),
        Payload::Position(rows) => s.serialize_entry("records", rows),
        Payload::State(rows) => s.serialize_entry("records", rows),
        Payload::AnimVehicle(rows) => s.serialize_entry("records", rows),
        Payload::AnimWalker(rows) => s.serialize_entry("records", rows),
        Payload::VehicleLight(rows) => s.serialize_entry("records", rows),
        Payload::SceneLight(rows) => s.serialize_entry("records", rows),
        Payload::Kinematics(rows) => s.serialize_entry("records", rows),
        Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => s.serialize_entry("records", rows),
        Payload::PhysicsControl(list) => s.serialize_entry("records", list),
        Payload::TrafficLightTime(rows) => s.serialize_entry("records", rows),
        Payload::WalkerBones(list) => s.serialize_entry("records", list),
        Payload::VehicleDoor(rows) => s.serialize_entry("records", rows),
        Payload::AnimVehicleWheels(list) => s.serialize_entry("records", list),
        Payload::AnimBiker(rows) => s.serialize_entry("records", rows),
        Payload::Weather(rows) => s.serialize_entry("records", rows),
    }
}

/// Bytes in hexadecimal.
struct Hex<'a>(&'a [u8]);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex(self.0, serializer)
    }
}

pub(crate) fn hex<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len().times(2));
    for byte in bytes {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    serializer.serialize_str(&text)
}

/// Text of the file; invalid UTF-8 is replaced.
pub(crate) fn text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&String::from_utf8_lossy(bytes))
}

/// Name of an attribute's type.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(crate) fn actor_kind<S: Serializer>(kind: &ActorKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&names::actor_kind(*kind))
}

/// Lists whose items are read one after another.
macro_rules! lists {
    ($($list:ident),+) => { $(
        impl Serialize for $list<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(*self)
            }
        }
    )+ };
}

lists!(Attributes, Bones, Physics, Walkers, Wheels);

impl Serialize for AttributeList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl Serialize for Additions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.into_iter().map_while(Result::ok))
    }
}

impl Serialize for Addition<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Addition", 8)?;
        s.serialize_field("offset", &self.offset)?;
        s.serialize_field("id", &self.id)?;
        s.serialize_field("type", &self.kind.0)?;
        s.serialize_field("location", &self.location)?;
        s.serialize_field("rotation", &self.rotation)?;
        s.serialize_field("description_uid", &self.description_uid)?;
        s.serialize_field("type_id", &self.type_id_text())?;
        s.serialize_field("attributes", &self.attributes)?;
        s.end()
    }
}
