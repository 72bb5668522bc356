//! Position packets: the sensor's clock with the data of its GPS receiver.

use robolog_core::{
    Error, Result,
    layout::{Packed as _, c_str, field},
    slices::missing,
};

use crate::layout::PositionData;

/// Length of a position packet in bytes.
pub const POSITION_PACKET_LEN: usize = PositionData::LEN;

/// A position packet, sent by newer sensors to UDP port 8308: 512 bytes.
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
        let sentence = c_str(self.bytes.get(field!(PositionData, nmea).offset..).unwrap_or_default());
        let end = sentence.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(sentence.len());
        sentence.get(..end).unwrap_or(sentence)
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
