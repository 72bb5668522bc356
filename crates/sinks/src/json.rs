//! Samples and records as JSON objects, one per line, as `cat` prints them.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, Write},
    sync::Arc,
};

use robolog_core::{Attributes, Clock, Sample, Timestamp, Value, text::is_unsafe};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::{Error, Result, numbered::Numbered};

/// Writes one object per line: `{"offset", "t", "t_ns", "channel", "kind", "frame_id", "value"}`. `frame_id` is the
/// frame of the sample; for a transform, the parent. The first line of a channel with attributes, such as the name of a
/// track, has them before its value, as `"attributes"`; so has the first after they changed.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    /// The line that is made.
    line: Vec<u8>,
    channels: Numbered,
    /// Attributes of each channel that were written last.
    attributes: Vec<Attributes>,
    start: Option<Timestamp>,
    /// Beginning of every line.
    before: Vec<u8>,
}

impl<W: Write> Lines<W> {
    /// Writes lines into `out`.
    pub fn new(out: W) -> Self {
        let (line, before, channels) = (Vec::new(), Vec::new(), Numbered::default());
        Self { out, line, channels, attributes: Vec::new(), start: None, before }
    }

    /// Puts the name of the recording first in each line, as `"file"`.
    #[must_use]
    pub fn with_file(self, name: &str) -> Self {
        let mut before = b"\"file\":".to_vec();
        // Writing to memory does not fail.
        let _ = json(&mut before, name);
        before.push(b',');
        Self { before, ..self }
    }

    /// Sets the start of the recording, from which `t` counts; by default, from the first stamp written.
    pub fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    /// Writes one sample.
    pub fn sample(&mut self, sample: &Sample) -> Result<()> {
        self.begin(sample.offset, sample.time, Some(&sample.channel), sample.value.kind())?;
        let has_new_attributes = self.has_new_attributes(sample);
        let line = &mut self.line;
        line.extend_from_slice(b",\"frame_id\":");
        put(line, &*sample.frame_id)?;
        if has_new_attributes {
            line.extend_from_slice(b",\"attributes\":");
            put(line, &sample.attributes)?;
        }
        line.extend_from_slice(b",\"value\":");
        match &sample.value {
            // A number or a text is wrapped in an object like all other values.
            Value::Scalar(_) | Value::Text(_) => {
                line.extend_from_slice(b"{\"data\":");
                put(line, &sample.value)?;
                line.push(b'}');
            }
            // These may be long.
            Value::PointCloud(_) | Value::Image(_) | Value::LaserScan(_) => {
                self.write("")?;
                self.line.clear();
                json(&mut self.out, &sample.value)?;
            }
            value => put(line, value)?,
        }
        self.end()
    }

    /// Whether the attributes of the channel are not those written last.
    fn has_new_attributes(&mut self, sample: &Sample) -> bool {
        if sample.attributes.is_empty() {
            return false;
        }
        let number = self.channels.number(&sample.channel, || Arc::clone(&sample.channel));
        self.attributes.resize_with(self.channels.list.len(), Attributes::default);
        let Some(known) = self.attributes.get_mut(number) else { return false };
        if known.is_same(&sample.attributes) || *known == sample.attributes {
            return false;
        }
        *known = sample.attributes.clone();
        true
    }

    /// Writes one record; `value` has the fields of its format and is JSON already.
    pub fn raw(&mut self, offset: u64, time: Option<Timestamp>, kind: &str, value: &str) -> Result<()> {
        self.begin(offset, time, None, kind)?;
        self.line.extend_from_slice(b",\"value\":");
        self.line.extend_from_slice(value.as_bytes());
        self.end()
    }

    fn end(&mut self) -> Result<()> {
        self.line.push(b'}');
        self.write("\n")
    }

    /// Writes what was made of the line, and `end`. Looks for unsafe characters once: a line has many short texts.
    fn write(&mut self, end: &str) -> Result<()> {
        if self.line.iter().fold(true, |all, byte| all & (b' '..0x7f).contains(byte)) {
            self.line.extend_from_slice(end.as_bytes());
            return Ok(self.out.write_all(&self.line)?);
        }
        let line = String::from_utf8_lossy(&self.line);
        Ok(self.out.write_all([&*escaped(&line), end].concat().as_bytes())?)
    }

