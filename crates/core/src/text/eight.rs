//! Bytes and numbers of short texts, eight bytes at a time in a word, the first in its lowest byte.

#![allow(clippy::arithmetic_side_effects, reason = "places in text")]

use crate::slices::{fitting, value_at};

/// The first place of a byte that is probably near: eight bytes at a time at first, which takes a fraction of the time that a
/// call of `memchr` takes.
///
/// ```
/// use robolog_core::text::near;
/// assert_eq!((near(b'<', b"411.5</ele>"), near(b'<', b"411.5")), (Some(5), None));
/// ```
#[inline]
pub fn near(byte: u8, text: &[u8]) -> Option<usize> {
    first_near(text, |eight| marks(eight, byte), |rest| memchr::memchr(byte, rest))
}

/// The first place of one of two bytes: see [`near`].
#[inline]
pub fn near2(one: u8, other: u8, text: &[u8]) -> Option<usize> {
    let either = |eight| marks(eight, one) | marks(eight, other);
    first_near(text, either, |rest| memchr::memchr2(one, other, rest))
}

/// The first place of one of these bytes, or the length of the text without one: see [`near`].
#[inline]
pub fn near_of<const N: usize>(bytes: [u8; N], text: &[u8]) -> usize {
    let any = |eight| bytes.iter().fold(0, |found, byte| found | marks(eight, *byte));
    let far = |rest: &[u8]| rest.iter().position(|byte| bytes.contains(byte));
    first_near(text, any, far).unwrap_or(text.len())
}

/// Number of bytes that are near.
const NEAR: usize = 32;

#[inline]
fn first_near(
    text: &[u8],
    marks: impl Fn(u64) -> u64,
    far: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = marks(u64::from_le_bytes(*eight));
        if marks != 0 {
            return Some(at + first_of(marks));
        }
        at += 8;
        if at >= NEAR {
            return far(text.get(at..)?).map(|place| at + place);
        }
    }
    // Seven bytes of ones follow the one.
    let is = |byte: &u8| marks(u64::from(*byte) | u64::MAX << 8).trailing_zeros() < 8;
    text.get(at..)?.iter().position(is).map(|place| at + place)
}

/// How often a byte is in a short text: eight bytes at a time.
///
/// ```
/// assert_eq!(robolog_core::text::count(b',', b"1,2,,a text"), 3);
/// ```
#[inline]
pub fn count(byte: u8, text: &[u8]) -> usize {
    let (eights, rest) = text.as_chunks();
    let of_eight = |eight: u64| exact_marks(eight, byte).count_ones() as usize;
    let all = eights.iter().map(|eight| of_eight(u64::from_le_bytes(*eight))).sum::<usize>();
    match text.last_chunk() {
        // Without the bytes that are counted; what moves in is another byte.
        Some(last) if !rest.is_empty() => {
            let counted = u32::try_from(64 - 8 * rest.len()).unwrap_or(0);
            let others = ONES.wrapping_mul(u64::from(!byte)) & u64::MAX.unbounded_shl(64 - counted);
            all + of_eight(u64::from_le_bytes(*last).unbounded_shr(counted) | others)
        }
        _ => all + memchr::memchr_iter(byte, rest).count(),
    }
}

/// A one in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The high bit of each of eight bytes.
const HIGH: u64 = 0x80 * ONES;
/// Eight times the digit 0.
const ZEROS: u64 = 0x30 * ONES;

/// Sets the high bit of each of eight bytes that is this one; those above the first may be wrong.
#[inline]
pub const fn marks(eight: u64, byte: u8) -> u64 {
    let others = eight ^ ONES.wrapping_mul(byte as u64);
    others.wrapping_sub(ONES) & !others & HIGH
}

/// Sets the high bit of each of eight bytes that is this one.
#[inline]
const fn exact_marks(eight: u64, byte: u8) -> u64 {
    let others = eight ^ ONES.wrapping_mul(byte as u64);
    // Without carries from byte to byte.
    !((others & !HIGH).wrapping_add(!HIGH) | others) & HIGH
}

