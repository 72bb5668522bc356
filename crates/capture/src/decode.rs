//! Converts packets to samples and counts.
//!
//! | sensor | channel | value |
//! |---|---|---|
//! | Livox, Velodyne | `ADDRESS/points` | point cloud: 50 ms of a Livox, a turn of a Velodyne |
//! | Livox | `ADDRESS/imu` | angular velocity and acceleration |
//! | Velodyne with a satellite receiver | `ADDRESS/gps/fix` | a fix for each of the receiver's sentences |
//! | | `ADDRESS/gps/time` | its date and time `utc`, the sensor's clock `past_hour`, the pulse `pps` |
//! | HDL-32E | `ADDRESS/imu` | angular velocity and acceleration |
//! | | `ADDRESS/imu/boards` | what each of its three boards measures, with temperatures |
//!
//! Sensors are told apart by address and ports; a second one at the same address is named `ADDRESS-2`. A packet captured
//! twice gives its samples once.
//!
//! Samples are stamped by the sensors' own clocks. A Livox with a synchronised clock provides the date itself, as in
//! LVX; other clocks are aligned by their minimum delay to the capture times. Fixes have the capture time.

mod causes;
mod clock;
mod count;
pub(crate) mod livox;
pub(crate) mod receiver;
pub(crate) mod velodyne;
mod watch;

use std::{collections::HashMap, net::Ipv4Addr, sync::Arc};

use koblenz_log::{CloudMaker, velodyne_packet::Model};
use robolog_core::{
    Limits, Result, Severity,
    format::{SurveyBuilder, Wanted},
    slices::OrZero as _,
};

use self::{
    causes::Causes,
    clock::CaptureClock,
    livox::Livox,
    velodyne::Velodyne,
    watch::{About, Watch},
};
pub use self::{
    count::Details,
    watch::{LostDetails, SensorDetails},
};
use super::{
    Capture, Datagram, Header, LateClock, Record,
    control::Identity,
    datagram::Dissector,
    payload::Payload,
    sensors::{Sender, Sensors},
};

/// Options for converting packets to samples.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// For packages of a Livox.
    pub livox: lvx::Options,
    /// For packets of a Velodyne, the same as in a Koblenz log.
    pub velodyne: koblenz_log::Options,
}

/// More LiDARs than any capture has.
const IDENTITIES: usize = 1 << 10;
/// Minimum bytes that each sensor may buffer, whatever their number: a packet or two.
const LEAST: usize = 4 << 10;

/// Makes samples and counts from packets: see [`robolog_core::format::Decoder`].
#[derive(Debug)]
pub struct Decoder {
    options: Options,
    dissector: Dissector,
    sensors: Sensors,
    /// Indexed by sensor number.
    lidars: Vec<Lidar>,
    watches: Vec<Watch>,
    causes: Causes,
    clock: CaptureClock,
    package: Vec<u8>,
    limits: Limits,
    /// The model of all LiDARs of a maker, if the user knows it.
    model: Option<lvx::Model>,
    velodyne: Option<Model>,
    /// Livox LiDARs whose clocks get the date late.
    late: Vec<LateClock>,
    /// What Livox LiDARs say about themselves, by address.
    identities: HashMap<Ipv4Addr, Identity>,
    /// Capture time of the first Livox package.
    start: Option<i64>,
    details: Details,
}

#[derive(Debug)]
enum Lidar {
    Livox(Box<Livox>),
    Velodyne(Box<Velodyne>),
}

impl robolog_core::format::Decoder for Decoder {
    type Format = Capture;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        Self {
            options,
            limits: header.limits,
            model: header.livox,
            velodyne: header.velodyne,
            late: header.late.clone(),
            identities: HashMap::new(),
            start: None,
            dissector: Dissector::default(),
            sensors: Sensors::default(),
            lidars: Vec::new(),
            watches: Vec::new(),
            causes: Causes::default(),
            clock: CaptureClock::default(),
            package: Vec::new(),
            details: Details::default(),
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        for LateClock { name, after_ns, .. } in &header.late {
            let ms = after_ns / 1_000_000;
            let message = format_args!(
                "{name}: its clock got the date after {ms} ms; earlier stamps continue it backwards"
            );
            notes.find(Severity::Note, "late-clock", 0, message);
        }
    }

    /// Packets from other devices than LiDARs give no samples.
    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if out.range().is_some() {
            // A capture is a single split.
            return Ok(());
        }
        let opened = match self.dissector.open(record) {
            Ok(Some(opened)) => opened,
            Ok(None) => return Ok(()),
            Err(error) => {
                let Some(notes) = out.notes() else { return Err(error) };
                notes.damage(&error, record.offset()..record.end());
                return Ok(());
            }
        };
        let (time_ns, datagram) = opened;
        self.causes.packet();
        if let Some(notes) = out.notes() {
            self.clock.push(time_ns, record.offset(), notes);
        }
        let datagram = match datagram {
            Ok(datagram) => datagram,
            Err(why) => {
                self.causes.unread(why, record.offset());
                return Ok(());
            }
        };
        let payload = Payload::of(&datagram, &mut self.package)?;
        self.details.count(payload);
        if payload == Payload::Other {
            if let Some(identity) = Identity::of(datagram.payload) {
                self.meet(datagram.source, identity);
            }
            self.causes.foreign(&datagram, record.offset());
            return Ok(());
        }
        self.take(&datagram, payload, record.offset(), out)
    }

    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let mut outcome = Ok(());
        for lidar in &mut self.lidars {
            outcome = outcome.and(match lidar {
                Lidar::Livox(livox) => livox.flush(out),
                Lidar::Velodyne(velodyne) => velodyne.finish(out),
            });
        }
        outcome
    }

    fn details(mut self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.velodynes().for_each(|velodyne| velodyne.note(notes));
        let has_read = self.details.sdk1_packets + self.details.sdk2_packets > 0
            || self.velodynes().any(Velodyne::gives_samples);
        self.causes.note(has_read || self.details.has_lidar(), notes);
        if !has_read && self.details.has_lidar() {
            let n = self.details.velodyne_packets;
            let line = match n {
                0 => "the packets of the LiDAR have neither points nor sentences".to_owned(),
                1 => "1 packet of a Velodyne, which does not name its model".to_owned(),
                n => format!("{n} packets of a Velodyne, which do not name its model"),
            };
            notes.find(Severity::Warning, causes::NOTHING_READ, 0, line);
        }
        for (number, watch) in self.watches.iter_mut().enumerate() {
            let about = self.lidars.get(number).map(Lidar::about).unwrap_or_default();
            if let Some(sensor) = self.sensors.get(number) {
                let details = watch.details(sensor, about, notes);
                self.details.duplicates += details.duplicates;
                self.details.sensors.push(details);
            }
        }
        (self.details.variant(), self.details)
    }
}

