//! Content of a datagram, and the sensor that sent it.

mod sdk2;

use std::{net::Ipv4Addr, sync::Arc};

use koblenz_log::{layout::PACKET_LEN, velodyne_packet::POSITION_PACKET_LEN};
use lvx::{
    DeviceType, Version,
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
/// Destination port of a Velodyne's position packets.
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
        if payload.len() == POSITION_PACKET_LEN && datagram.destination_port == POSITION_PORT {
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

/// The model suggested by the data type of SDK 1: Mid-40, Avia or Horizon.
pub(crate) fn model_of(data_type: Option<u8>) -> DeviceType {
    DeviceType(match data_type {
        Some(0 | 1) => 1,
        Some(7 | 8) => 7,
        _ => 3,
    })
}

/// The most common model with SDK 2.
pub(crate) const MID_360: DeviceType = DeviceType(9);

/// Identifies one of the sensors at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    address: Ipv4Addr,
    /// `None` for a Velodyne.
    version: Option<Version>,
    /// A hub of SDK 1 sends for several LiDARs.
    slot_and_lidar: [u8; 2],
}

/// The sensors so far, each with the name that starts its channels: its address, plus a number from the second one at
/// an address.
#[derive(Debug, Default)]
pub(crate) struct Sensors {
    known: Vec<(Key, Arc<str>)>,
}

/// More sensors than any capture has; data from further ones is skipped.
const SENSORS: usize = 1 << 10;

impl Sensors {
    /// The number and the name of the sensor that sent a datagram. `None` if it is not from a sensor.
    pub(crate) fn of(
        &mut self,
        datagram: &Datagram<'_>,
        payload: Payload,
        package: &[u8],
    ) -> Option<(usize, Arc<str>)> {
        let version = match payload {
            Payload::Points(version) | Payload::Imu(version) => Some(version),
            Payload::Spread => Some(Version::V2_0),
            Payload::Velodyne | Payload::Position => None,
            Payload::Other => return None,
        };
        let head = PackageHeader1::peek(package).filter(|_| version == Some(Version::V1_1));
        let slot_and_lidar = head.map_or([0; 2], |head| [head.slot_id, head.lidar_id]);
        let key = Key { address: datagram.source, version, slot_and_lidar };
        if let Some(at) = self.known.iter().position(|(known, _)| *known == key) {
            return self.known.get(at).map(|(_, name)| (at, Arc::clone(name)));
        }
        if self.known.len() >= SENSORS {
            return None;
        }
        let others = self.known.iter().filter(|(known, _)| known.address == key.address).count();
        let name: Arc<str> = match others {
            0 => key.address.to_string().into(),
            n => format!("{}-{}", key.address, n + 1).into(),
        };
        self.known.push((key, Arc::clone(&name)));
        Some((self.known.len() - 1, name))
    }
}
