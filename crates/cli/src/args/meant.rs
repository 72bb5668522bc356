//! What somebody meant who typed a line that is not understood.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use clap::{
    Arg, ArgMatches, Command,
    builder::StyledStr,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};
use robolog_convert::{Bound, nearest};

use crate::render::{listed, quoted};

/// Words that people type for a verb, and what it is called here.
const VERBS: [(&str, &str); 34] = [
    ("show", "info or view"),
    ("display", "view"),
    ("open", "view"),
    ("list", "info"),
    ("stat", "info"),
    ("print", "cat"),
    ("dump", "cat"),
    ("head", "cat -n 10"),
    ("grep", "cat --channel, or alog grep"),
    ("trim", "cut"),
    ("clip", "cut"),
    ("crop", "cut, or convert --crop"),
    ("slice", "cut"),
    ("extract", "cut, or convert --channel"),
    ("filter", "cut, or convert --channel"),
    ("repair", "recover"),
    ("fix", "recover"),
    ("salvage", "recover"),
    ("reindex", "recover"),
    ("validate", "check"),
    ("verify", "check"),
    ("test", "check"),
    ("join", "merge"),
    ("concat", "merge"),
    ("append", "merge"),
    ("compare", "diff"),
    ("sync", "align"),
    ("draw", "plot"),
    ("graph", "plot"),
    ("html", "report"),
    ("shift", "edit --shift"),
    ("rename", "edit --rename"),
    ("anonymise", "edit --anonymise"),
    ("to", "convert --to"),
];

/// Whether a word looks like the name of a file: it has an extension or is a path.
pub(super) fn is_like_file(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    let is_path = bytes.iter().any(|byte| std::path::is_separator(char::from(*byte)));
    !bytes.starts_with(b"-") && (is_path || Path::new(word).extension().is_some())
}

/// An error with what somebody may have meant. `has_verb` is false where a file stood in place of the verb.
pub(super) fn explained(
    mut error: Error,
    command: &mut Command,
    words: &[OsString],
    has_verb: bool,
) -> Error {
    if let Some(message) = lacks_change(&error) {
        return verb_of(command, words).0.clone().error(ErrorKind::MissingRequiredArgument, message);
    }
    if let Some(tips) = tips_without_escape(&error, words) {
        error.remove(ContextKind::Suggested);
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let tip = verb(&error, command, words)
        .or_else(|| without_verb(&error, words, has_verb))
        .or_else(|| output(&error, command, words))
        .or_else(|| elsewhere(&error, command));
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// A word that the verb does not know.
fn unknown(error: &Error) -> Option<&str> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument => Some(word),
        _ => None,
    }
}

/// The tips for an unknown option, without that to put it behind `--`: there stands a file of that name, if there is one.
fn tips_without_escape(error: &Error, words: &[OsString]) -> Option<Vec<StyledStr>> {
    let unknown = unknown(error)?;
    let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else { return None };
    let is_file = |word: &OsString| word.to_string_lossy().starts_with(unknown) && Path::new(word).exists();
    let is_escape = |tip: &&StyledStr| tip.to_string().starts_with("to pass ");
    (!words.iter().any(is_file)).then(|| tips.iter().filter(|tip| !is_escape(tip)).cloned().collect())
}

/// The verb of a command line (the program, if the line has none) and the words after it.
fn verb_of<'c, 'w>(command: &'c Command, words: &'w [OsString]) -> (&'c Command, &'w [OsString]) {
    let (mut verb, mut words) = (command, words.get(1..).unwrap_or_default());
    while let Some((word, rest)) = words.split_first()
        && let Some(below) = verb.find_subcommand(word)
    {
        (verb, words) = (below, rest);
    }
    (verb, words)
}

/// What is wrong in a line whose words are all understood; `matches` belong to its verb.
pub(super) fn contradicts(matches: &ArgMatches, words: &[OsString]) -> Option<String> {
    ends_before_start(matches).or_else(|| {
        Some(format!("there is no such file; -o stands before an output: {}", output_among_inputs(words)?))
    })
}

