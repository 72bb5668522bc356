//! Pictures, one a file: JPEG and PNG as they are, pixels as PNG.

use std::io::Write;

use robolog_core::{Sample, Value};

use super::{pixels, takes};
use crate::{Result, Sink, TargetFormat, Took};

/// Writes the first image that has a place; others want files of their own, `--per frame`.
///
/// Bytes of encoded images are copied and not looked at. Pixels become PNG of the same depth, without loss. Times are
/// in the index of the folder.
#[derive(Debug)]
pub struct Images<W> {
    out: W,
    target: TargetFormat,
    is_full: bool,
    advice: Option<&'static str>,
}

impl<W: Write> Images<W> {
    /// A file on `out`. `target` is PNG, which takes no JPEG, JPEG, which takes nothing else, or images, which takes both.
    pub fn new(out: W, target: TargetFormat) -> Self {
        Self { out, target, is_full: false, advice: None }
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for Images<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        if !takes(self.target, sample, true) {
            self.advice = self.advice.or_else(|| super::advice(self.target, sample));
            return Ok(Took::LeftOut);
        }
        let Value::Image(image) = &sample.value else { return Ok(Took::LeftOut) };
        if self.is_full {
            self.advice = Some("--per frame");
            return Ok(Took::LeftOut);
        }
        self.is_full = true;
        if !pixels::write(image, &mut self.out)? {
            self.out.write_all(&image.data)?;
        }
        Ok(Took::Written)
    }

    fn advice(&self) -> Option<&'static str> {
        self.advice
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
