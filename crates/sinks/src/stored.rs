//! Fixes and features as bytes, for spools: targets that store them by channel, or whose columns the last one may change,
//! write them at the end.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{
    Attributes, Cell, Clock, Feature, Field, FixQuality, Geometry, GnssFix, Position, Row, Sample, Timestamp,
    Value, slices::fitting,
};

use crate::numbered::Numbered;

/// Stores samples of fixes and features, and gives them back. Keeps the few things in memory that repeat: columns,
/// attributes, frames.
#[derive(Debug, Default)]
pub struct Stored {
    fields: Shared<Arc<[Field]>>,
    attributes: Shared<Attributes>,
    frames: Numbered,
}

/// Values that repeat, numbered from 0.
#[derive(Debug)]
struct Shared<T> {
    list: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { list: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Shared<T> {
    fn number(&mut self, value: &T, is_same: impl Fn(&T) -> bool) -> u32 {
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        if self.list.last().is_some_and(is_same) {
            return next - 1;
        }
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        self.list.push(value.clone());
        self.numbers.insert(value.clone(), next);
        next
    }

    fn get(&self, number: u32) -> Option<T> {
        self.list.get(usize::try_from(number).ok()?).cloned()
    }
}

/// [`FixQuality::Unknown`].
const UNKNOWN: u8 = u8::MAX;

impl Stored {
    /// Appends a sample without its channel and offset; false for values of other kinds.
    pub fn put(&mut self, sample: &Sample, out: &mut Vec<u8>) -> bool {
        let kind = match &sample.value {
            Value::GnssFix(_) => 0,
            Value::Feature(_) => 1,
            _ => return false,
        };
        out.push(kind);
        out.push(sample.time.map_or(u8::MAX, |time| time.clock().number()));
        out.extend(sample.time.map_or(0, Timestamp::nanos).to_le_bytes());
        let frame = self.frames.number(&sample.frame_id, || Arc::clone(&sample.frame_id));
        out.extend(u32::try_from(frame).unwrap_or(u32::MAX).to_le_bytes());
        let attributes = self.attributes.number(&sample.attributes, |last| last.is_same(&sample.attributes));
        out.extend(attributes.to_le_bytes());
        match &sample.value {
            Value::GnssFix(fix) => self.put_fix(fix, out),
            Value::Feature(feature) => self.put_feature(feature, out),
            _ => {}
        }
        true
    }

    /// The next sample, of `channel`; `None` if the bytes end before it does.
    pub fn take(&self, bytes: &mut &[u8], channel: &Arc<str>) -> Option<Sample> {
        let [kind, clock] = take(bytes)?;
        let nanos = i64::from_le_bytes(take(bytes)?);
        let frame = self.frames.list.get(usize::try_from(number(bytes)?).ok()?).map(Arc::clone);
        let attributes = self.attributes.get(number(bytes)?).unwrap_or_default();
        let value = match kind {
            0 => Value::GnssFix(self.take_fix(bytes)?),
            _ => Value::Feature(Box::new(self.take_feature(bytes)?)),
        };
        Some(
            Sample::new(Arc::clone(channel), value)
                .with_time(Clock::of_number(clock).map(|clock| Timestamp::new(nanos, clock)))
                .with_frame(frame.unwrap_or_default())
                .with_attributes(attributes),
        )
    }

    fn put_fix(&mut self, fix: &GnssFix, out: &mut Vec<u8>) {
        let GnssFix { latitude, longitude, altitude, altitude_msl, quality, satellites, hdop, .. } = fix;
        let GnssFix { vdop, pdop, speed, course, age_of_corrections_s, station_id, .. } = fix;
        out.push(quality.gga().unwrap_or(UNKNOWN));
        for number in [latitude, longitude] {
            out.extend(number.to_le_bytes());
        }
        for number in [altitude, altitude_msl, hdop, vdop, pdop, speed, course, age_of_corrections_s] {
            put(*number, out, |number, out| out.extend(number.to_le_bytes()));
        }
        put(*satellites, out, |number, out| out.extend(number.to_le_bytes()));
        put(*station_id, out, |number, out| out.extend(number.to_le_bytes()));
        put(fix.position_covariance, out, |rows, out| {
            out.extend(rows.into_iter().flat_map(f64::to_le_bytes));
        });
        put(fix.talkers.as_deref(), out, text);
        put(fix.measured.as_deref(), out, |row, out| self.row(row, out));
    }

    fn take_fix(&self, bytes: &mut &[u8]) -> Option<GnssFix> {
        let [quality] = take(bytes)?;
        let (latitude, longitude) = (float(bytes)?, float(bytes)?);
        let mut known = [None; 8];
        for number in &mut known {
            *number = optional(bytes, float)?;
        }
        let [altitude, altitude_msl, hdop, vdop, pdop, speed, course, age_of_corrections_s] = known;
        Some(GnssFix {
            latitude,
            longitude,
            altitude,
            altitude_msl,
            quality: FixQuality::from_gga(u32::from(quality)),
            satellites: optional(bytes, number)?,
            hdop,
            vdop,
            pdop,
            speed,
            course,
            age_of_corrections_s,
            station_id: optional(bytes, |bytes| take(bytes).map(u16::from_le_bytes))?,
            position_covariance: optional(bytes, |bytes| {
                let mut rows = [0.0; 9];
                for element in &mut rows {
                    *element = float(bytes)?;
                }
                Some(rows)
            })?,
            talkers: optional(bytes, string)?,
            measured: optional(bytes, |bytes| self.take_row(bytes))?.map(Box::new),
            ..GnssFix::default()
        })
    }

    fn put_feature(&mut self, feature: &Feature, out: &mut Vec<u8>) {
        let Feature { geometry, name, description, symbol, kind, link, properties, .. } = feature;
        shape(geometry, out);
        for part in [name, description, symbol, kind, link] {
            put(part.as_deref(), out, text);
        }
        put(properties.as_ref(), out, |row, out| self.row(row, out));
    }

    fn take_feature(&self, bytes: &mut &[u8]) -> Option<Feature> {
        let mut feature = Feature::new(take_shape(bytes)?);
        let Feature { name, description, symbol, kind, link, .. } = &mut feature;
        for part in [name, description, symbol, kind, link] {
            *part = optional(bytes, string)?;
        }
        feature.properties = optional(bytes, |bytes| self.take_row(bytes))?;
        Some(feature)
    }

    fn row(&mut self, row: &Row, out: &mut Vec<u8>) {
        let fields = self.fields.number(&row.fields, |last| Arc::ptr_eq(last, &row.fields));
        out.extend(fields.to_le_bytes());
        for cell in row.cells.iter().take(row.fields.len()) {
            match cell {
                Cell::Null => out.push(0),
                Cell::Bool(value) => out.extend([1, u8::from(*value)]),
                Cell::Int(value) => {
                    out.push(2);
                    out.extend(value.to_le_bytes());
                }
                Cell::Float(value) => {
                    out.push(3);
                    out.extend(value.to_le_bytes());
                }
                Cell::Text(value) => {
                    out.push(4);
                    text(value, out);
                }
            }
        }
        out.extend(std::iter::repeat_n(0, row.fields.len().saturating_sub(row.cells.len())));
    }

    fn take_row(&self, bytes: &mut &[u8]) -> Option<Row> {
        let fields = self.fields.get(number(bytes)?)?;
        let mut cells = Vec::with_capacity(fields.len());
        for _ in 0..fields.len() {
            cells.push(match take(bytes)? {
                [0] => Cell::Null,
                [1] => Cell::Bool(take(bytes)? != [0]),
                [2] => Cell::Int(i64::from_le_bytes(take(bytes)?)),
                [3] => Cell::Float(float(bytes)?),
                _ => Cell::Text(string(bytes)?),
            });
        }
        Some(Row::new(fields, cells))
    }
}

fn put<T>(value: Option<T>, out: &mut Vec<u8>, write: impl FnOnce(T, &mut Vec<u8>)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        write(value, out);
    }
}

#[expect(clippy::option_option, reason = "the bytes may end, and a value may be absent")]
fn optional<T>(bytes: &mut &[u8], read: impl FnOnce(&mut &[u8]) -> Option<T>) -> Option<Option<T>> {
    match take(bytes)? {
        [0] => Some(None),
        _ => read(bytes).map(Some),
    }
}

fn text(text: &str, out: &mut Vec<u8>) {
    // A text of 4 GiB would not fit a cell of any target.
    let len = fitting::<u32>(text.len());
    out.extend(len.to_le_bytes());
    out.extend(if len > 0 { text.as_bytes() } else { &[] });
}

fn string(bytes: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(text).into_owned())
}

