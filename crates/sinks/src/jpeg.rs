//! Decodes JPEG files.

use std::io::Cursor;

use robolog_core::{Encoding, Image};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{colorspace::ColorSpace, options::DecoderOptions},
};

/// Maximum number of pixels to decode, more than any camera has.
const MOST_PIXELS: usize = 1 << 28;

/// Decodes a JPEG file to 8-bit grey or RGB; `None` if it does not decode, is truncated, or claims more than 2²⁸
/// pixels.
pub fn decode(file: &[u8]) -> Option<Image> {
    // The decoder would fill missing parts with grey.
    if !ends(file) {
        return None;
    }
    // The format's own limit; the product is checked below, before anything is allocated.
    let side = usize::from(u16::MAX);
    let options = DecoderOptions::default().set_max_width(side).set_max_height(side).set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    if width.checked_mul(height).is_none_or(|pixels| pixels == 0 || pixels > MOST_PIXELS) {
        return None;
    }
    let is_grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let (color, encoding, bytes) =
        if is_grey { (ColorSpace::Luma, Encoding::Mono8, 1) } else { (ColorSpace::RGB, Encoding::Rgb8, 3) };
    decoder.set_options(options.jpeg_set_out_colorspace(color));
    let data = decoder.decode().ok()?;
    if width.checked_mul(height)?.checked_mul(bytes) != Some(data.len()) {
        return None;
    }
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    Some(Image { width, height, encoding, data: data.into() })
}

/// Whether the file ends with an end-of-image marker, ignoring padding.
fn ends(file: &[u8]) -> bool {
    let end = file.iter().rposition(|byte| *byte == 0xd9).map_or(0, |at| at + 1);
    file.get(..end).is_some_and(|file| file.ends_with(&[0xff, 0xd9]))
}
