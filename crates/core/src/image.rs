//! Images, encoded or as rows of pixels.

use bytes::Bytes;

/// An image whose bytes are handed on as they stand.
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
    /// Columns; 0 where only the encoded data knows.
    pub width: u32,
    /// Rows; 0 where only the encoded data knows.
    pub height: u32,
    /// What the data is.
    pub encoding: Encoding,
    /// The file's bytes for an encoded image, else the rows from the top, without padding.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub data: Bytes,
}

/// How an image's data is encoded. Pixel encodings have the names of ROS's `sensor_msgs/image_encodings`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Encoding {
    /// A JPEG file.
    Jpeg,
    /// A PNG file.
    Png,
    /// One byte a pixel.
    Mono8,
    /// Two bytes a pixel, big-endian.
    Mono16,
    /// Three bytes a pixel: red, green, blue.
    Rgb8,
    /// Six bytes a pixel, big-endian.
    Rgb16,
}

impl Encoding {
    /// Its name, as ROS and Foxglove spell it.
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

    /// Whether its numbers are of several bytes, which are big-endian as in PNG and PNM files.
    pub const fn is_big_endian(self) -> bool {
        matches!(self, Self::Mono16 | Self::Rgb16)
    }

    /// Bytes a pixel takes; `None` where the data is an encoded file.
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
