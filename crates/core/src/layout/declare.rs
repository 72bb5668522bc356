//! Declared structures.

use crate::{
    Error, Result,
    format::Step,
    layout::Packed,
    slices::{missing, past},
};

/// A structure of fixed size, declared by [`layout!`](crate::layout!).
pub trait Layout: Packed {
    /// Its name, for errors.
    const NAME: &'static str;
    /// Its fields, in order.
    const FIELDS: &'static [FieldInfo];

    /// Reads the structure at the start of `bytes`, which lie at offset `at` of the file.
    ///
    /// Returns an error with the structure's name and the offset if there are too few.
    fn decode(bytes: &[u8], at: u64) -> Result<Self>;

    /// Appends the structure to `out`.
    fn encode(&self, out: &mut Vec<u8>) -> Result<()>;

    /// Reads the structure at the start of `bytes` like [`decode`](Self::decode), without a cursor. `None` if there are
    /// too few.
    ///
    /// For structures read by the hundred thousand: checks the length once; unused fields cost nothing.
    #[inline]
    fn peek(bytes: &[u8]) -> Option<Self> {
        Self::take(&mut bytes.get(..Self::LEN)?)
    }

    /// Like [`decode`](Self::decode), for a header of which more bytes may arrive.
    fn step(bytes: &[u8], at: u64) -> Result<Step<Self>> {
        match Self::LEN.checked_sub(bytes.len()) {
            Some(missing @ 1..) => Ok(Step::Need(missing)),
            _ => Self::decode(bytes, at).map(|value| Step::Ready(value, Self::LEN)),
        }
    }
}

/// A structure whose size depends on a context `C`, declared by [`layout!`](crate::layout!) with `with`.
pub trait LayoutWith<C: Copy>: Copy {
    /// Its name, for errors.
    const NAME: &'static str;
    /// The names of its fields, in order.
    const FIELDS: &'static [&'static str];

    /// Length of the structure in this context, bytes.
    fn len(context: C) -> usize;

    /// As [`Layout::decode`].
    fn decode(bytes: &[u8], context: C, at: u64) -> Result<Self>;

    /// As [`Layout::encode`].
    fn encode(&self, context: C, out: &mut Vec<u8>) -> Result<()>;

    /// As [`Layout::peek`].
    fn peek(bytes: &[u8], context: C) -> Option<Self>;
}

/// The location of a field in its structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// Its name.
    pub name: &'static str,
    /// Offset in the structure, bytes.
    pub offset: usize,
    /// Length in bytes.
    pub len: usize,
}

impl FieldInfo {
    /// Offset in the file of the field of a structure at `at`.
    pub const fn at(&self, at: u64) -> u64 {
        past(at, self.offset)
    }

    /// The field's bytes in a structure at the start of `bytes`. `None` if they are incomplete.
    pub fn of<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        bytes.get(self.offset..)?.get(..self.len)
    }

    /// Like [`of`](Self::of), mutable.
    pub fn of_mut<'a>(&self, bytes: &'a mut [u8]) -> Option<&'a mut [u8]> {
        bytes.get_mut(self.offset..)?.get_mut(..self.len)
    }
}

/// The field with this name; if there is none, one beyond every structure. Called by [`field!`](crate::layout::field),
/// where the compiler has checked the name.
#[doc(hidden)]
pub const fn find(fields: &'static [FieldInfo], name: &str) -> FieldInfo {
    let mut rest = fields;
    while let Some((field, others)) = rest.split_first() {
        if is_same(field.name.as_bytes(), name.as_bytes()) {
            return *field;
        }
        rest = others;
    }
    FieldInfo { name: "", offset: usize::MAX, len: 0 }
}

