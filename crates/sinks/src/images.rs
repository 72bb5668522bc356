//! Pictures, one per file: JPEG and PNG unchanged, raw pixels and decoded JPEG as PNG.

use std::io::Write;

use robolog_core::{Encoding, Sample, Value};

use super::{Holds, Lacks, Selection, TargetSpec, jpeg, pixels, takes};
use crate::{Advice, Outcome, Result, Sink};

/// A picture as PNG, decoded from JPEG if needed.
pub static PNG: TargetSpec = TargetSpec {
    name: "png",
    extensions: &["png"],
    about: "a picture: a PNG file as it is, or pixels as PNG, also those of a JPEG file",
    holds: Holds::Pictures,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::picture,
    instead: plot,
    open: |out, _| Ok(Box::new(Images::new(out, &PNG))),
};

/// A picture as JPEG.
pub static JPG: TargetSpec = TargetSpec {
    name: "jpg",
    extensions: &["jpg", "jpeg"],
    about: "a picture: a JPEG file as it is",
    takes: takes::jpeg,
    instead: |sample| {
        let is_picture = takes::picture(sample, Selection::Channels);
        plot(sample).or(is_picture.then_some(Advice::WriteAs(PNG.name)))
    },
    open: |out, _| Ok(Box::new(Images::new(out, &JPG))),
    ..PNG
};

/// A picture in its own format.
pub static IMAGES: TargetSpec = TargetSpec {
    name: "images",
    extensions: &["images", "jpg", "png"],
    about: "a picture: a JPEG or PNG file as it is, or pixels as PNG",
    open: |out, _| Ok(Box::new(Images::new(out, &IMAGES))),
    ..PNG
};

/// Advice for a picture of points.
const fn plot(sample: &Sample) -> Option<Advice> {
    match sample.value {
        Value::PointCloud(_) | Value::LaserScan(_) => Some(Advice::Plot),
        _ => None,
    }
}

/// Writes the first image that fits; others need their own files, `--per frame`.
///
/// Encoded images are copied without inspection, except JPEG files for PNG, which are decoded to 8-bit grey or RGB.
/// JPEG files that do not decode, are truncated, or claim more than 2²⁸ pixels are left out. Raw pixels become PNG of
/// the same depth, without loss. Times are in the index of the folder.
#[derive(Debug)]
pub struct Images<W> {
    out: W,
    target: &'static TargetSpec,
    is_full: bool,
    advice: Option<Advice>,
}

impl<W: Write> Images<W> {
    /// Creates a file on `out`. `target` is [`PNG`], which decodes JPEG, [`JPG`], which takes only JPEG, or [`IMAGES`],
    /// which copies both.
    pub fn new(out: W, target: &'static TargetSpec) -> Self {
        Self { out, target, is_full: false, advice: None }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for Images<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        if !(self.target.takes)(sample, Selection::Channels) {
            self.advice = self.advice.or_else(|| self.target.advice(sample));
            return Ok(Outcome::LeftOut);
        }
        let Value::Image(image) = &sample.value else { return Ok(Outcome::LeftOut) };
        if self.is_full {
            self.advice = Some(Advice::FilePerFrame);
            return Ok(Outcome::LeftOut);
        }
        let decoded = if *self.target == PNG && image.encoding == Encoding::Jpeg {
            let Some(decoded) = jpeg::decode(&image.data) else {
                self.advice = Some(Advice::CopyJpeg);
                return Ok(Outcome::LeftOut);
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
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.advice
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
