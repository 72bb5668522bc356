//! Rows of what documents say besides positions: names, measurements, extensions.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use robolog_core::{Attributes, Cell, Field, FieldKind, Row, slices::Part as _, text::number};

use super::{last_of, local, lossy};

/// Makes rows of named values. Rows with the same names share their list of fields.
///
/// ```
/// use robolog_xml::{Rows, column};
/// let mut rows = Rows::new(column, &["altitude"]);
/// let mut row = |heart_rate: &str| {
///     rows.text(b"extensions/gpxtpx:TrackPointExtension/gpxtpx:hr", heart_rate.into());
///     rows.text(b"extensions/altitude", "high".into());
///     rows.finish().unwrap()
/// };
/// let (first, second) = (row("70"), row("71"));
/// assert!(std::sync::Arc::ptr_eq(&first.fields, &second.fields));
/// let names: Vec<_> = first.fields.iter().map(|field| (&*field.name, field.unit.as_deref())).collect();
/// assert_eq!(names, [("heart_rate", Some("bpm")), ("altitude_2", None)]);
/// ```
#[derive(Debug)]
pub struct Rows {
    column: fn(&[u8]) -> Column,
    /// Names of columns beside the row.
    taken: &'static [&'static str],
    /// The keys and the fields of the last row.
    last: (Vec<Key>, Arc<[Field]>),
    /// Lists of fields so far, by their keys.
    lists: HashMap<Vec<Key>, Arc<[Field]>>,
    cells: Vec<Cell>,
    /// The keys of this row, once they differ from the last one's.
    keys: Option<Vec<Key>>,
    left_out: u64,
}

/// Columns of a fix beside its further measurements.
pub const OF_FIXES: &[&str] = &[
    "time",
    "channel",
    "frame_id",
    "latitude",
    "longitude",
    "altitude",
    "altitude_msl",
    "quality",
    "satellites",
    "hdop",
    "vdop",
    "pdop",
    "speed",
    "course",
    "age_of_corrections",
    "station_id",
    "talkers",
];
/// Columns of a feature beside its properties.
pub const OF_FEATURES: &[&str] = &[
    "time",
    "channel",
    "latitude",
    "longitude",
    "altitude_msl",
    "name",
    "description",
    "symbol",
    "type",
    "link",
    "geometry",
];

/// The name and the unit of a column.
pub type Column = (Cow<'static, str>, Option<&'static str>);

/// What a column is made from: the path of its values, and their type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    path: Box<[u8]>,
    kind: FieldKind,
}

impl Rows {
    /// Maximum number of values in a row; further ones are left out.
    pub const MOST: usize = 1 << 10;
    /// Maximum length of a path; values with longer ones are left out.
    const PATH: usize = 1 << 9;
    /// Maximum number of lists of fields that are kept, and of fields in one of them.
    const LISTS: (usize, usize) = (1 << 7, 1 << 8);

