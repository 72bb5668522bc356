//! Images: a few small ones, evenly over the recording.

use robolog_convert::sink::jpeg;
use robolog_core::{
    Encoding, Image,
    slices::{OrZero as _, value_at},
};

use crate::{axis::cell, raster};

/// The images of one channel.
#[derive(Debug)]
pub(crate) struct Thumbs {
    pub(crate) name: String,
    pub(crate) samples: u64,
    /// Size and encoding of the first image.
    pub(crate) about: String,
    /// Thumbnails, in time order.
    pub(crate) small: Vec<Thumb>,
    /// Chosen images that could not be decoded.
    pub(crate) failed: u64,
    wanted: u64,
    expected: u64,
}

/// A thumbnail.
#[derive(Debug)]
pub(crate) struct Thumb {
    pub(crate) t: Option<f64>,
    /// A PNG file.
    pub(crate) file: Vec<u8>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Maximum width and height of a thumbnail.
const WIDTH: usize = 240;
const HEIGHT: usize = 180;
/// Maximum pixels of an image to decode: some encodings take ten bytes per pixel.
const MOST_PIXELS: usize = 1 << 23;

impl Thumbs {
    /// Keeps `wanted` of the `expected` images.
    pub(crate) fn new(name: String, wanted: u64, expected: u64) -> Self {
        Self { name, samples: 0, about: String::new(), small: Vec::new(), failed: 0, wanted, expected }
    }

