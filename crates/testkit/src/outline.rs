//! Formats `Debug` output for people: short items on one line, text bytes as text, long lists shortened.

use std::fmt::Write as _;

/// Maximum line length, where lines can be broken.
const WIDTH: usize = 110;
/// Longer lists show only their first items and their length.
const LONG: usize = 24;
/// Number of items shown of a long list.
const FIRST: usize = 8;

/// A value as printed by `Debug`: a leaf, or items in brackets.
enum Node {
    Leaf(String),
    Tree { head: String, open: char, items: Vec<Node>, tail: String },
}

/// A value in lines, indented by `indent` spaces.
pub(crate) fn lines(value: &impl std::fmt::Debug, indent: usize) -> String {
    let mut out = String::new();
    render(&parse(&format!("{value:?}")), indent, &mut out);
    out
}

/// A value on one line.
pub(crate) fn line(value: &impl std::fmt::Debug) -> String {
    flat(&parse(&format!("{value:?}")))
}

/// Parses `Debug` output to a tree; to a single leaf if its brackets do not match.
fn parse(text: &str) -> Node {
    let mut rest = text;
    match node(&mut rest) {
        Some(node) if rest.is_empty() => node,
        _ => Node::Leaf(text.to_owned()),
    }
}

fn node(rest: &mut &str) -> Option<Node> {
    let head = text_until_bracket(rest);
    let Some(open) = rest.chars().next().filter(|c| "([{".contains(*c)) else {
        return Some(Node::Leaf(head.trim().to_owned()));
    };
    let close = closing(open);
    *rest = &rest[1..];
    let mut items = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            break;
        }
        items.push(node(rest)?);
        *rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(after) => *rest = after,
            None if rest.starts_with(close) => {}
            None => return None,
        }
    }
    let tail = text_until_bracket(rest).trim_end().to_owned();
    let head = head.trim_start().to_owned();
    Some(shortened(Node::Tree { head, open, items, tail }))
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Text up to a bracket or comma outside quotes.
fn text_until_bracket(rest: &mut &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let end = rest.char_indices().find(|(_, c)| {
        let stops = !quoted && "([{}]),".contains(*c);
        quoted ^= *c == '"' && !escaped;
        escaped = quoted && *c == '\\' && !escaped;
        stops
    });
    let (text, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
    *rest = after;
    text.to_owned()
}

/// Converts text bytes to text; keeps only the first items of a long list.
fn shortened(node: Node) -> Node {
    let Node::Tree { head, open, mut items, tail } = node else { return node };
    if open == '[' {
        if let Some(text) = as_text(&items) {
            return Node::Leaf(format!("{head}{text}{tail}"));
        }
        if items.len() > LONG {
            let more = format!("... {} in all", items.len());
            items.truncate(FIRST);
            items.push(Node::Leaf(more));
        }
    }
    Node::Tree { head, open, items, tail }
}

/// Four or more printable bytes, possibly followed by NULs.
fn as_text(items: &[Node]) -> Option<String> {
    let byte = |node: &Node| match node {
        Node::Leaf(text) => text.parse().ok(),
        Node::Tree { .. } => None,
    };
    let bytes: Vec<u8> = items.iter().map(byte).collect::<Option<_>>()?;
    let end = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    let (text, nuls) = bytes.split_at(end);
    if bytes.len() < 4 || !text.iter().all(|b| matches!(b, b' '..=b'~' | b'\t' | b'\r' | b'\n')) {
        return None;
    }
    let text = format!("b{:?}", String::from_utf8_lossy(text));
    Some(if nuls.is_empty() { text } else { format!("{text} and {} NUL", nuls.len()) })
}

fn flat(node: &Node) -> String {
    match node {
        Node::Leaf(text) => text.clone(),
        Node::Tree { head, open, items, tail } => {
            let items: Vec<_> = items.iter().map(flat).collect();
            let blank = if *open == '{' && !items.is_empty() { " " } else { "" };
            format!("{head}{open}{blank}{}{blank}{}{tail}", items.join(", "), closing(*open))
        }
    }
}

fn render(node: &Node, indent: usize, out: &mut String) {
    let whole = flat(node);
    let blanks = " ".repeat(indent);
    match node {
        Node::Tree { head, open, items, tail } if indent + whole.len() > WIDTH => {
            writeln!(out, "{blanks}{head}{open}").unwrap();
            if is_filled(node) {
                fill(items, indent + 2, out);
            } else {
                for item in items {
                    render(item, indent + 2, out);
                }
            }
            writeln!(out, "{blanks}{}{tail}", closing(*open)).unwrap();
        }
        _ => writeln!(out, "{blanks}{whole}").unwrap(),
    }
}

/// Whether it is a list or map of plain values, several of which fit on a line.
fn is_filled(node: &Node) -> bool {
    let is_leaf = |item: &Node| matches!(item, Node::Leaf(_));
    let Node::Tree { head, open, items, .. } = node else { return false };
    let is_map = *open == '{' && (head.is_empty() || head.ends_with(": "));
    (is_map || *open == '[') && items.iter().all(is_leaf)
}

fn fill(items: &[Node], indent: usize, out: &mut String) {
    let blanks = " ".repeat(indent);
    let mut line = String::new();
    for item in items {
        let text = flat(item);
        if !line.is_empty() && indent + line.len() + text.len() > WIDTH {
            writeln!(out, "{blanks}{}", line.trim_end()).unwrap();
            line.clear();
        }
        line.push_str(&text);
        line.push_str(", ");
    }
    writeln!(out, "{blanks}{}", line.trim_end_matches(", ")).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    #[expect(dead_code, reason = "printed")]
    struct Device {
        sn: [u8; 6],
        hub: [u8; 3],
        kind: Option<&'static str>,
        angles: Vec<f32>,
    }

    #[test]
    fn bytes_are_text_where_they_are_printable_and_long_lists_are_cut() {
        let device = Device { sn: *b"AB-1\0\0", hub: [1, 2, 3], kind: Some("a, (b"), angles: vec![0.5; 100] };
        assert_eq!(
            line(&device),
            "Device { sn: b\"AB-1\" and 2 NUL, hub: [1, 2, 3], kind: Some(\"a, (b\"), angles: [0.5, 0.5, 0.5, 0.5, 0.5, \
             0.5, 0.5, 0.5, ... 100 in all] }"
        );
    }

    #[test]
    fn what_does_not_fit_on_a_line_is_broken_between_fields() {
        let device = Device { sn: *b"AB-123", hub: [0; 3], kind: None, angles: vec![0.25; 20] };
        let first = ["0.25"; 17].join(", ");
        let fields = "    sn: b\"AB-123\"\n    hub: [0, 0, 0]\n    kind: None\n";
        assert_eq!(
            lines(&device, 2),
            format!(
                "  Device {{\n{fields}    angles: [\n      {first},\n      0.25, 0.25, 0.25\n    ]\n  }}\n"
            )
        );
    }

    #[test]
    fn brackets_that_do_not_match_are_left_as_they_are() {
        struct Odd;
        impl std::fmt::Debug for Odd {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("half (open")
            }
        }
        assert_eq!(line(&Odd), "half (open");
    }
}
