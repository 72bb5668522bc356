//! Messages as they are in the file, for `cat --raw` and similar uses.

use std::fmt;

use robolog_core::text::Escaped;
use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use crate::{ImageData, LaserData, Payload, Record, VelodyneData};

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_end() {
            let mut s = serializer.serialize_struct("End", 1)?;
            s.serialize_field("trailing_bytes", &self.trailer().len())?;
            return s.end();
        }
        let mut s = serializer.serialize_struct("Message", 6)?;
        s.serialize_field("mark", &self.mark())?;
        s.serialize_field("type_id", &self.type_id())?;
        s.serialize_field("type", &self.type_id().name())?;
        s.serialize_field("version", &self.version())?;
        s.serialize_field("timestamp", &self.timestamp())?;
        match self.decode() {
            Ok(payload) => s.serialize_field("payload", &payload)?,
            Err(error) => s.serialize_field("error", &error.to_string())?,
        }
        s.end()
    }
}

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Obd(obd) => obd.serialize(serializer),
            Self::Gps(gps) => gps.serialize(serializer),
            Self::Image(image) => image.serialize(serializer),
            Self::RobotPose(pose) => pose.serialize(serializer),
            Self::Velodyne(velodyne) => velodyne.serialize(serializer),
            Self::Laser(laser) => laser.serialize(serializer),
            Self::Unknown(body) => {
                let mut s = serializer.serialize_struct("Unknown", 2)?;
                s.serialize_field("len", &body.len())?;
                s.serialize_field("start", &Hex(body.get(..64).unwrap_or(body)))?;
                s.end()
            }
        }
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for ImageData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("ImageData", 5)?;
        s.serialize_field("source", &self.source)?;
        s.serialize_field("compressed", &self.compressed)?;
        s.serialize_field("width", &self.width)?;
        s.serialize_field("height", &self.height)?;
        s.serialize_field("data_len", &self.data.len())?;
        s.end()
    }
}

impl Serialize for VelodyneData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("VelodyneData", 2)?;
        s.serialize_field("claimed", &self.claimed)?;
        s.serialize_field("packets", &self.packets().len())?;
        s.end()
    }
}

impl Serialize for LaserData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("LaserData", 3)?;
        s.serialize_field("sensor_type", &format_args!("{}", Escaped(self.sensor_type)))?;
        s.serialize_field("name", &format_args!("{}", Escaped(self.name)))?;
        s.serialize_field("distances", &self.distances().collect::<Vec<_>>())?;
        s.end()
    }
}
