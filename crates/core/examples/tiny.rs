//! A whole format: layout, reader, stream reader, writer, samples, survey, splits, seeks and copies.
//!
//! A thermometer's recording is `TINY` followed by measurements: a length byte and a payload of that length, with two
//! fields and possibly more from later versions.

use std::{
    io::{Cursor, Seek, Write},
    ops::Range,
    sync::Arc,
};

use robolog_core::{
    Cell, Clock, Error, Field, FieldKind, Result, Sample, StreamReader, Timestamp,
    format::{
        Copier, CountingWriter, Decoder, Extent, Format, Lent, RawRecord, Recording, ReorderBound, Search,
        Step, SurveyBuilder, Timed, Wanted,
    },
    layout::{Layout as _, Packed as _},
    slices::{InRange as _, missing},
};

robolog_core::layout! {
    /// The fields at the start of a payload.
    pub struct Measurement("tiny record") {
        /// Milliseconds since power-on.
        pub time: u32,
        /// Hundredths of a degree Celsius.
        pub temperature: i16,
    }
}

/// The format: an uninhabited type.
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
        let end = len.plus(1);
        Ok(if input.len() < end { Extent::Need(missing(end, input)) } else { Extent::Whole(end) })
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
    type Decoder = Celsius;
    type Copier<W: Write + Seek> = Writer<W>;
    const EXTENSIONS: &'static [&'static str] = &["tiny"];
}

/// Makes samples of measurements. Counts, splits and seeks follow from it.
#[derive(Debug)]
pub struct Celsius(Arc<[Field]>, Lent);

impl Decoder for Celsius {
    type Format = Tiny;
    type Options = ();
    type Details = ();
    fn new((): &(), (): ()) -> Self {
        let fields = [Field::new("temperature", FieldKind::Float).with_unit("degC")].into();
        Self(fields, Lent::new("air", "room"))
    }
    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let cell = Cell::Float(f64::from(record.1.temperature) / 100.0);
        let put = |cells: &mut [Cell]| cells.fill(cell);
        self.1.deliver_row(record.time(), record.0.offset, &self.0, put, out)
    }
    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        Some(Vec::new()) // records do not affect each other
    }
    fn reorder_bound(&self) -> Option<ReorderBound> {
        Some(ReorderBound { order: 0, reach: 0 }) // each is later than the one before
    }
    fn details(self, _: &mut SurveyBuilder) -> (String, ()) {
        ("tiny".to_owned(), ())
    }
}

/// Writes measurements, or copies records.
#[derive(Debug)]
pub struct Writer<W>(CountingWriter<W>);

impl<W: Write + Seek> Writer<W> {
    /// Appends a record.
    pub fn write(&mut self, measurement: Measurement) -> Result<()> {
        let mut record = vec![u8::try_from(Measurement::LEN).unwrap_or(u8::MAX)];
        measurement.encode(&mut record)?;
        self.0.bytes(&record)
    }
}

impl<W: Write + Seek> Copier<W> for Writer<W> {
    type Format = Tiny;
    fn new(out: W, (): &(), _: &[u8]) -> Result<Self> {
        let mut out = CountingWriter::new(out);
        out.bytes(b"TINY").map(|()| Self(out))
    }
    fn copy(&mut self, record: &Record<'_>, keep: &mut Keep<'_>) -> Result<u64> {
        if keep("air", record.time()) { self.0.bytes(record.0.bytes).map(|()| 1) } else { Ok(0) }
    }
    fn finish(self) -> Result<W> {
        self.0.finish()
    }
    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        Ok((self.finish()?, Self::new(out, &(), header_bytes)?))
    }
}

type Keep<'k> = dyn FnMut(&str, Option<Timestamp>) -> bool + 'k;

fn main() -> Result<()> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &(), &[])?;
    writer.write(Measurement { time: 1000, temperature: 2150 })?;
    let file = writer.finish()?.into_inner();
    let samples: Vec<Sample> = StreamReader::<_, Tiny>::new(&file[..])?.samples().collect::<Result<_>>()?;
    assert!(matches!(&samples[..], [sample] if &*sample.channel == "air"));
    Ok(())
}
