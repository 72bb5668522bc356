//! Facts from a survey, before samples are read.

use std::{cell::OnceCell, path::Path};

use robolog_convert::{Error, Input, Limit, Result, Settings, source::delivers};
use robolog_core::Timestamp;

use super::summary::survey;
use crate::{call, progress::Context, render};

/// Bytes of a file from which a survey takes longer than a look at its first and last records.
const LARGE: u64 = 4 << 20;

/// Start and end of a recording.
pub(crate) type Span = (Timestamp, Timestamp);

/// A file that is surveyed at most once, when a fact is first needed.
#[derive(Debug)]
pub(crate) struct Overview<'a> {
    input: &'a Input,
    format: Option<&'a str>,
    context: Context,
    facts: OnceCell<Option<Facts>>,
}

#[derive(Debug, Clone, Copy)]
struct Facts {
    span: Option<Span>,
    epoch: Option<Timestamp>,
    has_one_kind: bool,
}

impl<'a> Overview<'a> {
    pub(crate) fn new(input: &'a Input, format: Option<&'a str>, context: Context) -> Self {
        Self { input, format, context, facts: OnceCell::new() }
    }

    /// The global options.
    pub(crate) fn context(&self) -> Context {
        self.context
    }

    /// Start and end of the recording, with `settings` applied. For a large file whose records are in order, the first
    /// and last records suffice. `None` for a pipe, which is read only once: its start is its first stamp.
    ///
    /// Returns an error if a bound of `limit` counts from the end of a pipe.
    pub(crate) fn span(&self, limit: &Limit, settings: &Settings) -> Result<Option<Span>> {
        if let Some(path) = self.large() {
            let span = robolog_convert::span(self.context.open(path)?, self.format, settings)?;
            if span.is_some() {
                return Ok(span);
            }
        }
        let facts = self.facts()?;
        if facts.is_none() && limit.needs_end() {
            return Err(Error::Target("a time from the end needs a file, not a pipe".into()));
        }
        let span = facts.and_then(|facts| facts.span);
        Ok(span.and_then(|(start, end)| settings.moved(start).zip(settings.moved(end))))
    }

    /// Chooses the channels of `limit` if they depend on what the recording has.
    ///
    /// Returns an error for a pipe.
    pub(crate) fn choose(&self, limit: &mut Limit) -> Result<()> {
        if !limit.needs_channels() {
            return Ok(());
        }
        let Some(path) = self.input.path().filter(|path| can_be_read_again(path)) else {
            return Err(Error::Target("--actor reads the recording twice: give a file".into()));
        };
        let info = survey(self.context.open(path)?, self.format, self.context)?;
        limit.know_channels(&info.summary.channels)
    }

    /// Resolves the relative times of `limit`; from the first records of a large file whose records are in order.
    ///
    /// Returns the errors of [`span`](Self::span).
    pub(crate) fn place(&self, limit: &mut Limit, settings: &Settings) -> Result<()> {
        self.choose(limit)?;
        match self.start(limit, settings)? {
            Some(start) => limit.begin_at(start),
            None => place(limit, self.span(limit, settings)?),
        }
        Ok(())
    }

    /// The start of a large file, if its first records suffice and `limit` does not need the end.
    pub(crate) fn start(&self, limit: &Limit, settings: &Settings) -> Result<Option<Timestamp>> {
        match self.large().filter(|_| !limit.needs_end()) {
            Some(path) => robolog_convert::start(self.context.open(path)?, self.format, settings),
            None => Ok(None),
        }
    }

    /// What opens the input again: its path, or the name under which a caller opens it.
    fn path(&self) -> Option<&Path> {
        let name = || Some(Path::new(self.input.name())).filter(|name| call::opens(name));
        self.input.path().or_else(name)
    }

    /// The path of a large file that is not yet surveyed.
    fn large(&self) -> Option<&Path> {
        let is_large = self.input.len().is_some_and(|len| len >= LARGE) && self.facts.get().is_none();
        self.path().filter(|_| is_large)
    }

    /// The Unix time of time stamp 0, if the recording gives it; `None` for a pipe.
    pub(crate) fn epoch(&self) -> Result<Option<Timestamp>> {
        Ok(self.facts()?.and_then(|facts| facts.epoch))
    }

    /// Whether all channels have the same kind of values, or kinds that share a table; false for a pipe.
    pub(crate) fn has_one_kind(&self) -> Result<bool> {
        // A survey of a document takes as long as decoding it, and a format that has places alone needs none.
        if self.facts.get().is_none()
            && self.path().is_some_and(can_be_read_again)
            && let Some(format) = self.format_name().and_then(delivers)
            && share_a_table(format.kinds.iter().copied())
        {
            return Ok(true);
        }
        Ok(self.facts()?.is_some_and(|facts| facts.has_one_kind))
    }

    /// The name of the input's format, if it is known.
    fn format_name(&self) -> Option<&str> {
        match self.format {
            Some(name) => name.split(':').next(),
            None if self.input.is_dataset() => None,
            None => self.input.format().ok(),
        }
    }

    /// The epoch, or an error for `--epoch auto`.
    pub(crate) fn epoch_or_error(&self) -> Result<Timestamp> {
        self.epoch()?.ok_or_else(|| {
            let name = render::path(Path::new(self.input.name()));
            Error::Target(format!("--epoch auto: {name} has no start date; give --epoch TIME").into())
        })
    }

    /// `None` for a pipe.
    fn facts(&self) -> Result<Option<Facts>> {
        if let Some(facts) = self.facts.get() {
            return Ok(*facts);
        }
        let facts = match self.path().filter(|path| can_be_read_again(path)) {
            Some(path) => {
                let info = survey(self.context.open(path)?, self.format, self.context)?;
                let has_one_kind = share_a_table(info.summary.channels.iter().map(|channel| channel.kind));
                Some(Facts { span: info.summary.span, epoch: info.summary.epoch, has_one_kind })
            }
            None => None,
        };
        Ok(*self.facts.get_or_init(|| facts))
    }
}

/// Whether values of these kinds share a table; false for none. Fixes and features do.
fn share_a_table<'k>(kinds: impl Iterator<Item = &'k str>) -> bool {
    let mut tables = kinds.map(|kind| if kind == "feature" { "gnss_fix" } else { kind });
    tables.next().is_some_and(|first| tables.all(|kind| kind == first))
}

/// From the earlier start to the later end; `a` wins if times cannot be compared.
pub(crate) fn joined(a: Option<Span>, b: Option<Span>) -> Option<Span> {
    let (Some(first), Some(second)) = (a, b) else { return a.or(b) };
    Some((first.0.earlier(second.0), first.1.later(second.1)))
}

/// Resolves the relative times of `limit`, if the span is known.
pub(crate) fn place(limit: &mut Limit, span: Option<Span>) {
    if let Some((start, end)) = span {
        limit.begin_at(start);
        limit.end_at(end);
    }
}

pub(crate) fn can_be_read_again(path: &Path) -> bool {
    call::opens(path) || std::fs::metadata(path).is_ok_and(|meta| meta.is_file() || meta.is_dir())
}
