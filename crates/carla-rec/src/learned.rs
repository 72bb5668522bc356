//! What the packets read so far show of the dialect.

use std::{io::Read, mem, ops::Range};

use robolog_core::{
    Error, Event, Result,
    layout::{LayoutWith as _, Packed as _},
    slices::{InRange as _, Part as _, length},
};

use crate::{
    Dialect, Kind, Payload, PhysicsControl, Record, StreamReader,
    layout::{Biker, Door, Layout, Weather, Width},
    parts::Wheels,
    rows::Rows,
};

/// Reads packets in file order, and learns from each how the others are read.
///
/// Once a packet has shown what an id means, a body that cannot be read so is damaged. Bodies that came before and fit
/// nothing are remembered: they turn out to be damaged when the meaning of their id is known. If it never is, they may
/// be sound packets of a fork.
#[derive(Debug, Clone, Default)]
pub(crate) struct Learned {
    /// What the caller said.
    given: Dialect,
    pub(crate) dialect: Dialect,
    /// Where each field of the dialect was found.
    pub(crate) evidence: Vec<String>,
    /// The id of the last packet, and where it ends: an open kind also shows by its place in the frame.
    previous: (u8, u64),
    /// Packets that could not be read so far: id and location.
    puzzles: Vec<(u8, Range<u64>)>,
    /// Those that turned out to be damaged, not reported so far.
    faults: Vec<Fault>,
}

