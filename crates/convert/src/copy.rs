//! Records of a recording, copied byte for byte into a new one.

use std::{fmt, fs::File, io::BufWriter, ops::Range};

use robolog_core::{ErrorKind, Event, Rewriting, StreamReader};

use crate::{Limit, Report, Result, Source, Visit, source::Stream};

/// Copies the records that a limit wants, past any damage: see [`Input::visit`](crate::Input::visit).
pub struct Rewrite<'a> {
    /// The new recording.
    pub out: BufWriter<File>,
    /// What to copy.
    pub limit: &'a mut Limit,
    /// Copy only frames with these numbers.
    pub frames: Option<Range<u64>>,
    /// Called with the position in the input after each record; its error ends the copy.
    pub progress: &'a mut dyn FnMut(u64) -> Result<()>,
}

/// What was copied, and what was met on the way.
#[derive(Debug)]
pub struct Copied {
    /// Parts of records that the limit let through.
    pub parts: u64,
    /// Records read, and damage.
    pub report: Report,
}

impl fmt::Debug for Rewrite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewrite").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Visit for Rewrite<'_> {
    type Output = Result<Copied>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<Copied> {
        let mut report = Report::default();
        let (mut parts, mut frame) = (0_u64, None);
        let header_bytes = reader.header_bytes().to_vec();
        let mut writer = F::Rewriter::new(self.out, reader.header(), &header_bytes)?;
        while !self.limit.is_full() {
            let mut fault = None;
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records = report.records.saturating_add(1);
                    let limit = &mut *self.limit;
                    frame = F::frame(&record).or(frame);
                    let in_frames =
                        self.frames.as_ref().is_none_or(|f| frame.is_some_and(|n| f.contains(&n)));
                    // Counted here: what stands before damage is copied too, of which the outcome says nothing.
                    let keep = &mut |channel: &str, time| {
                        let keep = limit.wants(channel, time) && in_frames;
                        parts = parts.saturating_add(u64::from(keep));
                        keep
                    };
                    let before = writer.left_out();
                    match writer.copy(&record, keep) {
                        Ok(_) => {}
                        Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error.into()),
                        Err(error) => fault = Some((error, writer.left_out().saturating_sub(before))),
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            let end = reader.position();
            if let Some((error, left_out)) = fault {
                report.damage(error, end.saturating_sub(left_out)..end);
            }
            (self.progress)(end)?;
        }
        if let Some(error) = writer.unfinished() {
            report.damage(error, 0..0);
        }
        writer.finish()?;
        self.limit.check_channels()?;
        report.unjudged = self.limit.unjudged();
        Ok(Copied { parts, report })
    }
}
