//! `ExtendedData`: named values of a placemark, and arrays of a track with a value for each position.

use std::fmt::{Display, Write as _};

use robolog_xml::Escape;

/// Name of the schema of arrays.
pub(crate) const SCHEMA: &str = "measured";

/// The values as the XML of [`Placemark::extended_data`](super::Placemark); `None` if there are none.
///
/// ```
/// use robolog_kml::{Placemark, data};
/// let mut hut = Placemark::default();
/// hut.extended_data = data::values([("beds", "12")]);
/// assert!(hut.extended_data.unwrap().contains("<Data name=\"beds\"><value>12</value></Data>"));
/// assert_eq!(data::values::<&str>([]), None);
/// ```
pub fn values<'a, V: Display>(values: impl IntoIterator<Item = (&'a str, V)>) -> Option<String> {
    let mut data = String::new();
    for (name, value) in values {
        let (name, value) = (Escape(name), value.to_string());
        // Writing to a string does not fail.
        let _ = write!(data, "<Data name=\"{name}\"><value>{}</value></Data>", Escape(&value));
    }
    (!data.is_empty()).then(|| format!("<ExtendedData>{data}</ExtendedData>"))
}

/// An array of a track: a value for each of its positions, or none.
#[derive(Debug, Clone, Default)]
pub struct Array {
    /// Elements.
    values: String,
    len: usize,
    has_values: bool,
}

impl Array {
    /// Sets the value of the position at `index`, which is beyond all before.
    pub fn set(&mut self, index: usize, value: impl Display) {
        self.fill(index);
        // Writing to a string does not fail.
        let _ = write!(self.values, "<gx:value>{}</gx:value>", Escape(&value.to_string()));
        self.len += 1;
        self.has_values = true;
    }

    /// Leaves the values of all positions before `index` empty that were not set.
    fn fill(&mut self, index: usize) {
        while self.len < index {
            self.values.push_str("<gx:value/>");
            self.len += 1;
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        !self.has_values
    }
}

/// The arrays of a track of `len` positions as the XML of [`Track::extended_data`](super::Track), declared by
/// [`Writer::arrays`](super::Writer::arrays); empty ones are left out.
pub fn arrays<'a>(len: usize, arrays: impl IntoIterator<Item = (&'a str, Array)>) -> String {
    let mut data = String::new();
    for (name, mut array) in arrays.into_iter().filter(|(_, array)| !array.is_empty()) {
        array.fill(len);
        // Writing to a string does not fail.
        let _ = write!(
            data,
            "<gx:SimpleArrayData name=\"{}\">{}</gx:SimpleArrayData>",
            Escape(name),
            array.values
        );
    }
    if data.is_empty() {
        return data;
    }
    format!("<ExtendedData><SchemaData schemaUrl=\"#{SCHEMA}\">{data}</SchemaData></ExtendedData>")
}
