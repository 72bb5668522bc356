//! The clock inside packets, when only the arrival of the last packet is known.

mod arrivals;

use crate::{Detection, packet::Packet, packets};
use robolog_core::slices::InRange as _;

pub use arrivals::PacketClock;

/// Microseconds per hour.
pub(crate) const HOUR: i64 = 3_600_000_000;

/// Computes the time of each packet of a message, the last of which arrived at `time`, nanoseconds. If the arrival of
/// each packet is known, a [`PacketClock`](crate::PacketClock) is better.
pub fn message_times(detection: &Detection, bytes: &[u8], time: i64, times: &mut Vec<i64>) {
    times.clear();
    let interval = i64::from(detection.model.packet_interval(detection.return_mode));
    let clock = |packet: Packet<'_>| packet.trailer(detection.generation).clock();
    let mut packets = packets(bytes).rev();
    // A packet arrives when its last shot is fired.
    let mut time = time.saturating_sub(interval);
    let Some(mut later) = packets.next().map(clock) else { return };
    times.push(time);
    for packet in packets {
        let earlier = clock(packet);
        let step = match (earlier, later) {
            (Some(earlier), Some(later)) => between(earlier, later),
            _ => None,
        };
        // A clock that was set, or a gap, does not give the sensor's rate.
        time = time.saturating_sub(step.map_or(interval, |micros| micros.times(1000)));
        times.push(time);
        later = earlier;
    }
    times.reverse();
}

/// Microseconds from one clock value to a later one, also across the hour; `None` if it is more than a second.
fn between(earlier: u32, later: u32) -> Option<i64> {
    let step = i64::from(later).minus(i64::from(earlier)).rem_euclid(HOUR);
    (step <= 1_000_000).then_some(step)
}

/// The time at which a packet was sent: its clock counts microseconds since the hour, and `host` nanoseconds give the
/// hour. Correct while the two are less than half an hour apart.
///
/// ```
/// // 10:59:59.9 on the host, 0.1 s past the hour in the packet.
/// let host = (10 * 3600 + 3599) * 1_000_000_000 + 900_000_000;
/// assert_eq!(velodyne_packet::resolve_hour(100_000, host), (11 * 3600) * 1_000_000_000 + 100_000_000);
/// ```
pub fn resolve_hour(micros: u32, host: i64) -> i64 {
    const HOUR_NANOS: i64 = 3_600_000_000_000;
    let hour = host.saturating_sub(host.rem_euclid(HOUR_NANOS));
    let time = hour.saturating_add(i64::from(micros).times(1000));
    let ahead = time.saturating_sub(host);
    if ahead > HOUR_NANOS.wrapping_div(2) {
        time.saturating_sub(HOUR_NANOS)
    } else if ahead < HOUR_NANOS.wrapping_div(-2) {
        time.saturating_add(HOUR_NANOS)
    } else {
        time
    }
}
