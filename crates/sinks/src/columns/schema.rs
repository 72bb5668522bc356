//! Tables as Arrow schemas.

use std::sync::Arc;

#[cfg(feature = "to-parquet")]
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::{DataType, Field, Schema, TimeUnit};

use robolog_core::slices::fitting;

use super::{Column, Table, Type};

impl Column {
    /// Returns the Arrow field of the column.
    fn arrow(&self) -> Field {
        let kind = match self.kind {
            Type::Bool => DataType::Boolean,
            Type::Int => DataType::Int64,
            Type::Small => DataType::Int32,
            Type::Float => DataType::Float64,
            Type::Single => DataType::Float32,
            Type::Micros => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Type::Text | Type::Name => DataType::Utf8,
            Type::Bytes | Type::Geometry => DataType::Binary,
            Type::Singles => DataType::List(element()),
            Type::Nothing => DataType::Null,
        };
        let field = Field::new(&self.name, kind, true);
        match &self.unit {
            _ if self.kind == Type::Geometry => field.with_metadata(GEOARROW),
            Some(unit) => field.with_metadata([("unit", unit.as_str())]),
            None => field,
        }
    }
}

/// What makes a column one of shapes for readers of `GeoArrow`.
const GEOARROW: [(&str, &str); 2] = [
    ("ARROW:extension:name", "geoarrow.wkb"),
    ("ARROW:extension:metadata", r#"{"crs":"OGC:CRS84","crs_type":"authority_code"}"#),
];

/// Element field of a list.
pub(crate) fn element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Float32, true))
}

impl Table {
    /// Returns the Arrow schema. Column metadata holds the unit, schema metadata the kind of value.
    pub(crate) fn arrow(&self) -> Schema {
        let kept = self.columns.iter().filter(|column| column.is_kept());
        let fields: Vec<_> = kept.map(Column::arrow).collect();
        Schema::new(fields).with_metadata([("robolog.kind", self.shape.kind)])
    }

    /// The schema as Arrow's own writers store it in Parquet: a length-prefixed message in base64.
    #[cfg(feature = "to-parquet")]
    pub(crate) fn arrow_schema(&self) -> String {
        use base64::Engine as _;
        let (options, mut tracker) = (IpcWriteOptions::default(), DictionaryTracker::new(true));
        let schema = self.arrow();
        let encoded = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
            &schema,
            &mut tracker,
            &options,
        );
        let message = encoded.ipc_message;
        let length = fitting::<u32>(message.len());
        let bytes = [&[0xff; 4], &length.to_le_bytes(), &message[..]].concat();
        base64::engine::general_purpose::STANDARD.encode(bytes)
    }
}
