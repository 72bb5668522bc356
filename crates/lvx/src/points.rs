//! The points of a package, as columns over the bytes of the file.

use robolog_core::{PointCloud, layout::chunks};

use crate::DataType;

/// The points of a package: a view, nothing is copied before a column is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points<'a> {
    layout: Layout<'a>,
    returns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Layout<'a> {
    Nothing,
    Float(&'a [[u8; 13]]),
    FloatSpherical(&'a [[u8; 13]]),
    Raw(&'a [[u8; 13]]),
    /// Dual and triple returns are these too, a shot's returns side by side.
    Tagged(&'a [[u8; 14]]),
    Low(&'a [[u8; 8]]),
    Spherical(&'a [[u8; 9]]),
    TaggedSpherical(&'a [[u8; 10]]),
    DualSpherical(&'a [[u8; 16]]),
    TripleSpherical(&'a [[u8; 22]]),
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
            Layout::Raw(points) => points.iter().map(ints).collect(),
            Layout::Tagged(points) => points.iter().map(ints).collect(),
            Layout::Low(points) => points
                .iter()
                .map(|p| [short::<0, 8>(p), short::<2, 8>(p), short::<4, 8>(p)].map(i32::from))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// How many points of spherical types point where no LiDAR does: theta beyond 180 degrees, phi beyond 360, or a
    /// depth below 0.
    pub(crate) fn odd_directions(&self) -> usize {
        let is_odd = |point: &[u8]| {
            let Some((&[.., d3, t0, t1, p0, p1], _)) = point.split_first_chunk::<8>() else { return false };
            is_odd_direction(d3, angle(t0, t1), angle(p0, p1))
        };
        let odd_returns = |shot: &[u8]| {
            let Some((&[t0, t1, p0, p1], rest)) = shot.split_first_chunk() else { return 0 };
            let returns = chunks::<6>(rest).iter();
            returns.filter(|r| is_odd_direction(r[3], angle(t0, t1), angle(p0, p1))).count()
        };
        match self.layout {
            Layout::Spherical(points) => points.iter().filter(|p| is_odd(*p)).count(),
            Layout::TaggedSpherical(points) => points.iter().filter(|p| is_odd(*p)).count(),
            Layout::DualSpherical(shots) => shots.iter().map(|s| odd_returns(s)).sum(),
            Layout::TripleSpherical(shots) => shots.iter().map(|s| odd_returns(s)).sum(),
            _ => 0,
        }
    }

    /// Appends the columns x, y, z in metres, intensity and tag. Spherical points are converted; data types without
    /// tag get 0.
    pub fn append_to(&self, cloud: &mut PointCloud) {
        let PointCloud { x, y, z, intensity, tag, .. } = cloud;
        match self.layout {
            Layout::Nothing => {}
            Layout::Float(points) => {
                x.extend(points.iter().map(float::<0>));
                y.extend(points.iter().map(float::<4>));
                z.extend(points.iter().map(float::<8>));
                intensity.extend(points.iter().map(|p| f32::from(p[12])));
                tag.extend(points.iter().map(|_| 0));
            }
            Layout::Raw(points) => {
                x.extend(points.iter().map(|p| metres(int::<0, 13>(p))));
                y.extend(points.iter().map(|p| metres(int::<4, 13>(p))));
                z.extend(points.iter().map(|p| metres(int::<8, 13>(p))));
                intensity.extend(points.iter().map(|p| f32::from(p[12])));
                tag.extend(points.iter().map(|_| 0));
            }
            Layout::Tagged(points) => {
                x.extend(points.iter().map(|p| metres(int::<0, 14>(p))));
                y.extend(points.iter().map(|p| metres(int::<4, 14>(p))));
                z.extend(points.iter().map(|p| metres(int::<8, 14>(p))));
                intensity.extend(points.iter().map(|p| f32::from(p[12])));
                tag.extend(points.iter().map(|p| p[13]));
            }
            Layout::Low(points) => {
                x.extend(points.iter().map(|p| f32::from(short::<0, 8>(p)) / 100.0));
                y.extend(points.iter().map(|p| f32::from(short::<2, 8>(p)) / 100.0));
                z.extend(points.iter().map(|p| f32::from(short::<4, 8>(p)) / 100.0));
                intensity.extend(points.iter().map(|p| f32::from(p[6])));
                tag.extend(points.iter().map(|p| p[7]));
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
                for p in points {
                    let (theta, phi) = (float::<4>(p), float::<8>(p));
                    each(cartesian(f64::from(float::<0>(p)), theta.into(), phi.into()), p[12], 0);
                }
            }
            Layout::Spherical(points) => {
                for p in points {
                    each(
                        cartesian(depth([p[0], p[1], p[2], p[3]]), angle(p[4], p[5]), angle(p[6], p[7])),
                        p[8],
                        0,
                    );
                }
            }
            Layout::TaggedSpherical(points) => {
                for p in points {
                    let xyz =
                        cartesian(depth([p[0], p[1], p[2], p[3]]), angle(p[4], p[5]), angle(p[6], p[7]));
                    each(xyz, p[8], p[9]);
                }
            }
            Layout::DualSpherical(points) => points.iter().for_each(|p| multi(p, &mut each)),
            Layout::TripleSpherical(points) => points.iter().for_each(|p| multi(p, &mut each)),
            _ => {}
        }
    }
}

/// The returns of one shot: theta, phi, then depth, reflectivity and tag of each.
fn multi(shot: &[u8], each: &mut impl FnMut([f32; 3], u8, u8)) {
    let Some((&[t0, t1, p0, p1], rest)) = shot.split_first_chunk() else { return };
    for r in chunks::<6>(rest) {
        each(cartesian(depth([r[0], r[1], r[2], r[3]]), angle(t0, t1), angle(p0, p1)), r[4], r[5]);
    }
}

/// The i32 at `AT` of an entry; the offsets are constants inside the entry.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "constants, checked when compiled"
)]
fn int<const AT: usize, const N: usize>(p: &[u8; N]) -> i32 {
    const { assert!(AT + 4 <= N) };
    i32::from_le_bytes([p[AT], p[AT + 1], p[AT + 2], p[AT + 3]])
}

fn ints<const N: usize>(p: &[u8; N]) -> [i32; 3] {
    [int::<0, N>(p), int::<4, N>(p), int::<8, N>(p)]
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "constants, checked when compiled"
)]
fn short<const AT: usize, const N: usize>(p: &[u8; N]) -> i16 {
    const { assert!(AT + 2 <= N) };
    i16::from_le_bytes([p[AT], p[AT + 1]])
}

fn float<const AT: usize>(p: &[u8; 13]) -> f32 {
    f32::from_bits(int::<AT, 13>(p).cast_unsigned())
}

/// Millimetres to metres: correctly rounded up to 16 km, beyond any range of these sensors.
#[expect(clippy::cast_precision_loss, reason = "said above")]
fn metres(millimetres: i32) -> f32 {
    millimetres as f32 / 1000.0
}

/// Depth in metres: the specification declares it `int`. Livox's code has it unsigned, which differs beyond 2147 km.
fn depth(millimetres: [u8; 4]) -> f64 {
    f64::from(i32::from_le_bytes(millimetres)) / 1000.0
}

fn angle(low: u8, high: u8) -> f64 {
    f64::from(u16::from_le_bytes([low, high]))
}

/// Whether a depth with this highest byte, or one of these angles in hundredths of a degree, cannot be.
fn is_odd_direction(depth: u8, theta: f64, phi: f64) -> bool {
    depth > 0x7f || theta > 18_000.0 || phi > 36_000.0
}

/// Depth in metres, zenith theta and azimuth phi in hundredths of a degree, to metres.
fn cartesian(depth: f64, theta: f64, phi: f64) -> [f32; 3] {
    let (sin_theta, cos_theta) = (theta / 100.0).to_radians().sin_cos();
    let (sin_phi, cos_phi) = (phi / 100.0).to_radians().sin_cos();
    #[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
    [depth * sin_theta * cos_phi, depth * sin_theta * sin_phi, depth * cos_theta].map(|v| v as f32)
}
