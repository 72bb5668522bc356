//! Types of the npm package.

use std::fmt::Write as _;

use robolog::options::{ALL, Group, Opt, Takes, words};

pub(super) const BEGIN: &str = "// From the table of options:\n";
pub(super) const END: &str = "// Until here.\n";

/// Interfaces, the groups whose options they have, and what they are.
const INTERFACES: [(&str, &[&str], &str); 4] = [
    (
        "Part",
        &["time limits"],
        "Bounds in the words of `--start` and `--end`: seconds from the start such as `12.5`, `-30s` from the end, RFC \
         3339, or\n * `@1726588075.5`, seconds of Unix time.",
    ),
    ("Messages", &["writing MCAP and bags"], "How messages are written. MCAP is not compressed."),
    ("Points", &["points"], "What becomes of points."),
    ("Changes", &["changes"], "Changes of a copy."),
];

/// What is different there.
fn note(row: &Opt) -> &'static str {
    match row.name {
        "shift" => " In nanoseconds.",
        "rename" | "drop" => " Names are whole: there are no wildcards.",
        _ => "",
    }
}

/// The options of an interface.
fn options(groups: &[&str]) -> impl Iterator<Item = (&'static Group, &'static Opt)> {
    let groups = ALL.iter().filter(move |group| groups.contains(&group.name));
    groups.flat_map(|group| group.options.iter().map(move |row| (group, row))).filter(|(_, row)| row.browser)
}

/// The name of an option, with the unit of a number.
fn name(row: &Opt) -> String {
    match row.name {
        "shift" => "shift_ns".into(),
        "keep-no-returns" => "keepNoReturns".into(),
        name => name.replace('-', "_"),
    }
}

fn annotation(group: &Group, row: &Opt) -> String {
    match row.takes {
        Takes::Switch => "boolean".into(),
        Takes::Number | Takes::Count | Takes::Bytes | Takes::Span => "number".into(),
        Takes::Word => {
            let words = words(group.verbs.first().unwrap_or(&"convert"), row.name);
            words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
        }
        Takes::Pairs => "Record<string, string>".into(),
        Takes::Globs => "string[]".into(),
        _ => "string".into(),
    }
}

/// The options that the package has, but for the target, which is an argument.
pub(super) fn names() -> Vec<String> {
    INTERFACES.iter().flat_map(|(_, groups, _)| options(groups)).map(|(_, row)| name(row)).collect()
}

pub(super) fn types() -> String {
    let mut out = String::new();
    for (interface, groups, about) in INTERFACES {
        let _ = writeln!(out, "/** {about} */\nexport interface {interface} {{");
        for (group, row) in options(groups) {
            let _ = writeln!(
                out,
                "  /** {}.{} */\n  {}?: {};",
                row.about,
                note(row),
                name(row),
                annotation(group, row)
            );
        }
        out.push_str("}\n\n");
    }
    out
}

#[test]
fn every_option_says_where_it_is() {
    let shown = names().len() + 1;
    let told = ALL.iter().flat_map(|group| group.options).filter(|row| row.browser).count();
    assert_eq!(shown, told, "an option for the browser is in no interface");
    for group in ALL {
        let lacks = group.options.iter().any(|row| !row.browser);
        assert!(
            !lacks || !group.browser.is_empty() || group.name == "format",
            "{}: say why the browser lacks them",
            group.name
        );
    }
}
