//! Frames as they are in the file, for `cat --raw` and similar uses.

use serde::{Serialize, Serializer, ser::SerializeSeq as _, ser::SerializeStruct as _};

use crate::{
    DataType, Package, Packages, Points, Record,
    layout::{
        DualSpherical, FloatPoint, LowPoint, RawPoint, RawSpherical, TaggedPoint, TaggedSpherical,
        TripleSpherical,
    },
};

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

/// The fields of a spherical point of LVX 1.0, which are where cartesian ones have coordinates.
#[derive(serde::Serialize)]
struct FloatSpherical {
    depth: f32,
    theta: f32,
    phi: f32,
    reflectivity: u8,
}

impl From<FloatPoint> for FloatSpherical {
    fn from(point: FloatPoint) -> Self {
        let FloatPoint { x: depth, y: theta, z: phi, reflectivity } = point;
        Self { depth, theta, phi, reflectivity }
    }
}

/// The points as in the file: integers in its units, and no tag where it has none.
impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.data_type() {
            DataType::FloatCartesian => serializer.collect_seq(self.entries(FloatPoint::from_bytes)),
            DataType::FloatSpherical => {
                serializer.collect_seq(self.entries(FloatPoint::from_bytes).map(FloatSpherical::from))
            }
            DataType::Cartesian => serializer.collect_seq(self.entries(RawPoint::from_bytes)),
            DataType::TaggedCartesian | DataType::DualCartesian | DataType::TripleCartesian => {
                serializer.collect_seq(self.entries(TaggedPoint::from_bytes))
            }
            DataType::LowCartesian => serializer.collect_seq(self.entries(LowPoint::from_bytes)),
            DataType::Spherical => serializer.collect_seq(self.entries(RawSpherical::from_bytes)),
            DataType::TaggedSpherical => serializer.collect_seq(self.entries(TaggedSpherical::from_bytes)),
            DataType::DualSpherical => serializer.collect_seq(self.entries(DualSpherical::from_bytes)),
            DataType::TripleSpherical => serializer.collect_seq(self.entries(TripleSpherical::from_bytes)),
            DataType::Imu | DataType::Closed | DataType::Unknown(_) => serializer.collect_seq([(); 0]),
        }
    }
}
