//! Message types: numbers computed from names.

use std::{borrow::Cow, collections::BTreeMap, fmt};

/// The number of a message type, computed from its name by [`message_type`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct TypeId(pub u32);

impl TypeId {
    /// `OBDDataM`.
    pub const OBD: Self = message_type("OBDDataM");
    /// `GPSDataM`.
    pub const GPS: Self = message_type("GPSDataM");
    /// `ImageM`.
    pub const IMAGE: Self = message_type("ImageM");
    /// `RobotPoseM`.
    pub const ROBOT_POSE: Self = message_type("RobotPoseM");
    /// `VelodyneRawDataM`.
    pub const VELODYNE: Self = message_type("VelodyneRawDataM");
    /// `LaserRange2DDataM`.
    pub const LASER: Self = message_type("LaserRange2DDataM");

    /// The name, for the six types in the specification.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::OBD => "OBDDataM",
            Self::GPS => "GPSDataM",
            Self::IMAGE => "ImageM",
            Self::ROBOT_POSE => "RobotPoseM",
            Self::VELODYNE => "VelodyneRawDataM",
            Self::LASER => "LaserRange2DDataM",
            _ => return None,
        })
    }

    /// The payload version that this crate reads.
    pub const fn version(self) -> Option<i32> {
        match self {
            Self::LASER => Some(101),
            Self::OBD | Self::GPS | Self::IMAGE | Self::ROBOT_POSE | Self::VELODYNE => Some(100),
            _ => None,
        }
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

/// The number of the message type called `name`: the sum of its bytes, each multiplied by its position plus 119.
///
/// As a sum, it may be the same for different names.
///
/// ```
/// use koblenz_log::{TypeId, message_type};
/// assert_eq!(message_type("OBDDataM"), TypeId(0x14043));
/// assert_eq!(message_type("MyDataM"), TypeId(0x13732));
/// ```
#[expect(clippy::indexing_slicing, reason = "below the length; iterators are not const")]
pub const fn message_type(name: &str) -> TypeId {
    let bytes = name.as_bytes();
    let (mut sum, mut i) = (0_u32, 0_usize);
    while i < bytes.len() {
        #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32, as the recorder's int counts")]
        let factor = (i as u32).wrapping_add(119);
        sum = sum.wrapping_add((bytes[i] as u32).wrapping_mul(factor));
        i = i.wrapping_add(1);
    }
    TypeId(sum)
}

/// Names for types beyond those in the specification. Their payloads stay bytes; with a name they are counted under it,
/// and recognised after damage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry {
    names: BTreeMap<TypeId, String>,
}

impl Registry {
    /// Adds the type called `name`, and returns its number.
    ///
    /// ```
    /// let mut registry = koblenz_log::Registry::default();
    /// let id = registry.add("MyDataM");
    /// assert_eq!(registry.name(id), "MyDataM");
    /// assert_eq!(registry.name(koblenz_log::TypeId(7)), "0x7");
    /// ```
    pub fn add(&mut self, name: &str) -> TypeId {
        let id = message_type(name);
        self.names.insert(id, name.to_owned());
        id
    }

    /// Whether the type is in the specification, or was added.
    pub fn knows(&self, id: TypeId) -> bool {
        id.name().is_some() || (!self.names.is_empty() && self.names.contains_key(&id))
    }

    /// The type's name; for an unknown type its number.
    pub fn name(&self, id: TypeId) -> Cow<'_, str> {
        match (id.name(), self.names.get(&id)) {
            (Some(name), _) => name.into(),
            (None, Some(name)) => name.into(),
            (None, None) => id.to_string().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_of_the_specification() {
        for (id, number) in [
            (TypeId::OBD, 0x14043),
            (TypeId::GPS, 0x14A32),
            (TypeId::IMAGE, 0x109C9),
            (TypeId::ROBOT_POSE, 0x1E342),
            (TypeId::VELODYNE, 0x3112B),
            (TypeId::LASER, 0x30910),
        ] {
            assert_eq!(id, TypeId(number));
            assert_eq!(id.name().map(message_type), Some(id));
        }
    }
}
