//! Where frames of reference lie, from the samples before.

use std::{collections::BTreeMap, sync::Arc};

use ::e57::{Quaternion, Transform, Translation};
use robolog_core::{Pose, Sample, Value};

/// The last pose of each frame in its parent.
#[derive(Debug, Default)]
pub(super) struct Poses(BTreeMap<String, (Arc<str>, Pose)>);

/// Frames that are known at a time at most.
const MAX_FRAMES: usize = 4096;
/// Frames that lie in one another at most.
const MAX_DEPTH: usize = 32;

impl Poses {
    /// Notes the pose that a sample holds, if it holds one.
    pub(super) fn note(&mut self, sample: &Sample) {
        let (child, pose) = match &sample.value {
            Value::Transform(transform) => (&transform.child_frame_id, transform.pose),
            Value::Odometry(odometry) => (&odometry.child_frame_id, odometry.pose),
            _ => return,
        };
        if self.0.len() < MAX_FRAMES || self.0.contains_key(child) {
            self.0.insert(child.clone(), (Arc::clone(&sample.frame_id), pose));
        }
    }

    /// From coordinates of a frame to those of the outermost that it is known to lie in; `None` where it lies in none.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "of floating-point numbers, and what is not finite is refused"
    )]
    pub(super) fn of(&self, frame: &str) -> Option<Transform> {
        let (parent, pose) = self.0.get(frame)?;
        let mut parent = parent;
        let mut whole = pose.isometry();
        for _ in 0..MAX_DEPTH {
            let Some((next, pose)) = self.0.get(&**parent) else { break };
            whole = pose.isometry() * whole;
            parent = next;
        }
        let (q, t) = (whole.rotation, whole.translation.vector);
        if ![q.w, q.i, q.j, q.k, t.x, t.y, t.z].into_iter().all(f64::is_finite) {
            return None;
        }
        // The standard asks for a scalar part that is not negative; the opposite quaternion is the same rotation.
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        Some(Transform {
            rotation: Quaternion { w: q.w * sign, x: q.i * sign, y: q.j * sign, z: q.k * sign },
            translation: Translation { x: t.x, y: t.y, z: t.z },
        })
    }
}
