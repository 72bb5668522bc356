//! What "cannot happen" is asserted in debug builds, which tests and fuzzers run; others go on with nothing.

use std::slice::SliceIndex;

/// Parts of a slice or of text, without panics in release builds.
///
/// ```
/// use robolog_core::slices::Part;
/// let line = "name=value";
/// assert_eq!((line.part(5..), line.part_or_empty(11..)), ("value", ""));
/// assert_eq!(b"name"[..].part(..2), b"na");
/// ```
pub trait Part {
    /// The part at a range that is known to be inside. Empty otherwise; in debug builds that panics.
    #[track_caller]
    fn part<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self;

    /// Like [`part`](Self::part), to be changed.
    #[track_caller]
    fn part_mut<R: SliceIndex<Self, Output = Self>>(&mut self, range: R) -> &mut Self;

    /// The part at a range, or an empty one if the range is not inside.
    fn part_or_empty<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self;

    /// The parts before and after an offset that is known to be inside. Both are empty otherwise; in debug builds that
    /// panics.
    #[track_caller]
    fn halves(&self, at: usize) -> (&Self, &Self);
}

macro_rules! parts {
    ($([$($generic:ident)?] $type:ty),+) => { $(
        impl$(<$generic>)? Part for $type {
            #[inline]
            #[track_caller]
            fn part<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
                let part = self.get(range);
                debug_assert!(part.is_some(), "a part that is not inside of {}", self.len());
                part.unwrap_or_default()
            }

            #[inline]
            #[track_caller]
            fn part_mut<R: SliceIndex<Self, Output = Self>>(&mut self, range: R) -> &mut Self {
                let part = self.get_mut(range);
                debug_assert!(part.is_some(), "a part that is not inside");
                part.unwrap_or_default()
            }

            #[inline]
            fn part_or_empty<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
                self.get(range).unwrap_or_default()
            }

            #[inline]
            #[track_caller]
            fn halves(&self, at: usize) -> (&Self, &Self) {
                let halves = self.split_at_checked(at);
                debug_assert!(halves.is_some(), "{at} is not inside of {}", self.len());
                halves.unwrap_or_default()
            }
        }
    )+ };
}

parts!([T] [T], [] str);

/// The value at `i` of a column that is as long as its table, or empty because the table has no such column: then 0.
///
/// ```
/// use robolog_core::slices::value_at;
/// assert_eq!((value_at(&[7, 8], 1), value_at::<u8>(&[], 1)), (8, 0));
/// ```
#[inline]
#[track_caller]
pub fn value_at<T: Copy + Default>(column: &[T], i: usize) -> T {
    let value = column.get(i).copied();
    debug_assert!(value.is_some() || column.is_empty(), "row {i} of {}", column.len());
    value.unwrap_or_default()
}

/// A value that is known to be there. The default one otherwise; in debug builds that panics.
///
/// ```
/// use robolog_core::slices::known;
/// assert_eq!(known([7].first().copied()), 7);
/// ```
#[inline]
#[track_caller]
pub fn known<T: Default>(value: Option<T>) -> T {
    debug_assert!(value.is_some(), "no {}", std::any::type_name::<T>());
    value.unwrap_or_default()
}

/// The number in another type, in which it is known to fit. 0 otherwise; in debug builds that panics.
///
/// ```
/// use robolog_core::slices::fitting;
/// assert_eq!(fitting::<u8>(200_usize), 200);
/// ```
#[inline]
#[track_caller]
pub fn fitting<T: Default>(number: impl TryInto<T>) -> T {
    let fits = number.try_into().ok();
    debug_assert!(fits.is_some(), "a number that does not fit into {}", std::any::type_name::<T>());
    fits.unwrap_or_default()
}

/// Division by a number that may be 0, of which the result is 0.
///
/// ```
/// use robolog_core::slices::OrZero;
/// assert_eq!((7_u64.div_or_zero(2), 7_u64.div_or_zero(0), 7_usize.rem_or_zero(4)), (3, 0, 3));
/// ```
pub trait OrZero {
    /// The quotient, or 0.
    #[must_use]
    fn div_or_zero(self, divisor: Self) -> Self;

