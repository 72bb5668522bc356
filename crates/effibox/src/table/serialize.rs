//! Lines as in the file, for `cat --raw` and the like.

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::Record;

impl Serialize for Record<'_> {
    /// The columns by name; a line that is no row, or an invalid one, as `line`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.row() {
            Ok(Some(row)) if !self.table().columns().is_empty() => {
                for (field, cell) in self.table().columns().iter().zip(row.cells()) {
                    map.serialize_entry(&field.name, &cell)?;
                }
            }
            _ => map.serialize_entry("line", &String::from_utf8_lossy(self.line()))?,
        }
        map.end()
    }
}
