//! Packet 2: actors that appear.

use std::borrow::Cow;

use robolog_core::{Result, slices::before};

use crate::{
    each::{Each, each},
    layout::{AdditionHead, Rotation, Vector, Width},
    walk::Walk,
};

const NAME: &str = "EventAdd packet";

/// Actors of an `EventAdd` packet.
#[derive(Clone, Copy)]
pub struct Additions<'a> {
    body: &'a [u8],
    walk: Walk<'a>,
    left: u16,
    width: Width,
}

/// An actor that appears.
#[derive(Debug, Clone, Copy)]
pub struct Addition<'a> {
    /// Offset in the file.
    pub offset: u64,
    /// The record as it lies in the file.
    pub bytes: &'a [u8],
    /// Actor id.
    pub id: u32,
    /// Kind of actor.
    pub kind: ActorKind,
    /// Spawn location: centimetres, Unreal's axes.
    pub location: Vector,
    /// Spawn rotation, degrees.
    pub rotation: Rotation,
    /// Id of its description.
    pub description_uid: u32,
    /// Its blueprint, such as `vehicle.tesla.model3`.
    pub type_id: &'a [u8],
    /// Its attributes, in file order.
    pub attributes: Attributes<'a>,
}

/// Kind of an actor, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorKind(pub u8);

impl ActorKind {
    /// The spectator, props; before 0.9.12 also sensors.
    pub const OTHER: Self = Self(0);
    /// Cars, bicycles, motorcycles.
    pub const VEHICLE: Self = Self(1);
    /// Pedestrians.
    pub const WALKER: Self = Self(2);
    /// Traffic lights.
    pub const TRAFFIC_LIGHT: Self = Self(3);
    /// Traffic signs, since 0.9.10. CARLA's documentation calls it invalid.
    pub const TRAFFIC_SIGN: Self = Self(4);
    /// Sensors, since 0.9.12.
    pub const SENSOR: Self = Self(5);

    /// Name of the kind; `None` if unknown.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::OTHER => "other",
            Self::VEHICLE => "vehicle",
            Self::WALKER => "walker",
            Self::TRAFFIC_LIGHT => "traffic_light",
            Self::TRAFFIC_SIGN => "traffic_sign",
            Self::SENSOR => "sensor",
            _ => return None,
        })
    }
}

/// Attributes of an actor.
#[derive(Clone, Copy)]
pub struct Attributes<'a> {
    walk: Walk<'a>,
    left: u16,
}

/// Attributes of an actor, as raw bytes of the file.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct AttributeList {
    bytes: Box<[u8]>,
    count: u16,
}

/// A named property of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attribute<'a> {
    /// Number of its type: bool, int, float, string, RGB colour, counted from
    /// [`Dialect::attribute_base`](crate::Dialect::attribute_base).
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub type_number: u8,
    /// Its name.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::text"))]
    pub id: &'a [u8],
    /// Its value as text.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::text"))]
    pub value: &'a [u8],
}

impl<'a> Additions<'a> {
    /// Vectors have the width `forced`, or the one with which the records fill the body. If neither fits, they are
    /// floats, and the iteration ends with an error.
    pub(crate) fn parse(body: &'a [u8], forced: Option<Width>, offset: u64) -> Result<Self> {
        let mut walk = Walk::new(body, offset, NAME);
        let left = walk.number()?;
        let all = |width| Self { body, walk, left, width };
        let widths = [Width::F32, Width::F64];
        let fits = |width: &Width| forced.is_none_or(|f| f == *width) && all(*width).fills();
        Ok(all(widths.into_iter().find(fits).or(forced).unwrap_or(Width::F32)))
    }

    /// The body of the packet.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Width of the vectors; meaningless without records.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Whether the records fill the body.
    pub(crate) fn fills(self) -> bool {
        let mut rest = self.into_iter();
        rest.by_ref().all(|addition| addition.is_ok()) && rest.0.walk.rest.is_empty()
    }

