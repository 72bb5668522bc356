//! Frames as they are in the file, for `cat --raw` and similar uses.

use serde::{Serialize, Serializer, ser::SerializeSeq as _, ser::SerializeStruct as _};

use crate::{Package, Packages, Points, Record};

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Frame", 4)?;
        s.serialize_field("current_offset", &self.current_offset())?;
        s.serialize_field("next_offset", &self.next_offset())?;
        s.serialize_field("frame_index", &self.frame_index())?;
        s.serialize_field("packages", &PackageList(self.packages()))?;
        s.end()
    }
}

struct PackageList<'a>(Packages<'a>);

impl Serialize for PackageList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_seq(None)?;
        for package in self.0.clone().map_while(Result::ok) {
            s.serialize_element(&package)?;
        }
        s.end()
    }
}

impl Serialize for Package<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Package", 12)?;
        s.serialize_field("offset", &self.offset())?;
        match self.device() {
            crate::DeviceId::Index(index) => s.serialize_field("device_index", &index)?,
            crate::DeviceId::Lidar(id) => s.serialize_field("lidar_id", &id)?,
        }
        if let Some((slot, lidar)) = self.slot_and_lidar() {
            s.serialize_field("slot_id", &slot)?;
            s.serialize_field("lidar_id", &lidar)?;
        }
        if let Some(status) = self.status() {
            s.serialize_field("status_code", &status.0)?;
        }
        if let Some(lidar_type) = self.lidar_type() {
            s.serialize_field("lidar_type", &lidar_type)?;
        }
        if let Some(counter) = self.udp_counter() {
            s.serialize_field("udp_counter", &counter)?;
        }
        s.serialize_field("timestamp_type", &self.timestamp_type_number())?;
        s.serialize_field("timestamp_ns", &self.time().map(robolog_core::Timestamp::nanos))?;
        s.serialize_field("data_type", &self.data_type_number())?;
        match self.imu() {
            Some(imu) => s.serialize_field("imu", &imu)?,
            None => s.serialize_field("points", &self.points())?,
        }
        s.end()
    }
}

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