    pub(crate) fn add(&mut self, t: Option<f64>, image: &Image) {
        let number = self.samples;
        self.samples += 1;
        let made = self.small.len() as u64 + self.failed;
        // The middle of each part.
        let next = (2 * made + 1).saturating_mul(self.expected) / (2 * self.wanted).max(1);
        if made >= self.wanted || number < next {
            return;
        }
        match thumb(image) {
            Some((file, (width, height), (from_width, from_height))) => {
                if self.about.is_empty() {
                    self.about = format!("{from_width} × {from_height} pixels, {}", image.encoding.name());
                }
                self.small.push(Thumb { t, file, width, height });
            }
            None => self.failed += 1,
        }
    }
}

type Size = (usize, usize);

/// A thumbnail as PNG, its size, and that of the image.
fn thumb(image: &Image) -> Option<(Vec<u8>, Size, Size)> {
    let decoded;
    let image = match image.encoding {
        Encoding::Jpeg => {
            if jpeg_pixels(&image.data)? > MOST_PIXELS {
                return None;
            }
            decoded = jpeg::decode(&image.data)?;
            &decoded
        }
        Encoding::Png => {
            decoded = png(&image.data)?;
            &decoded
        }
        _ => image,
    };
    let (width, height) = (usize::try_from(image.width).ok()?, usize::try_from(image.height).ok()?);
    let bytes = image.encoding.bytes_per_pixel()?;
    if width.checked_mul(height)?.checked_mul(bytes)? != image.data.len() || image.data.is_empty() {
        return None;
    }
    let (sample, channels) = if image.encoding.is_big_endian() { (2, bytes / 2) } else { (1, bytes) };
    let scale = (WIDTH as f64 / width as f64).min(HEIGHT as f64 / height as f64).min(1.0);
    let small = |n: usize| cell(scale * n as f64 / (n as f64 + 1.0), n + 1).max(1);
    let (small_width, small_height) = (small(width), small(height));
    let mut pixels = Vec::with_capacity(small_width * small_height * channels);
    for row in 0..small_height {
        for column in 0..small_width {
            for channel in 0..channels {
                let (x0, x1) = (column * width / small_width, (column + 1) * width / small_width);
                let (y0, y1) = (row * height / small_height, (row + 1) * height / small_height);
                let (mut sum, mut n) = (0_u64, 0_u64);
                for y in y0..y1.max(y0 + 1) {
                    for x in x0..x1.max(x0 + 1) {
                        // The first of two bytes is the high one.
                        let at = (y * width + x) * bytes + channel * sample;
                        sum += u64::from(value_at(&image.data, at));
                        n += 1;
                    }
                }
                let mean = u8::try_from(sum.div_or_zero(n)).unwrap_or(u8::MAX);
                // The lowest three bits are noise, which does not compress.
                pixels.push(mean & 0xf8 | mean >> 5);
            }
        }
    }
    let colour = if channels == 1 { png::ColorType::Grayscale } else { png::ColorType::Rgb };
    let size = (small_width, small_height);
    Some((raster::encode(&pixels, size, colour, None)?, size, (width, height)))
}

/// Number of pixels by the frame header of a JPEG file.
fn jpeg_pixels(file: &[u8]) -> Option<usize> {
    let two = |at: usize| Some(usize::from(u16::from_be_bytes(file.get(at..at + 2)?.try_into().ok()?)));
    let mut at = 2;
    loop {
        match file.get(at..at + 2)? {
            // Fill bytes.
            [0xff, 0xff] => at += 1,
            // Frame markers of all encodings; the range also includes tables and an extension.
            [0xff, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf] => {
                return two(at + 5)?.checked_mul(two(at + 7)?);
            }
            [0xff, _] => at += 2 + two(at + 2)?,
            _ => return None,
        }
    }
}

/// The pixels of a PNG file, grey or RGB.
fn png(file: &[u8]) -> Option<Image> {
    let limits = png::Limits { bytes: MOST_PIXELS * 3 };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(file), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let size = reader.output_buffer_size().filter(|size| *size <= MOST_PIXELS * 3)?;
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data).ok()?;
    data.truncate(info.buffer_size());
    let drop_alpha = |data: &[u8], n: usize| -> Vec<u8> {
        data.chunks_exact(n).flat_map(|pixel| pixel.iter().take(n - 1).copied()).collect()
    };
    let (encoding, data) = match info.color_type {
        png::ColorType::Grayscale => (Encoding::Mono8, data),
        png::ColorType::Rgb => (Encoding::Rgb8, data),
        png::ColorType::GrayscaleAlpha => (Encoding::Mono8, drop_alpha(&data, 2)),
        png::ColorType::Rgba => (Encoding::Rgb8, drop_alpha(&data, 4)),
        png::ColorType::Indexed => return None,
    };
    Some(Image { width: info.width, height: info.height, encoding, data: data.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32) -> Image {
        let data: Vec<u8> = (0..width * height).map(|n| u8::try_from(n % 251).unwrap_or_default()).collect();
        Image { width, height, encoding: Encoding::Mono8, data: data.into() }
    }

    #[test]
    fn images_are_made_small_and_small_ones_stay() {
        let (_, size, from) = thumb(&grey(960, 360)).unwrap();
        assert_eq!((size, from), ((240, 90), (960, 360)));
        assert_eq!(thumb(&grey(20, 15)).unwrap().1, (20, 15));
        let short = Image { width: 100, ..grey(20, 15) };
        assert!(thumb(&short).is_none());
    }

    #[test]
    fn a_few_of_many_are_kept_evenly() {
        let mut thumbs = Thumbs::new("camera".into(), 4, 100);
        for n in 0..100 {
            thumbs.add(Some(f64::from(n)), &grey(8, 8));
        }
        let times: Vec<_> = thumbs.small.iter().filter_map(|thumb| thumb.t).collect();
        assert_eq!(times, [12.0, 37.0, 62.0, 87.0]);
    }

    #[test]
    fn a_picture_that_claims_more_pixels_than_fit_is_not_decoded() {
        let head = |height: u8, width: u8| {
            [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc0, 0, 9, 8, height, 0, width, 0]
        };
        assert_eq!(jpeg_pixels(&head(1, 2)), Some(256 * 512));
        assert_eq!((jpeg_pixels(&head(1, 2)[..15]), jpeg_pixels(&[0xff, 0xd8, 0, 0])), (None, None));
        let data = head(0xff, 0xff).to_vec();
        let image = Image { width: 8, height: 8, encoding: Encoding::Jpeg, data: data.into() };
        assert!(thumb(&image).is_none());
    }

    #[test]
    fn what_is_no_image_is_counted() {
        let mut thumbs = Thumbs::new("camera".into(), 2, 2);
        let torn = Image { width: 0, height: 0, encoding: Encoding::Png, data: vec![1, 2, 3].into() };
        thumbs.add(None, &torn);
        thumbs.add(None, &torn);
        assert_eq!((thumbs.failed, thumbs.small.len()), (2, 0));
    }
}