/// `--end` at or before `--start`, where both count from the same moment.
fn ends_before_start(matches: &ArgMatches) -> Option<String> {
    let bound = |name: &str| matches.try_get_one::<Bound>(name).ok().flatten().copied();
    let raw = |name: &str| {
        let mut words = matches.try_get_raw(name).ok().flatten()?;
        words.next().map(|word| word.to_string_lossy().into_owned())
    };
    let is_before = match (bound("start")?, bound("end")?) {
        (Bound::FromStart(start), Bound::FromStart(end)) | (Bound::Unix(start), Bound::Unix(end)) => {
            end <= start
        }
        (Bound::FromEnd(start), Bound::FromEnd(end)) => end >= start,
        _ => false,
    };
    is_before.then_some(())?;
    let (start, end) = (raw("start")?, raw("end")?);
    Some(format!("--end {end} is not after --start {start}; --duration takes a length"))
}

/// Another word for a verb, or a verb of a group in one word.
fn verb(error: &Error, command: &Command, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_first = words.get(1).is_some_and(|first| first == OsStr::new(word));
    if error.kind() != ErrorKind::InvalidSubcommand || !is_first {
        return None;
    }
    let lower = word.to_lowercase();
    if let Some((_, known)) = VERBS.iter().find(|(other, _)| *other == lower) {
        return Some(format!("here that is robolog {known}"));
    }
    let line = |group: &Command, below: &str| {
        let rest = words.iter().skip(2).map(|word| quoted(&word.to_string_lossy()));
        let line =
            ["robolog".to_owned(), group.get_name().to_owned(), below.to_owned()].into_iter().chain(rest);
        line.collect::<Vec<_>>().join(" ")
    };
    command.get_subcommands().find_map(|group| {
        let below = lower.strip_prefix(group.get_name())?.trim_start_matches(['-', '_']);
        Some(line(group, group.find_subcommand(below)?.get_name()))
    })
}

/// A line without a verb that asks for an output.
fn without_verb(error: &Error, words: &[OsString], has_verb: bool) -> Option<String> {
    if has_verb || error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    // `info` was put before the file.
    let rest: Vec<String> = words.iter().skip(2).map(|word| quoted(&word.to_string_lossy())).collect();
    let asks = |word: &String| ["-o", "--output", "--to", "--per"].contains(&word.as_str());
    rest.iter().any(asks).then(|| format!("name what to do: robolog convert {}", rest.join(" ")))
}

/// A verb that changes a recording, without a change.
fn lacks_change(error: &Error) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return None };
    let group = missing.iter().filter(|_| error.kind() == ErrorKind::MissingRequiredArgument);
    let choices = group.filter(|one| one.starts_with("<--")).max_by_key(|one| one.matches('|').count())?;
    let names =
        choices.split('|').filter_map(|choice| choice.trim_start_matches('<').split([' ', '>']).next());
    let names: Vec<&str> = names.filter(|name| name.starts_with("--")).collect();
    (names.len() > 2).then(|| format!("say what to do: {}", listed(&names, "or")))
}

/// The verbs that have the option which this one lacks.
fn elsewhere(error: &Error, command: &Command) -> Option<String> {
    let option = unknown(error)?.strip_prefix("--")?;
    let has = |verb: &&Command| verb.get_arguments().any(|arg| arg.get_long() == Some(option));
    let verbs: Vec<&str> = command.get_subcommands().filter(has).map(Command::get_name).collect();
    (!verbs.is_empty()).then(|| format!("--{option} is an option of robolog {}", listed(&verbs, "and")))
}

/// What to type where an output is missing: `-o` before the name of one, or a name.
fn output(error: &Error, command: &Command, words: &[OsString]) -> Option<String> {
    let is_missing = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => {
            missing.iter().any(|missing| missing.starts_with("--output"))
        }
        _ => false,
    };
    // A verb that takes one file.
    let is_extra = unknown(error).is_some_and(|word| words.last().is_some_and(|last| last == word));
    let files = positionals(command, words);
    let line = || if is_missing || is_extra { with_output(words, &files) } else { None };
    if let Some(line) = line() {
        return Some(format!("-o stands before an output: {line}"));
    }
    is_missing.then(|| named_output(words, &files)).flatten()
}

