//! Counts of a capture's LiDAR packets.

use super::SensorDetails;
use crate::payload::Payload;

/// Capture-specific information of a survey.
#[derive(Debug, Default, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// UDP datagrams of any kind.
    pub datagrams: u64,
    /// Packets of SDK 1, as in LVX 1.1.
    pub sdk1_packets: u64,
    /// Packets of SDK 2.
    pub sdk2_packets: u64,
    /// Packets of SDK 2 that LVX2 cannot hold: inertial measurements and uncommon forms.
    pub sdk2_left_out: u64,
    /// Packets of a Velodyne.
    pub velodyne_packets: u64,
    /// Position packets of a Velodyne's receiver.
    pub position_packets: u64,
    /// Packets captured twice, which give samples once.
    pub duplicates: u64,
    /// The sensors, in order of appearance.
    pub sensors: Vec<SensorDetails>,
}

impl Details {
    /// Counts a datagram.
    pub(super) fn count(&mut self, payload: Payload) {
        let Details {
            datagrams,
            sdk1_packets,
            sdk2_packets,
            sdk2_left_out,
            velodyne_packets,
            position_packets,
            ..
        } = self;
        let increase = |n: &mut u64| *n += 1;
        increase(datagrams);
        match payload {
            Payload::Points(lvx::Version::V1_1) | Payload::Imu(lvx::Version::V1_1) => increase(sdk1_packets),
            Payload::Points(_) => increase(sdk2_packets),
            Payload::Imu(_) | Payload::Spread => {
                increase(sdk2_packets);
                increase(sdk2_left_out);
            }
            Payload::Velodyne => increase(velodyne_packets),
            Payload::Position => increase(position_packets),
            Payload::Other => {}
        }
    }

    /// Whether there is anything of a LiDAR.
    pub(super) fn has_lidar(&self) -> bool {
        self.sdk1_packets + self.sdk2_packets + self.velodyne_packets + self.position_packets > 0
    }

    /// The sensors in the capture.
    pub(super) fn variant(&self) -> String {
        let livox = match (self.sdk1_packets, self.sdk2_packets) {
            (0, 0) => None,
            (_, 0) => Some("Livox SDK 1"),
            (0, _) => Some("Livox SDK 2"),
            _ => Some("Livox SDK 1 and 2"),
        };
        let packets = self.velodyne_packets + self.position_packets;
        let velodyne = (packets > 0).then_some("Velodyne");
        match (livox, velodyne) {
            (None, None) => "capture without LiDARs".to_owned(),
            (Some(one), None) | (None, Some(one)) => format!("capture of {one}"),
            (Some(livox), Some(velodyne)) => format!("capture of {livox} and {velodyne}"),
        }
    }
}
