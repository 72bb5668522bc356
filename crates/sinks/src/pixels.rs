//! Raw pixels as PNG.

use std::io::Write;

use robolog_core::{Encoding, Image};

use crate::{Error, Result};

/// Writes raw pixels as a PNG file; returns `false`, writing nothing, for an image that is already a file. Returns an
/// error if the number of pixels is wrong.
pub(super) fn write(image: &Image, out: impl Write) -> Result<bool> {
    let (color, depth) = match image.encoding {
        Encoding::Mono8 => (png::ColorType::Grayscale, png::BitDepth::Eight),
        Encoding::Mono16 => (png::ColorType::Grayscale, png::BitDepth::Sixteen),
        Encoding::Rgb8 => (png::ColorType::Rgb, png::BitDepth::Eight),
        Encoding::Rgb16 => (png::ColorType::Rgb, png::BitDepth::Sixteen),
        _ => return Ok(false),
    };
    let pixels = u64::from(image.width).checked_mul(image.height.into());
    let per_pixel = image.encoding.bytes_per_pixel().unwrap_or(0) as u64;
    // The encoder computes the product itself, and panics on overflow.
    if pixels.and_then(|pixels| pixels.checked_mul(per_pixel)) != Some(image.data.len() as u64) {
        let message = format!("{} bytes of pixels for {} by {}", image.data.len(), image.width, image.height);
        return Err(Error::library("PNG", message));
    }
    let mut encoder = png::Encoder::new(out, image.width, image.height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&image.data).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(true)
}

fn failed(error: png::EncodingError) -> Error {
    match error {
        png::EncodingError::IoError(error) => Error::Write(error),
        error => Error::library("PNG", error),
    }
}
