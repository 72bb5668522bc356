//! Content of topics.

/// Content of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Values of a channel; the kind names the topic if the channel's own topic has other values.
    Value(&'static str),
    /// Content written beside the values, under this name.
    Beside(&'static str),
    /// Moving transforms of all channels.
    Transform,
    /// Static transforms of all channels.
    StaticTransform,
    /// Boxes of all channels.
    Scene,
}

pub(crate) const SHARED: [Role; 3] = [Role::Transform, Role::StaticTransform, Role::Scene];

impl Role {
    /// Name of a topic that all channels share.
    pub(crate) const fn shared(self) -> Option<&'static str> {
        match self {
            Self::Transform => Some("/tf"),
            Self::StaticTransform => Some("/tf_static"),
            Self::Scene => Some("/scene"),
            Self::Value(_) | Self::Beside(_) => None,
        }
    }
}
