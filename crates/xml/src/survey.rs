//! What the surveys of all formats find.

use robolog_core::{Notes, Severity, text::Escaped};

use super::{Frame, Piece, Stack};

/// Warns of an element behind the end of the root element, before it is followed.
pub fn note_another_document<F: Frame>(piece: &Piece<'_, F>, stack: &Stack, notes: &mut Notes) {
    if piece.begins_element() && stack.is_behind_root() {
        let message = "another document begins: other readers stop at the end of the root element";
        notes.find(Severity::Warning, "another-document", piece.markup_offset(), message);
    }
}

/// Notes what is open at the end of a document of `end` bytes.
pub fn note_unfinished(stack: &Stack, end: u64, notes: &mut Notes) {
    if let Some(top) = stack.top() {
        let message = format_args!("the document ends inside <{}>", Escaped(top));
        notes.find(Severity::Error, "truncated", end, message);
    }
}

/// A format and the version that a document says it has.
pub fn variant(format: &str, version: Option<&str>) -> String {
    format!("{format} {}", version.unwrap_or("without a version"))
}
