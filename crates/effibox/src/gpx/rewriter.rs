//! Copies documents.

use std::io::{Seek, Write};

use robolog_core::{Error, Result, Timestamp};

use super::{Gpx, Header, Kind, Record, context::Context};
use crate::xml::Copier;

/// Copies points into a new document: see [`robolog_core::Rewriter`].
///
/// Its parts are points; everything else is kept, so that a document stays one. An end tag that ends nothing is left out,
/// `copy` fails for it and can go on; elements that have no end get one. A document that lost its root element to damage
/// begins with the next element that one can begin with.
#[derive(Debug)]
pub struct Rewriter<W> {
    out: Copier<W>,
    context: Context,
}

impl<W: Write + Seek> robolog_core::Rewriter<W> for Rewriter<W> {
    type Format = Gpx;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let out = Copier::new(out, &header.root, header_bytes)?;
        Ok(Self { out, context: Context::new(header) })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let kind = record.kind();
        if kind.is_point() {
            self.context.push(record)?;
            let time = record.position().ok().and_then(|position| position.time);
            if !keep(&self.context.channel(kind), time) {
                return Ok(0);
            }
            self.out.record::<Gpx, _>(record, self.context.stack_mut())?;
            return Ok(1);
        }
        self.out.check::<Gpx, _>(record)?;
        let is_closing = kind == Kind::End && self.out.close_to(record.tag.name(), self.context.stack())?;
        let outcome = self.context.push(record);
        if outcome.is_ok() || is_closing {
            self.out.record::<Gpx, _>(record, self.context.stack_mut())?;
        }
        outcome.map(|()| 0)
    }

    fn unfinished(&self) -> Option<Error> {
        self.out.unfinished(self.context.stack())
    }

    fn finish(self) -> Result<W> {
        self.out.finish(self.context.stack())
    }
}
