//! Poses of reference frames, from earlier samples.

use std::{collections::BTreeMap, sync::Arc};

use ::e57::{Quaternion, Transform, Translation};
use robolog_core::{Pose, Sample, Value};

/// Last pose of each frame in its parent.
#[derive(Debug, Default)]
pub(super) struct Poses(BTreeMap<String, (Arc<str>, Pose)>);

/// Maximum number of known frames.
const MAX_FRAMES: usize = 4096;
/// Maximum depth of nested frames.
const MAX_DEPTH: usize = 32;

impl Poses {
    /// Stores the pose of a sample, if it has one.
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

    /// Returns the transform from a frame to its outermost known parent; `None` if it has no parent.
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
        // The standard requires a non-negative scalar part; the negated quaternion is the same rotation.
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        Some(Transform {
            rotation: Quaternion { w: q.w * sign, x: q.i * sign, y: q.j * sign, z: q.k * sign },
            translation: Translation { x: t.x, y: t.y, z: t.z },
        })
    }
}
