//! What a capture holds of LiDARs.

use lvx::wire::{self, Sdk2};
use robolog_core::{Clock, Error, Notes, Summary, Timestamp};
use serde::Serialize;

use super::datagrams;
use crate::{Result, source::Stream};

/// What only a capture has to tell.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Details {
    /// UDP datagrams, of whatever kind.
    pub datagrams: u64,
    /// Packets of SDK 1, which LVX 1.1 holds.
    pub sdk1_packets: u64,
    /// Packets of SDK 2.
    pub sdk2_packets: u64,
    /// Packets of SDK 2 for which LVX2 has no place: inertial measurements and uncommon forms.
    pub sdk2_left_out: u64,
}

/// Counts the packets of LiDARs in a capture. Channels are named after the sender's address; times are those of the
/// capture.
pub fn survey(stream: Stream) -> Result<Summary<Details>> {
    let mut details = Details::default();
    let mut notes = Notes::default();
    let mut package = Vec::new();
    let reading = datagrams(stream, &mut |datagram| {
        let time = Some(Timestamp::new(datagram.time_ns, Clock::Unix));
        let increase = |n: &mut u64| *n = n.saturating_add(1);
        increase(&mut details.datagrams);
        package.clear();
        let (kind, name, values) = if wire::package_from_sdk1(0, datagram.payload, &mut package) {
            increase(&mut details.sdk1_packets);
            match package.get(10) {
                Some(6) => ("imu", "imu", 1),
                _ => ("point_cloud", "points", points(lvx::Version::V1_1, &package)),
            }
        } else {
            match wire::package_from_sdk2(datagram.source.octets(), datagram.payload, &mut package)? {
                Sdk2::Foreign => return Ok(()),
                Sdk2::Points => {
                    increase(&mut details.sdk2_packets);
                    ("point_cloud", "points", points(lvx::Version::V2_0, &package))
                }
                other => {
                    increase(&mut details.sdk2_packets);
                    increase(&mut details.sdk2_left_out);
                    if other == Sdk2::Imu { ("imu", "imu", 1) } else { ("point_cloud", "other", 0) }
                }
            }
        };
        notes.count(&format!("{}/{name}", datagram.source), kind, values, time);
        Ok(())
    })?;
    let mut untold = reading.lost_bytes;
    for damage in reading.damage {
        untold = untold.saturating_sub(damage.lost.end.saturating_sub(damage.lost.start));
        notes.damage(&damage.error, damage.lost);
    }
    if untold > 0 {
        let more = Error::invalid("capture", "more damage", "none", 0);
        notes.damage(&more, 0..untold);
    }
    let variant = match (details.sdk1_packets, details.sdk2_packets) {
        (0, 0) => "capture without LiDARs",
        (_, 0) => "capture of Livox SDK 1",
        (0, _) => "capture of Livox SDK 2",
        _ => "capture of Livox SDK 1 and 2",
    };
    Ok(notes.into_summary(variant.into(), details.datagrams, reading.bytes, details))
}

fn points(version: lvx::Version, package: &[u8]) -> u64 {
    lvx::Package::read(version, package).map_or(0, |p| p.point_count() as u64)
}
