//! Converts Livox SDK 2 points in forms that LVX2 cannot hold to a form that it can.
//!
//! | data type | a point | becomes |
//! |---|---|---|
//! | 3, spherical | depth (mm), zenith and azimuth (0.01°), reflectivity, tag | x, y, z to the nearest millimetre |
//! | 0x11, two returns | two points of type 1 | both |

use lvx::layout::{Sdk2Header, TaggedPoint, TaggedSpherical};
use robolog_core::{
    Result,
    layout::{Layout as _, Packed as _},
};

const CARTESIAN: u8 = 1;
const SPHERICAL: u8 = 3;
const TWO_RETURNS: u8 = 0x11;
/// Length of the two returns of a shot in bytes.
const BOTH: usize = TaggedPoint::LEN * 2;

/// The same packet with points of type 1. `None` for packets of other types, and if the packet would be too long.
pub(super) fn plain(payload: &[u8]) -> Result<Option<Vec<u8>>> {
    let (Some(head), Some(bytes)) = (Sdk2Header::peek(payload), payload.get(Sdk2Header::LEN..)) else {
        return Ok(None);
    };
    let (entry, returns) = match head.data_type {
        SPHERICAL => (TaggedSpherical::LEN, 1),
        TWO_RETURNS => (BOTH, 2),
        _ => return Ok(None),
    };
    let is_whole = usize::from(head.dot_num).checked_mul(entry) == Some(bytes.len());
    let Some(dot_num) = head.dot_num.checked_mul(returns).filter(|_| is_whole) else { return Ok(None) };
    let len = usize::from(dot_num) * TaggedPoint::LEN + Sdk2Header::LEN;
    let Ok(length) = u16::try_from(len) else { return Ok(None) };
    let mut plain = Vec::with_capacity(len);
    Sdk2Header { data_type: CARTESIAN, dot_num, length, ..head }.encode(&mut plain)?;
    if head.data_type == TWO_RETURNS {
        plain.extend_from_slice(bytes);
        return Ok(Some(plain));
    }
    for point in bytes.chunks_exact(TaggedSpherical::LEN).filter_map(TaggedSpherical::peek) {
        cartesian(&point).encode(&mut plain)?;
    }
    Ok(Some(plain))
}

fn cartesian(point: &TaggedSpherical) -> TaggedPoint {
    let angle = |hundredths: u16| (f64::from(hundredths) / 100.0).to_radians().sin_cos();
    let ((sin_theta, cos_theta), (sin_phi, cos_phi)) = (angle(point.theta), angle(point.phi));
    let depth = f64::from(point.depth);
    #[expect(clippy::cast_possible_truncation, reason = "no longer than the depth, which has 32 bits")]
    let millimetres = |metres: f64| metres.round() as i32;
    TaggedPoint {
        x: millimetres(depth * sin_theta * cos_phi),
        y: millimetres(depth * sin_theta * sin_phi),
        z: millimetres(depth * cos_theta),
        reflectivity: point.reflectivity,
        tag: point.tag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(data_type: u8, dot_num: u16, points: &[u8]) -> Vec<u8> {
        let length = u16::try_from(points.len() + 36).unwrap();
        let mut packet = vec![0];
        packet.extend(length.to_le_bytes());
        packet.extend([1, 0]);
        packet.extend(dot_num.to_le_bytes());
        packet.extend([7, 0, 3, data_type, 1]);
        packet.resize(28, 0);
        packet.extend(5_u64.to_le_bytes());
        [&packet, points].concat()
    }

    #[test]
    fn spherical_points_lie_where_their_angles_say() {
        // 2 m ahead; 1 m to the left, zenith 90°; straight up.
        let mut points = Vec::new();
        for (depth, theta, phi) in [(2000_i32, 9000_u16, 0_u16), (1000, 9000, 9000), (500, 0, 12345)] {
            points.extend(depth.to_le_bytes());
            points.extend(theta.to_le_bytes());
            points.extend(phi.to_le_bytes());
            points.extend([50, 4]);
        }
        let plain = plain(&packet(3, 3, &points)).unwrap().unwrap();
        let head = Sdk2Header::peek(&plain).unwrap();
        assert_eq!((head.data_type, head.dot_num, usize::from(head.length)), (1, 3, plain.len()));
        assert_eq!((head.udp_counter, head.frame_counter, head.timestamp), (7, 3, 5));
        let got: Vec<_> = plain[36..].chunks(14).map(|p| TaggedPoint::peek(p).unwrap()).collect();
        let point = |x, y, z| TaggedPoint { x, y, z, reflectivity: 50, tag: 4 };
        assert_eq!(got, [point(2000, 0, 0), point(0, 1000, 0), point(0, 0, 500)]);
    }

    #[test]
    fn both_returns_of_a_shot_are_points() {
        let points: Vec<u8> = (0..56).collect();
        let plain = plain(&packet(0x11, 2, &points)).unwrap().unwrap();
        assert_eq!(Sdk2Header::peek(&plain).unwrap().dot_num, 4);
        assert_eq!(plain[36..], points);
    }

    #[test]
    fn packets_that_do_not_hold_what_they_say_are_none() {
        for (kind, count, len) in [(3, 2, 10), (0x11, 1, 14), (1, 1, 14), (3, 6000, 60_000 - 1)] {
            assert_eq!(plain(&packet(kind, count, &vec![0; len])).unwrap(), None, "{kind} {count} {len}");
        }
        assert_eq!(plain(&packet(3, 6000, &vec![0; 60_000])).unwrap(), None, "too long as plain points");
        assert_eq!(plain(&[]).unwrap(), None);
    }
}