    /// The remainder, or 0.
    #[must_use]
    fn rem_or_zero(self, divisor: Self) -> Self;
}

macro_rules! or_zero {
    ($($number:ty)+) => { $(
        impl OrZero for $number {
            #[inline]
            fn div_or_zero(self, divisor: Self) -> Self {
                self.checked_div(divisor).unwrap_or(0)
            }

            #[inline]
            fn rem_or_zero(self, divisor: Self) -> Self {
                self.checked_rem(divisor).unwrap_or(0)
            }
        }
    )+ };
}

or_zero!(u32 u64 u128 usize i64 i128);

/// Sums, differences and products that are known to be in the range of their type: counts of what is in memory, a length
/// without a part of it. They saturate otherwise; in debug builds that panics. Numbers of a file that may leave the range
/// say `saturating_` or `checked_`.
///
/// ```
/// use robolog_core::slices::InRange as _;
/// let (whole, rest) = ("name=value", "value");
/// assert_eq!(whole.len().minus(rest.len()), 5);
/// assert_eq!((7_u8.plus(1), 7_u64.times(6)), (8, 42));
/// ```
pub trait InRange {
    /// The sum.
    #[must_use]
    #[track_caller]
    fn plus(self, other: Self) -> Self;

    /// The difference.
    #[must_use]
    #[track_caller]
    fn minus(self, other: Self) -> Self;

    /// The product.
    #[must_use]
    #[track_caller]
    fn times(self, other: Self) -> Self;
}

macro_rules! in_range {
    ($($number:ty)+) => { $(
        impl InRange for $number {
            #[inline]
            #[track_caller]
            fn plus(self, other: Self) -> Self {
                debug_assert!(self.checked_add(other).is_some(), "{self} + {other} is not in range");
                self.saturating_add(other)
            }

            #[inline]
            #[track_caller]
            fn minus(self, other: Self) -> Self {
                debug_assert!(self.checked_sub(other).is_some(), "{self} - {other} is not in range");
                self.saturating_sub(other)
            }

            #[inline]
            #[track_caller]
            fn times(self, other: Self) -> Self {
                debug_assert!(self.checked_mul(other).is_some(), "{self} * {other} is not in range");
                self.saturating_mul(other)
            }
        }
    )+ };
}

in_range!(u8 u16 u32 u64 u128 usize i64 i128);

#[cfg(test)]
mod tests {
    use super::{InRange as _, Part as _, fitting, known, value_at};

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "2 - 3 is not in range"))]
    fn a_difference_that_is_not_in_range_shows_in_debug_builds() {
        assert_eq!(2_usize.minus(3), 0);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "255 + 1 is not in range"))]
    fn a_sum_that_is_not_in_range_shows_in_debug_builds() {
        assert_eq!(255_u8.plus(1), 255);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "* -2 is not in range"))]
    fn a_product_that_is_not_in_range_shows_in_debug_builds() {
        assert_eq!(i64::MAX.times(-2), i64::MIN);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "a part that is not inside of 2"))]
    fn a_part_that_is_not_inside_shows_in_debug_builds() {
        assert_eq!(b"ab"[..].part(1..3), b"");
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "row 2 of 2"))]
    fn a_row_behind_a_column_shows_in_debug_builds() {
        assert_eq!(value_at(b"ab", 2), 0);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "does not fit into u8"))]
    fn a_number_that_does_not_fit_shows_in_debug_builds() {
        assert_eq!(fitting::<u8>(256), 0);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "no u8"))]
    fn a_value_that_is_not_there_shows_in_debug_builds() {
        assert_eq!(known::<u8>(None), 0);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "3 is not inside of 2"))]
    fn halves_that_are_not_inside_show_in_debug_builds() {
        assert_eq!("ab".halves(3), ("", ""));
    }

    #[test]
    fn texts_have_parts_too() {
        let mut text = [1, 2, 3];
        text.part_mut(1..).fill(0);
        assert_eq!((text, "a\u{e9}".part_or_empty(2..)), ([1, 0, 0], ""));
    }
}
