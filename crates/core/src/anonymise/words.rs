//! Words in texts, and look-alike texts.

use crate::slices::{InRange as _, OrZero as _, fitting};

/// Whether a whole word of `len` bytes starts at `at`: no letter or digit directly before or after it.
pub(super) fn is_word_at(text: &[u8], at: usize, len: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| text.get(at));
    let behind = at.checked_add(len).and_then(|at| text.get(at));
    [before, behind].into_iter().flatten().all(|byte| !byte.is_ascii_alphanumeric())
}

/// A random text of the same form: digits for digits, letters for letters of the same case, anything else unchanged.
pub(super) fn like(text: &[u8], next: &mut impl FnMut() -> u64) -> Vec<u8> {
    let mut of = |first: u8, count: u64| {
        let step = fitting::<u8>(next().rem_or_zero(count));
        first.plus(step)
    };
    let one = |byte: &u8| match byte {
        b'0'..=b'9' => of(b'0', 10),
        b'a'..=b'z' => of(b'a', 26),
        b'A'..=b'Z' => of(b'A', 26),
        0x80.. => b'x',
        byte => *byte,
    };
    text.iter().map(one).collect()
}
