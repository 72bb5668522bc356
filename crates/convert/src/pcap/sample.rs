//! Samples of the LiDARs in a capture.
//!
//! | sensor | channel | value |
//! |---|---|---|
//! | Livox, Velodyne | `ADDRESS/points` | point cloud: 50 ms of a Livox, a turn of a Velodyne |
//! | Livox | `ADDRESS/imu` | angular velocity and acceleration |
//! | Velodyne with a satellite receiver | `ADDRESS/gps/fix` | a fix for each of the receiver's sentences |
//! | | `ADDRESS/gps/time` | its date and time `utc`, the sensor's clock `past_hour`, the pulse `pps` |
//!
//! A second sensor at the same address is called `ADDRESS-2`. Samples are stamped with the time of capture of their first
//! packet.

use robolog_core::{Error, Result, Sample};

use super::{
    Capture, CaptureHeader, Datagram, Record,
    capture::Dissector,
    livox::Livox,
    sensor::{Content, Sensors, content},
    velodyne::Velodyne,
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

/// Makes samples of packets: see [`robolog_core::Sampling`].
#[derive(Debug)]
pub struct Sampler {
    options: Options,
    dissector: Dissector,
    sensors: Sensors,
    /// By the number of the sensor.
    lidars: Vec<Lidar>,
    package: Vec<u8>,
}

#[derive(Debug)]
enum Lidar {
    Livox(Box<Livox>),
    Velodyne(Box<Velodyne>),
}

impl robolog_core::Sampling for Sampler {
    type Format = Capture;
    type Options = Options;

    fn new(_: &CaptureHeader, options: Options) -> Self {
        let (dissector, sensors) = (Dissector::default(), Sensors::default());
        Self { options, dissector, sensors, lidars: Vec::new(), package: Vec::new() }
    }

    /// Packets of no LiDAR give no samples.
    fn push<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(datagram) = self.dissector.datagram(record)? else { return Ok(()) };
        self.take(&datagram, record.offset(), sink)
    }

    fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut outcome = Ok(());
        for lidar in &mut self.lidars {
            outcome = outcome.and(match lidar {
                Lidar::Livox(livox) => livox.flush(sink),
                Lidar::Velodyne(velodyne) => velodyne.finish(sink),
            });
        }
        outcome
    }
}

impl Sampler {
    fn take<E: From<Error>>(
        &mut self,
        datagram: &Datagram<'_>,
        offset: u64,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { options, sensors, lidars, package, .. } = self;
        let content = content(datagram, package)?;
        let Some((number, name)) = sensors.of(datagram, content, package) else { return Ok(()) };
        if number >= lidars.len() {
            lidars.push(match content {
                Content::Points(version) | Content::Imu(version) => {
                    Lidar::Livox(Box::new(Livox::new(name, datagram.source, version, options.livox)))
                }
                Content::Spread => {
                    let version = lvx::Version::V2_0;
                    Lidar::Livox(Box::new(Livox::new(name, datagram.source, version, options.livox)))
                }
                _ => {
                    let options = options.velodyne.clone();
                    Lidar::Velodyne(Box::new(Velodyne::new(name, datagram.time_ns, options)))
                }
            });
        }
        let time_ns = datagram.time_ns;
        match (lidars.get_mut(number), content) {
            (Some(Lidar::Livox(livox)), Content::Imu(lvx::Version::V2_0)) => {
                livox.imu(datagram.payload, time_ns, offset, sink)
            }
            (Some(Lidar::Livox(livox)), _) => livox.push(package, time_ns, offset, sink),
            (Some(Lidar::Velodyne(velodyne)), Content::Position) => {
                velodyne.position(datagram.payload, time_ns, offset, sink)
            }
            (Some(Lidar::Velodyne(velodyne)), _) => velodyne.push(datagram.payload, time_ns, offset, sink),
            (None, _) => Ok(()),
        }
    }
}
