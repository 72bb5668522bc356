//! What the version field does not give: the width of vectors, the meaning of packets 21 to 24, and the encoding of
//! attributes and wheels.

use crate::{Kind, layout::Width};

/// What can differ between recordings of one version. Fields that are `None` are found from the bytes of each packet.
///
/// ```
/// use carla_rec::{Dialect, Kind, Release, Width};
/// let dialect = Dialect::of(Release::V0_9_15);
/// assert_eq!(dialect.vector, Some(Width::F32));
/// assert_eq!(dialect.kind(21), Some(Kind::AnimVehicleWheels));
/// assert_eq!(Dialect::default().kind(21), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Dialect {
    /// Width of vectors.
    pub vector: Option<Width>,
    /// Kinds of packets 21, 22, 23 and 24.
    pub shifting: [Option<Kind>; 4],
    /// Number of the first attribute type: 0, or 1 since 0.9.16.
    pub attribute_base: Option<u8>,
    /// Bytes of a wheel in physics controls: 36, 48, or 208 in UE5 recordings.
    pub wheel_bytes: Option<u16>,
}

/// Releases of CARLA, by their format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Release {
    /// 0.9.4 and 0.9.5: packets 0 to 7.
    V0_9_4,
    /// 0.9.6 to 0.9.9: controls and walkers.
    V0_9_6,
    /// 0.9.10 and 0.9.11: lights, and additional data with wheels of 36 bytes.
    V0_9_10,
    /// 0.9.12 and 0.9.13: wheels of 48 bytes.
    V0_9_12,
    /// 0.9.14: bones and visual time.
    V0_9_14,
    /// 0.9.15: turning wheels and bikers.
    V0_9_15,
    /// Development builds between 2023-11 and 2025-03: doors before the wheels.
    Dev2024,
    /// 0.9.16: doors after the wheels, attribute types counted from 1, and weather in builds since 2026.
    V0_9_16,
    /// 0.10 on Unreal Engine 5: vectors of doubles.
    Ue5,
}

impl Release {
    /// All releases, in order of time.
    pub const ALL: [Self; 9] = [
        Self::V0_9_4,
        Self::V0_9_6,
        Self::V0_9_10,
        Self::V0_9_12,
        Self::V0_9_14,
        Self::V0_9_15,
        Self::Dev2024,
        Self::V0_9_16,
        Self::Ue5,
    ];

    /// Name of the release.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V0_9_4 => "0.9.4",
            Self::V0_9_6 => "0.9.6",
            Self::V0_9_10 => "0.9.10",
            Self::V0_9_12 => "0.9.12",
            Self::V0_9_14 => "0.9.14",
            Self::V0_9_15 => "0.9.15",
            Self::Dev2024 => "dev-2024",
            Self::V0_9_16 => "0.9.16",
            Self::Ue5 => "ue5",
        }
    }

    /// Value of the header's version field.
    pub const fn version(self) -> u16 {
        if matches!(self, Self::V0_9_16) { 2 } else { 1 }
    }
}

robolog_core::names!(Release, "release");

impl Dialect {
    /// Dialect of the release.
    pub const fn of(release: Release) -> Self {
        use Kind::{AnimBiker, AnimVehicleWheels, VehicleDoor, Weather};
        let shifting = match release {
            Release::V0_9_15 => [Some(AnimVehicleWheels), Some(AnimBiker), None, None],
            Release::Dev2024 | Release::Ue5 => {
                [Some(VehicleDoor), Some(AnimVehicleWheels), Some(AnimBiker), None]
            }
            Release::V0_9_16 => [Some(AnimVehicleWheels), Some(AnimBiker), Some(VehicleDoor), Some(Weather)],
            _ => [None; 4],
        };
        let wheel_bytes = match release {
            Release::V0_9_4 | Release::V0_9_6 => None,
            Release::V0_9_10 => Some(36),
            Release::Ue5 => Some(208),
            _ => Some(48),
        };
        let vector = Some(if matches!(release, Release::Ue5) { Width::F64 } else { Width::F32 });
        let attribute_base = match release {
            Release::V0_9_16 => Some(1),
            // Not known.
            Release::Ue5 => None,
            _ => Some(0),
        };
        Self { vector, shifting, attribute_base, wheel_bytes }
    }

    /// Kind of packets with this id, if known.
    pub fn kind(&self, id: u8) -> Option<Kind> {
        let shift = usize::from(id.checked_sub(21)?);
        self.shifting.get(shift).copied().flatten()
    }

    /// The same, with open fields taken from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut shifting = self.shifting;
        for (mine, theirs) in shifting.iter_mut().zip(other.shifting) {
            *mine = mine.or(theirs);
        }
        Self {
            vector: self.vector.or(other.vector),
            shifting,
            attribute_base: self.attribute_base.or(other.attribute_base),
            wheel_bytes: self.wheel_bytes.or(other.wheel_bytes),
        }
    }

    /// The release with this dialect, if known.
    pub fn release(&self) -> Option<Release> {
        self.releases().next()
    }

    /// All releases that may have this dialect.
    pub(crate) fn releases(&self) -> impl Iterator<Item = Release> + use<'_> {
        let agrees = move |release: &Release| {
            let theirs = Self::of(*release);
            let known = self.vector.is_some() || self.shifting.iter().any(Option::is_some);
            known
                && self.vector.is_none_or(|w| theirs.vector == Some(w))
                && self.shifting.iter().zip(theirs.shifting).all(|(a, b)| a.is_none() || *a == b)
                && self.attribute_base.is_none_or(|b| theirs.attribute_base.is_none_or(|c| c == b))
                && self.wheel_bytes.is_none_or(|b| theirs.wheel_bytes.is_none_or(|c| c == b))
        };
        Release::ALL.into_iter().filter(agrees)
    }
}
