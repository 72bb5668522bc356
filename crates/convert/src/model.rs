//! Models of LiDARs, for recordings that do not name theirs.

use std::{fmt, str::FromStr};

use robolog_core::format::UnknownName;

/// A model of a LiDAR: packets in a capture do not always name it, and recordings may name a wrong one.
///
/// ```
/// use robolog_convert::{Input, LidarModel};
/// let model: LidarModel = "mid-70".parse()?;
/// let input = Input::open("examples/room.lvx")?.with_model(Some(model));
/// assert_eq!(robolog_convert::survey(input, None, &mut |_| {})?.summary.details["devices"][0]["model"], "Mid-70");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LidarModel {
    /// Of Livox.
    #[cfg(feature = "from-lvx")]
    Livox(::lvx::Model),
    /// Of Velodyne.
    #[cfg(feature = "from-koblenz-log")]
    Velodyne(::koblenz_log::velodyne_packet::Model),
}

impl LidarModel {
    /// All models.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        #[cfg(feature = "from-lvx")]
        all.extend(::lvx::Model::ALL.map(Self::Livox));
        #[cfg(feature = "from-koblenz-log")]
        all.extend(::koblenz_log::velodyne_packet::Model::ALL.map(Self::Velodyne));
        all
    }

    /// The name used to select it: lower case, with hyphens.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "from-lvx")]
            Self::Livox(model) => model.name(),
            #[cfg(feature = "from-koblenz-log")]
            Self::Velodyne(model) => name_of(model),
        }
    }

    /// The model of Livox, if it is one.
    #[cfg(feature = "from-lvx")]
    pub fn livox(self) -> Option<::lvx::Model> {
        match self {
            Self::Livox(model) => Some(model),
            #[cfg(feature = "from-koblenz-log")]
            Self::Velodyne(_) => None,
        }
    }

    /// The model of Velodyne, if it is one.
    #[cfg(feature = "from-koblenz-log")]
    pub fn velodyne(self) -> Option<::koblenz_log::velodyne_packet::Model> {
        match self {
            Self::Velodyne(model) => Some(model),
            #[cfg(feature = "from-lvx")]
            Self::Livox(_) => None,
        }
    }
}

#[cfg(feature = "from-koblenz-log")]
const fn name_of(model: ::koblenz_log::velodyne_packet::Model) -> &'static str {
    use ::koblenz_log::velodyne_packet::Model;
    match model {
        Model::Hdl64eS1 => "hdl-64e-s1",
        Model::Hdl64eS2 => "hdl-64e-s2",
        Model::Hdl64eS3 => "hdl-64e-s3",
        Model::Hdl32e => "hdl-32e",
        Model::Vlp16 => "vlp-16",
        Model::PuckHiRes => "puck-hi-res",
        Model::Vlp32a => "vlp-32a",
        Model::Vlp32b => "vlp-32b",
        Model::Vlp32c => "vlp-32c",
        Model::Vls128 => "vls-128",
        other => other.name(),
    }
}

impl fmt::Display for LidarModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LidarModel {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::all().into_iter().find(|model| model.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownName::new("model", name, Self::all().iter().map(|model| model.name())))
    }
}
