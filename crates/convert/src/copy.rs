//! Copies records byte for byte into a new recording.

mod editor;
#[cfg(feature = "from-kmz")]
mod kmz;

use std::{
    fmt,
    io::{BufWriter, Seek, Write},
    ops::Range,
};

use editor::Editor;
use robolog_core::{
    Edit, ErrorKind, Event, StreamReader,
    format::{Copier, Timed as _, Verdict},
    slices::ending_at,
};

use crate::{
    Input, Limit, Report, Result, Settings, Source, Visit,
    feed::Reach,
    source::{PlainFile, Stream, is_end_mark},
    target::OutputFile,
};

/// Options of [`rewrite`].
pub struct Rewrite<'a, W = BufWriter<OutputFile>> {
    /// The new recording.
    pub out: W,
    /// Records to copy.
    pub limit: &'a mut Limit,
    /// Numbers of the frames to copy; `None` copies all.
    pub frames: Option<Range<u64>>,
    /// Changes to the copied records.
    pub edit: Option<&'a Edit>,
    /// Called with the position in the input after each record; an error ends the copy.
    pub progress: &'a mut dyn FnMut(u64) -> Result<()>,
}

/// Result of a copy.
#[derive(Debug)]
#[non_exhaustive]
pub struct Copied {
    /// Number of parts of records within the limit.
    pub parts: u64,
    /// Records that the edit changed; the header counts as one.
    pub changed: u64,
    /// Records omitted for anonymity.
    pub withheld: u64,
    /// Records read, and damage.
    pub report: Report,
}

impl<W> fmt::Debug for Rewrite<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewrite").field("frames", &self.frames).finish_non_exhaustive()
    }
}

/// Copies the records of `input` within a limit, and skips damage. With a time limit, reads only the part of the file
/// around that time if the times are in order: LVX, Koblenz and MOOS logs, NMEA. The copy is the same, but damage
/// elsewhere is not reported. In LVX and MOOS logs a record without a time, such as a comment, follows the record
/// before it.
///
/// The documents of a KMZ archive are copied into a KMZ archive if the name of the target ends in `.kmz`; everything else
/// in the archive is copied unchanged.
///
/// Returns an error for a data set, and if reading or writing fails.
///
/// ```
/// use robolog_convert::{Bound, Input, Limit, Rewrite, rewrite, target::{Existing, Target}};
/// # let folder = std::env::temp_dir().join(format!("robolog-rewrite-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("first.lvx");
/// let target = Target::create(&path, Existing::Keep, &[])?;
/// let mut limit = Limit::new(None, Some(Bound::FromStart(100_000_000)), None);
/// let how = Rewrite { out: target.writer()?, limit: &mut limit, frames: None, edit: None, progress: &mut |_| Ok(()) };
/// let copied = rewrite(Input::open("examples/room.lvx")?, None, how)?;
/// target.persist()?;
/// assert!(copied.parts > 0 && copied.report.damages == 0);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn rewrite(input: Input, format: Option<&str>, rewrite: Rewrite<'_>) -> Result<Copied> {
    #[cfg(feature = "from-kmz")]
    if input.is_kmz() && kmz::is_target(&rewrite) {
        return kmz::rewrite(&input, rewrite);
    }
    // Frames are counted from the first one.
    let file = input.plain_file(format).filter(|_| rewrite.frames.is_none());
    input.visit(format, Copying { rewrite, file })?
}

struct Copying<'a> {
    rewrite: Rewrite<'a>,
    /// The file, if it can be read from any offset.
    file: Option<PlainFile>,
}

impl Visit for Copying<'_> {
    type Output = Result<Copied>;

    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Result<Copied> {
        let Self { rewrite, file } = self;
        let sought = match &file {
            Some(file) => Reach::find::<F>(file, rewrite.limit, &Settings::default())?,
            None => None,
        };
        match sought {
            Some((reader, reach)) => rewrite.copy(reader, reach),
            None => rewrite.copy(reader, Reach::default()),
        }
        .map(|(copied, _)| copied)
    }
}

impl<W: Write + Seek> Rewrite<'_, W> {
    fn copy<F: Source>(self, mut reader: StreamReader<Stream, F>, mut reach: Reach) -> Result<(Copied, W)> {
        let mut report = Report::default();
        let (mut parts, mut frame) = (0_u64, None);
        let mut header_bytes = reader.header_bytes().to_vec();
        let mut editor = match self.edit {
            Some(edit) => Some(Editor::<F>::new(edit, reader.header_mut(), &mut header_bytes)?),
            None => None,
        };
        let mut writer = F::Copier::new(self.out, reader.header(), &header_bytes)?;
        let mut is_outside = false;
        while !self.limit.is_full() && reach.advance(&mut reader)? {
            let (mut fault, at) = (None, reader.position());
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records += u64::from(!is_end_mark::<F>(&record));
                    let limit = &mut *self.limit;
                    match record.time() {
                        Some(time) => is_outside = limit.is_outside(time),
                        None if F::UNTIMED_FOLLOW && is_outside => continue,
                        None => {}
                    }
                    frame = record.frame().or(frame);
                    let dropped = Editor::dropping(editor.as_ref());
                    let record = match &mut editor {
                        Some(editor) => match editor.edit(record, at)? {
                            Some(record) => record,
                            None => continue,
                        },
                        None => record,
                    };
                    let in_frames =
                        self.frames.as_ref().is_none_or(|f| frame.is_some_and(|n| f.contains(&n)));
                    // Counted here: parts before damage are copied too, and the outcome does not count them.
                    let keep = &mut |channel: &str, time| {
                        let keep = limit.wants(channel, time)
                            && in_frames
                            && dropped.is_none_or(|edit| edit.verdict(channel) != Verdict::Dropped);
                        parts += u64::from(keep);
                        keep
                    };
                    match writer.copy_counted(&record, keep) {
                        (Ok(_), _) => {}
                        (Err(error), _) if matches!(error.kind(), ErrorKind::Io(_)) => {
                            return Err(error.into());
                        }
                        (Err(error), lost) => fault = Some((error, lost)),
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            let end = reader.position();
            if let Some((error, lost)) = fault {
                report.damage(error, ending_at(end, lost));
            }
            (self.progress)(end)?;
        }
        if let Some(error) = writer.unfinished() {
            report.damage(error, 0..0);
        }
        let out = writer.finish()?;
        report.ended_early = reach.is_partial();
        report.span = if reach.is_partial() {
            self.limit.span_beyond()
        } else {
            self.limit.check_channels()?;
            self.limit.span()
        };
        report.unjudged = self.limit.unjudged();
        let (changed, withheld) = editor.map_or((0, 0), |editor| (editor.changed, editor.withheld));
        Ok((Copied { parts, changed, withheld, report }, out))
    }
}
