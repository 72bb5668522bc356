//! Samples of a Velodyne in a capture.

use std::sync::Arc;

use koblenz_log::{
    Cloud, CloudCounter, CloudMaker, VelodyneOptions, layout::PACKET_LEN, velodyne_packet::Packet,
};
use robolog_core::{Clock, Error, Result, Sample, Timestamp};

use super::receiver::Receiver;

/// More packets than any head sends in a turn.
const MOST_PACKETS: usize = 4096;

/// Gathers the packets of one head by turns, and makes or counts the clouds of those.
#[derive(Debug)]
pub(super) struct Velodyne {
    name: Arc<str>,
    clouds: Clouds,
    packets: Vec<[u8; PACKET_LEN]>,
    /// Time and rotation of the last packet, and where the first lies.
    last: Option<(i64, u16)>,
    offset: u64,
    receiver: Receiver,
}

#[derive(Debug)]
enum Clouds {
    Made(Box<CloudMaker>),
    Counted { counter: Box<CloudCounter>, channel: Arc<str> },
}

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

/// Clouds that were counted, with their channels, or why there are none: the sensor is unknown.
pub(super) type Counted = Vec<(Arc<str>, Result<Cloud>)>;

impl Velodyne {
    /// Makes the clouds of the head of this name.
    pub(super) fn new(name: Arc<str>, options: VelodyneOptions) -> Self {
        let maker = CloudMaker::new(options).with_name(&name);
        Self::with(name, Clouds::Made(Box::new(maker)))
    }

    /// Counts the clouds of the head of this name.
    pub(super) fn counting(name: Arc<str>) -> Self {
        let channel = format!("{name}/points").into();
        Self::with(name, Clouds::Counted { counter: Box::default(), channel })
    }

    fn with(name: Arc<str>, clouds: Clouds) -> Self {
        Self { name, clouds, packets: Vec::new(), last: None, offset: 0, receiver: Receiver::default() }
    }

    /// Takes a packet that was captured at `time_ns`, in the record at `offset`.
    pub(super) fn push<E: From<Error>>(
        &mut self,
        payload: &[u8],
        (time_ns, offset): (i64, u64),
        counted: &mut Counted,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let Ok(packet) = <&[u8; PACKET_LEN]>::try_from(payload) else { return Ok(()) };
        let rotation = Packet::new(packet).blocks().next().map_or(0, |block| block.rotation());
        let has_turned = self.last.is_some_and(|(_, before)| rotation < before);
        if has_turned || self.packets.len() >= MOST_PACKETS {
            self.turn(counted, sink)?;
        }
        if self.packets.is_empty() {
            self.offset = offset;
        }
        // A push would copy it twice.
        self.packets.extend_from_slice(std::slice::from_ref(packet));
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
    pub(super) fn finish<E: From<Error>>(
        &mut self,
        counted: &mut Counted,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        self.turn(counted, sink)?;
        match &mut self.clouds {
            Clouds::Made(maker) => maker.finish(sink),
            Clouds::Counted { counter, channel } => {
                let outcome = counter.finish(|cloud| counted.push((Arc::clone(channel), Ok(cloud))));
                counted.extend(outcome.err().map(|error| (Arc::clone(channel), Err(error))));
                Ok(())
            }
        }
    }

    /// Hands over the packets of a turn, which has the time of its last packet.
    fn turn<E: From<Error>>(&mut self, counted: &mut Counted, sink: Sink<'_, E>) -> Result<(), E> {
        let Some((time_ns, _)) = self.last.filter(|_| !self.packets.is_empty()) else { return Ok(()) };
        let time = Some(Timestamp::new(time_ns, Clock::Unix));
        let outcome = match &mut self.clouds {
            Clouds::Made(maker) => maker.push(&self.packets, self.offset, time, sink),
            Clouds::Counted { counter, channel } => {
                let each = |cloud| counted.push((Arc::clone(channel), Ok(cloud)));
                let outcome = counter.push(&self.packets, self.offset, time, each);
                counted.extend(outcome.err().map(|error| (Arc::clone(channel), Err(error))));
                Ok(())
            }
        };
        self.packets.clear();
        outcome
    }
}
