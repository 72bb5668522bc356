//! Metres between positions, on Earth and in the frame of a recording.

/// Coordinates of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Metres in the recording's own frame.
    Local,
    /// Degrees of longitude and latitude, WGS 84.
    Earth,
}

impl Ground {
    /// Metres between two positions.
    pub fn metres(self, a: (f64, f64), b: (f64, f64)) -> f64 {
        let (mut dx, mut dy) = (b.0 - a.0, b.1 - a.1);
        if self == Self::Earth {
            let (north, east) = degree(f64::midpoint(a.1, b.1));
            dx = (dx - (dx / 360.0).round() * 360.0) * east;
            dy *= north;
        }
        hypotenuse(dx, dy)
    }
}

/// The hypotenuse. Unlike [`f64::hypot`] it does not guard against overflow, which metres on Earth do not need; this is
/// faster.
pub(super) fn hypotenuse(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

/// Length in metres of a degree of latitude and of longitude, at a latitude in degrees (WGS 84).
pub fn degree(latitude: f64) -> (f64, f64) {
    const A: f64 = 6_378_137.0;
    const E2: f64 = 6.694_379_990_14e-3;
    let (sin, cos) = latitude.to_radians().sin_cos();
    let w2 = 1.0 - E2 * sin * sin;
    let normal = A / w2.sqrt();
    ((normal * (1.0 - E2) / w2).to_radians(), (normal * cos).to_radians())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_has_the_length_that_tables_of_wgs84_give() {
        let (north, east) = degree(45.0);
        assert!((north - 111_131.745).abs() < 0.1 && (east - 78_846.806).abs() < 0.1, "{north} {east}");
    }
}
