//! Serialises entries as in the file, for `cat --raw` and the like.

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use crate::{Kind, Record};

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if self.kind() == Kind::Row {
            let mut s = serializer.serialize_struct("Record", 2)?;
            s.serialize_field("time", &text(self.time_text()))?;
            let cells: Vec<_> = crate::slog::cells(self.body()).map(text).collect();
            s.serialize_field("cells", &cells)?;
            return s.end();
        }
        if self.kind() != Kind::Entry {
            let mut s = serializer.serialize_struct("Record", 1)?;
            s.serialize_field("text", &text(self.bytes()))?;
            return s.end();
        }
        let mut s = serializer.serialize_struct("Record", 4)?;
        s.serialize_field("time", &text(self.time_text()))?;
        s.serialize_field("name", &text(self.name().bytes()))?;
        s.serialize_field("source", &text(self.source().bytes()))?;
        s.serialize_field("value", &text(self.value().bytes()))?;
        s.end()
    }
}
