//! Copies of captures, packet for packet.

use std::io::{Seek, Write};

use robolog_core::{Clock, Output, Result, Timestamp};

use super::{
    Capture, CaptureHeader, Record,
    capture::Dissector,
    sensor::{Content, Sensors, content},
};

/// Copies the packets of a capture, byte for byte: see [`robolog_core::Rewriting`].
///
/// Packets of a LiDAR are of its channels, `ADDRESS/points` and `ADDRESS/imu`; other datagrams are of `ADDRESS/other`, and
/// all else of `other`. Blocks of pcapng that are no packets are kept always. A section of pcapng that loses a block says
/// afterwards that its length is not known, where it said a length.
#[derive(Debug)]
#[must_use = "the capture is flushed by `finish`"]
pub struct Rewriter<W> {
    out: Output<W>,
    dissector: Dissector,
    sensors: Sensors,
    package: Vec<u8>,
    /// Where the next record would begin, were nothing left out.
    next: u64,
    /// Where the length of the section stands in the output, as long as it holds.
    section: Option<u64>,
    left_out: u64,
}

/// Where a section block tells its length: behind type, length, byte order and version.
const SECTION_LENGTH: u64 = 16;

impl<W: Write + Seek> robolog_core::Rewriting<W> for Rewriter<W> {
    type Format = Capture;

    fn new(out: W, _: &CaptureHeader, header_bytes: &[u8]) -> Result<Self> {
        let mut out = Output::new(out);
        out.bytes(header_bytes)?;
        let next = out.position();
        let (dissector, sensors) = (Dissector::default(), Sensors::default());
        Ok(Self { out, dissector, sensors, package: Vec::new(), next, section: None, left_out: 0 })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        if record.offset() != self.next {
            self.lose()?;
        }
        self.next = record.end();
        let packet = match self.dissector.packet(record) {
            Ok(packet) => packet,
            Err(error) => {
                self.left_out = self.left_out.saturating_add(record.bytes().len() as u64);
                self.lose()?;
                return Err(error);
            }
        };
        let Some((time_ns, datagram)) = packet else {
            if record.is_section() {
                self.section = Some(self.out.position().saturating_add(SECTION_LENGTH));
            }
            return self.out.bytes(record.bytes()).map(|()| 0);
        };
        let channel = match &datagram {
            None => "other".to_owned(),
            Some(datagram) => {
                let content = content(datagram, &mut self.package)?;
                match (self.sensors.of(datagram, content, &self.package), content) {
                    (Some((_, name)), Content::Imu(_)) => format!("{name}/imu"),
                    (Some((_, name)), _) => format!("{name}/points"),
                    (None, _) => format!("{}/other", datagram.source),
                }
            }
        };
        if keep(&channel, Some(Timestamp::new(time_ns, Clock::Unix))) {
            return self.out.bytes(record.bytes()).map(|()| 1);
        }
        self.lose()?;
        Ok(0)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

impl<W: Write + Seek> Rewriter<W> {
    /// The section is shorter than it says.
    fn lose(&mut self) -> Result<()> {
        match self.section.take() {
            // All bits: not known.
            Some(at) => self.out.replace(at, &[0xff; 8]),
            None => Ok(()),
        }
    }
}
