//! Numbered files of an interface: images or scans.

use std::collections::BTreeSet;

use super::name::Number;

/// Numbered files: images or scans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Series {
    /// Files.
    pub files: u64,
    /// The lowest number.
    pub first: u64,
    /// The highest number.
    pub last: u64,
    /// Digits that numbers are padded to; 0 if they are not padded.
    pub digits: usize,
    /// The extension of images, with its dot if it has one.
    pub extension: String,
    /// Layers of scans.
    pub layers: BTreeSet<u32>,
    /// Files with another extension, or with numbers written otherwise: they are copied but not read.
    pub odd: u64,
    #[cfg_attr(feature = "serde", serde(skip))]
    widths: Option<(usize, usize)>,
    #[cfg_attr(feature = "serde", serde(skip))]
    padded: bool,
}

/// Maximum number of layers.
const LAYERS: usize = 64;

impl Series {
    pub(super) fn add(&mut self, number: Number<'_>, extension: &str, layer: Option<u32>) {
        if self.files == 0 {
            extension.clone_into(&mut self.extension);
            self.first = number.value;
        }
        if extension != self.extension {
            self.odd += 1;
            return;
        }
        self.files += 1;
        self.first = self.first.min(number.value);
        self.last = self.last.max(number.value);
        let width = number.digits.len();
        let (least, most) = self.widths.unwrap_or((width, width));
        self.widths = Some((least.min(width), most.max(width)));
        self.padded |= width > 1 && number.digits.starts_with('0');
        if let Some(layer) = layer
            && self.layers.len() < LAYERS
        {
            self.layers.insert(layer);
        }
    }

    pub(super) fn settle(&mut self) {
        self.digits = if self.padded { self.widths.map_or(0, |(least, _)| least) } else { 0 };
    }

    /// The part of a file name after the interface's name.
    pub(crate) fn ending(&self, number: u64, layer: Option<u32>) -> String {
        let digits = self.digits;
        match layer {
            Some(layer) => format!("-{number:0digits$}-{layer}.txt"),
            None => format!("-{number:0digits$}{}", self.extension),
        }
    }

    /// Number of the first row of `.dates`.
    ///
    /// That is 1, or the lowest number if the files are as many as the rows, as after a cut, which keeps the names.
    pub fn base(&self, rows: u64) -> u64 {
        let span = self.last.saturating_sub(self.first).saturating_add(1);
        let is_cut = self.last > rows && span <= rows;
        if is_cut || self.first == 0 { self.first } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_after_a_cut_is_that_of_the_first_row() {
        let series = |first, last| Series { first, last, files: 1, ..Series::default() };
        assert_eq!(series(1, 200).base(200), 1);
        assert_eq!(series(101, 150).base(50), 101);
        // Images are missing, rows are not.
        assert_eq!(series(101, 200).base(200), 1);
        assert_eq!(series(3, 200).base(500), 1);
        assert_eq!(series(0, 199).base(200), 0);
    }
}
