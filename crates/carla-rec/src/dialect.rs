//! What the version field does not say: how wide vectors are, what packets 21 to 24 mean, how attributes and wheels
//! are written.

use crate::{Kind, layout::Width};

/// What can differ between recordings of one version. What is `None` is found from each packet's own bytes.
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
    /// How wide vectors are.
    pub vector: Option<Width>,
    /// What packets 21, 22, 23 and 24 are.
    pub shifting: [Option<Kind>; 4],
    /// The number of the first type of attributes: 0 or, since 0.9.16, 1.
    pub attribute_base: Option<u8>,
    /// Bytes of a wheel in physics controls: 36, 48, or 208 in recordings of UE5.
    pub wheel_bytes: Option<u16>,
}

/// Releases of CARLA by what they write.
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
    /// 0.9.16: doors behind the wheels, attributes counted from 1, and weather in builds since 2026.
    V0_9_16,
    /// 0.10 on Unreal Engine 5: vectors of doubles.
    Ue5,
}

impl Release {
    /// All of them, in order of time.
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

    /// Its name.
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

    /// What the header's version field holds.
    pub const fn version(self) -> u16 {
        if matches!(self, Self::V0_9_16) { 2 } else { 1 }
    }
}

robolog_core::names!(Release, "release");

impl Dialect {
    /// What a release writes.
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
            // Not established.
            Release::Ue5 => None,
            _ => Some(0),
        };
        Self { vector, shifting, attribute_base, wheel_bytes }
    }

    /// What packets with this id are, where that is settled.
    pub fn kind(&self, id: u8) -> Option<Kind> {
        let shift = usize::from(id.checked_sub(21)?);
        self.shifting.get(shift).copied().flatten()
    }

    /// The same, with what is still open taken from `other`.
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

    /// The release that writes so, as far as known.
    pub fn release(&self) -> Option<Release> {
        self.releases().next()
    }

    /// All releases that may.
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
