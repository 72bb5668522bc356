//! The page of a folder of reports: a line a recording.

use std::fmt::Write as _;

use crate::{
    page::{Recording, Verdict, document_start, put, when},
    text::{Esc, count, short, size, span},
};

/// What the page of a folder says of a recording.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry {
    /// The recording's file.
    pub name: String,
    /// The address of its page, relative to that of the folder; empty where there is none.
    pub link: String,
    /// Whether it can be trusted; `None` where it could not be read at all.
    pub verdict: Option<Verdict>,
    about: Vec<String>,
    /// A drawing of where it went, as SVG.
    thumbnail: String,
}

impl Entry {
    pub(crate) fn new(recording: &Recording<'_>, verdict: Verdict, thumbnail: String) -> Self {
        let (surveyed, summary) = (recording.surveyed, &recording.surveyed.summary);
        let start = summary.span.map_or_else(|| "–".into(), |span| when(span.0));
        let seconds = recording.kept.axis.seconds();
        let about = vec![
            summary.variant.clone(),
            start,
            span(seconds),
            size(surveyed.bytes),
            count(summary.records),
            count(summary.channels.len() as u64),
        ];
        Self {
            name: recording.name.to_owned(),
            link: String::new(),
            verdict: Some(verdict),
            about,
            thumbnail,
        }
    }

    /// A file that could not be read.
    pub fn unreadable(name: &str, why: &str) -> Self {
        Self {
            name: name.to_owned(),
            link: String::new(),
            verdict: None,
            about: vec![why.to_owned()],
            thumbnail: String::new(),
        }
    }

    /// The same with the address of its page.
    #[must_use]
    pub fn with_link(self, link: impl Into<String>) -> Self {
        Self { link: link.into(), ..self }
    }
}

/// The page of a folder with these recordings.
///
/// ```
/// use robolog_report::{Entry, index};
/// let entries = [Entry::unreadable("notes.bin", "no recording").with_link("")];
/// let page = index("Monday", &entries);
/// assert!(page.starts_with("<!doctype html>") && page.contains("notes.bin"));
/// ```
pub fn index(title: &str, entries: &[Entry]) -> String {
    let mut html = document_start(title);
    put!(html, "<header><h1>{}</h1><p class=\"lead\">", Esc(&short(title)));
    for verdict in [Verdict::Healthy, Verdict::Notes, Verdict::Damaged] {
        let n = entries.iter().filter(|entry| entry.verdict == Some(verdict)).count();
        put!(html, "{} {n} &nbsp; ", verdict.words());
    }
    let unread = entries.iter().filter(|entry| entry.verdict.is_none()).count();
    put!(
        html,
        "not read {unread}</p></header><main><div class=\"scroll all\" tabindex=\"0\"><table class=\"folder\"><thead><tr>"
    );
    for head in ["Way", "Recording", "Verdict", "Format", "Starts", "Lasts", "Size", "Records", "Channels"] {
        put!(html, "<th scope=\"col\">{head}</th>");
    }
    html.push_str("</tr></thead><tbody>\n");
    for entry in entries {
        put!(html, "<tr><td><div class=\"way\">{}</div></td><td>", entry.thumbnail);
        let name = Esc(&short(&entry.name)).to_string();
        if entry.link.is_empty() {
            html.push_str(&name);
        } else {
            put!(html, "<a href=\"{}\">{name}</a>", Esc(&address(&entry.link)));
        }
        let (class, words) = entry.verdict.map_or(("bad", "✕ Not read"), |v| (v.class(), v.words()));
        put!(html, "</td><td class=\"{class}\"><strong>{words}</strong></td>");
        let wide = if entry.verdict.is_none() { " colspan=\"6\"" } else { "" };
        for text in &entry.about {
            put!(html, "<td{wide}>{}</td>", Esc(&text.chars().take(300).collect::<String>()));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div></main></body></html>\n");
    html
}

/// A path as an address: what has a meaning there is written as its bytes. It cannot name another scheme.
fn address(path: &str) -> String {
    let mut address = String::from("./");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(byte));
            }
            byte => {
                put!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_text_and_addresses_of_files() {
        let entry = Entry::unreadable("<script>alert(1)</script>", "<b>").with_link("javascript:alert(1)");
        let html = index("a&b", &[entry]);
        assert!(!html.contains("<script") && !html.contains("<b>"));
        assert!(html.contains("href=\"./javascript%3Aalert%281%29\""));
    }
}
