//! Pictures, one a file: JPEG and PNG as they are, pixels and what JPEG decodes to as PNG.

use std::io::Write;

use robolog_core::{Encoding, Sample, Value};

use super::{jpeg, pixels, takes};
use crate::{Result, Sink, TargetFormat, Took};

/// Writes the first image that has a place; others want files of their own, `--per frame`.
///
/// Bytes of encoded images are copied and not looked at, but for JPEG files that are to be PNG: these are decoded, to grey
/// or to red, green and blue of eight bits. Those that do not decode, are cut, or claim more than 2²⁸ pixels are left
/// out. Pixels become PNG of the same depth, without loss. Times are in the index of the folder.
#[derive(Debug)]
pub struct Images<W> {
    out: W,
    target: TargetFormat,
    is_full: bool,
    advice: Option<&'static str>,
}

impl<W: Write> Images<W> {
    /// A file on `out`. `target` is PNG, which decodes JPEG, JPEG, which takes nothing else, or images, which takes both
    /// as they are.
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
        let decoded = if self.target == TargetFormat::Png && image.encoding == Encoding::Jpeg {
            let Some(decoded) = jpeg::decode(&image.data) else {
                self.advice = Some("a JPEG file that cannot be decoded is copied by --to jpg");
                return Ok(Took::LeftOut);
            };
            Some(decoded)
        } else {
            None
        };
        let image = decoded.as_ref().unwrap_or(image);
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
