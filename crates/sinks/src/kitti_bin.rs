//! Point clouds of the KITTI data sets.

use robolog_core::PointCloud;

use super::{
    Holds, Lacks, Need, TargetSpec,
    clouds::{Clouds, Encoding},
    takes,
};

/// KITTI point clouds.
pub static KITTI_BIN: TargetSpec = TargetSpec {
    name: "kitti-bin",
    extensions: &["bin"],
    about: "point clouds of KITTI, four floats a point",
    holds: Holds::Points,
    lacks: Lacks::POINT_TIMES.and(Lacks::RETURNS).and(Lacks::TAGS).and(Lacks::RINGS),
    needs: &[Need::OneFrame, Need::Poses],
    takes: takes::points,
    instead: takes::no_advice,
    open: |out, opening| Ok(Box::new(KittiBin::of(out, opening))),
};

/// Writes x, y, z (m) and intensity of each point as little-endian 32-bit floats, cloud after cloud: a single file
/// holds all clouds, and a folder with a file per frame is what KISS-ICP and most KITTI learners read.
///
/// Intensities are the sensor's own; KITTI's range from 0 to 1. Missing intensities are 0. The format has no times: a
/// folder also gets `times.txt`, as written by [`KittiTimes`](super::kitti_times::KittiTimes), with a line per file in
/// order of names, and `poses.txt`, as written by [`Kitti`](super::kitti::Kitti), if
/// [`Place::in_own_frames`](crate::op::Place::in_own_frames) gives poses.
pub type KittiBin<W> = Clouds<W, KittiPoints>;

/// The points of [`KittiBin`].
#[derive(Debug)]
pub struct KittiPoints;

impl Encoding for KittiPoints {
    fn put(cloud: &PointCloud, out: &mut Vec<u8>) {
        let intensities = cloud.intensity.iter().copied().chain(std::iter::repeat(0.0));
        for (((x, y), z), intensity) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z).zip(intensities) {
            for value in [*x, *y, *z, intensity] {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
}
