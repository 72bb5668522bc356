//! What a topic holds.

/// What a topic holds of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its values; the kind names the topic if there is a topic of other values already.
    Value(&'static str),
    /// What is written beside them, under this name.
    Beside(&'static str),
    /// The transforms of all channels that move.
    Transform,
    /// The transforms of all channels that do not.
    StaticTransform,
    /// The boxes of all channels.
    Scene,
}

pub(crate) const SHARED: [Role; 3] = [Role::Transform, Role::StaticTransform, Role::Scene];

impl Role {
    /// The name of the topic that all channels share.
    pub(crate) const fn shared(self) -> Option<&'static str> {
        match self {
            Self::Transform => Some("/tf"),
            Self::StaticTransform => Some("/tf_static"),
            Self::Scene => Some("/scene"),
            Self::Value(_) | Self::Beside(_) => None,
        }
    }
}
