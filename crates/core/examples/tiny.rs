//! A whole format: layout, reader, stream reader, writer, survey, samples and copies.
//!
//! A thermometer's recording is `TINY` and then, for each measurement, a length byte and a payload of that length: two
//! fields, and whatever later versions put behind them.

#![allow(clippy::print_stdout, reason = "what an example is for")]

use std::{
    io::{Cursor, Seek, Write},
    sync::Arc,
};

use robolog_core::{
    Cell, Clock, Error, Extent, Field, FieldKind, Format, Independent, Notes, Output, RawRecord, Reader,
    Recording, Result, Rewriting, Row, Sample, Sampling, Search, Splitting, Step, Surveying, Timed,
    Timestamp, Value, layout::Layout as _, layout::Packed as _,
};

robolog_core::layout! {
    /// What the payload begins with.
    pub struct Measurement("tiny record") {
        /// Milliseconds since power-on.
        pub time: u32,
        /// Hundredths of a degree Celsius.
        pub temperature: i16,
    }
}

/// The format: a type without values.
#[derive(Debug)]
pub enum Tiny {}

/// A measurement, and its bytes.
#[derive(Debug)]
pub struct Record<'a>(RawRecord<'a>, Measurement);

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Some(Timestamp::new(i64::from(self.1.time).checked_mul(1_000_000)?, Clock::Device))
    }
}

impl Format for Tiny {
    type Header = ();
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "tiny";
    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"TINY")
    }
    fn header(input: &[u8], eof: bool) -> Result<Step<()>> {
        // The error shows 16 bytes.
        match 16_usize.checked_sub(input.len()) {
            _ if Self::detect(input) => Ok(Step::Ready((), 4)),
            Some(missing @ 1..) if !eof => Ok(Step::Need(missing)),
            _ => Err(Error::magic(input, "a tiny recording")),
        }
    }
    fn measure((): &(), input: &[u8], at: u64, _eof: bool) -> Result<Extent> {
        let Some(len) = input.first().map(|len| usize::from(*len)) else { return Ok(Extent::Need(1)) };
        if len < Measurement::LEN {
            return Err(Error::invalid("length", len, "at least 6", at).within(Measurement::NAME));
        }
        let end = len.saturating_add(1);
        Ok(if input.len() < end { Extent::Need(end.saturating_sub(input.len())) } else { Extent::Whole(end) })
    }
    fn record<'a>((): &(), raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record(raw, Measurement::decode(raw.bytes.get(1..).unwrap_or_default(), raw.offset)?))
    }
    fn resync((): &(), input: &[u8], _at: u64, _eof: bool) -> Search {
        let found = input.iter().position(|len| usize::from(*len) >= Measurement::LEN);
        found.map_or(Search::Beyond { skip: input.len(), need: 1 }, Search::Found)
    }
}

impl Recording for Tiny {
    type Survey = Celsius;
    type Sampler = Celsius;
    type Rewriter<W: Write + Seek> = Writer<W>;
    const EXTENSIONS: &'static [&'static str] = &["tiny"];
    fn splitting((): &(), (): &()) -> Box<dyn Splitting<Self> + Send> {
        Box::new(Independent)
    }
}

/// Counts measurements, and makes samples of them.
#[derive(Debug)]
pub struct Celsius;

impl Surveying for Celsius {
    type Format = Tiny;
    type Details = ();
    fn new((): &(), _: &mut Notes) -> Self {
        Self
    }
    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        notes.count("air", "row", 1, record.time());
        notes.columns("air", &columns());
    }
    fn finish(self, _: &mut Notes) -> (String, ()) {
        ("tiny".to_owned(), ())
    }
}

/// The columns of a table of measurements.
fn columns() -> Arc<[Field]> {
    [Field::new("temperature", FieldKind::Float).with_unit("degC")].into()
}

type Sink<'s, E> = dyn FnMut(&mut Sample) -> Result<(), E> + 's;

impl Sampling for Celsius {
    type Format = Tiny;
    type Options = ();
    fn new((): &(), (): ()) -> Self {
        Self
    }
    fn push<E: From<Error>>(&mut self, record: &Record<'_>, sink: &mut Sink<'_, E>) -> Result<(), E> {
        let cell = Cell::Float(f64::from(record.1.temperature) / 100.0);
        let value = Value::Row(Row::new(columns(), vec![cell]));
        let (time, offset, channel, frame_id) = (record.time(), record.0.offset, "air".into(), "room".into());
        sink(&mut Sample { time, offset, channel, frame_id, value })
    }
}

/// Writes measurements, or copies records.
#[derive(Debug)]
pub struct Writer<W>(Output<W>);

impl<W: Write + Seek> Writer<W> {
    /// Appends a record.
    pub fn write(&mut self, measurement: Measurement) -> Result<()> {
        let mut record = vec![u8::try_from(Measurement::LEN).unwrap_or(u8::MAX)];
        measurement.encode(&mut record)?;
        self.0.bytes(&record)
    }
}

impl<W: Write + Seek> Rewriting<W> for Writer<W> {
    type Format = Tiny;
    fn new(out: W, (): &(), _: &[u8]) -> Result<Self> {
        let mut out = Output::new(out);
        out.bytes(b"TINY").map(|()| Self(out))
    }
    fn copy(&mut self, record: &Record<'_>, keep: &mut Keep<'_>) -> Result<u64> {
        if keep("air", record.time()) { self.0.bytes(record.0.bytes).map(|()| 1) } else { Ok(0) }
    }
    fn finish(self) -> Result<W> {
        self.0.finish()
    }
}

type Keep<'k> = dyn FnMut(&str, Option<Timestamp>) -> bool + 'k;

fn main() -> Result<()> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &(), &[])?;
    writer.write(Measurement { time: 1000, temperature: 2150 })?;
    let file = writer.finish()?.into_inner();
    Reader::<Tiny>::new(&file)?.records().try_for_each(|record| record.map(|record| println!("{record:?}")))
}
