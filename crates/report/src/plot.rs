//! Pictures of recordings: where it went, clouds and scans beside numbers over time.

mod charts;
mod lanes;
mod layout;
mod metres;
mod plan;
mod views;

use std::{fmt, str::FromStr};

use robolog_convert::{Error, Limit, Report, Result, Surveyed};

use crate::{Options, Part, Source, axis, chosen, collect::Collected, read, surveyed};

/// Output format of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PlotFormat {
    /// Pixels.
    #[default]
    Png,
    /// Scalable vector graphics.
    Svg,
}

impl FromStr for PlotFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            name => Err(Error::Target(format!("unknown plot format {name:?}: use png or svg").into())),
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

/// Width and height of a plot, and the pixels of the file for each of it: `1280x800` or, with twice the pixels,
/// `1280x800@2`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PlotSize {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Pixels of the file for each.
    pub scale: f64,
}

impl Default for PlotSize {
    fn default() -> Self {
        Self { width: 1280, height: 800, scale: 1.0 }
    }
}

impl FromStr for PlotSize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parsed = || {
            let (size, scale) = text.split_once('@').unwrap_or((text, "1"));
            let (width, height) = size.split_once('x')?;
            let (width, height) = (width.parse().ok()?, height.parse().ok()?);
            let scale: f64 = scale.parse().ok()?;
            let is_fit = |pixels: u32| (200..=8000).contains(&pixels);
            (is_fit(width) && is_fit(height) && (0.5..=4.0).contains(&scale)).then_some(Self {
                width,
                height,
                scale,
            })
        };
        parsed().ok_or_else(|| {
            let why = format!("expected WIDTHxHEIGHT from 200 to 8000, such as 1280x800, or 1280x800@2 with twice the pixels, not {text:?}");
            Error::Target(why.into())
        })
    }
}

/// What a plot shows, and how.
///
/// ```
/// let mut plotting = robolog_report::Plotting::default();
/// plotting.size = Some("1600x900@2".parse()?);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Plotting {
    /// The samples to draw.
    pub limit: Limit,
    /// The format of the picture.
    pub format: PlotFormat,
    /// Its size; by default one screen, or less for a few charts.
    pub size: Option<PlotSize>,
}

/// A picture of recordings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Picture {
    /// The file.
    pub bytes: Vec<u8>,
    /// Reports of reading the samples, one for each recording.
    pub read: Vec<Report>,
    /// Number of charts that had no space.
    pub left_out: usize,
}

/// A recording of a picture.
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) surveyed: Surveyed,
    pub(crate) kept: Collected,
    pub(crate) read: Report,
}

/// Draws recordings in one picture: where they went, clouds, scans and images on the left; numbers over time on the
/// right. Recordings of the same time share its axis; otherwise each counts from its own start.
///
/// Returns an error if nothing was selected.
///
/// ```
/// use robolog_report::{Options, Plotting, plot};
/// let path = "examples/nav.alog";
/// let png = plot(&[path.into()], &Plotting::default(), &Options::default(), &mut |_| {})?;
/// assert!(png.bytes.starts_with(b"\x89PNG") && png.read[0].damages == 0);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn plot(
    sources: &[Source<'_>],
    plotting: &Plotting,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Picture> {
    let mut sides = sides(sources, plotting, options, progress)?;
    // Those of the drawn channels alone would mislead.
    for side in &mut sides {
        side.kept.happened.clone_from(&options.marks);
    }
    let (sheet, left_out) = layout::sheet(&sides, plotting).ok_or_else(|| {
        let is_whole = plotting.limit.is_unlimited();
        let why =
            if is_whole { "there are no samples to draw" } else { "nothing was selected that has samples" };
        Error::Empty(why.into())
    })?;
    let scale = plotting.size.unwrap_or_default().scale;
    let bytes = match plotting.format {
        PlotFormat::Svg => sheet.to_svg(scale),
        PlotFormat::Png => sheet.to_png(scale).unwrap_or_default(),
    };
    Ok(Picture { bytes, read: sides.into_iter().map(|side| side.read).collect(), left_out })
}

/// The recordings, read.
pub(crate) fn sides(
    sources: &[Source<'_>],
    plotting: &Plotting,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Side>> {
    let spooled = sources.iter().map(|source| source.spool()).collect::<Result<Vec<_>>>()?;
    let opened: Vec<Source<'_>> = sources
        .iter()
        .zip(&spooled)
        .map(|(source, spooled)| spooled.as_ref().map_or(*source, Source::Spooled))
        .collect();
    let mut parts = Vec::new();
    for source in &opened {
        let len = source.len();
        let mut surveyed = surveyed(*source, len, options, progress)?;
        let (limit, span) = chosen(&mut surveyed, &plotting.limit, options)?;
        parts.push((*source, len, surveyed, limit, span));
    }
    let spans: Vec<_> = parts.iter().map(|part| part.4).collect();
    let mut sides = Vec::new();
    for ((source, len, surveyed, limit, _), axis) in parts.into_iter().zip(axis::shared(&spans).0) {
        let (kept, read) = read(source, len, &surveyed, Part { axis, limit }, options, progress)?;
        sides.push(Side { name: source.name(), surveyed, kept, read });
    }
    Ok(sides)
}
