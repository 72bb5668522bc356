//! The tables of the format, as declared layouts. Everything is little-endian and packed.

use robolog_core::layout::{Packed as _, field};

/// The start of a log: the general currency sign of ISO 8859-1 and "VEL".
pub const MAGIC: [u8; 4] = *b"\xa4VEL";
/// Length of [`FileHeader`] in bytes; the index follows it.
pub const FILE_HEADER_LEN: usize = FileHeader::LEN;
/// Length of [`MessageHeader`] in bytes; the payload follows it.
pub const MESSAGE_HEADER_LEN: usize = MessageHeader::LEN;
/// The mark of a valid message: 'I'.
pub const MARK: u8 = 0x49;
/// The size in place of a message's where the log ends.
pub const END_MARK: u32 = u32::MAX;
/// Length of [`END_MARK`] in bytes.
pub(crate) const END_MARK_LEN: usize = field!(MessageHeader, size).len;
/// Length of a Velodyne packet in bytes.
pub const PACKET_LEN: usize = 1206;

robolog_core::layout! {
    /// The file header. One offset per second follows, each an i64 from the start of the file.
    #[derive(Eq)]
    pub struct FileHeader("file header") {
        /// [`MAGIC`].
        pub magic: [u8; 4],
        /// 1.
        pub major: u16,
        /// 1.
        pub minor: u16,
        /// Number of offsets that follow.
        pub index_entries: u32,
    }

    /// The header of a message.
    pub struct MessageHeader("message header") {
        /// Length of the message in bytes, counted as in [`SizeCounts`](crate::SizeCounts).
        pub size: u32,
        /// [`MARK`] in a valid message.
        pub mark: u8,
        /// The sum over the characters of the type name, each multiplied by its position plus 119.
        pub type_id: u32,
        /// Version of the payload's layout.
        pub version: i32,
        /// Milliseconds since the start of the recording program.
        pub timestamp: f64,
    }

    /// Payload of `OBDDataM`, version 100: data reported by the vehicle.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Obd("OBDDataM") {
        /// Kilometres per hour.
        pub speed: i32,
        /// Revolutions per minute.
        pub rpm: i32,
        /// Not used by the recorder.
        pub unused_2: f32,
        /// Not used by the recorder.
        pub unused_3: i32,
        /// Not used by the recorder.
        pub unused_4: i32,
        /// Throttle position, percent.
        pub throttle: f32,
        /// Not used by the recorder.
        pub unused_6: i32,
    }

    /// Payload of `GPSDataM`, version 100: data from the receiver's NMEA sentences.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Gps("GPSDataM") {
        /// Hour of the day, UTC.
        pub hour: i32,
        /// Minute, UTC.
        pub minute: i32,
        /// Second, UTC.
        pub second: i32,
        /// The receiver's warning: 0 if the fix is valid.
        pub warning: i32,
        /// Degrees north; some recorders write degrees times 100 plus minutes.
        pub latitude: f64,
        /// Degrees east, in the same notation as the latitude.
        pub longitude: f64,
        /// Kilometres per hour over ground.
        pub speed: f32,
        /// Degrees clockwise from true north.
        pub course: f32,
        /// Day of the month, UTC.
        pub day: i32,
        /// Month, UTC.
        pub month: i32,
        /// Year, UTC; two or four digits.
        pub year: i32,
        /// Fix quality, numbered as in NMEA's GGA.
        pub quality: i32,
        /// Satellites used.
        pub satellites: i32,
        /// Horizontal dilution of precision.
        pub hdop: f32,
        /// Metres above mean sea level.
        pub height: f32,
        /// Metres of the geoid above the ellipsoid.
        pub geoid_separation: f32,
        /// Vertical dilution of precision.
        pub vdop: f32,
        /// Positional dilution of precision.
        pub pdop: f32,
    }

    /// Payload of `RobotPoseM`, version 100. It has no position.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct RobotPose("RobotPoseM") {
        /// The orientation as a quaternion, ordered as in [`QuaternionOrder`](crate::QuaternionOrder).
        pub quaternion: [f32; 4],
        /// The acceleration along the sensor's axes, in an [`AccelerationUnit`](crate::AccelerationUnit).
        pub acceleration: [f32; 3],
    }

    /// An entry of the index: the first message of a second.
    #[derive(Eq)]
    pub struct IndexEntry("index") {
        /// Offset from the start of the file.
        pub offset: u64,
    }

    /// The data before the bytes of an `ImageM`, version 100.
    #[derive(Eq)]
    pub struct ImageHeader("ImageM") {
        /// Number of the camera.
        pub source: i32,
        /// Whether the bytes are a JPEG file.
        pub compressed: u32,
        /// Columns.
        pub width: i32,
        /// Rows.
        pub height: i32,
        /// Number of bytes that follow.
        pub len: u32,
    }

    /// [`ImageHeader`] as written by recorders with a one-byte bool.
    #[derive(Eq)]
    pub struct NarrowImageHeader("ImageM") {
        /// Number of the camera.
        pub source: i32,
        /// Whether the bytes are a JPEG file.
        pub compressed: u8,
        /// Columns.
        pub width: i32,
        /// Rows.
        pub height: i32,
        /// Number of bytes that follow.
        pub len: u32,
    }

    /// The data before the packets of a `VelodyneRawDataM`, version 100.
    #[derive(Eq)]
    pub struct VelodyneHeader("VelodyneRawDataM") {
        /// Number of packets that follow.
        pub packets: u32,
    }
}