    /// `column` gives the name and the unit for a path; see [`column()`]. A name among `taken` gets a number.
    pub fn new(column: fn(&[u8]) -> Column, taken: &'static [&'static str]) -> Self {
        let (last, lists) = ((Vec::new(), Arc::from([])), HashMap::new());
        Self { column, taken, last, lists, cells: Vec::new(), keys: None, left_out: 0 }
    }

    /// Adds the [`value`](Self::value) of a text.
    pub fn text(&mut self, path: &[u8], text: Cow<'_, str>) {
        self.cell(path, Self::value(text));
    }

    /// A text as a cell: a number if it is one, without a sign `+` or zeros before it, otherwise text.
    pub fn value(text: Cow<'_, str>) -> Cell {
        plain_number(text.trim().as_bytes()).map_or_else(|| Cell::Text(text.into_owned()), Cell::Float)
    }

    /// Adds a cell, unless it is null.
    pub fn cell(&mut self, path: &[u8], cell: Cell) {
        let kind = match cell {
            Cell::Null => return,
            Cell::Bool(_) => FieldKind::Bool,
            Cell::Int(_) => FieldKind::Int,
            Cell::Float(_) => FieldKind::Float,
            Cell::Text(_) => FieldKind::Text,
        };
        let at = self.cells.len();
        if at >= Self::MOST || path.len() > Self::PATH {
            self.left_out += 1;
            return;
        }
        self.cells.push(cell);
        let key = || Key { path: path.into(), kind };
        if let Some(keys) = &mut self.keys {
            keys.push(key());
        } else if !self.last.0.get(at).is_some_and(|last| last.kind == kind && *last.path == *path) {
            let mut keys = self.last.0.part(..at).to_vec();
            keys.push(key());
            self.keys = Some(keys);
        }
    }

    /// The row of the values added since the last one; `None` if there are none.
    pub fn finish(&mut self) -> Option<Row> {
        if self.cells.is_empty() {
            return None;
        }
        if self.keys.is_none() && self.cells.len() < self.last.0.len() {
            self.keys = self.last.0.get(..self.cells.len()).map(<[_]>::to_vec);
        }
        if let Some(keys) = self.keys.take() {
            let fields = match self.lists.get(&keys) {
                Some(fields) => Arc::clone(fields),
                None => self.list(&keys),
            };
            self.last = (keys, fields);
        }
        let next = Vec::with_capacity(self.cells.len());
        Some(Row { fields: Arc::clone(&self.last.1), cells: std::mem::replace(&mut self.cells, next) })
    }

    /// The values added since the last row, as attributes.
    pub fn attributes(&mut self) -> Attributes {
        let row = self.finish();
        let text = |cell: &Cell| match cell {
            Cell::Null => None,
            Cell::Bool(value) => Some(value.to_string()),
            Cell::Int(value) => Some(value.to_string()),
            Cell::Float(value) => Some(value.to_string()),
            Cell::Text(text) => Some(text.clone()),
        };
        row.iter()
            .flat_map(Row::iter)
            .filter_map(|(field, cell)| Some((field.name.clone(), text(cell)?)))
            .collect()
    }

    /// Number of values that were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    #[cold]
    fn list(&mut self, keys: &[Key]) -> Arc<[Field]> {
        let mut names: HashMap<String, u32> = HashMap::new();
        for name in self.taken {
            names.insert((*name).to_owned(), 1);
        }
        let mut fields: Vec<Field> = Vec::with_capacity(keys.len());
        for key in keys {
            let (name, unit) = (self.column)(&key.path);
            let unit = unit.filter(|_| key.kind != FieldKind::Text).map(Cow::Borrowed);
            fields.push(Field { name: unique(&name, &mut names).into(), unit, kind: key.kind });
        }
        let fields: Arc<[Field]> = fields.into();
        if self.lists.len() < Self::LISTS.0 && keys.len() <= Self::LISTS.1 {
            self.lists.insert(keys.to_vec(), Arc::clone(&fields));
        }
        fields
    }
}

/// The name, with a number behind it if it is among `names` already.
fn unique(name: &str, names: &mut HashMap<String, u32>) -> String {
    let mut own = name.to_owned();
    while names.contains_key(&own) {
        let times = names.entry(name.to_owned()).or_insert(1);
        *times += 1;
        own = format!("{name}_{times}");
    }
    names.insert(own.clone(), 1);
    own
}

/// A number; a text such as `007` is none.
fn plain_number(text: &[u8]) -> Option<f64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_padded = matches!(digits, [b'0', b'0'..=b'9', ..] | [b'+', ..]);
    number(text).filter(|value| value.is_finite() && !is_padded)
}

/// The column of the values at a path of [`leaves`](super::leaves): a known quantity by its last name, otherwise the names
/// in snake case, joined by `_`. Names of containers, such as `TrackPointExtension`, are left out. Behind a `=` is a single
/// name, which may contain anything.
///
/// ```
/// use robolog_xml::column;
/// assert_eq!(column(b"extensions/gpxtpx:TrackPointExtension/gpxtpx:hr"), ("heart_rate".into(), Some("bpm")));
/// assert_eq!(column(b"extensions/a:Shot@isLast"), ("shot_is_last".into(), None));
/// ```
pub fn column(path: &[u8]) -> Column {
    if let Some(name) = path.strip_prefix(b"=") {
        return named(&lossy(name));
    }
    let names = path.split(|b| matches!(b, b'/' | b'@')).map(local);
    let last = last_of(path);
    if let Some((name, unit)) = quantity(&last.to_ascii_lowercase()) {
        return (name.into(), Some(unit));
    }
    let mut name = String::new();
    for part in names.filter(|name| !is_container(name)) {
        snake_case(&lossy(part), &mut name);
    }
    if name.is_empty() {
        name.push_str("value");
    }
    (name.into(), None)
}

