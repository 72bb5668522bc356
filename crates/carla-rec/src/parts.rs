//! Packets with records of varying size: wheels of vehicles, bones of walkers.

use robolog_core::Result;

use crate::{
    each::each,
    layout::{BonePose, Wheel, Width},
    rows::Rows,
    walk::Walk,
};

/// The vehicles of an `AnimVehicleWheels` packet.
#[derive(Clone, Copy)]
pub struct Wheels<'a> {
    body: &'a [u8],
    walk: Walk<'a>,
    left: u16,
}

/// The wheels of one vehicle.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VehicleWheels<'a> {
    /// The vehicle.
    pub id: u32,
    /// Its wheels.
    pub wheels: Rows<'a, Wheel>,
}

impl<'a> Wheels<'a> {
    /// Checks the whole body once. Returns an error if the records do not fill it.
    pub(crate) fn parse(body: &'a [u8], offset: u64) -> Result<Self> {
        let mut walk = Walk::new(body, offset, "AnimVehicleWheels packet");
        let left = walk.number()?;
        let all = Self { body, walk, left };
        let mut rest = all;
        for _ in 0..left {
            rest.one()?;
        }
        rest.walk.check_end(body, offset)?;
        Ok(all)
    }

    /// The body of the packet.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    fn one(&mut self) -> Result<VehicleWheels<'a>> {
        Ok(VehicleWheels { id: self.walk.number()?, wheels: self.walk.list()? })
    }

    fn take_next(&mut self) -> Option<VehicleWheels<'a>> {
        self.left = self.left.checked_sub(1)?;
        self.one().ok()
    }
}

/// The walkers of a `WalkerBones` packet.
#[derive(Clone, Copy)]
pub struct Walkers<'a> {
    body: &'a [u8],
    walk: Walk<'a>,
    left: u16,
    width: Width,
}

/// The bones of one walker.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WalkerBones<'a> {
    /// The walker.
    pub id: u32,
    /// Its bones.
    pub bones: Bones<'a>,
}

/// Bones, in file order.
#[derive(Clone, Copy)]
pub struct Bones<'a> {
    walk: Walk<'a>,
    left: u16,
    width: Width,
}

/// A bone of a walker.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bone<'a> {
    /// Its name.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::text"))]
    pub name: &'a [u8],
    /// Its pose, relative to its parent bone.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub pose: BonePose,
}

impl<'a> Walkers<'a> {
    /// Checks the whole body once, with vectors of the width `forced`, or of the width with which the records fill the
    /// body.
    pub(crate) fn parse(body: &'a [u8], forced: Option<Width>, offset: u64) -> Result<Self> {
        let mut walk = Walk::new(body, offset, "WalkerBones packet");
        let left = walk.number()?;
        let attempt = |width| {
            let all = Self { body, walk, left, width };
            let mut rest = all;
            for _ in 0..left {
                rest.one()?;
            }
            rest.walk.check_end(body, offset).map(|()| all)
        };
        match forced {
            Some(width) => attempt(width),
            None => attempt(Width::F32).or_else(|error| attempt(Width::F64).map_err(|_| error)),
        }
    }

    /// The body of the packet.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    fn one(&mut self) -> Result<WalkerBones<'a>> {
        let id = self.walk.number()?;
        let left = self.walk.number()?;
        let bones = Bones { walk: self.walk, left, width: self.width };
        let mut rest = bones;
        for _ in 0..left {
            rest.one()?;
        }
        self.walk = rest.walk;
        Ok(WalkerBones { id, bones })
    }

    fn take_next(&mut self) -> Option<WalkerBones<'a>> {
        self.left = self.left.checked_sub(1)?;
        self.one().ok()
    }
}

impl<'a> Bones<'a> {
    fn one(&mut self) -> Result<Bone<'a>> {
        Ok(Bone { name: self.walk.text()?, pose: self.walk.one(self.width)? })
    }

    fn take_next(&mut self) -> Option<Bone<'a>> {
        self.left = self.left.checked_sub(1)?;
        self.one().ok()
    }
}

each!(Wheels: VehicleWheels<'a>, Walkers: WalkerBones<'a>, Bones: Bone<'a>);
