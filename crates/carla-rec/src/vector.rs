//! Reads and writes vectors of either width.

use binrw::{
    BinRead, BinResult, BinWrite, Endian,
    io::{Read, Seek, Write},
};

use robolog_core::layout::{Mirrored, Packed, PackedWith};

use crate::layout::{Rotation, Vector, Width};

impl Vector {
    /// The three numbers.
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vector {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl Rotation {
    /// Roll, pitch and yaw.
    pub const fn to_array(self) -> [f64; 3] {
        [self.roll, self.pitch, self.yaw]
    }
}

impl From<[f64; 3]> for Rotation {
    fn from([roll, pitch, yaw]: [f64; 3]) -> Self {
        Self { roll, pitch, yaw }
    }
}

/// Three numbers of either width, as the codec reads and writes them.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Numbers([f64; 3]);

impl BinRead for Numbers {
    type Args<'a> = (Width,);

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        (width,): Self::Args<'_>,
    ) -> BinResult<Self> {
        Ok(Self(match width {
            Width::F32 => <[f32; 3]>::read_options(reader, endian, ())?.map(f64::from),
            Width::F64 => <[f64; 3]>::read_options(reader, endian, ())?,
        }))
    }
}

impl BinWrite for Numbers {
    type Args<'a> = (Width,);

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (width,): Self::Args<'_>,
    ) -> BinResult<()> {
        match width {
            #[expect(clippy::cast_possible_truncation, reason = "UE4 files hold floats")]
            Width::F32 => self.0.map(|v| v as f32).write_options(writer, endian, ()),
            Width::F64 => self.0.write_options(writer, endian, ()),
        }
    }
}

/// Makes three named numbers a field of layouts.
macro_rules! field {
    ($($name:ident),+) => { $(
        impl Mirrored for $name {
            type Mirror = Numbers;

            fn mirror(self) -> Numbers {
                Numbers(self.to_array())
            }

            fn of(mirror: Numbers) -> Self {
                Self::from(mirror.0)
            }
        }

        impl PackedWith<Width> for $name {
            #[inline]
            fn len_with(width: Width) -> usize {
                width.vector_len()
            }

            #[inline]
            fn take_with(bytes: &mut &[u8], width: Width) -> Option<Self> {
                take(bytes, width).map(Self::from)
            }
        }
    )+ };
}
field!(Vector, Rotation);

#[inline]
fn take(bytes: &mut &[u8], width: Width) -> Option<[f64; 3]> {
    match width {
        Width::F32 => <[f32; 3]>::take(bytes).map(|v| v.map(f64::from)),
        Width::F64 => <[f64; 3]>::take(bytes),
    }
}
