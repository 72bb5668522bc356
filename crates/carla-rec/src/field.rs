//! Fields of layouts, read by the million: what binrw reads from the same declaration, several times as fast.

use crate::layout::{Rotation, Vector, Width};

/// A value at the start of bytes.
pub(crate) trait Field: Sized {
    /// Takes it off. `None` when the bytes do not suffice.
    fn take(bytes: &mut &[u8], width: Width) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),+) => { $(
        impl Field for $number {
            #[inline]
            fn take(bytes: &mut &[u8], _: Width) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*number))
            }
        }
    )+ };
}

numbers!(u8, u32, i32, u64, f32, f64);

impl Field for bool {
    #[inline]
    fn take(bytes: &mut &[u8], width: Width) -> Option<Self> {
        u8::take(bytes, width).map(|byte| byte != 0)
    }
}

impl Field for Vector {
    #[inline]
    fn take(bytes: &mut &[u8], width: Width) -> Option<Self> {
        three(bytes, width).map(Self::from)
    }
}

impl Field for Rotation {
    #[inline]
    fn take(bytes: &mut &[u8], width: Width) -> Option<Self> {
        three(bytes, width).map(Self::from)
    }
}

#[inline]
fn three(bytes: &mut &[u8], width: Width) -> Option<[f64; 3]> {
    let mut next = || match width {
        Width::F32 => f32::take(bytes, width).map(f64::from),
        Width::F64 => f64::take(bytes, width),
    };
    Some([next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use binrw::io::Cursor;

    use super::*;
    use crate::layout::{self, Layout};

    /// Whatever the bytes, and however many, both ways give the same: numbers that are none are compared as text.
    fn agree<T: Layout>() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        for width in [Width::F32, Width::F64] {
            for _ in 0..1000 {
                let bytes: Vec<u8> = (0..T::len(width)).map(|_| random()).collect();
                let wanted = T::read_le_args(&mut Cursor::new(&bytes), (width,)).unwrap();
                assert_eq!(format!("{:?}", T::take(&bytes, width).unwrap()), format!("{wanted:?}"));
                assert!(T::take(&bytes[1..], width).is_none());
            }
        }
    }

    #[test]
    fn layouts_are_read_as_binrw_reads_them() {
        agree::<layout::FrameStart>();
        agree::<layout::Deletion>();
        agree::<layout::Parenting>();
        agree::<layout::Collision>();
        agree::<layout::Position>();
        agree::<layout::TrafficLightState>();
        agree::<layout::VehicleControl>();
        agree::<layout::WalkerSpeed>();
        agree::<layout::VehicleLights>();
        agree::<layout::SceneLight>();
        agree::<layout::Kinematics>();
        agree::<layout::BoundingBox>();
        agree::<layout::TrafficLightTimes>();
        agree::<layout::BonePose>();
        agree::<layout::Wheel>();
        agree::<layout::Biker>();
        agree::<layout::Door>();
        agree::<layout::Weather>();
        agree::<layout::PhysicsScalars>();
        agree::<layout::CurvePoint>();
        agree::<layout::Gear>();
        agree::<layout::PhysicsWheel36>();
        agree::<layout::PhysicsWheel48>();
    }
}
