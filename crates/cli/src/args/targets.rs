//! Target names on the command line.

use std::ffi::OsStr;

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use robolog_convert::targets;

/// The target for pictures of any format.
pub(super) const IMAGES: &str = "images";

/// Whether an extension is that of a single picture.
pub(super) fn is_picture(extension: &OsStr) -> bool {
    ["png", "jpg", "jpeg"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Accepts any name, because captures have targets of their own; help and completions list the known targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names;

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let name = |target: &&robolog_convert::TargetSpec| PossibleValue::new(target.name).help(target.about);
        Some(Box::new(targets::ALL.iter().map(name)))
    }
}
