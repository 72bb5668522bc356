//! The guide's page of options.

use std::fmt::Write as _;

use robolog::options::{ALL, Group, Opt, PROGRAM, Takes, words};
use robolog_events::Thresholds;

use super::COMMAND;

pub(super) fn page() -> String {
    let mut out = format!(
        "<!-- Written by `{COMMAND}`. -->\n\n# Options\n\nAll options of `robolog`, and where each exists. In Python, they are \
         keywords: see [Python](tutorial/python.md). `robolog VERB --help` has the same words.\n"
    );
    for group in ALL {
        section(group, &mut out);
    }
    out.push_str(
        "\n## Thresholds of events\n\nOf `events`: numbers in the unit shown. Python takes them in `Recording.events(thresholds={\"near_gap\": 0.5})`; npm uses the defaults.\n\n| option | \
         default | what it says |\n|---|---|---|\n",
    );
    for one in Thresholds::TABLE {
        let unit = if one.unit.is_empty() { String::new() } else { format!(" {}", one.unit) };
        let _ =
            writeln!(out, "| `--{}` | {}{unit} | {} |", one.name.replace('_', "-"), one.default, one.about);
    }
    out
}

fn section(group: &Group, out: &mut String) {
    let mut name = group.name.chars();
    let title: String =
        name.next().map(|first| first.to_uppercase().chain(name).collect()).unwrap_or_default();
    let verbs: Vec<String> = group.verbs.iter().map(|verb| format!("`{verb}`")).collect();
    let of_all = group.verbs.is_empty() || group.verbs == [PROGRAM];
    let verbs = if of_all { "all verbs".to_owned() } else { verbs.join(", ") };
    let of = if group.of.is_empty() { String::new() } else { format!(" Concerns {}.", group.of.join(", ")) };
    let _ = write!(
        out,
        "\n## {title}\n\nOf {verbs}: {}.{of}\n\n| option | default | what it does | Python | npm |\n|---|---|---|---|---|\n",
        group.about
    );
    for row in group.options {
        let default = if row.default.is_empty() { String::new() } else { format!("`{}`", row.default) };
        let python =
            if group.python.is_empty() { format!("`{}`", row.python()) } else { group.python.to_owned() };
        let npm = match (row.browser, group.name) {
            (true, _) => "yes",
            (false, "format") => "`open`",
            (false, _) => group.browser,
        };
        let about = row.about.replace('|', "\\|");
        let _ = writeln!(
            out,
            "| {} | {default} | {about}{} | {python} | {npm} |",
            shown(row),
            values(group, row)
        );
    }
}

/// The option with what stands for its value.
fn shown(row: &Opt) -> String {
    let hyphens = if row.name.len() == 1 { "-" } else { "--" };
    let meta = match (row.takes, row.meta) {
        (Takes::Switch, _) => String::new(),
        (_, "") => format!(" {}", row.name.to_uppercase().replace('-', "_")),
        (_, meta) => format!(" {}", meta.replace('|', "\\|")),
    };
    format!("`{hyphens}{}{meta}`", row.name)
}

/// The words that it takes, unless the page of targets lists them.
fn values(group: &Group, row: &Opt) -> String {
    if !matches!(row.takes, Takes::Word | Takes::Words) || row.name == "to" {
        return String::new();
    }
    let words = words(group.verbs.first().unwrap_or(&"convert"), row.name);
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
