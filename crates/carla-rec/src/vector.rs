//! Reads and writes vectors of either width.

use binrw::{
    BinRead, BinResult, BinWrite, Endian,
    io::{Read, Seek, Write},
};

use robolog_core::layout::{Packed, PackedWith};

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

/// Implements both codecs for a type that converts to and from three numbers.
macro_rules! codec {
    ($($name:ident),+) => { $(
        impl BinRead for $name {
            type Args<'a> = (Width,);

            fn read_options<R: Read + Seek>(
                reader: &mut R,
                endian: Endian,
                (width,): Self::Args<'_>,
            ) -> BinResult<Self> {
                read(reader, endian, width).map(Self::from)
            }
        }

        impl BinWrite for $name {
            type Args<'a> = (Width,);

            fn write_options<W: Write + Seek>(
                &self,
                writer: &mut W,
                endian: Endian,
                (width,): Self::Args<'_>,
            ) -> BinResult<()> {
                write(self.to_array(), writer, endian, width)
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
codec!(Vector, Rotation);

#[inline]
fn take(bytes: &mut &[u8], width: Width) -> Option<[f64; 3]> {
    match width {
        Width::F32 => <[f32; 3]>::take(bytes).map(|v| v.map(f64::from)),
        Width::F64 => <[f64; 3]>::take(bytes),
    }
}

fn read<R: Read + Seek>(reader: &mut R, endian: Endian, width: Width) -> BinResult<[f64; 3]> {
    match width {
        Width::F32 => <[f32; 3]>::read_options(reader, endian, ()).map(|v| v.map(f64::from)),
        Width::F64 => <[f64; 3]>::read_options(reader, endian, ()),
    }
}

fn write<W: Write + Seek>(v: [f64; 3], writer: &mut W, endian: Endian, width: Width) -> BinResult<()> {
    match width {
        #[expect(clippy::cast_possible_truncation, reason = "UE4 files hold floats")]
        Width::F32 => v.map(|v| v as f32).write_options(writer, endian, ()),
        Width::F64 => v.write_options(writer, endian, ()),
    }
}
