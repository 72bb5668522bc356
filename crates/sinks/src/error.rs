//! Errors of conversions.

mod advice;
mod meant;
mod reason;

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use robolog_core::{Timestamp, text::Escaped};

use self::meant::{are_many, meant};
pub use self::{advice::Advice, meant::nearest, reason::Reason};
use crate::{
    output::failure,
    trajectories::{self, Trajectory},
};

/// Result of the fallible functions of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a conversion failed: one error for recordings, steps and sinks, so that it passes through all of them.
///
/// ```
/// use robolog_sinks::Error;
/// let error = Error::NoSuchTarget { name: "parket".to_owned(), known: "parquet, pcd".to_owned() };
/// assert_eq!(error.to_string(), "there is no output format \"parket\"; did you mean parquet?");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(robolog_core::Error),
    /// A file of a data set cannot be read.
    #[error("{fault}")]
    DataSet {
        /// The file, and why.
        fault: Box<dyn std::error::Error + Send + Sync>,
        /// Whether the machine failed, not the file.
        is_of_machine: bool,
    },
    /// One of several recordings cannot be read.
    #[error("{}: {source}", Escaped(.name.as_bytes()))]
    Input {
        /// Name of the recording.
        name: String,
        /// Why.
        source: Box<Self>,
    },
    /// The file is empty.
    #[error("the file is empty")]
    EmptyFile,
    /// No format matches these first bytes.
    #[error("unknown format; it begins with \"{}\"", Escaped(.0))]
    UnknownFormat(Vec<u8>),
    /// The file is of a known kind, but not a recording.
    #[error("{}, not a recording", .0.name)]
    Foreign(Foreign),
    /// The named format does not exist.
    #[error("there is no format {name:?}{}", meant(name, known))]
    NoSuchFormat {
        /// The name asked for.
        name: String,
        /// The known names.
        known: String,
    },
    /// The named target does not exist.
    #[error("there is no output format {name:?}{}", meant(name, known))]
    NoSuchTarget {
        /// The name asked for.
        name: String,
        /// The known names.
        known: String,
    },
    /// The name of the output does not imply a format.
    #[error("{}: unknown output format {extension:?}{}", shown(.path), meant(extension, known))]
    UnknownTarget {
        /// The output.
        path: PathBuf,
        /// Its extension with the dot; without one, its whole name.
        extension: String,
        /// The known names.
        known: String,
    },
    /// The output is a folder, and no target is named.
    #[error("{}: a folder, whose name does not say what to write into it", shown(.0))]
    FolderTarget(PathBuf),
    /// The name of the output implies another format than the one asked for.
    #[error("{}: the name says {named}, but {asked} is asked for", shown(.path))]
    TargetDisagrees {
        /// The output.
        path: PathBuf,
        /// The target that the extension implies.
        named: &'static str,
        /// The target asked for.
        asked: &'static str,
    },
    /// The target exists already.
    #[error("{}: exists already", shown(.0))]
    Exists(PathBuf),
    /// The target is the input.
    #[error("{}: is the input itself", shown(.0))]
    IsInput(PathBuf),
    /// The target lies in an input folder.
    #[error("{}: lies in the input", shown(.0))]
    InInput(PathBuf),
    /// The folder to be replaced holds the input.
    #[error("{}: holds the input", shown(.0))]
    HoldsInput(PathBuf),
    /// The folder to be replaced holds files that no earlier conversion listed in its `_index.csv`.
    #[error("{}: not replaced: it holds files that its _index.csv does not list", shown(.0))]
    NotOurs(PathBuf),
    /// Nothing was written.
    #[error("nothing written: {0}")]
    Empty(Reason),
    /// A channel pattern matches no channel.
    #[error(transparent)]
    NoChannel(#[from] NoChannel),
    /// A pattern matches channels of samples, but the channels of records differ.
    #[error(
        "'{}' matches channels of samples, but records are copied whole; theirs are {}",
        Escaped(.0.pattern.as_bytes()),
        Escaped(.0.met.join(", ").as_bytes())
    )]
    WholeRecords(NoChannel),
    /// No sample lies within the time limits.
    #[error("no samples in that range; the recording spans {}", Span(*.start, *.end))]
    OutsideRange {
        /// Start of the recording.
        start: Timestamp,
        /// End of the recording.
        end: Timestamp,
    },
    /// The target holds one trajectory, but there are several; the longest first.
    #[error("{} trajectories, and the target holds one{}", .0.len(), trajectories::list(.0))]
    SeveralTrajectories(Vec<Trajectory>),
    /// This build lacks a feature.
    #[error("this build has no {what}, which needs the feature {feature}")]
    NotBuilt {
        /// The target, or a part of it.
        what: String,
        /// The feature of this crate that provides it.
        feature: &'static str,
    },
    /// The conversion is refused.
    #[error("{0}")]
    Target(Reason),
    /// Reading or writing a file failed.
    #[error("{}: {source}", shown(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing failed.
    #[error("writing: {0}")]
    Write(io::Error),
}

