//! Serialises records as in the file, for `cat --raw` and the like.

use robolog_core::text::Escaped;
use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use super::Record;

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Record", 2)?;
        s.serialize_field("element", &Escaped(self.name()).to_string())?;
        s.serialize_field("text", &String::from_utf8_lossy(self.markup()))?;
        s.end()
    }
}
