//! What a sink knows about its file.

#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
use super::columns::Room;
use super::{gather::Shared, options::SinkOptions, selection::Selection};

/// What a sink knows about its file. The default is a single file of everything.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Opening {
    /// The user's options.
    pub options: SinkOptions,
    /// The user's selection.
    pub selection: Selection,
    /// Number of other open files, which share memory.
    pub others: usize,
    /// Number of channels in the file.
    pub channels: Channels,
    /// Shared spool for rows until the columns of their table are known.
    pub(crate) shared: Shared,
    /// Memory that tables share.
    #[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
    pub(crate) room: Room,
}

/// Number of channels in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channels {
    /// Any number: a field of each point names its channel.
    #[default]
    Several,
    /// One.
    One,
    /// One, named by the file's path: readers would see a column of it twice.
    Named,
}

impl From<Selection> for Opening {
    fn from(selection: Selection) -> Self {
        Self { selection, ..Self::default() }
    }
}

impl Opening {
    /// Creates the opening of a single file.
    pub fn new(options: SinkOptions, selection: Selection) -> Self {
        Self { options, selection, ..Self::default() }
    }
}
