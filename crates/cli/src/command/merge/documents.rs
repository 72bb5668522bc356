//! Documents: parts of one are joined to the original; others become the content of one root element.

use std::{
    cell::RefCell,
    io::{BufWriter, Cursor, Seek, SeekFrom, Write},
    rc::Rc,
};

use robolog_convert::{Error, Report, Result, Source};
use robolog_core::{
    Timestamp,
    format::{Copier as _, Timed as _},
};
use robolog_xml::{Stack, Tag, attributes, local, split};
use tempfile::SpooledTempFile;

use super::{Job, Merged, Out, next::Next};

pub(super) fn merge<F: Source>(job: &Job<'_>, out: Out) -> Result<Merged> {
    let numbers = job.numbers();
    if Walk::<F>::new(job, numbers.as_deref())?.into_verdict(numbers.is_some())? {
        return Walk::<F>::new(job, numbers.as_deref())?.join(job, out);
    }
    gather::<F>(job, out)
}

/// Parts of one document, read together: all have the same container elements.
struct Walk<F: Source> {
    lanes: Vec<Next<F>>,
    /// Index of each document in the order of the command line.
    places: Vec<usize>,
}

impl<F: Source> Walk<F> {
    fn new(job: &Job<'_>, numbers: Option<&[usize]>) -> Result<Self> {
        let mut lanes: Vec<(usize, Next<F>)> =
            job.lanes::<F>()?.into_iter().map(Next::untimed).enumerate().collect();
        if let Some(numbers) = numbers {
            lanes.sort_by_key(|(place, _)| numbers.iter().position(|number| number == place));
        }
        let (places, mut lanes): (Vec<_>, Vec<_>) = lanes.into_iter().unzip();
        lanes.iter_mut().try_for_each(Next::advance)?;
        Ok(Self { lanes, places })
    }

    fn is_shared(lane: &Next<F>) -> bool {
        lane.record().is_none_or(|record| F::Copier::<Out>::is_shared(&record))
    }

    /// Whether they differ only in the content of their containers, and follow each other in each container, by their
    /// names or in time.
    fn into_verdict(mut self, are_parts: bool) -> Result<bool> {
        let mut headers = self.lanes.iter().map(Next::header_bytes);
        let first = headers.next();
        if headers.any(|header| Some(header) != first) {
            return Ok(false);
        }
        loop {
            let mut latest: Option<Timestamp> = None;
            for lane in &mut self.lanes {
                while lane.raw().is_some() && !Self::is_shared(lane) {
                    let time = lane.record().and_then(|record| record.time());
                    if !are_parts && latest.zip(time).is_some_and(|(latest, time)| time < latest) {
                        return Ok(false);
                    }
                    latest = time.or(latest);
                    lane.advance()?;
                }
            }
            // Blanks differ where points were left out.
            let mut heads = self.lanes.iter().map(|lane| lane.raw().map(|raw| raw.bytes.trim_ascii_start()));
            let first = heads.next().flatten();
            if heads.any(|head| head != first) {
                return Ok(false);
            }
            if first.is_none() {
                return Ok(true);
            }
            self.lanes.iter_mut().try_for_each(Next::advance)?;
        }
    }

    /// Writes the containers once, with the content of all documents.
    fn join(mut self, job: &Job<'_>, out: Out) -> Result<Merged> {
        let Some(first) = self.lanes.first() else { return Ok(Merged { records: 0, is_whole: true }) };
        let mut writer = F::Copier::<Out>::new(out, first.header(), first.header_bytes())?;
        let mut records = 0_u64;
        loop {
            for lane in &mut self.lanes {
                while lane.raw().is_some() && !Self::is_shared(lane) {
                    copy::<F, Out>(&mut writer, lane)?;
                    records += 1;
                    lane.advance()?;
                }
            }
            match self.lanes.first_mut() {
                Some(lane) if lane.raw().is_some() => copy::<F, Out>(&mut writer, lane)?,
                _ => break,
            }
            records += 1;
            self.lanes.iter_mut().try_for_each(Next::advance)?;
        }
        if let (Some(error), Some(lane)) = (writer.unfinished(), self.lanes.first_mut()) {
            lane.report.damage(error, 0..0);
        }
        writer.finish()?;
        let reports = self.lanes.into_iter().map(|lane| lane.report);
        let mut reports: Vec<_> = self.places.into_iter().zip(reports).collect();
        reports.sort_by_key(|(place, _)| *place);
        let reports: Vec<_> = reports.into_iter().map(|(_, report)| report).collect();
        Ok(Merged { records, is_whole: job.report(&reports) })
    }
}

