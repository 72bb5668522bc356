//! Which transforms place which frame: each frame has one parent.

use std::{collections::HashMap, sync::Arc};

/// Placed frames, each by one channel in one parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Frames(HashMap<String, Placement>);

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
        if let Some(first) = self.0.get(child) {
            return first.channel == *channel && first.parent == *parent && first.is_static == is_static;
        }
        if self.0.len() >= MOST_FRAMES {
            return false;
        }
        let (channel, parent) = (Arc::clone(channel), Arc::clone(parent));
        self.0.insert(child.to_owned(), Placement { channel, parent, is_static });
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
