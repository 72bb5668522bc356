//! Samples of the LiDARs in a capture.
//!
//! | sensor | channel | value |
//! |---|---|---|
//! | Livox, Velodyne | `ADDRESS/points` | point cloud: 50 ms of a Livox, a turn of a Velodyne |
//! | Livox | `ADDRESS/imu` | angular velocity and acceleration |
//! | Velodyne with a satellite receiver | `ADDRESS/gps/fix` | a fix for each of the receiver's sentences |
//! | | `ADDRESS/gps/time` | its date and time `utc`, the sensor's clock `past_hour`, the pulse `pps` |
//!
//! A second sensor at the same address is called `ADDRESS-2`.
//!
//! Samples are stamped by the sensors' own clocks. A Livox whose clock is set says the date itself, as it does in LVX; other
//! clocks are placed by the least delay between them and the times of capture. Fixes have the time of capture.

pub(crate) mod livox;
pub(crate) mod receiver;
pub(crate) mod velodyne;

use koblenz_log::CloudMaker;
use robolog_core::{Error, Limits, Result, Sample};

use self::{
    livox::Livox,
    velodyne::{Counted, Velodyne},
};
use super::{
    Capture, Datagram, Header, Record,
    datagram::Dissector,
    payload::{Payload, Sensors},
};

/// What can be chosen when packets become samples.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// For packages of a Livox.
    pub livox: lvx::Options,
    /// For packets of a Velodyne, as for those in a Koblenz log.
    pub velodyne: koblenz_log::Options,
}

/// Bytes that a sensor may hold, however many there are: a packet or two.
const LEAST: usize = 4 << 10;

/// Makes samples of packets: see [`robolog_core::Sampling`].
#[derive(Debug)]
pub struct Sampler {
    options: Options,
    pub(super) dissector: Dissector,
    sensors: Sensors,
    /// By the number of the sensor.
    lidars: Vec<Lidar>,
    pub(super) package: Vec<u8>,
    limits: Limits,
    /// When the first package of a Livox was captured.
    start: Option<i64>,
    /// For a survey: clouds of a Velodyne are counted and not made.
    is_counting: bool,
    /// What was counted since it was taken last.
    pub(super) counted: Counted,
}

#[derive(Debug)]
enum Lidar {
    Livox(Box<Livox>),
    Velodyne(Box<Velodyne>),
}

impl robolog_core::Sampling for Sampler {
    type Format = Capture;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        Self {
            options,
            limits: header.limits,
            start: None,
            dissector: Dissector::default(),
            sensors: Sensors::default(),
            lidars: Vec::new(),
            package: Vec::new(),
            is_counting: false,
            counted: Vec::new(),
        }
    }

    /// Packets of no LiDAR give no samples.
    fn push<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(datagram) = self.dissector.datagram(record)? else { return Ok(()) };
        let payload = Payload::of(&datagram, &mut self.package)?;
        self.take(&datagram, payload, record.offset(), sink)
    }

    fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut outcome = Ok(());
        for lidar in &mut self.lidars {
            outcome = outcome.and(match lidar {
                Lidar::Livox(livox) => livox.flush(sink),
                Lidar::Velodyne(velodyne) => velodyne.finish(&mut self.counted, sink),
            });
        }
        outcome
    }
}

impl Sampler {
    /// One that counts the clouds of Velodynes.
    pub(super) fn counting(header: &Header) -> Self {
        Self { is_counting: true, ..robolog_core::Sampling::new(header, Options::default()) }
    }

    /// What makes the clouds of each Velodyne.
    pub fn clouds(&self) -> impl Iterator<Item = &CloudMaker> {
        self.velodynes().filter_map(Velodyne::maker)
    }

    pub(super) fn velodynes(&self) -> impl Iterator<Item = &Velodyne> {
        self.lidars.iter().filter_map(|lidar| match lidar {
            Lidar::Velodyne(velodyne) => Some(&**velodyne),
            Lidar::Livox(_) => None,
        })
    }

    /// Takes a datagram with this payload; a package of a Livox is in `self.package`.
    pub(super) fn take<E: From<Error>>(
        &mut self,
        datagram: &Datagram<'_>,
        payload: Payload,
        offset: u64,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { options, sensors, lidars, package, limits, start, is_counting, counted, .. } = self;
        let Some((number, name)) = sensors.of(datagram, payload, package) else { return Ok(()) };
        let time_ns = datagram.time_ns;
        if number >= lidars.len() {
            let livox = |version, start: &mut Option<i64>| {
                let start = *start.get_or_insert(time_ns);
                Lidar::Livox(Box::new(Livox::new(
                    name.clone(),
                    datagram.source,
                    version,
                    options.livox,
                    start,
                )))
            };
            lidars.push(match payload {
                Payload::Points(version) | Payload::Imu(version) => livox(version, start),
                Payload::Spread => livox(lvx::Version::V2_0, start),
                _ if *is_counting => Lidar::Velodyne(Box::new(Velodyne::counting(name))),
                _ => Lidar::Velodyne(Box::new(Velodyne::new(name, options.velodyne.velodyne.clone()))),
            });
            // All of them together hold no more than one could.
            let each = limits.record.checked_div(lidars.len()).unwrap_or_default().max(LEAST);
            let limits = limits.with_record(each);
            for lidar in &mut *lidars {
                match lidar {
                    Lidar::Livox(livox) => livox.set_limits(limits),
                    Lidar::Velodyne(velodyne) => velodyne.set_limits(limits),
                }
            }
        }
        match (lidars.get_mut(number), payload) {
            (Some(Lidar::Livox(livox)), Payload::Imu(lvx::Version::V2_0)) => {
                livox.imu(datagram.payload, time_ns, offset, sink)
            }
            (Some(Lidar::Livox(livox)), _) => livox.push(package, time_ns, offset, sink),
            (Some(Lidar::Velodyne(velodyne)), Payload::Position) => {
                velodyne.position(datagram.payload, time_ns, offset, sink)
            }
            (Some(Lidar::Velodyne(velodyne)), _) => {
                velodyne.push(datagram.payload, (time_ns, offset), counted, sink)
            }
            (None, _) => Ok(()),
        }
    }
}
