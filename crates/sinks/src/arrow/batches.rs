//! The table as record batches in memory, for programs that use Arrow data without a file.

use std::{collections::VecDeque, fmt, sync::Arc};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use robolog_core::{
    Cell, Channel, Feature, Field, FieldKind, GnssFix, Row, Sample, Value,
    columns::{self, Column, ColumnKind, Union},
};

use super::{GROUP, Spelled, rows_of};
use crate::{
    Channels, Error, Opening, Reason, Result, Selection, TableOptions,
    columns::Table,
    gather::{Columns, Whole, converted, is_place, named_fields},
};

/// Builds the record batches that [`Arrow`](super::Arrow) writes.
///
/// The columns must be known before the first batch: pass samples to [`observe`](Self::observe) until it returns true,
/// then the same samples to [`push`](Self::push). Rows may gain fields up to the last one, so all of them are observed
/// unless a survey gave the fields [to expect](Self::expect).
///
/// ```
/// use robolog_sinks::arrow::Batches;
/// use robolog_core::{Sample, Value};
/// let sample = |value| Sample::new("NAV_X", Value::Scalar(value));
/// let mut batches = Batches::default();
/// assert!(batches.observe(&sample(0.0)));
/// assert_eq!(batches.schema().map(|schema| schema.field(3).name().clone()).as_deref(), Some("value"));
/// for value in [0.0, 0.5, 1.0] {
///     assert!(batches.push(&sample(value))?);
/// }
/// batches.finish()?;
/// assert_eq!(batches.pop().map(|batch| batch.num_rows()), Some(3));
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Default)]
pub struct Batches {
    /// Number of channels in the rows: a single named channel has no column.
    channels: Channels,
    /// Union of the columns of rows.
    union: Union,
    fields: Option<Arc<[Field]>>,
    /// Columns of fixes and features.
    places: Columns,
    /// A value of the same kind without them, and how to add them.
    place: Option<(Value, Option<Whole>)>,
    /// Names of the columns to keep; `None` keeps all.
    kept: Option<Vec<String>>,
    /// Expected columns of rows, in any order.
    expected: Option<Vec<Field>>,
    table: Option<Table>,
    schema: Option<SchemaRef>,
    ready: VecDeque<RecordBatch>,
    spare: Vec<Spelled>,
}

impl Batches {
    /// A table without the channel column.
    pub(super) fn without_channel() -> Self {
        Self { channels: Channels::Named, ..Self::default() }
    }

    /// Keeps only these columns, in the order of the table. Values of other columns are not copied.
    #[must_use]
    pub fn with_columns(self, names: Option<Vec<String>>) -> Self {
        Self { kept: names, ..self }
    }

