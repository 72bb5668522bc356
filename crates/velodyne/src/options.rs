//! What can be chosen when packets become points.

/// The formula by which distances become coordinates.
///
/// The formulas differ for the HDL-64E alone, whose lasers sit beside the axis and have corrections of their own: by
/// centimetres on average, and up to 40 cm near the sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Profile {
    /// As the manufacturer's viewer: one distance correction, offsets perpendicular to the beam's heading.
    #[default]
    VeloView,
    /// As `VeloView`, with the distance corrected along x and y by the two-point interpolation of the manual.
    TwoPoint,
    /// As `VeloView`, with the vertical offset turned into the beam's own axes.
    Simple5,
    /// As the ROS driver: `Simple5` with two-point corrections at every range, that of y for z.
    Ros,
    /// As the package `velodyne_decoder` 3: two-point corrections below 25.04 m, their mean for z.
    VelodyneDecoder,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::VeloView, Self::TwoPoint, Self::Simple5, Self::Ros, Self::VelodyneDecoder];

    /// Its name as the command line gives it.
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
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ros, Self::Sensor];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ros => "ros",
            Self::Sensor => "sensor",
        }
    }
}

robolog_core::names!(Axes, "set of axes");

/// How the two returns of a shot are given, where the sensor reports both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DualReturns {
    /// Each block as it stands in the packet; a shot with one return gives it twice.
    Both,
    /// Side by side, last before strongest, and once where both have the same distance.
    #[default]
    Merged,
    /// The strongest alone.
    Strongest,
    /// The last alone.
    Last,
}

impl DualReturns {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Both, Self::Merged, Self::Strongest, Self::Last];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Merged => "merged",
            Self::Strongest => "strongest",
            Self::Last => "last",
        }
    }
}

robolog_core::names!(DualReturns, "way to give two returns");

/// What can be chosen when packets become points.
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
    /// Turns each point by what the head moved between the first shot of the block and its own. `None`: as the profile's
    /// origin does, which is for all sensors but the HDL-64E, and with [`Profile::VelodyneDecoder`] for that too.
    pub interpolate_azimuth: Option<bool>,
    /// The axes.
    pub axes: Axes,
    /// Dual returns.
    pub dual_returns: DualReturns,
    /// Corrects intensities by each laser's focal distance and slope, where the calibration has them.
    pub correct_intensity: bool,
    /// Metres below which returns are left out.
    pub min_range: f32,
    /// Metres above which returns are left out.
    pub max_range: f32,
}

impl Default for Options {
    /// The viewer's formula, everything else as the sensor means it, nothing left out.
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
    /// The same with this formula.
    #[must_use]
    pub const fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The same with azimuths interpolated or not, whatever the profile does.
    #[must_use]
    pub const fn with_interpolation(mut self, on: bool) -> Self {
        self.interpolate_azimuth = Some(on);
        self
    }

    /// The same in these axes.
    #[must_use]
    pub const fn with_axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// The same with dual returns given so.
    #[must_use]
    pub const fn with_dual_returns(mut self, dual: DualReturns) -> Self {
        self.dual_returns = dual;
        self
    }

    /// The same without or with the correction of intensities.
    #[must_use]
    pub const fn with_intensity_correction(mut self, on: bool) -> Self {
        self.correct_intensity = on;
        self
    }

    /// The same with returns outside these metres left out.
    #[must_use]
    pub const fn with_range(mut self, min: f32, max: f32) -> Self {
        self.min_range = min;
        self.max_range = max;
        self
    }
}