/// The column of a value with this name: a known quantity, or the name in snake case.
///
/// ```
/// assert_eq!(robolog_xml::named("Speed (km/h)"), ("speed_km_h".into(), None));
/// ```
pub fn named(name: &str) -> Column {
    if let Some((name, unit)) = quantity(&name.trim().as_bytes().to_ascii_lowercase()) {
        return (name.into(), Some(unit));
    }
    let mut own = String::new();
    snake_case(name, &mut own);
    (if own.is_empty() { "value".into() } else { own.into() }, None)
}

/// Whether an element of this name only holds others.
fn is_container(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b"extension") || name.ends_with(b"extensions") || name == b"tpx"
}

/// Column and unit of a value by its name in lower case: the names of Garmin's `TrackPointExtension` and
/// `GpxExtensions`, of Cluetrust, of Strava and of `GPSBabel`'s KML.
fn quantity(name: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match name {
        b"hr" | b"heartrate" | b"heart_rate" => ("heart_rate", "bpm"),
        b"cad" | b"cadence" => ("cadence", "rpm"),
        b"power" | b"powerinwatts" | b"watts" => ("power", "W"),
        b"atemp" | b"temp" | b"temperature" => ("temperature", "degC"),
        b"wtemp" => ("water_temperature", "degC"),
        b"depth" => ("depth", "m"),
        b"speed" => ("speed", "m/s"),
        b"course" => ("course", "rad"),
        _ => return None,
    })
}

/// Appends a name in snake case, with `_` before it if there is one already.
fn snake_case(text: &str, name: &mut String) {
    let mut before = None;
    let mut letters = text.chars().peekable();
    let mut due = !name.is_empty();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            due |= !name.is_empty();
            before = None;
            continue;
        }
        let is_lower = |other: &char| other.is_lowercase();
        let begins_word = |before: char| !before.is_uppercase() || letters.peek().is_some_and(is_lower);
        due |= letter.is_uppercase() && before.is_some_and(begins_word);
        if std::mem::take(&mut due) {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
        before = Some(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_snake_case() {
        for (path, name) in [
            ("extensions/gpxx:WaypointExtension/gpxx:Address/gpxx:StreetAddress", "address_street_address"),
            ("extensions/HTTPStatus", "http_status"),
            ("Max Speed (km/h)", "max_speed_km_h"),
            ("groundspeak:cache@id", "cache_id"),
            ("extensions/RunCadence", "run_cadence"),
            ("größe", "größe"),
            ("-", "value"),
        ] {
            assert_eq!(column(path.as_bytes()).0, name, "{path}");
        }
    }

    /// The covariance, which no document has, may be missing.
    #[test]
    fn columns_beside_a_row_are_those_of_its_kind() {
        for (kind, beside) in [("gnss_fix", OF_FIXES), ("feature", OF_FEATURES)] {
            let all = robolog_core::columns::of_kind(kind).into_iter().map(|column| column.name);
            let own: Vec<_> = all.filter(|name| !name.starts_with("cov_")).collect();
            let taken: Vec<_> =
                beside.iter().copied().filter(|name| !["time", "channel"].contains(name)).collect();
            assert_eq!(taken, own);
        }
    }

    #[test]
    fn rows_that_differ_have_lists_of_their_own_and_the_same_again_share_one() {
        let mut rows = Rows::new(column, &["speed"]);
        let mut row = |values: &[(&str, &str)]| {
            for (path, text) in values {
                rows.text(path.as_bytes(), (*text).into());
            }
            rows.finish()
        };
        let both = row(&[("hr", "70"), ("a", "x")]).unwrap();
        let fewer = row(&[("hr", "71")]).unwrap();
        let other = row(&[("hr", "71"), ("a", "7")]).unwrap();
        assert_eq!((both.fields.len(), fewer.fields.len(), other.fields[1].kind), (2, 1, FieldKind::Float));
        assert!(Arc::ptr_eq(&both.fields, &row(&[("hr", "72"), ("a", "y")]).unwrap().fields));
        let twice = row(&[("a", "007"), ("b:a", "-0.5"), ("speed", "1"), ("a_2", "+1")]).unwrap();
        let names: Vec<_> = twice.fields.iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["a", "a_2", "speed_2", "a_2_2"]);
        assert_eq!(twice.cells, ["007".into(), Cell::Float(-0.5), Cell::Float(1.0), "+1".into()]);
        assert!(row(&[]).is_none());
        let many: Vec<_> = (0..=Rows::MOST).map(|_| ("a", "1")).collect();
        assert_eq!((row(&many).unwrap().cells.len(), rows.left_out()), (Rows::MOST, 1));
    }
}
