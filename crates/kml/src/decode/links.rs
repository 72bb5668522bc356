//! Links to other documents.

use robolog_core::{Severity, format::SurveyBuilder, text::Escaped};
use robolog_xml::{Kind, Stack, cdata, local, unescape};

use crate::Record;

/// Maximum number of links named, and of bytes of each.
const NAMED: usize = 5;
const LONG: usize = 200;

/// Network links, which lead to documents that are not read.
#[derive(Debug, Default)]
pub(super) struct Links {
    count: u64,
    first_at: u64,
    named: Vec<String>,
    /// The text of the open `href` in a link; it may be in parts.
    text: Option<Vec<u8>>,
}

impl Links {
    /// Follows a record; `stack` has the elements around it.
    pub(super) fn follow(&mut self, record: &Record<'_>, stack: &Stack) {
        if let Some(text) = &mut self.text {
            text.extend_from_slice(record.text().get(..LONG).unwrap_or(record.text()));
            text.extend(cdata(record.markup()).into_iter().flatten());
            text.truncate(LONG);
        }
        match record.kind() {
            Kind::Start if record.name() == b"href" && is_link(stack) => self.text = Some(Vec::new()),
            Kind::End if record.name() == b"href" => self.end(record.markup_offset()),
            _ => {}
        }
    }

    fn end(&mut self, at: u64) {
        let Some(text) = self.text.take().filter(|text| !text.trim_ascii().is_empty()) else { return };
        if self.count == 0 {
            self.first_at = at;
        }
        self.count += 1;
        if self.named.len() < NAMED {
            let text = unescape(&String::from_utf8_lossy(text.trim_ascii())).into_owned();
            self.named.push(Escaped(text.as_bytes()).to_string());
        }
    }

    /// Names them.
    pub(super) fn note(&self, notes: &mut SurveyBuilder) {
        if self.count == 0 {
            return;
        }
        let (count, named) = (self.count, self.named.join(", "));
        let more = match count - self.named.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let links = if count == 1 { "network link is" } else { "network links are" };
        let message = format!("{count} {links} not read: {named}{more}");
        notes.find(Severity::Note, "network-links", self.first_at, message);
    }
}

/// Whether these elements are around the address of a network link: `Link`, or `Url` of KML 2.0.
fn is_link(stack: &Stack) -> bool {
    let mut names = stack.names().rev().map(local);
    matches!(names.next(), Some(b"Link" | b"Url")) && names.next() == Some(b"NetworkLink")
}
