//! The command line, with options shown where users look for them.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, FromArgMatches as _, error::ErrorKind, parser::ValueSource};

use super::{Args, Command as Verb, described, meant};
use crate::render;

impl Args {
    /// Parses the command line. Exits on errors and after printing help.
    pub(crate) fn from_command_line() -> Self {
        let words = help_first(std::env::args_os().collect());
        let (words, has_verb) = verb_of_file(&described::command(), words);
        let mut command = command(is_long(&words));
        match themed(&command, &words) {
            Some(Ok(mut themed)) => {
                let _ = themed.print_long_help();
                std::process::exit(0);
            }
            Some(Err(message)) => command.error(ErrorKind::InvalidValue, message).exit(),
            None => {}
        }
        let matches = match command.try_get_matches_from_mut(&words) {
            Ok(matches) => matches,
            Err(error) => meant::explained(error, &mut command, &words, has_verb).exit(),
        };
        let (verb, of_verb) = leaf(&command, &matches);
        if let Some(message) = meant::contradicts(of_verb, &words) {
            verb.clone().error(ErrorKind::ValueValidation, message).exit();
        }
        render::take_options(options(verb));
        let given = given(verb, of_verb);
        let mut args =
            Self::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit());
        if let Verb::Convert(args) = &mut args.command {
            args.given = given;
        }
        args
    }
}

/// `help VERB THEME` as `VERB --help THEME`.
fn help_first(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_theme = |word: &OsString| THEMES.iter().any(|(name, ..)| word == name);
    if words.get(1).is_some_and(|word| word == "help")
        && words.len() > 3
        && words.last().is_some_and(is_theme)
    {
        words.remove(1);
        words.insert(words.len() - 1, "--help".into());
    }
    words
}

/// The words of a command line, and whether they had a verb; a file in place of a verb gets `info` before it.
fn verb_of_file(command: &Command, mut words: Vec<OsString>) -> (Vec<OsString>, bool) {
    let is_file = words.get(1).is_some_and(|word| {
        let is_verb = word.to_str().is_some_and(|word| command.find_subcommand(word).is_some());
        !is_verb && (meant::is_like_file(word) || std::fs::metadata(word).is_ok())
    });
    if is_file {
        words.insert(1, "info".into());
    }
    (words, !is_file)
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

/// What somebody needs who asks for help for the first time.
const FIRST: &str = "Reads MOOS logs, CARLA recordings, Livox LVX, network captures of Velodyne and Livox LiDARs, Koblenz logs, the \
                     Institut Pascal data set, GPX, KML, KMZ and NMEA 0183; most of them also compressed by gzip. \
                     `robolog convert --help targets` lists what is written.\n\n\
                     Examples:\n  \
                     robolog FILE                              what is in it, as robolog info FILE\n  \
                     robolog convert drive.lvx -o drive.laz\n  \
                     robolog recover broken.alog -o sound.alog\n  \
                     robolog report crash.log -o crash.html";

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
    let rare = format!("{FIRST}\n\nAlso: {}. `robolog COMMAND --help` explains one.", RARE.join(", "));
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
            (false, true) if is_long && arg.get_id() == "to" => names_only(arg),
            (false, true) => arg,
            (false, false) => arg.hide_short_help(true).hide_long_help(true),
        }
    };
    let name = command.get_bin_name().unwrap_or_default().to_owned();
    let command = command.mut_args(place).mut_subcommands(|verb| brief(verb, is_long));
    if command.has_subcommands() { command } else { with_themes(command, &name) }
}

/// An option whose long help names its values without explaining them.
fn names_only(arg: Arg) -> Arg {
    let names: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let long = arg.get_long_help().or_else(|| arg.get_help()).map_or_else(String::new, ToString::to_string);
    arg.long_help(format!("{long}\n\n[possible values: {}]", names.join(", "))).hide_possible_values(true)
}

/// A command whose long help ends with the themes that it has options of.
fn with_themes(command: Command, name: &str) -> Command {
    let has = |headings: &[&str]| {
        command.get_arguments().any(|arg| arg.get_help_heading().is_some_and(|it| headings.contains(&it)))
    };
    let themes = THEMES.iter().filter(|(_, _, headings)| has(headings));
    let lines: Vec<String> = themes.map(|(theme, about, _)| format!("  {theme:<10}  {about}")).collect();
    if lines.is_empty() {
        return command;
    }
    let before = command.get_after_help().map_or_else(String::new, |help| format!("{help}\n\n"));
    command.after_long_help(format!("{before}More options, by {name} --help THEME:\n{}", lines.join("\n")))
}

/// The command whose long help shows the theme behind `--help`, or what was meant by a word that is no theme of the verb.
fn themed(command: &Command, words: &[OsString]) -> Option<Result<Command, String>> {
    let [before @ .., help, theme] = words else { return None };
    if help != "--help" && help != "-h" {
        return None;
    }
    let mut verb = command;
    for word in before.iter().skip(1).filter_map(|word| word.to_str()) {
        verb = verb.find_subcommand(word)?;
    }
    let has = |headings: &[&str]| {
        verb.get_arguments().any(|arg| arg.get_help_heading().is_some_and(|it| headings.contains(&it)))
    };
    let own: Vec<_> = THEMES.iter().filter(|(_, _, headings)| has(headings)).collect();
    let Some((_, _, headings)) = own.iter().find(|(name, ..)| theme == name) else {
        let names: Vec<&str> = own.iter().map(|(name, ..)| *name).collect();
        return meant::theme(theme, &names).map(Err);
    };
    let is_shown = |arg: &Arg| arg.get_help_heading().is_some_and(|heading| headings.contains(&heading));
    let place = |arg: Arg| {
        let lists_targets = theme == "targets" && arg.get_id() == "to";
        let is_shown = is_shown(&arg) || lists_targets;
        let arg = arg.hide_short_help(!is_shown).hide_long_help(!is_shown).hide(!is_shown);
        if lists_targets { arg.hide_possible_values(false) } else { arg }
    };
    let verb = verb.clone().mut_args(place).mut_subcommands(|verb| verb.hide(true));
    Some(Ok(verb.after_help("").after_long_help("")))
}

/// The verb that runs, and what it was given.
fn leaf<'c>(mut command: &'c Command, mut matches: &'c ArgMatches) -> (&'c Command, &'c ArgMatches) {
    while let Some((name, below)) = matches.subcommand()
        && let Some(verb) = command.find_subcommand(name)
    {
        (command, matches) = (verb, below);
    }
    (command, matches)
}

/// The long names of the options that the command line gives.
fn given(verb: &Command, matches: &ArgMatches) -> Vec<String> {
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    verb.get_arguments().filter(is_given).filter_map(|arg| arg.get_long().map(str::to_owned)).collect()
}

/// The long options of the verb.
fn options(verb: &Command) -> Vec<String> {
    verb.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect()
}
