//! Which transforms place which frame: each frame has one parent.

use std::sync::Arc;

use crate::numbered::Numbered;

/// Placed frames, each by one channel in one parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Frames {
    children: Numbered,
    /// By the number of the child.
    placements: Vec<Placement>,
}

#[derive(Debug, Clone)]
struct Placement {
    channel: Arc<str>,
    parent: Arc<str>,
    is_static: bool,
}

/// Maximum number of child frames.
const MOST_FRAMES: usize = 100_000;

impl Frames {
    /// Whether `channel` may place `child` in `parent`, by static or moving transforms. Only the first channel, parent
    /// and kind may; a frame cannot be its own parent.
    pub(super) fn places(
        &mut self,
        channel: &Arc<str>,
        parent: &Arc<str>,
        child: &str,
        is_static: bool,
    ) -> bool {
        if child.is_empty() || child == &**parent {
            return false;
        }
        if let Some(first) = self.children.find(child).and_then(|number| self.placements.get(number)) {
            return first.channel == *channel && first.parent == *parent && first.is_static == is_static;
        }
        if self.placements.len() >= MOST_FRAMES {
            return false;
        }
        let (channel, parent) = (Arc::clone(channel), Arc::clone(parent));
        self.children.number(child, || child.into());
        self.placements.push(Placement { channel, parent, is_static });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_one_parent() {
        let mut frames = Frames::default();
        let mut places = |channel: &str, parent: &str, child: &str, is_static| {
            frames.places(&channel.into(), &parent.into(), child, is_static)
        };
        assert!(places("tf_static", "base", "lidar", true));
        assert!(places("tf_static", "base", "lidar", true));
        assert!(!places("tf_static", "map", "lidar", true), "another parent");
        assert!(!places("odometry", "base", "lidar", true), "another channel");
        assert!(!places("tf_static", "base", "lidar", false), "one that moves");
        assert!(!places("odometry", "map", "map", false) && !places("odometry", "map", "", false));
        assert!(places("odometry", "map", "base", false));
    }
}
