//! Packet 15: engines, gears and wheels of vehicles.

use robolog_core::{Error, Result, layout::first, slices::before};

use crate::{
    each::each,
    layout::{CurvePoint, Gear, PhysicsScalars, PhysicsWheel36, PhysicsWheel48, Width},
    rows::Rows,
    walk::Walk,
};

const NAME: &str = "PhysicsControl packet";

/// Records of a `PhysicsControl` packet.
#[derive(Clone, Copy)]
pub struct Physics<'a> {
    body: &'a [u8],
    walk: Walk<'a>,
    left: u16,
    wheel_bytes: u16,
}

/// Physics of a vehicle.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum PhysicsControl<'a> {
    /// As written by Unreal Engine 4 builds.
    Vehicle(VehiclePhysics<'a>),
    /// The rest of the packet: UE5 writes raw memory, with wheels of 208 bytes that hold pointers.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::hex"))]
    Unknown(&'a [u8]),
}

/// Physics of a vehicle: UE4.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VehiclePhysics<'a> {
    /// The record as bytes of the file.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bytes: &'a [u8],
    /// The vehicle.
    pub id: u32,
    /// Engine, mass and drag.
    pub scalars: PhysicsScalars,
    /// Torque over engine speed.
    pub torque_curve: Rows<'a, CurvePoint>,
    /// Gears.
    pub forward_gears: Rows<'a, Gear>,
    /// Share of the steering angle over speed.
    pub steering_curve: Rows<'a, CurvePoint>,
    /// Wheels.
    pub wheels: PhysicsWheels<'a>,
}

/// Wheels of either size.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum PhysicsWheels<'a> {
    /// 36 bytes each: 0.9.10 and 0.9.11.
    Short(Rows<'a, PhysicsWheel36>),
    /// 48 bytes each: since 0.9.12.
    Long(Rows<'a, PhysicsWheel48>),
}

impl<'a> Physics<'a> {
    /// Wheels have the size `forced`, or the one with which the records fill the body. If none does, and `vector` or the
    /// size do not speak against UE5, the body is kept as bytes.
    pub(crate) fn parse(
        body: &'a [u8],
        forced: Option<u16>,
        vector: Option<Width>,
        offset: u64,
    ) -> Result<Self> {
        let mut walk = Walk::new(body, offset, NAME);
        let left = walk.number()?;
        let fits = |size: &u16| {
            let mut rest = Self { body, walk, left, wheel_bytes: *size };
            (0..left).all(|_| rest.one().is_ok()) && rest.walk.rest.is_empty()
        };
        let sizes = [48, 36].into_iter().filter(|size| forced.is_none_or(|forced| forced == *size));
        let wheel_bytes = sizes.into_iter().find(fits).unwrap_or(0);
        let all = Self { body, walk, left, wheel_bytes };
        let may_be_raw = match forced {
            None => vector != Some(Width::F32) && left > 0,
            Some(size) => all.wheel_bytes() == Some(size),
        };
        if all.is_read() || may_be_raw {
            return Ok(all);
        }
        let expected = format_args!("that of {left} records");
        Err(Error::invalid("packet size", body.len(), expected, offset).within(NAME))
    }

    /// The body of the packet.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Whether the records fill the body.
    pub(crate) fn is_read(&self) -> bool {
        self.wheel_bytes > 0
    }

    /// Bytes of a wheel: 36, 48, or 208 in UE5; `None` if the recording does not show it.
    pub fn wheel_bytes(&self) -> Option<u16> {
        if self.wheel_bytes > 0 {
            return Some(self.wheel_bytes).filter(|_| self.left > 0);
        }
        // UE5: the last record ends with a count and that many wheels.
        let body = self.walk.rest;
        let counts = |n: &usize| {
            let at = body.len().checked_sub(n.saturating_mul(208).saturating_add(4));
            at.and_then(|at| first::<u32>(body.get(at..)?))
                .is_some_and(|count| usize::try_from(count) == Ok(*n))
        };
        (2..=16).find(counts).map(|_| 208)
    }

    fn one(&mut self) -> Result<VehiclePhysics<'a>> {
        let start = self.walk.rest;
        let walk = &mut self.walk;
        let id = walk.number()?;
        let scalars = walk.one(Width::F32)?;
        let (torque_curve, forward_gears, steering_curve) = (walk.list()?, walk.list()?, walk.list()?);
        let wheels = match self.wheel_bytes {
            36 => PhysicsWheels::Short(walk.list()?),
            _ => PhysicsWheels::Long(walk.list()?),
        };
        let bytes = before(start, walk.rest);
        Ok(VehiclePhysics { bytes, id, scalars, torque_curve, forward_gears, steering_curve, wheels })
    }
}

each!(Physics: PhysicsControl<'a>);

impl<'a> Physics<'a> {
    fn take_next(&mut self) -> Option<PhysicsControl<'a>> {
        self.left = self.left.checked_sub(1)?;
        if self.wheel_bytes == 0 {
            self.left = 0;
            return Some(PhysicsControl::Unknown(self.walk.rest));
        }
        self.one().ok().map(PhysicsControl::Vehicle)
    }
}

impl<'a> PhysicsWheels<'a> {
    /// All wheels in the newer form; fields that the older one lacks are 0.
    pub fn iter(self) -> impl Iterator<Item = PhysicsWheel48> + use<'a> {
        let (short, long) = match self {
            Self::Short(rows) => (Some(rows), None),
            Self::Long(rows) => (None, Some(rows)),
        };
        let widened = short.into_iter().flatten().map(PhysicsWheel48::from);
        widened.chain(long.into_iter().flatten())
    }
}

impl From<PhysicsWheel36> for PhysicsWheel48 {
    fn from(wheel: PhysicsWheel36) -> Self {
        let PhysicsWheel36 {
            tire_friction,
            damping_rate,
            max_steer_angle,
            radius,
            max_brake_torque,
            max_handbrake_torque,
            x,
            y,
            z,
        } = wheel;
        Self {
            tire_friction,
            damping_rate,
            max_steer_angle,
            radius,
            max_brake_torque,
            max_handbrake_torque,
            x,
            y,
            z,
            ..Self::default()
        }
    }
}
