//! `convert --merge --align`: inputs on the clock of the first.

use robolog_convert::{Error, Input, Result, Settings};

use super::super::{
    align::{self, Signals},
    overview::can_be_read_again,
};
use crate::{args::ConvertArgs, progress::Context, render};

/// The signals of the first input, with which the others are aligned.
#[derive(Debug, Default)]
pub(super) struct Aligner(Option<Signals>);

impl Aligner {
    /// With `--align`, changes `settings` to move an input to the clock of the first.
    ///
    /// Returns an error if the offset is not clear.
    pub(super) fn align(
        &mut self,
        input: &Input,
        settings: &mut Settings,
        args: &ConvertArgs,
        context: Context,
    ) -> Result<()> {
        if !args.align.align {
            return Ok(());
        }
        let Some(path) = input.path().filter(|path| can_be_read_again(path)) else {
            return Err(Error::Target("--align reads a recording twice: give files".into()));
        };
        let numbers = Signals::read(path, args.format.name.as_deref(), settings, context);
        let numbers = numbers.map_err(|e| e.at(path))?;
        let Some(first) = &self.0 else {
            self.0 = Some(numbers);
            return Ok(());
        };
        let found =
            align::find(first, &numbers, &args.align.by, args.align.within).map_err(|e| e.at(path))?;
        settings.aligned = Some(found.aligned().map_err(|e| e.at(path))?);
        if !context.quiet {
            render::note(path, found);
        }
        Ok(())
    }
}
