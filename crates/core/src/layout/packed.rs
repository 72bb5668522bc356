//! What the fields of a layout hold.

/// A value of fixed size, little-endian: a number, a bool of one byte, an array of such values, or a layout.
pub trait Packed: Copy {
    /// Bytes of the value.
    const LEN: usize;
    /// The value of bytes that are all zero.
    const ZERO: Self;

    /// Takes the value off the front of `bytes`. `None` when there are too few.
    fn take(bytes: &mut &[u8]) -> Option<Self>;

    /// Takes `N` values.
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

/// A value whose size depends on the file: on how wide its numbers are, for example.
///
/// Every [`Packed`] is one, whatever the context.
pub trait PackedWith<C: Copy>: Copy {
    /// Bytes of the value in this context.
    fn len_with(context: C) -> usize;

    /// Takes the value off the front of `bytes`. `None` when there are too few.
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

    /// Names and time stamps, in one piece.
    #[inline]
    fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[Self; N]> {
        let (array, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(*array)
    }
}

numbers!(i8, u16, i16, u32, i32, u64, i64, f32, f64);

/// Any byte but 0 is true.
impl Packed for bool {
    const LEN: usize = 1;
    const ZERO: Self = false;

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u8::take(bytes).map(|byte| byte != 0)
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    // Saturation cannot happen in what the compiler accepts as an array.
    const LEN: usize = T::LEN * N;
    const ZERO: Self = [T::ZERO; N];

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        T::take_array(bytes)
    }
}
