//! Values of layout fields.

/// A value of fixed size, little-endian: a number, a bool of one byte, an array of such values, or a layout.
pub trait Packed: Copy {
    /// Length of the value, bytes.
    const LEN: usize;
    /// The value of all-zero bytes.
    const ZERO: Self;

    /// Reads the value from the front of `bytes`. `None` if there are too few.
    fn take(bytes: &mut &[u8]) -> Option<Self>;

    /// Reads `N` values.
    #[doc(hidden)]
    #[inline]
    fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[Self; N]> {
        let mut values = [Self::ZERO; N];
        for value in &mut values {
            *value = Self::take(bytes)?;
        }
        Some(values)
    }
}

/// A value whose size depends on the file, for example on the width of its numbers.
///
/// Every [`Packed`] implements it, ignoring the context.
pub trait PackedWith<C: Copy>: Copy {
    /// Length of the value in this context, bytes.
    fn len_with(context: C) -> usize;

    /// Reads the value from the front of `bytes`. `None` if there are too few.
    fn take_with(bytes: &mut &[u8], context: C) -> Option<Self>;
}

impl<C: Copy, T: Packed> PackedWith<C> for T {
    #[inline]
    fn len_with(_: C) -> usize {
        T::LEN
    }

    #[inline]
    fn take_with(bytes: &mut &[u8], _: C) -> Option<Self> {
        <T as Packed>::take(bytes)
    }
}

/// A value of a declared layout as its codec, binrw, reads and writes it: so the value itself need not implement binrw's
/// traits, which would make binrw a part of the API of every crate.
pub trait Mirrored: Copy {
    /// What the codec reads and writes.
    type Mirror: Copy;

    /// The value to write.
    fn mirror(self) -> Self::Mirror;

    /// The value of what was read.
    fn of(mirror: Self::Mirror) -> Self;
}

macro_rules! their_own_mirrors {
    ($($number:ty),+) => { $(
        impl Mirrored for $number {
            type Mirror = Self;

            fn mirror(self) -> Self {
                self
            }

            fn of(mirror: Self) -> Self {
                mirror
            }
        }
    )+ };
}

their_own_mirrors!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

impl Mirrored for bool {
    type Mirror = u8;

    fn mirror(self) -> u8 {
        self.into()
    }

    fn of(mirror: u8) -> Self {
        mirror != 0
    }
}

impl<T: Mirrored, const N: usize> Mirrored for [T; N] {
    type Mirror = [T::Mirror; N];

    fn mirror(self) -> Self::Mirror {
        self.map(T::mirror)
    }

    fn of(mirror: Self::Mirror) -> Self {
        mirror.map(T::of)
    }
}

macro_rules! numbers {
    ($($number:ty),+) => { $(
        impl Packed for $number {
            const LEN: usize = size_of::<$number>();
            const ZERO: Self = <$number>::from_le_bytes([0; size_of::<$number>()]);

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*number))
            }
        }
    )+ };
}

impl Packed for u8 {
    const LEN: usize = 1;
    const ZERO: Self = 0;

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(*byte)
    }

    /// Names and time stamps, in one go.
    #[inline]
    fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[Self; N]> {
        let (array, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(*array)
    }
}

numbers!(i8, u16, i16, u32, i32, u64, i64, f32, f64);

/// Any nonzero byte is true.
impl Packed for bool {
    const LEN: usize = 1;
    const ZERO: Self = false;

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u8::take(bytes).map(|byte| byte != 0)
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    // Cannot saturate for any array type that compiles.
    const LEN: usize = T::LEN * N;
    const ZERO: Self = [T::ZERO; N];

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        T::take_array(bytes)
    }
}
