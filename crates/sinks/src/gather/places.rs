//! Spools the fixes and features of a table until all their columns are known.
//!
//! What was measured with a fix, and the properties of a feature, differ from sample to sample. If a table holds both
//! kinds, it is one of features: a fix is then a point, and its further columns are properties.

use std::sync::Arc;

use robolog_core::{
    Cell, Feature, Field, FieldKind, Geometry, GnssFix, Position, Row, Sample, Value, columns::Union,
};

use super::{converted, spool::Spool};
use crate::{Error, Opening, Outcome, Reason, Result, Sink, flat, numbered::Numbered, stored::Stored};

/// Spooled fixes and features.
pub(super) struct Places {
    stored: Stored,
    channels: Numbered,
    spool: Spool,
    columns: Columns,
}

/// The columns of fixes and features beyond those of their kinds.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    fixes: Union,
    features: Union,
    has_fixes: bool,
    has_features: bool,
    has_tracks: bool,
}

/// The columns of a whole table, and how a sample gets them.
#[derive(Debug)]
pub(crate) struct Whole {
    union: Union,
    fields: Arc<[Field]>,
    /// Whether fixes become features.
    is_mixed: bool,
    has_tracks: bool,
    /// The fields of a fix as properties, by those of what was measured with it.
    of_fix: Option<OfFix>,
}

/// The fields of what was measured with a fix, and those of all its properties.
type OfFix = (Option<Arc<[Field]>>, Arc<[Field]>);

/// Name of the track that a sample belongs to.
const TRACK: &str = "track";
/// Columns of a fix that a feature has as well, or does not need.
const SHARED: [&str; 4] = ["frame_id", "latitude", "longitude", "altitude_msl"];

/// Whether a value is a place.
pub(crate) const fn is_place(value: &Value) -> bool {
    matches!(value, Value::GnssFix(_) | Value::Feature(_))
}

impl Places {
    pub(super) fn new(opening: &Opening) -> Self {
        let spool = Spool::new(opening);
        Self { stored: Stored::default(), channels: Numbered::default(), spool, columns: Columns::default() }
    }

    pub(super) fn push(&mut self, sample: &Sample) -> Result<Outcome> {
        if !self.columns.add(sample) {
            return Ok(Outcome::LeftOut);
        }
        let number = self.channels.number(&sample.channel, || Arc::clone(&sample.channel));
        let stored = &mut self.stored;
        self.spool.record(|out| {
            out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
            stored.put(sample, out);
        })?;
        Ok(Outcome::Written)
    }

    pub(super) fn deliver(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let mut whole = self.columns.whole();
        let mut records = self.spool.records();
        while let Some(record) = records.next_record()? {
            let Some((channel, mut bytes)) = record.split_first_chunk() else { continue };
            let channel = self.channels.list.get(u32::from_le_bytes(*channel) as usize);
            let channel = channel.map_or_else(|| "".into(), Arc::clone);
            let Some(mut sample) = self.stored.take(&mut bytes, &channel) else { continue };
            whole.align(&mut sample);
            if sink.write(&mut sample)? != Outcome::Written {
                return Err(Error::Target(Reason::StrayRow));
            }
        }
        Ok(())
    }
}

impl Columns {
    /// Adds those of a sample; false if there would be too many.
    pub(crate) fn add(&mut self, sample: &Sample) -> bool {
        let union = if let Value::GnssFix(_) = &sample.value {
            self.has_fixes = true;
            &mut self.fixes
        } else {
            self.has_features = true;
            &mut self.features
        };
        self.has_tracks |= sample.attributes.get("name").is_some();
        let Some(row) = sample.value.row() else { return true };
        if !union.add(&row.fields) {
            return false;
        }
        for (i, cell) in row.cells.iter().enumerate() {
            union.place(i, cell);
        }
        true
    }

    /// Notes that a channel belongs to a track, before its samples.
    #[cfg(feature = "to-arrow")]
    pub(crate) fn expect_track(&mut self) {
        self.has_tracks = true;
    }