fn shape(geometry: &Geometry, out: &mut Vec<u8>) {
    let (kind, len) = match geometry {
        Geometry::Point(_) => (0, 1),
        Geometry::LineString(line) => (1, line.len()),
        Geometry::Polygon(rings) => (2, rings.len()),
        Geometry::Collection(parts) => (3, parts.len()),
        _ => (1, 0),
    };
    out.push(kind);
    count(len, out);
    match geometry {
        Geometry::Point(position) => place(position, out),
        Geometry::LineString(line) => line.iter().for_each(|position| place(position, out)),
        Geometry::Polygon(rings) => {
            for ring in rings {
                count(ring.len(), out);
                for position in ring {
                    place(position, out);
                }
            }
        }
        Geometry::Collection(parts) => parts.iter().for_each(|part| shape(part, out)),
        _ => {}
    }
}

fn take_shape(bytes: &mut &[u8]) -> Option<Geometry> {
    let [kind] = take(bytes)?;
    let count = number(bytes)?;
    Some(match kind {
        0 => Geometry::Point(take_place(bytes)?),
        1 => Geometry::LineString(line(count, bytes)?),
        2 => {
            let ring = |_| number(bytes).and_then(|count| line(count, bytes));
            Geometry::Polygon((0..count).map(ring).collect::<Option<_>>()?)
        }
        _ => Geometry::Collection((0..count).map(|_| take_shape(bytes)).collect::<Option<_>>()?),
    })
}

