//! The sensors of a capture, told apart by address and ports.

use std::{net::Ipv4Addr, sync::Arc};

use lvx::{Version, layout::PackageHeader1};
use robolog_core::layout::Layout as _;

use crate::{Datagram, payload::Payload};

/// More sensors than any capture has; data from further ones is skipped.
const SENSORS: usize = 1 << 10;

/// The sensors so far, each with the name that starts its channels: its address, plus a number from the second one at
/// an address.
#[derive(Debug, Default)]
pub(crate) struct Sensors {
    known: Vec<Sensor>,
}

/// A sensor.
#[derive(Debug)]
pub(crate) struct Sensor {
    pub(crate) kin: Kin,
    /// Ports of its points, and of its inertial measurements or positions.
    pub(crate) streams: [Option<Ports>; 2],
    pub(crate) name: Arc<str>,
}

/// A sensor that sent a datagram.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender<'s> {
    /// Its number, in order of appearance.
    pub(crate) number: usize,
    pub(crate) name: &'s Arc<str>,
}

/// What packets of one sensor have in common, whatever they contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kin {
    pub(crate) address: Ipv4Addr,
    /// `None` for a Velodyne.
    pub(crate) version: Option<Version>,
    /// A hub of SDK 1 sends for several LiDARs.
    slot_and_lidar: [u8; 2],
}

/// Two LiDARs can have one address: behind a router, when replayed, or as they leave the factory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ports {
    pub(crate) source: u16,
    pub(crate) destination: u16,
}

impl Sensors {
    /// The sensor that sent a datagram. `None` if it is not from a sensor.
    pub(crate) fn of(
        &mut self,
        datagram: &Datagram<'_>,
        payload: Payload,
        package: &[u8],
    ) -> Option<Sender<'_>> {
        let kin = Kin::of(datagram, payload, package)?;
        let stream = usize::from(matches!(payload, Payload::Imu(_) | Payload::Position));
        let ports = Ports { source: datagram.source_port, destination: datagram.destination_port };
        let is_its = |sensor: &Sensor| {
            sensor.kin == kin && sensor.streams.get(stream).is_some_and(|its| *its == Some(ports))
        };
        let number = match self.known.iter().position(is_its) {
            Some(number) => number,
            None => self.meet(kin, stream, ports)?,
        };
        Some(Sender { number, name: &self.known.get(number)?.name })
    }

    /// The number of the sensor to which a new stream belongs: one that lacks it, or a new one.
    fn meet(&mut self, kin: Kin, stream: usize, ports: Ports) -> Option<usize> {
        let other = 1_usize.saturating_sub(stream);
        let lacks = |sensor: &Sensor| sensor.kin == kin && sensor.streams.get(stream) == Some(&None);
        let rank = |sensor: &Sensor| match sensor.streams.get(other) {
            Some(Some(known)) if stream == 1 => known.rank(ports),
            Some(Some(known)) => ports.rank(*known),
            _ => u8::MAX,
        };
        let lacking = self.known.iter().enumerate().filter(|(_, sensor)| lacks(sensor));
        let number = lacking.min_by_key(|(_, sensor)| rank(sensor)).map(|(number, _)| number);
        let number = match number {
            Some(number) => number,
            None if self.known.len() >= SENSORS => return None,
            None => {
                let name = self.name(kin.address);
                self.known.push(Sensor { kin, streams: [None; 2], name });
                self.known.len() - 1
            }
        };
        if let Some(its) = self.known.get_mut(number).and_then(|sensor| sensor.streams.get_mut(stream)) {
            *its = Some(ports);
        }
        Some(number)
    }

    fn name(&self, address: Ipv4Addr) -> Arc<str> {
        match self.known.iter().filter(|sensor| sensor.kin.address == address).count() {
            0 => address.to_string().into(),
            n => format!("{address}-{}", n + 1).into(),
        }
    }

    /// A sensor by its number.
    pub(crate) fn get(&self, number: usize) -> Option<&Sensor> {
        self.known.get(number)
    }
}

impl Kin {
    fn of(datagram: &Datagram<'_>, payload: Payload, package: &[u8]) -> Option<Self> {
        let version = match payload {
            Payload::Points(version) | Payload::Imu(version) => Some(version),
            Payload::Spread => Some(Version::V2_0),
            Payload::Velodyne | Payload::Position => None,
            Payload::Other => return None,
        };
        let head = if version == Some(Version::V1_1) { PackageHeader1::peek(package) } else { None };
        let slot_and_lidar = head.map_or([0; 2], |head| [head.slot_id, head.lidar_id]);
        Some(Self { address: datagram.source, version, slot_and_lidar })
    }
}

impl Ports {
    /// How well ports of points go with those of another stream: both are moved by as much as usual, one is, or none.
    fn rank(self, other: Self) -> u8 {
        /// From points to inertial measurements of SDK 1 and 2, and to positions of a Velodyne.
        const STEPS: [u16; 6] = [0, 2, 100, 1000, 5940, 7865];
        let is_usual = |from: u16, to: u16| STEPS.contains(&to.wrapping_sub(from));
        let source = u8::from(!is_usual(self.source, other.source));
        source + 2 * u8::from(!is_usual(self.destination, other.destination))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(sensors: &mut Sensors, payload: Payload, source_port: u16, destination_port: u16) -> String {
        let source = Ipv4Addr::new(10, 0, 0, 7);
        let datagram = Datagram { time_ns: 0, source, source_port, destination_port, payload: &[] };
        sensors.of(&datagram, payload, &[]).unwrap().name.to_string()
    }

    #[test]
    fn ports_tell_two_sensors_of_an_address_apart() {
        let (points, imu) = (Payload::Points(Version::V2_0), Payload::Imu(Version::V2_0));
        let mut sensors = Sensors::default();
        let mut of = |payload, source, to| send(&mut sensors, payload, source, to);
        assert_eq!(of(points, 56_300, 56_301), "10.0.0.7");
        assert_eq!(of(points, 56_310, 56_311), "10.0.0.7-2");
        // Measurements follow their points, whichever come first.
        assert_eq!(of(imu, 56_410, 56_411), "10.0.0.7-2");
        assert_eq!(of(imu, 56_400, 56_401), "10.0.0.7");
        assert_eq!(of(points, 56_300, 56_301), "10.0.0.7");
        // Another maker's sensor, and one behind the same destination port.
        assert_eq!(of(Payload::Velodyne, 2368, 2368), "10.0.0.7-3");
        assert_eq!(of(Payload::Velodyne, 2369, 2368), "10.0.0.7-4");
        assert_eq!(of(Payload::Position, 8308, 8308), "10.0.0.7-3");
    }

    #[test]
    fn a_stream_that_comes_first_is_joined_by_the_points() {
        let mut sensors = Sensors::default();
        assert_eq!(send(&mut sensors, Payload::Position, 8308, 8308), "10.0.0.7");
        assert_eq!(send(&mut sensors, Payload::Velodyne, 443, 2368), "10.0.0.7");
        assert_eq!(sensors.known.len(), 1);
    }
}
