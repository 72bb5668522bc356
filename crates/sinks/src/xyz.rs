//! Point clouds as text, three numbers per line.

use std::io::Write as _;

use robolog_core::PointCloud;

use super::{
    Holds, Lacks, Need, TargetSpec,
    clouds::{Clouds, Encoding},
    takes,
};

/// Coordinates as text.
pub static XYZ: TargetSpec = TargetSpec {
    name: "xyz",
    extensions: &["xyz"],
    about: "coordinates of points as text, three numbers a line",
    holds: Holds::Points,
    lacks: Lacks::INTENSITIES.and(Lacks::POINT_TIMES).and(Lacks::RETURNS).and(Lacks::TAGS).and(Lacks::RINGS),
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_advice,
    open: |out, opening| Ok(Box::new(Xyz::of(out, opening))),
};

/// Writes x, y and z of each point (m), separated by spaces, one point per line, as read by CloudCompare, MeshLab,
/// Open3D and CAD programs. Numbers have the fewest digits that read back exactly.
///
/// CSV has all other columns: times, intensities, returns and channels.
pub type Xyz<W> = Clouds<W, XyzPoints>;

/// The points of [`Xyz`].
#[derive(Debug)]
pub struct XyzPoints;

impl Encoding for XyzPoints {
    fn put(cloud: &PointCloud, out: &mut Vec<u8>) {
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            // Writing to a buffer cannot fail.
            let _ = writeln!(out, "{x} {y} {z}");
        }
    }
}