/// Sets the high bit of each of eight bytes that is not a digit.
#[inline]
pub const fn other_than_digits(eight: u64) -> u64 {
    let digits = eight ^ ZEROS;
    ((digits & !HIGH).wrapping_add(0x76 * ONES) | digits) & HIGH
}

/// The bytes that are no digits, and their places: eight bytes at a time.
///
/// ```
/// let all: Vec<_> = robolog_core::text::others_than_digits(b"02,26,052*").collect();
/// assert_eq!(all, [(2, b','), (5, b','), (9, b'*')]);
/// ```
#[inline]
pub fn others_than_digits(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let (mut from, mut others) = (0_usize, 0);
    let mut next = 0_usize;
    std::iter::from_fn(move || {
        while others == 0 {
            from = next;
            let Some(eight) = text.get(from..).and_then(<[u8]>::first_chunk) else {
                let place = from + text.get(from..)?.iter().position(|byte| !byte.is_ascii_digit())?;
                next = place + 1;
                return Some((place, *text.get(place)?));
            };
            others = other_than_digits(u64::from_le_bytes(*eight));
            next = from + 8;
        }
        let place = from + first_of(others);
        others &= others - 1;
        Some((place, *text.get(place)?))
    })
}

/// Sets the high bit of each of eight bytes that is below the space.
#[inline]
pub(super) const fn controls(eight: u64) -> u64 {
    // Of such a byte, neither this sum nor the byte itself has the high bit.
    !((eight & !HIGH).wrapping_add(0x60 * ONES) | eight) & HIGH
}

/// Index of the first marked byte.
#[inline]
pub const fn first_of(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// Maximum characters of a number without its sign that is read here: its digits fit into 64 bits.
const SHORT: usize = 18;

/// At most 18 digits with at most one point among them: the number without the point, and the number of its decimals.
///
/// ```
/// use robolog_core::text::decimal;
/// assert_eq!((decimal(b"45.60946"), decimal(b"7."), decimal(b".")), (Some((4_560_946, 5)), Some((7, 0)), None));
/// ```
#[inline]
pub fn decimal(text: &[u8]) -> Option<(u64, usize)> {
    if text.len() > SHORT { None } else { pointed(text).or_else(|| by_digits(text)) }
}

/// The same, digit by digit.
#[inline]
fn by_digits(text: &[u8]) -> Option<(u64, usize)> {
    let (mut value, mut point) = (0_u64, usize::MAX);
    for (at, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            value = value.wrapping_mul(10).wrapping_add(digit.into());
        } else if *byte == b'.' && point == usize::MAX {
            point = at;
        } else {
            return None;
        }
    }
    let has_point = point != usize::MAX;
    let decimals = if has_point { text.len() - point - 1 } else { 0 };
    (text.len() > usize::from(has_point)).then_some((value, decimals))
}

/// The same for at least eight bytes, with the point among the first eight: eight digits at a time.
#[inline]
fn pointed(text: &[u8]) -> Option<(u64, usize)> {
    let (head, tail) = (u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?));
    let points = marks(head, b'.');
    if points == 0 {
        return None;
    }
    let point = first_of(points);
    let decimals = text.len() - point - 1;
    // Ahead of the whole digits and of the last decimals stand zeros.
    let bits = points.trailing_zeros() & !7;
    let whole = eight_digits(head.unbounded_shl(64 - bits) | ZEROS.unbounded_shr(bits))?;
    let last = |count: usize| {
        let others = u64::MAX.unbounded_shr(u32::try_from(8 * count).ok()?);
        eight_digits(tail & !others | ZEROS & others)
    };
    let shifted = |value: u64, count: usize| Some(value.wrapping_mul(*UNITS.get(count)?));
    let Some(more) = decimals.checked_sub(8) else {
        return Some((shifted(whole, decimals)?.wrapping_add(last(decimals)?), decimals));
    };
    let first = eight_digits(u64::from_le_bytes(*text.get(point + 1..)?.first_chunk()?))?;
    let value = shifted(whole, 8)?.wrapping_add(first);
    Some((shifted(value, more)?.wrapping_add(last(more)?), decimals))
}

