//! The command line, with options shown where users look for them.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use clap::{
    Arg, ArgMatches, Command, FromArgMatches as _,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use super::{Args, described};
use crate::render::{self, quoted};

impl Args {
    /// Parses the command line. Exits on errors and after printing help.
    pub(crate) fn from_command_line() -> Self {
        let words = verb_of_file(&described::command(), std::env::args_os().collect());
        let mut command = command(is_long(&words));
        if let Some(mut themed) = themed(&command, &words) {
            let _ = themed.print_long_help();
            std::process::exit(0);
        }
        let matches = command
            .try_get_matches_from_mut(&words)
            .unwrap_or_else(|error| with_tip(error, &command, &words).exit());
        if let Some(line) = output_among_inputs(&words) {
            let message = format!("there is no such file; -o stands before an output: {line}");
            command.error(ErrorKind::ValueValidation, message).exit();
        }
        render::take_options(options(&command, &matches));
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// The words of a command line; a file in place of a verb gets `info` before it.
fn verb_of_file(command: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let is_file = words.get(1).is_some_and(|word| {
        let is_verb = word.to_str().is_some_and(|word| command.find_subcommand(word).is_some());
        !is_verb && std::fs::metadata(word).is_ok()
    });
    if is_file {
        words.insert(1, "info".into());
    }
    words
}

/// Common options with a heading that the short help of a verb also shows.
const COMMON: [&str; 5] = ["range", "crop", "voxel", "wide", "rate"];
/// Options for all verbs, and the two of them that everybody needs.
const GLOBAL: &str = "For all commands";
const USUAL: [&str; 2] = ["quiet", "verbose"];
/// Verbs that one user in a hundred needs.
const RARE: [&str; 3] = ["index", "completions", "man"];

/// What `--help THEME` shows: the theme, what it is about, and the headings of its options.
const THEMES: [(&str, &str, &[&str]); 8] = [
    ("points", "remove points, and place them along a trajectory", &["Points"]),
    ("tables", "rows and columns of CSV, Parquet and Arrow", &["Tables"]),
    (
        "targets",
        "all formats that are written, and what is special about each",
        &["PCD", "MCAP and bags", "LAS and LAZ", "GeoJSON", "CARLA recordings"],
    ),
    (
        "reading",
        "what a recording does not say of itself",
        &[
            "Reading LVX",
            "Reading CARLA recordings",
            "Reading MOOS logs",
            "Reading Velodyne packets",
            "Reading Koblenz logs",
        ],
    ),
    ("times", "clocks, dates and offsets", &["Times"]),
    ("places", "positions on Earth, frames and topics", &["Places and frames"]),
    ("thresholds", "what counts as an event", &["Thresholds"]),
    ("common", "limits, progress and colours of all commands", &[GLOBAL]),
];

/// Whether the long help is asked for.
fn is_long(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--help") || words.get(1).is_some_and(|word| word == "help")
}

/// The command line. Global options and those for one format or target are shown by a theme of a verb's help only.
fn command(is_long: bool) -> Command {
    let mut command = described::command();
    // Adds the global options to each verb.
    command.build();
    for rare in RARE {
        command = command.mut_subcommand(rare, |verb| verb.hide(true));
    }
    let rare = format!("Also: {}. `robolog COMMAND --help` explains one.", RARE.join(", "));
    let place = |arg: Arg| {
        let is_rare = arg.is_global_set() && !USUAL.contains(&arg.get_id().as_str());
        if is_rare { arg.hide_short_help(true).hide_long_help(true).help_heading(GLOBAL) } else { arg }
    };
    let command = command.mut_args(place).after_help(rare).mut_subcommands(|verb| brief(verb, is_long));
    with_themes(command, "robolog")
}

fn brief(command: Command, is_long: bool) -> Command {
    let place = |arg: Arg| {
        let is_common = !is_long && COMMON.contains(&arg.get_id().as_str());
        let is_usual = arg.get_help_heading().is_none() || is_common;
        match (arg.is_global_set(), is_usual) {
            (true, _) => arg.hide_short_help(true).hide_long_help(true).help_heading(GLOBAL),
            (false, true) if is_long && arg.get_id() == "to" => arg.hide_possible_values(true),
            (false, true) => arg,
            (false, false) => arg.hide_short_help(true).hide_long_help(true),
        }
    };
    let name = command.get_bin_name().unwrap_or_default().to_owned();
    let command = command.mut_args(place).mut_subcommands(|verb| brief(verb, is_long));
    if command.has_subcommands() { command } else { with_themes(command, &name) }
}

/// A command whose long help ends with the themes that it has options of.
fn with_themes(command: Command, name: &str) -> Command {
    let has = |headings: &[&str]| {
        command.get_arguments().any(|arg| arg.get_help_heading().is_some_and(|it| headings.contains(&it)))
    };
    let themes = THEMES.iter().filter(|(_, _, headings)| has(headings));
    let lines: Vec<String> =
        themes.map(|(theme, about, _)| format!("  {name} --help {theme:<10}  {about}")).collect();
    if lines.is_empty() {
        return command;
    }
    let before = command.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
    command.after_long_help(format!("{before}More options:\n{}", lines.join("\n")))
}

/// The command whose long help shows the theme behind `--help`, if the verb has one of that name.
fn themed(command: &Command, words: &[OsString]) -> Option<Command> {
    let [before @ .., help, theme] = words else { return None };
    let (_, _, headings) = THEMES.iter().find(|(name, ..)| theme == name)?;
    if help != "--help" && help != "-h" {
        return None;
    }
    let mut verb = command;
    for word in before.iter().skip(1).filter_map(|word| word.to_str()) {
        verb = verb.find_subcommand(word)?;
    }
    let is_shown = |arg: &Arg| arg.get_help_heading().is_some_and(|heading| headings.contains(&heading));
    verb.get_arguments().any(is_shown).then(|| {
        let place = |arg: Arg| {
            let lists_targets = theme == "targets" && arg.get_id() == "to";
            let is_shown = is_shown(&arg) || lists_targets;
            let arg = arg.hide_short_help(!is_shown).hide_long_help(!is_shown).hide(!is_shown);
            if lists_targets { arg.hide_possible_values(false) } else { arg }
        };
        let verb = verb.clone().mut_args(place).mut_subcommands(|verb| verb.hide(true));
        verb.after_help("").after_long_help("")
    })
}

/// The long options of the verb.
fn options(mut command: &Command, mut matches: &ArgMatches) -> Vec<String> {
    while let Some((name, below)) = matches.subcommand()
        && let Some(verb) = command.find_subcommand(name)
    {
        (command, matches) = (verb, below);
    }
    command.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect()
}

/// An error with what somebody may have meant.
fn with_tip(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    let output = output_meant(&error, words).map(|line| format!("-o stands before an output: {line}"));
    if let Some(tip) = output.or_else(|| elsewhere(&error, command)) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The verbs that have the option which this one lacks.
fn elsewhere(error: &Error, command: &Command) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let option = option.strip_prefix("--").filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let has = |verb: &&Command| verb.get_arguments().any(|arg| arg.get_long() == Some(option));
    let verbs: Vec<&str> = command.get_subcommands().filter(has).map(Command::get_name).collect();
    let (last, others) = verbs.split_last()?;
    let verbs =
        if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
    Some(format!("--{option} is an option of robolog {verbs}"))
}

/// The line that somebody meant who gave an output without `-o`: a name behind the input of a file that does not exist.
fn output_meant(error: &Error, words: &[OsString]) -> Option<String> {
    let lacks_output = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => {
            missing.iter().any(|missing| missing.starts_with("--output"))
        }
        // A verb that takes one file.
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => {
            words.last().is_some_and(|last| last.to_str() == Some(word))
        }
        _ => false,
    };
    if lacks_output { with_output(words) } else { None }
}

/// The same for verbs that take several files and need no output: a last file that does not exist, named like one.
fn output_among_inputs(words: &[OsString]) -> Option<String> {
    let is_of = |names: &[&str], word: Option<&OsStr>| {
        word.and_then(OsStr::to_str).is_some_and(|word| names.contains(&word))
    };
    let is_verb = is_of(&["plot", "report", "catalog"], words.get(1).map(OsString::as_os_str));
    let is_named =
        is_of(&["svg", "png", "html", "parquet"], words.last().and_then(|last| Path::new(last).extension()));
    let has_output = words.iter().any(|word| {
        let word = word.as_encoded_bytes();
        word.starts_with(b"-o") || word.starts_with(b"--output")
    });
    if is_verb && is_named && !has_output { with_output(words) } else { None }
}

/// The line with `-o` before its last word, if that is the name of a file behind an input, and does not exist.
fn with_output(words: &[OsString]) -> Option<String> {
    let [before @ .., last] = words else { return None };
    let is_name = |word: &OsStr| !word.as_encoded_bytes().starts_with(b"-");
    let files = before.iter().skip(2).filter(|word| is_name(word));
    let is_meant = is_name(last) && files.count() > 0 && !Path::new(last).exists();
    is_meant.then(|| {
        let words = before.iter().skip(1).map(|word| word.to_string_lossy());
        let before = words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ");
        format!("robolog {before} -o {}", quoted(&last.to_string_lossy()))
    })
}
