//! The verbs for a caller in the same process, such as Python: what the program prints is handed over, a signal of the
//! caller stops the work, and an error comes back as it is.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::OsString,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{
    FromArgMatches as _,
    error::{ContextKind, ContextValue, ErrorKind},
};
use robolog_convert::{Error, Input, Report, Settings};

use crate::{
    args::{Args, Command, command, reading::ReadingArgs},
    status::Status,
};

/// Called during the work with the position in the input, if it is known. An error stops the work.
pub type Watch = Arc<dyn Fn(Option<u64>) -> io::Result<()> + Send + Sync>;

/// Gets what was read and written, for each recording or for all together.
pub type Hear = Box<dyn FnMut(&Report)>;

/// An input that is in no file, such as bytes or an address.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Away {
    /// Its name in the words of the command line.
    pub name: PathBuf,
    /// Opens it, any number of times.
    pub open: Box<dyn Fn() -> Result<Input, Error>>,
}

/// Who calls a verb.
#[expect(missing_debug_implementations, reason = "it holds functions")]
pub struct Caller {
    /// Watches the work.
    pub watch: Watch,
    /// Gets reports.
    pub hear: Hear,
    /// The input, if it is in no file.
    pub away: Option<Away>,
}

/// What a verb did.
#[derive(Debug, Default)]
pub struct Called {
    /// Whether it did its work; otherwise the messages say why not.
    pub is_done: bool,
    /// Whether nothing was damaged or lost.
    pub is_complete: bool,
    /// The lines for people that the program would print.
    pub messages: Vec<String>,
    /// What the program would print on standard output.
    pub printed: Vec<u8>,
}

/// Why a verb did nothing.
#[derive(Debug)]
pub enum Refused {
    /// An option has a value that cannot be meant, or lacks another option.
    Usage {
        /// The option, if one is to blame.
        option: Option<String>,
        /// Why.
        why: String,
    },
    /// The work failed.
    Failed(Error),
}