fn copy<F: Source, W: Write + Seek>(writer: &mut F::Copier<W>, lane: &mut Next<F>) -> Result<()> {
    let Some(record) = lane.record() else { return Ok(()) };
    let outcome = writer.copy_counted(&record, &mut |_, _| true);
    drop(record);
    lane.settle(outcome)
}

/// Elements below the root in the order of the GPX schema. Other documents have no order.
const PASSES: [&[&[u8]]; 4] = [&[b"metadata"], &[b"wpt"], &[b"rte"], &[b"trk"]];

/// Writes the content of all root elements into one, which is read once. The first metadata element is kept.
fn gather<F: Source>(job: &Job<'_>, out: Out) -> Result<Merged> {
    let lanes: Vec<_> = job.lanes::<F>()?.into_iter().map(Next::untimed).collect();
    let head = head(job, &lanes)?;
    let mut content = Content::begin(out, &head)?;
    let (mut records, mut has_metadata) = (0_u64, false);
    let mut reports: Vec<Report> = Vec::new();
    for mut lane in lanes {
        let mut place = RecordPosition::new(&lane);
        // A copier of its own: what it drops is dropped here, and counted.
        let tap = Tap::default();
        let mut copier = F::Copier::<Tap>::new(tap.clone(), lane.header(), lane.header_bytes())?;
        tap.clear();
        lane.advance()?;
        while let Some(raw) = lane.raw() {
            let Some(record) = lane.record() else { break };
            let (_, tag) = split(raw.bytes);
            // An element kept whole counts as empty.
            let tag = match tag {
                Some(Tag::Start(inner)) if !F::Copier::<Tap>::is_shared(&record) => Some(Tag::Empty(inner)),
                tag => tag,
            };
            place.step(tag.unwrap_or(Tag::Other), raw.offset);
            let is_content = place.is_in_root(tag.is_none());
            let outcome = copier.copy_counted(&record, &mut |_, _| true);
            drop(record);
            lane.settle(outcome)?;
            let bytes = tap.0.borrow();
            if let Some(part) = content.part(&place, has_metadata)
                && is_content
                && !bytes.get_ref().is_empty()
            {
                part.write_all(bytes.get_ref())?;
                records += 1;
            }
            drop(bytes);
            tap.clear();
            lane.advance()?;
        }
        if let Some(error) = place.stack.unfinished(lane.position()) {
            lane.report.damage(error, 0..0);
            if let Some(part) = content.part(&place, has_metadata) {
                place.close(part)?;
            }
        }
        has_metadata |= place.has_metadata;
        reports.push(lane.report);
    }
    content.finish(&head)?;
    Ok(Merged { records, is_whole: job.report(&reports) })
}

/// The content of the root element: what comes first is written, and the rest waits in temporary files, of which small
/// ones stay in memory.
struct Content {
    out: Out,
    later: Vec<BufWriter<SpooledTempFile>>,
    is_gpx: bool,
}

/// Bytes of a part of the content that stay in memory.
const IN_MEMORY: usize = 1 << 20;

impl Content {
    fn begin(mut out: Out, head: &Head) -> Result<Self> {
        out.write_all(&head.bytes)?;
        let later = PASSES.iter().map(|_| BufWriter::new(SpooledTempFile::new(IN_MEMORY))).collect();
        Ok(Self { out, later, is_gpx: head.is_gpx })
    }

    /// Where the element at `place` belongs; `None` for metadata after that of another document.
    fn part(&mut self, place: &RecordPosition, has_metadata: bool) -> Option<&mut dyn Write> {
        match place.pass().checked_sub(1).filter(|_| self.is_gpx) {
            Some(later) => self.later.get_mut(later).map(|part| part as &mut dyn Write),
            None if self.is_gpx && has_metadata => None,
            None => Some(&mut self.out),
        }
    }

    fn finish(mut self, head: &Head) -> Result<()> {
        for part in self.later {
            let mut part = part.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            part.rewind()?;
            std::io::copy(&mut part, &mut self.out)?;
        }
        self.out.write_all(&head.end)?;
        Ok(self.out.flush()?)
    }
}

/// Collects the output of a rewriter, record by record.
#[derive(Clone, Default)]
struct Tap(Rc<RefCell<Cursor<Vec<u8>>>>);

impl Tap {
    fn clear(&self) {
        let mut bytes = self.0.borrow_mut();
        bytes.set_position(0);
        bytes.get_mut().clear();
    }
}