impl Lidar {
    /// What its packets say about it.
    fn about(&self) -> About {
        match self {
            Self::Livox(livox) => livox.about(),
            Self::Velodyne(velodyne) => velodyne.about(),
        }
    }
}

impl Decoder {
    /// If nothing was from a LiDAR so far: what the capture has instead, and why it is not read.
    pub fn unread(&self) -> Option<(&'static str, &'static str)> {
        if !self.details.has_lidar() {
            return self.causes.main();
        }
        let is_unknown = self.details.sdk1_packets + self.details.sdk2_packets == 0
            && self.details.velodyne_packets > 0
            && !self.velodynes().any(Velodyne::gives_samples);
        is_unknown.then_some(("the packets of a Velodyne", "they do not name its model"))
    }

    /// Registers what a Livox at this address says about itself.
    fn meet(&mut self, address: Ipv4Addr, identity: Identity) {
        for lidar in &mut self.lidars {
            if let Lidar::Livox(livox) = lidar
                && livox.address() == address
            {
                livox.tell(identity.clone());
            }
        }
        if self.identities.len() < IDENTITIES || self.identities.contains_key(&address) {
            self.identities.entry(address).or_default().join(identity);
        }
    }

    /// The converters to clouds of each Velodyne.
    pub fn clouds(&self) -> impl Iterator<Item = &CloudMaker> {
        self.velodynes().filter_map(Velodyne::maker)
    }

    fn velodynes(&self) -> impl Iterator<Item = &Velodyne> {
        self.lidars.iter().filter_map(|lidar| match lidar {
            Lidar::Velodyne(velodyne) => Some(&**velodyne),
            Lidar::Livox(_) => None,
        })
    }

    /// Processes a datagram with this payload; a Livox package is in `self.package`.
    fn take(
        &mut self,
        datagram: &Datagram<'_>,
        payload: Payload,
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let Self {
            options,
            sensors,
            lidars,
            watches,
            package,
            limits,
            model,
            velodyne,
            late,
            start,
            identities,
            ..
        } = self;
        let Some(Sender { number, name }) = sensors.of(datagram, payload, package) else { return Ok(()) };
        let time_ns = datagram.time_ns;
        if number >= watches.len() {
            watches.push(Watch::new(offset));
        }
        if let Some(watch) = watches.get_mut(number)
            && watch.repeats(datagram, payload, package, out.notes().is_some())
        {
            return Ok(());
        }
        if number >= lidars.len() {
            let name = Arc::clone(name);
            let livox = |version, start: &mut Option<i64>| {
                let start = *start.get_or_insert(time_ns);
                let mut livox = Livox::new(name.clone(), datagram, version, options.livox, start);
                livox.set_model(*model);
                livox.set_late(late);
                if let Some(identity) = identities.get(&datagram.source) {
                    livox.tell(identity.clone());
                }
                Lidar::Livox(Box::new(livox))
            };
            lidars.push(match payload {
                Payload::Points(version) | Payload::Imu(version) => livox(version, start),
                Payload::Spread => livox(lvx::Version::V2_0, start),
                // When counting, clouds are counted without being made.
                _ if out.wants_values() => {
                    let mut options = options.velodyne.velodyne.clone();
                    options.model = options.model.or(*velodyne);
                    Lidar::Velodyne(Box::new(Velodyne::new(name, options)))
                }
                _ => Lidar::Velodyne(Box::new(Velodyne::counting(name, *velodyne))),
            });
            // All sensors together buffer no more than a single one could.
            let each = limits.record.div_or_zero(lidars.len()).max(LEAST);
            let limits = limits.with_record(each);
            for lidar in &mut *lidars {
                match lidar {
                    Lidar::Livox(livox) => livox.set_limits(limits),
                    Lidar::Velodyne(velodyne) => velodyne.set_limits(limits),
                }
            }
        }
        if let Some(Lidar::Livox(livox)) = lidars.get_mut(number) {
            livox.see(datagram, payload, package);
        }
        match (lidars.get_mut(number), payload) {
            (Some(Lidar::Livox(livox)), Payload::Imu(lvx::Version::V2_0)) => {
                livox.imu(datagram.payload, time_ns, offset, out)
            }
            (Some(Lidar::Livox(livox)), _) => livox.push(package, time_ns, offset, out),
            (Some(Lidar::Velodyne(velodyne)), Payload::Position) => {
                velodyne.position(datagram.payload, time_ns, offset, out)
            }
            (Some(Lidar::Velodyne(velodyne)), _) => velodyne.push(datagram.payload, (time_ns, offset), out),
            (None, _) => Ok(()),
        }
    }
}
