//! Samples and records as JSON objects, one a line: what `cat` prints.

use std::io::Write;

use robolog_core::{Clock, Sample, Timestamp, Value};

use crate::{Error, Result};

/// Writes one object a line: `{"offset", "t", "t_ns", "channel", "kind", "value"}`.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    start: Option<Timestamp>,
}

impl<W: Write> Lines<W> {
    /// Lines into `out`.
    pub fn new(out: W) -> Self {
        Self { out, start: None }
    }

    /// Says when the recording begins: `t` counts from there, and else from the first stamp that is written.
    pub fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    /// One sample.
    pub fn sample(&mut self, sample: &Sample) -> Result<()> {
        self.line(sample.offset, sample.time, Some(&sample.channel), sample.value.kind())?;
        match &sample.value {
            // A number or a text stands in an object like everything else.
            Value::Scalar(_) | Value::Text(_) => {
                self.out.write_all(b"{\"data\":")?;
                json(&mut self.out, &sample.value)?;
                self.out.write_all(b"}")?;
            }
            value => json(&mut self.out, value)?,
        }
        Ok(self.out.write_all(b"}\n")?)
    }

    /// One record with its format's own fields, which are JSON already.
    pub fn raw(&mut self, offset: u64, time: Option<Timestamp>, kind: &str, value: &str) -> Result<()> {
        self.line(offset, time, None, kind)?;
        self.out.write_all(value.as_bytes())?;
        Ok(self.out.write_all(b"}\n")?)
    }

    /// The writer underneath.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// All but the value. RFC 8259 objects have no order, people have: the keys stand as the contract lists them.
    fn line(
        &mut self,
        offset: u64,
        time: Option<Timestamp>,
        channel: Option<&str>,
        kind: &str,
    ) -> Result<()> {
        self.start = self.start.or(time);
        let since = time.zip(self.start).and_then(|(t, s)| t.since(s));
        let t = since.map(|ns| Timestamp::new(ns, Clock::Relative).as_secs());
        let out = &mut self.out;
        write!(out, "{{\"offset\":{offset},\"t\":")?;
        json(out, &t)?;
        out.write_all(b",\"t_ns\":")?;
        json(out, &time.map(Timestamp::nanos))?;
        out.write_all(b",\"channel\":")?;
        json(out, &channel)?;
        out.write_all(b",\"kind\":")?;
        json(out, &kind)?;
        Ok(out.write_all(b",\"value\":")?)
    }
}

/// NaN and the infinities become null, which is `serde_json`'s way with them.
fn json(out: &mut impl Write, value: &(impl serde::Serialize + ?Sized)) -> Result<()> {
    serde_json::to_writer(out, value).map_err(|e| Error::Write(e.into()))
}
