//! The points of a package, as columns over the bytes of the file.

use robolog_core::{
    PointCloud,
    layout::{Packed as _, chunks},
};

use crate::{
    DataType,
    layout::{
        DualSpherical, FloatPoint, LowPoint, RawPoint, RawSpherical, Return, TaggedPoint, TaggedSpherical,
        TripleSpherical,
    },
};

/// The points of a package: a view, nothing is copied before a column is asked for.
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
    layout: Layout<'a>,
    returns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Layout<'a> {
    Nothing,
    Float(&'a [[u8; FloatPoint::LEN]]),
    FloatSpherical(&'a [[u8; FloatPoint::LEN]]),
    Raw(&'a [[u8; RawPoint::LEN]]),
    /// Dual and triple returns are these too, a shot's returns side by side.
    Tagged(&'a [[u8; TaggedPoint::LEN]]),
    Low(&'a [[u8; LowPoint::LEN]]),
    Spherical(&'a [[u8; RawSpherical::LEN]]),
    TaggedSpherical(&'a [[u8; TaggedSpherical::LEN]]),
    DualSpherical(&'a [[u8; DualSpherical::LEN]]),
    TripleSpherical(&'a [[u8; TripleSpherical::LEN]]),
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
        let layout = match data_type {
            DataType::FloatCartesian => Layout::Float(chunks(payload)),
            DataType::FloatSpherical => Layout::FloatSpherical(chunks(payload)),
            DataType::Cartesian => Layout::Raw(chunks(payload)),
            DataType::TaggedCartesian | DataType::DualCartesian | DataType::TripleCartesian => {
                Layout::Tagged(chunks(payload))
            }
            DataType::LowCartesian => Layout::Low(chunks(payload)),
            DataType::Spherical => Layout::Spherical(chunks(payload)),
            DataType::TaggedSpherical => Layout::TaggedSpherical(chunks(payload)),
            DataType::DualSpherical => Layout::DualSpherical(chunks(payload)),
            DataType::TripleSpherical => Layout::TripleSpherical(chunks(payload)),
            DataType::Imu | DataType::Closed | DataType::Unknown(_) => Layout::Nothing,
        };
        Self { layout, returns: data_type.returns() }
    }

    /// How many points there are, every return counted.
    pub fn len(&self) -> usize {
        match self.layout {
            Layout::Nothing => 0,
            Layout::Float(p) | Layout::FloatSpherical(p) | Layout::Raw(p) => p.len(),
            Layout::Tagged(p) => p.len(),
            Layout::Low(p) => p.len(),
            Layout::Spherical(p) => p.len(),
            Layout::TaggedSpherical(p) => p.len(),
            Layout::DualSpherical(p) => p.len().saturating_mul(2),
            Layout::TripleSpherical(p) => p.len().saturating_mul(3),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many returns a laser shot has; those of one shot stand side by side and share its time.
    pub fn returns(&self) -> usize {
        self.returns
    }

    /// The points one by one. For many, [`append_to`](Self::append_to) is several times faster.
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

    /// The integer coordinates of cartesian types as the file has them, in millimetres (LVX2's type 2: centimetres).
    pub fn raw_xyz(&self) -> Vec<[i32; 3]> {
        match self.layout {
            Layout::Raw(points) => points.iter().map(RawPoint::from_bytes).map(|p| [p.x, p.y, p.z]).collect(),
            Layout::Tagged(points) => {
                points.iter().map(TaggedPoint::from_bytes).map(|p| [p.x, p.y, p.z]).collect()
            }
            Layout::Low(points) => {
                points.iter().map(LowPoint::from_bytes).map(|p| [p.x, p.y, p.z].map(i32::from)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// How many points of spherical types point where no LiDAR does: theta beyond 180 degrees, phi beyond 360, or a
    /// depth below 0.
    pub(crate) fn odd_directions(&self) -> usize {
        let odd_returns = |theta, phi, returns: &[Return]| {
            returns.iter().filter(|r| is_odd_direction(r.depth, theta, phi)).count()
        };
        match self.layout {
            Layout::Spherical(points) => {
                let points = points.iter().map(RawSpherical::from_bytes);
                points.filter(|p| is_odd_direction(p.depth, p.theta, p.phi)).count()
            }
            Layout::TaggedSpherical(points) => {
                let points = points.iter().map(TaggedSpherical::from_bytes);
                points.filter(|p| is_odd_direction(p.depth, p.theta, p.phi)).count()
            }
            Layout::DualSpherical(shots) => {
                let shots = shots.iter().map(DualSpherical::from_bytes);
                shots.map(|s| odd_returns(s.theta, s.phi, &s.returns)).sum()
            }
            Layout::TripleSpherical(shots) => {
                let shots = shots.iter().map(TripleSpherical::from_bytes);
                shots.map(|s| odd_returns(s.theta, s.phi, &s.returns)).sum()
            }
            _ => 0,
        }
    }

    /// How many points lie further away than any Livox measures. Floats do not count: they may be moved to a map.
    pub(crate) fn beyond_range(&self) -> usize {
        let beyond = |returns: &[Return]| returns.iter().filter(|r| r.depth >= RANGE).count();
        let is_far = |x: i32, y: i32, z: i32| {
            x.unsigned_abs().max(y.unsigned_abs()).max(z.unsigned_abs()) >= RANGE.unsigned_abs()
        };
        match self.layout {
            Layout::Raw(points) => {
                points.iter().map(RawPoint::from_bytes).filter(|p| is_far(p.x, p.y, p.z)).count()
            }
            Layout::Tagged(points) => {
                points.iter().map(TaggedPoint::from_bytes).filter(|p| is_far(p.x, p.y, p.z)).count()
            }
            Layout::Spherical(points) => {
                points.iter().map(RawSpherical::from_bytes).filter(|p| p.depth >= RANGE).count()
            }
            Layout::TaggedSpherical(points) => {
                points.iter().map(TaggedSpherical::from_bytes).filter(|p| p.depth >= RANGE).count()
            }
            Layout::DualSpherical(shots) => {
                shots.iter().map(|s| beyond(&DualSpherical::from_bytes(s).returns)).sum()
            }
            Layout::TripleSpherical(shots) => {
                shots.iter().map(|s| beyond(&TripleSpherical::from_bytes(s).returns)).sum()
            }
            Layout::Nothing | Layout::Float(_) | Layout::FloatSpherical(_) | Layout::Low(_) => 0,
        }
    }

    /// Appends the columns x, y, z in metres, intensity and tag. Spherical points are converted; data types without
    /// tag get 0.
    pub fn append_to(&self, cloud: &mut PointCloud) {
        let PointCloud { x, y, z, intensity, tag, .. } = cloud;
        match self.layout {
            Layout::Nothing => {}
            Layout::Float(points) => {
                let points = points.iter().map(FloatPoint::from_bytes);
                x.extend(points.clone().map(|p| p.x));
                y.extend(points.clone().map(|p| p.y));
                z.extend(points.clone().map(|p| p.z));
                intensity.extend(points.clone().map(|p| f32::from(p.reflectivity)));
                tag.extend(points.map(|_| 0));
            }
            Layout::Raw(points) => {
                let points = points.iter().map(RawPoint::from_bytes);
                x.extend(points.clone().map(|p| metres(p.x)));
                y.extend(points.clone().map(|p| metres(p.y)));
                z.extend(points.clone().map(|p| metres(p.z)));
                intensity.extend(points.clone().map(|p| f32::from(p.reflectivity)));
                tag.extend(points.map(|_| 0));
            }
            Layout::Tagged(points) => {
                let points = points.iter().map(TaggedPoint::from_bytes);
                x.extend(points.clone().map(|p| metres(p.x)));
                y.extend(points.clone().map(|p| metres(p.y)));
                z.extend(points.clone().map(|p| metres(p.z)));
                intensity.extend(points.clone().map(|p| f32::from(p.reflectivity)));
                tag.extend(points.map(|p| p.tag));
            }
            Layout::Low(points) => {
                let points = points.iter().map(LowPoint::from_bytes);
                x.extend(points.clone().map(|p| f32::from(p.x) / 100.0));
                y.extend(points.clone().map(|p| f32::from(p.y) / 100.0));
                z.extend(points.clone().map(|p| f32::from(p.z) / 100.0));
                intensity.extend(points.clone().map(|p| f32::from(p.reflectivity)));
                tag.extend(points.map(|p| p.tag));
            }
            _ => self.for_each_spherical(|xyz, reflectivity, t| {
                x.push(xyz[0]);
                y.push(xyz[1]);
                z.push(xyz[2]);
                intensity.push(f32::from(reflectivity));
                tag.push(t);
            }),
        }
    }

    fn for_each_spherical(&self, mut each: impl FnMut([f32; 3], u8, u8)) {
        match self.layout {
            Layout::FloatSpherical(points) => {
                // Depth, theta and phi stand in the fields of x, y and z.
                for p in points.iter().map(FloatPoint::from_bytes) {
                    each(cartesian(p.x.into(), p.y.into(), p.z.into()), p.reflectivity, 0);
                }
            }
            Layout::Spherical(points) => {
                for p in points.iter().map(RawSpherical::from_bytes) {
                    each(cartesian(depth(p.depth), p.theta.into(), p.phi.into()), p.reflectivity, 0);
                }
            }
            Layout::TaggedSpherical(points) => {
                for p in points.iter().map(TaggedSpherical::from_bytes) {
                    each(cartesian(depth(p.depth), p.theta.into(), p.phi.into()), p.reflectivity, p.tag);
                }
            }
            Layout::DualSpherical(shots) => {
                for shot in shots.iter().map(DualSpherical::from_bytes) {
                    for r in shot.returns {
                        let xyz = cartesian(depth(r.depth), shot.theta.into(), shot.phi.into());
                        each(xyz, r.reflectivity, r.tag);
                    }
                }
            }
            Layout::TripleSpherical(shots) => {
                for shot in shots.iter().map(TripleSpherical::from_bytes) {
                    for r in shot.returns {
                        let xyz = cartesian(depth(r.depth), shot.theta.into(), shot.phi.into());
                        each(xyz, r.reflectivity, r.tag);
                    }
                }
            }
            _ => {}
        }
    }
}

/// No Livox measures this far, in millimetres: the Tele-15 reaches 500 m.
const RANGE: i32 = 1_000_000;

/// Millimetres to metres: correctly rounded up to 16 km, beyond any range of these sensors.
#[expect(clippy::cast_precision_loss, reason = "said above")]
fn metres(millimetres: i32) -> f32 {
    millimetres as f32 / 1000.0
}

/// Depth in metres: the specification declares it `int`. Livox's code has it unsigned, which differs beyond 2147 km.
fn depth(millimetres: i32) -> f64 {
    f64::from(millimetres) / 1000.0
}

/// Whether a depth in millimetres, or one of these angles in hundredths of a degree, cannot be.
fn is_odd_direction(depth: i32, theta: u16, phi: u16) -> bool {
    depth < 0 || theta > 18_000 || phi > 36_000
}

/// Depth in metres, zenith theta and azimuth phi in hundredths of a degree, to metres.
fn cartesian(depth: f64, theta: f64, phi: f64) -> [f32; 3] {
    let (sin_theta, cos_theta) = (theta / 100.0).to_radians().sin_cos();
    let (sin_phi, cos_phi) = (phi / 100.0).to_radians().sin_cos();
    #[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
    [depth * sin_theta * cos_phi, depth * sin_theta * sin_phi, depth * cos_theta].map(|v| v as f32)
}
