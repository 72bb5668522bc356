//! What a capture holds of LiDARs.

use robolog_core::{Error, Notes, Result, Sample, Sampling, Severity};

use super::{Capture, Header, Record, Sampler, payload::Payload};

/// What only a capture records.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// UDP datagrams, of whatever kind.
    pub datagrams: u64,
    /// Packets of SDK 1, which LVX 1.1 holds.
    pub sdk1_packets: u64,
    /// Packets of SDK 2.
    pub sdk2_packets: u64,
    /// Packets of SDK 2 for which LVX2 has no place: inertial measurements and uncommon forms.
    pub sdk2_left_out: u64,
    /// Packets of a Velodyne.
    pub velodyne_packets: u64,
    /// Packets with the position of a Velodyne's receiver.
    pub position_packets: u64,
}

/// Counts packets and the samples that they make: see [`robolog_core::survey`].
#[derive(Debug)]
pub struct Survey {
    details: Details,
    /// Counts are those of the samples that it delivers.
    sampler: Sampler,
}

impl robolog_core::Surveying for Survey {
    type Format = Capture;
    type Details = Details;

    fn new(header: &Header, _: &mut Notes) -> Self {
        Self { details: Details::default(), sampler: Sampler::counting(header) }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        let datagram = match self.sampler.dissector.datagram(record) {
            Ok(Some(datagram)) => datagram,
            Ok(None) => return,
            Err(error) => return notes.damage(&error, record.offset()..record.end()),
        };
        let outcome = Payload::of(&datagram, &mut self.sampler.package).and_then(|payload| {
            self.count(payload);
            let count = &mut |sample: &mut Sample| {
                notes.sample(sample);
                Ok(())
            };
            self.sampler.take::<Error>(&datagram, payload, record.offset(), count)
        });
        self.counted(outcome, notes);
    }

    fn finish(mut self, notes: &mut Notes) -> (String, Details) {
        let outcome = self.sampler.finish::<Error>(&mut |sample| {
            notes.sample(sample);
            Ok(())
        });
        self.counted(outcome, notes);
        self.sampler.velodynes().for_each(|velodyne| velodyne.note(notes));
        let details = self.details;
        let livox = match (details.sdk1_packets, details.sdk2_packets) {
            (0, 0) => None,
            (_, 0) => Some("Livox SDK 1"),
            (0, _) => Some("Livox SDK 2"),
            _ => Some("Livox SDK 1 and 2"),
        };
        let packets = details.velodyne_packets + details.position_packets;
        let velodyne = (packets > 0).then_some("Velodyne");
        let variant = match (livox, velodyne) {
            (None, None) => "capture without LiDARs".to_owned(),
            (Some(one), None) | (None, Some(one)) => format!("capture of {one}"),
            (Some(livox), Some(velodyne)) => format!("capture of {livox} and {velodyne}"),
        };
        (variant, details)
    }
}

impl Survey {
    /// Notes the counted clouds, and the error that ended the count.
    fn counted(&mut self, outcome: Result<()>, notes: &mut Notes) {
        for (channel, cloud) in self.sampler.counted.drain(..) {
            match cloud {
                Ok(cloud) => notes.count(&channel, "point_cloud", cloud.points as u64, cloud.time),
                Err(error) => notes.find(Severity::Warning, "velodyne", error.offset(), error),
            }
        }
        if let Err(error) = outcome {
            notes.damage(&error, 0..0);
        }
    }

    fn count(&mut self, payload: Payload) {
        let Details {
            datagrams,
            sdk1_packets,
            sdk2_packets,
            sdk2_left_out,
            velodyne_packets,
            position_packets,
        } = &mut self.details;
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
}