fn line(count: u32, bytes: &mut &[u8]) -> Option<Vec<Position>> {
    (0..count).map(|_| take_place(bytes)).collect()
}

fn place(position: &Position, out: &mut Vec<u8>) {
    out.extend(position.latitude.to_le_bytes());
    out.extend(position.longitude.to_le_bytes());
    put(position.altitude_msl, out, |number, out| out.extend(number.to_le_bytes()));
}

fn take_place(bytes: &mut &[u8]) -> Option<Position> {
    let (latitude, longitude) = (float(bytes)?, float(bytes)?);
    Some(Position { latitude, longitude, altitude_msl: optional(bytes, float)? })
}

fn count(len: usize, out: &mut Vec<u8>) {
    out.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}

fn float(bytes: &mut &[u8]) -> Option<f64> {
    take(bytes).map(f64::from_le_bytes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use robolog_core::FieldKind;

    use super::*;

    #[test]
    fn what_is_stored_comes_back() {
        let place = |n: f64| Position { latitude: n, longitude: -n, altitude_msl: (n > 1.0).then_some(n) };
        let ring = vec![place(0.0), place(1.0), place(2.0), place(0.0)];
        let shapes = vec![Geometry::Point(place(3.0)), Geometry::LineString(ring.clone())];
        let fields: Arc<[Field]> =
            ["a", "b", "c", "d", "e"].map(|name| Field::new(name, FieldKind::Text)).as_slice().into();
        let cells = vec![Cell::Null, true.into(), 7_i64.into(), 0.5.into(), "x".into()];
        let row = Row::new(fields, cells);
        let mut feature = Feature::new(Geometry::Collection(
            shapes.into_iter().chain([Geometry::Polygon(vec![ring.clone(), ring])]).collect(),
        ));
        (feature.name, feature.link) = (Some("Hut".into()), Some(String::new()));
        feature.properties = Some(row.clone());
        let fix = GnssFix {
            latitude: 46.5,
            hdop: Some(0.5),
            station_id: Some(7),
            quality: FixQuality::RtkFixed,
            position_covariance: Some([0.25; 9]),
            talkers: Some("GP".into()),
            measured: Some(Box::new(row)),
            ..GnssFix::default()
        };
        let (channel, mut stored, mut bytes): (Arc<str>, _, _) = ("c".into(), Stored::default(), Vec::new());
        let values =
            [Value::GnssFix(fix), Value::GnssFix(GnssFix::default()), Value::Feature(Box::new(feature))];
        let samples = values.map(|value| {
            Sample::new(Arc::clone(&channel), value)
                .with_time(Some(Timestamp::new(-5, Clock::Gps)))
                .with_frame("wgs84")
                .with_attributes([("name", "Day 1".to_owned())].into_iter().collect())
        });
        assert!(samples.iter().all(|sample| stored.put(sample, &mut bytes)));
        let mut rest = bytes.as_slice();
        for sample in samples {
            assert_eq!(stored.take(&mut rest, &channel), Some(sample));
        }
        assert_eq!(stored.take(&mut rest, &channel), None);
        for end in 0..bytes.len() {
            let mut cut = bytes.get(..end).unwrap();
            while stored.take(&mut cut, &channel).is_some() {}
        }
    }
}