const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_first(), b.split_first()) {
        if *x != *y {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.is_empty() && b.is_empty()
}

#[doc(hidden)]
#[macro_export]
macro_rules! __layout_field {
    ($layout:ty, $field:ident) => {
        const {
            // Does not compile unless it names a field.
            let _ = ::core::mem::offset_of!($layout, $field);
            $crate::layout::find(<$layout as $crate::layout::Layout>::FIELDS, stringify!($field))
        }
    };
}

/// The codec of a layout reads and writes a structure that mirrors it.
#[doc(hidden)]
#[macro_export]
macro_rules! __layout_mirrored {
    ($name:ident, $mirror:ident, $($field:ident: $ty:ty),+) => {
        impl $crate::layout::Mirrored for $name {
            type Mirror = $mirror;

            fn mirror(self) -> $mirror {
                $mirror { $($field: <$ty as $crate::layout::Mirrored>::mirror(self.$field)),+ }
            }

            fn of(mirror: $mirror) -> Self {
                Self { $($field: <$ty as $crate::layout::Mirrored>::of(mirror.$field)),+ }
            }
        }
    };
}

/// Declares little-endian structures without padding: see [`layout`](mod@crate::layout).
///
/// Each implements [`Layout`](crate::layout::Layout), and a `from_bytes(&[u8; LEN])` that cannot fail. Fields are numbers,
/// bools of one byte, arrays of these, and other layouts. The codec is binrw's, on a hidden structure of the same fields: the
/// declaring crate must depend on binrw, its users do not see it. Invoke it once per module: it adds a test there that
/// compares the fast reader with the codec on random bytes.
///
/// A structure whose size depends on the file is declared with the type of its context. It implements
/// [`LayoutWith`](crate::layout::LayoutWith); an attribute of binrw passes the context to the fields that need it:
///
/// ```text
/// layout! {
///     with width: Width;
///     pub struct Position("position") {
///         pub id: u32,
///         #[brw(args(width))]
///         pub location: Vector,
///     }
/// }
/// ```
#[macro_export]
macro_rules! layout {
    (with $context:ident: $Context:ty; $(
        $(#[$attr:meta])*
        pub struct $name:ident($label:literal) {
            $($(#[doc = $doc:expr])* $(#[brw($($brw:tt)*)])? pub $field:ident: $ty:ty,)+
        }
    )+) => {
        $(
            $(#[$attr])*
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub struct $name {
                $($(#[doc = $doc])* pub $field: $ty,)+
            }

            const _: () = {
                #[derive(::binrw::BinRead, ::binrw::BinWrite, Clone, Copy)]
                #[brw(little, import($context: $Context))]
                #[doc(hidden)]
                pub struct Mirror {
                    $($(#[brw($($brw)*)])? $field: <$ty as $crate::layout::Mirrored>::Mirror,)+
                }

                $crate::__layout_mirrored!($name, Mirror, $($field: $ty),+);
            };

            impl $crate::layout::LayoutWith<$Context> for $name {
                const NAME: &'static str = $label;
                const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];

                #[inline]
                fn len(context: $Context) -> usize {
                    0_usize $(.saturating_add(<$ty as $crate::layout::PackedWith<$Context>>::len_with(context)))+
                }

                fn decode(bytes: &[u8], context: $Context, at: u64) -> $crate::Result<Self> {
                    let len = <Self as $crate::layout::LayoutWith<$Context>>::len(context);
                    $crate::layout::private::decode(bytes, len, (context,), at, $label)
                }

                fn encode(&self, context: $Context, out: &mut Vec<u8>) -> $crate::Result<()> {
                    $crate::layout::private::encode(*self, (context,), out, $label)
                }

                #[inline]
                fn peek(mut bytes: &[u8], context: $Context) -> Option<Self> {
                    Some(Self {
                        $($field: <$ty as $crate::layout::PackedWith<$Context>>::take_with(&mut bytes, context)?,)+
                    })
                }
            }
        )+

        /// The fast reader and the codec agree on any bytes.
        #[cfg(test)]
        pub(crate) fn fast_readers_equal_the_codec(context: $Context) -> Result<(), String> {
            $(
                $crate::layout::private::agree($label, |bytes, fast| {
                    let len = <$name as $crate::layout::LayoutWith<$Context>>::len(context);
                    let value = if fast {
                        <$name as $crate::layout::LayoutWith<$Context>>::peek(bytes, context)
                    } else {
                        <$name as $crate::layout::LayoutWith<$Context>>::decode(bytes, context, 0).ok()
                    };
                    (len, value.map(|value| {
                        let mut out = Vec::new();
                        let written =
                            $crate::layout::LayoutWith::encode(&value, context, &mut out).is_ok();
                        format!("{value:?} {written} {}", out.len())
                    }))
                })?;
            )+
            Ok(())
        }
    };
    ($(
        $(#[$attr:meta])*
        pub struct $name:ident($label:literal) {
            $($(#[$field_attr:meta])* pub $field:ident: $ty:ty,)+
        }
    )+) => {
        $(
            $(#[$attr])*
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub struct $name {
                $($(#[$field_attr])* pub $field: $ty,)+
            }

            const _: () = {
                #[derive(::binrw::BinRead, ::binrw::BinWrite, Clone, Copy)]
                #[brw(little)]
                #[doc(hidden)]
                pub struct Mirror {
                    $($field: <$ty as $crate::layout::Mirrored>::Mirror,)+
                }

                $crate::__layout_mirrored!($name, Mirror, $($field: $ty),+);
            };

            impl $name {
                /// Decodes the structure.
                #[inline]
                pub fn from_bytes(bytes: &[u8; <$name as $crate::layout::Packed>::LEN]) -> Self {
                    // There are enough bytes, so the compiler removes the other branch.
                    <Self as $crate::layout::Packed>::take(&mut bytes.as_slice())
                        .unwrap_or(<Self as $crate::layout::Packed>::ZERO)
                }
            }

            impl $crate::layout::Packed for $name {
                const LEN: usize = 0 $(+ <$ty as $crate::layout::Packed>::LEN)+;
                const ZERO: Self = Self { $($field: <$ty as $crate::layout::Packed>::ZERO,)+ };

                #[inline]
                fn take(bytes: &mut &[u8]) -> Option<Self> {
                    Some(Self { $($field: <$ty as $crate::layout::Packed>::take(bytes)?,)+ })
                }
            }

            impl $crate::layout::Layout for $name {
                const NAME: &'static str = $label;
                const FIELDS: &'static [$crate::layout::FieldInfo] = {
                    const UNPLACED: &[$crate::layout::FieldInfo] = &[$(
                        $crate::layout::FieldInfo {
                            name: stringify!($field),
                            offset: 0,
                            len: <$ty as $crate::layout::Packed>::LEN,
                        },
                    )+];
                    const PLACED: [$crate::layout::FieldInfo; UNPLACED.len()] =
                        $crate::layout::private::placed(UNPLACED);
                    &PLACED
                };

                fn decode(bytes: &[u8], at: u64) -> $crate::Result<Self> {
                    let len = <Self as $crate::layout::Packed>::LEN;
                    $crate::layout::private::decode(bytes, len, (), at, $label)
                }

                fn encode(&self, out: &mut Vec<u8>) -> $crate::Result<()> {
                    $crate::layout::private::encode(*self, (), out, $label)
                }
            }
        )+

        /// The fast reader and the codec agree on any bytes.
        #[cfg(test)]
        #[test]
        fn fast_readers_equal_the_codec() {
            use $crate::layout::{Layout as _, Packed as _};
            $(
                let agreement = $crate::layout::private::agree($label, |bytes, fast| {
                    let value = if fast { $name::peek(bytes) } else { $name::decode(bytes, 0).ok() };
                    ($name::LEN, value.map(|value| {
                        let mut out = Vec::new();
                        let written = value.encode(&mut out).is_ok();
                        format!("{value:?} {written} {}", out.len())
                    }))
                });
                assert_eq!(agreement, Ok(()));
            )+
        }
    };
}

/// Used by [`layout!`](crate::layout!).
#[doc(hidden)]
pub mod private {
    use binrw::{BinRead, BinWrite, io::Cursor, meta::ReadEndian, meta::WriteEndian};

    use super::{Error, FieldInfo, Result, missing};
    use crate::{ErrorKind, layout::Mirrored};

    /// Reads through binrw, always from a slice: a `BufReader` is a hundred times slower.
    pub fn decode<T, A>(bytes: &[u8], len: usize, args: A, at: u64, name: &'static str) -> Result<T>
    where
        T: Mirrored<Mirror: for<'a> BinRead<Args<'a> = A> + ReadEndian>,
    {
        let Some(whole) = bytes.get(..len) else {
            return Err(Error::truncated(missing(len, bytes), at).within(name));
        };
        T::Mirror::read_args(&mut Cursor::new(whole), args)
            .map(T::of)
            .map_err(|e| Error::new(ErrorKind::Layout(Box::new(e)), at).within(name))
    }

    /// Writes through binrw. Appends nothing on failure.
    pub fn encode<T, A>(value: T, args: A, out: &mut Vec<u8>, name: &'static str) -> Result<()>
    where
        T: Mirrored<Mirror: for<'a> BinWrite<Args<'a> = A> + WriteEndian>,
    {
        let start = out.len();
        let mut cursor = Cursor::new(&mut *out);
        cursor.set_position(start as u64);
        value.mirror().write_args(&mut cursor, args).map_err(|e| {
            out.truncate(start);
            Error::new(ErrorKind::Layout(Box::new(e)), start as u64).within(name)
        })
    }

    /// The fields with their offsets.
    #[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "runs when compiled")]
    pub const fn placed<const N: usize>(fields: &[FieldInfo]) -> [FieldInfo; N] {
        let mut placed = [FieldInfo { name: "", offset: 0, len: 0 }; N];
        let (mut i, mut offset) = (0, 0);
        while i < N {
            placed[i] = FieldInfo { offset, ..fields[i] };
            offset += fields[i].len;
            i += 1;
        }
        placed
    }

    /// Compares the codec with the fast reader (`true`), as shown by `read`, on random bytes of the structure's length,
    /// fewer and more.
    pub fn agree(name: &str, read: impl Fn(&[u8], bool) -> (usize, Option<String>)) -> Result<(), String> {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [byte, ..] = state.to_be_bytes();
            byte
        };
        let (len, _) = read(&[], true);
        for round in 0..500_usize {
            let wanted = if round.is_multiple_of(5) { round.min(len) } else { len.saturating_add(round % 3) };
            let bytes: Vec<u8> = (0..wanted).map(|_| random()).collect();
            let ((_, codec), (_, fast)) = (read(&bytes, false), read(&bytes, true));
            if codec != fast || codec.is_some() != (wanted >= len) {
                return Err(format!(
                    "{name} of {bytes:?}: the codec reads {codec:?}, the fast reader {fast:?}"
                ));
            }
        }
        Ok(())
    }
}