/// Ten to the power of the index.
const UNITS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that eight digits are, the first in the lowest byte; `None` if one is no digit.
///
/// ```
/// use robolog_core::text::eight_digits;
/// let number = |text: &[u8; 8]| eight_digits(u64::from_le_bytes(*text));
/// assert_eq!((number(b"00456094"), number(b"0045609,")), (Some(456_094), None));
/// ```
#[inline]
pub const fn eight_digits(text: u64) -> Option<u64> {
    let digits = text ^ ZEROS;
    if (digits.wrapping_add(0x76 * ONES) | digits) & HIGH != 0 {
        return None;
    }
    Some(number_of(digits))
}

/// Appends the digits that eight characters begin with, the first character in the lowest byte, to a number. Returns the
/// number and the count of these digits. The number may wrap: the caller counts the digits.
///
/// ```
/// use robolog_core::text::append_digits;
/// let number = |text: &[u8; 8]| append_digits(7, u64::from_le_bytes(*text));
/// assert_eq!((number(b"00456094"), number(b"45.60946"), number(b"-5,00000")), ((700_456_094, 8), (745, 2), (7, 0)));
/// ```
#[inline]
pub fn append_digits(number: u64, text: u64) -> (u64, usize) {
    let bits = other_than_digits(text).trailing_zeros() & !7;
    // Zeros go before the digits.
    let digits = number_of((text ^ ZEROS).unbounded_shl(64 - bits));
    let count = bits as usize / 8;
    (number.wrapping_mul(value_at(&UNITS, count)).wrapping_add(digits), count)
}

/// The number that a field of digits is, up to the comma that ends it, and its length; both are 0 for an empty field. Reads
/// eight bytes at once: `None` if no comma is among them, or anything else.
///
/// ```
/// use robolog_core::text::short_integer;
/// assert_eq!((short_integer(*b"026,052,"), short_integer(*b"4.5,052,")), (Some((26, 3)), None));
/// ```
#[inline]
pub fn short_integer(text: [u8; 8]) -> Option<(u64, u8)> {
    let (padded, bits) = short_field(u64::from_le_bytes(text))?;
    Some((eight_digits(padded)?, fitting::<u8>(bits / 8)))
}

/// The same for digits with a point: the number without the point, and how many digits are before and after it.
///
/// ```
/// use robolog_core::text::short_decimal;
/// assert_eq!((short_decimal(*b"10.914,1"), short_decimal(*b"10,914.1")), (Some((10_914, 2, 3)), None));
/// ```
#[inline]
pub fn short_decimal(text: [u8; 8]) -> Option<(u64, u8, u8)> {
    let (digits, whole, decimals) = pointed_field(u64::from_le_bytes(text))?;
    Some((digits, fitting::<u8>(whole / 8), fitting::<u8>(decimals / 8)))
}

/// The same, with numbers of bits.
#[inline]
fn pointed_field(text: u64) -> Option<(u64, u32, u32)> {
    let points = marks(text, b'.');
    let whole = points.trailing_zeros() & !7;
    if points == 0 {
        return None;
    }
    // Closes the gap that the point leaves. A second point is no digit, and so an error below.
    let before = !u64::MAX.unbounded_shl(whole);
    let (padded, bits) = short_field(text & before | text.wrapping_shr(8) & !before)?;
    let decimals = bits.checked_sub(whole).filter(|_| bits > 0)?;
    Some((eight_digits(padded)?, whole, decimals))
}

/// The number of [`short_decimal`], and the length of its text.
///
/// ```
/// use robolog_core::text::short_number;
/// assert_eq!((short_number(b"10.914,1.5,"), short_number(b"-1.5,1.5,")), (Some((10.914, 6)), None));
/// ```
#[inline]
pub fn short_number(text: &[u8]) -> Option<(f64, usize)> {
    let (digits, whole, decimals) = pointed_field(u64::from_le_bytes(*text.first_chunk()?))?;
    Some((scaled(digits, decimals as usize / 8)?, (whole + decimals) as usize / 8 + 1))
}

