//! The tables of Livox's LVX specifications, in their order, as in the file: little-endian, packed.
//!
//! Sources: "LVX Specifications" 1.0 (2019-09) and 1.1 (2020-05), "LVX2 Specifications" (2023); for LVX 1.0 and the
//! triple-return data types, the structures of Livox-SDK and `livox_ros_driver`. Units are those of the file.
//!
//! Everything is read and written through these declarations; [`Points`](crate::Points) are columns over arrays of
//! them.

use robolog_core::layout::{Packed as _, field, first};

/// The start of every file.
pub const NAME: [u8; 10] = *b"livox_tech";
/// Bytes 0-15 of every file: `livox_tech` and six zeros.
pub const SIGNATURE: [u8; 16] = *b"livox_tech\0\0\0\0\0\0";
/// Bytes 20-23 of every file.
pub const MAGIC_CODE: u32 = 0xac0e_a767;

/// Length of a frame in milliseconds, as specified.
pub const FRAME_MS: u32 = 50;

robolog_core::layout! {
    /// Public header block, 24 bytes, all versions.
    #[derive(Eq)]
    pub struct PublicHeader("lvx public header") {
        /// [`SIGNATURE`].
        pub signature: [u8; 16],
        /// Four numbers, such as 1.1.0.0.
        pub version: [u8; 4],
        /// [`MAGIC_CODE`]. Livox Viewer refuses a file without it; Livox's drivers do not check.
        pub magic_code: u32,
    }

    /// Private header block of 1.0, 1 byte.
    #[derive(Eq)]
    pub struct PrivateHeader10("lvx private header") {
        /// Number of device infos that follow.
        pub device_count: u8,
    }

    /// Private header block of 1.1 and later, 5 bytes.
    #[derive(Eq)]
    pub struct PrivateHeader("lvx private header") {
        /// Length of a frame in milliseconds: [`FRAME_MS`].
        pub frame_duration: u32,
        /// Number of device infos that follow.
        pub device_count: u8,
    }

    /// Rotation and translation of a device, 24 bytes: degrees, and metres (LVX2: disputed, see
    /// [`ExtrinsicUnit`](crate::ExtrinsicUnit)). Applied as `Rz(yaw) * Ry(pitch) * Rx(roll) * p + t`.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    #[expect(missing_docs, reason = "named as in the specification; units above")]
    pub struct Extrinsic("lvx extrinsic") {
        pub roll: f32,
        pub pitch: f32,
        pub yaw: f32,
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    /// Device info of LVX 1.0, 58 bytes.
    pub struct DeviceInfo10("lvx device info") {
        /// LiDAR broadcast code, not always NUL-terminated.
        pub lidar_sn: [u8; 16],
        /// Hub broadcast code; empty without a hub.
        pub hub_sn: [u8; 16],
        /// Index in this list.
        pub device_index: u8,
        /// See [`DeviceType`](crate::DeviceType).
        pub device_type: u8,
        /// Already applied to the points of the file.
        pub extrinsic: Extrinsic,
    }

    /// Device info of LVX 1.1, 59 bytes.
    pub struct DeviceInfo11("lvx device info") {
        /// LiDAR broadcast code, not always NUL-terminated.
        pub lidar_sn: [u8; 16],
        /// Hub broadcast code; empty without a hub.
        pub hub_sn: [u8; 16],
        /// Index in this list; packages refer to it.
        pub device_index: u8,
        /// See [`DeviceType`](crate::DeviceType).
        pub device_type: u8,
        /// 1: points should be moved by the extrinsic.
        pub extrinsic_enable: u8,
        /// Not applied to the points of the file.
        pub extrinsic: Extrinsic,
    }

    /// Device info of LVX2 and LVX3, 63 bytes.
    pub struct DeviceInfo20("lvx device info") {
        /// LiDAR serial number.
        pub lidar_sn: [u8; 16],
        /// Reserved; recorders leave garbage here.
        pub hub_sn: [u8; 16],
        /// IPv4 address of the LiDAR, octets in file order; packages refer to it.
        pub lidar_id: u32,
        /// 247 Mid-360, 246 HAP.
        pub lidar_type: u8,
        /// See [`DeviceType`](crate::DeviceType).
        pub device_type: u8,
        /// 1: points should be moved by the extrinsic.
        pub extrinsic_enable: u8,
        /// Not applied to the points of the file.
        pub extrinsic: Extrinsic,
    }

    /// Frame header of LVX 1.0, 32 bytes.
    #[derive(Eq)]
    pub struct FrameHeader10("lvx frame") {
        /// Offset of this frame in the file.
        pub current_offset: u64,
        /// Offset of the next frame in the file.
        pub next_offset: u64,
        /// Number of this frame, from 0.
        pub frame_index: u64,
        /// Number of packages that follow.
        pub package_count: u64,
    }

    /// Frame header of LVX 1.1 and LVX2, 24 bytes. (The specification of 2019-09 says 32 and lists 24.)
    #[derive(Eq)]
    pub struct FrameHeader11("lvx frame") {
        /// Offset of this frame in the file.
        pub current_offset: u64,
        /// Offset of the next frame in the file.
        pub next_offset: u64,
        /// Number of this frame, from 0.
        pub frame_index: u64,
    }

    /// Frame header of LVX3, 20 bytes; followed by `packets_num` package headers, then a compressed blob.
    #[derive(Eq)]
    pub struct FrameHeader24("lvx frame") {
        /// Offset of this frame in the file.
        pub current_offset: u64,
        /// Number of package headers that follow.
        pub packets_num: u32,
        /// Bytes from this frame's start to the next one's.
        pub data_size: u64,
    }

    /// Package header of LVX 1.x, 19 bytes: the device index, then the UDP payload of SDK 1 as sent.
    #[derive(Eq)]
    pub struct PackageHeader1("lvx package") {
        /// Index in the list of device infos.
        pub device_index: u8,
        /// Protocol version: 5.
        pub version: u8,
        /// Slot of a hub, 1-9.
        pub slot_id: u8,
        /// 1, or on a Mid-100 1 left, 2 middle, 3 right.
        pub lidar_id: u8,
        /// Reserved.
        pub reserved: u8,
        /// See [`Status`](crate::Status).
        pub status_code: u32,
        /// See [`TimestampType`](crate::TimestampType).
        pub timestamp_type: u8,
        /// See [`DataType`](crate::DataType).
        pub data_type: u8,
        /// Nanoseconds, or UTC in the form of [`Utc`].
        pub timestamp: [u8; 8],
    }

    /// A time stamp of type 3.
    #[derive(Eq)]
    pub struct Utc("lvx time stamp") {
        /// Years since 2000.
        pub year: u8,
        /// 1-12.
        pub month: u8,
        /// 1-31.
        pub day: u8,
        /// 0-23.
        pub hour: u8,
        /// Microseconds in the hour, 0 to 3 600 000 000.
        pub micros: u32,
    }

    /// Package header of LVX2 and LVX3, 27 bytes.
    #[derive(Eq)]
    pub struct PackageHeader2("lvx package") {
        /// Protocol version: 0.
        pub version: u8,
        /// IPv4 address of the LiDAR.
        pub lidar_id: u32,
        /// 8 for LiDARs of SDK 2; 1 for those of SDK 1, whose data are laid out differently.
        pub lidar_type: u8,
        /// See [`TimestampType`](crate::TimestampType).
        pub timestamp_type: u8,
        /// Nanoseconds.
        pub timestamp: u64,
        /// Counter of a LiDAR's packages.
        pub udp_counter: u16,
        /// See [`DataType`](crate::DataType).
        pub data_type: u8,
        /// Bytes of points that follow (LVX3: after decompression).
        pub length: u32,
        /// Counter of frames; 0 from Livox Viewer 2.
        pub frame_counter: u8,
        /// Reserved.
        pub reserved: [u8; 4],
    }

    /// A point of LVX 1.0, data type 0, 13 bytes; type 1 has depth, theta, phi in these fields.
    #[expect(missing_docs, reason = "metres (type 1: metres, 0.01 degree); reflectivity 0-255")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct FloatPoint("lvx point") {
        pub x: f32,
        pub y: f32,
        pub z: f32,
        pub reflectivity: u8,
    }

    /// Data type 0, 13 bytes: millimetres.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "millimetres; reflectivity 0-255")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct RawPoint("lvx point") {
        pub x: i32,
        pub y: i32,
        pub z: i32,
        pub reflectivity: u8,
    }

    /// Data type 1, 9 bytes.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "depth in millimetres, zenith theta and azimuth phi in 0.01 degree")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct RawSpherical("lvx point") {
        pub depth: i32,
        pub theta: u16,
        pub phi: u16,
        pub reflectivity: u8,
    }

    /// Data type 2 of 1.1 and 1 of LVX2, 14 bytes. Types 4 and 7 have two and three of these per laser shot.
    #[derive(Default, Eq)]
    #[expect(missing_docs, reason = "millimetres; reflectivity 0-255; tag by generation")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct TaggedPoint("lvx point") {
        pub x: i32,
        pub y: i32,
        pub z: i32,
        pub reflectivity: u8,
        pub tag: u8,
    }

    /// Data type 3, 10 bytes.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "depth in millimetres, zenith theta and azimuth phi in 0.01 degree")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct TaggedSpherical("lvx point") {
        pub depth: i32,
        pub theta: u16,
        pub phi: u16,
        pub reflectivity: u8,
        pub tag: u8,
    }

    /// One return of data types 5 and 8, 6 bytes.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "millimetres; reflectivity 0-255; tag by generation")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Return("lvx point") {
        pub depth: i32,
        pub reflectivity: u8,
        pub tag: u8,
    }

    /// Data type 5, 16 bytes: the two returns of a laser shot.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "zenith theta and azimuth phi in 0.01 degree")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct DualSpherical("lvx point") {
        pub theta: u16,
        pub phi: u16,
        pub returns: [Return; 2],
    }

    /// Data type 8, 22 bytes: the three returns of a laser shot.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "zenith theta and azimuth phi in 0.01 degree")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct TripleSpherical("lvx point") {
        pub theta: u16,
        pub phi: u16,
        pub returns: [Return; 3],
    }

    /// Data type 6, 24 bytes.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct ImuData("lvx imu data") {
        /// Angular velocity about x, y, z in rad/s.
        pub gyro: [f32; 3],
        /// Acceleration along x, y, z in g.
        pub acc: [f32; 3],
    }

    /// Data type 2 of LVX2, 8 bytes: centimetres.
    #[derive(Eq)]
    #[expect(missing_docs, reason = "centimetres; reflectivity 0-255; tag by generation")]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct LowPoint("lvx point") {
        pub x: i16,
        pub y: i16,
        pub z: i16,
        pub reflectivity: u8,
        pub tag: u8,
    }

    /// Header of a UDP packet of SDK 2, 36 bytes: points or an inertial measurement follow.
    #[derive(Eq)]
    pub struct Sdk2Header("sdk 2 packet") {
        /// Protocol version: 0.
        pub version: u8,
        /// Length of the packet in bytes, including this header.
        pub length: u16,
        /// Time between points, in 0.1 microseconds.
        pub time_interval: u16,
        /// Number of points that follow.
        pub dot_num: u16,
        /// Counter of packets.
        pub udp_counter: u16,
        /// Counter of frames.
        pub frame_counter: u8,
        /// 0 inertial, 1 and 2 as in LVX2, 3 spherical.
        pub data_type: u8,
        /// See [`TimestampType`](crate::TimestampType).
        pub timestamp_type: u8,
        /// Reserved.
        pub reserved: [u8; 12],
        /// CRC-32 of the time stamp and the points.
        pub crc32: u32,
        /// Nanoseconds.
        pub timestamp: u64,
    }
}

/// The offset stated in the frame header at the start of `input`, which may be incomplete.
#[inline]
pub(crate) fn current_offset(input: &[u8]) -> Option<u64> {
    const {
        assert!(field!(FrameHeader10, current_offset).offset == 0);
        assert!(field!(FrameHeader11, current_offset).offset == 0);
        assert!(field!(FrameHeader24, current_offset).offset == 0);
        assert!(field!(FrameHeader10, package_count).offset == FrameHeader11::LEN);
    }
    first(input)
}
