//! Copies documents.

use std::io::{Seek, Write};

use robolog_core::{Error, Result, Timestamp, format::MergeMode};

use robolog_xml::{DocumentPosition as _, ElementCopier, Kind, Tag};

use super::{Gpx, Header, PointKind, Record, context::Context, header::GPX_1_1};

/// Copies points into a new document: see [`robolog_core::format::Copier`].
///
/// Its parts are points; everything else is kept, so that the result is a document. `copy` returns an error for damage
/// and can continue; [Damage](super#damage) describes what it does with it.
///
/// ```
/// use std::io::Cursor;
///
/// use robolog_gpx::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/drive.gpx").unwrap();
/// let reader = robolog_gpx::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    out: ElementCopier<W>,
    context: Context,
    has_root: bool,
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Gpx;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let mut out = ElementCopier::new(out, &header.root, header_bytes)?;
        let mut context = Context::new(header);
        let has_root = header.root.tag().is_some();
        if !has_root {
            let head = format!("<gpx version=\"1.1\" creator=\"robolog\" xmlns=\"{GPX_1_1}\">");
            out.root(head.as_bytes(), Tag::Start(b"gpx"), context.stack())?;
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
        self.out.unfinished(self.context.open()).or_else(no_root)
    }

    fn left_out(&self) -> u64 {
        self.out.left_out()
    }

    fn finish(self) -> Result<W> {
        self.out.finish(self.context.open())
    }

    fn merge_mode(_: &Header) -> MergeMode {
        MergeMode::Document
    }

    /// Everything but points.
    fn is_shared(record: &Record<'_>) -> bool {
        record.kind().element().is_none()
    }

    /// A point of a route without a time, which is a place on its line.
    fn continues(record: &Record<'_>) -> bool {
        record.point() == Some(PointKind::RoutePoint) && record.moment().is_ok_and(|time| time.is_none())
    }
}

impl<W: Write> Copier<W> {
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
        has_text: bool,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let Some(point) = record.point() else {
            let name = record.tag().name();
            let open = self.context.open();
            if record.kind() == Kind::End && !self.has_root && open.is_around(name) && open.is_outermost(name)
            {
                // Only the copy has this root element.
                let found = "one of the root element, which has no start tag";
                return Err(Error::invalid("end tag", found, "none", record.markup_offset()).within("xml"));
            }
            return self.out.markup(record, has_text, &mut self.context).map(|()| 0);
        };
        self.context.push(record)?;
        let time = record.moment()?;
        if !keep(self.context.channel(point, time.is_some()), time) {
            return Ok(0);
        }
        if has_text {
            self.out.record(record, self.context.stack())?;
        } else {
            self.out.bytes(record.markup())?;
        }
        Ok(1)
    }
}
