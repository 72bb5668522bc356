//! Converts packets to samples and counts.
//!
//! | sensor | channel | value |
//! |---|---|---|
//! | Livox, Velodyne | `ADDRESS/points` | point cloud: 50 ms of a Livox, a turn of a Velodyne |
//! | Livox | `ADDRESS/imu` | angular velocity and acceleration |
//! | Velodyne with a satellite receiver | `ADDRESS/gps/fix` | a fix for each of the receiver's sentences |
//! | | `ADDRESS/gps/time` | its date and time `utc`, the sensor's clock `past_hour`, the pulse `pps` |
//!
//! A second sensor at the same address is named `ADDRESS-2`.
//!
//! Samples are stamped by the sensors' own clocks. A Livox with a synchronised clock provides the date itself, as in
//! LVX; other clocks are aligned by their minimum delay to the capture times. Fixes have the capture time.

mod count;
pub(crate) mod livox;
pub(crate) mod receiver;
pub(crate) mod velodyne;

use koblenz_log::CloudMaker;
use robolog_core::{Limits, Notes, Out, Result};

pub use self::count::Details;
use self::{livox::Livox, velodyne::Velodyne};
use super::{
    Capture, Datagram, Header, Record,
    datagram::Dissector,
    payload::{Payload, Sensors},
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

/// Minimum bytes that each sensor may buffer, whatever their number: a packet or two.
const LEAST: usize = 4 << 10;

/// Makes samples and counts from packets: see [`robolog_core::Decoder`] and [`robolog_core::Sampling`].
#[derive(Debug)]
pub struct Decoder {
    options: Options,
    dissector: Dissector,
    sensors: Sensors,
    /// Indexed by sensor number.
    lidars: Vec<Lidar>,
    package: Vec<u8>,
    limits: Limits,
    /// The model of all Livox LiDARs, if the user knows it.
    model: Option<lvx::Model>,
    /// Capture time of the first Livox package.
    start: Option<i64>,
    details: Details,
}

#[derive(Debug)]
enum Lidar {
    Livox(Box<Livox>),
    Velodyne(Box<Velodyne>),
}

impl robolog_core::Decoder for Decoder {
    type Format = Capture;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        Self {
            options,
            limits: header.limits,
            model: header.livox,
            start: None,
            dissector: Dissector::default(),
            sensors: Sensors::default(),
            lidars: Vec::new(),
            package: Vec::new(),
            details: Details::default(),
        }
    }

    /// Packets from other devices than LiDARs give no samples.
    fn push(&mut self, record: &Record<'_>, out: &mut Out<'_>) -> Result<()> {
        if out.range().is_some() {
            // A capture is a single split.
            return Ok(());
        }
        let datagram = match self.dissector.datagram(record) {
            Ok(Some(datagram)) => datagram,
            Ok(None) => return Ok(()),
            Err(error) => {
                let Some(notes) = out.notes() else { return Err(error) };
                notes.damage(&error, record.offset()..record.end());
                return Ok(());
            }
        };
        let payload = Payload::of(&datagram, &mut self.package)?;
        self.details.count(payload);
        self.take(&datagram, payload, record.offset(), out)
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<()> {
        let mut outcome = Ok(());
        for lidar in &mut self.lidars {
            outcome = outcome.and(match lidar {
                Lidar::Livox(livox) => livox.flush(out),
                Lidar::Velodyne(velodyne) => velodyne.finish(out),
            });
        }
        outcome
    }

    fn details(self, notes: &mut Notes) -> (String, Details) {
        self.velodynes().for_each(|velodyne| velodyne.note(notes));
        (self.details.variant(), self.details)
    }
}

impl Decoder {
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
        out: &mut Out<'_>,
    ) -> Result<()> {
        let Self { options, sensors, lidars, package, limits, model, start, .. } = self;
        let Some((number, name)) = sensors.of(datagram, payload, package) else { return Ok(()) };
        let time_ns = datagram.time_ns;
        if number >= lidars.len() {
            let livox = |version, start: &mut Option<i64>| {
                let start = *start.get_or_insert(time_ns);
                let mut livox = Livox::new(name.clone(), datagram.source, version, options.livox, start);
                livox.set_model(*model);
                Lidar::Livox(Box::new(livox))
            };
            lidars.push(match payload {
                Payload::Points(version) | Payload::Imu(version) => livox(version, start),
                Payload::Spread => livox(lvx::Version::V2_0, start),
                // When counting, clouds are counted without being made.
                _ if out.wants_values() => {
                    Lidar::Velodyne(Box::new(Velodyne::new(name, options.velodyne.velodyne.clone())))
                }
                _ => Lidar::Velodyne(Box::new(Velodyne::counting(name))),
            });
            // All sensors together buffer no more than a single one could.
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
