//! The points of a package, as columns over the bytes of the file.

use robolog_core::{PointCloud, layout::chunks, slices::OrZero as _};

use crate::{
    DataType,
    layout::{
        DualSpherical, FloatPoint, LowPoint, RawPoint, RawSpherical, Return, TaggedPoint, TaggedSpherical,
        TripleSpherical,
    },
};

/// The points of a package: a view, which copies nothing until a column is requested.
///
/// ```
/// # let file = lvx::doc::recording();
/// let reader = lvx::Reader::new(&file)?;
/// let mut cloud = lvx::PointCloud::default();
/// for package in reader.records().next().expect("there is a frame")?.packages() {
///     let points = package?.points();
///     assert_eq!(points.raw_xyz()[0], [1500, 0, 0]); // millimetres, as in the file
///     points.append_to(&mut cloud);
/// }
/// assert_eq!(cloud.x[0], 1.5); // metres
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points<'a> {
    data_type: DataType,
    payload: &'a [u8],
}

/// One return of the laser.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Point {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Metres.
    pub z: f32,
    /// 0 to 255: below 150 diffuse objects by their reflectance in per cent, above retroreflectors.
    pub reflectivity: u8,
    /// See [`Tag`](crate::Tag); 0 for data types without.
    pub tag: u8,
}

impl<'a> Points<'a> {
    pub(crate) fn new(data_type: DataType, payload: &'a [u8]) -> Self {
        Self { data_type, payload }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The entries as in the file; the caller knows their type.
    #[cfg(feature = "serde")]
    pub(crate) fn entries<const N: usize, T>(
        &self,
        read: impl Fn(&[u8; N]) -> T + Clone,
    ) -> impl ExactSizeIterator<Item = T> {
        entries(self.payload, read)
    }

    /// Number of points, counting every return.
    pub fn len(&self) -> usize {
        let Some((size, points)) = self.data_type.entry() else { return 0 };
        self.payload.len().div_or_zero(size).wrapping_mul(points)
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of returns per laser shot; the returns of one shot are adjacent and share its time.
    pub fn returns(&self) -> usize {
        self.data_type.returns()
    }

    /// Iterates over the points. For many points, [`append_to`](Self::append_to) is several times faster.
    pub fn iter(&self) -> impl Iterator<Item = Point> + 'a {
        let mut cloud = PointCloud::default();
        self.append_to(&mut cloud);
        let PointCloud { x, y, z, intensity, tag, .. } = cloud;
        x.into_iter().zip(y).zip(z).zip(intensity).zip(tag).map(|((((x, y), z), reflectivity), tag)| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was a u8")]
            let reflectivity = reflectivity as u8;
            Point { x, y, z, reflectivity, tag }
        })
    }

    /// The integer coordinates of cartesian types, as in the file: millimetres (LVX2's type 2: centimetres).
    pub fn raw_xyz(&self) -> Vec<[i32; 3]> {
        let mut found = Vec::new();
        self.for_each_raw(|xyz| found.push(xyz));
        found
    }

    // Point counts cannot overflow: there are fewer points than bytes. Saturating additions would prevent
    // vectorisation.

    /// Number of points of spherical types with impossible directions: theta beyond 180 degrees, phi beyond 360, or a
    /// depth below 0.
    pub(crate) fn odd_directions(&self) -> usize {
        let mut odd = 0_usize;
        self.for_each_return(|theta, phi, r| {
            odd = odd.wrapping_add((r.depth < 0 || theta > 18_000 || phi > 36_000).into());
        });
        odd
    }

    /// Number of points farther away than any Livox measures. Floats do not count: they may be in map coordinates.
    pub(crate) fn beyond_range(&self) -> usize {
        let mut far = 0_usize;
        self.for_each_raw(|[x, y, z]| {
            let most = x.unsigned_abs().max(y.unsigned_abs()).max(z.unsigned_abs());
            far = far.wrapping_add((most >= RANGE.unsigned_abs()).into());
        });
        self.for_each_return(|_, _, r| far = far.wrapping_add((r.depth >= RANGE).into()));
        far
    }

    /// Appends the columns x, y, z in metres, intensity and tag. Spherical points are converted; data types without
    /// tag get 0.
    pub fn append_to(&self, cloud: &mut PointCloud) {
        match self.data_type {
            DataType::FloatCartesian => {
                let points = entries(self.payload, FloatPoint::from_bytes);
                append(cloud, points, |p| ([p.x, p.y, p.z], p.reflectivity, 0));
            }
            DataType::Cartesian => {
                let points = entries(self.payload, RawPoint::from_bytes);
                append(cloud, points, |p| ([p.x, p.y, p.z].map(metres), p.reflectivity, 0));
            }
            DataType::TaggedCartesian | DataType::DualCartesian | DataType::TripleCartesian => {
                let points = entries(self.payload, TaggedPoint::from_bytes);
                append(cloud, points, |p| ([p.x, p.y, p.z].map(metres), p.reflectivity, p.tag));
            }
            DataType::LowCartesian => {
                let points = entries(self.payload, LowPoint::from_bytes);
                append(cloud, points, |p| {
                    ([p.x, p.y, p.z].map(|v| f32::from(v) / 100.0), p.reflectivity, p.tag)
                });
            }
            // Depth, theta and phi are in the fields of x, y and z.
            DataType::FloatSpherical => {
                for p in entries(self.payload, FloatPoint::from_bytes) {
                    push(cloud, cartesian(p.x.into(), p.y.into(), p.z.into()), p.reflectivity, 0);
                }
            }
            _ => self.for_each_return(|theta, phi, r| {
                // The specification declares the depth as `int`. Livox's code uses unsigned, which differs beyond 2147
                // km.
                let xyz = cartesian(f64::from(r.depth) / 1000.0, theta.into(), phi.into());
                push(cloud, xyz, r.reflectivity, r.tag);
            }),
        }
    }