    /// Sets the channels of the rows: once all their columns were seen, no more rows need to be observed. If a surveyed
    /// column never appears, for example beyond a time limit, all rows are observed.
    pub fn expect<'a>(&mut self, channels: impl IntoIterator<Item = &'a Channel>) {
        let mut union = Union::default();
        for channel in channels {
            // Those of the kind, which come first, are known.
            let known = columns::of_kind(channel.kind).len();
            if channel.attributes.get("name").is_some() {
                self.places.expect_track();
            }
            union.add(&channel.columns.iter().skip(known).filter_map(field_of).collect());
        }
        self.expected = Some(union.fields().to_vec());
    }

    /// Observes a sample. Returns whether the columns are final.
    pub fn observe(&mut self, sample: &Sample) -> bool {
        if self.table.is_some() {
            return true;
        }
        if is_place(&sample.value) {
            return self.observe_place(sample);
        }
        let Value::Row(row) = &sample.value else {
            self.begin(&sample.value);
            return true;
        };
        if self.union.add(&row.fields) {
            for (i, cell) in row.cells.iter().enumerate() {
                self.union.place(i, cell);
            }
            self.fields.get_or_insert_with(|| [].into());
        }
        let found = self.union.fields();
        self.expected.as_ref().is_some_and(|expected| {
            expected.len() == found.len() && found.iter().all(|field| expected.contains(field))
        })
    }

    fn observe_place(&mut self, sample: &Sample) -> bool {
        self.places.add(sample);
        self.place.get_or_insert_with(|| {
            let empty = match &sample.value {
                Value::Feature(feature) => Value::Feature(Box::new(Feature::new(feature.geometry.clone()))),
                _ => Value::GnssFix(GnssFix::default()),
            };
            (empty, None)
        });
        self.expected.as_ref().is_some_and(|expected| self.places.are(expected))
    }

    /// Returns the columns; `None` if no sample was observed. Later observations do not change them.
    pub fn schema(&mut self) -> Option<SchemaRef> {
        if self.table.is_none() && self.fields.is_some() {
            let fields = named_fields(&self.union, &TableOptions::default());
            self.begin(&Value::Row(Row::new(Arc::clone(&fields), Vec::new())));
            self.fields = Some(fields);
        }
        if self.table.is_none()
            && let Some((value, whole)) = &mut self.place
        {
            let mut sample = Sample::new("", value.clone());
            whole.insert(self.places.whole()).align(&mut sample);
            self.begin(&sample.value);
        }
        self.schema.clone()
    }

    /// Adds a sample; returns false for a kind of value that the table does not hold.
    ///
    /// Returns an error for a row with fields that were not observed.
    pub fn push(&mut self, sample: &Sample) -> Result<bool> {
        let Some(schema) = self.schema() else { return Ok(false) };
        let aligned = match (&sample.value, &self.fields) {
            (Value::Row(row), Some(fields)) => Some(sample.like(aligned(&mut self.union, row, fields)?)),
            (value, _) if is_place(value) => self.place.as_mut().and_then(|(_, whole)| {
                let mut aligned = sample.clone();
                whole.as_mut()?.align(&mut aligned);
                Some(aligned)
            }),
            _ => None,
        };
        let (Self { table, ready, spare, .. }, sample) = (self, aligned.as_ref().unwrap_or(sample));
        let Some(table) = table.as_mut().filter(|table| table.holds(&sample.value)) else { return Ok(false) };
        table.push(sample, |table| {
            ready.push_back(rows_of(table, Arc::clone(&schema), spare)?);
            table.clear();
            Ok(())
        })?;
        Ok(true)
    }

    /// Makes a batch of the remaining rows.
    pub fn finish(&mut self) -> Result<()> {
        let (Some(table), Some(schema)) = (self.table.as_mut(), &self.schema) else { return Ok(()) };
        if table.rows > 0 {
            self.ready.push_back(rows_of(table, Arc::clone(schema), &mut self.spare)?);
            table.clear();
        }
        Ok(())
    }

    /// Returns the next complete batch.
    pub fn pop(&mut self) -> Option<RecordBatch> {
        self.ready.pop_front()
    }

    fn begin(&mut self, value: &Value) {
        let opening = Opening { channels: self.channels, ..Opening::from(Selection::Channels) };
        let mut table = Table::of(value, GROUP, &opening);
        if let Some(kept) = &self.kept {
            table.keep(|name| kept.iter().any(|kept| kept == name));
        }
        self.schema = Some(Arc::new(table.arrow()));
        self.table = Some(table);
    }
}

/// Converts a column of rows back to a field.
fn field_of(column: &Column) -> Option<Field> {
    let kind = match column.kind {
        ColumnKind::Bool => FieldKind::Bool,
        ColumnKind::Int => FieldKind::Int,
        ColumnKind::Float => FieldKind::Float,
        ColumnKind::Text => FieldKind::Text,
        _ => return None,
    };
    Some(Field { name: column.name.clone().into(), unit: column.unit.clone().map(Into::into), kind })
}

/// Arranges a row's cells by the columns of the table.
fn aligned(union: &mut Union, row: &Row, fields: &Arc<[Field]>) -> Result<Value> {
    let mut cells = vec![Cell::Null; fields.len()];
    let stray = || Error::Target(Reason::StrayRow);
    if !union.add(&row.fields) {
        return Err(stray());
    }
    for (i, cell) in row.cells.iter().enumerate().filter(|(_, cell)| **cell != Cell::Null) {
        let place = union.place(i, cell).ok_or_else(stray)?;
        let (to, field) = cells.get_mut(place).zip(fields.get(place)).ok_or_else(stray)?;
        *to = converted(cell.clone(), field.kind);
    }
    Ok(Value::Row(Row { fields: Arc::clone(fields), cells }))
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
