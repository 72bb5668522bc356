//! Raster images, as PNG files in `data:` URLs.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use png::{BitDepth, ColorType};

use robolog_core::slices::value_at;

use crate::sheet::Pixels;

/// Viridis from 10 to 100 %: the dark end stays distinct from black.
pub(crate) const VIRIDIS: [[u8; 3]; 11] = [
    [72, 33, 115],
    [67, 62, 133],
    [56, 88, 140],
    [45, 112, 142],
    [37, 133, 142],
    [30, 155, 138],
    [42, 176, 127],
    [82, 197, 105],
    [134, 213, 73],
    [194, 223, 35],
    [253, 231, 37],
];

/// Number of colours; index 0 is transparent, so missing data never has a colour.
const SHADES: u8 = 64;

/// A raster of values as a `data:` URL; empty if it has no pixels.
pub(crate) fn values(values: &[f32], width: usize, range: (f64, f64)) -> String {
    file(values, width, range).map_or_else(String::new, |file| address(&file))
}

/// A raster of values as a PNG file, `width` per row from the top left: viridis from `low` to `high`, NaN transparent.
pub(crate) fn file(values: &[f32], width: usize, (low, high): (f64, f64)) -> Option<Vec<u8>> {
    let range = (high - low).max(1e-12);
    let shade = |value: f32| {
        if value.is_nan() {
            return 0;
        }
        let at = ((f64::from(value) - low) / range).clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let at = (at * f64::from(SHADES - 2)).round() as u8;
        at + 1
    };
    let pixels: Vec<u8> = values.iter().map(|value| shade(*value)).collect();
    let mut palette = vec![0, 0, 0];
    for n in 0..SHADES - 1 {
        palette.extend(viridis(f64::from(n) / f64::from(SHADES - 2)));
    }
    let height = pixels.len().checked_div(width)?;
    encode(&pixels, (width, height), ColorType::Indexed, Some(palette))
}

/// Fills columns without values from the previous one, up to the usual distance between columns with values, for data
/// rarer than the columns.
pub(crate) fn hold(values: &mut [f32], width: usize) {
    let mut used = vec![false; width];
    for row in values.chunks(width.max(1)) {
        for (used, value) in used.iter_mut().zip(row) {
            *used |= !value.is_nan();
        }
    }
    let columns: Vec<usize> =
        used.iter().enumerate().filter(|(_, used)| **used).map(|(column, _)| column).collect();
    let mut apart: Vec<usize> = columns.iter().zip(columns.iter().skip(1)).map(|(a, b)| b - a).collect();
    apart.sort_unstable();
    // Allow for some delay.
    let most = apart.get(apart.len() / 2).map_or(0, |usual| usual + usual / 2);
    for row in values.chunks_mut(width.max(1)) {
        let mut last: Option<(usize, f32)> = None;
        for (column, value) in row.iter_mut().enumerate() {
            if used.get(column) == Some(&true) {
                last = Some((column, *value));
            } else if let Some((from, held)) = last
                && column - from < most
            {
                *value = held;
            }
        }
    }
}

/// Colour index of a fraction between 0 and 1.
pub(crate) fn viridis(fraction: f64) -> [u8; 3] {
    let at = fraction.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let below = crate::axis::cell(at / VIRIDIS.len() as f64, VIRIDIS.len());
    let a = value_at(&VIRIDIS, below);
    let b = VIRIDIS.get(below + 1).map_or(a, |b| *b);
    let part = at - below as f64;
    let mut colour = [0; 3];
    for ((out, a), b) in colour.iter_mut().zip(a).zip(b) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
        let mixed = (f64::from(b) - f64::from(a)).mul_add(part, f64::from(a)).round() as u8;
        *out = mixed;
    }
    colour
}

/// A PNG file; `None` if the pixels do not fill it.
pub(crate) fn encode(
    pixels: &[u8],
    (width, height): (usize, usize),
    colour: ColorType,
    palette: Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
        encoder.set_trns(vec![0]);
    }
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

/// The pixels of a PNG file of eight bits.
pub(crate) fn decode(file: &[u8]) -> Option<Pixels> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut data = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut data).ok()?;
    let (width, height) = (usize::try_from(frame.width).ok()?, usize::try_from(frame.height).ok()?);
    let pixel = |bytes: &[u8]| match *bytes {
        [v] => [v, v, v, 255],
        [v, a] => [v, v, v, a],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a] => [r, g, b, a],
        _ => [0; 4],
    };
    let rgba = data.chunks(frame.color_type.samples()).flat_map(pixel).collect();
    Some(Pixels { rgba, width, height })
}

/// A file as a `data:` URL.
pub(crate) fn address(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seldom_columns_hold_until_the_next_and_gaps_stay() {
        let nan = f32::NAN;
        let mut values = vec![nan; 40];
        for column in [0, 4, 8, 12, 30] {
            values[column] = 1.0;
        }
        hold(&mut values, 40);
        let used: Vec<_> = (0..40).filter(|column| !values[*column].is_nan()).collect();
        assert_eq!(used, (0..=17).chain(30..=35).collect::<Vec<_>>());
    }

    #[test]
    fn values_become_pixels_and_nan_nothing() {
        let text = values(&[0.0, f32::NAN, 1.0, 2.0], 2, (0.0, 1.0));
        let file = STANDARD.decode(text.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels[..4], [72, 33, 115, 255]);
        assert_eq!(pixels[7], 0);
        assert_eq!(pixels[8..], [253, 231, 37, 255, 253, 231, 37, 255]);
        assert_eq!(values(&[], 0, (0.0, 1.0)), "");
    }
}