    /// Calls `each` with the integer coordinates of each point of a cartesian type.
    #[inline]
    fn for_each_raw(&self, each: impl FnMut([i32; 3])) {
        match self.data_type {
            DataType::Cartesian => {
                entries(self.payload, RawPoint::from_bytes).map(|p| [p.x, p.y, p.z]).for_each(each);
            }
            DataType::TaggedCartesian | DataType::DualCartesian | DataType::TripleCartesian => {
                entries(self.payload, TaggedPoint::from_bytes).map(|p| [p.x, p.y, p.z]).for_each(each);
            }
            DataType::LowCartesian => {
                let points = entries(self.payload, LowPoint::from_bytes);
                points.map(|p| [p.x, p.y, p.z].map(i32::from)).for_each(each);
            }
            _ => {}
        }
    }

    /// Calls `each` with the angles and each return of each shot of a spherical type, except floats.
    #[inline]
    fn for_each_return(&self, mut each: impl FnMut(u16, u16, Return)) {
        match self.data_type {
            DataType::Spherical => entries(self.payload, RawSpherical::from_bytes).for_each(|p| {
                each(p.theta, p.phi, Return { depth: p.depth, reflectivity: p.reflectivity, tag: 0 });
            }),
            DataType::TaggedSpherical => entries(self.payload, TaggedSpherical::from_bytes).for_each(|p| {
                each(p.theta, p.phi, Return { depth: p.depth, reflectivity: p.reflectivity, tag: p.tag });
            }),
            DataType::DualSpherical => entries(self.payload, DualSpherical::from_bytes)
                .for_each(|shot| shot.returns.into_iter().for_each(|r| each(shot.theta, shot.phi, r))),
            DataType::TripleSpherical => entries(self.payload, TripleSpherical::from_bytes)
                .for_each(|shot| shot.returns.into_iter().for_each(|r| each(shot.theta, shot.phi, r))),
            _ => {}
        }
    }
}

/// The entries of a payload.
#[inline]
fn entries<const N: usize, T>(
    payload: &[u8],
    read: impl Fn(&[u8; N]) -> T + Clone,
) -> impl ExactSizeIterator<Item = T> + Clone {
    chunks(payload).iter().map(read)
}

/// Appends points column by column, several times faster than point by point.
#[inline]
fn append<T>(
    cloud: &mut PointCloud,
    points: impl ExactSizeIterator<Item = T> + Clone,
    read: impl Fn(T) -> ([f32; 3], u8, u8),
) {
    let PointCloud { x, y, z, intensity, tag, .. } = cloud;
    x.extend(points.clone().map(|p| read(p).0[0]));
    y.extend(points.clone().map(|p| read(p).0[1]));
    z.extend(points.clone().map(|p| read(p).0[2]));
    intensity.extend(points.clone().map(|p| f32::from(read(p).1)));
    tag.extend(points.map(|p| read(p).2));
}

fn push(cloud: &mut PointCloud, [x, y, z]: [f32; 3], reflectivity: u8, tag: u8) {
    cloud.x.push(x);
    cloud.y.push(y);
    cloud.z.push(z);
    cloud.intensity.push(reflectivity.into());
    cloud.tag.push(tag);
}

/// Farther than any Livox measures, in millimetres: the Tele-15 reaches 500 m.
const RANGE: i32 = 1_000_000;

/// Millimetres to metres: correctly rounded up to 16 km, beyond any range of these sensors.
#[expect(clippy::cast_precision_loss, reason = "said above")]
fn metres(millimetres: i32) -> f32 {
    millimetres as f32 / 1000.0
}

/// Depth in metres, zenith theta and azimuth phi in hundredths of a degree, to metres.
fn cartesian(depth: f64, theta: f64, phi: f64) -> [f32; 3] {
    let (sin_theta, cos_theta) = (theta / 100.0).to_radians().sin_cos();
    let (sin_phi, cos_phi) = (phi / 100.0).to_radians().sin_cos();
    #[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
    [depth * sin_theta * cos_phi, depth * sin_theta * sin_phi, depth * cos_theta].map(|v| v as f32)
}
