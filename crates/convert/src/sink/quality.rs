//! Fix quality as a number.

use robolog_core::FixQuality;

/// Number in NMEA's GGA sentence; `None` if unknown.
pub(super) const fn gga(quality: FixQuality) -> Option<u8> {
    Some(match quality {
        FixQuality::None => 0,
        FixQuality::Gps => 1,
        FixQuality::Dgps => 2,
        FixQuality::Pps => 3,
        FixQuality::RtkFixed => 4,
        FixQuality::RtkFloat => 5,
        FixQuality::Estimated => 6,
        FixQuality::Manual => 7,
        FixQuality::Simulated => 8,
        _ => return None,
    })
}
