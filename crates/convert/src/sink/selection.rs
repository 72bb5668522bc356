//! What was asked for, beside the target.

/// What was asked for, beside the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Whatever the recording holds: a table takes point clouds, a file of points no laser scans.
    #[default]
    Everything,
    /// A file for each frame, in which nothing is mixed: laser scans become points where a target holds points.
    Frames,
    /// Channels by name, or a file for each channel or kind: a table takes the kind of values that comes first, and laser
    /// scans become points where a target holds points.
    Channels,
}