/// The line with a name for its output, made of the name of its input.
fn named_output(words: &[OsString], files: &[&OsStr]) -> Option<String> {
    let [input] = files else { return None };
    let input = Path::new(input).file_name().map(Path::new)?;
    let (stem, extension) = (input.file_stem()?.to_string_lossy(), input.extension()?.to_string_lossy());
    let verb = words.get(1)?.to_string_lossy();
    let to = words.iter().position(|word| word == "--to").and_then(|at| words.get(at + 1));
    let name = match (&*verb, to) {
        ("convert", Some(to)) => format!("{stem}.{}", to.to_string_lossy()),
        ("convert", None) => return None,
        ("split", _) => format!("{stem}/"),
        _ => format!("{stem}_{verb}.{extension}"),
    };
    let words = words.iter().skip(1).map(|word| quoted(&word.to_string_lossy()));
    Some(format!("-o names the output: robolog {} -o {name}", words.collect::<Vec<_>>().join(" ")))
}

/// The words that are neither verbs, nor options, nor their values.
fn positionals<'w>(command: &Command, words: &'w [OsString]) -> Vec<&'w OsStr> {
    let (verb, words) = verb_of(command, words);
    let (mut out, mut words) = (Vec::new(), words.iter());
    let takes_value = |word: &str| {
        let is_meant = |arg: &&Arg| match word.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            // The last letter of several.
            None => word.chars().last().is_some_and(|letter| arg.get_short() == Some(letter)),
        };
        let of = |command: &Command| {
            command.get_arguments().find(is_meant).map(|arg| arg.get_action().takes_values())
        };
        of(verb).or_else(|| of(command)).unwrap_or(false)
    };
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if !text.starts_with('-') || text == "-" {
            out.push(word.as_os_str());
        } else if !text.contains('=') && takes_value(&text) {
            words.next();
        }
    }
    out
}

/// A last file that does not exist, named like an output, of verbs that take several files and need no output.
fn output_among_inputs(words: &[OsString]) -> Option<String> {
    let is_of = |names: &[&str], word: Option<&OsStr>| {
        word.and_then(OsStr::to_str).is_some_and(|word| names.contains(&word))
    };
    let is_verb = is_of(&["plot", "report", "catalog"], words.get(1).map(OsString::as_os_str));
    let last = words.last()?;
    let is_named = is_of(&["svg", "png", "html", "parquet"], Path::new(last).extension());
    let has_output = words.iter().any(|word| {
        let word = word.as_encoded_bytes();
        word.starts_with(b"-o") || word.starts_with(b"--output")
    });
    let is_meant = is_verb && is_named && !has_output && !Path::new(last).exists();
    let files: Vec<&OsStr> = words.iter().skip(2).map(OsString::as_os_str).collect();
    if is_meant { with_output(words, &files) } else { None }
}

/// The line with `-o` before its last word, if that is the name of a file behind an input. One that exists is meant
/// unless it is of the input's kind.
fn with_output(words: &[OsString], files: &[&OsStr]) -> Option<String> {
    let [before @ .., last] = words else { return None };
    let [first, .., output] = files else { return None };
    let is_input = Path::new(last).exists() && Path::new(first).extension() == Path::new(last).extension();
    let is_number = last.to_str().is_some_and(|word| word.parse::<f64>().is_ok());
    let is_meant = *output == last.as_os_str() && !is_number && !is_input;
    is_meant.then(|| {
        let words = before.iter().skip(1).map(|word| word.to_string_lossy());
        let before = words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ");
        format!("robolog {before} -o {}", quoted(&last.to_string_lossy()))
    })
}

/// A wrong theme of help, and what was meant.
pub(super) fn theme(word: &OsStr, themes: &[&str]) -> Option<String> {
    let word = word.to_str()?;
    let meant = nearest(word, themes.iter().copied())?;
    Some(format!(
        "there is no theme '{word}' of options; did you mean {meant}? They are {}",
        themes.join(", ")
    ))
}
