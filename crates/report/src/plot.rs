//! A single chart of the numbers, path, clouds or scans of a channel.

use std::{fmt, str::FromStr};

use robolog_convert::{Error, Limit, Report, Result};

use crate::{Options, Source, collect, page};

/// Output format of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotFormat {
    /// Scalable vector graphics, for numbers or the path of a channel.
    Svg,
    /// Pixels, for clouds, scans or images of a channel.
    Png,
}

impl FromStr for PlotFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            name => Err(Error::Target(format!("unknown plot format {name:?}: use svg or png").into())),
        }
    }
}

impl fmt::Display for PlotFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Svg => "svg",
            Self::Png => "png",
        })
    }
}

/// A picture of a recording.
#[derive(Debug)]
#[non_exhaustive]
pub struct Picture {
    /// The file.
    pub bytes: Vec<u8>,
    /// Report of reading the samples.
    pub read: Report,
}

/// Draws the samples selected by `limit`, usually a few channels, in one picture.
///
/// SVG shows the path in metres, then numbers over time; PNG shows clouds, scans or images. Returns an error if there
/// is nothing of that kind.
///
/// ```
/// use robolog_report::{Options, PlotFormat, plot};
/// let path = "examples/nav.alog";
/// let svg = plot(path, Default::default(), PlotFormat::Svg, &Options::default(), &mut |_| {})?;
/// assert!(svg.bytes.starts_with(b"<svg") && svg.read.damages == 0);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn plot<'a>(
    source: impl Into<Source<'a>>,
    limit: Limit,
    format: PlotFormat,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Picture> {
    let (surveyed, mut kept, read) = collect(source.into(), options, Some(limit), progress)?;
    // Those of the drawn channels alone would mislead.
    kept.happened.clone_from(&options.marks);
    let recording = page::Recording { name: "", surveyed: &surveyed, kept: &kept, read: &read };
    let picture = match format {
        PlotFormat::Svg => page::vectors(&recording).map(String::into_bytes),
        PlotFormat::Png => page::pixels(&recording),
    };
    let bytes = picture.ok_or_else(|| {
        let other = match format {
            PlotFormat::Svg => {
                "changing numbers or positions, which SVG shows; PNG shows clouds, scans and images"
            }
            PlotFormat::Png => "clouds, scans or images, which PNG shows; SVG shows numbers and paths",
        };
        Error::Empty(format!("these channels have no {other}").into())
    })?;
    Ok(Picture { bytes, read })
}