    fn one(&mut self) -> Result<Addition<'a>> {
        let (offset, start) = (self.walk.at, self.walk.rest);
        let walk = &mut self.walk;
        let AdditionHead { id, kind, location, rotation, description_uid } = walk.one(self.width)?;
        let kind = ActorKind(kind);
        let type_id = walk.text()?;
        let left = walk.number()?;
        let attributes = Attributes { walk: *walk, left };
        for _ in 0..left {
            walk.number::<u8>()?;
            walk.text()?;
            walk.text()?;
        }
        let bytes = before(start, walk.rest);
        Ok(Addition { offset, bytes, id, kind, location, rotation, description_uid, type_id, attributes })
    }
}

each!(Additions: Result<Addition<'a>>, Attributes: Attribute<'a>);

impl<'a> Additions<'a> {
    /// Records have no size field: after an error the next one cannot be found.
    fn take_next(&mut self) -> Option<Result<Addition<'a>>> {
        self.left = self.left.checked_sub(1)?;
        let outcome = self.one();
        if outcome.is_err() {
            self.left = 0;
        }
        Some(outcome)
    }
}

impl<'a> Addition<'a> {
    /// Its blueprint as text; invalid UTF-8 is replaced.
    pub fn type_id_text(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.type_id)
    }

    /// The value of the first attribute with this name.
    pub fn attribute(&self, id: &str) -> Option<&'a [u8]> {
        self.attributes.into_iter().find(|a| a.id == id.as_bytes()).map(|a| a.value)
    }

    /// Whether it is the vehicle under test: its `role_name` is `hero`.
    pub fn is_hero(&self) -> bool {
        self.attribute("role_name") == Some(b"hero")
    }
}

impl<'a> Attributes<'a> {
    fn take_next(&mut self) -> Option<Attribute<'a>> {
        self.left = self.left.checked_sub(1)?;
        let walk = &mut self.walk;
        // The record was checked when it was read.
        Some(Attribute { type_number: walk.number().ok()?, id: walk.text().ok()?, value: walk.text().ok()? })
    }
}

impl Attributes<'_> {
    /// Whether type numbers begin at 0 or at 1, if these attributes show it: the types of some CARLA attributes never
    /// changed.
    pub fn base(&self) -> Option<u8> {
        const KNOWN: [(&[u8], u8); 5] = [
            (b"role_name", 3),
            (b"number_of_wheels", 1),
            (b"color", 4),
            (b"object_type", 3),
            (b"base_type", 3),
        ];
        self.into_iter().find_map(|attribute| {
            let (_, from_zero) = KNOWN.iter().find(|(id, _)| *id == attribute.id)?;
            attribute.type_number.checked_sub(*from_zero).filter(|base| *base <= 1)
        })
    }
}

impl AttributeList {
    /// The attributes, in file order.
    pub fn iter(&self) -> Each<Attributes<'_>> {
        Each(Attributes { walk: Walk::new(&self.bytes, 0, NAME), left: self.count })
    }

    /// Number of attributes.
    pub fn len(&self) -> usize {
        self.count.into()
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl From<Attributes<'_>> for AttributeList {
    fn from(attributes: Attributes<'_>) -> Self {
        let (count, start) = (attributes.left, attributes.walk.rest);
        let mut rest = Each(attributes);
        rest.by_ref().for_each(drop);
        Self { bytes: before(start, rest.0.walk.rest).into(), count }
    }
}

impl<'a> IntoIterator for &'a AttributeList {
    type Item = Attribute<'a>;
    type IntoIter = Each<Attributes<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::fmt::Debug for AttributeList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl Attribute<'_> {
    /// Its name as text; invalid UTF-8 is replaced.
    pub fn id_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.id)
    }

    /// Its value as text; invalid UTF-8 is replaced.
    pub fn value_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.value)
    }

    /// Name of its type, with type numbers counted from `base`.
    pub fn type_name(&self, base: u8) -> Option<&'static str> {
        const NAMES: [&str; 5] = ["bool", "int", "float", "string", "rgb_color"];
        NAMES.get(usize::from(self.type_number.checked_sub(base)?)).copied()
    }
}
