//! Functions of Python, with explicit arguments for signatures, completion and type checkers.

use std::fmt::Write as _;

use robolog::options::{Group, Opt, Takes, of_verb, words};

use super::{COMMAND, pythonic};

pub(super) const BEGIN: &str = "    # From the table of options:\n";
pub(super) const END: &str = "    # Until here.\n";

/// A function for a verb.
struct Function {
    name: &'static str,
    verb: &'static str,
    /// The arguments before the options.
    first: &'static str,
    returns: &'static str,
    about: &'static str,
    /// Options that are no keywords: they are arguments already, or have no use.
    without: &'static [&'static str],
}

const OUTPUT: &[&str] = &["output"];
/// Where a recording or a file object is written.
const METHODS: [Function; 6] = [
    Function {
        name: "convert",
        verb: "convert",
        first: "self, output: str | os.PathLike[str] | _Writable",
        returns: "Report",
        about: "Writes its samples in another format: `to` (see targets()), or the format of the name of `output`.\n\n\
                `output` may be a binary file object if `to` is given: the complete file is copied to it. With `per` writes \
                a folder of\nfiles. The output appears when it is complete.",
        without: &["output", "merge", "align", "by", "within", "resume"],
    },
    Function {
        name: "cut",
        verb: "cut",
        first: "self, output: str | os.PathLike[str] | _Writable",
        returns: "Report",
        about: "Copies a part of it, byte for byte, into a recording of the same format.",
        without: OUTPUT,
    },
    Function {
        name: "edit",
        verb: "edit",
        first: "self, output: str | os.PathLike[str] | _Writable",
        returns: "Report",
        about: "Copies it with changed times, names and channels; everything else stays byte for byte.\n\n\
                Changes are made in the order of the call.",
        without: OUTPUT,
    },
    Function {
        name: "recover",
        verb: "recover",
        first: "self, output: str | os.PathLike[str] | _Writable",
        returns: "Report",
        about: "Copies every readable record of it, skipping damage.",
        without: OUTPUT,
    },
    Function {
        name: "split",
        verb: "split",
        first: "self, output: str | os.PathLike[str]",
        returns: "Report",
        about: "Writes a folder of parts that open on their own: `every`, `size`, `parts`, `on` or `gap` says where they \
                begin.",
        without: OUTPUT,
    },
    Function {
        name: "plot",
        verb: "plot",
        first: "self, output: str | os.PathLike[str] | _Writable",
        returns: "Report",
        about: "Draws numbers, trajectories, clouds or scans as a picture, PNG or SVG.",
        without: OUTPUT,
    },
];

const SEVERAL: &str = "recordings: _Recordings, output: str | os.PathLike[str] | _Writable";
const FUNCTIONS: [Function; 7] = [
    Function {
        name: "convert",
        verb: "convert",
        first: SEVERAL,
        returns: "Report",
        about: "Writes recordings in another format: several into a folder, or with `merge` into one file.",
        without: OUTPUT,
    },
    Function {
        name: "recover",
        verb: "recover",
        first: "recordings: _Recording, output: str | os.PathLike[str]",
        returns: "Report",
        about: "Copies what can be read of a damaged recording, or of a folder of them.",
        without: OUTPUT,
    },
    Function {
        name: "merge",
        verb: "merge",
        first: SEVERAL,
        returns: "Report",
        about: "Joins several recordings of one format: records are copied byte for byte, in order of time.",
        without: OUTPUT,
    },
    Function {
        name: "align",
        verb: "align",
        first: "reference: _Recording, other: _Recording",
        returns: "Alignment",
        about: "Finds the clock offset between two recordings; it is added to the times of `other`.",
        without: &[],
    },
    Function {
        name: "plot",
        verb: "plot",
        first: SEVERAL,
        returns: "Report",
        about: "Draws recordings in one picture, each in its own colour.",
        without: OUTPUT,
    },
    Function {
        name: "report",
        verb: "report",
        first: "recordings: _Recordings, output: str | os.PathLike[str]",
        returns: "Report",
        about: "Writes an HTML page of one recording, or of two to compare; for more, a folder of pages.",
        without: OUTPUT,
    },
    Function {
        name: "catalog",
        verb: "catalog",
        first: "recordings: _Recordings, output: str | os.PathLike[str]",
        returns: "Report",
        about: "Makes a table of recordings, one row each, or brings it up to date.",
        without: OUTPUT,
    },
];

/// Options of readers, which have no meaning for open, or whose memory is Python's.
const OF_PROGRAM: [&str; 2] = ["max-memory", "max-expand"];

/// Options whose text may be a number.
const NUMBERED: [&str; 4] = ["return", "drop-actor", "keep-actor", "life-of"];

/// The options of a function, each with its group.
fn options(function: &Function) -> impl Iterator<Item = (&'static Group, &'static Opt)> {
    let without = function.without;
    of_verb(function.verb).filter(move |(group, row)| group.python.is_empty() && !without.contains(&row.name))
}

/// The options that say how a recording is read.
fn reading() -> impl Iterator<Item = (&'static Group, &'static Opt)> {
    let is_reading = |group: &Group| !group.heading.is_empty() || ["format", "readers"].contains(&group.name);
    of_verb("report").filter(move |(group, row)| {
        group.python.is_empty() && is_reading(group) && !OF_PROGRAM.contains(&row.name)
    })
}

