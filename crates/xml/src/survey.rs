//! Findings that surveys of all XML formats share.

use robolog_core::{Severity, format::SurveyBuilder, text::Escaped};

use super::{Frame, Piece, Stack};

/// Warns of an element after the end of the root element. Call it before the stack follows the element.
pub fn note_another_document<F: Frame>(piece: &Piece<'_, F>, stack: &Stack, notes: &mut SurveyBuilder) {
    if piece.begins_element() && stack.is_behind_root() {
        let message = "another document begins: other readers stop at the end of the root element";
        notes.find(Severity::Warning, "another-document", piece.markup_offset(), message);
    }
}

/// Reports an element that is still open at the end of a document of `end` bytes.
pub fn note_unfinished(stack: &Stack, end: u64, notes: &mut SurveyBuilder) {
    if let Some(top) = stack.top() {
        let message = format_args!("the document ends inside <{}>", Escaped(top));
        notes.find(Severity::Error, "truncated", end, message);
    }
}

/// The format's name and the version that the document states.
pub fn variant(format: &str, version: Option<&str>) -> String {
    format!("{format} {}", version.unwrap_or("without a version"))
}
