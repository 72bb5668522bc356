//! Independent parts of a file of any format.

use std::path::Path;

use robolog_core::{Limits, Split, Splits, StreamReader};

use crate::{
    Error, Input, Result, Settings, Source, Visit,
    source::{BoxSamples, PlainFile, Stream},
};

/// Splits the file at `path` into parts of `target_bytes` or more that can be read independently. `format` names the
/// format; `None` detects it. A data set, a compressed file and text in another encoding than UTF-8 are one split.
///
/// ```
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/room.lvx");
/// let settings = robolog_convert::Settings::default();
/// let splits = robolog_convert::splits(path, 50_000, None, &settings)?;
/// assert_eq!(splits.len(), 4);
/// let mut clouds = 0;
/// for split in &splits {
///     for sample in robolog_convert::samples_of(split, None, &settings)? {
///         clouds += usize::from(sample?.value.kind() == "point_cloud");
///     }
/// }
/// assert_eq!(clouds, 10);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn splits(
    path: impl AsRef<Path>,
    target_bytes: u64,
    format: Option<&str>,
    settings: &Settings,
) -> Result<Vec<Split>> {
    Input::open(path)?.splits(target_bytes, format, settings)
}

impl Input {
    /// Splits the input as [`splits`] does a file. An input that cannot be read from any offset is one split.
    pub fn splits(self, target_bytes: u64, format: Option<&str>, settings: &Settings) -> Result<Vec<Split>> {
        let input = self.with_settings(settings);
        if let Some(file) = input.plain_file(format) {
            return input.visit(format, Planned { file: &file, target_bytes, settings })?;
        }
        let path = input.path().unwrap_or_else(|| Path::new(input.name()));
        Ok(vec![Split::whole(path, input.len().unwrap_or(0))])
    }
}

/// Reads the samples of a split, with the format and the settings that the file was split with.
///
/// Returns an error if the file cannot be opened. An item is an error for damage, and if the file is not the one that
/// was split.
pub fn samples_of(split: &Split, format: Option<&str>, settings: &Settings) -> Result<BoxSamples> {
    let input = Input::open_again(&split.path, Limits::default(), split.end)?.with_settings(settings);
    match input.plain_file(format).filter(|_| !split.is_whole()) {
        Some(file) => input.visit(format, Part { file: &file, split, settings })?,
        None => input.samples_with(format, settings),
    }
}

/// Finds the splits of a file.
struct Planned<'a> {
    file: &'a PlainFile,
    target_bytes: u64,
    settings: &'a Settings,
}

impl Visit for Planned<'_> {
    type Output = Result<Vec<Split>>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Self::Output {
        let options = F::options(self.settings);
        F::apply_options(reader.header_mut(), &options);
        let splits = Splits::new(reader, &self.file.path, self.target_bytes, &options);
        splits.map(|split| split.map_err(Error::from)).collect()
    }
}

/// Reads a split.
struct Part<'a> {
    file: &'a PlainFile,
    split: &'a Split,
    settings: &'a Settings,
}

impl Visit for Part<'_> {
    type Output = Result<BoxSamples>;

    fn visit<F: Source>(self, _: StreamReader<Stream, F>) -> Self::Output {
        let samples = self.file.open::<F>()?.samples_of(self.split, F::options(self.settings))?;
        Ok(Box::new(samples.map(|sample| sample.map_err(Error::from))))
    }
}
