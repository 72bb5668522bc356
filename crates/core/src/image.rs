//! Images, encoded or as rows of pixels.

use bytes::Bytes;

/// An image whose bytes are passed on unchanged.
///
/// ```
/// use robolog_core::{Encoding, Image};
/// let image = Image { width: 2, height: 1, encoding: Encoding::Rgb8, data: vec![255, 0, 0, 0, 0, 255].into() };
/// let pixels: Vec<_> = image.data.chunks(image.encoding.bytes_per_pixel().unwrap_or(1)).collect();
/// assert_eq!(pixels, [[255, 0, 0], [0, 0, 255]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Image {
    /// Columns; 0 if only the encoded data has it.
    pub width: u32,
    /// Rows; 0 if only the encoded data has it.
    pub height: u32,
    /// Encoding of the data.
    pub encoding: Encoding,
    /// The bytes of the file for an encoded image, otherwise the rows from the top, without padding.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub data: Bytes,
}

/// Encoding of an image. Pixel encodings are named as in ROS's `sensor_msgs/image_encodings`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Encoding {
    /// A JPEG file.
    Jpeg,
    /// A PNG file.
    Png,
    /// One byte per pixel.
    Mono8,
    /// Two bytes per pixel, big-endian.
    Mono16,
    /// Three bytes per pixel: red, green, blue.
    Rgb8,
    /// Six bytes per pixel, big-endian.
    Rgb16,
}

impl Encoding {
    /// Its name, as in ROS and Foxglove.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Mono8 => "mono8",
            Self::Mono16 => "mono16",
            Self::Rgb8 => "rgb8",
            Self::Rgb16 => "rgb16",
        }
    }

    /// Whether it has multi-byte numbers, which are big-endian as in PNG and PNM files.
    pub const fn is_big_endian(self) -> bool {
        matches!(self, Self::Mono16 | Self::Rgb16)
    }

    /// Bytes per pixel; `None` if the data is an encoded file.
    pub const fn bytes_per_pixel(self) -> Option<usize> {
        match self {
            Self::Jpeg | Self::Png => None,
            Self::Mono8 => Some(1),
            Self::Mono16 => Some(2),
            Self::Rgb8 => Some(3),
            Self::Rgb16 => Some(6),
        }
    }
}
