//! One of several recordings, with its next record read ahead.

use std::io::Cursor;

use robolog_convert::{Report, Result, Source, is_end_mark, source::Stream};
use robolog_core::{
    ErrorKind, StreamReader, Timestamp,
    format::{Copier as _, RawRecord},
    slices::ending_at,
};

/// A recording with its next record read ahead.
pub(super) struct Next<F: Source> {
    reader: StreamReader<Stream, F>,
    header_bytes: Vec<u8>,
    bytes: Vec<u8>,
    offset: u64,
    /// Whether a record is read ahead.
    has_record: bool,
    /// Sort key of the record: the latest time so far.
    pub(super) turn: Option<Timestamp>,
    /// Tracks the times of the records, if they are wanted.
    clock: Option<F::Copier<Cursor<Vec<u8>>>>,
    pub(super) report: Report,
}

impl<F: Source> Next<F> {
    pub(super) fn new(reader: StreamReader<Stream, F>) -> Result<Self> {
        let header_bytes = reader.header_bytes().to_vec();
        let clock = F::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes)?;
        let (bytes, clock, report) = (Vec::new(), Some(clock), Report::default());
        Ok(Self { reader, header_bytes, bytes, offset: 0, has_record: false, turn: None, clock, report })
    }

    /// The same without the times of its records.
    pub(super) fn untimed(self) -> Self {
        Self { clock: None, ..self }
    }

    pub(super) fn header(&self) -> &F::Header {
        self.reader.header()
    }

    pub(super) fn header_bytes(&self) -> &[u8] {
        &self.header_bytes
    }

    pub(super) fn into_reader(self) -> StreamReader<Stream, F> {
        self.reader
    }

    /// Offset after the bytes read.
    pub(super) fn position(&self) -> u64 {
        self.reader.position()
    }

    /// Bytes of the next record.
    pub(super) fn raw(&self) -> Option<RawRecord<'_>> {
        self.has_record.then_some(RawRecord { offset: self.offset, bytes: &self.bytes })
    }

    /// The next record.
    pub(super) fn record(&self) -> Option<F::Record<'_>> {
        self.raw().and_then(|raw| F::record(self.reader.header(), raw).ok())
    }

    /// Reports the bytes of the next record that a copy of it lacks. Returns errors of the target.
    pub(super) fn settle(&mut self, (outcome, lost): (robolog_core::Result<u64>, u64)) -> Result<()> {
        let end = self.raw().map_or(0, |raw| raw.end());
        match outcome {
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error.into()),
            Err(error) => self.report.damage(error, ending_at(end, lost)),
        }
        Ok(())
    }

    /// Reads the next record; none at the end.
    pub(super) fn advance(&mut self) -> Result<()> {
        self.has_record = false;
        loop {
            match self.reader.next_raw() {
                Ok(Some(raw)) => {
                    self.bytes.clear();
                    self.bytes.extend_from_slice(raw.bytes);
                    self.offset = raw.offset;
                }
                Ok(None) => return Ok(()),
                Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error.into()),
                Err(error) => {
                    let lost = self.reader.resync()?;
                    self.report.damage(error, lost);
                    continue;
                }
            }
            let raw = RawRecord { offset: self.offset, bytes: &self.bytes };
            match F::record(self.reader.header(), raw) {
                Ok(record) => {
                    let time = self.clock.as_mut().and_then(|clock| clock.time_of(&record));
                    self.turn = match (self.turn, time) {
                        (Some(turn), Some(time)) => Some(turn.later(time)),
                        (turn, time) => turn.or(time),
                    };
                    self.report.records += u64::from(!is_end_mark::<F>(&record));
                    self.has_record = true;
                    return Ok(());
                }
                Err(error) => self.report.damage(error, raw.offset..raw.end()),
            }
        }
    }
}
