//! The columns of variables whose values are messages.

use std::sync::Arc;

use robolog_core::{Field, columns::Union, format::SurveyBuilder};

use super::message::{Message, has_fields};
use crate::RawText;

/// The fields of a variable's messages.
#[derive(Debug, Default)]
pub(super) struct MessageFields {
    /// Fields of the last message: most messages have the same as the one before.
    last: Option<Arc<[Field]>>,
    all: Union,
}

impl MessageFields {
    pub(super) fn add(&mut self, variable: &[u8], value: RawText<'_>) {
        if self.last.as_ref().is_some_and(|last| has_fields(value, last)) {
            return;
        }
        let Some(message) = Message::parse(variable, value) else { return };
        let fields = message.fields();
        self.all.add(&fields);
        self.last = Some(fields);
    }

    pub(super) fn report(&self, channel: &[u8], notes: &mut SurveyBuilder) {
        notes.columns(&String::from_utf8_lossy(channel), &self.all.fields().into());
    }
}
