//! All details of a survey, for `info -v`.

use std::fmt::Write as _;

use robolog_core::text::Escaped;
use serde_json::{Map, Value as Json};

/// Maximum number of entries shown of a list or a table.
const LISTED: usize = 1000;

/// A line per detail, with its name in `--json`; list items are on lines below.
pub(super) fn everything(details: &Json) -> String {
    let Json::Object(fields) = details else { return String::new() };
    let mut out = String::from("\n  details\n");
    object(&mut out, fields, 4);
    out
}

fn object(out: &mut String, fields: &Map<String, Json>, indent: usize) {
    for (key, value) in fields.iter().take(LISTED) {
        let key = Escaped(key.as_bytes());
        if let Some(text) = scalar(value) {
            line(out, indent, &format!("{key}: {text}"));
        } else if !is_empty(value) {
            line(out, indent, &format!("{key}:"));
            inner(out, value, indent + 2);
        }
    }
    more(out, fields.len(), indent);
}

fn inner(out: &mut String, value: &Json, indent: usize) {
    match value {
        Json::Object(fields) => object(out, fields, indent),
        Json::Array(items) => {
            for item in items.iter().take(LISTED) {
                match (scalar(item), item) {
                    (Some(text), _) => line(out, indent, &text),
                    (None, Json::Object(fields)) => line(out, indent, &row(fields)),
                    (None, other) => inner(out, other, indent),
                }
            }
            more(out, items.len(), indent);
        }
        _ => {}
    }
}

/// An object on one line; nested values are in parentheses.
fn row(fields: &Map<String, Json>) -> String {
    let part = |(key, value): (&String, &Json)| {
        let key = Escaped(key.as_bytes()).to_string();
        match (scalar(value), value) {
            (Some(text), _) => Some(format!("{key} {text}")),
            (None, Json::Object(fields)) if !fields.is_empty() => Some(format!("{key} ({})", row(fields))),
            (None, Json::Array(items)) if !items.is_empty() => {
                let items: Vec<_> = items
                    .iter()
                    .take(LISTED)
                    .filter_map(|item| scalar(item).or_else(|| Some(format!("({})", row(item.as_object()?)))))
                    .collect();
                Some(format!("{key} {}", items.join(" ")))
            }
            _ => None,
        }
    };
    fields.iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

fn line(out: &mut String, indent: usize, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:indent$}{text}", "");
}

fn more(out: &mut String, len: usize, indent: usize) {
    if let n @ 1.. = (LISTED..len).len() {
        line(out, indent, &format!("and {n} more: --json lists them"));
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Object(fields) => fields.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => true,
    }
}

fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::Number(n) => Some(n.to_string()),
        Json::Bool(b) => Some(if *b { "yes" } else { "no" }.into()),
        Json::String(s) if !s.is_empty() => Some(Escaped(s.as_bytes()).to_string()),
        _ => None,
    }
}