/// The verb that runs, and its caller.
struct Running {
    caller: Caller,
    told: Called,
    lengths: BTreeMap<PathBuf, u64>,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Runs a verb with the words of a command line behind `robolog`.
///
/// # Errors
///
/// The line is wrong, or the work failed.
pub fn call(words: &[OsString], caller: Caller) -> Result<Called, Refused> {
    let line =
        [OsString::from("robolog"), "--progress=never".into()].into_iter().chain(words.iter().cloned());
    let args = parsed(line)?;
    RUNNING.set(Some(Running { caller, told: Called::default(), lengths: BTreeMap::new() }));
    let context = args.context();
    let outcome = crate::run(args.command, context);
    let mut told = RUNNING.take().map(|running| running.told).unwrap_or_default();
    let status = outcome.map_err(Refused::Failed)?;
    told.is_done = matches!(status, Status::Done | Status::Lossy);
    told.is_complete = status == Status::Done;
    Ok(told)
}

/// How options of reading, in words of a command line, let a recording be read.
#[derive(Debug, Default)]
pub struct Reading {
    /// Everything that does not depend on the recording.
    pub settings: Settings,
    /// Whether the recording gives the time of its stamp 0.
    pub epoch_from_recording: bool,
    /// Whether the recording gives the origin of its local frames.
    pub origin_from_recording: bool,
    /// Whether the use of extrinsics was given.
    pub chooses_extrinsics: bool,
}

/// Understands options of reading.
///
/// # Errors
///
/// A value cannot be meant, or the file with a calibration cannot be read.
pub fn reading(words: &[OsString]) -> Result<Reading, Refused> {
    let line = ["robolog", "convert", "recording", "--output=none"].map(OsString::from);
    let args = parsed(line.into_iter().chain(words.iter().cloned()))?;
    let context = args.context();
    let Command::Convert(args) = args.command else { return Ok(Reading::default()) };
    let reading: &ReadingArgs = &args.reading;
    Ok(Reading {
        settings: reading.fixed(0, context).map_err(Refused::Failed)?,
        epoch_from_recording: reading.takes_epoch(0),
        origin_from_recording: reading.takes_origin(),
        chooses_extrinsics: reading.chooses_extrinsics(),
    })
}

fn parsed(line: impl Iterator<Item = OsString>) -> Result<Args, Refused> {
    let matches = command().try_get_matches_from(line);
    matches.and_then(|matches| Args::from_arg_matches(&matches)).map_err(|error| usage(&error))
}

/// The option that a wrong line has to blame, and why, in one line.
fn usage(error: &clap::Error) -> Refused {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let name =
        |shown: String| shown.split([' ', '=']).next().map(|word| word.trim_start_matches('-').to_owned());
    let option = context(ContextKind::InvalidArg);
    if error.kind() == ErrorKind::MissingRequiredArgument {
        // Of a group: <--every|--size>.
        let of_group =
            option.as_deref().and_then(|names| names.split('<').nth(1)).filter(|names| names.contains("--"));
        return match of_group {
            Some(names) => {
                let names = names.trim_end_matches('>').replace('|', ", ");
                Refused::Usage { option: None, why: format!("one of {names} is needed") }
            }
            None => Refused::Usage { option: option.and_then(name), why: "is needed".into() },
        };
    }
    let option = option.and_then(name);
    let text = error.to_string();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // A reason stands behind the option and its value.
    let why = match (std::error::Error::source(error), context(ContextKind::ValidValue)) {
        (Some(reason), _) => reason.to_string(),
        (None, Some(known)) => format!("choose one of {known}"),
        (None, None) => first.trim_start_matches("error: ").to_owned(),
    };
    Refused::Usage { option, why }
}

/// Whether a verb runs for a caller of this thread.
pub(crate) fn is_called() -> bool {
    RUNNING.with_borrow(Option::is_some)
}

/// Hands a line over, if somebody takes it.
pub(crate) fn takes(line: &str) -> bool {
    tell(|told| told.messages.push(line.trim_end().to_owned()))
}

/// Hands over what was read and written.
pub(crate) fn take_report(report: &Report) {
    RUNNING.with_borrow_mut(|running| {
        if let Some(running) = running {
            (running.caller.hear)(report);
        }
    });
}

/// Standard output, or what the caller gets in its place.
pub(crate) fn stdout() -> Box<dyn io::Write> {
    if is_called() { Box::new(Handed) } else { Box::new(io::stdout().lock()) }
}

fn tell(what: impl FnOnce(&mut Called)) -> bool {
    RUNNING.with_borrow_mut(|running| running.as_mut().map(|running| what(&mut running.told)).is_some())
}

/// What watches the work.
pub(crate) fn watch() -> Option<Watch> {
    RUNNING.with_borrow(|running| running.as_ref().map(|running| Arc::clone(&running.caller.watch)))
}

/// Whether the caller opens this input.
pub(crate) fn opens(path: &Path) -> bool {
    of_caller(path, |_| ()).is_some()
}

/// An input that the caller opens.
pub(crate) fn opened(path: &Path) -> Option<Result<Input, Error>> {
    of_caller(path, |away| (away.open)())
}

fn of_caller<T>(path: &Path, what: impl FnOnce(&Away) -> T) -> Option<T> {
    RUNNING.with_borrow(|running| {
        running.as_ref()?.caller.away.as_ref().filter(|away| away.name == path).map(what)
    })
}

/// The length of a file when this call first opened it, if there is a caller.
pub(crate) fn known_length(path: &Path, len: impl FnOnce() -> u64) -> Option<u64> {
    RUNNING
        .with_borrow_mut(|caller| Some(*caller.as_mut()?.lengths.entry(path.to_owned()).or_insert_with(len)))
}

/// Output for the caller.
struct Handed;

impl io::Write for Handed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        tell(|told| told.printed.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { option: Some(option), why } => write!(f, "{option}: {why}"),
            Self::Usage { option: None, why } => f.write_str(why),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}
