//! Exit statuses.

use std::process::ExitCode;

use robolog_convert::{Error, Reason};

/// Result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Everything is done.
    Done,
    /// Done, but the input was damaged or something was left out.
    Lossy,
    /// Wrong usage: the user must give more.
    Usage,
    /// Failed.
    Failed,
}

impl Status {
    /// Done, with or without loss.
    pub(crate) const fn lossy_if(lossy: bool) -> Self {
        if lossy { Self::Lossy } else { Self::Done }
    }

    /// The status of a command that fails with this error.
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            Error::SeveralTrajectories(_)
            | Error::NoChannel(_)
            | Error::WholeRecords(_)
            | Error::NoSuchFormat { .. }
            | Error::NoSuchTarget { .. }
            | Error::UnknownTarget { .. }
            | Error::FolderTarget(_)
            | Error::TargetDisagrees { .. }
            | Error::Target(
                Reason::Choose(_)
                | Reason::CrsWithoutOrigin(_)
                | Reason::NoMercator(_)
                | Reason::NoTransforms { .. },
            ) => Self::Usage,
            Error::Input { source, .. } => Self::of(source),
            _ => Self::Failed,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Usage => 2,
            Status::Lossy => 3,
        })
    }
}
