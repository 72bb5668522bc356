//! Declared layouts: reader, codec, writer, offsets.

use robolog_core::layout::{
    Cursor, FieldInfo, Layout as _, LayoutWith as _, Mirrored, Packed as _, PackedWith, field,
};

mod fixed {
    robolog_core::layout! {
        /// Mounting of a device.
        pub struct Mount("mount") {
            /// Metres.
            pub height: f32,
            /// Upside down.
            pub is_reversed: bool,
        }

        /// A device.
        pub struct Device("device") {
            /// Name.
            pub name: [u8; 3],
            /// Number.
            pub id: u16,
            /// Mounting.
            pub mount: Mount,
            /// Its two clocks.
            pub clocks: [i64; 2],
        }
    }
}

/// A number that is wide in some files.
#[allow(unreachable_pub, reason = "a field of a declared structure")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(f64);

impl PackedWith<bool> for Number {
    fn len_with(is_wide: bool) -> usize {
        if is_wide { 8 } else { 4 }
    }

    fn take_with(bytes: &mut &[u8], is_wide: bool) -> Option<Self> {
        if is_wide {
            PackedWith::take_with(bytes, ()).map(Self)
        } else {
            <f32 as PackedWith<()>>::take_with(bytes, ()).map(|v| Self(v.into()))
        }
    }
}

impl Mirrored for Number {
    type Mirror = Self;

    fn mirror(self) -> Self {
        self
    }

    fn of(mirror: Self) -> Self {
        mirror
    }
}

impl binrw::BinRead for Number {
    type Args<'a> = (bool,);

    fn read_options<R: binrw::io::Read + binrw::io::Seek>(
        reader: &mut R,
        endian: binrw::Endian,
        (is_wide,): Self::Args<'_>,
    ) -> binrw::BinResult<Self> {
        if is_wide {
            f64::read_options(reader, endian, ()).map(Self)
        } else {
            f32::read_options(reader, endian, ()).map(|v| Self(v.into()))
        }
    }
}

impl binrw::BinWrite for Number {
    type Args<'a> = (bool,);

    fn write_options<W: binrw::io::Write + binrw::io::Seek>(
        &self,
        writer: &mut W,
        endian: binrw::Endian,
        (is_wide,): Self::Args<'_>,
    ) -> binrw::BinResult<()> {
        if is_wide {
            self.0.write_options(writer, endian, ())
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "it was a float")]
            (self.0 as f32).write_options(writer, endian, ())
        }
    }
}

mod varying {
    use super::Number;

    robolog_core::layout! {
        with is_wide: bool;

        /// A measurement.
        pub struct Measurement("measurement") {
            /// What was measured.
            pub id: u8,
            /// The measured value.
            #[brw(args(is_wide))]
            pub value: Number,
        }
    }
}

/// Hand-written: "cam", 0x0102, 1.5 m, reversed, 7 and -1.
const DEVICE: [u8; 26] = *b"cam\x02\x01\0\0\xc0\x3f\x01\x07\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff";

#[test]
fn a_layout_is_read_and_written_as_declared() {
    let want = fixed::Device {
        name: *b"cam",
        id: 0x0102,
        mount: fixed::Mount { height: 1.5, is_reversed: true },
        clocks: [7, -1],
    };
    assert_eq!(fixed::Device::LEN, 26);
    assert_eq!(fixed::Device::decode(&DEVICE, 0).unwrap(), want);
    assert_eq!(fixed::Device::peek(&DEVICE), Some(want));
    assert_eq!(fixed::Device::from_bytes(&DEVICE), want);
    let mut out = b"before".to_vec();
    want.encode(&mut out).unwrap();
    assert_eq!(out, [&b"before"[..], &DEVICE].concat());
}

#[test]
fn fields_have_the_offsets_of_their_order() {
    let want = [("name", 0, 3), ("id", 3, 2), ("mount", 5, 5), ("clocks", 10, 16)]
        .map(|(name, offset, len)| FieldInfo { name, offset, len });
    assert_eq!(fixed::Device::FIELDS, want);
    let id = field!(fixed::Device, id);
    assert_eq!(id.at(100), 103);
    let mut bytes = DEVICE;
    id.of_mut(&mut bytes).unwrap().copy_from_slice(&[9, 0]);
    assert_eq!(fixed::Device::from_bytes(&bytes).id, 9);
    assert_eq!(id.of_mut(&mut [0; 4]), None);
}

#[test]
fn a_structure_on_too_few_bytes_says_which_and_where() {
    let e = fixed::Device::decode(&DEVICE[..20], 77).unwrap_err();
    assert_eq!(e.to_string(), "device: the input ends 6 bytes too early (at byte 0x4d)");
    assert_eq!(fixed::Device::peek(&DEVICE[..25]), None);
    assert!(matches!(fixed::Device::step(&DEVICE[..20], 0), Ok(robolog_core::format::Step::Need(6))));
    assert!(matches!(fixed::Device::step(&DEVICE, 0), Ok(robolog_core::format::Step::Ready(_, 26))));
}

#[test]
fn a_context_decides_the_size() {
    use varying::Measurement;
    for is_wide in [false, true] {
        varying::fast_readers_equal_the_codec(is_wide).unwrap();
    }
    assert_eq!((Measurement::len(false), Measurement::len(true)), (5, 9));
    let narrow = [7, 0, 0, 0xc0, 0x3f];
    let want = Measurement { id: 7, value: Number(1.5) };
    assert_eq!(Measurement::decode(&narrow, false, 0).unwrap(), want);
    assert_eq!(Measurement::peek(&narrow, false), Some(want));
    assert_eq!(Measurement::peek(&narrow, true), None);
    let mut out = Vec::new();
    want.encode(true, &mut out).unwrap();
    assert_eq!(out, [7, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
}

#[test]
fn a_cursor_reads_what_fits_and_names_what_does_not() {
    let bytes = [&DEVICE[..], &[2, 0, 0, 0, 1, 2, 3, 4]].concat();
    let mut cursor = Cursor::new(&bytes, 1000, "list");
    assert_eq!(cursor.layout::<fixed::Device>().unwrap().id, 0x0102);
    let count = cursor.number::<u32>().unwrap();
    let mut beyond = cursor;
    let e = beyond.items(u64::from(count) + 1, 2, "numbers").unwrap_err();
    assert_eq!(
        e.to_string(),
        "list: invalid numbers: found 3, expected at most 2, by the bytes present (at byte 0x406)"
    );
    assert_eq!(cursor.items(count.into(), 2, "numbers").unwrap(), [1, 2, 3, 4]);
    assert!(cursor.is_empty());
    let e = cursor.layout::<fixed::Device>().unwrap_err();
    assert_eq!(e.to_string(), "device: the input ends 26 bytes too early (at byte 0x40a)");
    assert!(cursor.items(u64::MAX, 2, "numbers").is_err());
}
