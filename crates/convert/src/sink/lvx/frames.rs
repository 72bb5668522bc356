//! Packages sorted into frames, in a temporary file.

use std::{
    collections::BTreeMap,
    io::{BufReader, BufWriter, Read as _, Seek as _, Write},
};

use ::lvx::{Writer, layout::PackageHeader1};
use robolog_core::{Timestamp, layout::field, slices::fitting};

use crate::{
    Error, Result,
    spool::{Spool, Spools},
};

/// Nanoseconds per frame.
const FRAME: i64 = 50_000_000;
/// Frames kept open for late packages.
const WINDOW: i64 = 20;
/// Maximum bytes of packages in memory.
const WAITING: usize = 32 << 20;

/// Open frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Packages by frame, with their times.
    open: BTreeMap<i64, Vec<(i64, Vec<u8>)>>,
    /// The earliest time, at most 0, nanoseconds.
    least: i64,
    /// Frames before this one are complete.
    from: Option<i64>,
    bytes: usize,
    /// Length-prefixed packages; a length of zero ends a frame.
    spool: Option<BufWriter<Spool>>,
    pub(super) spools: Spools,
    count: u64,
}

impl Frames {
    pub(super) fn push(&mut self, time: Timestamp, package: Vec<u8>) -> Result<()> {
        let mut frame = time.nanos().div_euclid(FRAME);
        if let Some(from) = self.from.filter(|from| frame < *from) {
            if from - frame > WINDOW {
                // The clock was set back.
                while self.complete_oldest()? {}
            } else {
                frame = from;
            }
        }
        self.from = Some(self.from.map_or(frame, |from| from.min(frame)));
        self.bytes += package.len();
        self.least = self.least.min(time.nanos());
        self.open.entry(frame).or_default().push((time.nanos(), package));
        while let Some((oldest, _)) = self.open.first_key_value()
            && let Some((newest, _)) = self.open.last_key_value()
            && (newest - oldest > WINDOW || self.bytes > WAITING)
        {
            self.complete_oldest()?;
        }
        Ok(())
    }

    /// Writes the oldest frame to the temporary file; returns whether there was one.
    fn complete_oldest(&mut self) -> Result<bool> {
        let Some((frame, mut packages)) = self.open.pop_first() else { return Ok(false) };
        packages.sort_by_key(|(time, _)| *time);
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(BufWriter::new(self.spools.open()?)),
        };
        for (_, package) in packages {
            self.bytes -= package.len();
            spool.write_all(&fitting::<u16>(package.len()).to_le_bytes())?;
            spool.write_all(&package)?;
        }
        spool.write_all(&[0; 2])?;
        self.count += 1;
        self.from = Some(frame + 1);
        Ok(true)
    }

    /// Writes all frames.
    pub(super) fn write(mut self, writer: &mut Writer<impl Write>) -> Result<()> {
        while self.complete_oldest()? {}
        let Some(spool) = self.spool else { return Ok(()) };
        let mut file = spool.into_inner().map_err(|e| Error::Write(e.into_error()))?;
        file.rewind()?;
        let mut spool = BufReader::new(file);
        let mut package = Vec::new();
        for _ in 0..self.count {
            writer.begin_frame().map_err(Error::written)?;
            loop {
                let mut len = [0; 2];
                spool.read_exact(&mut len)?;
                let len = u16::from_le_bytes(len);
                if len == 0 {
                    break;
                }
                package.resize(len.into(), 0);
                spool.read_exact(&mut package)?;
                delay(&mut package, self.least.saturating_neg());
                writer.package(&package).map_err(Error::written)?;
            }
            writer.end_frame().map_err(Error::written)?;
        }
        Ok(())
    }
}

/// Moves the stamp of a package later by `nanos` nanoseconds.
fn delay(package: &mut [u8], nanos: i64) {
    let stamp = field!(PackageHeader1, timestamp).of_mut(package);
    if let Some(stamp) = stamp.and_then(<[u8]>::first_chunk_mut) {
        *stamp = i64::from_le_bytes(*stamp).saturating_add(nanos).to_le_bytes();
    }
}
