//! What is known about a sensor and the order of its packets.

use std::fmt;

use koblenz_log::layout::PACKET_LEN;
use lvx::{Alarm, Version};
use robolog_core::{Attributes, Clock, Severity, Timestamp, format::SurveyBuilder, slices::OrZero as _};

use crate::{
    Datagram,
    payload::Payload,
    sensors::{Ports, Sensor},
    sequence::{Lost, Recent, Sequence, Tick},
};

/// A sensor of a capture.
#[derive(Debug, Default, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SensorDetails {
    /// The name that its channels begin with.
    pub name: String,
    /// Its IP address.
    pub address: String,
    /// `Livox` or `Velodyne`.
    pub maker: &'static str,
    /// Model name, if known.
    pub model: Option<String>,
    /// Whether the model is only the most common one with such packets.
    pub assumed: bool,
    /// Other models with such packets, if it is.
    pub others: Vec<&'static str>,
    /// The evidence for the model.
    pub evidence: Option<String>,
    /// The returns of a shot that it reports.
    pub return_mode: Option<String>,
    /// Version of its firmware, if it told.
    pub firmware: Option<String>,
    /// Serial number, if it told.
    pub serial: Option<String>,
    /// Source ports of its packets.
    pub source_ports: Vec<u16>,
    /// Destination ports of its packets.
    pub destination_ports: Vec<u16>,
    /// Its packets, those captured twice counted once.
    pub packets: u64,
    /// Points in them.
    pub points: u64,
    /// Packets captured twice.
    pub duplicates: u64,
    /// What its status words say was wrong, by capture time; at most 1000.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub alarms: Vec<Alarm>,
    /// Packets that never arrived, if any, and if they can be counted.
    pub lost: Option<LostDetails>,
}

/// Packets that never arrived.
#[derive(Debug, Default, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LostDetails {
    /// Number of packets that never arrived.
    pub packets: u64,
    /// Number of packets sent.
    pub sent: u64,
    /// Capture time of the packet before the first one missing, nanoseconds of unix time.
    pub first_ns: i64,
    /// The gaps, at most 1000: capture times of the packets around them, nanoseconds, and the number of packets missing.
    pub gaps: Vec<(i64, i64, u64)>,
}

/// What the packets of a sensor say about it.
#[derive(Debug, Default, Clone)]
pub(super) struct About {
    pub(super) model: Option<String>,
    pub(super) assumed: bool,
    pub(super) others: Vec<&'static str>,
    pub(super) evidence: Option<String>,
    pub(super) return_mode: Option<String>,
    pub(super) firmware: Option<String>,
    pub(super) serial: Option<String>,
    pub(super) points: u64,
    pub(super) alarms: Vec<Alarm>,
}

