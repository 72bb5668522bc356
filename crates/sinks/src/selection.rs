//! The user's selection.

/// The user's selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Everything in the recording: a table takes point clouds, a point file no laser scans.
    #[default]
    Everything,
    /// A file per frame, without mixing: laser scans become points if the target holds points.
    Frames,
    /// Selected channels, or a file per channel or kind: a table takes the kind of value that comes first, and laser
    /// scans become points if the target holds points.
    Channels,
}
