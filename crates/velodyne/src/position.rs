//! Position packets: the sensor's clock with the data of its GPS receiver.

use robolog_core::{
    Error, Result,
    layout::{Packed as _, c_str, field},
    slices::{Part as _, missing},
};

use crate::layout::PositionData;

/// Length of a position packet in bytes.
pub const POSITION_PACKET_LEN: usize = PositionData::LEN;

/// A position packet, sent by newer sensors, by default to UDP port 8308: 512 bytes.
///
/// ```
/// use velodyne_packet::{POSITION_PACKET_LEN, PositionPacket, Pps};
/// let mut bytes = [0; POSITION_PACKET_LEN];
/// bytes[0xc6..0xce].copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0]);
/// bytes[0xce..0xd8].copy_from_slice(b"$GPRMC,...");
/// let packet = PositionPacket::parse(&bytes, 0)?;
/// assert_eq!((packet.clock(), packet.pps(), packet.nmea()), (1, Some(Pps::Locked), &b"$GPRMC,..."[..]));
/// # Ok::<(), velodyne_packet::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionPacket<'a> {
    bytes: &'a [u8; POSITION_PACKET_LEN],
}

impl<'a> PositionPacket<'a> {
    /// A view of the first 512 bytes of `input`, at offset `at` of a file; an error if there are fewer.
    pub fn parse(input: &'a [u8], at: u64) -> Result<Self> {
        let missing = missing(POSITION_PACKET_LEN, input);
        let bytes =
            input.first_chunk().ok_or_else(|| Error::truncated(missing, at).within("position packet"))?;
        Ok(Self { bytes })
    }

    /// The packet's bytes.
    pub fn bytes(&self) -> &'a [u8; POSITION_PACKET_LEN] {
        self.bytes
    }

    /// Microseconds since the full hour.
    pub fn clock(&self) -> u32 {
        PositionData::from_bytes(self.bytes).clock
    }

    /// Whether bytes look like those of a position packet, wherever they were sent: a clock within the hour, and a
    /// sentence or measurements.
    pub fn is_likely(bytes: &'a [u8; POSITION_PACKET_LEN]) -> bool {
        /// Microseconds.
        const HOUR: u32 = 3_600_000_000;
        let data = PositionData::from_bytes(bytes);
        let packet = Self { bytes };
        let has_sentence = packet.nmea().starts_with(b"$");
        data.unused == [0; 14]
            && data.clock < HOUR
            && data.pps <= 3
            && (has_sentence || packet.nmea().is_empty())
            && (has_sentence || data.clock > 0 || packet.inertial().is_some())
    }

    /// The measurements of the HDL-32E's boards; `None` if there are none.
    pub fn inertial(&self) -> Option<Inertial> {
        let words = PositionData::from_bytes(self.bytes).boards;
        if words == [0; 12] {
            return None;
        }
        let mut inertial = Inertial::default();
        for (board, [gyro, celsius, x, y]) in words.as_chunks::<4>().0.iter().enumerate() {
            let place = |values: &mut [f32; 3], value: f32| {
                values.get_mut(board).into_iter().for_each(|place| *place = value);
            };
            place(&mut inertial.angular_rate, step(*gyro, 0)? * GYRO);
            place(&mut inertial.celsius, step(*celsius, 1)? * CELSIUS + CELSIUS_AT_ZERO);
            place(&mut inertial.acceleration_x, step(*x, 2)? * GRAVITY);
            place(&mut inertial.acceleration_y, step(*y, 3)? * GRAVITY);
        }
        Some(inertial)
    }

    /// State of the pulse per second; `None` for an unknown number.
    pub fn pps(&self) -> Option<Pps> {
        match PositionData::from_bytes(self.bytes).pps {
            0 => Some(Pps::Absent),
            1 => Some(Pps::Synchronizing),
            2 => Some(Pps::Locked),
            3 => Some(Pps::Error),
            _ => None,
        }
    }

    /// The receiver's last sentence without its line ending; empty without a receiver.
    pub fn nmea(&self) -> &'a [u8] {
        let sentence = c_str(self.bytes.part(field!(PositionData, nmea).offset..));
        let end = sentence.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(sentence.len());
        sentence.get(..end).unwrap_or(sentence)
    }
}

/// Degrees per second, degrees Celsius and standard gravity of a step; degrees Celsius of zero.
const GYRO: f32 = 0.097_66;
const CELSIUS: f32 = 0.145_3;
const CELSIUS_AT_ZERO: f32 = 25.0;
const GRAVITY: f32 = 0.001_221;

/// A signed number of 12 bits. The four bits above it are its tag; `None` if they are another one's. Some firmware leaves
/// them out.
fn step(word: u16, tag: u16) -> Option<f32> {
    const LOW: u16 = 0x0fff;
    let top = word >> 12;
    (top == tag || top == 0 || top == 15).then_some(())?;
    // The sign is the highest of the twelve bits.
    let shifted = ((word & LOW) << 4).cast_signed();
    Some(f32::from(shifted >> 4))
}

/// The measurements of the three boards in the base of an HDL-32E. Each has a gyroscope that turns around the normal of
/// the board, and accelerometers along two sides. The first two boards stand upright, with x up; the third lies flat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Inertial {
    /// Degrees per second.
    pub angular_rate: [f32; 3],
    /// Degrees Celsius.
    pub celsius: [f32; 3],
    /// Along x of each board, in standard gravity.
    pub acceleration_x: [f32; 3],
    /// Along y of each board, in standard gravity.
    pub acceleration_y: [f32; 3],
}

impl Inertial {
    /// The rates around x, y and z, degrees per second, and the accelerations along them, standard gravity: z up, x and y
    /// along those of the flat board. Where two boards measure an axis, it is their mean.
    ///
    /// The directions follow from real packets: at rest, both upright boards measure 1 g along x, and y of the first
    /// and second board vary with x, reversed, and y of the third.
    pub fn axes(&self) -> ([f32; 3], [f32; 3]) {
        let [first, second, third] = self.angular_rate;
        let ([x1, x2, x3], [y1, y2, y3]) = (self.acceleration_x, self.acceleration_y);
        ([-second, -first, third], [f32::midpoint(x3, -y1), f32::midpoint(y3, y2), f32::midpoint(x1, x2)])
    }
}

/// State of the pulse per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Pps {
    /// None detected.
    Absent,
    /// The sensor's clock is being synchronised to it.
    Synchronizing,
    /// The sensor's clock follows it.
    Locked,
    /// It has an error.
    Error,
}