/// The kind of a file that is not a recording, and advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// Common name, such as `JPEG image`.
    pub name: &'static str,
    /// Advice, if any.
    pub advice: Option<&'static str>,
}

/// A pattern that no channel of the recording matches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no channel matches '{}'{}", Escaped(.pattern.as_bytes()), Nearest(.nearest))]
pub struct NoChannel {
    /// Pattern.
    pub pattern: String,
    /// The channel with the most similar name, if any is similar.
    pub nearest: Option<String>,
    /// The first channels found, sorted by name.
    pub met: Vec<String>,
}

struct Nearest<'a>(&'a Option<String>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "; did you mean {}?", Escaped(name.as_bytes())),
            None => Ok(()),
        }
    }
}

impl Error {
    /// Names the recording at `path` in the error. Errors of files name theirs already.
    #[must_use]
    pub fn at(self, path: &Path) -> Self {
        match self {
            Self::File { .. } | Self::Input { .. } => self,
            source => Self::Input { name: path.display().to_string(), source: Box::new(source) },
        }
    }

    /// An I/O error of the file at `path`.
    pub fn file(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { path: path.into(), source }
    }

    /// Converts an error of a writer; an I/O error in it is one of the target.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` hands errors over")]
    pub fn written(error: robolog_core::Error) -> Self {
        match error.kind() {
            robolog_core::ErrorKind::Io(e) => {
                failure(e).unwrap_or_else(|| Self::Write(io::Error::new(e.kind(), e.to_string())))
            }
            _ => Self::Target(Reason::Writer(error.to_string())),
        }
    }

    /// Converts an error of the library that writes or reads `what`.
    pub fn library(what: &'static str, error: impl fmt::Display) -> Self {
        Self::Target(Reason::Library { what, message: error.to_string() })
    }

    /// What the caller can do about it, if anything.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Empty(reason) | Self::Target(reason) => reason.advice(),
            Self::SeveralTrajectories(_) => Some(Advice::OneChannel),
            Self::WholeRecords(_) => Some(Advice::Convert),
            Self::Exists(_) => Some(Advice::Replace),
            Self::UnknownTarget { extension, .. } if extension == ".db3" => Some(Advice::Rosbag2),
            Self::UnknownTarget { .. } | Self::FolderTarget(_) => Some(Advice::NameTarget),
            Self::NoSuchTarget { known, .. } if are_many(known) => Some(Advice::ListTargets),
            Self::TargetDisagrees { .. } => Some(Advice::OneName),
            Self::UnknownFormat(_) => Some(Advice::ListFormats),
            Self::Foreign(foreign) => foreign.advice.map(Advice::Other),
            Self::Input { source, .. } => source.advice(),
            _ => None,
        }
    }

    /// Whether the machine failed, not a recording: see [`robolog_core::format::is_of_machine`].
    pub fn is_of_machine(&self) -> bool {
        match self {
            Self::File { source, .. } | Self::Write(source) => robolog_core::format::is_of_machine(source),
            Self::Recording(error) => error.is_of_machine(),
            Self::DataSet { is_of_machine, .. } => *is_of_machine,
            Self::Input { source, .. } => source.is_of_machine(),
            _ => false,
        }
    }

    /// Whether the reader of a pipe has closed it; programs then exit silently.
    pub fn is_broken_pipe(&self) -> bool {
        let io = match self {
            Self::Write(e) => Some(e),
            Self::Recording(e) => match e.kind() {
                robolog_core::ErrorKind::Io(e) => Some(e),
                _ => None,
            },
            _ => None,
        };
        io.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// An error of the target's file names the target.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        failure(&error).unwrap_or(Self::Write(error))
    }
}

/// An error of the target's file names the target, not the recording.
impl From<robolog_core::Error> for Error {
    fn from(error: robolog_core::Error) -> Self {
        let of_target = match error.kind() {
            robolog_core::ErrorKind::Io(e) => failure(e),
            _ => None,
        };
        of_target.unwrap_or(Self::Recording(error))
    }
}

/// A broken pipe under a table stays a broken pipe.
impl From<csv::Error> for Error {
    fn from(error: csv::Error) -> Self {
        let text = error.to_string();
        match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            _ => Self::Write(io::Error::other(text)),
        }
    }
}

/// A start and an end; shows the date once if both have the same.
struct Span(Timestamp, Timestamp);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.0.to_string(), self.1.to_string());
        let is_same_day = start.find('T').is_some_and(|t| end.get(..=t) == start.get(..=t));
        let end = if is_same_day { end.split_once('T').map_or(&*end, |(_, time)| time) } else { &end };
        write!(f, "{start} to {end}")?;
        match self.1.since(self.0) {
            Some(nanos) => write!(f, ", {}.{} s", nanos / 1_000_000_000, nanos / 100_000_000 % 10),
            None => Ok(()),
        }
    }
}

fn shown(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}
