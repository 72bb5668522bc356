//! Content of a datagram, and the sensor that sent it.

mod sdk2;

use koblenz_log::{
    layout::PACKET_LEN,
    velodyne_packet::{POSITION_PACKET_LEN, PositionPacket},
};
use lvx::{
    Version,
    layout::PackageHeader1,
    wire::{self, Sdk2},
};
use robolog_core::{Result, layout::Layout as _};

use super::Datagram;

/// Content of a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Payload {
    /// A package of points of a Livox.
    Points(Version),
    /// Inertial measurements of a Livox: a package of SDK 1, or bytes of SDK 2.
    Imu(Version),
    /// Points of Livox SDK 2 in a form that LVX2 cannot hold: spherical, or two returns. The package has them as plain
    /// points.
    Spread,
    /// A packet of a Velodyne.
    Velodyne,
    /// A position packet of a Velodyne, from the same sensor.
    Position,
    /// Anything else.
    Other,
}

/// The start of a Velodyne packet: the mark of an upper or lower laser block.
const BLOCKS: [[u8; 2]; 2] = [[0xff, 0xee], [0xff, 0xdd]];
/// Usual destination port of a Velodyne's position packets.
const POSITION_PORT: u16 = 8308;

/// The Velodyne packet in a datagram.
pub(crate) fn velodyne(payload: &[u8]) -> Option<&[u8; PACKET_LEN]> {
    let packet: &[u8; PACKET_LEN] = payload.try_into().ok()?;
    BLOCKS.iter().any(|mark| packet.starts_with(mark)).then_some(packet)
}

impl Payload {
    /// Content of a datagram; a Livox package is stored in `package`.
    pub(crate) fn of(datagram: &Datagram<'_>, package: &mut Vec<u8>) -> Result<Self> {
        package.clear();
        let payload = datagram.payload;
        if velodyne(payload).is_some() {
            return Ok(Payload::Velodyne);
        }
        if let Ok(position) = <&[u8; POSITION_PACKET_LEN]>::try_from(payload)
            && (datagram.destination_port == POSITION_PORT || PositionPacket::is_likely(position))
        {
            return Ok(Payload::Position);
        }
        if wire::package_from_sdk1(0, payload, package) {
            let is_imu = data_type(package).is_none();
            return Ok(if is_imu { Payload::Imu(Version::V1_1) } else { Payload::Points(Version::V1_1) });
        }
        Ok(match wire::package_from_sdk2(datagram.source.octets(), payload, package)? {
            Sdk2::Points => Payload::Points(Version::V2_0),
            Sdk2::Imu => Payload::Imu(Version::V2_0),
            Sdk2::Other => match sdk2::plain(payload)? {
                Some(plain) => {
                    wire::package_from_sdk2(datagram.source.octets(), &plain, package)?;
                    Payload::Spread
                }
                None => Payload::Other,
            },
            Sdk2::Foreign => Payload::Other,
        })
    }
}

/// The data type of an SDK 1 package, if it indicates the model: that of an inertial measurement does not.
pub(crate) fn data_type(package: &[u8]) -> Option<u8> {
    let head = PackageHeader1::peek(package)?;
    Some(head.data_type).filter(|number| *number != 6)
}
