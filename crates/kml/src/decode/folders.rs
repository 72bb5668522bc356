//! The folders around a placemark.

use robolog_xml::{Kind, Stack, cdata, lossy, unescape};

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
    /// Follows a record that `stack` has followed and that is no placemark. A copy has the text before it, or has it
    /// elsewhere.
    pub(super) fn follow(&mut self, record: &Record<'_>, has_text: bool, stack: &Stack) {
        let depth = stack.depth();
        if let Some(text) = &mut self.text {
            let raw = lossy(if has_text { record.text() } else { b"" });
            let marked = lossy(cdata(record.markup()).unwrap_or(b""));
            if text.len() + raw.len() + marked.len() <= LONG {
                text.push_str(&unescape(&raw));
                text.push_str(&marked);
            }
        }
        match record.kind() {
            Kind::Start if record.name() == b"Folder" => self.open.push((depth, String::new())),
            Kind::Start
                if record.name() == b"name" && self.open.last().is_some_and(|(at, _)| at + 1 == depth) =>
            {
                self.text = Some(String::new());
            }
            Kind::End => self.end(depth),
            _ => {}
        }
    }

    /// Follows the text before a placemark, which is that of a name without an end.
    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        if let Some(open) = self.text.as_mut().filter(|open| open.len() + text.len() <= LONG) {
            open.push_str(&unescape(&lossy(text)));
        }
    }

    /// Follows text and end tags that a copy gets in place of missing ones, each with the number of elements that are
    /// open behind it.
    #[cold]
    pub(super) fn close(&mut self, text: &[u8], ends: impl Iterator<Item = (Vec<u8>, usize)>) {
        self.text(text);
        ends.for_each(|(_, depth)| self.end(depth));
    }

    /// Follows an end tag with this number of elements open behind it.
    fn end(&mut self, depth: usize) {
        let open = self.open.last_mut().filter(|(inside, _)| *inside == depth);
        if let (Some(text), Some((_, name))) = (self.text.take(), open) {
            text.trim().clone_into(name);
        }
        self.open.retain(|(inside, _)| *inside <= depth);
    }

    /// The names from the outermost folder, separated by `/`; `None` without any.
    pub(super) fn path(&self) -> Option<String> {
        let names: Vec<_> =
            self.open.iter().map(|(_, name)| name.as_str()).filter(|name| !name.is_empty()).collect();
        (!names.is_empty()).then(|| names.join("/"))
    }
}
