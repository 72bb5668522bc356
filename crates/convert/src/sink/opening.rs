//! What a sink knows of the file that it makes.

use super::{gather::Shared, options::SinkOptions, selection::Selection};

/// What a sink knows of the file that it makes. The default is a file of everything by itself.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Opening {
    /// What the user chose.
    pub options: SinkOptions,
    /// What the user asked for.
    pub selection: Selection,
    /// How many files are being made beside this one, among which memory is shared.
    pub others: usize,
    /// How many channels the file holds.
    pub channels: Channels,
    /// Where rows wait until the columns of their table are known.
    pub(crate) shared: Shared,
}

/// How many channels a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channels {
    /// Any number: a field of each point names its channel.
    #[default]
    Several,
    /// One.
    One,
    /// One, which the file's path names: a column of it would be found twice.
    Named,
}

impl From<Selection> for Opening {
    fn from(selection: Selection) -> Self {
        Self { selection, ..Self::default() }
    }
}

impl Opening {
    /// A file by itself.
    pub fn new(options: SinkOptions, selection: Selection) -> Self {
        Self { options, selection, ..Self::default() }
    }
}
