//! The command line with the words of the table of options: help, headings, values and defaults.

use clap::{Arg, Command, CommandFactory as _};

use super::Args;
use crate::options::{Opt, PROGRAM, Takes, find};

/// The command line.
pub(crate) fn command() -> Command {
    let command = Args::command().mut_args(|arg| described(arg, PROGRAM));
    command.mut_subcommands(|verb| {
        let name = verb.get_name().to_owned();
        verb.mut_args(|arg| described(arg, &name))
            // Tools for one format share options with the verbs.
            .mut_subcommands(|tool| {
                tool.mut_args(|arg| if is_told(&arg) { arg } else { described(arg, "convert") })
            })
    })
}

fn is_told(arg: &Arg) -> bool {
    arg.get_help().is_some()
}

/// An option as its row says.
fn described(arg: Arg, verb: &str) -> Arg {
    let short = arg.get_short().map(String::from);
    let Some((group, row)) = arg.get_long().or(short.as_deref()).and_then(|name| find(verb, name)) else {
        return arg;
    };
    let arg = with_words(arg, row);
    let arg = if group.heading.is_empty() { arg } else { arg.help_heading(group.heading) };
    // With a default, none is required.
    if row.default.is_empty() { arg } else { arg.required(false).default_value(row.default) }
}

fn with_words(arg: Arg, row: &'static Opt) -> Arg {
    let Opt { about, more, meta, .. } = *row;
    let arg = arg.help(about);
    let arg = if more.is_empty() { arg } else { arg.long_help(format!("{about}\n\n{more}")) };
    if meta.is_empty() || row.takes == Takes::Switch { arg } else { arg.value_name(meta) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use robolog_events::Thresholds;

    use super::*;
    use crate::options::ALL;

    /// The options of a verb, or of the program, as its parser knows them.
    fn parsed(command: &Command, verb: &str) -> BTreeSet<String> {
        let of = if verb == PROGRAM { Some(command) } else { command.find_subcommand(verb) };
        let args = of.into_iter().flat_map(Command::get_arguments).filter(|arg| !arg.is_positional());
        let name = |arg: &Arg| {
            arg.get_long().map_or_else(|| arg.get_short().map(String::from), |name| Some(name.to_owned()))
        };
        let is_threshold =
            |name: &String| Thresholds::TABLE.iter().any(|one| one.name.replace('_', "-") == *name);
        args.filter_map(name).filter(|name| !(verb == "events" && is_threshold(name))).collect()
    }

    #[test]
    fn the_table_and_the_parser_have_the_same_options() {
        let command = Args::command();
        let tools = ["alog", "carla", "effibox", "koblenz", "lvx", "completions", "man", "import-for-rerun"];
        let verbs = command.get_subcommands().map(Command::get_name).filter(|name| !tools.contains(name));
        for verb in verbs.chain([PROGRAM]) {
            let named = |group: &&crate::options::Group| match verb {
                PROGRAM => group.verbs == [PROGRAM],
                verb => group.verbs.contains(&verb) || group.verbs.is_empty() && verb != "view",
            };
            let rows = ALL.iter().filter(named).flat_map(|group| group.options);
            let told: BTreeSet<String> = rows.map(|row| row.name.to_owned()).collect();
            assert_eq!(parsed(&command, verb), told, "{verb}: the parser, and the table");
        }
    }

    #[test]
    fn words_and_defaults_stand_in_the_table_alone() {
        let command = Args::command();
        for (verb, command) in
            command.get_subcommands().map(|verb| (verb.get_name(), verb)).chain([(PROGRAM, &command)])
        {
            for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let name = arg.get_long().or(arg.get_short().map(|_| "n")).unwrap_or_default();
                let Some((_, row)) = find(verb, name) else { continue };
                assert_eq!(arg.get_help().map(ToString::to_string), None, "{verb} --{name}");
                assert_eq!(arg.get_help_heading(), None, "{verb} --{name}");
                let is_switch = row.takes == Takes::Switch;
                assert_eq!(is_switch, !arg.get_action().takes_values(), "{verb} --{name}");
                assert!(is_switch || arg.get_default_values().is_empty(), "{verb} --{name}");
                let takes_words = matches!(row.takes, Takes::Word | Takes::Words);
                assert!(
                    !takes_words || !arg.get_possible_values().is_empty(),
                    "{verb} --{name} lists no words"
                );
            }
        }
    }

    #[test]
    fn python_has_each_name_once_in_a_verb() {
        for verb in Args::command().get_subcommands() {
            let rows = crate::options::of_verb(verb.get_name()).filter(|(group, _)| group.python.is_empty());
            let names: Vec<String> = rows.map(|(_, row)| row.python()).collect();
            let once: BTreeSet<&String> = names.iter().collect();
            assert_eq!(once.len(), names.len(), "{}: {names:?}", verb.get_name());
        }
    }
}