    /// The underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Begins a line: everything but the value, with the keys in the documented order.
    fn begin(
        &mut self,
        offset: u64,
        time: Option<Timestamp>,
        channel: Option<&str>,
        kind: &str,
    ) -> Result<()> {
        self.start = self.start.or(time);
        let since = time.zip(self.start).and_then(|(t, s)| t.since(s));
        let t = since.map(|ns| Timestamp::new(ns, Clock::Relative).as_secs());
        let Self { line, before, .. } = self;
        line.clear();
        line.push(b'{');
        line.extend_from_slice(before);
        line.extend_from_slice(b"\"offset\":");
        put(line, &offset)?;
        line.extend_from_slice(b",\"t\":");
        put(line, &t)?;
        line.extend_from_slice(b",\"t_ns\":");
        put(line, &time.map(Timestamp::nanos))?;
        line.extend_from_slice(b",\"channel\":");
        put(line, &channel)?;
        line.extend_from_slice(b",\"kind\":");
        put(line, &kind)
    }
}

/// Writes a value as JSON that is safe to print: escapes terminal control characters in strings, beyond what JSON
/// requires. NaN and infinities become null, as in `serde_json`.
pub fn json(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Safe)).map_err(|e| Error::Write(e.into()))
}

/// Writes a value as JSON in a line that is made safe to print when it is written.
fn put(line: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<()> {
    serde_json::to_writer(line, value).map_err(|e| Error::Write(e.into()))
}

/// Compact JSON with all unsafe characters as `\u` escapes.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        writer.write_all(escaped(fragment).as_bytes())
    }
}

/// Escapes all unsafe characters of JSON or a part of it. They occur in strings only.
fn escaped(json: &str) -> Cow<'_, str> {
    // Unsafe characters contain a rare byte; JSON has escaped those below a space already.
    if json.bytes().all(|b| (b' '..0x7f).contains(&b)) || !json.chars().any(is_unsafe) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe(c) {
            // All unsafe characters are below U+10000.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use robolog_core::LaserScan;

    use super::*;

    #[test]
    fn what_could_command_a_terminal_is_escaped_and_reads_back() {
        let text = "a\u{1b}[2J \u{9b}31m \u{7f} \u{202e}b\u{2028} ü 字 \n";
        let mut line = Vec::new();
        json(&mut line, &serde_json::json!({ text: [text] })).unwrap();
        let line = String::from_utf8(line).unwrap();
        assert!(!line.chars().any(is_unsafe), "{line}");
        assert!(line.contains("\\u009b31m \\u007f \\u202eb\\u2028 ü 字"), "{line}");
        let back: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(back[text][0], text);
        assert!(matches!(escaped("{\"a\":1}"), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_are_safe_wherever_their_text_is() {
        let text = "a\u{9b}31m\u{7f}\u{1b}\u{202e}ü";
        let scan = LaserScan { ranges: vec![1.5], ..LaserScan::default() };
        for value in [Value::Text(text.to_owned()), Value::LaserScan(scan)] {
            let sample = Sample::new(text, value).with_frame(text);
            let mut lines = Lines::new(Vec::new()).with_file(text);
            lines.sample(&sample).unwrap();
            lines.raw(7, None, "entry", &format!("\"\u{9b}{}\"", 1)).unwrap();
            let out = String::from_utf8(lines.into_inner()).unwrap();
            assert!(!out.replace('\n', "").chars().any(is_unsafe), "{out}");
            let found: Vec<serde_json::Value> =
                out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!([&found[0]["file"], &found[0]["channel"], &found[0]["frame_id"]], [text; 3]);
            assert_eq!(found[1]["value"], "\u{9b}1");
            match &sample.value {
                Value::Text(text) => assert_eq!(found[0]["value"]["data"], **text),
                _ => assert_eq!(found[0]["value"]["ranges"][0], 1.5),
            }
        }
    }
}