/// Reads a recording to its end for what its packets show of the dialect. With it in the header, each packet can be read
/// by itself, and a body that does not fit is damaged. Returns an error only if the stream fails.
///
/// ```
/// let dialect = carla_rec::learn(&mut carla_rec::open("examples/v0_9_15.log")?)?;
/// let mut reader = carla_rec::open("examples/v0_9_15.log")?;
/// reader.header_mut().dialect = dialect;
/// while let Some(packet) = reader.next_record()? {
///     packet.decode()?;
/// }
/// # Ok::<(), carla_rec::Error>(())
/// ```
pub fn learn<R: Read>(reader: &mut StreamReader<R>) -> Result<Dialect> {
    let mut learned = Learned::new(reader.header().dialect);
    loop {
        match reader.next_event()? {
            Event::Record(record) => learned.observe(&record),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    let mut dialect = learned.for_rows();
    for id in 21..=24 {
        let kind = learned.kind(id);
        let shift = usize::from(id.minus(21));
        if let Some(slot) = dialect.shifting.get_mut(shift) {
            *slot = slot.or(kind);
        }
    }
    Ok(dialect)
}

/// A packet that turned out to be damaged.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// Bytes of the packet.
    pub(crate) lost: Range<u64>,
    kind: Kind,
}

/// Maximum number of packets remembered.
const PUZZLES: usize = 1 << 12;

/// Kinds of packets 21 to 24, by all known writers. The id of one shows those of all.
const ORDERS: [[Option<Kind>; 4]; 2] = [
    [Some(Kind::AnimVehicleWheels), Some(Kind::AnimBiker), Some(Kind::VehicleDoor), Some(Kind::Weather)],
    [Some(Kind::VehicleDoor), Some(Kind::AnimVehicleWheels), Some(Kind::AnimBiker), None],
];

impl Fault {
    pub(crate) fn error(&self) -> Error {
        let expected = format_args!("that of whole records of {}", self.kind.name());
        let size = length(&self.lost);
        Error::invalid("packet size", size, expected, self.lost.start).within("CARLA packet")
    }
}

impl Learned {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self { given: dialect, dialect, ..Self::default() }
    }

    /// Reads the next packet. Returns an error if it is damaged, as far as is known by now.
    #[inline]
    pub(crate) fn decode<'a>(&mut self, record: &Record<'a>) -> Result<Payload<'a>> {
        let kind = match record.id() {
            id @ 21..=24 => self.dialect.kind(id).unwrap_or_else(|| self.recognise(record)),
            id => Kind::of(id, record.body(), &self.dialect),
        };
        self.pass(record);
        let payload = self.parse(kind, record.body(), record.body_offset())?;
        self.learn(record, &payload);
        Ok(payload)
    }

    #[inline]
    fn parse<'a>(&self, kind: Kind, body: &'a [u8], offset: u64) -> Result<Payload<'a>> {
        // Whether the engine in a physics packet is one of UE5 follows from the width of vectors learned so far.
        let known = if kind == Kind::PhysicsControl { &self.dialect } else { &self.given };
        Payload::with_vectors(known.vector, kind, body, &self.dialect, offset)
    }

    /// The dialect for packets with vectors, whose width is found from each packet unless the caller gave it.
    #[inline]
    pub(crate) fn for_rows(&self) -> Dialect {
        Dialect { vector: self.given.vector, ..self.dialect }
    }

    /// Notes the place of a packet that need not be read.
    pub(crate) fn pass(&mut self, record: &Record<'_>) {
        self.previous = (record.id(), record.raw.end());
    }

    /// Reads a packet only for what it shows of the dialect.
    pub(crate) fn observe(&mut self, record: &Record<'_>) {
        let is_open = match record.id() {
            2 => self.dialect.vector.is_none() || self.dialect.attribute_base.is_none(),
            6 | 12 | 13 | 17 => self.dialect.vector.is_none(),
            15 => true,
            id @ 21..=24 => self.dialect.kind(id).is_none(),
            _ => false,
        };
        if is_open {
            drop(self.decode(record));
        } else {
            self.pass(record);
        }
    }

    /// The kind of packets with this id: shown by one of them, or by those of other ids.
    pub(crate) fn kind(&self, id: u8) -> Option<Kind> {
        let known = self.dialect.kind(id);
        known.or_else(|| match id {
            15 if self.dialect.vector == Some(Width::F32) || self.dialect.wheel_bytes.is_some() => {
                Some(Kind::PhysicsControl)
            }
            21..=24 => self.implied(id),
            _ => None,
        })
    }

    fn implied(&self, id: u8) -> Option<Kind> {
        let known = &self.dialect.shifting;
        let agrees = |order: &&[Option<Kind>; 4]| {
            let mut told = known.iter().zip(*order).filter(|(known, _)| known.is_some()).peekable();
            told.peek().is_some() && told.all(|(known, kind)| known == kind)
        };
        let order = ORDERS.iter().find(agrees)?;
        order.get(usize::from(id.checked_sub(21)?)).copied().flatten()
    }

    /// Whether packets wait for the meaning of their id.
    pub(crate) fn is_puzzled(&self) -> bool {
        !self.puzzles.is_empty()
    }

    /// Ids of packets that cannot be read and whose meaning nothing has shown, with the first of each.
    pub(crate) fn puzzles(&self) -> impl Iterator<Item = &(u8, Range<u64>)> {
        let first = |(i, puzzle): &(usize, &(u8, Range<u64>))| {
            !self.puzzles.iter().take(*i).any(|(id, _)| *id == puzzle.0)
        };
        self.puzzles.iter().enumerate().filter(first).map(|(_, puzzle)| puzzle)
    }

    /// A packet that turned out to be damaged.
    pub(crate) fn fault(&mut self) -> Option<Fault> {
        self.faults.pop()
    }

    /// Whether a packet can be read as its kind, if that is known.
    pub(crate) fn can_read(&self, id: u8, body: &[u8]) -> bool {
        let kind = self.kind(id);
        kind.is_none_or(|kind| self.parse(kind, body, 0).is_ok())
    }

    /// Kind of a packet of 21 to 24 whose id is open.
    #[cold]
    fn recognise(&mut self, record: &Record<'_>) -> Kind {
        let (id, body) = (record.id(), record.body());
        let is_behind_collisions = self.previous == (5, record.offset());
        if body == [0, 0] {
            return if is_behind_collisions {
                self.settle(record, Kind::VehicleDoor, "it lies behind the collisions")
            } else {
                Kind::Unknown
            };
        }
        let implied = self.implied(id);
        let usual = match (id, implied) {
            (_, Some(kind)) => [Some(kind), None],
            (21 | 23, None) if is_behind_collisions => [Some(Kind::VehicleDoor), None],
            (21, None) => [Some(Kind::AnimVehicleWheels), Some(Kind::Weather)],
            (22, None) => [Some(Kind::AnimVehicleWheels), Some(Kind::AnimBiker)],
            (23, None) => [Some(Kind::AnimBiker), None],
            _ => [Some(Kind::Weather), None],
        };
        let found = usual.into_iter().flatten().find(|kind| is_read_as(*kind, body));
        // Forks have these kinds under other ids.
        match found.or_else(|| Kind::of_shifting(body).filter(|kind| is_plausible(*kind, body))) {
            Some(kind) => self.settle(record, kind, "so its records fill it"),
            None => implied.unwrap_or_else(|| self.puzzle(record)),
        }
    }

    fn puzzle(&mut self, record: &Record<'_>) -> Kind {
        if self.puzzles.len() < PUZZLES {
            self.puzzles.push((record.id(), record.offset()..record.raw.end()));
        }
        Kind::Unknown
    }

    fn settle(&mut self, record: &Record<'_>, kind: Kind, why: &str) -> Kind {
        let (id, at) = (record.id(), record.offset());
        let shift = id.checked_sub(21).map(usize::from);
        if let Some(slot) = shift.and_then(|shift| self.dialect.shifting.get_mut(shift)) {
            *slot = Some(kind);
        }
        self.resolve(format!("packet {id} is {}: {why} at {at:#x}", kind.name()));
        kind
    }

    /// Adds evidence, which may show that earlier packets are damaged.
    fn resolve(&mut self, evidence: String) {
        self.evidence.push(evidence);
        for (id, lost) in mem::take(&mut self.puzzles) {
            match self.kind(id) {
                Some(kind) => self.faults.push(Fault { lost, kind }),
                None => self.puzzles.push((id, lost)),
            }
        }
    }

    #[inline]
    fn learn(&mut self, record: &Record<'_>, payload: &Payload<'_>) {
        match payload {
            Payload::EventAdd(_)
            | Payload::Position(_)
            | Payload::Kinematics(_)
            | Payload::BoundingBox(_)
            | Payload::TriggerVolume(_)
            | Payload::PhysicsControl(_) => self.learn_sizes(record, payload),
            _ => {}
        }
    }

    fn learn_sizes(&mut self, record: &Record<'_>, payload: &Payload<'_>) {
        let at = record.offset();
        if let Payload::EventAdd(additions) = payload
            && self.dialect.attribute_base.is_none()
        {
            let mut additions = additions.into_iter().map_while(Result::ok);
            if let Some((base, addition)) = additions.find_map(|a| Some((a.attributes.base()?, a))) {
                self.dialect.attribute_base = Some(base);
                let (actor, at) = (addition.id, addition.offset);
                let evidence =
                    format!("attribute types count from {base}: those of actor {actor} at {at:#x}");
                self.resolve(evidence);
            }
        }
        if self.dialect.vector.is_none()
            && let Some(width) = payload.width()
        {
            self.dialect.vector = Some(width);
            let (bits, kind) = (width.bits(), record.kind().name());
            self.resolve(format!(
                "numbers of vectors have {bits} bits: so they fill the {kind} packet at {at:#x}"
            ));
        }
        if let Payload::PhysicsControl(physics) = payload
            && self.dialect.wheel_bytes.is_none()
        {
            if let Some(bytes) = physics.wheel_bytes() {
                self.dialect.wheel_bytes = Some(bytes);
                self.resolve(format!(
                    "wheels take {bytes} bytes: so they fill the PhysicsControl packet at {at:#x}"
                ));
            } else if (*physics).into_iter().any(|control| matches!(control, PhysicsControl::Unknown(_))) {
                self.puzzle(record);
            }
        }
    }
}

