//! Samples as a table for people.

use std::{fmt::Write as _, io::Write};

use robolog_convert::{Outcome, Result, Sink};
use robolog_core::{Clock, Feature, Sample, Timestamp, Value, slices::Part as _};
use serde_json::Value as Json;

/// Maximum columns of a value; longer ones are cut.
const LONGEST: usize = 160;
/// Minimum width of the channel column; longer names widen it.
const CHANNEL: usize = 20;

/// Prints a line per sample: seconds from the start, channel, value.
#[derive(Debug)]
pub(super) struct Table<W: Write> {
    out: W,
    start: Option<Timestamp>,
    width: usize,
}

impl<W: Write> Table<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, start: None, width: CHANNEL }
    }

    /// The column heads, after the name of the file if there are several.
    pub(super) fn head(&mut self, file: Option<String>) -> Result<()> {
        if let Some(file) = file {
            writeln!(self.out, "==> {file} <==")?;
        }
        Ok(writeln!(self.out, "{:>13}  {:width$}  VALUE", "TIME", "CHANNEL", width = self.width)?)
    }

    pub(super) fn flush(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

impl<W: Write> Sink for Table<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.start = self.start.or(sample.time);
        let since = sample.time.zip(self.start).and_then(|(time, start)| time.since(start));
        let time = since
            .map_or_else(|| "-".into(), |ns| format!("{:.6}", Timestamp::new(ns, Clock::Relative).as_secs()));
        self.width = self.width.max(sample.channel.chars().count());
        let value = text(&sample.value);
        writeln!(self.out, "{time:>13}  {:width$}  {value}", sample.channel, width = self.width)?;
        Ok(Outcome::Written)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A value in a few words.
fn text(value: &Value) -> String {
    let text = match value {
        Value::PointCloud(cloud) => format!("{} points", cloud.len()),
        Value::LaserScan(scan) => format!("{} ranges", scan.ranges.len()),
        Value::Image(image) => format!("image, {} bytes", image.data.len()),
        Value::Scalar(number) => number.to_string(),
        Value::Text(text) => text.replace(['\n', '\r', '\t'], " "),
        Value::Feature(feature) => place(feature),
        value => {
            let mut text = String::new();
            flatten("", &serde_json::to_value(value).unwrap_or_default(), &mut text);
            text
        }
    };
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", text.part(..at)),
        None => text,
    }
}

/// A feature: its name, its shape in well-known text, and what else is known.
fn place(feature: &Feature) -> String {
    let mut text = feature.name.as_deref().unwrap_or("").replace(['\n', '\r', '\t'], " ");
    let mut others = serde_json::to_value(feature).unwrap_or_default();
    if let Json::Object(fields) = &mut others {
        fields.remove("name");
        fields.remove("geometry");
    }
    append("geometry", &feature.geometry.to_string(), &mut text);
    flatten("", &others, &mut text);
    text
}

/// Appends the fields as `name=value`, without empty ones.
fn flatten(name: &str, value: &Json, text: &mut String) {
    if text.len() > LONGEST * 4 {
        return;
    }
    match value {
        Json::Null => {}
        Json::Object(fields) => {
            for (key, value) in fields {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, text);
            }
        }
        Json::Array(values)
            if values.iter().all(|value| value.is_number() || value.is_null()) && values.len() <= 9 =>
        {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            append(name, &format!("[{}]", values.join(", ")), text);
        }
        Json::Array(values) => append(name, &format!("[{} values]", values.len()), text),
        Json::String(string) => append(name, &string.replace(['\n', '\r', '\t'], " "), text),
        value => append(name, &value.to_string(), text),
    }
}

fn append(name: &str, value: &str, text: &mut String) {
    let between = if text.is_empty() { "" } else { "  " };
    // Writing to a string cannot fail.
    let _ = write!(text, "{between}{name}={value}");
}

#[cfg(test)]
mod tests {
    use robolog_core::{Cell, Field, FieldKind, Row};

    use super::*;

    #[test]
    fn a_line_has_the_time_from_the_start_the_channel_and_the_fields() {
        let mut out = Vec::new();
        let mut table = Table::new(&mut out);
        table.head(None).unwrap();
        table.begin_at(Timestamp::new(1_000_000_000, Clock::Device));
        let fields = [Field::new("speed", FieldKind::Float), Field::new("note", FieldKind::Text)];
        let row = Row::new(fields.into(), vec![Cell::Float(1.5), Cell::Text("a\nb".into())]);
        let mut sample = Sample::new("car/state", Value::Row(row))
            .with_time(Timestamp::new(2_500_000_000, Clock::Device))
            .with_frame("car");
        table.write(&mut sample).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "         TIME  CHANNEL               VALUE\n     1.500000  car/state             speed=1.5  note=a b\n"
        );
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(text(&Value::Text("x".repeat(500))).len(), LONGEST + 3);
    }
}
