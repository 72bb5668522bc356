//! Options for converting packets to points.

/// The formula that converts distances to coordinates.
///
/// The formulas differ only for the HDL-64E, whose lasers are beside the axis and have individual corrections: by
/// centimetres on average, and up to 40 cm near the sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Profile {
    /// Like the manufacturer's viewer: one distance correction, offsets perpendicular to the beam's heading.
    #[default]
    VeloView,
    /// Like `VeloView`, with the distance corrected along x and y by the manual's two-point interpolation.
    TwoPoint,
    /// Like `VeloView`, with the vertical offset rotated into the beam's axes.
    Simple5,
    /// Like the ROS driver: `Simple5` with two-point corrections at every range, using that of y for z.
    Ros,
    /// Like the package `velodyne_decoder` 3: two-point corrections below 25.04 m, using their mean for z.
    VelodyneDecoder,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 5] =
        [Self::VeloView, Self::TwoPoint, Self::Simple5, Self::Ros, Self::VelodyneDecoder];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VeloView => "veloview",
            Self::TwoPoint => "two-point",
            Self::Simple5 => "simple5",
            Self::Ros => "ros",
            Self::VelodyneDecoder => "velodyne-decoder",
        }
    }
}

robolog_core::names!(Profile, "formula");

/// The axes of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Axes {
    /// x forward, y left, z up, as everywhere in these crates.
    #[default]
    Ros,
    /// x right, y forward, z up, as in the manufacturer's manuals and viewer.
    Sensor,
}

impl Axes {
    /// All axes.
    pub const ALL: [Self; 2] = [Self::Ros, Self::Sensor];

    /// The name used to select it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ros => "ros",
            Self::Sensor => "sensor",
        }
    }
}

robolog_core::names!(Axes, "set of axes");

/// How to deliver the two returns of a shot, if the sensor reports both. Their numbers are as in LAS: 1 is the nearer one,
/// 2 the farther one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DualReturns {
    /// Each block as in the packet; a shot with one return gives it twice.
    Both,
    /// Next to each other, the last one before the other; only one if both have the same distance.
    #[default]
    Merged,
}

impl DualReturns {
    /// All choices.
    pub const ALL: [Self; 2] = [Self::Both, Self::Merged];

    /// The name used to select it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Merged => "merged",
        }
    }
}

robolog_core::names!(DualReturns, "way to give two returns");

/// Options for converting packets to points.
///
/// ```
/// use velodyne_packet::{Axes, DualReturns, Options};
/// let options =
///     Options::default().with_range(1.0, 100.0).with_axes(Axes::Sensor).with_dual_returns(DualReturns::Merged);
/// assert_eq!((options.min_range, options.max_range), (1.0, 100.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The formula.
    pub profile: Profile,
    /// Rotates each point by the head's turn between the first shot of the block and its own. `None`: as in the
    /// software the profile is named after, that is, for all sensors except the HDL-64E, and with
    /// [`Profile::VelodyneDecoder`] for that too.
    pub interpolate_azimuth: Option<bool>,
    /// The axes.
    pub axes: Axes,
    /// Dual returns.
    pub dual_returns: DualReturns,
    /// Corrects intensities by each laser's focal distance and slope, if in the calibration.
    pub correct_intensity: bool,
    /// Minimum range in metres; closer returns are dropped.
    pub min_range: f32,
    /// Maximum range in metres; farther returns are dropped.
    pub max_range: f32,
}

impl Default for Options {
    /// The viewer's formula, everything else as the sensor intends, nothing dropped.
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            interpolate_azimuth: None,
            axes: Axes::default(),
            dual_returns: DualReturns::default(),
            correct_intensity: true,
            min_range: 0.0,
            max_range: f32::INFINITY,
        }
    }
}

impl Options {
    /// Sets the formula.
    #[must_use]
    pub const fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Sets whether azimuths are interpolated, whatever the profile.
    #[must_use]
    pub const fn with_interpolation(mut self, on: bool) -> Self {
        self.interpolate_azimuth = Some(on);
        self
    }

    /// Sets the axes.
    #[must_use]
    pub const fn with_axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// Sets how dual returns are delivered.
    #[must_use]
    pub const fn with_dual_returns(mut self, dual: DualReturns) -> Self {
        self.dual_returns = dual;
        self
    }

    /// Sets whether intensities are corrected.
    #[must_use]
    pub const fn with_intensity_correction(mut self, on: bool) -> Self {
        self.correct_intensity = on;
        self
    }

    /// Sets the range in metres outside which returns are dropped.
    #[must_use]
    pub const fn with_range(mut self, min: f32, max: f32) -> Self {
        self.min_range = min;
        self.max_range = max;
        self
    }
}