/// Whether records of this kind fill the body.
fn is_read_as(kind: Kind, body: &[u8]) -> bool {
    match kind {
        Kind::AnimVehicleWheels => Wheels::parse(body, 0).is_ok_and(|wheels| !wheels.is_empty()),
        Kind::VehicleDoor => is_filled::<Door>(body),
        Kind::AnimBiker => is_filled::<Biker>(body),
        _ => is_filled::<Weather>(body),
    }
}

fn is_filled<T: Layout>(body: &[u8]) -> bool {
    Rows::<T>::parse(body, None, 0).is_ok_and(|rows| !rows.is_empty())
}

/// Whether the records of a body have values of this kind: by its length alone it may be another.
fn is_plausible(kind: Kind, body: &[u8]) -> bool {
    let records = body.part(u16::LEN..);
    match kind {
        Kind::AnimVehicleWheels => Wheels::parse(body, 0)
            .is_ok_and(|all| all.into_iter().all(|v| v.wheels.iter().all(|w| w.location < 8))),
        Kind::VehicleDoor => {
            records.chunks(Door::len(Width::F32)).all(|row| matches!(row, [_, _, _, _, 0..=6, 0 | 1]))
        }
        Kind::AnimBiker => Rows::<Biker>::parse(body, None, 0)
            .is_ok_and(|rows| rows.iter().all(|b| is_number(b.speed) && is_number(b.engine_rotation))),
        _ => records.as_chunks().0.iter().all(|number| is_number(f32::from_le_bytes(*number))),
    }
}

/// Whether four bytes look like a measured number, rather than an integer or text.
fn is_number(number: f32) -> bool {
    number == 0.0 || (1e-9..1e7).contains(&number.abs())
}
