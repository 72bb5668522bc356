//! The tables of the format, as declared layouts. Everything is little-endian and packed.

use robolog_core::layout::{Packed as _, field};

/// What a log begins with: the general currency sign of ISO 8859-1 and "VEL".
pub const MAGIC: [u8; 4] = *b"\xa4VEL";
/// Bytes of [`FileHeader`]; the index follows it.
pub const FILE_HEADER_LEN: usize = FileHeader::LEN;
/// Bytes of [`MessageHeader`]; the payload follows it.
pub const MESSAGE_HEADER_LEN: usize = MessageHeader::LEN;
/// The mark of a valid message: 'I'.
pub const MARK: u8 = 0x49;
/// The size that stands where a message would begin, when the log ends there.
pub const END_MARK: u32 = u32::MAX;
/// Bytes of [`END_MARK`].
pub(crate) const END_MARK_LEN: usize = field!(MessageHeader, size).len;
/// Bytes of a packet of a Velodyne.
pub const PACKET_LEN: usize = 1206;

robolog_core::layout! {
    /// The header of the file. One offset for each second follows, each an i64 from the start of the file.
    #[derive(Eq)]
    pub struct FileHeader("file header") {
        /// [`MAGIC`].
        pub magic: [u8; 4],
        /// 1.
        pub major: u16,
        /// 1.
        pub minor: u16,
        /// How many offsets follow.
        pub index_entries: u32,
    }

    /// The header of a message.
    pub struct MessageHeader("message header") {
        /// Bytes of the message; of which ones, [`SizeCounts`](crate::SizeCounts) says.
        pub size: u32,
        /// [`MARK`] in a valid message.
        pub mark: u8,
        /// The sum over the characters of the type's name, each times its position plus 119.
        pub type_id: u32,
        /// Version of the payload's layout.
        pub version: i32,
        /// Milliseconds since the recording program was started.
        pub timestamp: f64,
    }

    /// Payload of `OBDDataM`, version 100: what the vehicle reports of itself.
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
        /// Position of the throttle, in percent.
        pub throttle: f32,
        /// Not used by the recorder.
        pub unused_6: i32,
    }

    /// Payload of `GPSDataM`, version 100: what the receiver's NMEA sentences say.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Gps("GPSDataM") {
        /// Of the time of day, UTC.
        pub hour: i32,
        /// Of the time of day, UTC.
        pub minute: i32,
        /// Of the time of day, UTC.
        pub second: i32,
        /// The receiver's warning: 0 when the fix is valid.
        pub warning: i32,
        /// Degrees north; some recorders write degrees times 100 plus minutes.
        pub latitude: f64,
        /// Degrees east, like the latitude.
        pub longitude: f64,
        /// Kilometres per hour over ground.
        pub speed: f32,
        /// Degrees clockwise from true north.
        pub course: f32,
        /// Of the date, UTC.
        pub day: i32,
        /// Of the date, UTC.
        pub month: i32,
        /// Of the date, UTC; of two or of four digits.
        pub year: i32,
        /// Fix quality, with the numbers of NMEA's GGA.
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

    /// Payload of `RobotPoseM`, version 100. There is no position in it.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct RobotPose("RobotPoseM") {
        /// The orientation as a quaternion; in which order, [`QuaternionOrder`](crate::QuaternionOrder) says.
        pub quaternion: [f32; 4],
        /// The accelerometer's reading along the sensor's axes; in what unit,
        /// [`AccelerationUnit`](crate::AccelerationUnit) says.
        pub acceleration: [f32; 3],
    }

    /// An entry of the index: where the first message of a second lies.
    #[derive(Eq)]
    pub struct IndexEntry("index") {
        /// From the start of the file.
        pub offset: u64,
    }

    /// What lies before the bytes of an `ImageM`, version 100.
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
        /// How many bytes follow.
        pub len: u32,
    }

    /// The same as recorders write it that have a bool of one byte.
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
        /// How many bytes follow.
        pub len: u32,
    }

    /// What lies before the packets of a `VelodyneRawDataM`, version 100.
    #[derive(Eq)]
    pub struct VelodyneHeader("VelodyneRawDataM") {
        /// How many packets follow.
        pub packets: u32,
    }
}
