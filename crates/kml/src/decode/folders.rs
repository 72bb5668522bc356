//! The folders around a placemark.

use robolog_xml::{Kind, Stack, lossy, unescape};

use crate::Record;

/// Maximum bytes of a name.
const LONG: usize = 1 << 12;

/// The names of the open folders.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// Number of open elements inside each, and its name.
    open: Vec<(usize, String)>,
    /// The text of the open name.
    text: Option<String>,
}

impl Folders {
    /// Follows a record that `stack` has followed and that is no placemark.
    pub(super) fn follow(&mut self, record: &Record<'_>, stack: &Stack) {
        let depth = stack.depth();
        if let Some(text) = &mut self.text {
            let raw = lossy(record.text());
            let marked =
                record.markup().strip_prefix(b"<![CDATA[").and_then(|text| text.strip_suffix(b"]]>"));
            let marked = lossy(marked.unwrap_or_default());
            if text.len() + raw.len() + marked.len() <= LONG {
                text.push_str(&unescape(&raw));
                text.push_str(&marked);
            }
        }
        let is_inner = |(inside, _): &(usize, String)| *inside == depth;
        match record.kind() {
            Kind::Start if record.name() == b"Folder" => self.open.push((depth, String::new())),
            Kind::Start
                if record.name() == b"name" && self.open.last().is_some_and(|(at, _)| at + 1 == depth) =>
            {
                self.text = Some(String::new());
            }
            Kind::End => {
                let text = self.text.take();
                if let (Some(text), Some((_, name))) =
                    (text, self.open.last_mut().filter(|open| is_inner(open)))
                {
                    text.trim().clone_into(name);
                }
                self.open.retain(|(inside, _)| *inside <= depth);
            }
            _ => {}
        }
    }

    /// The names from the outermost folder, separated by `/`; `None` without any.
    pub(super) fn path(&self) -> Option<String> {
        let names: Vec<_> =
            self.open.iter().map(|(_, name)| name.as_str()).filter(|name| !name.is_empty()).collect();
        (!names.is_empty()).then(|| names.join("/"))
    }
}
