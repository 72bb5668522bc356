//! Copies documents.

use std::io::{Seek, Write};

use robolog_core::{Error, Result, Timestamp};

use super::{Gpx, Header, Kind, Record, context::Context, elements::GPX_1_1};
use robolog_xml::{Copier, Tag};

/// Copies points into a new document: see [`robolog_core::Rewriting`].
///
/// Its parts are points; everything else is kept, so that a document stays one. `copy` fails for what is damaged and can go
/// on; see [Damage](super#damage) for what becomes of it.
#[derive(Debug)]
pub struct Rewriter<W> {
    out: Copier<W>,
    context: Context,
    has_root: bool,
}

impl<W: Write + Seek> robolog_core::Rewriting<W> for Rewriter<W> {
    type Format = Gpx;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let mut out = Copier::new(out, &header.root, header_bytes)?;
        let mut context = Context::new(header);
        let has_root = header.root.tag().is_some();
        if !has_root {
            let head = format!("<gpx version=\"1.1\" creator=\"robolog\" xmlns=\"{GPX_1_1}\">");
            out.root(head.as_bytes(), Tag::Start(b"gpx"), context.stack_mut())?;
        }
        Ok(Self { out, context, has_root })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let mark = self.out.mark();
        let outcome = self.follow(record, keep);
        if outcome.is_err() {
            self.out.fail(record.bytes().len(), mark);
        }
        outcome
    }

    fn unfinished(&self) -> Option<Error> {
        let no_root = || (!self.has_root).then(Header::no_root);
        self.out.unfinished(self.context.stack()).or_else(no_root)
    }

    fn left_out(&self) -> u64 {
        self.out.left_out()
    }

    fn finish(self) -> Result<W> {
        self.out.finish(self.context.stack())
    }
}

impl<W: Write> Rewriter<W> {
    fn follow(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let stray = self.context.stray_text(record);
        let outcome = self.follow_markup(record, stray.is_none(), keep);
        outcome.and_then(|parts| stray.map_or(Ok(parts), Err))
    }

    /// Copies a record, with the text before its markup or without.
    fn follow_markup(
        &mut self,
        record: &Record<'_>,
        mut has_text: bool,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let kind = record.kind();
        if kind.is_point() {
            self.context.push(record)?;
            let time = record.position()?.time;
            if !keep(&self.context.channel(kind), time) {
                return Ok(0);
            }
            self.write(record, has_text)?;
            return Ok(1);
        }
        self.out.check::<Gpx, _>(record)?;
        let is_closing = kind == Kind::End && self.context.stack().is_around(record.tag().name());
        if is_closing && !self.has_root && self.context.stack().is_outermost(record.tag().name()) {
            // The root element is one that the copy alone has.
            let found = "one of the root element, which has no start tag";
            return Err(Error::invalid("end tag", found, "none", record.markup_offset()).within("xml"));
        }
        if is_closing {
            // The text belongs to the innermost element.
            if std::mem::take(&mut has_text) {
                self.out.text::<Gpx, _>(record, self.context.stack_mut())?;
            }
            self.out.close_to(record.tag().name(), self.context.stack())?;
        }
        let outcome = self.context.push(record);
        if outcome.is_ok() || is_closing {
            self.write(record, has_text)?;
        }
        outcome.map(|()| 0)
    }

    fn write(&mut self, record: &Record<'_>, has_text: bool) -> Result<()> {
        if has_text {
            self.out.record::<Gpx, _>(record, self.context.stack_mut())
        } else {
            self.out.bytes(record.markup())
        }
    }
}