impl About {
    /// What is said of the sensor's channels.
    pub(super) fn attributes(self) -> Attributes {
        let guess = if self.assumed { " (assumed)" } else { "" };
        let model = self.model.map(|model| model + guess);
        let all = [("serial", self.serial), ("model", model), ("firmware", self.firmware)];
        all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

/// Watches the packets of a sensor.
#[derive(Debug)]
pub(super) struct Watch {
    /// Offset of its first packet.
    offset: u64,
    packets: u64,
    duplicates: u64,
    /// Of points, and of other packets.
    recent: [Recent; 2],
    order: [Sequence; 2],
}

impl Watch {
    pub(super) fn new(offset: u64) -> Self {
        Self { offset, packets: 0, duplicates: 0, recent: Default::default(), order: Default::default() }
    }

    /// Whether the packet was captured before. If it counts, notes its order.
    pub(super) fn repeats(
        &mut self,
        datagram: &Datagram<'_>,
        payload: Payload,
        package: &[u8],
        counts: bool,
    ) -> bool {
        let stream = usize::from(matches!(payload, Payload::Imu(_) | Payload::Position));
        if self.recent.get_mut(stream).is_some_and(|recent| recent.repeats_payload(datagram, payload)) {
            self.duplicates += 1;
            return true;
        }
        self.packets += 1;
        if counts {
            let tick = match payload {
                Payload::Points(Version::V1_1) | Payload::Imu(Version::V1_1) => {
                    Tick::of_sdk1(package, datagram.time_ns)
                }
                Payload::Points(_) | Payload::Imu(_) | Payload::Spread => {
                    Tick::of_sdk2(datagram.payload, datagram.time_ns)
                }
                Payload::Velodyne => {
                    let packet = <&[u8; PACKET_LEN]>::try_from(datagram.payload).ok();
                    packet.map(|packet| Tick::of_velodyne(packet, datagram.time_ns))
                }
                Payload::Position | Payload::Other => None,
            };
            if let (Some(tick), Some(order)) = (&tick, self.order.get_mut(stream)) {
                order.push(tick);
            }
        }
        false
    }

    /// What is known after the last packet, and what a user should know about their order.
    pub(super) fn details(
        &mut self,
        sensor: &Sensor,
        about: About,
        notes: &mut SurveyBuilder,
    ) -> SensorDetails {
        let (name, kin) = (&sensor.name, sensor.kin);
        // First, as it takes the packets that wait for their pace.
        let lost = self.lost();
        if self.duplicates > 0 {
            let message =
                format_args!("{name}: {} captured twice, which count once", Packets(self.duplicates));
            notes.find(Severity::Warning, "captured-twice", self.offset, message);
        }
        if let Some(order) = self.order.iter().find(|order| order.is_mixed()) {
            let times = order.jumps().max(1);
            let message = format_args!(
                "{name}: stamps or rotations jump back and forth {times} times: two LiDARs sent from this address and \
                 port"
            );
            notes.find(Severity::Warning, "two-senders", self.offset, message);
        }
        if let Some(lost) = &lost {
            notes.find(Severity::Warning, "packets-lost", self.offset, format_args!("{name}: {lost}"));
        }
        let mut all: Vec<Ports> = sensor.streams.into_iter().flatten().collect();
        all.dedup();
        let ports = |of: fn(&Ports) -> u16| {
            let mut ports: Vec<u16> = all.iter().map(of).collect();
            ports.dedup();
            ports
        };
        SensorDetails {
            name: name.to_string(),
            address: kin.address.to_string(),
            maker: if kin.version.is_some() { "Livox" } else { "Velodyne" },
            model: about.model,
            assumed: about.assumed,
            others: about.others,
            evidence: about.evidence,
            return_mode: about.return_mode,
            firmware: about.firmware,
            serial: about.serial,
            source_ports: ports(|its| its.source),
            destination_ports: ports(|its| its.destination),
            packets: self.packets,
            points: about.points,
            alarms: about.alarms,
            duplicates: self.duplicates,
            lost,
        }
    }

    fn lost(&mut self) -> Option<LostDetails> {
        let received = self.packets;
        let all: Vec<&Lost> = self.order.iter_mut().filter_map(Sequence::finish).collect();
        let packets = all.iter().fold(0_u64, |sum, lost| sum.saturating_add(lost.packets));
        let mut gaps: Vec<_> = all.iter().flat_map(|lost| lost.spans.iter().copied()).collect();
        gaps.sort_unstable();
        gaps.truncate(crate::sequence::LISTED);
        let first_ns = gaps.first().map_or(0, |(from, ..)| *from);
        (packets > 0).then(|| LostDetails { packets, sent: received.saturating_add(packets), first_ns, gaps })
    }
}

impl fmt::Display for LostDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { packets, sent, first_ns, .. } = self;
        let tenths = packets.saturating_mul(1000).div_or_zero(*sent);
        let (percent, tenth) = (tenths / 10, tenths % 10);
        write!(f, "{} of {} packets (", Grouped(*packets), Grouped(*sent))?;
        match (percent, tenth) {
            (0, 0) => f.write_str("less than 0.1")?,
            (0..10, _) => write!(f, "{percent}.{tenth}")?,
            _ => write!(f, "{}", (tenths + 5) / 10)?,
        }
        let first = Timestamp::new(*first_ns, Clock::Unix).to_string();
        let time = first.split_once('T').map_or(&*first, |(_, time)| time);
        // To the tenth of a second.
        let shown = time.get(..10).unwrap_or(time).trim_end_matches('Z');
        write!(f, " %) never arrived, first at {shown}")
    }
}

/// A count with its noun.
struct Packets(u64);

impl fmt::Display for Packets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_one = self.0 == 1;
        write!(f, "{} {}", Grouped(self.0), if is_one { "packet was" } else { "packets were" })
    }
}

/// A number with its digits in threes.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}
