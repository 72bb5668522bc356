//! Copying records of a recording into a new one: what `cut` and `recover` share.

use std::{fs::File, io::BufWriter, ops::Range};

use robolog_convert::{Limit, Report, Result, Source, Visit, source::Stream};
use robolog_core::{ErrorKind, Event, Rewriting, StreamReader};

use crate::progress::Progress;

/// Copies what `limit` wants, past any damage.
pub(crate) struct Rewrite<'a> {
    pub(crate) out: BufWriter<File>,
    pub(crate) limit: &'a mut Limit,
    /// Only frames with these numbers.
    pub(crate) frames: Option<Range<u64>>,
    pub(crate) progress: Progress,
}

/// What was copied, and what was met on the way.
pub(crate) struct Copied {
    pub(crate) parts: u64,
    pub(crate) report: Report,
}

impl Visit for Rewrite<'_> {
    type Output = Result<Copied>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Result<Copied> {
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
            self.progress.set(end);
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
