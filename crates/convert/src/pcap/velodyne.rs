//! Samples of a Velodyne in a capture.

use std::{io::Cursor, sync::Arc};

use koblenz_log::{
    Header, Payload, Reader, VelodyneData, Writer, layout::PACKET_LEN, velodyne_packet::Packet,
};
use robolog_core::{Clock, Error, Result, Sample, Sampling, Timestamp};

use super::receiver::Receiver;

const SECOND: i64 = 1_000_000_000;
/// More packets than any head sends in a turn.
const MOST_PACKETS: usize = 4096;
/// What the sampler calls the channels of a Velodyne.
const PREFIX: &str = "velodyne";

/// Gathers the packets of one head by turns, and makes clouds of those.
#[derive(Debug)]
pub(super) struct Velodyne {
    name: Arc<str>,
    sampler: koblenz_log::Sampler,
    /// Nanoseconds of unix time from which the sampler's stamps count: a whole second before the first packet.
    zero: i64,
    packets: Vec<u8>,
    /// Time and rotation of the last packet, and where the first lies.
    last: Option<(i64, u16)>,
    offset: u64,
    receiver: Receiver,
}

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

impl Velodyne {
    /// For a head whose first packet was captured at `time_ns`.
    pub(super) fn new(name: Arc<str>, time_ns: i64, options: koblenz_log::Options) -> Self {
        let zero = time_ns.saturating_sub(time_ns.rem_euclid(SECOND)).saturating_sub(SECOND);
        let sampler = koblenz_log::Sampler::new(&Header::new(1), options);
        Self {
            name,
            sampler,
            zero,
            packets: Vec::new(),
            last: None,
            offset: 0,
            receiver: Receiver::default(),
        }
    }

    /// Takes a packet that was captured at `time_ns`, in the record at `offset`.
    pub(super) fn push<E: From<Error>>(
        &mut self,
        payload: &[u8],
        time_ns: i64,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let Ok(packet) = <&[u8; PACKET_LEN]>::try_from(payload) else { return Ok(()) };
        let rotation = Packet::new(packet).blocks().next().map_or(0, |block| block.rotation());
        let has_turned = self.last.is_some_and(|(_, before)| rotation < before);
        if has_turned || self.packets.len() >= MOST_PACKETS.saturating_mul(PACKET_LEN) {
            self.turn(sink)?;
        }
        if self.packets.is_empty() {
            self.offset = offset;
        }
        self.packets.extend_from_slice(packet);
        self.last = Some((time_ns, rotation));
        Ok(())
    }

    /// Takes a position packet.
    pub(super) fn position<E: From<Error>>(
        &mut self,
        payload: &[u8],
        time_ns: i64,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        self.receiver.take(payload, &self.name, (time_ns, offset), sink)
    }

    /// Delivers all that is left.
    pub(super) fn finish<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        self.turn(sink)?;
        let Self { name, sampler, zero, offset, .. } = self;
        sampler.finish::<E>(&mut |sample| deliver(sample, name, *zero, *offset, sink))
    }

    /// Hands the packets to the sampler as a message of a log, which is stamped with the time of its last packet.
    fn turn<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let Some((time, _)) = self.last.filter(|_| !self.packets.is_empty()) else { return Ok(()) };
        let claimed = u32::try_from(self.packets.len().wrapping_div(PACKET_LEN)).unwrap_or(u32::MAX);
        #[expect(clippy::cast_precision_loss, reason = "the log's times are doubles")]
        let milliseconds = time.saturating_sub(self.zero) as f64 / 1e6;
        let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(1))?;
        let data = Payload::Velodyne(VelodyneData { claimed, data: &self.packets });
        writer.write_payload(milliseconds, &data)?;
        let log = writer.finish()?.into_inner();
        self.packets.clear();
        let Self { name, sampler, zero, offset, .. } = self;
        for message in Reader::new(&log)?.records() {
            sampler.push::<E>(&message?, &mut |sample| deliver(sample, name, *zero, *offset, sink))?;
        }
        Ok(())
    }
}

/// Delivers a sample with the sensor's name, its time and its place in the capture.
fn deliver<E>(
    sample: &mut Sample,
    name: &Arc<str>,
    zero: i64,
    offset: u64,
    sink: Sink<'_, E>,
) -> Result<(), E> {
    // The sampler lends the same sample again, and names it once.
    let (channel, frame_id) = (Arc::clone(&sample.channel), Arc::clone(&sample.frame_id));
    let (time, at) = (sample.time, sample.offset);
    let rest = channel.strip_prefix(PREFIX).unwrap_or(&channel);
    sample.channel = format!("{name}/{}", rest.trim_start_matches('/')).into();
    sample.frame_id = Arc::clone(name);
    sample.time = time.map(|time| Timestamp::new(time.nanos().saturating_add(zero), Clock::Unix));
    sample.offset = offset;
    let outcome = sink(sample);
    (sample.channel, sample.frame_id, sample.time, sample.offset) = (channel, frame_id, time, at);
    outcome
}
