//! The last six bytes of a packet.

use crate::{
    Generation,
    layout::{ClockTrailer, SpinTrailer, TemperatureTrailer},
    packet::TRAILER_LEN,
};

/// The last six bytes of a packet, by the generation of the sensor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Trailer {
    /// First generation: speed of the head, and the firmware.
    Spin {
        /// The head's speed as the sensor counts it.
        spin: u16,
        /// Four characters such as `v25c`.
        firmware: [u8; 4],
    },
    /// First generation: the internal temperature.
    Temperature {
        /// Degrees Celsius.
        celsius: f32,
    },
    /// Second generation: the clock and one byte of the [status stream](crate::StatusStream).
    Status {
        /// Microseconds since the full hour.
        clock: u32,
        /// Type of the value: a letter, or a digit for calibration bytes.
        id: u8,
        /// The value.
        value: u8,
    },
    /// Third generation.
    Factory {
        /// Microseconds since the full hour.
        clock: u32,
        /// See [`ReturnMode::from_id`](crate::ReturnMode::from_id).
        return_mode: u8,
        /// See [`Model::from_id`](crate::Model::from_id).
        model: u8,
    },
    /// Bytes that are invalid for the generation.
    Unknown([u8; TRAILER_LEN]),
}

impl Trailer {
    #[inline]
    pub(crate) fn read(bytes: [u8; TRAILER_LEN], generation: Generation) -> Self {
        let ClockTrailer { clock, id, value } = ClockTrailer::from_bytes(&bytes);
        match generation {
            Generation::SpinTemperature => {
                let TemperatureTrailer { fraction, degrees, unit } = TemperatureTrailer::from_bytes(&bytes);
                let SpinTrailer { spin, firmware } = SpinTrailer::from_bytes(&bytes);
                match firmware {
                    _ if unit == *CELSIUS => {
                        Self::Temperature { celsius: f32::from(degrees) + f32::from(fraction) / 256.0 }
                    }
                    [b'v' | b'V', ..] => Self::Spin { spin, firmware },
                    _ => Self::Unknown(bytes),
                }
            }
            Generation::Status => Self::Status { clock, id, value },
            Generation::Factory => Self::Factory { clock, return_mode: id, model: value },
        }
    }

    /// Microseconds since the full hour, if the generation has a clock.
    pub const fn clock(self) -> Option<u32> {
        match self {
            Self::Status { clock, .. } | Self::Factory { clock, .. } => Some(clock),
            _ => None,
        }
    }

    /// Whether these bytes are from the first generation: `DegC`, or `v` and a digit.
    pub(crate) fn is_spin_temperature(bytes: [u8; TRAILER_LEN]) -> bool {
        TemperatureTrailer::from_bytes(&bytes).unit == *CELSIUS
            || matches!(SpinTrailer::from_bytes(&bytes).firmware, [b'v' | b'V', b'0'..=b'9', ..])
    }
}

/// The unit of a temperature.
const CELSIUS: &[u8; 4] = b"DegC";