/// What is before the comma that ends a field, at the end of eight bytes behind zeros, and its number of bits.
#[inline]
const fn short_field(text: u64) -> Option<(u64, u32)> {
    let commas = marks(text, b',');
    if commas == 0 {
        return None;
    }
    let bits = commas.trailing_zeros() & !7;
    Some((text.unbounded_shl(64 - bits) | ZEROS.unbounded_shr(bits), bits))
}

/// Ten to the power of the index: exact, as all up to 10^22.
const POWERS: [f64; SHORT] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17];

/// The double nearest to a number with this many decimals, below 2^53 without its point.
#[inline]
pub(super) fn scaled(digits: u64, decimals: usize) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "the caller has fewer than 54 bits")]
    let whole = digits as f64;
    // Both are exact, so the quotient is rounded once.
    Some(whole / POWERS.get(decimals)?)
}

/// The number of eight digits, each a byte below ten, the first in the lowest.
#[inline]
const fn number_of(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits.wrapping_shr(8));
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = (pairs.wrapping_shr(16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    low.wrapping_add(high).wrapping_shr(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_the_same_digit_by_digit_and_eight_at_a_time() {
        let mut state = 1_u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % most
        };
        let mut found = 0;
        for _ in 0..200_000 {
            let mut text: Vec<u8> = (0..next(20)).map(|_| b'0' + u8::try_from(next(10)).unwrap()).collect();
            for _ in 0..next(4) {
                if let Some(byte) = (!text.is_empty()).then(|| next(text.len())) {
                    text[byte] = b"..../:9-e\xff"[next(10)];
                }
            }
            let fast = pointed(&text).filter(|_| text.len() <= SHORT);
            found += usize::from(fast.is_some());
            if fast.is_some() {
                assert_eq!(fast, by_digits(&text), "{}", text.escape_ascii());
            }
        }
        assert!(found > 5_000, "{found}");
    }

    #[test]
    fn numbers_before_a_comma_are_those_of_the_text_before_it() {
        let mut found = 0;
        // All texts of eight of these characters.
        for mut n in 0..7_u32.pow(8) {
            let text = [0; 8].map(|_| {
                let byte = b"07.,9-."[usize::try_from(n % 7).unwrap()];
                n /= 7;
                byte
            });
            let field = text.split(|byte| *byte == b',').next().filter(|field| field.len() < 8);
            let all = field.filter(|field| field.iter().all(u8::is_ascii_digit));
            let number = |field| std::str::from_utf8(field).unwrap().parse().unwrap_or(0);
            let digits = all.map(|field| (number(field), field.len()));
            assert_eq!(short_integer(text).map(|(number, len)| (number, len.into())), digits);
            let pointed = field.filter(|field| field.contains(&b'.') && !field.contains(&b'-'));
            let pointed = pointed.and_then(|field| Some((crate::text::number(field)?, field.len())));
            assert_eq!(short_number(&text), pointed, "{}", text.escape_ascii());
            found += usize::from(pointed.is_some());
        }
        assert!(found > 100_000, "{found}");
    }

    #[test]
    fn near_bytes_are_the_first_ones() {
        let text: Vec<u8> = (0..100).chain([255, 128, 0]).collect();
        for from in 0..text.len() {
            for byte in 0..=255 {
                let text = &text[from..];
                assert_eq!(near(byte, text), memchr::memchr(byte, text), "{byte} from {from}");
                assert_eq!(near2(byte, 77, text), memchr::memchr2(byte, 77, text), "{byte} from {from}");
                let third = memchr::memchr3(byte, 77, 60, text).unwrap_or(text.len());
                assert_eq!(near_of([byte, 77, 60], text), third, "{byte} from {from}");
                assert_eq!(count(byte, text), memchr::memchr_iter(byte, text).count(), "{byte} from {from}");
            }
        }
    }
}
