//! Serialises records as in the file, for `cat --raw` and the like.

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use super::{Checksum, Record};

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let Some(sentence) = self.sentence() else {
            let mut s = serializer.serialize_struct("Record", 1)?;
            s.serialize_field("other", &text(self.bytes()))?;
            return s.end();
        };
        let (before, behind) = self.around();
        let mut s = serializer.serialize_struct("Record", 7)?;
        for (name, bytes) in [("before", before), ("behind", behind.trim_ascii())] {
            if !bytes.is_empty() {
                s.serialize_field(name, &text(bytes))?;
            }
        }
        s.serialize_field("talker", sentence.talker())?;
        s.serialize_field("type", sentence.kind())?;
        s.serialize_field("fields", &sentence.fields().map(text).collect::<Vec<_>>())?;
        s.serialize_field(
            "checksum",
            match sentence.checksum() {
                Checksum::None => "none",
                Checksum::Right => "right",
                Checksum::Wrong { .. } => "wrong",
            },
        )?;
        s.serialize_field("message", &self.message())?;
        s.end()
    }
}
