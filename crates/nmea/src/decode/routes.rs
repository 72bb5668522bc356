//! Routes, which the waypoints before and after them complete.

use robolog_core::{Result, Severity, Value, format::Wanted, text::Escaped};

use super::Decoder;
use crate::record::ROUTES;

impl Decoder {
    /// Delivers the lines of the routes.
    pub(super) fn lines(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        for (offset, line, unknown) in self.routes.finish() {
            if let (Some(notes), false) = (out.notes(), unknown.is_empty()) {
                let names = Escaped(unknown.join(", ").as_bytes()).to_string();
                let message = format!("no position is known of waypoints of this route: {names}");
                notes.find(Severity::Note, "route", offset, message);
            }
            if let Some(line) = line {
                let line = Value::Feature(Box::new(line));
                self.deliver_shared(ROUTES.as_bytes(), None, offset, line, out)?;
            }
        }
        Ok(())
    }
}