/// The type of a value.
fn annotation(verb: &str, row: &Opt) -> String {
    let of_words = || {
        let words = words(verb, row.name);
        let known = if words.is_empty() { robolog::options::words("robolog", row.name) } else { words };
        let quoted: Vec<String> = known.iter().map(|word| format!("\"{word}\"")).collect();
        // A long list hides the others; a target can be named by its extension too.
        if quoted.len() > 24 || quoted.is_empty() || row.name == "to" {
            "str".to_owned()
        } else {
            format!("Literal[{}]", quoted.join(", "))
        }
    };
    match row.takes {
        Takes::Switch => "bool".into(),
        Takes::Number if row.meta == "SECONDS" => "float | timedelta".into(),
        Takes::Number => "float".into(),
        Takes::Count => "int".into(),
        Takes::Bytes => "int | str".into(),
        Takes::Text if NUMBERED.contains(&row.name) => "str | int".into(),
        Takes::Text => "str".into(),
        Takes::Word => of_words(),
        Takes::Words => format!("{0} | Sequence[{0}]", of_words()),
        Takes::File => "str | os.PathLike[str]".into(),
        Takes::Moment => "_Time".into(),
        Takes::Span => "_Span".into(),
        Takes::Globs => "_Globs".into(),
        Takes::Pairs => "str | Mapping[str, str]".into(),
        Takes::Numbers => "str | Sequence[float | None]".into(),
        Takes::Between => "str | int | tuple[int | None, int | None]".into(),
        Takes::Pixels => "str | tuple[int, int]".into(),
    }
}

/// An option as an argument.
fn argument(verb: &str, row: &Opt) -> String {
    let (name, kind) = (row.python(), annotation(verb, row));
    if row.takes == Takes::Switch {
        format!("{name}: bool = False")
    } else {
        format!("{name}: {kind} | None = None")
    }
}

/// A definition without its body.
fn signature(function: &Function, deep: &str) -> String {
    let mut out = format!("{deep}def {}(\n{deep}    {},\n{deep}    *,\n", function.name, function.first);
    for (_, row) in options(function) {
        let _ = writeln!(out, "{deep}    {},", argument(function.verb, row));
    }
    let _ = write!(
        out,
        "{deep}    errors: _Errors = \"warn\",\n{deep}    progress: _Progress | None = None,\n{deep}) -> {}:\n",
        function.returns
    );
    out
}

/// The documentation, with a line for each option.
fn documentation(
    about: &str,
    options: impl Iterator<Item = (&'static Group, &'static Opt)>,
    deep: &str,
) -> String {
    let mut out = about.to_owned();
    let mut last = "";
    for (group, row) in options {
        if group.name != last {
            let _ = write!(out, "\n\n{}:", capital(group.name));
            last = group.name;
        }
        let default =
            if row.default.is_empty() { String::new() } else { format!(" [default: {}]", row.default) };
        let _ = write!(out, "\n    {}: {}{default}", row.python(), pythonic(row.about));
    }
    let out = out.replace('\\', "\\\\");
    let lines: Vec<String> = out
        .lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("{deep}    {line}") })
        .collect();
    format!("{deep}    \"\"\"{}\n{deep}    \"\"\"\n", lines.join("\n").trim_start())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The module with all functions.
pub(super) fn module() -> String {
    let mut out = format!(
        "\"\"\"The verbs of the program: functions, and methods of Recording. Written by\n`{COMMAND}`.\n\"\"\"\n\n\
         # mypy: disable-error-code=\"empty-body\"\n# The decorators run the verbs.\n\n\
         from __future__ import annotations\n\nfrom ._call import opens, verb\n\n\
         TYPE_CHECKING = False  # Importing typing would take longer than everything else.\nif TYPE_CHECKING:\n    \
         import os\n    from collections.abc import Mapping, Sequence\n    from datetime import timedelta\n    \
         from typing import Any, BinaryIO, Literal, TypedDict\n\n    from ._call import Alignment\n    \
         from ._pyrobolog import Recording, Report, _Errors, _Globs, _Progress, _Source, _Span, _Time, _Writable\n\n    \
         _Recording = Recording | _Source\n    \
         _Recordings = _Recording | Sequence[_Recording]\n\n    class Reading(TypedDict, total=False):\n        \
         \"\"\"Options of open.\"\"\"\n\n"
    );
    for (_, row) in reading() {
        let _ = writeln!(out, "        {}: {}", row.python(), annotation("report", row));
    }
    out.push_str("\n\nREADING = (\n");
    for (_, row) in reading() {
        let _ = writeln!(out, "    \"{}\",", row.python());
    }
    out.push_str(
        ")\n\"\"\"The options of open.\"\"\"\n\n\n@opens\ndef open(\n    source: _Source,\n    *,\n",
    );
    for (_, row) in reading() {
        let _ = writeln!(out, "    {},", argument("report", row));
    }
    out.push_str(") -> Recording:\n");
    let about = "Opens a recording: a path of a file or a folder, an address, bytes or another buffer, or a binary file \
                 object or an\n``fsspec.OpenFile``, which is copied.\n\nAn address such as ``s3://bucket/drive.lvx`` is read \
                 through fsspec, range by range, no further than needed.\n\nThe format is found from the bytes. The options \
                 make choices that a format leaves open:";
    out.push_str(&documentation(about, reading(), ""));
    for function in &FUNCTIONS {
        let _ = write!(out, "\n\n@verb\n{}", signature(function, ""));
        out.push_str(&documentation(function.about, options(function), ""));
    }
    out.push_str("\n\nclass Methods:\n    \"\"\"Methods of Recording.\"\"\"\n");
    for function in &METHODS {
        let _ = write!(out, "\n    @verb\n{}", signature(function, "    "));
        out.push_str(&documentation(function.about, options(function), "    "));
    }
    out
}

/// The methods for the stub.
pub(super) fn methods() -> String {
    let mut out = String::new();
    for function in &METHODS {
        out.push_str(&signature(function, "    "));
        let first = function.about.lines().next().unwrap_or_default();
        let _ = writeln!(out, "        \"\"\"{first}\"\"\"");
    }
    out
}