    /// Whether these are all the fields `expected` of fixes or features.
    #[cfg(feature = "to-arrow")]
    pub(crate) fn are(&self, expected: &[Field]) -> bool {
        let found = || self.fixes.fields().iter().chain(self.features.fields());
        found().count() == expected.len() && found().all(|field| expected.contains(field))
    }

    /// The columns of the table.
    pub(crate) fn whole(&self) -> Whole {
        let is_mixed = self.has_fixes && self.has_features;
        let mut union = Union::default();
        if is_mixed {
            union.add(&as_properties(self.fixes.fields()));
        } else {
            union.add(&self.fixes.fields().into());
        }
        union.add(&self.features.fields().into());
        let track = self.has_tracks.then_some(Field::new(TRACK, FieldKind::Text));
        let fields = union.fields().iter().cloned().chain(track).collect();
        Whole { union, fields, is_mixed, has_tracks: self.has_tracks, of_fix: None }
    }
}

impl Whole {
    /// Gives a sample the columns of the table, in their order.
    pub(crate) fn align(&mut self, sample: &mut Sample) {
        if self.is_mixed
            && let Value::GnssFix(fix) = &sample.value
        {
            sample.value = Value::Feature(Box::new(self.feature(fix)));
        }
        let mut cells = vec![Cell::Null; self.fields.len()];
        if let Some(row) = sample.value.row()
            && self.union.add(&row.fields)
        {
            for (i, cell) in row.cells.iter().enumerate().filter(|(_, cell)| **cell != Cell::Null) {
                let Some(place) = self.union.place(i, cell) else { continue };
                if let (Some(to), Some(field)) = (cells.get_mut(place), self.fields.get(place)) {
                    *to = converted(cell.clone(), field.kind);
                }
            }
        }
        if self.has_tracks
            && let Some(last) = cells.last_mut()
        {
            *last = sample.attributes.get("name").into();
        }
        let row = (!cells.is_empty()).then(|| Row::new(Arc::clone(&self.fields), cells));
        match &mut sample.value {
            Value::GnssFix(fix) => fix.measured = row.map(Box::new),
            Value::Feature(feature) => feature.properties = row,
            _ => {}
        }
    }

    /// A fix as a point with properties.
    fn feature(&mut self, fix: &GnssFix) -> Feature {
        let (latitude, longitude) = (fix.latitude, fix.longitude);
        let position = Position { latitude, longitude, altitude_msl: fix.altitude_msl };
        let measured = fix.measured.as_ref().map(|row| Arc::clone(&row.fields));
        let is_same = |known: &Option<Arc<[Field]>>| match (known, &measured) {
            (Some(known), Some(measured)) => Arc::ptr_eq(known, measured),
            (known, measured) => known.is_none() && measured.is_none(),
        };
        let fields = match self.of_fix.take().filter(|(known, _)| is_same(known)) {
            Some((_, fields)) => fields,
            None => as_properties(measured.as_deref().unwrap_or_default()),
        };
        let value = Value::GnssFix(fix.clone());
        let all = flat::fields(&value);
        let cells = all.iter().zip(flat::cells(&value, ""));
        // What was measured comes last, and may have any name.
        let known = all.len() - measured.as_ref().map_or(0, |fields| fields.len());
        let cells = cells.enumerate().filter(|(i, (field, _))| *i >= known || is_property(field));
        let cells = cells.map(|(_, (_, cell))| cell).collect();
        let mut feature = Feature::new(Geometry::Point(position));
        feature.properties = Some(Row::new(Arc::clone(&fields), cells));
        self.of_fix = Some((measured, fields));
        feature
    }
}

fn is_property(field: &Field) -> bool {
    !SHARED.contains(&&*field.name)
}

/// The fields of a fix as properties of a feature.
fn as_properties(measured: &[Field]) -> Arc<[Field]> {
    let known = flat::fields(&Value::GnssFix(GnssFix::default()));
    known.iter().filter(|field| is_property(field)).chain(measured).cloned().collect()
}
