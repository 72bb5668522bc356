//! The transverse Mercator projection on any ellipsoid of revolution.
//!
//! Krüger's series to the sixth power of the third flattening: accurate to nanometres within a zone. L. Krüger,
//! Konforme Abbildung des Erdellipsoids in der Ebene (1912); C. Karney, Transverse Mercator with an accuracy of a few
//! nanometers (2011), equations 35 and 36.

/// A projection plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mercator {
    /// Degrees east of Greenwich.
    central_meridian: f64,
    /// Radius of a circle as long as a meridian, metres, times the scale on the central meridian.
    radius: f64,
    false_easting: f64,
    false_northing: f64,
    /// First eccentricity.
    e: f64,
    alpha: [f64; 6],
    beta: [f64; 6],
}

/// Definition of a plane, in degrees and metres; latitudes are measured from the equator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameters {
    pub(crate) semi_major: f64,
    pub(crate) flattening: f64,
    pub(crate) central_meridian: f64,
    pub(crate) scale: f64,
    pub(crate) false_easting: f64,
    pub(crate) false_northing: f64,
}

impl Mercator {
    pub(crate) fn new(parameters: Parameters) -> Self {
        let Parameters {
            semi_major: a,
            flattening: f,
            central_meridian,
            scale,
            false_easting,
            false_northing,
        } = parameters;
        let n = f / (2.0 - f);
        let n2 = n * n;
        let n4 = n2 * n2;
        Self {
            central_meridian,
            radius: scale * a / (1.0 + n) * (1.0 + n2 / 4.0 + n4 / 64.0 + n4 * n2 / 256.0),
            false_easting,
            false_northing,
            e: 2.0 * n.sqrt() / (1.0 + n),
            alpha: alpha(n),
            beta: beta(n),
        }
    }

    /// Puts the false northing at this latitude, degrees, instead of the equator.
    #[cfg(feature = "to-las")]
    #[must_use]
    pub(crate) fn counted_from(self, latitude: f64) -> Self {
        let [_, northing] = self.forward(latitude, self.central_meridian);
        Self { false_northing: self.false_northing - (northing - self.false_northing), ..self }
    }

    /// Easting and northing, metres, of a place in degrees north and east.
    #[expect(clippy::many_single_char_names, reason = "the letters of the formulas")]
    pub(crate) fn forward(&self, latitude: f64, longitude: f64) -> [f64; 2] {
        // A zone may cross 180 degrees.
        let east = within_half_turn(longitude - self.central_meridian).to_radians();
        let e = self.e;
        let sin = latitude.to_radians().sin();
        // Tangent of the conformal latitude.
        let t = (sin.atanh() - e * (e * sin).atanh()).sinh();
        let xi = t.atan2(east.cos());
        let eta = (east.sin() / t.hypot(east.cos())).asinh();
        let (mut x, mut y) = (eta, xi);
        for (j, a) in (1_u8..).zip(self.alpha) {
            let k = 2.0 * f64::from(j);
            y += a * (k * xi).sin() * (k * eta).cosh();
            x += a * (k * xi).cos() * (k * eta).sinh();
        }
        [self.false_easting + self.radius * x, self.false_northing + self.radius * y]
    }

    /// Degrees north and east of a place at easting and northing, metres.
    pub(crate) fn inverse(&self, [easting, northing]: [f64; 2]) -> (f64, f64) {
        let (eta, xi) =
            ((easting - self.false_easting) / self.radius, (northing - self.false_northing) / self.radius);
        let (mut x, mut y) = (eta, xi);
        for (j, b) in (1_u8..).zip(self.beta) {
            let k = 2.0 * f64::from(j);
            y -= b * (k * xi).sin() * (k * eta).cosh();
            x -= b * (k * xi).cos() * (k * eta).sinh();
        }
        let conformal = y.sin() / x.sinh().hypot(y.cos());
        let east = x.sinh().atan2(y.cos()).to_degrees();
        let latitude = self.of_conformal(conformal).atan().to_degrees();
        (latitude, within_half_turn(self.central_meridian + east))
    }

    /// Tangent of the latitude whose conformal latitude has this tangent: Karney's equations 19 to 21.
    fn of_conformal(&self, target: f64) -> f64 {
        let e = self.e;
        let rest = 1.0 - e * e;
        let mut tan = target / rest.sqrt();
        // Two steps are enough for doubles.
        for _ in 0..4 {
            let root = tan.hypot(1.0);
            let sigma = (e * (e * tan / root).atanh()).sinh();
            let conformal = tan * sigma.hypot(1.0) - sigma * root;
            tan += (target - conformal) / conformal.hypot(1.0) * (1.0 + rest * tan * tan) / (rest * root);
        }
        tan
    }
}

/// Wraps an angle to -180 to 180 degrees.
fn within_half_turn(degrees: f64) -> f64 {
    degrees - (degrees / 360.0).round() * 360.0
}

/// From the sphere to the ellipsoid of third flattening `n`.
fn alpha(n: f64) -> [f64; 6] {
    let [n2, n3, n4, n5, n6] = powers(n);
    [
        n / 2.0 - n2 * 2.0 / 3.0 + n3 * 5.0 / 16.0 + n4 * 41.0 / 180.0 - n5 * 127.0 / 288.0
            + n6 * 7891.0 / 37_800.0,
        n2 * 13.0 / 48.0 - n3 * 3.0 / 5.0 + n4 * 557.0 / 1440.0 + n5 * 281.0 / 630.0
            - n6 * 1_983_433.0 / 1_935_360.0,
        n3 * 61.0 / 240.0 - n4 * 103.0 / 140.0 + n5 * 15_061.0 / 26_880.0 + n6 * 167_603.0 / 181_440.0,
        n4 * 49_561.0 / 161_280.0 - n5 * 179.0 / 168.0 + n6 * 6_601_661.0 / 7_257_600.0,
        n5 * 34_729.0 / 80_640.0 - n6 * 3_418_889.0 / 1_995_840.0,
        n6 * 212_378_941.0 / 319_334_400.0,
    ]
}

/// From the ellipsoid to the sphere.
fn beta(n: f64) -> [f64; 6] {
    let [n2, n3, n4, n5, n6] = powers(n);
    [
        n / 2.0 - n2 * 2.0 / 3.0 + n3 * 37.0 / 96.0 - n4 / 360.0 - n5 * 81.0 / 512.0
            + n6 * 96_199.0 / 604_800.0,
        n2 / 48.0 + n3 / 15.0 - n4 * 437.0 / 1440.0 + n5 * 46.0 / 105.0 - n6 * 1_118_711.0 / 3_870_720.0,
        n3 * 17.0 / 480.0 - n4 * 37.0 / 840.0 - n5 * 209.0 / 4480.0 + n6 * 5569.0 / 90_720.0,
        n4 * 4397.0 / 161_280.0 - n5 * 11.0 / 504.0 - n6 * 830_251.0 / 7_257_600.0,
        n5 * 4583.0 / 161_280.0 - n6 * 108_847.0 / 3_991_680.0,
        n6 * 20_648_693.0 / 638_668_800.0,
    ]
}

/// Second to sixth power.
fn powers(n: f64) -> [f64; 5] {
    let n2 = n * n;
    let n3 = n2 * n;
    let n4 = n3 * n;
    let n5 = n4 * n;
    [n2, n3, n4, n5, n5 * n]
}