impl Write for Tap {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Tap {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}

/// The text before and after the content of all documents.
struct Head {
    bytes: Vec<u8>,
    end: Vec<u8>,
    is_gpx: bool,
}

/// The head of the first document, with the namespaces of all documents.
fn head<F: Source>(job: &Job<'_>, lanes: &[Next<F>]) -> Result<Head> {
    let is_gpx = F::NAME == "gpx";
    let refused = |number: usize, message: String| {
        let file = job.files.get(number).copied().unwrap_or(std::path::Path::new(""));
        Error::Target(message.into()).at(file)
    };
    let mut spaces: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut more = Vec::new();
    for (number, lane) in lanes.iter().enumerate() {
        let root = root(lane.header_bytes())
            .ok_or_else(|| refused(number, "has no root element: recover it first".into()))?;
        for (key, value) in attributes(root).filter(|(key, _)| key.starts_with(b"xmlns")) {
            match spaces.iter().find(|(known, _)| known == key) {
                Some((_, known)) if known == value => {}
                Some((_, known)) => {
                    let text = |bytes: &[u8]| robolog_core::text::Escaped(bytes).to_string();
                    let (key, value, known) = (text(key), text(value), text(known));
                    return Err(refused(
                        number,
                        format!("{key} is {value}, and {known} in the first document"),
                    ));
                }
                None => {
                    if number > 0 {
                        more.extend([b" ", key, b"=\"", value, b"\""].concat());
                    }
                    spaces.push((key.to_vec(), value.to_vec()));
                }
            }
        }
    }
    let first = lanes.first().map_or(&[][..], Next::header_bytes);
    let bytes = first.trim_ascii_end();
    let bytes = bytes.strip_suffix(b">").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"/").unwrap_or(bytes);
    let root = root(first).map_or(Tag::Other, Tag::Start);
    let (name, prefix) = (root.name().to_vec(), root.prefix());
    let (open, close) = if is_gpx {
        (Vec::new(), Vec::new())
    } else {
        // The root element of KML has one child.
        ([b"\n<", prefix, b"Document>"].concat(), [b"\n</", prefix, b"Document>"].concat())
    };
    let bytes = [bytes, &more, b">", &open].concat();
    Ok(Head { bytes, end: [&close[..], b"\n</", &name, b">\n"].concat(), is_gpx })
}

/// The start tag of the root element without brackets: the last tag before the records.
fn root(header_bytes: &[u8]) -> Option<&[u8]> {
    let at = header_bytes.iter().rposition(|b| *b == b'<')?;
    let tag = header_bytes.get(at..)?.trim_ascii_end();
    let tag = tag.strip_prefix(b"<")?.strip_suffix(b">")?;
    Some(tag.strip_suffix(b"/").unwrap_or(tag))
}

/// Position of a record in a document.
struct RecordPosition {
    stack: Stack,
    /// The element below the root, and whether this record ends it.
    below: Vec<u8>,
    is_outside: bool,
    has_metadata: bool,
}

impl RecordPosition {
    fn new<F: Source>(lane: &Next<F>) -> Self {
        let mut stack = Stack::default();
        if let Some(root) = root(lane.header_bytes()) {
            let is_empty = lane.header_bytes().trim_ascii_end().ends_with(b"/>");
            if !is_empty {
                // The first element is never too deep.
                let _ = stack.push(Tag::Start(root), 0);
            }
        }
        Self { stack, below: Vec::new(), is_outside: false, has_metadata: false }
    }

    /// Advances over a record. Mismatched tags are ignored.
    fn step(&mut self, tag: Tag<'_>, at: u64) {
        if self.stack.depth() == 1 && matches!(tag, Tag::Start(_) | Tag::Empty(_)) {
            self.below = local(tag.name()).to_vec();
            self.has_metadata |= self.below == b"metadata";
        }
        let _ = self.stack.push(tag, at);
        self.is_outside = self.stack.depth() == 0;
    }

    /// Whether the record is content of the root element. Text after its last element is not.
    fn is_in_root(&self, is_text: bool) -> bool {
        !(self.is_outside || is_text && self.stack.depth() == 0)
    }

    /// Closes the elements open in the root.
    fn close(&mut self, out: &mut dyn Write) -> Result<()> {
        while let Some(name) = self.stack.top().filter(|_| self.stack.depth() > 1) {
            out.write_all(&[b"</", name, b">"].concat())?;
            self.stack.pop();
        }
        Ok(())
    }

    /// The place of the element below the root in the order of the schema.
    fn pass(&self) -> usize {
        PASSES.iter().position(|names| names.contains(&&self.below[..])).unwrap_or(PASSES.len())
    }
}
